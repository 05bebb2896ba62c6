"""Exports: a 3 × 3 question to Moodle XML without general feedback, and many questions streamed in flat memory."""

from __future__ import annotations

import io
import tracemalloc
from fractions import Fraction
from itertools import islice
from tempfile import TemporaryFile
from time import process_time

import pytest

from exactattn.exams.exam import exam
from exactattn.exams.model import Asked
from exactattn.exams.select import variants
from exactattn.exams.spec import Spec
from exactattn.exports import moodle
from exactattn.exports.formats import FORMATS
from exactattn.exports.item import item, items
from exactattn.exports.sheet import Sheet
from exactattn.i18n import messages

SCORES = {"n": 3, "m": 3, "d_k": 3}
ALL = {**SCORES, "d_v": 3}
QUESTIONS = {
    "a scaled score": Asked("s", "K01", size=SCORES, ask=("scaled",), answer="number"),
    "a row of scaled scores": Asked("s", "K01", points=Fraction(3), size=SCORES, ask=("scaled",), answer="row"),
    "a row of scores, before and after scaling": Asked("s", "K01", points=Fraction(6), size=SCORES),
    "a weight": Asked("w", "K04", size=ALL, ask=("weights",), answer="number"),
    "a row of weights": Asked("w", "K04", points=Fraction(3), size=ALL, ask=("weights",), answer="row"),
    "all nine weights": Asked("w", "K04", points=Fraction(9), size=ALL, ask=("weights",), answer="matrix"),
}
"""Numeric questions on 3 queries and 3 keys."""

ASKED = QUESTIONS["all nine weights"]
COUNT = 200


class Nowhere(io.RawIOBase):
    """A file that forgets what is written into it."""

    size = 0

    def writable(self):
        return True

    def write(self, data):
        self.size += len(data)
        return len(data)


def sheet(worked="none"):
    return Sheet("", messages("en"), worked=worked)


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.benchmark(timer=process_time)  # what counts is work, not who else is working
def test_to_moodle_from_the_seed_on(benchmark, line, name):
    """Drawn, keyed, set against every wrong method and written: the one pipeline."""
    words, asked = messages("en"), QUESTIONS[name]

    def make():
        found = islice(variants(asked, "benchmark"), COUNT)
        moodle.write((item(question, words, "b", n) for n, question in enumerate(found)), Nowhere(), sheet())

    benchmark.pedantic(make, rounds=5, warmup_rounds=1)
    line(f"3 × 3, {name}: verified variants to Moodle XML", f"{COUNT / benchmark.stats.stats.min:.0f} a second")


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.benchmark(timer=process_time)
def test_to_moodle_once_it_is_drawn(benchmark, line, name):
    words = messages("en")
    found = list(islice(variants(QUESTIONS[name], "drawn"), COUNT))

    def make():
        moodle.write((item(question, words, "b", n) for n, question in enumerate(found)), Nowhere(), sheet())

    benchmark.pedantic(make, rounds=5, warmup_rounds=1)
    line(f"3 × 3, {name}: once drawn", benchmark.stats.stats.min / COUNT)


@pytest.mark.parametrize("name", ["moodle", "canvas", "qti"])
def test_memory_is_flat(benchmark, line, name):
    """The peak of a run of five times as many papers is hardly above that of the shorter one."""

    def peak(count):
        made = exam(Spec((ASKED,)), seed=1, variants=count)
        tracemalloc.start()
        try:
            if name == "moodle":
                moodle.write(items(made), Nowhere(), sheet())
            else:
                with TemporaryFile() as file:
                    FORMATS[name].write(made, file, sheet())
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(5)  # what is cached is cached
    short, long = peak(40), peak(200)
    benchmark.pedantic(lambda: None, rounds=1)
    line(f"peak memory, {name}, 40 and 200 papers", f"{short / 2**20:.1f} MB, {long / 2**20:.1f} MB")
    assert long < 2 * short + 2**20
