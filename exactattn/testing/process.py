"""The worker process from outside: calls with a time limit, a new process after one that hung or died."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from types import TracebackType
from typing import IO, Any

from exactattn.errors import InputError
from exactattn.testing.frames import Broken, receive, send
from exactattn.testing.inputs import Answer, Array, Input
from exactattn.testing.signature import Signature
from exactattn.testing.worker import described

FIRST = 60.0
"""Seconds for importing and for the first call: libraries load and compile then."""

MOST_ENDS = 3
"""How often a callable may hang or end the interpreter before it is left alone."""

CALL = 10.0
"""Seconds for every other call."""


class Process:
    """A callable in a process of its own; a context manager, at whose end that process is gone.

    `takes` is its signature, `versions` those of what takes part. Errors on entering: InputError where the callable is
    not found, or importing it fails, hangs or ends the interpreter.
    """

    def __init__(self, target: str, kind: str | None = None, timeout: float = CALL, first: float = FIRST) -> None:
        self.target, self.kind, self.timeout, self.first = target, kind, timeout, max(first, timeout)
        self.ends = 0  # how often it hung or died
        self._called = False

    def __enter__(self) -> Process:
        self._said = tempfile.TemporaryFile()
        try:
            self.takes, self.versions = self._start()
        except BaseException:
            self._said.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop()
        self._said.close()

    def __call__(self, given: Input) -> Answer:
        """Call it once. What goes wrong is in the answer."""
        if self.ends >= MOST_ENDS:
            return Answer(None, trouble="died", said="is not called any more")
        if self._process.poll() is not None:
            try:
                self._start()
            except InputError as error:
                self.ends += 1
                return Answer(None, trouble="died", said=f"ended the interpreter, and when started again: {error}")
        # one that hung when called first will hardly be done loading next time
        limit = self.timeout if self._called or self.ends else self.first
        try:
            head, arrays = self._exchange(described(given), given.arrays, limit)
        except TimeoutError:
            self.ends += 1
            self._stop()
            return Answer(None, trouble="hung", said=f"did not return within {limit:g} s")
        except Broken:
            self.ends += 1
            return Answer(None, trouble="died", said=f"ended the interpreter ({self._end()})")
        self._called = True
        return Answer(arrays.get("result"), tuple(head["changed"]), head["trouble"], head["said"])

    # -- the process ---------------------------------------------------------------------------------------------------

    def _start(self) -> tuple[Signature, dict[str, str]]:
        self._called = False
        self._said.seek(0)
        self._said.truncate()
        self._process = subprocess.Popen(
            # not -m: that would put the working directory, and a user's json.py in it, before the standard library
            [sys.executable, "-c", "from exactattn.testing.worker import main; main()"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said,
            env={**os.environ, "PYTHONSAFEPATH": "1"}, start_new_session=True,
        )  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._line = _Line(self._process.stdin, self._process.stdout)
        try:
            opening = {"target": self.target, "kind": self.kind, "path": [place for place in sys.path if place]}
            head, _ = self._exchange(opening, {}, self.first)
        except KeyboardInterrupt:
            self._stop()
            raise
        except TimeoutError:
            self._stop()
            raise InputError(
                "importing {module} did not end within {limit:g} s", module=self._module, limit=self.first
            ) from None
        except Broken:
            text = "importing {module} ended the interpreter ({how})"
            raise InputError(text, module=self._module, how=self._end()) from None
        if "error" in head:
            self._stop()
            raise InputError("{said}", said=head["error"])
        return Signature(**head["takes"]), head["versions"]

    @property
    def _module(self) -> str:
        return self.target.partition(":")[0]

    def _exchange(self, head: dict[str, Any], arrays: dict[str, Array], limit: float) -> Any:
        found = self._line.exchange(head, arrays, limit)
        if isinstance(found, Exception):
            raise found
        return found

    def _end(self) -> str:
        """How a process that broke its pipe ended: its signal or exit code, and the last line it printed."""
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:  # it closed the pipe and lives on
            self._stop()
            how = "the pipe was closed"
        else:
            self._stop()
            how = f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"
        self._said.seek(0, os.SEEK_END)
        self._said.seek(max(self._said.tell() - 2000, 0))
        lines = self._said.read().decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"{how}; it said: {last[:200]}" if last else how

    def _stop(self) -> None:
        """End the process and those it started."""
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        self._line.close()


class _Line:
    """The two pipes of a worker, worked by a thread of its own, so that waiting for an answer can have an end."""

    def __init__(self, requests: IO[bytes], answers: IO[bytes]) -> None:
        self._requests, self._answers = requests, answers
        self._out: queue.SimpleQueue[tuple[dict[str, Any], dict[str, Array]] | None] = queue.SimpleQueue()
        self._in: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def exchange(self, head: dict[str, Any], arrays: dict[str, Array], limit: float) -> Any:
        """The answer to a message, or the Broken it ended in. Errors: TimeoutError."""
        self._out.put((head, arrays))
        try:
            return self._in.get(timeout=limit)
        except queue.Empty:
            raise TimeoutError from None

    def close(self) -> None:
        """End the thread: its process is gone already, so nothing it waits for lasts."""
        self._out.put(None)
        self._thread.join()
        for stream in (self._requests, self._answers):
            with suppress(OSError):
                stream.close()

    def _work(self) -> None:
        while (message := self._out.get()) is not None:
            try:
                send(self._requests, *message)
                found: Any = receive(self._answers)
            except (OSError, ValueError) as error:
                found = Broken(str(error))
            except Broken as error:
                found = error
            self._in.put(found)
