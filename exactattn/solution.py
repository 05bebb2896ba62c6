"""From a case to a solution: the trace with what it is compared with, ready to be shown and saved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from exactattn.attention import attend
from exactattn.cases import Case, load_case
from exactattn.document import Block, Document, Figure, Note, Section, Side, plain
from exactattn.errors import OptionError
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.rounding import Ties
from exactattn.present.places import Asked, asked, auto
from exactattn.present.view import View, checked_layout, checked_show, rows_of
from exactattn.present.worked import Comparison, document
from exactattn.trace import PLACES, Quantity, Trace
from exactattn.trace.problem import Alignment, Track
from exactattn.writers import formats
from exactattn.writers.formats import Body


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A worked case. Quantities read through to the trace: `solution.weights`."""

    case: Case
    trace: Trace
    comparisons: tuple[Comparison, ...] = ()
    places: Mapping[str, int] = field(default_factory=dict)
    ties: Ties = "half-up"
    found: tuple[str, ...] | None = None

    def __getattr__(self, name: str) -> Quantity:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.trace.__getattr__(name)

    @property
    def heads(self) -> Any:
        """The heads of the trace."""
        return self.trace.heads

    def document(
        self,
        *,
        lang: str | None = None,
        rows: Sequence[str] | None = None,
        show: str = "decimal",
        layout: str | None = None,
    ) -> Document:
        """The document tree, in the language, rows and layout asked for (those of the case where nothing is said)."""
        chosen = self.case.show
        view = View(
            lang=lang or chosen.lang or "en",
            rows=rows_of(self.trace, tuple(rows or ()) or chosen.rows),
            places=self.places,
            ties=self.ties,
            show=checked_show(show),
            layout=checked_layout(layout or chosen.layout or "full"),
            title=self.case.title,
            source=self.case.source,
            found=self.found,
        )
        return document(self.trace, self.comparisons, view)

    def save(self, path: str | PathLike[str], *, body: Body = "page", **style: Any) -> None:
        """Write the solution; the suffix chooses the format. A folder ("figures/" is made) gets the figures, one .svg each.

        `style` is that of `document`: lang, rows, show, layout. Nothing is left half-written. Raises OptionError for an
        unknown suffix, FileError where it cannot be written, MissingProgram (with what to install) for .pdf without TeX.
        """
        target = Path(path)
        if target.is_dir() or str(path).endswith(("/", "\\")):
            self._figures(target, style)
        elif target.suffix.lower() == ".svg":
            self._one_figure(target, style)
        else:
            formats.save(lambda: self.document(**style), target, lambda: self.trace.to_json(self.places), body)

    def figures(self, **style: Any) -> list[Figure]:
        """The figures of the document, in order."""
        return list(_figures(self.document(**style).blocks))

    def _figures(self, folder: Path, style: Mapping[str, Any]) -> None:
        from exactattn.writers.files import make_folder, write_atomically
        from exactattn.writers.svg import svg

        drawn = [
            (f"{k:02}-{figure.name}.svg", svg(figure.picture, title=plain(figure.caption)))
            for k, figure in enumerate(self.figures(**style), 1)
        ]
        make_folder(folder)
        for name, text in drawn:
            write_atomically(folder / name, text.encode())

    def _one_figure(self, target: Path, style: Mapping[str, Any]) -> None:
        from exactattn.writers.files import write_atomically
        from exactattn.writers.svg import svg

        figures = self.figures(**style)
        names = list(dict.fromkeys(figure.name for figure in figures))
        wanted = [figure for figure in figures if figure.name == target.stem]
        if not wanted:
            raise OptionError(
                "{path}: name one figure ({names}) or a folder for all of them",
                path=str(target),
                names=", ".join(names),
            )
        write_atomically(target, svg(wanted[0].picture, title=plain(wanted[0].caption)).encode())

    def terminal(self, **style: Any) -> Any:
        """The solution as a rich renderable."""
        from exactattn.writers.terminal import terminal

        return terminal(self.document(**style))

    def _repr_html_(self) -> str:
        return render(self, "html", body="fragment")

    def __repr__(self) -> str:
        return f"<Solution {self.case.id}: {self.trace!r}>"


