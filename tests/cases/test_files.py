"""Files: where a case is found, how its bytes become names and numbers, and what is said when they do not."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from exactattn.cases import CASE_LIMITS, load_case
from exactattn.errors import CaseError, ExactAttnError, FileError, LimitError

HEAD = 'tokens = ["a", "b"]\n[attention]\nscale = "1/2"\n[inputs]\n'


def write(folder: Path, text: str | bytes, name: str = "my.toml") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def error_of(path: Path, kind: type[ExactAttnError] = CaseError, limits=CASE_LIMITS) -> str:
    with pytest.raises(kind) as caught:
        load_case(path, limits=limits)
    assert type(caught.value) is kind
    return str(caught.value).replace(str(path), path.name)


# -- numbers as they stand ---------------------------------------------------------------------------------------------------


def test_a_toml_decimal_is_its_text_and_never_a_float(tmp_path):
    case = load_case(write(tmp_path, HEAD + "scores = [[0.10, -0.30000000000000000001], [1e-400, 0x10]]"))
    assert case.inputs["scores"] == (("0.10", "-0.30000000000000000001"), ("1e-400", "16"))


def test_a_json_number_is_its_text_and_never_a_float(tmp_path):
    text = '{"inputs": {"scores": [[0.10, -0.30000000000000000001], [1E-400, 12345678901234567890]]}}'
    case = load_case(write(tmp_path, text, "my.json"))
    assert case.inputs["scores"] == (("0.10", "-0.30000000000000000001"), ("1e-400", "12345678901234567890"))


def test_underscores_of_toml_are_no_part_of_the_number(tmp_path):
    assert load_case(write(tmp_path, HEAD + "scores = [[1_000.5, 2], [0, 1]]")).inputs["scores"][0] == ("1000.5", "2")


def test_toml_and_json_have_the_same_names_and_give_the_same_case(tmp_path):
    toml = write(
        tmp_path,
        """
        id = "same"
        title = "Same"
        tokens = ["a", "b"]
        [inputs]
        Q = [[1, "1/2"], [0.50, 2]]
        K = [[1, 0], [0, 1]]
        V = [[1], [2]]
        [attention]
        scale = 0.5
        mask = [[1, 0], [1, 1]]
        heads = 2
        [show]
        rows = ["#2"]
        places = { scores = 2, weights = 3 }
        [[compare]]
        label = "plain"
        scale = 1
        """,
    )
    tree = {
        "id": "same",
        "title": "Same",
        "tokens": ["a", "b"],
        "inputs": {"Q": [[1, "1/2"], ["0.50", 2]], "K": [[1, 0], [0, 1]], "V": [[1], [2]]},
        "attention": {"scale": 0.5, "mask": [[1, 0], [1, 1]], "heads": 2},
        "show": {"rows": ["#2"], "places": {"scores": 2, "weights": 3}},
        "compare": [{"label": "plain", "scale": 1}],
    }
    case = load_case(toml)
    assert case == load_case(write(tmp_path, json.dumps(tree), "my.json")) == replace(load_case(tree), folder=tmp_path)
    assert case.attention.given() == {"scale": "0.5", "mask": ((1, 0), (1, 1)), "heads": 2}
    assert case.show.places == "scores=2,weights=3"
    assert (case.compare[0].label, case.compare[0].attention.given()) == ("plain", {"scale": "1"})


# -- encodings ---------------------------------------------------------------------------------------------------------------


def test_utf8_is_read_whatever_the_locale_with_or_without_a_bom(tmp_path):
    for bom in (b"", b"\xef\xbb\xbf"):
        text = bom + 'tokens = ["西安"]\r\n[inputs]\r\nscores = [[1, 2]]\r\n'.encode()
        assert load_case(write(tmp_path, text)).tokens == ("西安",)


def test_gbk_is_named_in_the_error_with_the_line(tmp_path):
    path = write(tmp_path, '# a case\ntitle = "西安"\n'.encode("gb18030"))
    assert error_of(path, FileError) == "my.toml, line 2: not UTF-8 (it may be GBK): save the file as UTF-8"


def test_utf16_is_named_in_the_error(tmp_path):
    path = write(tmp_path, "title = 'a'".encode("utf-16"))
    assert error_of(path, FileError) == "my.toml: UTF-16, not UTF-8: save the file as UTF-8"


def test_other_bytes_are_an_error_with_the_line(tmp_path):
    assert (
        error_of(write(tmp_path, b"\n\nx = '\xff'"), FileError) == "my.toml, line 3: not UTF-8: save the file as UTF-8"
    )


def test_half_a_surrogate_pair_is_no_character(tmp_path):
    path = write(tmp_path, '{"tokens": ["\\ud83d"], "inputs": {"scores": [[1]]}}', "my.json")
    assert error_of(path) == "'\\ud83d' holds half of a surrogate pair, which is no character"


# -- what is no TOML or JSON -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            r'Q = "data\q.csv"',
            "line 1, column 11: not TOML (unescaped '\\' in a string): Q = \"data\\q.csv\" -- in \"...\" a backslash "
            "starts an escape: write a path with / (data/q.csv), other text in single quotes",
        ),
        (
            r'Q = "C:\Users\q.csv"',
            "line 1, column 9: not TOML (invalid hex value): Q = \"C:\\Users\\q.csv\" -- in \"...\" a backslash "
            "starts an escape: write a path with / (data/q.csv), other text in single quotes",
        ),
        (
            "scale = 1/2",
            "line 1, column 10: not TOML (expected newline or end of document after a statement): scale = 1/2 -- "
            'fractions, roots and the like are written in quotes: "1/2", "sqrt(2)"',
        ),
        (
            "scale = sqrt(2)",
            "line 1, column 9: not TOML (invalid value): scale = sqrt(2) -- "
            'fractions, roots and the like are written in quotes: "1/2", "sqrt(2)"',
        ),
        ("id = 'a'\nid = 'b'", "line 2, column 9: not TOML (cannot overwrite a value): id = 'b' -- the name stands there twice"),
        ("hello", "line 1: not TOML (expected '=' after a key in a key/value pair): hello"),
    ],
)  # fmt: skip
def test_what_is_no_toml_is_shown_with_its_line_and_a_hint(tmp_path, line, message):
    # without a newline some of these are only noticed at the end of the document
    found = error_of(write(tmp_path, line + "\n"))
    assert found.split(": not TOML")[0].startswith("my.toml, line ")
    assert found.split(": not TOML")[1] == message.split(": not TOML")[1]


def test_what_is_no_json_is_shown_with_its_line_and_a_hint(tmp_path):
    found = error_of(write(tmp_path, '{\n "inputs": {"scores": [[1/2]]}\n}', "my.json"))
    assert found == (
        'my.json, line 2, column 26: not JSON (expecting \',\' delimiter): "inputs": {"scores": [[1/2]]} -- '
        'fractions, roots and the like are written in quotes: "1/2", "sqrt(2)"'
    )


def test_a_name_twice_in_a_json_object_is_an_error(tmp_path):
    path = write(tmp_path, '{"inputs": {"Q": [[1]], "Q": [[2]]}}', "my.json")
    assert error_of(path) == "my.json: 'Q' stands twice in one object"


def test_json_that_is_no_object_is_an_error(tmp_path):
    assert error_of(write(tmp_path, "[1]", "my.json")) == "my.json holds no object: a case is one, {...}"


def test_nan_and_infinity_of_json_are_no_numbers(tmp_path):
    from exactattn.errors import NumberError

    path = write(tmp_path, '{"inputs": {"scores": [[1, -Infinity]]}}', "my.json")
    message = "scores, row 1, column 2: '-Infinity' is no number: to keep a query from a key, use the mask"
    assert error_of(path, NumberError) == message
    path = write(tmp_path, '{"inputs": {"scores": [[NaN, 1]]}}', "my.json")
    assert error_of(path, NumberError) == "scores, row 1, column 1: 'NaN' is no number"


# -- limits ------------------------------------------------------------------------------------------------------------------


def test_a_file_beyond_the_limit_is_refused_unread(tmp_path):
    path = write(tmp_path, b"#" * (16 * 2**20 + 1))
    assert error_of(path, LimitError) == "my.toml is larger than 16 MiB (raise it with the limit 'file_bytes')"


@pytest.mark.parametrize("deep", [99, 5000, 100_000])
@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_deep_nesting_is_an_error_and_no_crash(tmp_path, suffix, deep):
    value = "[" * deep + "]" * deep
    text = f"about = {value}" if suffix == "toml" else f'{{"about": {value}}}'
    found = error_of(write(tmp_path, text, f"my.{suffix}"), LimitError if deep > 99 else CaseError)
    wanted = f"my.{suffix} is nested more than 100 deep (raise it with the limit 'nesting')"
    assert found == wanted if deep > 99 else found.startswith("the case has no [inputs]")


def test_a_file_has_at_most_512_tokens_and_the_limit_can_be_raised(tmp_path):
    path = write(tmp_path, json.dumps({"inputs": {"Q": [[1]] * 513, "K": [[1]], "V": [[1]]}}), "my.json")
    assert error_of(path, LimitError) == "Q has 513 tokens: the limit is 512 (raise it with the limit 'tokens')"
    assert len(load_case(path, limits=replace(CASE_LIMITS, tokens=513)).inputs["Q"]) == 513
    path = write(tmp_path, json.dumps({"inputs": {"scores": [[1] * 600]}}), "my.json")
    assert error_of(path, LimitError) == "scores has 600 tokens: the limit is 512 (raise it with the limit 'tokens')"
    assert len(load_case({"inputs": {"scores": [[1] * 600]}}).inputs["scores"][0]) == 600


def test_a_number_beyond_the_limit_is_named_in_its_place(tmp_path):
    found = error_of(write(tmp_path, HEAD + f"scores = [[0.{'1' * 1001}, 1], [1, 1]]"), LimitError)
    assert found.startswith("scores, row 1, column 1: a number of 1002 digits: the limit is 1000")


def test_a_whole_number_that_python_does_not_read_is_an_error(tmp_path):
    found = error_of(write(tmp_path, HEAD + f"scores = [[{'1' * 5000}]]"), LimitError)
    assert found == "my.toml holds a whole number of too many digits: write it in quotes"


# -- where cases are found ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("xain", "no bundled case and no file 'xain' (did you mean 'xian'?)"),
        ("xian.toml", "no such file: 'xian.toml' (the bundled case is 'xian', without a suffix)"),
        ("lesson.tml", "no bundled case and no file 'lesson.tml' (did you mean 'lesson.toml'?)"),
        ("nowhere/at/all.toml", "no such file: 'nowhere/at/all.toml'"),
        ("a\0b", "no bundled case and no file 'a\\x00b'"),
        (".", "cannot read .: is a directory"),
    ],
)
def test_a_case_that_is_not_there_gets_a_suggestion(tmp_path, monkeypatch, name, message):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "", "lesson.toml")
    with pytest.raises(FileError) as caught:
        load_case(name)
    assert str(caught.value) == message


def test_a_path_object_is_always_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, HEAD + "scores = [[1], [2]]", "xian")
    assert load_case("xian").title == "西安：注意力的四步"
    assert load_case("./xian").inputs == load_case(Path("xian")).inputs == {"scores": (("1",), ("2",))}


@pytest.mark.parametrize("text", [HEAD + "scores = [[1], [2]]", '\n {"inputs": {"scores": [[1], [2]]}}'])
def test_standard_input_is_toml_or_json_by_its_first_character(monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert load_case("-").inputs["scores"] == (("1",), ("2",))


def test_a_case_is_returned_as_it_is():
    case = load_case("xian")
    assert load_case(case) is case


def test_an_unreadable_file_says_why(tmp_path, monkeypatch):
    path = write(tmp_path, "")

    def refuse(*_args, **_keywords):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)
    assert error_of(path, FileError) == "cannot read my.toml: permission denied"
