"""Pictures -> SVG: inside a page, whose style sheet colours them, or as files with a style of their own.

One user unit is a millimetre, y downwards, as in the picture. No ids (a page may hold a picture twice), no inline
styles (a content security policy would drop them): classes for colours, attributes for geometry.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import groupby
from operator import attrgetter
from typing import assert_never

from exactattn.document import (
    Arrow,
    Bar,
    Box,
    BoxLine,
    Cell,
    Frame,
    Inlines,
    Label,
    Line,
    Math,
    Num,
    Picture,
    Shape,
)
from exactattn.present.figures.layout import EM, digits, ems
from exactattn.writers.clean import flat, pieces
from exactattn.writers.palette import Theme, colour, dark
from exactattn.writers.svg_text import Run, runs

PIXELS = 4.6
"""Pixels of a page to a millimetre of a picture: a picture of the full width then fills the column of text."""

LEGIBLE = 3.3
"""Below so many pixels to a millimetre the small labels cannot be read: a narrower screen scrolls the picture."""

CELL_EM = 3.1
RADICAL = 0.52  # the width of a root sign, and the gap before a script, in ems
SCRIPT_GAP = 0.05
INK_ON_TINT: dict[Theme, tuple[str, str]] = {"light": ("#1b2430", "#ffffff"), "dark": ("#0b0f14", "#f4f7fa")}

# what a page and a picture are coloured with: name, light, dark
COLOURS: dict[str, tuple[str, str]] = {
    "bg": ("#ffffff", "#12161c"),
    "ink": ("#1b2430", "#e3e8ee"),
    "muted": ("#5c6774", "#9aa6b4"),
    "accent": ("#1f4e79", "#8cbbe8"),
    "line": ("#d5dce4", "#2f3946"),
    "panel": ("#f3f6fa", "#1a212b"),
    "red": ("#c8102e", "#ff6b78"),
    "first": ("#dfae5a", "#b98a3c"),
    "second": ("#1f4e79", "#8cbbe8"),
    "positive": ("#3f7fb5", "#5a97cf"),
    "negative": ("#d0763a", "#e39455"),
}

RULES = """
svg text{font-family:"Noto Sans CJK SC","Source Han Sans SC","PingFang SC","Microsoft YaHei",system-ui,sans-serif;\
fill:var(--ink);white-space:pre}
svg .m{font-family:"Exactattn Maths","Latin Modern Roman","STIX Two Text","Times New Roman",Tinos,serif}
svg .i{font-style:italic}
svg .b,svg .strong,svg .heading{font-weight:700}
svg .heading{fill:var(--accent)}
svg .muted,svg .tiny,svg .small{fill:var(--muted)}
svg .max{fill:var(--red);font-weight:700}
svg .radical{fill:none;stroke:var(--ink);stroke-width:.2;stroke-linejoin:round}
svg .under{text-decoration:underline}
svg .tok{unicode-bidi:isolate}
svg .num{font-variant-numeric:tabular-nums lining-nums}
svg .frame{fill:none;stroke:var(--red);stroke-width:.55;pointer-events:none}
svg .step{fill:var(--panel);stroke:var(--accent);stroke-width:.32}
svg .io{fill:var(--bg);stroke:var(--muted);stroke-width:.25}
svg .part{fill:var(--panel);stroke:var(--line);stroke-width:.3}
svg .arrow{fill:none;stroke:var(--accent);stroke-width:.38;stroke-linejoin:round}
svg .tip{fill:var(--accent)}
svg .axis{stroke:var(--muted);stroke-width:.25}
svg .grid{stroke:var(--line);stroke-width:.2}
svg .rule{stroke:var(--ink);stroke-width:.3}
svg .first{fill:var(--first)}
svg .second{fill:var(--second)}
svg .positive{fill:var(--positive)}
svg .negative{fill:var(--negative)}
svg .cell{stroke:var(--bg);stroke-width:.22}
svg .slice{shape-rendering:crispEdges}
svg .bg{fill:var(--bg)}
"""


# -- whole pictures --------------------------------------------------------------------------------------------------


def svg(picture: Picture, *, title: str = "") -> str:
    """A picture as an SVG file of its size in millimetres: its own colours, light and dark by what the reader prefers.

    `title` names it for a screen reader and a file manager; the picture's own sentence is its description.
    """
    light, night = (_resolved(RULES + _tint_rules((picture,), theme), theme) for theme in ("light", "dark"))
    name = f"<title>{_escaped(title)}</title>\n" if title else ""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" '
        f'width="{length(picture.width)}mm" height="{length(picture.height)}mm" viewBox="{_view(picture)}">\n'
        f"{name}<desc>{_escaped(picture.describe)}</desc>\n"
        f"<style>{light}@media (prefers-color-scheme:dark){{{night}}}</style>\n"
        f'<rect class="bg" width="{length(picture.width)}" height="{length(picture.height)}"/>\n'
        f"{_shapes(picture)}</svg>\n"
    )


def drawing(picture: Picture) -> str:
    """A picture as an element of a page that holds `page_rules` for it."""
    pixels = f'width="{round(picture.width * PIXELS)}" height="{round(picture.height * PIXELS)}"'
    return (
        f'<svg class="{_width_class(picture)}" role="img" aria-label="{_escaped(picture.describe)}" '
        f'{pixels} viewBox="{_view(picture)}">\n{_shapes(picture)}</svg>'
    )


def page_rules(pictures: Iterable[Picture]) -> str:
    """The style sheet that pictures need in a page: their colours in both themes, and the width below which they scroll."""
    drawn = tuple(pictures)
    names = "".join(f"--{name}:light-dark({light},{night});" for name, (light, night) in COLOURS.items())
    light, night = (_tints(drawn, theme) for theme in ("light", "dark"))
    tints = "".join(f"svg .{name}{{fill:light-dark({fill},{night[name]})}}\n" for name, fill in light.items())
    least = {_width_class(picture): round(picture.width * LEGIBLE) for picture in drawn}
    widths = "".join(f"svg.{name}{{min-width:{pixels}px}}\n" for name, pixels in sorted(least.items()))
    return f"& {{{names}}}\n{RULES.strip()}\n{tints}{widths}"


def _width_class(picture: Picture) -> str:
    return f"mm{round(picture.width)}"


def _view(picture: Picture) -> str:
    return f"0 0 {length(picture.width)} {length(picture.height)}"


def _resolved(rules: str, theme: Theme) -> str:
    """The rules without variables: viewers other than browsers do not know them."""
    for name, pair in COLOURS.items():
        rules = rules.replace(f"var(--{name})", pair[theme == "dark"])
    return rules


# -- tints -----------------------------------------------------------------------------------------------------------


def _tint_rules(pictures: Iterable[Picture], theme: Theme) -> str:
    return "".join(f"svg .{name}{{fill:{fill}}}\n" for name, fill in _tints(pictures, theme).items())


def _tints(pictures: Iterable[Picture], theme: Theme) -> dict[str, str]:
    """Class -> colour, for each tint in use: the cell's, and that of the text upon it."""
    used = {_tint(shape) for picture in pictures for shape in picture.shapes if isinstance(shape, Cell)}
    out: dict[str, str] = {}
    for tint in sorted(used):
        fill = colour(tint, "score", theme)
        name = _tint_class(tint)
        out[name] = "#{:02x}{:02x}{:02x}".format(*fill)
        out[f"on-{name}"] = INK_ON_TINT[theme][dark(fill)]
    return out


