r"""Any Unicode text as safe TeX for xelatex.

Nothing a user can write becomes a command, and nothing vanishes. What the fonts of every installation have (ASCII,
European letters, the hanzi of GB 2312) is written as itself. The rest goes through \attnrun, which seeks a font that has
all the code points of a run and draws labelled boxes where there is none; what has no shape of its own is such a box at
once (writers.clean says what). The macros stand in templates/latex/tokens.tex.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import bidirectional, category, decomposition, name, normalize

from exactattn.writers.clean import DOTTED, JOINERS, Hidden, pieces, shortened, token_pieces
from exactattn.writers.clean import Piece as Seen

LONG = 24  # characters: a longer stretch without a place to break may break anywhere
RUN = 12  # clusters: the longest run of a connected script that is set in one piece

SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "␣": r"\textvisiblespace{}",
    "\u00a0": "~",
    "\u3000": r"\quad{}",
    "\uffe5": "\u00a5",  # Fandol draws a dollar for the full-width yen
    "≈": r"\ensuremath{\approx}",
    "≤": r"\ensuremath{\leq}",
    "≥": r"\ensuremath{\geq}",
    "≠": r"\ensuremath{\neq}",
    "√": r"\ensuremath{\surd}",
    "∞": r"\ensuremath{\infty}",
}

# ASCII, European letters and signs: all in Latin Modern
LATIN = re.compile("[!-~\u00a1-\u00ac\u00ae-\u0131\u0134-\u0137\u0139-\u0148\u014a-\u0165\u0168-\u017f\u2013\u2212]")
# punctuation and arrows that both Latin Modern and the Chinese fonts have
SIGNS = re.compile("[‘’“”—…←↑→↓]")
# of GB 2312, so in every Chinese font (_plain asks the codec about hanzi)
CHINESE = re.compile(
    "[\u2460-\u2469\u2474-\u249b\u3001-\u3003\u3005\u3008-\u3011\u3013-\u3017"
    "\u3041-\u3093\u30a1-\u30f6\u30fb\u30fc\u3220-\u3229\u4e00-\u9fff\uff01-\uff5e]"
)
# the spacing that xeCJK gives to full-width punctuation is for sentences, not for tokens
FULL_WIDTH = re.compile("[‘’“”—…\u00b7\u3001-\u303f\uff01-\uffef]")

ZWJ = "\u200d"
SELECTORS = "\ufe0e\ufe0f"
TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
EMOJI = re.compile("[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]")
HAN = ("CJK", "KANGXI", "HIRAGANA", "KATAKANA", "BOPOMOFO", "FULLWIDTH", "HALFWIDTH", "IDEOGRAPHIC")
NO_SCRIPT = ("MODIFIER", "MATHEMATICAL", "COMBINING", "DOUBLE", "DOTTED", "SYMBOL")


@dataclass(frozen=True, slots=True)
class _Piece:
    """TeX that no line break may enter, how many characters it is, and whether a line may break after it anyway."""

    tex: str
    free: bool = False
    size: int = 1


def token(content: str) -> str:
    r"""A token as itself: outer and doubled spaces are shown, unusual characters in boxes, long ones may break.

    >>> token("a_b"), token(r"\input{x}")
    ('a\\_b', '\\textbackslash{}input\\{x\\}')
    >>> token(" the"), token(""), token("\t")
    ('\\textvisiblespace{}the', '\\attnempty{}', '\\attnvis{U+0009}')
    """
    return _token(token_pieces(content), {})


def short_token(content: str, columns: int) -> str:
    r"""A token in a narrow place: at most so many columns, cut with an ellipsis where it is longer.

    >>> short_token("internationalisation", 9), short_token("cat", 8)
    ('intern\\attncut{}on', 'cat')
    """
    seen = token_pieces(content)
    short = shortened(seen, columns)
    tex = _token(short, {"…": r"\attncut{}"} if short != seen else {})
    # boxes for letters that no font has are wider than the letters
    return rf"\attnfit{{{columns // 2}em}}{{{tex}}}" if r"\attnr" in tex and columns > 1 else tex


def _token(seen: tuple[Seen, ...], own: dict[str, str]) -> str:
    tex = _joined(_pieces(seen, {" ": r"\ ", "'": r"\textquotesingle{}"} | own))
    content = "".join(char for part in seen if isinstance(part, str) for char in part if char not in own)
    chinese = [bool(CHINESE.match(char)) for char in content]
    if FULL_WIDTH.search(content) or (any(chinese) and not all(chinese)):
        return rf"\attntok{{{tex}}}"
    return tex


@lru_cache(2048)  # of a hundred papers most sentences are the same
def text(content: str) -> str:
    r"""Words in a sentence: spaces are spaces and an apostrophe is one; the rest as in a token.

    >>> text("It isn't 5 % -- or")
    "It isn't 5 \\% -{}- or"
    """
    seen = (re.sub(" +", " ", part) if isinstance(part, str) else part for part in pieces(content))
    return _joined(_pieces(seen, {" ": " "}))


def code(content: str) -> str:
    r"""Code in a line: quotes are straight and every space is one; long stretches may break anywhere.

    >>> code("f(x['a'],  1)")
    'f(x[\\textquotesingle{}a\\textquotesingle{}],\\ \\ 1)'
    """
    return _joined(_pieces(pieces(content), {" ": r"\ ", "'": r"\textquotesingle{}"}))


def metadata(content: str) -> str:
    """A PDF text string in hexadecimal, so that no character of it can end the string.

    >>> metadata("西)")
    '<FEFF897F0029>'
    """
    whole = "".join("\ufffd" if category(char) == "Cs" else char for char in content)
    return f"<FEFF{whole.encode('utf-16-be').hex().upper()}>"


# -- clusters and runs -------------------------------------------------------------------------------------------------


def _clusters(content: str) -> Iterator[str]:
    """Characters with the marks, joiners, selectors and tones that belong to them; joined emoji are one."""
    cluster = ""
    for char in content:
        if cluster and not _belongs(cluster, char):
            yield cluster
            cluster = ""
        cluster += char
    if cluster:
        yield cluster


def _belongs(cluster: str, char: str) -> bool:
    if category(char)[0] == "M" or char in JOINERS or TONES.match(char):
        return True
    return cluster[-1] == ZWJ and bool(EMOJI.match(cluster[0]) and EMOJI.match(char))


def _script(cluster: str) -> str | None:
    """The script of a cluster that needs a font sought for it, as in its Unicode names; None for all else."""
    first = cluster[0]
    if len(cluster) == 1 and (first == " " or first in SPECIAL or _plain(first)):
        return None
    if EMOJI.match(first):
        return "Emoji"
    word = re.split("[ -]", name(first, "SYMBOL"))[0]
    if word in HAN or 0x20000 <= ord(first) <= 0x3FFFF:
        return "Han"
    return word.title() if category(first)[0] == "L" and word not in NO_SCRIPT else "Symbol"


def _plain(char: str) -> bool:
    """Whether every installation has the character in its first font."""
    if LATIN.match(char) or SIGNS.match(char):
        return True
    if not CHINESE.match(char):
        return False
    try:
        char.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def _pieces(seen: Iterable[Seen], own: dict[str, str]) -> Iterator[_Piece]:
    """The text in pieces of TeX; `own` are the characters that this kind of text writes in its own way."""
    for part in seen:
        if isinstance(part, Hidden):
            yield _Piece(_box(part.code) if part.code else r"\attnempty{}")
            continue
        clusters = list(_clusters(part))
        at = 0
        while at < len(clusters):
            end = at + 1
            script = None if clusters[at] in own else _script(clusters[at])
            if script is None:
                yield _sign(clusters[at], "".join(clusters[at - 1 : at]), "".join(clusters[end : end + 1]), own)
            else:
                while end - at < RUN and _goes_on(clusters, end, script):
                    end += 1
                yield from _run(script, clusters[at:end])
            at = end


def _goes_on(clusters: list[str], at: int, script: str) -> bool:
    """Whether a run of a script goes on here: a right-to-left one also over a space, or its words would change places."""
    if at >= len(clusters) or script in ("Han", "Symbol", "Emoji"):
        return False
    if clusters[at] == " ":
        return _leftwards(clusters[at - 1]) and at + 1 < len(clusters) and _script(clusters[at + 1]) == script
    return _script(clusters[at]) == script


def _leftwards(cluster: str) -> bool:
    return bidirectional(cluster[0]) in ("R", "AL")


def _sign(char: str, before: str, after: str, own: dict[str, str]) -> _Piece:
    """A character that needs no font sought for it."""
    if char == " " and CHINESE.match(before) and CHINESE.match(after):  # where xeCJK drops a plain space
        return _Piece(r"\ ", free=True)
    if char in own:
        return _Piece(own[char], free=char == " ")
    if char in SPECIAL:
        return _Piece(SPECIAL[char])
    if char in "-," and after == char:  # TeX would join them to a dash or a quotation mark
        return _Piece(char + "{}")
    if char in "[*" and not before:  # at the head of a table cell they belong to the row before
        return _Piece("{" + char + "}")
    return _Piece(char, free=bool(CHINESE.match(char)))


def _run(script: str, clusters: list[str]) -> Iterator[_Piece]:
    """A run that needs a font sought for it, or the simpler thing it stands for."""
    run = "".join(clusters)
    if script == "Emoji":
        for part in run.split(ZWJ):
            bare = "".join(char for char in part if char not in SELECTORS)
            yield _Piece(_attnrun(script, bare))
        return
    raised = re.fullmatch("<(super|sub)> 00([0-9A-F]{2})", decomposition(run[0]))
    if raised and len(run) == 1 and (plain := chr(int(raised[2], 16))).isalnum():
        yield _Piece(rf"\text{raised[1]}script{{{plain}}}")
    elif run[0] == DOTTED and len(run) > 1:  # few fonts have the carrier: without it the mark is in its box
        yield from (_Piece(_box(f"U+{ord(mark):04X}")) for mark in run[1:])
    else:
        yield _Piece(_attnrun(script, normalize("NFC", run)), script in ("Han", "Hangul"), len(clusters))


def _attnrun(script: str, run: str) -> str:
    codes = ",".join(f"{ord(char):04X}" for char in run if char != " " and char not in JOINERS)
    macro = "attnrtl" if _leftwards(run) else "attnrun"
    after = r"\attnbr{}" if script == "Han" else ""
    return rf"\{macro}{{{script}}}{{{codes}}}{{{run}}}{after}"


def _box(code: str) -> str:
    return rf"\attnvis{{{code}}}"


# -- places to break ---------------------------------------------------------------------------------------------------


def _joined(parts: Iterable[_Piece]) -> str:
    """The pieces as one; a stretch longer than LONG may break after every piece.

    Rarer breaks would leave gaps in a justified line that look like spaces.
    """
    out: list[str] = []
    stretch: list[_Piece] = []
    for part in parts:
        stretch.append(part)
        if part.free:
            out.append(_breakable(stretch))
            stretch = []
    return "".join(out) + _breakable(stretch)


def _breakable(stretch: list[_Piece]) -> str:
    long = sum(part.size for part in stretch) > LONG
    return (r"\attnbr{}" if long else "").join(part.tex for part in stretch)
