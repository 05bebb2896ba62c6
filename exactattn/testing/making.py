"""The arrays of a case from a function of the user's, run in a process of its own: it may hang, crash or print.

`made_by` starts `python -c "from exactattn.testing.making import main; main()" MODULE:FUNCTION` and reads from its pipe the
.npz file that `parse_case` takes, or after a sign of our own the line that says what went wrong. So nothing that comes back
can become code, and there is no more of it than the limits let.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from threading import Timer
from typing import IO, Any

from exactattn.cases.limits import CASE_LIMITS, CaseLimits
from exactattn.errors import InputError, LimitError
from exactattn.testing.finding import named, parts, told
from exactattn.testing.npz import NAMES, packed, parse_case

_WRONG = b"wrong: "  # no .npz file begins so; an exit code would be the user's as well
_SAID = 2000


def made_by(target: str, timeout: float = 60.0, limits: CaseLimits = CASE_LIMITS) -> dict[str, Any]:
    """The arrays that the function of "module:name", called with nothing, returns: a mapping with q, k, v, or a tuple of them.

    The module is found from the working directory or sys.path. Errors: OptionError for a text of another form, InputError
    where the function is not there, raises, hangs or ends the interpreter, CaseError and LimitError as in `read_case`.
    """
    parts(target)  # or an error
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            [sys.executable, "-c", "from exactattn.testing.making import main; main()", target],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said, start_new_session=True,
            env={**os.environ, "PYTHONSAFEPATH": "1"},  # or a json.py in the working directory would be Python's
        )  # fmt: skip
        assert process.stdout is not None
        late: list[bool] = []

        def end() -> None:
            late.append(True)
            _stop(process)

        timer = Timer(timeout, end)
        timer.start()
        try:
            data = process.stdout.read(limits.file_bytes + 1)
            if len(data) <= limits.file_bytes:
                with suppress(subprocess.TimeoutExpired):  # it has closed the pipe: all that is left is to end
                    process.wait(1)
        finally:
            timer.cancel()
            _stop(process)
            process.stdout.close()
        if late:
            raise InputError("{target} did not return within {limit:g} s", target=target, limit=timeout)
        if len(data) > limits.file_bytes:
            raise LimitError(
                "{target} returns more than {size:g} MiB (raise it with the limit 'file_bytes')",
                target=target, size=limits.file_bytes / 2**20,
            )  # fmt: skip
        if data.startswith(_WRONG):
            raise InputError("{said}", said=data.removeprefix(_WRONG).decode(errors="replace"))
        if process.returncode or not data:
            raise InputError("{said}", said=_why(process.returncode, said, target))
    return parse_case(data, target, limits)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the process and those it started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _why(code: int, said: IO[bytes], target: str) -> str:
    said.seek(0, os.SEEK_END)
    said.seek(max(said.tell() - _SAID, 0))
    lines = [line.strip() for line in said.read().decode(errors="replace").splitlines() if line.strip()]
    last = lines[-1] if lines else ""
    how = f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"
    return f"{target} ended the interpreter ({how}){': ' + last if last else ''}"


# -- in the process of its own -----------------------------------------------------------------------------------------------


def main() -> None:
    """Call the function that the first argument names and write its arrays; what it prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    target = sys.argv[1]
    try:
        data = packed(arrays_of(_called(target), target))
    except InputError as error:
        data = _WRONG + str(error).encode(errors="backslashreplace")
    with answers:
        answers.write(data)
    sys.stdout.flush()
    os._exit(0)  # threads of the user's that go on are not waited for


def _called(target: str) -> Any:
    function = named(target)
    try:
        return function()
    except BaseException as error:
        raise InputError("{target} raises {why}", target=target, why=told(error)) from None


def arrays_of(returned: Any, target: str) -> dict[str, Any]:
    """What a function returned as arrays by name: from a mapping, or a tuple of q, k, v and perhaps mask and scale.

    >>> import numpy as np
    >>> list(arrays_of((np.ones((1, 1)), [[1.0]], [[1.0]], None, 0.5), "cases:small"))
    ['q', 'k', 'v', 'scale']
    """
    import numpy as np

    if isinstance(returned, Mapping):
        given = {str(name): x for name, x in returned.items()}
    elif isinstance(returned, tuple | list) and 3 <= len(returned) <= 5:
        given = dict(zip(NAMES, returned, strict=False))
    else:
        raise InputError(
            "{target} returns an object of type {came}: a mapping with q, k and v was due, or a tuple (q, k, v[, mask[, scale]])",
            target=target, came=type(returned).__name__,
        )  # fmt: skip
    out = {}
    for name, x in given.items():
        if x is None:
            continue
        try:
            out[name] = np.asarray(x)
        except Exception as error:  # an object of the user's: anything can come of asking it
            raise InputError(
                "{target}: {name} is no array ({why})", target=target, name=name, why=told(error)
            ) from None
        if out[name].dtype.kind not in "biufcUV":
            raise InputError("{target}: {name} is no array of numbers", target=target, name=name)
    return out
