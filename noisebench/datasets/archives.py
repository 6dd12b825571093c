"""Members of a zip archive, read into memory by name; nothing is ever unpacked to disk."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import PurePosixPath

from noisebench.errors import DataError, InputError, did_you_mean

MAX_BYTES = 2 * 2**30


def check_member(name: str) -> None:
    """Refuse a member path that climbs out of its archive.

    >>> check_member("../../etc/passwd")
    Traceback (most recent call last):
        ...
    noisebench.errors.InputError: Archive member '../../etc/passwd' must be a relative path
    without '..' and backslashes.
    """
    path = PurePosixPath(name)
    if not name or path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name:
        raise InputError(
            f"Archive member '{name}' must be a relative path without '..' and backslashes."
        )


def read_member(archive: bytes, name: str, where: str, max_bytes: int = MAX_BYTES) -> bytes:
    """Return the content of one member of a zip archive.

    Parameters
    ----------
    archive : bytes
        The whole archive.
    name : str
        The member's path, as the archive spells it.
    where : str
        What messages call the archive.
    max_bytes : int
        The most bytes that the member may have.
    """
    check_member(name)
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as content:
            members = [info for info in content.infolist() if info.filename == name]
            if len(members) != 1:
                raise DataError(_explain_count(where, name, len(members), content.namelist()))
            if members[0].file_size > max_bytes:
                raise DataError(
                    f"{where}: '{name}' announces {members[0].file_size} bytes, more than the "
                    f"{max_bytes} that are read."
                )
            with content.open(members[0]) as stream:
                return stream.read(max_bytes)
    # An encrypted member raises RuntimeError, an unknown packing NotImplementedError.
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:
        raise DataError(f"{where}: '{name}' cannot be unpacked ({error}).") from error


def _explain_count(where: str, name: str, n: int, known: list[str]) -> str:
    if n:
        return f"{where} holds {n} members '{name}'; only one may be there."
    last = PurePosixPath(name).name
    near = [path for path in known if PurePosixPath(path).name == last]
    hint = f"Did you mean {near[0]}?" if near else did_you_mean(name, known)
    return f"{where} has no member '{name}'. {hint}"
