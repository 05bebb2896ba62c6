"""Matrices by path: read from the case's folder and from nowhere else, and nothing in them is run."""

# ruff: noqa: E501 (an error text stands whole on its line)

from __future__ import annotations

import io
import os
import pickle
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from exactattn.cases import load_case
from exactattn.errors import CaseError, ExactAttnError, FileError, NumberError, ShapeError


def case_of(folder: Path, value: str, top: str = "", more: str = "") -> tuple[tuple[str, ...], ...]:
    (folder / "case.toml").write_text(f"{top}\n[inputs]\nQ = '{value}'\n{more}", encoding="utf-8")
    return load_case(folder / "case.toml").inputs["Q"]


def message(folder: Path, value: str, kind: type[ExactAttnError] = FileError, top: str = "") -> str:
    with pytest.raises(kind) as caught:
        case_of(folder, value, top)
    assert type(caught.value) is kind
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["0.10,-2\n1/2,3\n", "0.10;−2\r\n½;3", "0.10\t-2\n1/2\t3\n\n", '\ufeff"0.10", "-2"\n 1/2 , 3\n'],
)
def test_csv_with_commas_semicolons_or_tabs_is_read_as_text(tmp_path, text):
    (tmp_path / "q.csv").write_text(text, encoding="utf-8", newline="")
    assert case_of(tmp_path, "q.csv") == (("0.10", "-2"), ("1/2", "3"))


def test_csv_with_decimal_commas_needs_them_declared(tmp_path):
    (tmp_path / "q.csv").write_text("0,5;1,25\n", encoding="utf-8")
    assert case_of(tmp_path, "q.csv", 'decimal = ","') == (("0.5", "1.25"),)
    why = "'0,5' is no number: a comma is a decimal mark only under decimal = \",\""
    assert message(tmp_path, "q.csv", NumberError) == f"Q (q.csv), row 1, column 1: {why}"


def test_errors_in_csv_name_the_file_and_the_place(tmp_path):
    (tmp_path / "q.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    why = "'a' is no number: the name 'a' means nothing here (sqrt and ln do)"
    assert message(tmp_path, "q.csv", NumberError) == f"Q (q.csv), row 1, column 1: {why}"
    (tmp_path / "q.csv").write_text("1,2\n1\n", encoding="utf-8")
    found = message(tmp_path, "q.csv", ShapeError)
    assert found == "Q (q.csv): row 2 has 1 entry, row 1 has 2: every row needs the same"
    (tmp_path / "q.csv").write_text("", encoding="utf-8")
    assert message(tmp_path, "q.csv", ShapeError) == "Q (q.csv) is empty: rows of numbers were due"
    (tmp_path / "q.csv").write_text('"1', encoding="utf-8")
    assert message(tmp_path, "q.csv", CaseError) == "Q (q.csv): not CSV (unexpected end of data)"


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "<f4", ">f8", "int16", "uint8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy_means_the_decimals_it_prints(tmp_path, dtype, order):
    array = np.array([[1, 2, 3], [4, 5, 6]], dtype=dtype, order=order)
    if array.dtype.kind == "f":
        array[0, 0] = 0.1
    np.save(tmp_path / "q.npy", array)
    wanted = tuple(tuple(str(x) for x in row) for row in array)
    assert case_of(tmp_path, "q.npy") == wanted
    assert wanted[0][0] == ("0.1" if array.dtype.kind == "f" else "1")


def test_npy_under_binary_means_its_bits(tmp_path):
    np.save(tmp_path / "q.npy", np.array([[0.1]], dtype="float32"))
    assert case_of(tmp_path, "q.npy", "binary = true") == ((str(Fraction(float(np.float32(0.1)))),),)


def test_a_mask_by_path(tmp_path):
    np.save(tmp_path / "m.npy", np.tri(2, dtype=int))
    (tmp_path / "c.toml").write_text(
        "[inputs]\nscores = [[1, 2], [3, 4]]\n[attention]\nmask = 'm.npy'", encoding="utf-8"
    )
    assert load_case(tmp_path / "c.toml").attention.mask == ((1, 0), (1, 1))


class Trap:
    def __reduce__(self):
        return os.mkdir, ("sprung",)


def test_npy_with_a_pickle_is_refused_and_not_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save(tmp_path / "q.npy", np.array([[Trap()]], dtype=object), allow_pickle=True)
    assert message(tmp_path, "q.npy", CaseError) == "Q (q.npy): no NumPy array of numbers (objects inside)"
    (tmp_path / "q.npy").write_bytes(pickle.dumps(Trap()))
    assert message(tmp_path, "q.npy", CaseError).startswith(
        "Q (q.npy): no NumPy array of numbers (the magic string is not"
    )
    assert not (tmp_path / "sprung").exists()


def test_npy_whose_header_asks_for_more_than_there_is_allocates_nothing(tmp_path):
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (10**9, 10**6)})
    (tmp_path / "q.npy").write_bytes(file.getvalue())
    found = message(tmp_path, "q.npy", CaseError)
    assert found == "Q (q.npy): no NumPy array of numbers (its header and its size disagree)"


