"""Wrong ways from X to Q, K and V, and from the heads to the output."""

from __future__ import annotations

from collections.abc import Callable

from exactattn.arithmetic.protocol import Arithmetic
from exactattn.attention.pipeline import project
from exactattn.misconceptions.finding import projection, shape_of, square
from exactattn.misconceptions.misconception import Misconception
from exactattn.misconceptions.replay import Doing, Doings, Due, Exchange, Exchanges, standing_for
from exactattn.trace import Quantity, Step, Trace


@standing_for(project)
def project_transposed(
    ar: Arithmetic, x: Quantity, w: Quantity, b: Quantity | None = None, *, name: str, rows: tuple[str, ...]
) -> Quantity:
    """X·Wᵀ + b, for a square W."""
    product = ar.matmul(x.matrix, ar.transpose(w.matrix))
    return Quantity(name, product if b is None else ar.add(product, b.matrix), rows, w.columns, ar)


@standing_for(project)
def project_without_bias(
    ar: Arithmetic, x: Quantity, w: Quantity, b: Quantity, *, name: str, rows: tuple[str, ...]
) -> Quantity:
    """X·W."""
    return project(ar, x, w, name=name, rows=rows)


@standing_for(project)
def project_not(
    ar: Arithmetic, x: Quantity, w: Quantity, b: Quantity | None = None, *, name: str, rows: tuple[str, ...]
) -> Quantity:
    """X as it is, where W would make it no wider and no narrower."""
    return Quantity(name, x.matrix, rows, w.columns, ar)


# -- where they make sense ---------------------------------------------------------------------------------------------

INWARD = ("W_Q", "W_K", "W_V")


def _through(weights: dict[str, Callable[[Due], Doings]]) -> Exchanges:
    """What becomes of the projections through these weights; the others are done as they were."""

    def exchange(due: Due) -> Doings:
        change: Exchange = weights.get(due.step.reads[1].name, _plain)
        return change(due)

    return {"project": exchange}


def _plain(due: Due) -> Doings:
    return due.plain


def _where(
    fits: Callable[[Step], bool], function: Callable[..., Quantity], *weights: str
) -> Callable[[Trace], Exchanges | None]:
    """The projections through these weights that fit, by another function; None where none does."""

    def found(trace: Trace) -> Exchanges | None:
        steps = [step for weight in weights if (step := projection(trace, weight)) is not None]
        fitting = [step.reads[1].name for step in steps if fits(step)]
        return _through(dict.fromkeys(fitting, lambda due: due.otherwise(function))) if fitting else None

    return found


def _square(step: Step) -> bool:
    return square(step.reads[1])


def _biased(step: Step) -> bool:
    return len(step.reads) > 2


def _keeps_its_width(step: Step) -> bool:
    n, m = step.reads[1].shape
    return n == m


def _not_projected(trace: Trace) -> Exchanges | None:
    steps = [step for weight in INWARD if (step := projection(trace, weight)) is not None]
    made = {step.name for step in steps}
    if not {"Q", "K"} <= made or not all(map(_keeps_its_width, steps)):
        return None
    return _through({step.reads[1].name: lambda due: due.otherwise(project_not) for step in steps})


def _with(letter: str) -> Exchange:
    """The same X, the weights (and bias) of another letter."""

    def exchange(due: Due) -> Doings:
        names = {quantity.name for quantity in due.made}
        others = [due.find(name) for name in (f"W_{letter}", f"b_{letter}") if name in names]
        return (Doing(due.step.function, (due.reads[0], *others), due.step.settings),)

    return exchange


def _shapes(trace: Trace) -> dict[str, tuple[int, int]]:
    """The shapes of the weights that are there."""
    return {weight: step.reads[1].shape for weight in INWARD if (step := projection(trace, weight)) is not None}


def _swapped(trace: Trace) -> Exchanges | None:
    shapes = _shapes(trace)
    if "W_Q" not in shapes or shapes["W_Q"] != shapes.get("W_K"):
        return None
    return _through({"W_Q": _with("K"), "W_K": _with("Q")})


def _one_for_all(trace: Trace) -> Exchanges | None:
    shapes = _shapes(trace)
    if "W_Q" not in shapes or shapes["W_Q"] != shapes.get("W_K"):
        return None
    same = [weight for weight in ("W_K", "W_V") if shapes.get(weight) == shapes["W_Q"]]
    return _through(dict.fromkeys(same, _with("Q")))


def _sources_swapped(trace: Trace) -> Exchanges | None:
    shapes, inputs = _shapes(trace), trace.problem.inputs
    n, m = shape_of(trace)
    if "X_kv" not in inputs or "W_Q" not in shapes or n != m or len(inputs["X"][0]) != len(inputs["X_kv"][0]):
        return None

    def source(name: str) -> Exchange:
        return lambda due: (Doing(due.step.function, (due.find(name), *due.reads[1:]), due.step.settings),)

    return _through({"W_Q": source("X_kv"), "W_K": source("X"), "W_V": source("X")})


PROJECTIONS = (
    Misconception("weights-matrix-transposed", "Q", _where(_square, project_transposed, *INWARD)),
    Misconception("bias-forgotten", "Q", _where(_biased, project_without_bias, *INWARD)),
    Misconception("queries-and-keys-swapped", "Q", _swapped),
    Misconception("sources-swapped", "Q", _sources_swapped),
    Misconception("not-projected", "Q", _not_projected),
    Misconception("one-projection-for-all", "K", _one_for_all),
    Misconception("values-not-projected", "V", _where(_keeps_its_width, project_not, "W_V")),
    Misconception("output-projection-forgotten", "output", _where(_keeps_its_width, project_not, "W_O")),
    Misconception("output-projection-transposed", "output", _where(_square, project_transposed, "W_O")),
    Misconception("output-bias-forgotten", "output", _where(_biased, project_without_bias, "W_O")),
)
