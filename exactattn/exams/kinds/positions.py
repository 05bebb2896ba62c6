"""K22: positions: a linear bias (ALiBi) on scores whose exponentials are whole, and the sinusoidal code."""

from __future__ import annotations

from fractions import Fraction

from exactattn.errors import OptionError
from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought, listed, mixed, shares
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.kinds.weighing import printed
from exactattn.exams.model import Asked
from exactattn.numbers.elementary import Function, elementary
from exactattn.numbers.value import Value

WIDTH = 4
"""d_k: a bias that is scaled too is halved."""

CODES = ("linear-bias", "sinusoidal")


def draw(source: Draw, asked: Asked) -> Direct:
    """One of the codes, as the parameter `code` says."""
    if KIND.picked(asked, "code") == "linear-bias":
        return _bias(source, asked)
    if asked.numbers == "by-hand":
        raise OptionError("question {id!r}: the sinusoidal code needs a calculator", id=asked.id)
    return _sinusoidal(source, asked)


def _bias(source: Draw, asked: Asked) -> Direct:
    """The last of n tokens: scaled scores ln m, and a slope of 2 ln 2, which divides by 4 at each step back."""
    n = 3 if asked.difficulty < 4 else 4
    m = source.shuffled(range(1, 4 * asked.difficulty + 1))[:n]
    values = [3 * x for x in source.shuffled(range(-4, 5))[:n]]
    back = range(n - 1, -1, -1)
    right = shares([x * 4 ** (n - 1 - step) for x, step in zip(m, back, strict=True)])
    wrongs = {
        "bias-sign": shares([x * 4**step for x, step in zip(m, back, strict=True)]),
        "bias-inside-the-scale": shares([x * 2 ** (n - 1 - step) for x, step in zip(m, back, strict=True)]),
    }
    return Direct(
        {
            "n": str(n), "scores": ", ".join(f"ln {x}" if x > 1 else "0" for x in m), "values": listed(values),
            "d_k": str(WIDTH), "divisors": listed([4**step for step in back]),
            "exps": listed([Fraction(x, 4**step) for x, step in zip(m, back, strict=True)]),
        },
        (
            Sought("weights", {f"a{j}": x for j, x in enumerate(right, 1)}, wrongs, slack=1),
            Sought(
                "output",
                {"o": mixed(right, values)},
                {name: (mixed(a, values),) for name, a in wrongs.items()},
                slack=sum(map(abs, values)),
            ),
        ),
        "linear-bias",
        ("weights", "output"),
    )  # fmt: skip


def _sinusoidal(source: Draw, asked: Asked) -> Direct:
    """Columns 0 to 3 of the code of a position p: 10000^(2i/d) is a power of 10 for d = 4 and d = 8."""
    d = 4 if asked.difficulty < 3 else 8
    p = source.integer(1, 200 * asked.difficulty)
    turns = [Fraction(p, (100 if d == 4 else 10) ** i) for i in range(d // 2)]
    angles = [Value.of(x) for x in turns]
    halved = [Value.of(p), Value.of(f"{p}/10" if d == 4 else f"{p}*sqrt(10)/10")]
    blocks = [elementary("sin", x) for x in angles] + [elementary("cos", x) for x in angles]
    right = _pairs(angles[:2], "sin", "cos")
    return Direct(
        {"p": str(p), "d": str(d), "angles": printed(angles[:2], asked)},
        (
            Sought(
                "code",
                {f"c{k}": x for k, x in enumerate(right)},
                {
                    "degrees-for-radians": _pairs(angles[:2], "sin-of-degrees", "cos-of-degrees"),
                    "sine-and-cosine-swapped": _pairs(angles[:2], "cos", "sin"),
                    "sines-before-cosines": blocks[:4],
                    "exponent-without-two": _pairs(halved, "sin", "cos"),
                },
                slack=1,
            ),
        ),
        "sinusoidal",
        ("code",),
    )


def _pairs(angles: list[Value], even: Function, odd: Function) -> list[Value]:
    return [elementary(function, x) for x in angles for function in (even, odd)]


KIND = Kind(
    id="K22",
    name="positions",
    draw=draw,
    asks=("weights", "output", "code"),
    answers=("row",),
    parameters={"code": "linear-bias"},
    choices={"code": CODES},
    misconceptions=(
        "bias-sign",
        "bias-inside-the-scale",
        "degrees-for-radians",
        "sine-and-cosine-swapped",
        "sines-before-cosines",
        "exponent-without-two",
    ),
)
