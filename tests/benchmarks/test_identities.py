"""Proofs: every row of the catalogue for symbolic entries, all of them at n = 4 and each at n = 8."""

from __future__ import annotations

from exactattn.identities.proofs import proofs


def test_all_rows(benchmark, line):
    found = benchmark.pedantic(lambda: list(proofs(4)), rounds=3, warmup_rounds=1)
    line(f"{len(found)} identities proved at n = 4, twins refused", f"{benchmark.stats.stats.min * 1000:.0f} ms")
    assert all(proof.holds for proof in found)


def test_the_slowest_row(benchmark, line):
    found = benchmark.pedantic(lambda: list(proofs(8)), rounds=3, warmup_rounds=1)
    slowest = max(found, key=lambda proof: proof.seconds)
    line(f"the slowest identity at n = 8 ({slowest.identity.name})", f"{slowest.seconds * 1000:.0f} ms")
    assert all(proof.holds for proof in found)
