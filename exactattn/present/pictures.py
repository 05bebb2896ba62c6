"""The figures of a trace: its digits and marks handed to the geometry in `figures`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt

from exactattn.document import Block, Figure, Frac, Inlines, Maths, Num, Op, Root, Sym, Text
from exactattn.numbers.value import Value
from exactattn.present import abridge, notation
from exactattn.present.figures.bars import comparison
from exactattn.present.figures.four_steps import Sizes, Start, pipeline
from exactattn.present.figures.heatmaps import head_title, heatmap, heatmaps
from exactattn.present.figures.ledgers import contributions
from exactattn.present.figures.many_heads import Widths, multihead
from exactattn.present.figures.models import head_counts, read_models
from exactattn.present.page import Page
from exactattn.present.sheet import Sheet, decimal_sum
from exactattn.trace import Quantity, Trace

MINUS_INFINITY = "−∞"
PLACES = 10
"""The most decimal places in a picture, whose room is narrow."""


def four_steps(page: Page) -> Figure:
    """The pipeline with this trace's shapes (figure 7-1 of the article)."""
    inputs, settings = page.trace.problem.inputs, page.trace.problem.settings
    start: Start = (
        "scores" if "scores" in inputs else "queries" if "Q" in inputs else "cross" if "X_kv" in inputs else "self"
    )
    step = page.trace.step_or_none
    widths = {
        name: found.made.shape[1] for name in ("Q", "K", "V", "X", "X_kv") if (found := step(name, None)) is not None
    }
    n, m = len(page.tokens), len(page.key_tokens)
    d_k, d_v, d, d_kv = (widths.get(name) for name in ("K", "V", "X", "X_kv"))
    sizes = Sizes(n=n, m=m, d_k=d_k, d_v=d_v, d=d, d_kv=d_kv)
    mask = settings.mask if isinstance(settings.mask, str) else "matrix"
    return Figure(
        "pipeline",
        pipeline(start=start, sizes=sizes, scale=scale_maths(page.trace), mask=mask, words=page.words),
        page.say("figure.pipeline"),
    )


def head_width(trace: Trace) -> int | None:
    """The score width of one head, None when scores are given."""
    step = trace.step_or_none("K", None)
    return None if step is None else step.made.shape[1] // trace.problem.settings.heads


def is_root_scale(trace: Trace) -> bool:
    """Is the scale 1/√d_k?"""
    width = head_width(trace)
    if width is None or trace.problem.settings.symbols:
        return False
    return _is_root(trace.problem.settings.scale, width)


@lru_cache(1024)
def _is_root(scale: str, width: int) -> bool:
    return Value.of(scale) == Value.of(f"1/sqrt({width})")


def scale_maths(trace: Trace) -> Maths:
    """ "÷√d_k = 2", or "× c" for another scale."""
    width, scale = head_width(trace), trace.problem.settings.scale
    if width is None or not is_root_scale(trace):
        return notation.row(Op("times"), notation.written(scale, trace.problem.settings.symbols))
    root = Root(notation.indexed("d", Sym("k")))
    return notation.row(Op("div"), root, Op("="), _root(width))


def scale_factor(trace: Trace) -> Maths:
    """The scale as a factor: 1/2 or 1/√3 where it is 1/√d_k, else as it was given."""
    width = head_width(trace)
    if width is None or not is_root_scale(trace):
        return notation.written(trace.problem.settings.scale, trace.problem.settings.symbols)
    return Frac(Num("1"), _root(width))


def _root(width: int) -> Maths:
    whole = isqrt(width)
    return Num(str(whole)) if whole * whole == width else Root(Num(str(width)))


def can_be_heat(page: Page, q: Quantity) -> bool:
    """Is there a heatmap of scores or weights? None on a worksheet or where entries hold letters."""
    return not (page.blank or page.sheet.letters or q.shape[1] < 2)


def heat(page: Page, q: Quantity, name: str, caption: Inlines, note: Inlines = ()) -> list[Block]:
    """The heatmap where there is one and pictures are asked for."""
    if page.view.pictures == "none" or not can_be_heat(page, q):
        return []
    rows = abridge.shown(q.shape[0], page.view.rows)
    wanted = frozenset().union(*(page.sheet.maxima(q, i) for i in page.view.rows))
    columns = abridge.shown(q.shape[1], wanted)
    texts, maxima, keep = _cells(page.sheet, q, rows, columns)
    drawn = heatmap(
        rows=_labels(q.rows, rows),
        columns=_labels(q.columns, columns),
        texts=texts,
        maxima=maxima,
        keep=keep,
        palette="weight" if q.name == "weights" else "score",
        words=page.words,
        row_numbers=_numbers(rows),
        column_numbers=_numbers(columns),
    )
    return [Figure(name, drawn, caption, (*note, *_rounded(page, page.sheet, q)))]


