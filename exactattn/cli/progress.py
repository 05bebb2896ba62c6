"""A bar on standard error for work that takes longer than two seconds, where someone is looking."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TypeAlias

Progress: TypeAlias = Callable[[str, int, int], None]
"""Told the stage of the work, how much of it is done, and out of how much."""

PATIENCE = 2.0
"""Seconds before a bar is shown."""


@contextmanager
def progress(stages: Mapping[str, str]) -> Iterator[Progress]:
    """What is to be told of the work; `stages` says what each is called. Without a terminal nothing is shown."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield _nothing
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Bar(*columns, console=Console(file=sys.stderr), transient=True)
    task = bar.add_task("", total=None)
    lock, ended = Lock(), False

    def show() -> None:
        with lock:
            if not ended:
                bar.start()

    timer = Timer(PATIENCE, show)
    timer.daemon = True
    timer.start()
    try:
        yield lambda stage, done, total: bar.update(task, description=stages[stage], completed=done, total=total)
    finally:
        timer.cancel()
        with lock:
            ended = True
            bar.stop()


def _nothing(stage: str, done: int, total: int) -> None:
    """Nobody is looking."""