def _tint(cell: Cell) -> int:
    # "weight" is the upper half of "score"
    return max(0 if cell.palette == "weight" else -100, min(100, cell.tint))


def _tint_class(tint: int) -> str:
    return f"o{-tint}" if tint < 0 else f"b{tint}"


# -- shapes ----------------------------------------------------------------------------------------------------------


def _shapes(picture: Picture) -> str:
    return "".join(_shape(shape) + "\n" for shape in picture.shapes)


def _shape(shape: Shape) -> str:
    match shape:
        case Cell():
            return _cell(shape)
        case Frame(x, y, width, height):
            # drawn inside its rectangle: a neighbour would cover half of a stroke on the edge
            return f'<rect class="frame" {_rect(x + 0.35, y + 0.35, width - 0.7, height - 0.7)}/>'
        case Box():
            return _box(shape)
        case Arrow(points):
            return _arrow(points)
        case Bar(x, y, width, height, role):
            return f'<rect class="{role}" {_rect(x, y, width, height)}/>'
        case Line(x1, y1, x2, y2, role):
            return f'<path class="{role}" d="M{length(x1)} {length(y1)}L{length(x2)} {length(y2)}"/>'
        case Label(x, y, items, anchor, style):
            return _text(x, y, items, EM[style], anchor, "" if style == "normal" else style)
        case _:
            assert_never(shape)


def _cell(cell: Cell) -> str:
    tint = _tint_class(_tint(cell))
    if not (cell.text or cell.title):
        # a slice of the colour bar: no seam to the next one
        return f'<rect class="slice {tint}" {_rect(cell.x, cell.y, cell.width, cell.height)}/>'
    rect = f'<rect class="cell {tint}" {_rect(cell.x, cell.y, cell.width, cell.height)}/>'
    title = f"<title>{_escaped(cell.title)}</title>" if cell.title else ""
    text = ""
    if cell.text:
        size = min(CELL_EM, (cell.width - 0.8) / max(1.0, digits(cell.text)) / (1.06 if cell.strong else 1.0))
        kind = f"num on-{tint}" + (" b" if cell.strong else "")
        text = _text(cell.x + cell.width / 2, cell.y + cell.height / 2, (Math(Num(cell.text)),), size, "middle", kind)
    return f"<g>{title}{rect}{text}</g>"


def _box(box: Box) -> str:
    out = [f'<rect class="{box.role}" {_rect(box.x, box.y, box.width, box.height)} rx="1.5"/>']
    heights = [1.42 * _box_size(line) for line in box.lines]
    y = box.y + (box.height - sum(heights)) / 2
    for line, height in zip(box.lines, heights, strict=True):
        kind = "" if line.style == "body" else line.style
        wide = sum(map(_width, runs(line.items)))
        size = min(_box_size(line), (box.width - 1.5) / max(1.0, wide))
        out.append(_text(box.x + box.width / 2, y + height / 2, line.items, size, "middle", kind))
        y += height
    return "".join(out)


