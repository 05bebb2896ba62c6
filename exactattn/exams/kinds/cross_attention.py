"""K25: a decoder attends to the states of an encoder."""

from __future__ import annotations

from collections.abc import Sequence

from exactattn.arithmetic.protocol import Arithmetic
from exactattn.attention.pipeline import score
from exactattn.exams.draw import Draw
from exactattn.exams.kinds.kind import Given, Kind, chosen_rows, labels
from exactattn.exams.kinds.numbers import embeddings, weights
from exactattn.exams.model import Asked
from exactattn.misconceptions import Misconception
from exactattn.misconceptions.replay import Exchanges, standing_for
from exactattn.trace import Quantity, Trace


def draw(source: Draw, asked: Asked) -> Given:
    """X is n × d_model (decoder), X_kv m × d_model (encoder); queries come from X, keys and values from X_kv."""
    n, m, d_model, d_k, d_v = (KIND.sized(asked, name) for name in ("n", "m", "d_model", "d_k", "d_v"))
    given = {"X": embeddings(source, asked, n, d_model), "X_kv": embeddings(source, asked, m, d_model)}
    projections = weights(source, asked, d_model, d_k, d_v)
    return {**given, **projections, "tokens": labels("s", n), "key_tokens": labels("h", m)}


def rows(trace: Trace, asked: Asked) -> Sequence[int]:
    """Rows of which a causal mask would hide something."""
    hidden = range(min(len(trace.problem.tokens), len(trace.problem.key_tokens) - 1))
    return chosen_rows(trace, asked, hidden, best=1 if 1 in hidden else None)


@standing_for(score)
def score_of_the_state_before(ar: Arithmetic, q: Quantity, k: Quantity, *, head: int) -> Quantity:
    """The scores of each row by the query of the row before; the first keeps its own."""
    n, _ = ar.shape(q.matrix)
    before = ar.read([["1" if j == max(i - 1, 0) else "0" for j in range(n)] for i in range(n)])
    right = score(ar, q, k, head=head)
    return Quantity("scores", ar.matmul(before, right.matrix), right.rows, right.columns, ar, head)


def own(asked: Asked) -> tuple[Misconception, ...]:
    """The state before in place of the current one, where no asked row is the first."""

    def before(trace: Trace) -> Exchanges | None:
        first = 0 in rows(trace, asked)
        return None if first else {"score": lambda due: due.otherwise(score_of_the_state_before)}

    return (Misconception("previous-decoder-state", "scores", before),)


def degenerate(trace: Trace, asked: Asked) -> str | None:
    """Equal states, or the same states on both sides."""
    x, y = trace.problem.inputs["X"], trace.problem.inputs["X_kv"]
    if len(set(x)) < len(x) or len(set(y)) < len(y):
        return "equal-tokens"
    return "equal-sources" if x == y else None


KIND = Kind(
    id="K25",
    name="cross-attention",
    draw=draw,
    asks=("Q", "K", "V", "scores", "scaled", "weights", "output"),
    default=("weights", "output"),
    answers=("row", "matrix", "number"),
    rows=rows,
    degenerate=degenerate,
    misconceptions=(
        "sources-swapped",
        "causal-mask-unasked",
        "no-scale",
        "divided-by-d-k",
        "softmax-over-columns",
        "not-normalised",
    ),
    own=own,
    size={"n": 3, "m": 3, "d_model": 2, "d_k": 2, "d_v": 2},
)
