"""Work done by several processes, with the results in the order of the work.

The precision of python-flint belongs to a process and its numbers cannot be sent to another: processes are started afresh
(never forked), and what goes to and fro is text and whole numbers.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing.connection import wait
from typing import TypeAlias, TypeVar

from exactattn.errors import ExactAttnError

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 4
"""Pieces of work that wait for each process: enough that none stands idle, and no more, or memory would grow with the work."""

Pool: TypeAlias = "ProcessPoolExecutor | None"


@contextmanager
def pool(jobs: int) -> Iterator[Pool]:
    """So many processes; None where one is enough, which is this one. What is begun ends with the block, also by an error."""
    if jobs == 1:
        yield None
        return
    workers = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_end_with_parent)
    try:
        yield workers
    finally:
        workers.shutdown(cancel_futures=True)


def mapped(workers: Pool, jobs: int, work: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
    """work(item) for each item, in their order."""
    if workers is None:
        yield from map(work, items)
        return
    rest = iter(items)
    running: deque[Future[R]] = deque()
    try:
        running.extend(workers.submit(work, item) for item in islice(rest, AHEAD * jobs))
        while running:
            done = running.popleft().result()
            running.extend(workers.submit(work, item) for item in islice(rest, 1))
            yield done
    except BrokenProcessPool:
        raise ExactAttnError("one of {jobs} processes was ended from outside: name fewer jobs", jobs=jobs) from None


def _end_with_parent() -> None:
    """A worker ends when its parent is gone, however that ended; an interrupt is for the parent, which ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    sentinel = parent.sentinel

    def watch() -> None:
        wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
