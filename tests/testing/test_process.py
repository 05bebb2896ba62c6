"""Hostile callables: each gives a clear answer, the worker is restarted, and nothing of the callable's reaches us."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
import pytest

from exactattn.errors import InputError, OptionError
from exactattn.testing.inputs import AttentionInput, ScoresInput
from exactattn.testing.process import MOST_ENDS, Process

CODE = """
import os, sys, time
import numpy as np

def good(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

def talks(x):
    print("not an answer")
    sys.stdout.flush()
    os.write(1, b"xatt not a message either")
    sys.stderr.write("nor this")
    return good(x)

def reads(x):
    assert sys.stdin.read() == ""
    return good(x)

def raises(x): return {}["a key"]
def leaves(x): sys.exit(3)
def dies(x):
    print("the last words", file=sys.stderr, flush=True)
    os._exit(7)
def crashes(x):
    import ctypes
    ctypes.string_at(0)
def hangs(x): time.sleep(1000)
def ignores(x):
    import signal
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True: pass
def closes(x):
    os.closerange(3, 64)
    return x
def forges(x):
    for fd in range(3, 64):
        try: os.write(fd, b"\\x00" * 64)
        except OSError: pass
    return x
def sometimes(x):
    if x[0] == 0: os._exit(1)
    return good(x)

def a_list(x): return x.tolist()
def nothing(x): return None
def text(x): return np.array(["a"] * x.size)
def objects(x): return x.astype(object)
def integers(x): return np.zeros(x.shape, int)
def longer(x): return np.zeros(x.size + 1, x.dtype)
def changes(x):
    x[0] = 9
    return good(x)
def a_number(x): return float(np.log(np.exp(x).sum()))
def forks(x):
    if os.fork() == 0: time.sleep(1000)
    return good(x)
def two(x, y): return x
def none(): return 1
class Silent(Exception):
    def __str__(self): raise LookupError
def silent(x): raise Silent
def backwards(x): return good(x).astype(">f4")
class Softmax:
    def __call__(self, x, dim=-1): return good(x, dim)
softmax = Softmax()
attention = lambda query, key, value, attn_mask=None: value[: len(query)]
constant = 3
"""

ROW = ScoresInput("", np.array([1.0, 2.0, 0.5], np.float32))


@pytest.fixture(autouse=True)
def hostile(tmp_path, monkeypatch):
    (tmp_path / "hostile.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "json.py").write_text("raise RuntimeError('the user has a json.py')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answer(name, given=ROW, **more):
    with Process(f"hostile:{name}", timeout=more.pop("timeout", 5), first=more.pop("first", 20), **more) as process:
        return process(given)


def test_a_good_one_is_answered_to_the_bit():
    found = answer("good")
    shifted = np.exp(ROW.x - ROW.x.max())
    assert found.result.tobytes() == (shifted / shifted.sum()).tobytes()
    assert (found.result.dtype, found.changed, found.trouble) == (np.float32, (), None)


def test_bytes_in_the_other_order_are_the_numbers_they_are():
    due, found = answer("good").result, answer("backwards").result
    assert (found.dtype.str, found.tobytes()) == (due.dtype.str, due.tobytes())


@pytest.mark.parametrize("name", ["talks", "reads", "softmax"])
def test_what_is_printed_and_read_is_none_of_our_pipes(name):
    assert answer(name).trouble is None


@pytest.mark.parametrize(
    ("name", "trouble", "said"),
    [
        ("raises", "raised", "KeyError: 'a key' (line 20 of hostile.py)"),
        ("leaves", "raised", "SystemExit: 3 (line 21 of hostile.py)"),
        (
            "silent",
            "raised",
            "Silent: (what it says is not known: its __str__ raises LookupError) (line 62 of hostile.py)",
        ),
        ("dies", "died", "ended the interpreter (exit code 7; it said: the last words)"),
        ("crashes", "died", "ended the interpreter (signal SIGSEGV)"),
        ("a_list", "type", "returned a list: an array was due"),
        ("nothing", "type", "returned a NoneType: an array was due"),
        ("text", "dtype", "returned str32: floating-point numbers were due"),
        ("objects", "dtype", "returned object: floating-point numbers were due"),
        ("integers", "dtype", "returned int64: floating-point numbers were due"),
        ("longer", "shape", "returned shape (4,): (3,) was due"),
    ],
)
def test_what_goes_wrong_is_told_in_a_line(name, trouble, said):
    found = answer(name)
    assert (found.trouble, found.said, found.result) == (trouble, said, None)


@pytest.mark.parametrize("name", ["hangs", "ignores"])
def test_one_that_hangs_is_ended_within_the_limit(name):
    started = time.monotonic()
    found = answer(name, timeout=0.5, first=4)
    assert (found.trouble, found.said) == ("hung", "did not return within 4 s")
    assert time.monotonic() - started < 15


@pytest.mark.parametrize("name", ["closes", "forges"])
def test_one_that_works_on_our_pipes_is_told_as_an_end(name):
    assert answer(name).trouble == "died"


def test_after_an_end_a_new_process_answers_until_it_is_enough():
    zero = ScoresInput("", np.zeros(3, np.float32))
    with Process("hostile:sometimes", timeout=5) as process:
        for k in range(MOST_ENDS - 1):
            assert process(zero).trouble == "died"
            assert process.ends == k + 1
            assert process(ROW).trouble is None
        assert process(zero).trouble == "died"
        assert process(ROW).said == "is not called any more"


def test_a_change_in_place_is_seen_and_does_not_reach_us():
    found = answer("changes")
    assert (found.changed, ROW.x.tolist()) == (("x",), [1.0, 2.0, 0.5])


def test_a_python_float_is_a_double():
    given = ScoresInput("", np.array([0.0, 0.0]))
    found = answer("a_number", given, kind="logsumexp")
    assert (found.result.dtype, found.result.shape) == (np.float64, ())


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system does not list its processes in /proc")
def test_what_it_started_ends_with_it():
    with Process("hostile:forks", timeout=5) as process:
        assert process(ROW).trouble is None
        group = process._process.pid
        assert not gone(group)
    assert any(gone(group) for _ in range(100))


def gone(group):
    """Does nothing of a process group run any more? What has ended and was not fetched (Z) does not run."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, pgrp = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[:3]
        except OSError:  # it ended in between
            continue
        if int(pgrp) == group and state != "Z":
            time.sleep(0.05)
            return False
    return True


@pytest.mark.parametrize("layout", ["C", "F", "strided"])
def test_arrays_arrive_as_they_are(layout, hostile):
    code = "import numpy as np\ndef f(q, k, v, mask=None, is_causal=False, scale=None):\n"
    code += "    assert q.strides == {0!r} and mask.dtype == bool and is_causal is True and scale == 0.1\n"
    code += "    return np.array(v[: len(q)])\n"
    strides = {"C": (24, 8), "F": (8, 16), "strided": (48, 16)}[layout]
    Path(hostile, "own.py").write_text(code.format(strides), encoding="utf-8")
    q, k, v = np.arange(6.0).reshape(2, 3), np.ones((2, 3)), np.array([[np.nan, -0.0], [np.inf, 5e-324]])
    given = AttentionInput("", q, k, v, np.array([[True, False]] * 2), True, 0.1, layout)
    with Process("own:f") as process:
        assert process(given).result.tobytes() == v.tobytes()


def test_a_module_is_found_where_this_process_finds_it(hostile, monkeypatch):
    Path(hostile, "apart").mkdir()
    Path(hostile, "apart", "apart.py").write_text("def f(x): return x", encoding="utf-8")
    monkeypatch.syspath_prepend(str(hostile / "apart"))
    with Process("apart:f") as process:
        assert process(ROW).result.tolist() == ROW.x.tolist()


# -- before the first call ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("hostile", "'hostile' is no MODULE:CALLABLE"),
        ("hostile.good", "'hostile.good' is no MODULE:CALLABLE (did you mean 'hostile:good'?)"),
        ("hostile:goo", "hostile has no 'goo' (did you mean 'good'?)"),
        ("hostile:constant", "hostile:constant is a int: a callable was due"),
        ("hostile:two", "two takes 'y' as well, which has no default: wrap it in a function of x alone"),
        ("hostile:none", "none takes (): (x) was due for softmax"),
        ("nowhere:f", "there is no module 'nowhere' in {folder} or on sys.path"),
        ("broken:f", "importing broken fails: ZeroDivisionError: division by zero (line 1 of broken.py)"),
        ("leaving:f", "importing leaving fails: SystemExit: 0 (line 2 of leaving.py)"),
        (
            "lacking:f",
            "importing lacking fails: ModuleNotFoundError: No module named 'elsewhere' (line 1 of lacking.py)",
        ),
        ("dying:f", "importing dying ended the interpreter (exit code 4)"),
    ],
)
def test_what_is_not_found_is_one_line(target, said, hostile):
    files = {
        "broken": "1 / 0",
        "leaving": "import sys\nsys.exit(0)",
        "lacking": "import elsewhere",
        "dying": "import os\nos._exit(4)",
    }
    for name, code in files.items():
        Path(hostile, f"{name}.py").write_text(code, encoding="utf-8")
    with pytest.raises((InputError, OptionError)) as error, Process(target):
        pass
    assert str(error.value) == said.replace("{folder}", os.getcwd())


def test_an_import_that_hangs_is_one_line(hostile):
    Path(hostile, "sleeping.py").write_text("import time\ntime.sleep(1000)", encoding="utf-8")
    with (
        pytest.raises(InputError, match=r"importing sleeping did not end within 1 s"),
        Process("sleeping:f", None, 1, 1),
    ):
        pass
