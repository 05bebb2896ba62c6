"""`exactattn reference`: files in, files out, functions of the user's, what is refused."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from click.testing import CliRunner, Result

import exactattn as xa
from exactattn.cli import main
from exactattn.testing.npz import packed, read_case

RNG = np.random.default_rng(7)
Q, K, V = (RNG.normal(size=shape).astype(np.float32) for shape in ((2, 3, 4), (2, 5, 4), (2, 5, 2)))
MASK = np.array([True, False, True, True, True])


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(main, ["reference", *map(str, args)], catch_exceptions=False)


def made(*args: str | Path) -> dict[str, np.ndarray]:
    result = run(*args, "-o", "golden.npz")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    with np.load("golden.npz", allow_pickle=False) as held:
        return dict(held)


def refused(*args: str | Path, code: int = 2) -> str:
    before = sorted(Path().iterdir())
    result = run(*args)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (code, "", 1)
    assert sorted(Path().iterdir()) == before
    return result.stderr.removeprefix("exactattn: ").rstrip("\n")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.savez("case.npz", q=Q, k=K, v=V)
    return tmp_path


# -- files ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("out", ["binary16", "float32", "binary64"])
def test_the_output_is_what_reference_gives(out):
    held = made("case.npz", "--out", out)
    due = xa.reference(Q, K, V, out=out)
    assert list(held) == ["q", "k", "v", "output", "format"]
    assert held["output"].dtype == due.dtype
    assert np.array_equal(held["output"], due)
    assert str(held["format"]) == due.dtype.name
    assert np.array_equal(held["q"], Q)


def test_bfloat16_is_stored_as_its_bits_and_read_as_numpy_saves_it(recwarn):
    q, k, v = (x.astype(ml_dtypes.bfloat16) for x in (Q, K, V))
    np.savez("case.npz", q=q, k=k, v=v)
    held = made("case.npz", "--out", "bfloat16")
    due = xa.reference(q, k, v, out="bfloat16")
    assert held["output"].dtype == np.uint16
    assert np.array_equal(held["output"].view(ml_dtypes.bfloat16), due)
    assert np.array_equal(held["output"], due.view(np.uint16))
    assert str(held["format"]) == "bfloat16"
    again = read_case(Path("golden.npz"))
    assert {name: x.dtype.name for name, x in again.items()} == dict.fromkeys("qkv", "bfloat16")


def test_what_the_case_says_holds_unless_an_option_says_otherwise():
    np.savez("case.npz", q=Q, k=K, v=V, mask=MASK, scale=0.25, is_causal=True, alignment="bottom-right")
    held = made("case.npz")
    due = xa.reference(Q, K, V, MASK, scale=0.25, is_causal=True, alignment="bottom-right")
    assert np.array_equal(held["output"], due)
    held = made("case.npz", "--scale", "1/sqrt(2)", "--alignment", "top-left")
    due = xa.reference(Q, K, V, MASK, scale="1/sqrt(2)", is_causal=True, alignment="top-left")
    assert np.array_equal(held["output"], due)
    assert (str(held["scale"]), str(held["alignment"]), bool(held["is_causal"])) == ("1/sqrt(2)", "top-left", True)


def test_a_golden_file_is_a_case_and_gives_the_same_bytes():
    np.savez_compressed("case.npz", q=Q, k=K, v=V, mask=np.where(MASK, 0.0, -np.inf))
    made("case.npz", "--causal", "--alignment", "top-left", "--fully-masked", "nan", "--scale", "1/3")
    first = Path("golden.npz").read_bytes()
    Path("first.npz").write_bytes(first)
    made("first.npz")
    assert Path("golden.npz").read_bytes() == first
    with zipfile.ZipFile("golden.npz") as archive:
        assert {(e.date_time, e.create_system, e.compress_type) for e in archive.infolist()} == {
            ((1980, 1, 1, 0, 0, 0), 3, zipfile.ZIP_STORED)
        }


def test_arrays_in_any_order_of_memory_are_the_same_bytes():
    assert packed({"q": Q, "k": np.asfortranarray(K)}) == packed({"q": Q, "k": K})


def test_rows_with_no_open_key_are_as_asked():
    np.savez("case.npz", q=Q[0], k=K[0], v=V[0], mask=np.zeros(5, dtype=bool))
    assert not made("case.npz")["output"].any()
    assert np.isnan(made("case.npz", "--fully-masked", "nan")["output"]).all()
    assert refused("case.npz", "-o", "x.npz", "--fully-masked", "error") == (
        "query 1 may attend to no key: choose fully_masked = zero, nan or uniform, or open the mask"
    )


# -- functions -----------------------------------------------------------------------------------------------------------------

MODULE = """
import os, sys, time
import numpy as np

def tuple_():
    print("this is no answer")
    os.write(1, b"nor is this")
    return np.ones((1, 2)), np.eye(3, 2), np.arange(3.0).reshape(3, 1), None, 0.5

def mapping():
    return {"q": [[1.0]], "k": [[1.0]], "v": [[3.0]], "mask": [[True]], "is_causal": True}

