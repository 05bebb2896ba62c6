"""The audit as plain data, for JSON: `audit.schema.json` beside this file is its JSON Schema."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from exactattn.audits.examine import Judged
from exactattn.audits.page import RIGHT, shown
from exactattn.audits.ranges import Exact, Range
from exactattn.audits.result import Audit
from exactattn.numbers.value import Value

FORMAT, VERSION = "exactattn-audit", 1


def schema() -> dict[str, Any]:
    """The JSON Schema of an audit."""
    text = resources.files("exactattn.audits").joinpath("audit.schema.json").read_text(encoding="utf-8")
    out: dict[str, Any] = json.loads(text)
    return out


def to_json(audit: Audit) -> str:
    """The audit as JSON text."""
    return json.dumps(as_data(audit), ensure_ascii=False, indent=1) + "\n"


def as_data(audit: Audit) -> dict[str, Any]:
    """The audit as plain data. Rows and columns count from 0; true and recomputed values are certified decimals."""
    cause = audit.cause
    return {
        "format": FORMAT,
        "version": VERSION,
        "id": audit.case.id,
        "title": audit.case.title,
        "passes": {"wrong": audit.passes("wrong"), "any": audit.passes("any")},
        "totals": dict(audit.totals),
        "verdicts": audit.verdicts,
        "numbers": [_number(one) for one in audit.examined.judged],
        "identities": [
            {
                "identity": one.identity,
                "name": one.name,
                "head": one.head,
                "row": one.row,
                "columns": list(one.columns),
                "claimed": _range(one.claimed),
                "due": _range(one.due),
            }
            for one in audit.refuted
        ],
        "marks": [{"name": m.name, "row": m.row, "column": m.column, "largest": list(m.largest)} for m in audit.marks],
        "claims": [
            {"name": c.name, "row": c.row, "claimed": _text(c.claimed), "sum": _text(c.sum)} for c in audit.claims
        ],
        "cause": None
        if cause is None
        else {
            "first": _number(cause.first),
            "methods": [[one.name for one in rows] for rows in cause.methods],
            "slips": list(cause.slips),
            "others": [_number(one) for one in cause.others],
        },
        "digits": None
        if audit.digits is None
        else {"places": dict(audit.digits.places), "missing": list(audit.digits.missing)},
    }


def _number(one: Judged) -> dict[str, Any]:
    true = None if one.true is None else shown(one.true, one.number)
    follows = None if one.follows is None else shown(one.follows, one.number)
    spread = one.recomputed.spread() if one.recomputed is not None and one.verdict not in RIGHT else None
    return {
        "name": one.name,
        "head": one.head,
        "row": one.row,
        "column": one.column,
        "printed": one.number.text,
        "places": one.number.places,
        "true": true,
        "recomputed": follows,
        "interval": None if spread is None else _range(spread),
        "verdict": one.verdict,
    }


def _range(one: Range) -> list[str]:
    return [_text(one.low), _text(one.high)]


def _text(value: Exact) -> str:
    return Value.of(value).significant(10)
