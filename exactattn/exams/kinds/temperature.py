"""K18: the weights of the same scores at another temperature, which is a scale of 1/T."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from exactattn.errors import InputError, OptionError
from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought, listed, shares
from exactattn.exams.kinds.kind import Given, Kind
from exactattn.exams.kinds.numbers import log, scores
from exactattn.exams.model import Asked, Choice, Option
from exactattn.numbers.value import Value
from exactattn.trace import Trace

TEMPERATURES = {"1/2": "2", "2": "1/2"}
"""Temperatures by their scale; one of these is drawn where none is chosen."""

LIMITS = ("cold", "hot", "doubled", "shifted")
"""What is asked without a trace: T → 0, T → ∞, all scores doubled, all scores larger by the same number."""

SHIFTED = {"same": (), "larger": ("constant-thought-to-matter",), "sharper": ("constant-thought-to-matter",)}
"""What is said of weights when a number is added to all scores, by what is mistaken in it; the first is right."""


def draw(source: Draw, asked: Asked) -> Given | Direct:
    """One row of m scores; by hand logarithms of squares, of which T = 2 takes the roots."""
    m = KIND.sized(asked, "m")
    if set(asked.ask) & set(LIMITS):
        if asked.answer == "number":
            raise OptionError(
                'question {id!r}: limits are whole rows, and answer = "number" asks one entry: answer = "row" was due',
                id=asked.id,
            )
        return _limits(source, asked, KIND.sized(asked, "m", 3))
    chosen = _chosen(asked)
    scale = f"1/({chosen})" if chosen else source.choice(tuple(TEMPERATURES))
    by_hand = [log(2, k) for k in source.shuffled(range(1, 4 * m + 1))[:m]]
    row = by_hand if asked.numbers == "by-hand" else scores(source, asked, m)
    return {"scores": [row], "scale": scale}


def _chosen(asked: Asked) -> str:
    """The temperature that is asked for, "" for none. OptionError for one that is not above 0, and for 1."""
    chosen = str(KIND.chosen(asked, "T"))
    if not chosen:
        return ""
    try:
        temperature = Value.of(chosen)
    except InputError as error:
        raise OptionError("question {id!r}, T: {why}", id=asked.id, why=str(error)) from None
    if temperature <= 0:
        raise OptionError("question {id!r}: T is {chosen}: a temperature above 0 was due", id=asked.id, chosen=chosen)
    if temperature == 1:
        raise OptionError("question {id!r}: T is 1, which changes nothing: another temperature was due", id=asked.id)
    return chosen


def _limits(source: Draw, asked: Asked, m: int) -> Direct:
    """A row of whole scores whose largest comes twice, and another row that is known by its weights."""
    top = source.integer(2, 3 + asked.difficulty)
    scores = source.shuffled([top, top, *source.shuffled(range(-asked.difficulty - m, top))[: m - 2]])
    where = [k for k, x in enumerate(scores) if x == top]
    roots = source.shuffled(range(1, m + 1 + asked.difficulty))[:m]
    p = shares([k**2 for k in roots])
    names = source.shuffled([*SHIFTED])
    return Direct(
        {
            "scores": listed(scores), "weights": listed(p), "m": str(m),
            "c": listed([source.choice((-1, 1)) * source.integer(1, 9)]),
        },
        (
            Sought(
                "cold",
                _row([Fraction(int(k in where), 2) for k in range(m)]),
                {
                    "tie-sharpened-to-one-hot": [Fraction(int(k == where[0])) for k in range(m)],
                    "uniform": [Fraction(1, m)] * m,
                },
            ),
            Sought("hot", _row([Fraction(1, m)] * m), {"hard-argmax": [Fraction(int(k in where), 2) for k in range(m)]}),
            Sought(
                "doubled",
                _row(shares([k**4 for k in roots])),
                {"weights-doubled": p, "multiplied-by-root": shares(roots)},
                slack=1,
            ),
            Sought(
                "shifted",
                form=Choice(tuple(Option((), SHIFTED[name], name) for name in names), names.index("same")),
            ),
        ),
        "limits",
    )  # fmt: skip


def _row(numbers: list[Fraction]) -> dict[str, Fraction]:
    return {f"a{k}": x for k, x in enumerate(numbers, 1)}


def facts(trace: Trace, asked: Asked) -> Mapping[str, str]:
    """The temperature."""
    return {"T": str(KIND.chosen(asked, "T")) or TEMPERATURES[trace.problem.settings.scale]}


KIND = Kind(
    id="K18",
    name="temperature",
    draw=draw,
    asks=("weights", *LIMITS),
    default=("weights",),
    answers=("row", "number"),
    forms={"shifted": "choice"},
    misconceptions=("no-scale", "multiplied-by-root", "scale-after-softmax", "not-normalised", "uniform"),
    beside=("weights-doubled", "tie-sharpened-to-one-hot", "constant-thought-to-matter", "hard-argmax"),
    size={"m": 3},
    parameters={"T": ""},
    facts=facts,
)