class Inner:
    @staticmethod
    def made():
        return mapping()

def raises(): raise ValueError("no\\n\\x1b[31mway")
def hangs(): time.sleep(60)
def dies(): os.abort()
def leaves(): sys.exit(4)
def ends(): os._exit(0)
def ends_in_trouble():
    print("the last words", flush=True)
    os._exit(3)
class Silent(BaseException):
    def __str__(self): raise SystemExit(3)
def silent(): raise Silent
def backwards(): return tuple(np.array(x, ">f4") for x in ([[1.0, 2.0]], [[0.5, 1.0], [1.5, 0.25]], [[1.0], [2.0]]))
def nothing(): pass
def objects(): return [object()], 1.0, 2.0
def ragged(): return [[1.0], [1.0, 2.0]], [[1.0]], [[1.0]]
def lacks(): return {"q": [[1.0]], "k": [[1.0]]}
def misnamed(): return {"q": [[1.0]], "k": [[1.0]], "v": [[1.0]], "masc": [[True]]}
def large(): return np.zeros((1, 3_000_000)), np.zeros((1, 3_000_000)), np.zeros((1, 1))
def many(): return np.zeros((513, 1)), np.zeros((1, 1)), np.zeros((1, 1))
number = 3
"""


@pytest.fixture
def module(folder, monkeypatch):
    (folder / "my_cases.py").write_text(MODULE, encoding="utf-8")
    (folder / "broken.py").write_text("import no_such_thing\n", encoding="utf-8")
    (folder / "json.py").write_text("raise SystemExit\n", encoding="utf-8")  # not Python's own
    monkeypatch.setenv("PYTHONPATH", str(Path(xa.__file__).parents[1]))


def test_a_function_gives_a_tuple_or_a_mapping(module):
    held = made("my_cases:tuple_")
    due = xa.reference(np.ones((1, 2)), np.eye(3, 2), np.arange(3.0).reshape(3, 1), scale=0.5)
    assert np.array_equal(held["output"], due)
    assert made("my_cases:mapping")["output"].tolist() == [[3.0]]
    assert made("my_cases:Inner.made")["output"].tolist() == [[3.0]]


def test_the_order_of_bytes_does_not_matter(module):
    q, k, v = (np.array(x, "<f4") for x in ([[1.0, 2.0]], [[0.5, 1.0], [1.5, 0.25]], [[1.0], [2.0]]))
    held = made("my_cases:backwards")
    assert held["output"].tobytes() == xa.reference(q, k, v).tobytes()
    assert held["q"].tolist() == q.tolist()


@pytest.mark.parametrize(
    ("case", "line"),
    [
        ("my_cases:raises", "my_cases:raises raises ValueError: no \\x1b[31mway (line 18 of my_cases.py)"),
        ("my_cases:hangs", "my_cases:hangs did not return within 3 s"),
        ("my_cases:dies", "my_cases:dies ended the interpreter (signal SIGABRT)"),
        ("my_cases:leaves", "my_cases:leaves raises SystemExit: 4 (line 21 of my_cases.py)"),
        ("my_cases:ends", "my_cases:ends ended the interpreter (exit code 0)"),
        ("my_cases:ends_in_trouble", "my_cases:ends_in_trouble ended the interpreter (exit code 3): the last words"),
        ("my_cases:silent", "my_cases:silent raises Silent: (what it says is not known: its __str__ raises SystemExit) "
         "(line 28 of my_cases.py)"),
        ("my_cases:nothing", "my_cases:nothing returns an object of type NoneType: a mapping with q, k and v was due, or a "
         "tuple (q, k, v[, mask[, scale]])"),
        ("my_cases:objects", "my_cases:objects: q is no array of numbers"),
        ("my_cases:lacks", "my_cases:lacks has no v: q, k and v are due"),
        ("my_cases:misnamed", "my_cases:misnamed: 'masc' means nothing here (did you mean 'mask'?); the arrays are q, k, v, "
         "mask, scale, is_causal, alignment, fully_masked"),
        ("my_cases:large", "my_cases:large returns more than 16 MiB (raise it with --limit file_bytes=N)"),
        ("my_cases:many", "my_cases:many: 513 queries: the limit is 512 (raise it with --limit tokens=N)"),
        ("my_cases:number", "my_cases:number is a int: a callable was due"),
        ("my_cases:tuple", "my_cases has no 'tuple' (did you mean 'tuple_'?)"),
        ("broken:f", "importing broken fails: ModuleNotFoundError: No module named 'no_such_thing' (line 1 of broken.py)"),
        ("no_such_module:f", "there is no module 'no_such_module' in {here} or on sys.path"),
        (":f", "':f' is no MODULE:CALLABLE"),
        ("my_cases:", "'my_cases:' is no MODULE:CALLABLE"),
        ("my_cases", "'my_cases' is no case: a .npz file or MODULE:FUNCTION was due"),
    ],
)  # fmt: skip
def test_a_function_that_fails_is_told_in_one_line(module, case, line):
    assert refused(case, "-o", "x.npz", "--timeout", "3" if "hangs" in case else "60") == line.format(here=Path.cwd())


def test_a_ragged_array_is_no_array(module):
    assert refused("my_cases:ragged", "-o", "x.npz").startswith("my_cases:ragged: q is no array (ValueError: ")


def test_a_limit_can_be_raised(module):
    held = made("my_cases:many", "--limit", "tokens=513")
    assert held["output"].shape == (513, 1)


# -- what is refused -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["case.npz"], "Missing option '-o' / '--output' (see exactattn reference --help)"),
        (["case.npz", "-o", "golden.npy"], "-o golden.npy: a name that ends with .npz was due"),
        (["case.npz", "-o", "case.npz"], "-o case.npz is the case itself: name another file"),
        (["case.npz", "-o", "no/golden.npz"], "cannot write no/golden.npz: there is no folder 'no'"),
        (["other.npz", "-o", "golden.npz"], "cannot read other.npz: no such file or directory"),
        (["case.npz", "-o", "x.npz", "--out", "float8"],
         "format 'float8' is not one of float16, bfloat16, float32, float64 (did you mean 'float64'?)"),
        (["case.npz", "-o", "x.npz", "--causal"],
         "is_causal over 3 queries and 5 keys needs alignment: top-left (query i sees keys up to i) or bottom-right (the "
         "last query sees all)"),
        (["case.npz", "-o", "x.npz", "--scale", "1/0"], "'1/0' is no number: division by zero"),
        (["case.npz", "-o", "x.npz", "--limit", "tokens=4"],
         "case.npz: 5 keys: the limit is 4 (raise it with --limit tokens=N)"),
        (["case.npz", "-o", "x.npz", "--limit", "file_bytes=100"],
         "case.npz is larger than 9.53674e-05 MiB (raise it with --limit file_bytes=N)"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_code_2(args, line):
    assert refused(*args) == line


def npz(entries: dict[str, bytes], **more) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", **more) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return out.getvalue()


def npy(x) -> bytes:
    out = io.BytesIO()
    np.save(out, x)
    return out.getvalue()


ONE = npy(np.ones((1, 1)))
HUGE = npy(np.zeros((1, 1)))[:-8] + bytes(40 * 2**20)
PICKLE = npy(np.array([[{}]], dtype=object))


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", "x.npz is no .npz file (File is not a zip file)"),
        (ONE, "x.npz is no .npz file (File is not a zip file)"),
        (npz({"q.npy": ONE, "k.npy": ONE}), "x.npz has no v: q, k and v are due"),
        (npz({"q.npy": ONE, "keys.npy": ONE}), "x.npz: 'keys' means nothing here; the arrays are q, k, v, mask, scale, "
         "is_causal, alignment, fully_masked"),
        (npz({"q.npy": ONE, "read.me": b""}), "x.npz: 'read.me' is no array"),
        (npz({"q.npy": b"x"}), None),
        (npz({"q.npy": PICKLE}), "x.npz, q: no NumPy array of numbers (objects inside)"),
        (npz({"q.npy": HUGE}, compression=zipfile.ZIP_DEFLATED),
         "x.npz unpacks to more than 16 MiB (raise it with --limit file_bytes=N)"),
        (npz({"q.npy": ONE, "k.npy": ONE, "v.npy": ONE})[:-30], "x.npz is no .npz file (File is not a zip file)"),
        (npz({"q.npy": ONE, "k.npy": ONE, "v.npy": ONE, "scale.npy": ONE}),
         "x.npz: scale is an array of float64 of shape (1, 1): one number or text was due"),
        (npz({"q.npy": ONE, "k.npy": ONE, "v.npy": ONE, "is_causal.npy": npy(1)}),
         "x.npz: is_causal is an array of int64 of shape (): one boolean was due"),
        (npz({"q.npy": npy(np.ones((1, 1), dtype=complex)), "k.npy": ONE, "v.npy": ONE}),
         "q is an array of complex128: float16, bfloat16, float32, float64 or integers were due"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_case_is_one_line(data, line):
    Path("x.npz").write_bytes(data)
    said = refused("x.npz", "-o", "golden.npz")
    assert line in (None, said)


def test_broken_bytes_are_one_line():
    whole = npz({"q.npy": ONE, "k.npy": ONE, "v.npy": ONE}, compression=zipfile.ZIP_DEFLATED)
    for at in range(0, len(whole), 7):
        Path("x.npz").write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        result = run("x.npz", "-o", "golden.npz")
        assert result.exit_code in (0, 2)
        assert result.stderr.count("\n") == (1 if result.exit_code else 0)


def test_without_ml_dtypes_bfloat16_is_refused_with_its_own_exit_code(monkeypatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    assert refused("case.npz", "-o", "x.npz", "--out", "bfloat16", code=3) == (
        "bfloat16 needs ml_dtypes: pip install 'exactattn[bfloat16]'"
    )


def test_the_command_in_a_process_of_its_own(folder):
    done = subprocess.run(
        [sys.executable, "-m", "exactattn", "reference", "case.npz", "-o", "golden.npz"], capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert np.array_equal(np.load("golden.npz")["output"], xa.reference(Q, K, V))
