"""`exactattn verify`: exit codes, reports, what is refused."""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys
from html import escape
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import exactattn as xa
from exactattn.cli import main
from exactattn.i18n import languages
from exactattn.testing.record import schema

CODE = """
import os, sys, time
import numpy as np

def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

def wrong(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / (1 + e.sum(axis=axis, keepdims=True))

def attention(q, k, v, mask=None):
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]).astype(q.dtype)
    return softmax(s if mask is None else np.where(mask, s, -np.inf)) @ v

def only_rows(x):
    if x.ndim > 1: raise ValueError("one row was due")
    return softmax(x)

def hangs(x): time.sleep(1000)
def dies(x): os._exit(5)
def prints(x):
    print("{" * 50, flush=True)
    return softmax(x)
def marked_up(x):
    raise ValueError("[red]<b>\\x1b[31m$x_2$\\\\input{a}")
"""


@pytest.fixture(autouse=True)
def mine(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(CODE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str):
    return CliRunner().invoke(main, ["verify", *args], catch_exceptions=False)


def shown(code: int, *args: str) -> str:
    result = run(*args)
    assert (result.exit_code, result.stderr) == (code, "")
    return result.stdout


def refused(*args: str) -> str:
    result = run(*args)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    return result.stderr.removeprefix("exactattn: ").rstrip("\n")


def joined(out: str) -> str:
    """The text of a page without its line breaks and frames."""
    return " ".join(out.replace("│", " ").split())


FEW = ("--examples", "2", "--dtype", "float32")


def test_a_right_one_passes_and_leaves_nothing_behind(mine):
    out = shown(0, "mine:softmax", *FEW)
    assert "Verification: mine:softmax" in out
    assert "Nothing fails" in out
    assert {path.name for path in mine.iterdir()} <= {"mine.py", "__pycache__"}


def test_a_wrong_one_fails_and_is_told_in_full():
    out = shown(1, "mine:wrong", *FEW)
    assert "These fail: accuracy (float32), sums-to-one (float32)" in out
    # one key: 1/2 where 1 is due; the smallest input there is
    assert "returned 0.5, the true value is 1" in out
    assert "0x00000000" in out
    assert "mine.wrong(np.array([0.0], dtype='float32'), axis=-1)" in joined(out)


def test_only_the_rows_asked_for_are_judged():
    data = json.loads(shown(0, "mine:wrong", *FEW, "--only", "same-argmax,strictly-monotone", "--json"))
    assert [row["name"] for row in data["rows"]] == ["strictly-monotone", "same-argmax"]
    assert data["options"] == {"only": "same-argmax, strictly-monotone"}


def test_the_json_is_as_its_schema_says_and_holds_what_reproduces_a_failure():
    data = json.loads(shown(1, "mine:wrong", *FEW, "--seed", "3", "--json"))
    Draft202012Validator(schema()).validate(data)
    assert (data["callable"], data["seed"], data["dtypes"], data["passes"]) == ("mine:wrong", 3, ["float32"], False)
    versions = {"exactattn": xa.__version__, "python": platform.python_version(), "numpy": np.__version__}
    assert data["versions"] == versions
    (row,) = [row for row in data["rows"] if row["name"] == "accuracy"]
    told = row["failure"]
    assert told["arrays"]["x"] == {"dtype": "float32", "shape": [1], "bits": ["0x00000000"], "decimals": ["0.0"]}
    assert (told["true"], told["got"], told["ulp"]) == ("1", "0.5", "4.19e6")  # half of 2^23
    assert row["ulp"]["entries"] == row["checks"]


def test_the_same_seed_gives_the_same_report():
    args = ("mine:softmax", *FEW, "--seed", "5", "--only", "accuracy,key-permutation", "--json")
    assert shown(0, *args) == shown(0, *args)


@pytest.mark.parametrize("lang", languages())
def test_reports_are_written_in_every_format(mine, lang):
    files = [f"report.{suffix}" for suffix in ("html", "md", "txt", "tex", "json")]
    outputs = [part for name in files for part in ("-o", name)]
    shown(1, "mine:wrong", "--examples", "0", "--dtype", "float16", "--only", "sums-to-one", *outputs, "--lang", lang)
    for name in files:
        text = Path(mine, name).read_text(encoding="utf-8")
        assert "mine:wrong" in text
        assert "0x0000" in text
    Draft202012Validator(schema()).validate(json.loads(text))


@pytest.mark.parametrize("axis", ["-4", "3"])
def test_every_axis_of_four_dimensions_can_be_asked_for(axis):
    data = json.loads(shown(0, "mine:softmax", *FEW, "--axis", axis, "--json"))
    assert data["options"] == {"axis": axis}


@pytest.mark.parametrize("lang", languages())
def test_what_makes_the_call_again_is_code_to_copy(mine, lang):
    outputs = [part for suffix in ("html", "md", "tex") for part in ("-o", f"report.{suffix}")]
    shown(1, "mine:wrong", *FEW, "--only", "sums-to-one", *outputs, "--lang", lang)
    page, written, tex = (
        Path(mine, f"report.{suffix}").read_text(encoding="utf-8") for suffix in ("html", "md", "tex")
    )
    line = "import numpy as np, mine; mine.wrong(np.array([0.0], dtype='float32'), axis=-1)"
    assert f'<pre class="code"><code>{escape(line)}</code></pre>' in page
    assert f"\n>\n> ```\n> {line}\n> ```\n" in written
    # what TeX sets: a space, a straight quote, a place where a line may break
    (code,) = re.findall(r"^\\attncode\{(.*)\}$", tex, re.MULTILINE)
    for command, letter in ((r"\attnbr{}", ""), (r"\textquotesingle{}", "'"), (r"\ ", " ")):
        code = code.replace(command, letter)
    assert code == line


@pytest.mark.parametrize("lang", languages())
def test_what_an_exception_says_is_text_in_every_format(mine, lang):
    shown(
        1,
        "mine:marked_up",
        *FEW,
        "--only",
        "returns",
        "-o",
        "report.html",
        "-o",
        "report.tex",
        "-o",
        "report.md",
        "--lang",
        lang,
    )
    page = Path(mine, "report.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "\x1b" not in page + Path(mine, "report.tex").read_text(encoding="utf-8")
    assert "\\input{a}" not in Path(mine, "report.tex").read_text(encoding="utf-8")


# -- conventions ---------------------------------------------------------------------------------------------------------------


def test_conventions_are_reported_and_fail_only_where_asked_otherwise():
    plain = json.loads(shown(0, "mine:attention", *FEW, "--only", "accuracy,fully-masked", "--json"))
    (found,) = [one for one in plain["conventions"] if one["name"] == "fully-masked"]
    assert (found["found"], found["asked"]) == ("nan", None)
    shown(0, "mine:attention", *FEW, "--only", "fully-masked", "--convention", "fully-masked=nan")
    out = shown(1, "mine:attention", *FEW, "--only", "fully-masked", "--convention", "fully-masked=zero")
    assert "fully-masked" in out


def test_masked_nan_that_leaks_is_a_failure():
    data = json.loads(shown(1, "mine:attention", *FEW, "--json"))
    assert [row["name"] for row in data["rows"] if row["verdict"] == "fails"] == ["masked-key-unread"]


def test_one_that_takes_rows_alone_is_given_rows_alone():
    data = json.loads(shown(0, "mine:only_rows", *FEW, "--json"))
    assert {"name": "leading-dimensions", "dtype": None, "found": "refused", "asked": None} in data["conventions"]


def test_strict_makes_bits_and_order_count():
    shown(0, "mine:softmax", "--examples", "60", "--dtype", "float32", "--only", "key-permutation")
    shown(1, "mine:softmax", "--examples", "60", "--dtype", "float32", "--only", "key-permutation", "--strict")


# -- hostile -------------------------------------------------------------------------------------------------------------------


def test_one_that_ends_the_interpreter_is_told_and_left_alone():
    out = shown(1, "mine:dies", *FEW)
    assert "ended the interpreter (exit code 5)" in joined(out)
    assert "was not called any more" in joined(out)
    assert "fails (3 of 3)" in out


def test_one_that_hangs_is_told(monkeypatch):
    from exactattn.testing import process

    monkeypatch.setattr(process.Process.__init__, "__defaults__", (None, 0.3, 6.0))
    out = shown(1, "mine:hangs", *FEW, "--timeout", "0.3")
    assert "did not return within" in joined(out)


def test_one_that_prints_does_no_harm():
    shown(0, "mine:prints", *FEW, "--only", "accuracy")


# -- what is refused -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            (),
            "MODULE:CALLABLE is missing, as in mymodule:softmax (--list shows what is built in) (see exactattn verify --help)",
        ),
        (("mine",), "'mine' is no MODULE:CALLABLE"),
        (("mine:sofmax",), "mine has no 'sofmax' (did you mean 'softmax'?)"),
        (("mine:softmax", "--dtype", "flaot32"), "(did you mean 'float32'?)"),
        (("mine:softmax", "--dtype", ""), "no dtype to draw inputs in: name one, as in float32"),
        (("mine:softmax", "--dtype", "object"), "dtype 'object' is not one of float16,"),
        (("mine:attention", "--dtype", "int8"), "dtype int8: attention is tested in floating formats"),
        (("mine:softmax", "--only", "sum-to-one"), "(did you mean 'sums-to-one'?)"),
        (("mine:softmax", "--convention", "fully=zero"), "convention 'fully=zero': there are fully-masked, causal"),
        (
            ("mine:softmax", "--convention", "causal=top-lft"),
            "top-left or bottom-right was due (did you mean 'top-left'?)",
        ),
        (("mine:softmax", "--accuracy", "strct"), "accuracy 'strct': usual or strict was due (did you mean 'strict'?)"),
        (("mine:softmax", "--accumulate", "float16"), "accumulate 'float16': float32 or same was due"),
        (("mine:softmax", "--kind", "softmx"), "kind 'softmx' is not one of"),
        (
            ("mine:softmax", "--axis", "5"),
            "axis 5: the inputs have at most 4 dimensions, so -4 to 3 was due",
        ),
        (("mine:softmax", "--axis", "-5"), "axis -5: the inputs have at most 4 dimensions, so -4 to 3 was due"),
        (("mine:attention", "--axis", "1"), "axis 1: attention has no axis to set"),
        (("mine:softmax", "-o", "report.doc"), "the suffix '.doc' is no format"),
        (("mine:softmax", "-o", "figures/"), "a report is one file"),
        (("mine:softmax", "--lang", "fr"), "language 'fr' is not one of"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bad_input_is_one_line_and_exit_code_2(args, said):
    assert said in refused(*args)


def test_the_list_says_what_is_built_in_and_installed():
    out = shown(0, "--list")
    assert "numpy:softmax" in out
    assert "torch.nn.functional:scaled_dot_product_attention" in out
    assert "jax.nn:dot_product_attention" in out
    assert "onnx:Attention" in out
    lines = [line for line in out.splitlines() if line.startswith("scipy.special:softmax")]
    assert len(lines) == 1
    assert "not installed" not in lines[0]


def test_listing_imports_no_library_and_importing_exactattn_none_at_all():
    code = "import sys, exactattn, exactattn.testing\nassert not {'numpy', 'hypothesis', 'scipy'} & set(sys.modules)\n"
    code += "dir(exactattn.testing)\nfrom exactattn.cli import main\n"
    code += "main(['verify', '--list'], standalone_mode=False)\n"
    code += "assert not {'hypothesis', 'scipy', 'torch', 'jax', 'onnx', 'onnxruntime'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
    assert xa.__version__
