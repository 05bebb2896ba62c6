"""The order of the house: floors, words, what never stands in the code."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from exactattn.i18n import languages, messages

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "exactattn"
MODULES = sorted(PACKAGE.rglob("*.py"))
TREE = ("exactattn", "templates", "tests", ".ci", "README.md", "CHANGELOG.md", "pyproject.toml", ".gitignore")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def texts() -> Iterator[tuple[str, str]]:
    """Every text file of the tree, with its name."""
    for top in TREE:
        paths = sorted((ROOT / top).rglob("*")) if (ROOT / top).is_dir() else [ROOT / top]
        for path in paths:
            if path.is_file() and not {"__pycache__", "node_modules"} & set(path.parts):
                try:
                    yield name(path), path.read_text(encoding="utf-8")
                except UnicodeDecodeError:
                    continue  # fonts, arrays


def found(pattern: str) -> list[str]:
    """Where a pattern stands in the tree: "file:line: text"."""
    return [
        f"{path}:{number}: {line.strip()[:120]}"
        for path, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if re.search(pattern, line)
    ]


# -- floors --------------------------------------------------------------------------------------------------------------


def test_imports_point_down_only(monkeypatch, capsys):
    from importlinter.cli import lint_imports

    monkeypatch.chdir(ROOT)
    assert lint_imports(no_cache=True, no_logo=True) == 0, capsys.readouterr().out


def test_every_room_stands_on_a_floor_and_every_floor_has_its_rooms():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (floors,) = (contract for contract in contracts if contract["type"] == "layers")
    named = [room.strip() for floor in floors["layers"] for room in floor.split("|")]
    rooms = {p.stem for p in PACKAGE.iterdir() if p.suffix == ".py" or (p / "__init__.py").is_file()} - {"__init__"}
    assert sorted(named) == sorted(rooms)
    assert floors["exhaustive"] is True


# -- what never stands in the code -----------------------------------------------------------------------------------------

FORBIDDEN = {"eval", "exec", "sympify", "parse_expr", "parse_latex", "lambdify", "S", "system", "popen"}
FORBIDDEN_OF = {
    "pickle": {"load", "loads", "Unpickler"},
    "yaml": {"load", "full_load", "unsafe_load"},
    "marshal": {"load", "loads"},
    "shelve": {"open"},
}


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_no_text_of_a_user_can_become_code(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)) if called in FORBIDDEN:
                pytest.fail(f"{name(path)}:{node.lineno} calls {called}")
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=called)):
                assert called not in FORBIDDEN_OF.get(owner, ()), f"{name(path)}:{node.lineno} calls {owner}.{called}"
            case ast.keyword(arg="allow_pickle" | "shell", value=value):
                assert isinstance(value, ast.Constant), f"{name(path)}: {node.arg} is not plainly False"
                assert value.value is False, f"{name(path)}: {node.arg} is not False"


def test_nothing_in_the_tree_names_a_place_of_one_machine():
    assert found(r"[/](work|farm|root|tmp|home)[/]") == []


def test_nothing_in_the_tree_reads_beside_it():
    assert found(r"[/]shared\b") == []


def test_nothing_is_left_open_in_the_code():
    open_ends = r"\b(TO[D]O|FIX[M]E|X[X]X)\b"
    assert [line for line in found(open_ends) if line.startswith(("exactattn/", "templates/"))] == []


def test_no_template_silences_tex():
    assert [line for line in found(r"\\(hfuzz|tracinglostchars|batchmode)\b") if line.startswith("templates/")] == []


LONGEST = 400  # lines; about 300 are meant, and more than this is more than one idea
LISTS = {"exactattn/document.py"}  # every kind of node, one after the other


def test_no_file_of_the_package_is_long():
    lengths = {name(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {path: n for path, n in lengths.items() if n > LONGEST and path not in LISTS} == {}


def test_no_file_bears_a_name_that_says_nothing():
    assert [name(path) for path in MODULES if path.stem in {"utils", "util", "helpers", "common", "misc"}] == []


# -- words by language -------------------------------------------------------------------------------------------------------


def holes(sentence: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(sentence) if field is not None}


@pytest.mark.parametrize("lang", languages())
def test_every_language_says_the_same_things_with_the_same_parts(lang):
    mine, english = messages(lang), messages("en")
    assert mine.keys() == english.keys()
    sentences, others = sentences_of(lang), sentences_of("en")
    assert {key: holes(text) for key, text in sentences.items()} == {key: holes(text) for key, text in others.items()}


def sentences_of(lang: str) -> dict[str, str]:
    """Every sentence as written, by key."""

    def flat(prefix: str, table: dict[str, object]) -> Iterator[tuple[str, str]]:
        for key, value in table.items():
            if isinstance(value, dict):
                yield from flat(f"{prefix}{key}.", value)
            else:
                assert isinstance(value, str), f"{lang}: {prefix}{key} is no sentence"
                yield prefix + key, value

    return dict(flat("", tomllib.loads((PACKAGE / "i18n" / f"{lang}.toml").read_text(encoding="utf-8"))))


@pytest.mark.parametrize("lang", languages())
def test_no_sentence_is_empty_and_chinese_has_its_own_punctuation(lang):
    for key, sentence in sentences_of(lang).items():
        assert sentence.strip(), key
        if lang == "zh":
            assert not re.search(r"[\u4e00-\u9fff}][,;:?!](?!\w)", sentence), f"{key}: {sentence}"


def asked(tree: ast.AST, *, exports: bool) -> Iterator[tuple[int, str, set[str] | None]]:
    """Where words are asked for: the line, the key as a pattern, and the parts given (None where they are not all named)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "words_key":
            # the words of a question's kind, or of its case
            yield from ((node.lineno, rf"exam\.kind\.[^.]+(?:\.[^.]+)?\.{end}", None) for end in patterns(node.args[1]))
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        if node.func.attr not in {"say", "para", "text"}:
            continue
        given = {k.arg for k in node.keywords if k.arg is not None}
        if exports:
            given.add("id")  # what a format does not carry is said of questions: `Sheet.say`
        parts = None if any(k.arg is None for k in node.keywords) else given
        for pattern in patterns(node.args[0]):
            yield node.lineno, pattern, parts


