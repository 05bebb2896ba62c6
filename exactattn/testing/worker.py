"""The process that runs a user's callable: `python -m exactattn.testing.worker`, spoken to by `exactattn.testing.process`.

The pipes are taken away from standard input and output before anything of the user's is imported, so that what the
callable prints goes to standard error and cannot be taken for an answer.
"""

from __future__ import annotations

import os
import sys
from typing import IO, Any

from exactattn.errors import ExactAttnError
from exactattn.testing.calling import call, find, quiet, versions
from exactattn.testing.frames import Broken, receive, send
from exactattn.testing.inputs import Array, AttentionInput, Input, ScoresInput


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests until the pipe ends: the first names the callable, each of the others is one call."""
    head, _ = receive(requests)
    sys.path += [place for place in head["path"] if place not in sys.path]
    try:
        called, takes = find(head["target"], head["kind"])
    except ExactAttnError as error:
        send(answers, {"error": str(error)})
        return
    send(answers, {"takes": takes.as_data(), "versions": versions(head["target"])})
    while True:
        try:
            head, arrays = receive(requests)
        except Broken:
            return
        with quiet():
            answer = call(called, takes, rebuilt(head, arrays))
        found = {} if answer.result is None else {"result": answer.result}
        send(answers, {"changed": answer.changed, "trouble": answer.trouble, "said": answer.said}, found)


def described(given: Input) -> dict[str, Any]:
    """What of an input is not arrays, for the head of a message."""
    if isinstance(given, ScoresInput):
        return {"axis": given.axis, "layout": given.layout}
    return {"is_causal": given.is_causal, "scale": given.scale, "layout": given.layout}


def rebuilt(head: dict[str, Any], arrays: dict[str, Array]) -> Input:
    """The input of a message."""
    if "x" in arrays:
        return ScoresInput("", arrays["x"], **head)
    return AttentionInput("", arrays["q"], arrays["k"], arrays["v"], arrays.get("mask"), **head)


def main() -> None:
    """Take the pipes for ourselves, leave standard input empty and let standard output go where errors go."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    sys.path[:] = [place for place in sys.path if place]  # the working directory is added by name
    serve(requests, answers)


if __name__ == "__main__":
    main()
