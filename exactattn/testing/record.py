"""A verification as plain data, for JSON: `verification.schema.json` beside this file is its JSON Schema."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from exactattn.testing.result import RowResult, Verification
from exactattn.testing.telling import Told

FORMAT, VERSION = "exactattn-verification", 1


def schema() -> dict[str, Any]:
    """The JSON Schema of a verification."""
    text = resources.files("exactattn.testing").joinpath("verification.schema.json").read_text(encoding="utf-8")
    out: dict[str, Any] = json.loads(text)
    return out


def to_json(found: Verification) -> str:
    """The verification as JSON text."""
    return json.dumps(as_data(found), ensure_ascii=False, indent=1) + "\n"


def as_data(found: Verification) -> dict[str, Any]:
    """The verification as plain data; numbers are certified decimals in texts, entries of arrays hexadecimal bits."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "callable": found.target,
        "kind": found.takes.kind,
        "takes": {name: value for name, value in found.takes.as_data().items() if name != "kind" and value is not None},
        "versions": dict(found.versions),
        "seed": found.seed,
        "examples": found.examples,
        "dtypes": list(found.dtypes),
        "options": dict(found.options),
        "passes": found.passes,
        "stopped": found.stopped,
        "rows": [_row(row) for row in found.rows],
        "conventions": [
            {"name": one.name, "dtype": one.dtype, "found": one.found, "asked": one.asked} for one in found.conventions
        ],
    }


def _row(row: RowResult) -> dict[str, Any]:
    ulps = row.accuracies
    return {
        "name": row.name,
        "dtype": row.dtype,
        "verdict": row.verdict,
        "checks": row.checks,
        "failures": row.failures,
        "compared": row.compared,
        "unlike": row.unlike,
        "ulp": None
        if ulps is None
        else {"max": ulps.most, "median": ulps.middle, "correctly_rounded": ulps.right, "entries": ulps.entries},
        "worst": _told(row.worst),
        "failure": _told(row.failure),
    }


def _told(told: Told | None) -> dict[str, Any] | None:
    if told is None:
        return None
    return {
        "input": told.input,
        "arrays": {
            one.name: {
                "dtype": one.dtype,
                "shape": list(one.shape),
                "bits": list(one.bits),
                "decimals": list(one.decimals),
            }
            for one in told.arrays
        },
        "row": told.row,
        "column": told.column,
        "true": told.true,
        "got": told.got,
        "error": told.error,
        "ulp": told.ulp,
        "bound": told.bound,
        "bound_ulp": told.bound_ulp,
        "said": told.said,
        "python": told.python,
        "other": told.other,
    }
