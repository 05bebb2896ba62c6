"""The page templates: where they lie, and the Jinja2 environments that fill them.

In the wheel they are package data (exactattn/templates), in a checkout they stand beside the package. A template only
places what it is given: an unknown name is an error (StrictUndefined), never an empty place on the page.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from jinja2 import Environment, FunctionLoader, StrictUndefined

from exactattn.errors import FileError


def folder() -> Traversable:
    """The folder of the templates."""
    packed = resources.files("exactattn") / "templates"
    if packed.is_dir():
        return packed
    beside = Path(__file__).resolve().parents[2] / "templates"
    if beside.is_dir():
        return beside
    raise FileError("the templates of exactattn are missing beside {place}: install the package again", place=packed)


def source(name: str) -> str:
    """The text of a file in the templates' folder, by its path from there: "latex/page.tex"."""
    place = folder()
    for part in name.split("/"):
        place = place / part
    if not place.is_file():
        raise FileError("there is no template {name!r}", name=name)
    return place.read_text(encoding="utf-8")


@cache
def latex_templates() -> Environment:
    """Templates for TeX, whose braces and percent signs are its own: ((= value =)), ((* if ... *)), ((# comment #)).

    Nothing is escaped here: values are TeX already.
    """
    return Environment(
        loader=FunctionLoader(source),
        undefined=StrictUndefined,
        autoescape=False,
        block_start_string="((*",
        block_end_string="*))",
        variable_start_string="((=",
        variable_end_string="=))",
        comment_start_string="((#",
        comment_end_string="#))",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


@cache
def html_templates() -> Environment:
    """Templates for HTML, in Jinja2's own delimiters. Every value is escaped unless it is markupsafe.Markup."""
    return Environment(
        loader=FunctionLoader(source),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
