"""Times are taken when they are asked for (`pytest tests/benchmarks --benchmark-only`), and printed as the README's table."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from random import SystemRandom

import pytest


def pytest_ignore_collect(config):
    """Without --benchmark-only there is nothing here to collect."""
    return None if config.getoption("benchmark_only", default=False) else True


TIMES: dict[str, dict[str, float]] = {}
LINES: list[tuple[str, str]] = []


@pytest.fixture
def time_of() -> Callable[[str, str, float], None]:
    """`time_of(task, who, seconds)`: one cell of the table."""

    def note(task: str, who: str, seconds: float) -> None:
        TIMES.setdefault(task, {})[who] = seconds

    return note


@pytest.fixture
def line() -> Callable[[str, str | float], None]:
    """`line(task, result)`: one line of what has no peers; a number is seconds."""
    return lambda task, result: LINES.append((task, result if isinstance(result, str) else shown(result)))


@pytest.fixture
def fresh() -> Callable[[int, int], dict[str, list[list[str]]]]:
    """`fresh(n, d)`: Q, K, V of n × d three-decimal Gaussian numbers that have not been seen before."""
    random = SystemRandom()

    def matrix(n: int, d: int) -> list[list[str]]:
        return [[f"{random.gauss(0, 1):.3f}" for _ in range(d)] for _ in range(n)]

    return lambda n, d: {name: matrix(n, d) for name in ("Q", "K", "V")}


def pytest_terminal_summary(terminalreporter):
    write = terminalreporter.write_line
    if TIMES or LINES:
        write("")
        write(f"{_processor()}, {os.cpu_count()} cores; Python {platform.python_version()}, {_versions()}")
    if TIMES:
        names = list(dict.fromkeys(who for times in TIMES.values() for who in times))
        write("")
        for text in _table(["n × d", *names], [[task, *_cells(times, names)] for task, times in TIMES.items()]):
            write(text)
    if LINES:
        write("")
        for text in _table(["task", "best"], LINES):
            write(text)


def _cells(times: dict[str, float], names: list[str]) -> list[str]:
    """The first with its time, the others with theirs and how many times the first's that is."""
    own = times.get(names[0])
    out = []
    for name in names:
        found = times.get(name)
        if found is None:
            out.append("")
        elif name == names[0] or own is None:
            out.append(shown(found))
        else:
            out.append(
                f"{shown(found)} ({found / own:.2g} ×)" if found < 10 * own else f"{shown(found)} ({found / own:.0f} ×)"
            )
    return out


def shown(seconds: float) -> str:
    """Three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} µs"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
    lines = [" | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in (head, *rows)]
    lines.insert(1, " | ".join("-" * width for width in widths))
    return [f"| {line} |" for line in lines]


def _versions() -> str:
    return ", ".join(f"{name} {version(name)}" for name in ("python-flint", "numpy", "sympy", "mpmath"))


def _processor() -> str:
    if sys.platform == "linux":
        with open("/proc/cpuinfo", encoding="utf-8") as info:
            for line in info:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
