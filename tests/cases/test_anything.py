"""Whatever is in a file, it is read as a case or refused with an error of ours."""

from __future__ import annotations

import json
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from exactattn.cases import Case, bundled_text, load_case
from exactattn.cases.limits import CASE_LIMITS
from exactattn.cases.names import ATTENTION, IGNORED_TOP, INPUTS, SHOW, TOP
from exactattn.cases.reading import decode, parse
from exactattn.errors import ExactAttnError

names = st.sampled_from([*TOP, *INPUTS, *ATTENTION, *SHOW, *IGNORED_TOP, "label", "scael", ""]) | st.text(max_size=5)
leaves = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["1/2", "−½", "1e9999", "sqrt(2)", "a", "q.csv", "../q.npy", "causal", "auto", "1,5", "\ud800", "1" * 1100])
)  # fmt: skip
trees = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4), max_leaves=12
)
matrices = st.lists(st.lists(leaves, min_size=1, max_size=2), min_size=1, max_size=2)
cases = st.dictionaries(names, trees, max_size=4).flatmap(
    lambda top: st.fixed_dictionaries(
        {"inputs": st.dictionaries(st.sampled_from(INPUTS), matrices | trees, max_size=3)}
    ).map(lambda inputs: top | inputs)
)


@given(cases)
def test_any_tree_is_a_case_or_an_error(tree):
    with suppress(ExactAttnError):
        assert isinstance(load_case(tree), Case)


@given(cases)
def test_any_json_is_a_case_or_an_error(tree):
    with suppress(ExactAttnError):
        assert isinstance(load_case(parse(json.dumps(tree), "x.json", "json", CASE_LIMITS)), Case)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data):
    with suppress(ExactAttnError):
        parse(decode(data, "x.toml"), "x.toml", None, CASE_LIMITS)


@given(st.data())
def test_a_case_cut_off_or_changed_anywhere_is_read_or_refused(data):
    text = bundled_text(data.draw(st.sampled_from(["xian", "project", "letters"])))
    at = data.draw(st.integers(0, len(text)))
    changed = text[:at] + data.draw(st.text(max_size=3)) + text[at + data.draw(st.integers(0, 4)) :]
    with suppress(ExactAttnError):
        assert isinstance(load_case(parse(changed, "x.toml", "toml", CASE_LIMITS)), Case)
