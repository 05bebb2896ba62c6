"""What is imported: python-flint and Jinja2 do for solving and for the HTML and LaTeX writers."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

BLOCKED = ("click", "rich", "numpy", "sympy", "mpmath", "hypothesis", "playwright", "pytest", "yaml")

HOOK = f"""
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {BLOCKED!r}:
            raise ModuleNotFoundError(f"{{name}} is blocked")

sys.meta_path.insert(0, Blocked())
"""

REPORT = """
import json
outside = sorted({name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names))
print(json.dumps(outside))
"""


def outside_modules(code):
    """The top-level modules outside the standard library that a piece of code imports, with what is optional blocked."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", HOOK + code + REPORT], capture_output=True, text=True, encoding="utf-8"
    )
    assert done.stderr == ""
    return {
        name for name in json.loads(done.stdout.splitlines()[-1])
        if not name.startswith(("_", "sitecustomize", "distutils-precedence", "cython_runtime"))
    }  # fmt: skip


def test_importing_the_package_imports_nothing_else():
    assert outside_modules("import exactattn; dir(exactattn)") == {"exactattn"}


@pytest.mark.parametrize(
    ("code", "modules"),
    [
        ("import exactattn as xa\nxa.solve('xian').weights.decimal(30)", {"exactattn", "flint"}),
        ("import exactattn as xa\nxa.solve('xian', places='auto', track='stepwise')", {"exactattn", "flint"}),
        (
            "import exactattn as xa\nfrom fractions import Fraction\n"
            "t = xa.attend([['1/3', 0.5]], [[Fraction(1, 2), '½']], [['sqrt(2)']], mask='causal')\n"
            "assert sum(t.weights[0, j] for j in range(1)) == 1\n"
            "assert xa.Trace.from_json(t.to_json()) == t\n"
            "t.output[0, 0].significant(15), t.output[0, 0].interval(64), t.output.to_float()",
            {"exactattn", "flint"},
        ),
        (
            "import exactattn as xa\ns = xa.solve('xian')\n"
            "for lang in ('zh', 'en'):\n"
            "    for layout in ('full', 'brief', 'ledger', 'worksheet'):\n"
            "        for format in ('html', 'latex'):\n"
            "            assert len(xa.render(s, format, lang=lang, layout=layout)) > 1000",
            {"exactattn", "flint", "jinja2", "markupsafe"},
        ),
        (
            "import exactattn as xa\nxa.render(xa.solve('two-heads'), 'latex', body='fragment', show='both')",
            {"exactattn", "flint", "jinja2", "markupsafe"},
        ),
        ("import exactattn as xa\nxa.render(xa.solve('causal'), 'json')", {"exactattn", "flint"}),
        (
            "import exactattn as xa\nassert callable(xa.reference)\n"
            "from fractions import Fraction\nfrom exactattn.testing.truth import Row\nRow.of([Fraction(1)]).weights(64)",
            {"exactattn", "flint"},
        ),
    ],
    ids=["digits", "auto", "attend", "pages", "fragment", "json", "truth"],
)
def test_solving_and_writing_import_the_number_core_and_jinja2_alone(code, modules):
    assert outside_modules(code) <= modules


def test_no_thread_or_process_is_started():
    code = (
        "import sys\n"
        "def audit(event, args):\n"
        "    if event in ('subprocess.Popen', 'os.system', 'os.fork', 'socket.connect', '_thread.start_new_thread'):\n"
        "        raise AssertionError(event)\n"
        "sys.addaudithook(audit)\n"
        "import exactattn as xa\ns = xa.solve('xian')\nxa.render(s, 'html'), xa.render(s, 'latex')\n"
    )
    assert outside_modules(code) <= {"exactattn", "flint", "jinja2", "markupsafe"}