@pytest.mark.parametrize(
    ("array", "kind", "why"),
    [
        (np.zeros(3), ShapeError, "Q (q.npy) is an array of shape 3: rows and columns were due"),
        (np.zeros((1, 1, 1)), ShapeError, "Q (q.npy) is an array of shape 1 × 1 × 1: rows and columns were due"),
        (np.array([[True]]), NumberError, "Q (q.npy), row 1, column 1: True of dtype bool is not a real number"),
        (np.array([[1j]]), NumberError, "Q (q.npy), row 1, column 1: 1j is complex: attention by hand takes real numbers"),
        (np.array([["a"]]), NumberError, "Q (q.npy), row 1, column 1: 'a' is no number: the name 'a' means nothing here (sqrt and ln do)"),
        (np.array([[np.inf]]), NumberError, "Q (q.npy), row 1, column 1: 'inf' is no number: to keep a query from a key, use the mask"),
        (np.zeros((1, 0)), ShapeError, "Q (q.npy), row 1 is empty: numbers were due"),
    ],
)  # fmt: skip
def test_npy_of_another_shape_or_type_is_an_error(tmp_path, array, kind, why):
    np.save(tmp_path / "q.npy", array)
    assert message(tmp_path, "q.npy", kind) == why


def test_a_path_may_lead_into_a_folder_below(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "q.csv").write_text("1,2", encoding="utf-8")
    assert case_of(tmp_path, "data/q.csv") == (("1", "2"),)
    (tmp_path / "link.csv").symlink_to(tmp_path / "data" / "q.csv")
    assert case_of(tmp_path, "link.csv") == (("1", "2"),)


@pytest.mark.parametrize("value", ["../q.csv", "{outside}", "data/../../q.csv", "link.csv", "folder/q.csv"])
def test_a_path_does_not_leave_the_folder(tmp_path, value):
    home = tmp_path / "home"
    (home / "data").mkdir(parents=True)
    (tmp_path / "q.csv").write_text("1,2", encoding="utf-8")
    (home / "link.csv").symlink_to(tmp_path / "q.csv")
    (home / "folder").symlink_to(tmp_path)
    value = value.format(outside=tmp_path / "q.csv")
    assert message(home, value) == f"Q: {value!r} leads out of the case's folder: only files inside it are read"


def test_only_regular_files_are_read(tmp_path):
    os.mkfifo(tmp_path / "q.csv")
    assert message(tmp_path, "q.csv") == "Q: 'q.csv' is no regular file"
    (tmp_path / "d.csv").mkdir()
    assert message(tmp_path, "d.csv") == "Q: 'd.csv' is no regular file"
    (tmp_path / "round.csv").symlink_to("round.csv")
    assert message(tmp_path, "round.csv").startswith("Q: cannot read 'round.csv': ")


def test_a_missing_file_says_so(tmp_path):
    assert message(tmp_path, "none.csv") == "Q: cannot read 'none.csv': no such file beside the case"


@pytest.mark.parametrize("quoted", [r"'data\q.csv'", r'"data\new.csv"', r'"\tq.csv"'])
def test_a_backslash_in_a_path_is_explained(tmp_path, quoted):
    (tmp_path / "case.toml").write_text(f"[inputs]\nQ = {quoted}\n", encoding="utf-8")
    with pytest.raises(CaseError) as caught:
        load_case(tmp_path / "case.toml")
    tail = (
        'holds a backslash or what came of one (in "..." it starts an escape): write the path with /, as in data/q.csv'
    )
    assert str(caught.value).endswith(tail)


def test_a_path_needs_a_case_file():
    with pytest.raises(CaseError) as caught:
        load_case({"inputs": {"Q": "q.csv"}})
    assert str(caught.value) == "Q: a path ('q.csv') needs a case file beside it: give the matrix itself"
