"""K15: a query, or a key, for a wanted effect. Many answers are right, so the work is done with the one that is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought, listed
from exactattn.exams.kinds.kind import Kind, draws
from exactattn.exams.kinds.weighing import dot, softmax
from exactattn.exams.model import Asked, Bound, Design, Place
from exactattn.numbers.value import Value

Vector = Sequence[int | Fraction]
Rows = Sequence[Vector]

ERRORS = {1: Fraction(1, 2), 2: Fraction(1, 4), 3: Fraction(1, 10), 4: Fraction(1, 20), 5: Fraction(1, 50)}
"""How far an entry of the output may be off, by difficulty; of a weight it is a fifth of that."""

FACTORS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100)
"""By what a direction is multiplied until it will do: the first that does is printed."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What is wanted: the input and row to give, the bounds, directions that may do it, and hasty answers."""

    varied: str
    row: int
    bounds: tuple[tuple[str, int, Fraction, Fraction], ...]
    directions: tuple[Vector, ...]
    hasty: dict[str, Vector]
    facts: dict[str, str]


@dataclass(frozen=True, slots=True)
class Task:
    """The query, the keys and the values, all whole; the row that is sought stands for nothing yet."""

    q: Vector
    keys: Rows
    values: Rows

    def with_row(self, goal: Goal, x: Vector) -> Task:
        """The task with the vector that is given in its place."""
        if goal.varied == "Q":
            return Task(x, self.keys, self.values)
        return Task(self.q, [x if j == goal.row else k for j, k in enumerate(self.keys)], self.values)

    def within(self, bounds: Sequence[tuple[str, int, Fraction, Fraction]]) -> bool:
        """Is all that is bounded within its bounds?"""
        root = Value.of(f"1/sqrt({len(self.q)})")
        q = [Value.of(x) for x in self.q]
        weights = softmax([dot(q, k) * root for k in self.keys])
        for name, column, low, high in bounds:
            x = weights[column] if name == "weights" else dot(weights, [v[column] for v in self.values])
            if x < low or x > high:
                return False
        return True


def draw(source: Draw, asked: Asked) -> Direct:
    """Whole keys and values as wide as the keys; drawn again until a small answer does and every hasty one fails."""
    name = KIND.picked(asked, "goal")
    m, d = KIND.sized(asked, "m", 3), KIND.sized(asked, "d_k")
    most = (asked.difficulty + 1) // 2
    tries = draws(asked)
    while True:
        next(tries)
        task = Task(_vector(source, d, most), *([_vector(source, d, w) for _ in range(m)] for w in (most, most + 2)))
        if len({*map(tuple, task.keys)}) < m or len({*map(tuple, task.values)}) < m or not any(task.q):
            continue
        goal = GOALS[name](source, asked, task)
        answer = next((x for x in _answers(goal) if task.with_row(goal, x).within(goal.bounds)), None)
        if answer is None:
            continue
        hasty = {**goal.hasty, "opposite-direction": [-x for x in answer]} if any(answer) else goal.hasty
        if not any(task.with_row(goal, x).within(goal.bounds) for x in hasty.values()):
            break
    given = task.with_row(goal, answer)
    form = Design(
        {"Q": _texts([given.q]), "K": _texts(given.keys), "V": _texts(given.values)},
        goal.varied,
        goal.row,
        tuple(Bound(Place(what, 0, 0, column), low, high) for what, column, low, high in goal.bounds),
    )
    letter = "q" if goal.varied == "Q" else "k"
    values = {f"{letter}{c}": x for c, x in enumerate(answer, 1)}
    return Direct(
        {
            "d_k": str(d), "m": str(m), "q": _shown(task.q), "values": ", ".join(map(_shown, task.values)),
            "keys": ", ".join(
                "?" if goal.varied == "K" and j == goal.row else _shown(k) for j, k in enumerate(task.keys)
            ),
            "scores": listed([sum(x * y for x, y in zip(given.q, k, strict=True)) for k in given.keys]),
            **goal.facts,
        },
        (Sought("vector", values, hasty, form=form),),
        name,
    )  # fmt: skip


def _vector(source: Draw, width: int, most: int) -> list[int | Fraction]:
    return [source.integer(-most, most) for _ in range(width)]


def _texts(rows: Rows) -> list[list[str]]:
    return [[str(x) for x in row] for row in rows]


def _shown(v: Vector) -> str:
    return f"({listed(v)})"


def _answers(goal: Goal) -> Iterator[list[int]]:
    """Multiples of the directions, small factors first."""
    for factor in FACTORS:
        for direction in goal.directions:
            yield [factor * int(x) for x in direction]


