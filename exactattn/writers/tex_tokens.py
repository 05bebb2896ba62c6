r"""Any Unicode text as safe TeX for xelatex.

Nothing a user can write becomes a command, and nothing vanishes. What the fonts of every installation have (ASCII,
European letters, the hanzi of GB 2312) is written as itself. The rest goes through \attnrun, which seeks a font that has
all the code points of a run and draws labelled boxes where there is none. What has no shape of its own (controls,
joiners, odd spaces, lone surrogates) is a labelled box at once. The macros stand in templates/latex/tokens.tex.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import bidirectional, category, decomposition, name, normalize

LONG = 24  # half-widths: a longer stretch without a place to break may break anywhere
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
    "\uffe5": "\u00a5",  # Fandol draws a dollar for the full-width yen
    "≈": r"\ensuremath{\approx}",
    "≤": r"\ensuremath{\leq}",
    "≥": r"\ensuremath{\geq}",
    "≠": r"\ensuremath{\neq}",
    "√": r"\ensuremath{\surd}",
    "∞": r"\ensuremath{\infty}",
}
NAMES = {"\t": "tab", "\n": "nl", "\r": "cr", "\u00a0": "nbsp", "\u00ad": "shy", "\u200b": "zwsp", "\u200d": "zwj"}

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


@dataclass(frozen=True, slots=True)
class _Piece:
    """TeX that no line break may enter, its width, and whether a line may break after it anyway."""

    tex: str
    width: int
    free: bool = False


def token(content: str) -> str:
    r"""A token as itself: outer and doubled spaces are shown, unusual characters in boxes, long ones may break.

    >>> token("a_b"), token(r"\input{x}")
    ('a\\_b', '\\textbackslash{}input\\{x\\}')
    >>> token(" the"), token(""), token("\t")
    ('\\textvisiblespace{}the', '\\attnempty{}', '\\attnvis{tab}')
    """
    if not content:
        return r"\attnempty{}"
    content = re.sub("^ +| +$| {2,}", lambda spaces: "␣" * len(spaces[0]), content)
    tex = _joined(list(_pieces(content, {" ": r"\ ", "'": r"\textquotesingle{}"})))
    chinese = [bool(CHINESE.match(char)) for char in content]
    if FULL_WIDTH.search(content) or (any(chinese) and not all(chinese)):
        return rf"\attntok{{{tex}}}"
    return tex


def short_token(content: str, width: int) -> str:
    r"""A token in a narrow place: at most `width` half-widths, cut with an ellipsis where it is longer.

    >>> short_token("internationalisation", 8), short_token("今天天气怎么样", 6), short_token("cat", 8)
    ('interna\\attncut{}', '今天\\attncut{}', 'cat')
    """
    if half_widths(content) <= width:
        return token(content)
    kept, room = "", width - 1
    for cluster in _clusters(content):
        room -= half_widths(cluster)
        if room < 0:
            break
        kept += cluster
    return (token(kept) if kept else "") + r"\attncut{}"


def text(content: str) -> str:
    r"""Words in a sentence: spaces are spaces and an apostrophe is one; the rest as in a token.

    >>> text("It isn't 5 % -- or")
    "It isn't 5 \\% -{}- or"
    """
    content = re.sub(r"[ \t\r\n]+", " ", content)
    return _joined(list(_pieces(content, {" ": " ", "\u3000": r"\quad{}"})))


def half_widths(content: str) -> int:
    """The width in half-widths: 1 for a European letter, 2 for any other, 0 for a mark on one, 6 for a labelled box.

    >>> half_widths("cat"), half_widths("西安"), half_widths("e\u0301")
    (3, 4, 1)
    """
    return sum(map(_cluster_width, _clusters(content))) if content else 4


def metadata(content: str) -> str:
    """A PDF text string in hexadecimal, so that no character of it can end the string.

    >>> metadata("西)")
    '<FEFF897F0029>'
    """
    whole = "".join("\ufffd" if category(char) == "Cs" else char for char in content)
    return f"<FEFF{whole.encode('utf-16-be').hex().upper()}>"


def _cluster_width(cluster: str) -> int:
    if EMOJI.match(cluster[0]):
        return 2 * (1 + cluster.count(ZWJ))
    return sum(map(_half_width, cluster))


def _half_width(char: str) -> int:
    if char in SELECTORS or category(char) in ("Mn", "Me"):
        return 0
    if _shapeless(char):
        return 6
    if char == " " or char in SPECIAL or LATIN.match(char) or SIGNS.match(char):
        return 1
    return 2  # a hanzi, or a letter that is a box where no font has it


def _shapeless(char: str) -> bool:
    """Controls, formats, separators, private, unassigned: nothing to draw, so a labelled box."""
    return category(char)[0] in "CZ" and char != " "


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


def _clusters(content: str) -> Iterator[str]:
    """Characters with the marks, selectors, tones and joined emoji that belong to them."""
    cluster = ""
    for char in content:
        if cluster and not _belongs(cluster, char):
            yield cluster
            cluster = ""
        cluster += char
    if cluster:
        yield cluster


def _belongs(cluster: str, char: str) -> bool:
    if EMOJI.match(cluster[0]) and (char == ZWJ or char in SELECTORS or TONES.match(char)):
        return True
    if cluster[-1] == ZWJ and EMOJI.match(cluster[0]):
        return bool(EMOJI.match(char))
    return category(char)[0] == "M" and cluster[0] != " " and not _shapeless(cluster[0])


def _pieces(content: str, own: dict[str, str]) -> Iterator[_Piece]:
    """The text in pieces of TeX; `own` are the characters this kind of text writes in its own way."""
    clusters = list(_clusters(content))
    at = 0
    while at < len(clusters):
        cluster = clusters[at]
        script = _script(cluster)
        if script is None:
            before, after = "".join(clusters[max(0, at - 1) : at]), "".join(clusters[at + 1 : at + 2])
            yield from _signs(cluster, before, after, own)
            at += 1
            continue
        end = at + 1
        if script not in ("Han", "Symbol", "Emoji"):
            while end < len(clusters) and end - at < RUN and _goes_on(clusters, end, script):
                end += 1
        yield from _run(script, "".join(clusters[at:end]))
        at = end


def _goes_on(clusters: list[str], at: int, script: str) -> bool:
    """Whether a run of a script goes on here; a right-to-left one also over a space, or its words would change places."""
    if _script(clusters[at]) == script:
        return True
    between = clusters[at] in " \u200c\u200d" and at + 1 < len(clusters) and _script(clusters[at + 1]) == script
    return between and (clusters[at] != " " or _rightwards(clusters[at - 1]))


def _rightwards(cluster: str) -> bool:
    return bidirectional(cluster[0]) in ("R", "AL")


def _script(cluster: str) -> str | None:
    """The script of a cluster that needs a font sought for it, as in its Unicode names; None for all else."""
    first = cluster[0]
    if cluster in (" ", "'", "␣") or _shapeless(first) or (len(cluster) == 1 and (_plain(first) or first in SPECIAL)):
        return None
    if EMOJI.match(first):
        return "Emoji"
    word = re.split("[ -]", name(first, "SYMBOL"))[0]
    if word in ("CJK", "KANGXI", "HIRAGANA", "KATAKANA", "BOPOMOFO", "FULLWIDTH", "HALFWIDTH", "IDEOGRAPHIC"):
        return "Han"
    if category(first)[0] in "LM" and word not in ("MODIFIER", "MATHEMATICAL", "COMBINING", "DOUBLE"):
        return word.title()
    return "Symbol"


def _signs(cluster: str, before: str, after: str, own: dict[str, str]) -> Iterator[_Piece]:
    """A cluster that needs no font sought for it."""
    first, width = cluster[0], half_widths(cluster)
    if first == " " and CHINESE.match(before) and CHINESE.match(after):  # where xeCJK drops a plain space
        yield _Piece(r"\ ", 1, free=True)
    elif first in own:
        yield _Piece(own[first], width, first == " ")
    elif first in SPECIAL:
        yield _Piece(SPECIAL[first], width)
    elif _shapeless(first):
        yield _Piece(_box(first), 6)
        for mark in cluster[1:]:
            yield _Piece(_box(mark), 6)
    elif first in "-," and after == first:  # TeX would join them to a dash or a quotation mark
        yield _Piece(first + "{}", width)
    elif first in "[*" and not before:  # at the head of a table cell they belong to the row before
        yield _Piece("{" + first + "}", width)
    else:
        yield _Piece(first, width, bool(CHINESE.match(first)))


def _run(script: str, run: str) -> Iterator[_Piece]:
    """A run that needs a font sought for it, or the simpler thing it stands for."""
    width = half_widths(run)
    if script == "Emoji":
        for part in run.split(ZWJ):
            bare = part.translate({ord(selector): None for selector in SELECTORS})
            yield _Piece(_attnrun(script, bare) if bare else _box(ZWJ), 2)
        return
    raised = re.fullmatch("<(super|sub)> 00([0-9A-F]{2})", decomposition(run[0]))
    if raised and len(run) == 1 and (plain := chr(int(raised[2], 16))).isalnum():
        yield _Piece(rf"\text{raised[1]}script{{{plain}}}", 1)
        return
    if category(run[0])[0] == "M":  # a mark on nothing
        yield from (_Piece(_box(mark), 6) for mark in run)
        return
    yield _Piece(_attnrun(script, normalize("NFC", run)), width, script in ("Han", "Hangul"))


def _attnrun(script: str, run: str) -> str:
    codes = ",".join(f"{ord(char):X}" for char in run if char not in " \u200c\u200d")
    macro = "attnrtl" if _rightwards(run) else "attnrun"
    after = r"\attnbr{}" if script == "Han" else ""
    return rf"\{macro}{{{script}}}{{{codes}}}{{{run}}}{after}"


def _box(char: str) -> str:
    return rf"\attnvis{{{NAMES.get(char, f'U+{ord(char):04X}')}}}"


def _joined(pieces: list[_Piece]) -> str:
    """The pieces as one; a stretch longer than LONG gets places to break."""
    out: list[str] = []
    stretch: list[_Piece] = []
    for piece in pieces:
        stretch.append(piece)
        if piece.free:
            out.append(_breakable(stretch))
            stretch = []
    return "".join(out) + _breakable(stretch)


def _breakable(stretch: list[_Piece]) -> str:
    if sum(piece.width for piece in stretch) <= LONG:
        return "".join(piece.tex for piece in stretch)
    # after every piece: rarer breaks would leave gaps in a justified line that look like spaces
    return r"\attnbr{}".join(piece.tex for piece in stretch)
