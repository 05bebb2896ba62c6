"""Messages over a pipe: a length, a head in JSON, and the raw bytes of arrays. Nothing that comes in can become code."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from typing import IO, Any

import numpy as np

from exactattn.testing.inputs import Array

_HEAD = struct.Struct("<4sIQ")
_SIGN = b"xatt"
_LONGEST_HEAD = 1 << 20
_LONGEST_DATA = 1 << 30


class Broken(Exception):
    """What came over the pipe is no message, or the pipe ended."""


def send(stream: IO[bytes], head: Mapping[str, Any], arrays: Mapping[str, Array] | None = None) -> None:
    """Write a message: `head` as JSON, then each array as its bytes, row by row."""
    given = arrays or {}
    described = [{"name": name, "dtype": x.dtype.name, "shape": list(x.shape)} for name, x in given.items()]
    data = b"".join(np.ascontiguousarray(x).tobytes() for x in given.values())
    text = json.dumps({**head, "arrays": described}).encode()
    stream.write(_HEAD.pack(_SIGN, len(text), len(data)) + text + data)
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[dict[str, Any], dict[str, Array]]:
    """Read a message. Errors: Broken for anything else."""
    sign, head_length, data_length = _HEAD.unpack(_read(stream, _HEAD.size))
    if sign != _SIGN or head_length > _LONGEST_HEAD or data_length > _LONGEST_DATA:
        raise Broken("no message")
    try:
        head = json.loads(_read(stream, head_length))
        data = memoryview(_read(stream, data_length))
        arrays, at = {}, 0
        for one in head.pop("arrays"):
            dtype, shape = dtype_of(one["dtype"]), tuple(map(int, one["shape"]))
            size = math.prod(shape) * dtype.itemsize
            arrays[one["name"]] = np.frombuffer(data[at : at + size], dtype).reshape(shape)
            at += size
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Broken(str(error)) from None
    return head, arrays


def dtype_of(name: str) -> np.dtype[Any]:
    """A number type by name; bfloat16 is that of ml_dtypes. Errors: TypeError for what is no type of numbers."""
    if name == "bfloat16":
        import ml_dtypes

        half: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
        return half
    found: np.dtype[Any] = np.dtype(name)
    if found.kind not in "biuf":
        raise TypeError(f"{name} is no type of numbers")
    return found


def _read(stream: IO[bytes], length: int) -> bytes:
    parts = []
    while length:
        part = stream.read(length)
        if not part:
            raise Broken("the pipe ended")
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
