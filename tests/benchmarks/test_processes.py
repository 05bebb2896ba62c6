"""Whole processes: memory and time as rows grow, and the main job from the command line."""

from __future__ import annotations

import subprocess
import sys

import pytest

WORK = """
import random, sys, time
import exactattn as xa

def most():
    # not ru_maxrss: that of a child starts from its parent's
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))

n, d, places = map(int, sys.argv[1:])
draw = random.SystemRandom().gauss
q, k, v = ([[f"{draw(0, 1):.3f}" for _ in range(d)] for _ in range(n)] for _ in range(3))
xa.attend([["1"]], [["1"]], [["1"]]).output.decimal(3)
base = most()
start = time.perf_counter()
trace = xa.attend(q, k, v)
trace.weights.decimal(places), trace.output.decimal(places)
print(time.perf_counter() - start, base, most())
"""


def work(n, d, places):
    """Seconds for the work alone, and the process's memory in MB before and at its most."""
    done = subprocess.run(
        [sys.executable, "-c", WORK, str(n), str(d), str(places)], check=True, capture_output=True, text=True
    )
    return tuple(map(float, done.stdout.split()))


@pytest.mark.parametrize(("n", "d"), [(128, 64), (256, 64), (512, 64), (512, 128)])
def test_to_three_places(benchmark, line, n, d):
    found = []
    benchmark.pedantic(lambda: found.append(work(n, d, 3)), rounds=3, iterations=1)
    seconds = min(s for s, _, _ in found)
    base, most = min(b for _, b, _ in found), max(m for _, _, m in found)
    unit = n * n * d
    line(
        f"{n} × {d} to 3 places",
        f"{seconds:.2f} s, {most:.0f} MB; of n²·d each {seconds / unit * 1e9:.0f} ns, {(most - base) / unit * 2**20:.1f} B",
    )


def test_the_main_job_as_a_process(benchmark, line, tmp_path):
    command = [sys.executable, "-m", "exactattn", "solve", "xian", "-o", str(tmp_path / "x.tex")]
    benchmark.pedantic(lambda: subprocess.run(command, check=True, capture_output=True), rounds=7, warmup_rounds=1)
    line("solve xian -o x.tex, a whole process", f"{benchmark.stats.stats.min * 1000:.0f} ms")
