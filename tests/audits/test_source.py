"""What holds of the source text: no float takes part in a verdict."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import exactattn.audits

ROOT = Path(exactattn.audits.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

# Every true division there is, with what it divides. int / int would be a float: whoever adds a division says here what it is.
DIVISIONS = {
    "quantities.py": {"ROOM / 2": "ems / int"},
    "identities.py": {
        "number.ulp / 2": "fmpq / int",
        "(a.low if a.low > 0 else ZERO) / b.high": "exact / exact",
        "a.high / b.low": "exact / exact",
    },
    "operands.py": {"number.ulp / 2": "fmpq / int"},
    "printed.py": {"1 / fmpq(10) ** self.places": "int / fmpq"},
    "ranges.py": {
        "a / b": "exact / exact",
        "e / (e + r)": "exact / exact",
    },
    "verdicts.py": {"number.ulp / 2": "fmpq / int"},
    "cause.py": {"ulp / 2": "fmpq / int"},
}


# Widths on a page are floats; nothing that judges looks at them.
LAID_OUT = {"quantities.py"}
JUDGING = (
    "printed",
    "operands",
    "ranges",
    "earlier",
    "compare",
    "verdicts",
    "examine",
    "identities",
    "marks",
    "cause",
    "result",
)


@pytest.mark.parametrize("name", JUDGING)
def test_what_judges_knows_nothing_of_pages(name: str) -> None:
    tree = ast.parse((ROOT / f"{name}.py").read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not modules & {f"exactattn.audits.{page}" for page in ("page", "quantities", "report", "record", "folder")}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_there_is_no_float(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    literals = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex)
    }
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    if path.name not in LAID_OUT:
        assert not literals
        assert "float" not in names
    assert not names & {"round", "math", "numpy", "mpmath", "Decimal"}
    assert not attributes & {"to_float", "mid", "nstr", "evalf", "n"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_true_division_is_of_exact_numbers(path: Path) -> None:
    found = {
        ast.unparse(node)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div)
    }
    assert found == set(DIVISIONS.get(path.name, {}))