def _box_size(line: BoxLine) -> float:
    match line.style:
        case "heading":
            return EM["strong"]
        case "body":
            return EM["normal"]
        case "muted":
            return EM["muted"]
        case _:
            assert_never(line.style)


def _arrow(points: tuple[tuple[float, float], ...]) -> str:
    """A line with a filled tip; the line ends inside the tip."""
    (x0, y0), (x1, y1) = points[-2:]
    far = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 or 1.0
    dx, dy = (x1 - x0) / far, (y1 - y0) / far
    line = (*points[:-1], (x1 - 1.4 * dx, y1 - 1.4 * dy))
    back = (x1 - 2.1 * dx, y1 - 2.1 * dy)
    wings = ((back[0] - 0.95 * dy, back[1] + 0.95 * dx), (back[0] + 0.95 * dy, back[1] - 0.95 * dx))
    path = "L".join(f"{length(x)} {length(y)}" for x, y in line)
    tip = "L".join(f"{length(x)} {length(y)}" for x, y in ((x1, y1), *wings))
    return f'<path class="arrow" d="M{path}"/><path class="tip" d="M{tip}Z"/>'


def _rect(x: float, y: float, width: float, height: float) -> str:
    return f'x="{length(x)}" y="{length(y)}" width="{length(width)}" height="{length(height)}"'


def length(value: float) -> str:
    """A length with at most two decimals and no more than it needs.

    >>> length(12.0), length(0.1 + 0.2), length(-0.001), length(3.456)
    ('12', '0.3', '0', '3.46')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


# -- text ------------------------------------------------------------------------------------------------------------


def _text(x: float, y: float, items: Inlines, size: float, anchor: str, kind: str) -> str:
    """A line of text, vertically centred on y: 0.35 em lies between the middle of digits and their feet."""
    parts, foot = runs(items), y + 0.35 * size
    if any(run.root for run in parts):
        return _with_roots(x, foot, parts, size, anchor, kind)
    return _line(x, foot, parts, size, anchor, kind)


def _line(x: float, foot: float, parts: list[Run], size: float, anchor: str, kind: str, wide: float = 0.0) -> str:
    attributes = [f'x="{length(x)}" y="{length(foot)}"', f'font-size="{length(size)}"']
    if anchor != "start":
        attributes.append(f'text-anchor="{anchor}"')
    if kind:
        attributes.append(f'class="{kind}"')
    if wide:
        attributes.append(f'textLength="{length(wide)}" lengthAdjust="spacingAndGlyphs"')
    return f"<text {' '.join(attributes)}>{_tspans(parts, size)}</text>"


def _with_roots(x: float, foot: float, parts: list[Run], size: float, anchor: str, kind: str) -> str:
    """A line with root signs, drawn. The bodies are set to a reckoned width, so the bars end where they do in any font."""
    segments = [(root, list(group)) for root, group in groupby(parts, key=attrgetter("root"))]
    wide = [sum(map(_width, group)) * size for _, group in segments]
    total = sum(wide) + sum(RADICAL * size for root, _ in segments if root)
    at = x - {"start": 0.0, "middle": total / 2, "end": total}[anchor]
    out = []
    for i, ((root, group), width) in enumerate(zip(segments, wide, strict=True)):
        if root:
            sign = ((0.04, -0.26), (0.14, -0.33), (0.31, 0.12), (0.5, -0.84), (RADICAL + width / size + 0.05, -0.84))
            path = "L".join(f"{length(at + dx * size)} {length(foot + dy * size)}" for dx, dy in sign)
            out.append(f'<path class="radical" d="M{path}"/>')
            at += RADICAL * size
            out.append(_line(at, foot, group, size, "start", kind, width))
        elif i + 1 < len(segments) and i == 0:
            # before a root: ends at the sign, whatever its width turns out to be
            out.append(_line(at + width, foot, group, size, "end", kind))
        else:
            out.append(_line(at, foot, group, size, "start", kind))
        at += width
    return f"<g>{''.join(out)}</g>"


def _width(run: Run) -> float:
    """The width of a run in ems of its line."""
    return run.size * (ems(run.text) + SCRIPT_GAP * (run.rise != 0))


def _tspans(parts: list[Run], size: float) -> str:
    out, rise = [], 0.0
    for run in parts:
        attributes = ""
        if run.kinds:
            attributes += f' class="{" ".join(run.kinds)}"'
        if run.size != 1.0:
            attributes += f' font-size="{length(run.size * size)}"'
        if run.rise != rise:
            gap = f' dx="{length(SCRIPT_GAP * size)}"' if run.rise else ""
            attributes += f'{gap} dy="{length((rise - run.rise) * size)}"'
            rise = run.rise
        out.append(f"<tspan{attributes}>{escape(run.text)}</tspan>" if attributes else escape(run.text))
    return "".join(out)


def _escaped(text: str) -> str:
    return escape(flat(pieces(text)))
