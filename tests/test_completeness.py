"""Nothing is left out: every step has a presentation, every node every writer, every case every way of being shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from itertools import product
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

import exactattn as xa
from exactattn import document as tree
from exactattn.attention.pipeline import PIPELINE
from exactattn.cases import bundled
from exactattn.document import Document, Num, Para, Picture, Row, Text, Token
from exactattn.i18n import languages
from exactattn.present.sections import SECTIONS
from exactattn.present.view import LAYOUTS, SHOWS
from exactattn.writers.html import html
from exactattn.writers.latex import latex
from exactattn.writers.markdown import markdown
from exactattn.writers.svg import svg
from exactattn.writers.terminal import terminal
from exactattn.writers.text import text

CASES = bundled()
TRACKS: tuple[Literal["carry", "stepwise"], ...] = ("carry", "stepwise")
WRITERS: dict[str, Callable[[Document], str]] = {"latex": latex, "html": html, "markdown": markdown, "text": text}
BODIES: tuple[Literal["page", "fragment"], ...] = ("page", "fragment")


def drawn(page: Document) -> str:
    """A document on a terminal 100 columns wide."""
    from io import StringIO

    from rich.console import Console

    out = StringIO()
    Console(file=out, width=100, force_terminal=True).print(terminal(page))
    return out.getvalue()


# -- steps -----------------------------------------------------------------------------------------------------------------


def test_every_step_of_the_pipeline_has_its_section():
    assert set(SECTIONS) == {step.__name__ for step in PIPELINE}


# -- nodes -----------------------------------------------------------------------------------------------------------------

UNIONS = (tree.Maths, tree.Inline, tree.Block, tree.Shape)
INLINES = (Text("so "), Token("西安"))
LEAVES: dict[Any, Any] = {str: "7", int: 2, float: 4.0, bool: True}
NAMED: dict[str, Any] = {  # fields whose type does not say what is fitting
    "Op.name": "+",
    "Sym.name": "Q",
    "Fence.open": "(",
    "Fence.close": ")",
    "Grid.rows": ((Num("1"), Num("2")), (Num("3"), Num("4"))),
    "Grid.head": (),
    "Table.head": (INLINES, INLINES),
    "Table.rows": ((INLINES, tree.Wide(1, INLINES)),),
    "Table.foot": ((tree.Wide(2, INLINES),),),
    "Table.align": "lr",
    "Arrow.points": ((1.0, 1.0), (5.0, 5.0)),
    "Box.lines": (tree.BoxLine(INLINES, "heading"), tree.BoxLine(INLINES), tree.BoxLine(INLINES, "muted")),
    "Figure.picture": Picture(20, 10, (tree.Label(5, 5, INLINES),), "a label"),
}


def choices(kind: type, field: str, hint: Any) -> list[Any]:
    """What a field may hold, one value of each kind: every word of a Literal, else one that fits the type."""
    named = f"{kind.__name__}.{field}"
    if named in NAMED:
        return [NAMED[named]]
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    if hint in LEAVES:
        return [LEAVES[hint]]
    if hint == tree.Inlines:
        return [INLINES]
    if hint == tree.Maths:
        return [Row((Num("-0.40"), tree.Op("times"), tree.Word("的")))]
    if isinstance(hint, UnionType) and type(None) in get_args(hint):
        return [None, Num("3")]
    parts = get_args(hint)
    if get_origin(hint) is tuple and parts[0] == tree.Maths:
        return [(Num("3"),)]
    if get_origin(hint) is tuple and parts[0] == tree.Block:
        return [(Para(INLINES), tree.Display(Num("3")))]
    if get_origin(hint) is tuple and parts[0] == tree.Inline:
        return [INLINES]
    raise AssertionError(f"{named}: {hint} is new: say here what fits it")


def nodes() -> Iterator[Any]:
    """Every kind of node there is, in every variant."""
    for union in UNIONS:
        for kind in get_args(union):
            hints = get_type_hints(kind)
            names = [field.name for field in fields(kind)]
            for values in product(*(choices(kind, name, hints[name]) for name in names)):
                yield kind(*values)


def page_with(node: Any) -> Document:
    """A page that holds the node, where such a node can stand."""
    match node:
        case _ if isinstance(node, get_args(tree.Shape)):
            block: Any = tree.Figure("one", Picture(40, 30, (node,), "one shape"), INLINES)
        case _ if isinstance(node, get_args(tree.Maths)):
            block = tree.Section(INLINES, INLINES, (), (Para((tree.Math(node),)), tree.Display(node)))
        case _ if isinstance(node, get_args(tree.Inline)):
            block = tree.Note("check", (node,), (Para((node,)), tree.Table(((node,),), (((node,),),), "l", (node,))))
        case _:
            block = node
    return Document(INLINES, INLINES, (block, Para(INLINES)), "zh", (INLINES, INLINES))


NODES = list(nodes())


def test_the_nodes_tried_are_all_there_are():
    kinds = {kind for union in UNIONS for kind in get_args(union)}
    assert {type(node) for node in NODES} == kinds
    assert len(kinds) > 30


@pytest.mark.parametrize("writer", [*WRITERS.values(), drawn], ids=lambda writer: writer.__name__)
def test_every_writer_knows_every_node(writer):
    for node in NODES:
        assert writer(page_with(node)).strip(), node


def test_every_shape_is_drawn():
    empty = svg(Picture(40, 30, (), "nothing"))
    for node in NODES:
        if isinstance(node, get_args(tree.Shape)):
            assert len(svg(Picture(40, 30, (node,), "nothing"))) > len(empty), node


# -- cases -----------------------------------------------------------------------------------------------------------------


ALL = [(name, track) for name, track in product(CASES, TRACKS) if (name, track) != ("letters", "stepwise")]


@pytest.mark.parametrize(("name", "track"), ALL)
def test_every_case_becomes_a_document_in_every_way_of_showing(name, track):
    solution = xa.solve(name, track=track)
    for lang, layout, show in product(languages(), LAYOUTS, SHOWS):
        page = solution.document(lang=lang, layout=layout, show=show)
        assert page.lang == lang
        assert page.blocks


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize(("name", "track"), ALL)
def test_every_case_with_its_places_found_is_written_in_every_format_and_way_of_showing(name, track, lang):
    solution = xa.solve(name, track=track, places="auto")
    for layout, show in product(LAYOUTS, SHOWS):
        page = solution.document(lang=lang, layout=layout, show=show)
        for writer in WRITERS.values():
            assert writer(page).strip()


def test_letters_have_no_digits_to_go_on_from():
    with pytest.raises(xa.ExactAttnError, match="holds letters, so it has no digits"):
        xa.solve("letters", track="stepwise")


@pytest.mark.parametrize("name", CASES)
def test_every_case_is_written_as_a_fragment_and_to_the_terminal(name):
    solution = xa.solve(name)
    for lang in languages():
        for format, body in product(WRITERS, BODIES):
            assert xa.render(solution, format, body=body, lang=lang).strip()
        assert drawn(solution.document(lang=lang)).strip()


@pytest.mark.parametrize("name", CASES)
def test_both_languages_show_the_same_numbers(name):
    solution = xa.solve(name)
    for layout in LAYOUTS:
        found = [sorted(numbers(solution.document(lang=lang, layout=layout))) for lang in languages()]
        assert all(one == found[0] for one in found[1:])


def numbers(node: Any) -> Iterator[str]:
    """Every number a document holds, as written, pictures included."""
    match node:
        case Num(written):
            yield written
        case tree.Cell():
            yield node.text
        case tuple() | list():
            for item in node:
                yield from numbers(item)
        case _ if hasattr(node, "__dataclass_fields__"):
            for field in fields(node):
                yield from numbers(getattr(node, field.name))