def _reached(wanted: Callable[[Vector], int], d: int) -> tuple[Vector, ...]:
    """Of the small whole vectors the one that is best by `wanted`, of these the shortest; none where none is above 0."""
    box = product(range(-2, 3), repeat=d)
    best = max(box, key=lambda x: (wanted(x) / Fraction(sum(y * y for y in x) or 1), -sum(map(abs, x))))
    return (best,) if wanted(best) > 0 else ()


def _product(a: Vector, b: Vector) -> int:
    return int(sum(x * y for x, y in zip(a, b, strict=True)))


def _orthogonal(v: Vector) -> Vector:
    """A vector at a right angle to one, made by turning its entries in pairs; of an odd width the last is 0."""
    out: list[int | Fraction] = []
    for x, y in zip(v[::2], v[1::2], strict=False):
        out += [-y, x]
    return [*out, 0][: len(v)] if len(v) % 2 else out


def _mean(rows: Rows) -> Vector:
    return [Fraction(sum(column), len(rows)) for column in zip(*rows, strict=True)]


def _near(target: Vector, error: Fraction) -> tuple[tuple[str, int, Fraction, Fraction], ...]:
    """Bounds on the entries of the output."""
    return tuple(("output", c, Fraction(x) - error, Fraction(x) + error) for c, x in enumerate(target))


# -- the goals ---------------------------------------------------------------------------------------------------------------


def _select(source: Draw, asked: Asked, task: Task) -> Goal:
    """The output is nearly value a."""
    a, error = source.integer(0, len(task.keys) - 1), ERRORS[asked.difficulty]
    key = task.keys[a]
    others = [k for j, k in enumerate(task.keys) if j != a]
    return Goal(
        "Q", 0, _near(task.values[a], error),
        _reached(lambda q: min(_product(q, key) - _product(q, k) for k in others), len(key)),
        {
            "no-large-factor": key,
            "values-as-keys": task.values[a],
            "query-orthogonal-to-the-key": _orthogonal(key),
        },
        {"a": str(a + 1), "target": _shown(task.values[a]), "error": listed([error])},
    )  # fmt: skip


def _average_two(source: Draw, asked: Asked, task: Task) -> Goal:
    """The output is nearly half value a and half value b."""
    a, b = source.shuffled(range(len(task.keys)))[:2]
    error, d = ERRORS[asked.difficulty], len(task.q)
    others = [k for j, k in enumerate(task.keys) if j not in (a, b)]
    target = _mean([task.values[a], task.values[b]])

    def wanted(q: Vector) -> int:
        first, second = _product(q, task.keys[a]), _product(q, task.keys[b])
        return min(first - _product(q, k) for k in others) if first == second else 0

    return Goal(
        "Q", 0, _near(target, error), _reached(wanted, d),
        {
            "no-large-factor": _mean([task.keys[a], task.keys[b]]),
            "values-as-keys": target,
            "query-orthogonal-to-the-key": _orthogonal(task.keys[a]),
        },
        {"a": str(a + 1), "b": str(b + 1), "target": _shown(target), "error": listed([error])},
    )  # fmt: skip


def _average_all(source: Draw, asked: Asked, task: Task) -> Goal:
    """All weights are nearly the same."""
    share, error = Fraction(1, len(task.keys)), ERRORS[asked.difficulty] / 5
    return Goal(
        "Q", 0, tuple(("weights", j, share - error, share + error) for j in range(len(task.keys))),
        ([0] * len(task.q),),
        {"keys-averaged": _mean(task.keys), "values-as-keys": _mean(task.values)},
        {"share": listed([share]), "error": listed([error])},
    )  # fmt: skip


def _key(source: Draw, asked: Asked, task: Task) -> Goal:
    """Another key in place a takes nearly all the weight."""
    a, error = source.integer(0, len(task.keys) - 1), ERRORS[asked.difficulty] / 5
    return Goal(
        "K", a, (("weights", a, 1 - error, Fraction(1)),),
        _reached(lambda k: _product(task.q, k), len(task.q)),
        {
            "no-large-factor": task.q,
            "values-as-keys": task.values[a],
            "query-orthogonal-to-the-key": _orthogonal(task.q),
        },
        {"a": str(a + 1), "least": listed([1 - error])},
    )  # fmt: skip


GOALS: dict[str, Callable[[Draw, Asked, Task], Goal]] = {
    "select": _select,
    "average-two": _average_two,
    "average-all": _average_all,
    "key": _key,
}

KIND = Kind(
    id="K15",
    name="design",
    draw=draw,
    asks=("vector",),
    default=("vector",),
    answers=("row",),
    parameters={"goal": "select"},
    choices={"goal": tuple(GOALS)},
    misconceptions=(
        "no-large-factor",
        "values-as-keys",
        "query-orthogonal-to-the-key",
        "keys-averaged",
        "opposite-direction",
    ),
    size={"m": 3, "d_k": 2},
)
