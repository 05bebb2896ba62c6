"""Exams: variants drawn, worked, keyed and verified, and whole quizzes of them. Times are those of one core at work."""

from __future__ import annotations

import time
from itertools import count, islice

import pytest

import exactattn as xa
from exactattn.exams.kinds import kinds
from exactattn.exams.model import Asked
from exactattn.exams.select import variants

pytestmark = pytest.mark.benchmark(timer=time.process_time)

VARIANTS = 200

QUESTIONS = {
    "scores of 3 × 3": Asked("q", "K01", size={"n": 3, "m": 3}),
    "one query, 3 keys": Asked("q", "K03"),
    "3 × 3, a row": Asked("q", "K04"),
    "3 × 3, all rows": Asked("q", "K04", answer="matrix"),
}

SEEDS = count(1)


def drawn(asked, seed):
    """Kept variants with their keys, and how many attempts they took."""
    found = list(islice(variants(asked, seed), VARIANTS))
    return len(found), found[-1].attempt + 1


@pytest.mark.parametrize("what", QUESTIONS)
def test_verified_variants(benchmark, line, what):
    """Each round has a seed of its own: nothing that was worked before is met again."""
    asked = QUESTIONS[what]
    found, attempts = benchmark.pedantic(
        drawn, setup=lambda: ((asked, str(next(SEEDS))), {}), rounds=5, warmup_rounds=1
    )
    seconds = benchmark.stats.stats.min
    line(
        f"verified variants, {what} ({found} of {attempts} draws kept)",
        f"{found / seconds:.0f} a second, {seconds / attempts * 1000:.2f} ms a draw",
    )
    assert found == VARIANTS


def test_what_wrong_methods_give(benchmark, line):
    """Worked out when it is looked at: intervals and printed numbers of the wrong methods of 3 × 3, all rows."""

    def make():
        return (list(islice(variants(QUESTIONS["3 × 3, all rows"], str(next(SEEDS))), 50)),), {}

    def look(questions):
        return sum(len(part.wrongs) for question in questions for part in question.parts)

    found = benchmark.pedantic(look, setup=make, rounds=5, iterations=1, warmup_rounds=1)
    line("what wrong methods give, 3 × 3, all rows", f"{benchmark.stats.stats.min / 50 * 1000:.2f} ms a variant")
    assert found > 500


def test_a_variant_of_every_kind(benchmark, line):
    asked = [Asked("q", kind) for kind in kinds()]

    def each(seed):
        return [next(variants(one, seed)) for one in asked]

    found = benchmark.pedantic(each, setup=lambda: ((str(next(SEEDS)),), {}), rounds=5, warmup_rounds=1)
    line(f"a first variant of each of {len(asked)} kinds", f"{benchmark.stats.stats.min * 1000:.0f} ms")
    assert len(found) == len(asked)


def test_a_quiz(benchmark, line):
    """The bundled quiz for 20 students: papers drawn, worked and keyed, nothing rendered."""

    def papers(seed):
        return [question for paper in xa.exam("quiz", seed=seed, variants=20).papers for question in paper.questions]

    found = benchmark.pedantic(papers, setup=lambda: ((next(SEEDS),), {}), rounds=3, warmup_rounds=1)
    line(
        f"quiz ({len(found[0].parts)} parts) for 20 students, nothing rendered",
        f"{benchmark.stats.stats.min / 20 * 1000:.1f} ms a paper",
    )
    assert len(found) >= 20
