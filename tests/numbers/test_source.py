"""What holds of the source text: no float stands in the number core, the arithmetics or the pipeline."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import exactattn

ROOT = Path(exactattn.__file__).parent
FILES = sorted(path for room in ("numbers", "arithmetic", "attention") for path in (ROOT / room).rglob("*.py"))
IDS = [path.relative_to(ROOT).as_posix() for path in FILES]

# Every true division there is, with what it divides. int / int would be a float: whoever adds a division says here what it is.
DIVISIONS = {
    "numbers/units.py": {"factor /= p": "fmpq / int"},
    "numbers/elementary.py": {"x / 180": "arb / int"},
    "numbers/surd.py": {"factor / c": "fmpq / fmpq"},
    "numbers/rounding.py": {"twice / (2 * steps)": "fmpz / fmpq"},
    "numbers/lazy.py": {"1 / s": "int / arb"},
    "numbers/value.py": {"Value.of(other, self._limits) / self": "Value / Value", "_sympy(n) / _sympy(d)": "sympy"},
    "numbers/symbolic.py": {"a / b": "sympy", "1 / product": "int / Value"},
    "arithmetic/balls.py": {"x / sums[k // m]": "arb / arb"},
    "arithmetic/symbolic.py": {"a / b": "sympy"},
}

# Where a float is made, and why.
FLOATS = {
    "numbers/grids.py": "a rounded number as a Python float",
    "numbers/parse.py": "a float that came in is read as the decimal it prints as",
}


def calls(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_there_is_no_float_literal(path: Path) -> None:
    found = [
        f"line {node.lineno}: {node.value}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex)
    ]
    assert found == []


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_every_true_division_is_of_exact_numbers(path: Path) -> None:
    known = DIVISIONS.get(path.relative_to(ROOT).as_posix(), {})
    found = {
        ast.unparse(node)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div)
    }
    assert found == set(known)


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_float_is_made_only_at_the_doors(path: Path) -> None:
    made = "float" in calls(path)
    assert made == (path.relative_to(ROOT).as_posix() in FLOATS)


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_of_the_maths_module_only_what_is_exact_is_used(path: Path) -> None:
    taken = {
        alias.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "math"
        for alias in node.names
    }
    assert taken <= {"lcm", "gcd", "isqrt", "ldexp"}


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_no_text_becomes_code(path: Path) -> None:
    forbidden = {"eval", "exec", "compile", "__import__", "sympify", "parse_expr", "lambdify", "nstr", "simplify"}
    assert not {call for call in calls(path) if call != "re.compile" and call.rpartition(".")[2] in forbidden}


def test_one_file_owns_the_precision() -> None:
    for path in ROOT.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        assert ("ctx.prec" in source) == (path == ROOT / "numbers" / "ball.py"), path
