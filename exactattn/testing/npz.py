"""Arrays in .npz files: read as what a stranger sent, written so that the same arrays are the same bytes."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping
from lzma import LZMAError
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactattn.cases.arrays import parse_npy
from exactattn.cases.limits import CASE_LIMITS, CaseLimits
from exactattn.cases.reading import read_file
from exactattn.errors import CaseError, LimitError, nearest
from exactattn.testing.formats import FORMATS, format_of

if TYPE_CHECKING:
    from exactattn.testing.formats import Array

NAMES = ("q", "k", "v", "mask", "scale", "is_causal", "alignment", "fully_masked")
"""What a case for `reference` may hold; q, k and v it must."""

_ALONE = {"scale": "fiuU", "is_causal": "b", "alignment": "U", "fully_masked": "U"}
"""Those that are one value, with the kinds of NumPy's dtypes that they may have."""

RESULTS = ("output", "format")
"""What `reference` adds: a file with them is a case as well."""

_EPOCH = (1980, 1, 1, 0, 0, 0)


def read_case(path: Path, limits: CaseLimits = CASE_LIMITS) -> dict[str, Any]:
    """What a .npz file holds for `reference`, by the names of its arguments. Errors: FileError, CaseError, LimitError.

    bfloat16 arrays come back as such: NumPy saves them as two bytes that are no number, which nothing else is saved as.
    """
    return parse_case(read_file(path, path.name, limits), path.name, limits)


def parse_case(data: bytes, name: str, limits: CaseLimits = CASE_LIMITS) -> dict[str, Any]:
    """The same from the bytes of the file."""
    held: dict[str, Any] = {key: x for key, x in _parse(data, name, limits).items() if key not in RESULTS}
    for key in held:
        if key not in NAMES:
            known = ", ".join(NAMES)
            raise CaseError(
                "{name}: {key!r} means nothing here{hint}; the arrays are {known}",
                name=name, key=key, known=known, hint=nearest(key, NAMES),
            )  # fmt: skip
    missing = [key for key in "qkv" if key not in held]
    if missing:
        raise CaseError("{name} has no {missing}: q, k and v are due", name=name, missing=" and no ".join(missing))
    for key, what in (("q", "queries"), ("k", "keys")):
        rows = held[key].shape[-2] if held[key].ndim > 1 else 0
        if rows > limits.tokens:
            raise LimitError(
                "{name}: {rows} {what}: the limit is {limit} (raise it with the limit 'tokens')",
                name=name, rows=rows, what=what, limit=limits.tokens,
            )  # fmt: skip
    for key, kinds in _ALONE.items():
        if key in held:
            held[key] = _alone(held[key], kinds, f"{name}: {key}")
    return held


def _alone(x: Array, kinds: str, name: str) -> Any:
    if x.shape != () or (x.dtype.kind not in kinds and not ("f" in kinds and format_of(x))):
        raise CaseError(
            "{name} is an array of {dtype} of shape {shape}: one {due} was due",
            name=name, dtype=str(x.dtype), shape=x.shape, due=_DUE[kinds],
        )  # fmt: skip
    return x[()] if "f" in kinds and x.dtype.kind != "U" else x.item()


_DUE = {"fiuU": "number or text", "b": "boolean", "U": "text"}


def _parse(data: bytes, name: str, limits: CaseLimits) -> dict[str, Array]:
    out: dict[str, Array] = {}
    left = limits.file_bytes
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                key = entry.filename.removesuffix(".npy")
                if key in out or key == entry.filename:
                    came = "stands twice" if key in out else "is no array"
                    raise CaseError("{name}: {entry!r} {came}", name=name, entry=entry.filename, came=came)
                with archive.open(entry) as file:
                    # what an entry says of its size may be wrong: no more is unpacked than the limit
                    array = file.read(left + 1)
                if len(array) > left:
                    raise LimitError(
                        "{name} unpacks to more than {size:g} MiB (raise it with the limit 'file_bytes')",
                        name=name, size=limits.file_bytes / 2**20,
                    )  # fmt: skip
                left -= len(array)
                out[key] = _with_bfloat16(parse_npy(array, f"{name}, {key}"))
    except (
        zipfile.BadZipFile,
        zlib.error,
        LZMAError,
        NotImplementedError,
        RuntimeError,
        EOFError,
        ValueError,
    ) as error:
        # RuntimeError: an entry with a password; ValueError: a name or an offset that cannot be
        why = str(error).partition("\n")[0]
        raise CaseError("{name} is no .npz file ({why})", name=name, why=why) from None
    return out


def _with_bfloat16(x: Array) -> Array:
    return x.view(FORMATS["bfloat16"].dtype()) if x.dtype.str == "|V2" else x


def packed(arrays: Mapping[str, Any]) -> bytes:
    """The bytes of a .npz file with these arrays, in this order: no time and no system in them.

    >>> import numpy as np
    >>> packed({"q": np.ones((1, 1))}) == packed({"q": [[1.0]]})
    True
    """
    import numpy as np
    from numpy.lib import format as npy

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, x in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy", _EPOCH)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            array = np.ascontiguousarray(x) if np.ndim(x) else np.asarray(x)
            if array.dtype.name == "bfloat16":
                array = array.view("V2")  # as NumPy saves it, without its warning
            file = io.BytesIO()
            npy.write_array(file, array, version=(1, 0), allow_pickle=False)
            archive.writestr(entry, file.getvalue())
    return out.getvalue()