def heads_side_by_side(page: Page, sheet: Sheet) -> list[Block]:
    """The weights of every head, on one colour scale (figure 7-9)."""
    if page.view.pictures == "none" or page.blank or sheet.letters:
        return []
    found = [head.weights for head in sheet.trace.heads]
    if found[0].shape[1] < 2:
        return []
    rows, columns = abridge.shown(found[0].shape[0], page.view.rows), abridge.shown(found[0].shape[1])
    cells = [_cells(sheet, q, rows, columns) for q in found]
    width = head_width(sheet.trace) or 1
    titles = [head_title(h + 1, h * width + 1, (h + 1) * width, page.words) for h in range(len(found))]
    drawn = heatmaps(
        titles=titles,
        rows=_labels(found[0].rows, rows),
        columns=_labels(found[0].columns, columns),
        texts=[texts for texts, _, _ in cells],
        maxima=[maxima for _, maxima, _ in cells],
        keep=cells[0][2],
        palette="weight",
        words=page.words,
        row_numbers=_numbers(rows),
        column_numbers=_numbers(columns),
    )
    return [Figure("heads", drawn, page.say("figure.heads"), _rounded(page, sheet, *found))]


def _cells(
    sheet: Sheet, q: Quantity, rows: Sequence[int | None], columns: Sequence[int | None]
) -> tuple[list[list[str]], list[set[int]], list[list[bool]] | None]:
    texts = sheet.brief_texts(q, PLACES)
    out, maxima, keep = [], [], []
    closed = MINUS_INFINITY if q.name in ("masked", "shifted") else "0"
    for i in rows:
        opens = [q.keep is None or i is None or j is None or q.keep[i][j] for j in columns]
        out.append(
            [
                "…" if i is None or j is None else texts[i][j] if o else closed
                for j, o in zip(columns, opens, strict=True)
            ]
        )
        best = sheet.maxima(q, i) if i is not None else frozenset()
        maxima.append({k for k, j in enumerate(columns) if j is not None and j in best})
        keep.append(opens)
    return out, maxima, None if q.keep is None else keep


def _rounded(page: Page, sheet: Sheet, *quantities: Quantity) -> Inlines:
    """A note where a picture prints fewer places than the page."""
    full = all(sheet.brief_texts(q, PLACES) is sheet.texts(q) for q in quantities)
    return () if full else page.say("figure.rounded", places=str(PLACES))


def _labels(labels: Sequence[str], shown: Sequence[int | None]) -> list[str]:
    return ["…" if k is None else labels[k] for k in shown]


def _numbers(shown: Sequence[int | None]) -> list[int]:
    return [0 if k is None else k + 1 for k in shown]


def scaling_bars(page: Page, other: Sheet, i: int, legend: tuple[Inlines, Inlines]) -> Figure:
    """The weights of one row with another scale beside those of the trace (figure 7-5)."""
    mine = page.trace.heads[0].weights
    theirs = other.trace.heads[0].weights
    columns = abridge.shown(mine.shape[1], page.sheet.maxima(mine, i))
    first, second = other.brief_texts(theirs, PLACES)[i], page.sheet.brief_texts(mine, PLACES)[i]
    drawn = comparison(
        tokens=_labels(mine.columns, columns),
        first=["…" if j is None else first[j] for j in columns],
        second=["…" if j is None else second[j] for j in columns],
        legend=legend,
        axis=page.say("weight"),
        words=page.words,
    )
    caption = page.say("figure.scaling", row=page.quoted(page.tokens[i]))
    return Figure("scaling", drawn, caption, _rounded(page, page.sheet, mine))


def contribution_bars(page: Page, head: int, i: int, column: int) -> list[Block]:
    """What each token gives to one entry of the output (figure 7-7)."""
    out = page.trace.step("output", head)
    a, v = out.reads
    if page.view.pictures == "none" or page.blank or page.sheet.letters or len(page.key_tokens) > 24:
        return []
    places = min(page.sheet.places_of(out.made) + 1, PLACES)
    weights = page.sheet.brief_texts(a, PLACES)[i]
    values = [row[column] for row in page.sheet.brief_texts(v, PLACES)]
    if any(not text.lstrip("-").replace(".", "").isdecimal() for text in values):
        return []
    products = [
        (page.sheet.printed_value(a, i, j) * page.sheet.printed_value(v, j, column)).decimal(places, page.sheet.ties)
        for j in range(len(page.key_tokens))
    ]
    drawn = contributions(
        tokens=page.key_tokens,
        weights=weights,
        contents=values,
        products=products,
        sum_of_weights=decimal_sum(weights),
        total=page.sheet.brief_texts(out.made, PLACES)[i][column],
        column=column + 1,
        words=page.words,
    )
    caption = page.say("figure.contributions", row=page.quoted(page.tokens[i]), column=Text(str(column + 1)))
    return [Figure("contributions", drawn, caption, _rounded(page, page.sheet, a, v, out.made))]


def many_heads(page: Page, trace: Trace) -> Figure:
    """Split, attend in each head, concatenate, project (figure 7-8)."""
    step = trace.step_or_none
    heads = trace.problem.settings.heads
    k, v, x, w = (step(name, None) for name in ("K", "V", "X", "W_O"))
    widths = Widths(
        heads=heads,
        d_k=(k.made.shape[1] if k is not None else heads) // heads,
        d_v=(v.made.shape[1] if v is not None else heads) // heads,
        d=None if x is None else x.made.shape[1],
        d_out=None if w is None else w.made.shape[1],
    )
    return Figure("multihead", multihead(widths=widths, words=page.words), page.say("figure.multihead"))


def head_counts_of_models(page: Page) -> Figure:
    """How many heads well-known models have (figure 7-10)."""
    return Figure(
        "models",
        head_counts(models=read_models(), words=page.words),
        page.say("figure.models"),
        page.say("figure.models_note"),
    )
