"""Zip files of the same bytes for the same content: members in the order given, one fixed date, no user or machine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

DATE = (1980, 1, 1, 0, 0, 0)
"""The earliest that a zip can hold."""


def write(file: BinaryIO, members: Iterable[tuple[str, bytes]]) -> None:
    """Write the members one after the other, as they are made."""
    with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=6) as out:
        for name, data in members:
            info = ZipInfo(name, DATE)
            info.compress_type = ZIP_DEFLATED
            info.create_system = 3  # as Unix says it, wherever it is written
            info.external_attr = 0o644 << 16
            out.writestr(info, data)