def patterns(key: ast.expr) -> Iterator[str]:
    match key:
        case ast.Constant(value=str(text)):
            yield re.escape(text)
        case ast.JoinedStr(values=pieces):
            yield "".join(re.escape(p.value) if isinstance(p, ast.Constant) else r"[^.]+" for p in pieces)
        case ast.IfExp(body=body, orelse=orelse):
            yield from patterns(body)
            yield from patterns(orelse)


def keys_like(pattern: str) -> set[str]:
    """The keys a pattern stands for; a page asks below the name of its own table, as "solution"."""
    whole = re.compile(rf"(?:\w+\.)?{pattern}")
    return {key for key in messages("en").keys() if whole.fullmatch(key)}  # noqa: SIM118


def asked_everywhere() -> Iterator[tuple[str, str, set[str] | None]]:
    for path in MODULES:
        for line, pattern, parts in asked(ast.parse(path.read_text(encoding="utf-8")), exports="exports" in path.parts):
            if pattern != WHOLLY_OPEN:
                yield f"{name(path)}:{line}", pattern, parts


WHOLLY_OPEN = r"solution\.[^.]+"  # `page.say` itself, and the mark of `page.listed`
PAGE = PACKAGE / "present" / "page.py"


def test_every_key_the_code_asks_for_is_there():
    missing = [f"{where} {pattern}" for where, pattern, _ in asked_everywhere() if not keys_like(pattern)]
    assert missing == []


def test_every_key_that_is_there_is_asked_for():
    used = {key for _, pattern, _ in asked_everywhere() for key in keys_like(pattern)}
    for node in ast.walk(ast.parse(PAGE.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant):
            used.add(f"solution.{node.value}")
    assert messages("en").keys() - used == set()


def test_every_sentence_is_given_the_parts_it_has():
    wrong = []
    for where, pattern, parts in asked_everywhere():
        keys = keys_like(pattern)
        if len(keys) == 1 and parts is not None:
            (key,) = keys
            if missing := holes(sentences_of("en")[key]) - parts:
                wrong.append(f"{where} {key} without {sorted(missing)}")
    assert wrong == []
