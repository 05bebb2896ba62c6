"""Class names of a fragment, kept apart from those of the page it stands in: each begins with "attn-".

A page of our own has them as they are written ("step", "note"); in another's page its style sheet would find them.
"""

from __future__ import annotations

import re

PREFIX = "attn-"
_CLASSES = re.compile('class="([^"]*)"')  # in markup alone: a quotation mark in text is written &quot;
# a name after a full stop, which in a style sheet nothing else is; the root's and an editor's stay as they are
_SELECTORS = re.compile(r"\.(?!exactattn\b|vscode-)(?=[a-z])")


def markup_apart(markup: str) -> str:
    """Markup with its class names apart.

    >>> markup_apart('<mtd class="l t">1</mtd>')
    '<mtd class="attn-l attn-t">1</mtd>'
    """
    return _CLASSES.sub(lambda found: f'class="{" ".join(PREFIX + name for name in found[1].split())}"', markup)


def style_apart(rules: str) -> str:
    """A style sheet that finds them.

    >>> style_apart(".exactattn { td.r { margin: .5em } .note > .run-in { color: red } }")
    '.exactattn { td.attn-r { margin: .5em } .attn-note > .attn-run-in { color: red } }'
    """
    return _SELECTORS.sub(f".{PREFIX}", rules)
