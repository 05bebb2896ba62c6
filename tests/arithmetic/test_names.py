"""An arithmetic is asked for by name."""

from __future__ import annotations

import subprocess
import sys

import pytest

from exactattn.arithmetic import arithmetic
from exactattn.errors import OptionError
from exactattn.numbers.limits import Limits


@pytest.mark.parametrize("name", ["exact", "sympy", "mpmath:11", "mpmath:10000", "balls:64"])
def test_an_arithmetic_has_the_name_it_was_asked_for_by(name: str) -> None:
    limits = Limits(places=7)
    ar = arithmetic(name, limits=limits)
    assert ar.name == name
    assert ar.limits is limits


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("exakt", "arithmetic 'exakt' is not one of exact, sympy, mpmath:BITS, balls:BITS (did you mean 'exact'?)"),
        (
            "mpmath",
            "arithmetic 'mpmath' is not one of exact, sympy, mpmath:BITS, balls:BITS (did you mean 'mpmath:BITS'?)",
        ),
        (
            "mpmath:",
            "arithmetic 'mpmath:' is not one of exact, sympy, mpmath:BITS, balls:BITS (did you mean 'mpmath:BITS'?)",
        ),
        ("float", "arithmetic 'float' is not one of exact, sympy, mpmath:BITS, balls:BITS"),
        ("exact:3", "arithmetic 'exact:3' is not one of exact, sympy, mpmath:BITS, balls:BITS (did you mean 'exact'?)"),
        ("mpmath:1", "mpmath at 1 bits: 2 to 10000 were due"),
        ("mpmath:10001", "mpmath at 10001 bits: 2 to 10000 were due"),
        ("balls:1", "balls of 1 bits: 2 to 100000 were due"),
    ],
)
def test_an_unknown_name_gets_a_suggestion(name: str, message: str) -> None:
    with pytest.raises(OptionError) as caught:
        arithmetic(name)
    assert str(caught.value) == message


@pytest.mark.parametrize("name", ["mpmath:-3", "mpmath:1.5", "mpmath:٣", "mpmath:²", "mpmath:99999999999999999999", ""])
def test_bits_are_plain_figures(name: str) -> None:
    with pytest.raises(OptionError, match=r"is not one of"):
        arithmetic(name)


def test_the_exact_arithmetic_loads_neither_sympy_nor_mpmath() -> None:
    code = (
        "import sys; from exactattn.arithmetic import arithmetic; from exactattn.numbers.value import Value\n"
        "ar = arithmetic('exact'); ar.exp(ar.read([['1/3', 'ln(2)']]), None); arithmetic('balls:64')\n"
        "(1 / (1 + Value.of('ln(3)').exp())).decimal(3)\n"
        "print(sorted({'sympy', 'mpmath', 'numpy', 'hypothesis', 'click', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
