"""Exports that lint is tried on, each made once."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from exactattn.exams.exam import exam
from exactattn.exams.model import Asked
from exactattn.exams.spec import Spec
from exactattn.exports.formats import FORMATS, Format
from exactattn.exports.lint import Report, lint
from exactattn.exports.sheet import Sheet
from exactattn.i18n import messages

KINDS = ("moodle", "canvas", "qti", "qti3")


def exported(made, format, lang="en", maths="mathml"):
    """An exam in a format."""
    row = FORMATS[format]
    assert isinstance(row, Format)
    file = io.BytesIO()
    row.write(made, file, Sheet(made.spec.title, messages(lang), maths))
    return file.getvalue()


def unzipped(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(files):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return file.getvalue()


@cache
def small():
    """An exam with each form of answer."""
    half = Fraction(1, 2)
    asked = (
        Asked("number", "softmax-vector", answer="number", credit={"sum-normalised": half}),
        Asked("pick", "one-query", answer="choice", ask=("output",)),
        Asked("choices", "one-query", answer="choice"),
        Asked("row", "full-attention", points=Fraction(4), answer="row", follow_through=half),
        Asked("order", "formula", answer="order"),
        Asked("proof", "proof"),
    )
    return exam(Spec(asked, title="Small"), seed="5")


ITEMS = tuple(
    f"{kind}:{id}" for kind in ("qti", "qti3") for id in ("number", "pick", "choices", "row", "order", "proof")
)
SOURCES = ("moodle", "canvas", "canvas.zip", "qti.zip", "qti3.zip", *ITEMS)


@cache
def sources():
    """The files that faults are planted in, by name. Items of QTI by the question: "qti:number"."""
    made = small()
    out = {"moodle": exported(made, "moodle"), "canvas.zip": exported(made, "canvas"), "qti.zip": exported(made, "qti")}
    out["qti3.zip"] = exported(made, "qti3")
    out["canvas"] = next(
        data for name, data in unzipped(out["canvas.zip"]).items() if re.search(r"quiz-\w+\.xml$", name)
    )
    for kind in ("qti", "qti3"):
        for name, data in unzipped(out[f"{kind}.zip"]).items():
            if name.startswith("items/"):
                out[f"{kind}:{name.split('-')[1]}"] = data
    assert set(out) == set(SOURCES)
    return out


@pytest.fixture
def linted(tmp_path) -> Callable[..., Report]:
    """The report on bytes or on a text, as a file of a name."""

    def linting(data, name="file", **more):
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return lint(path, **more)

    return linting


def rules(report):
    return [one.rule for one in report.findings]


READERS = Path(__file__).parents[1] / "readers"