def solve(
    case: str | PathLike[str] | Case | Mapping[str, Any],
    *,
    heads: int | None = None,
    mask: Any = None,
    alignment: Alignment | None = None,
    scale: Any = None,
    arithmetic: str | None = None,
    track: Track = "carry",
    ties: Ties = "half-up",
    places: str | int | Mapping[str, int] | None = None,
    limits: Limits = LIMITS,
) -> Solution:
    """Work a case: a bundled name, the path of a TOML or JSON file, a mapping, or a Case.

    What is given here goes before what the case says. `places` are decimal places by name, one number for all, or "auto".

    >>> solve("xian").weights["西安", "怎么样"].decimal(3)
    '0.259'
    """
    loaded = load_case(case)
    overrides = {"heads": heads, "mask": mask, "alignment": alignment, "scale": scale}
    chosen = loaded.attention.given() | {name: value for name, value in overrides.items() if value is not None}
    if heads is not None and scale is None and heads != (loaded.attention.heads or 1):
        chosen.pop("scale", None)  # the file's is for its own heads: with others 1/√d_k of one head is meant
    wanted = asked(places if places is not None else loaded.show.places, limits)
    common: dict[str, Any] = {
        "tokens": loaded.tokens,
        "key_tokens": loaded.key_tokens,
        "symbols": loaded.symbols,
        "arithmetic": arithmetic or "exact",
        "ties": ties,
        "limits": limits,
    }
    settled, found = _places(loaded, chosen, common, wanted, ties, track)
    common |= {"places": settled}
    trace = _attend(loaded, chosen, common | {"track": track})
    comparisons = tuple(
        Comparison(
            _attend(loaded, _compared(chosen, other.attention.given()), common | {"track": track}),
            other.label or "",
        )
        for other in loaded.compare
    )
    return Solution(loaded, trace, comparisons, settled, ties, found)


def _attend(case: Case, *settings: Mapping[str, Any]) -> Trace:
    given: dict[str, Any] = dict(case.inputs)
    for more in settings:
        given |= more
    return attend(**given)


def _compared(chosen: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a comparison: with other heads and no scale of its own, the default scale of those heads."""
    out = dict(chosen) | dict(other)
    if "heads" in other and "scale" not in other:
        out.pop("scale", None)
    return out


def _places(
    case: Case, chosen: Mapping[str, Any], common: Mapping[str, Any], wanted: Asked, ties: Ties, track: Track
) -> tuple[dict[str, int], tuple[str, ...] | None]:
    if not wanted.find or case.symbols:
        return dict(wanted.chosen), None
    output = wanted.chosen.get("output", PLACES["output"])
    found = auto(_attend(case, chosen, common), output, ties)
    places = dict(found.places)
    if track == "stepwise":
        places.pop("shifted", None)  # a difference of printed numbers has their places
    return places, found.missing


def render(
    solution: Solution | Trace,
    format: str,
    *,
    body: Body = "page",
    lang: str | None = None,
    rows: Sequence[str] | None = None,
    show: str = "decimal",
    layout: str | None = None,
) -> str:
    """The solution (or a bare trace) as text: latex, html, markdown, text or json.

    `body="fragment"` gives what goes into one's own document.
    """
    worked = (
        Solution(Case(inputs={}), solution, (), solution.problem.settings.places)
        if isinstance(solution, Trace)
        else solution
    )
    if format == "json":
        return worked.trace.to_json(worked.places)
    return formats.typeset(worked.document(lang=lang, rows=rows, show=show, layout=layout), format, body)


def _figures(blocks: Sequence[Block]) -> Any:
    for block in blocks:
        match block:
            case Figure():
                yield block
            case Section(_, _, _, inner) | Note(_, _, inner) | Side(inner):
                yield from _figures(inner)
