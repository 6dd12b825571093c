"""Archives of numpy arrays (``.npz``), read without pickle.

The header of each array is parsed here, because ``numpy.load`` sets aside the memory that a
header asks for before it has seen whether the data are there.
"""

from __future__ import annotations

import io
import math
import re
import zipfile

import numpy as np

from noisebench.datasets.readers.arrays import build_table, list_labels
from noisebench.datasets.readers.source import Source, show
from noisebench.datasets.table import Table
from noisebench.errors import did_you_mean

_MAGIC = b"\x93NUMPY"
_HEADER = re.compile(
    r"\{'descr': '([<>|=]?)([biuf][1248]|[US][0-9]{1,6})', 'fortran_order': (True|False), "
    r"'shape': \(((?:[0-9]{1,18}(?:, |,)?)*)\),? ?\}\s*",
    re.ASCII,
)


def read_npz(source: Source, *, features: str = "X", target: str = "y") -> Table:
    """Read a matrix of numbers and a vector of numbers or strings from an archive.

    Parameters
    ----------
    features, target : str
        The names of the two arrays.
    """
    with source.guard("npz archive"):
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            matrix = _decode(source, _extract(source, archive, features), features)
            vector = _decode(source, _extract(source, archive, target), target)
        if matrix.ndim == 3 and matrix.shape[2] == 1:
            matrix = matrix[:, :, 0]  # series of one channel, as time series packages keep them
        return build_table(source, matrix, list_labels(source, _as_text(vector)))


def _extract(source: Source, archive: zipfile.ZipFile, name: str) -> bytes:
    members = [member for member in archive.infolist() if member.filename == f"{name}.npy"]
    if not members:
        known = [entry.removesuffix(".npy") for entry in archive.namelist()]
        raise source.error(f"has no array {show(name)}. {did_you_mean(name, known)}")
    if len(members) > 1:
        raise source.error(f"has {len(members)} arrays named {show(name)}; only one may be there.")
    member = members[0]
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise source.error(f"array {show(name)} is packed in a way that numpy does not use.")
    if member.file_size > source.max_bytes:
        raise source.error(
            f"array {show(name)} announces {member.file_size} bytes, more than "
            f"max_bytes={source.max_bytes}."
        )
    return archive.read(member)


def _decode(source: Source, data: bytes, name: str) -> np.ndarray:
    width = {1: 2, 2: 4, 3: 4}.get(data[6] if len(data) > 6 else 0)
    if not data.startswith(_MAGIC) or width is None:
        raise source.error(f"array {show(name)} does not begin as an npy file does.")
    start = 8 + width
    end = start + int.from_bytes(data[8:start], "little")
    match = _HEADER.fullmatch(data[start:end].decode("latin-1"))
    if match is None:
        raise source.error(
            f"array {show(name)} must hold numbers or strings under a header as numpy writes it."
        )
    order, kind, fortran, sizes = match.groups()
    # A byte other than 0 and 1 is no bool, and numpy does not check that.
    dtype = np.dtype("u1" if kind == "b1" else order + kind)
    shape = tuple(int(size) for size in sizes.replace(",", " ").split())
    if math.prod(shape) * dtype.itemsize != len(data) - end:
        raise source.error(
            f"array {show(name)} announces shape {shape} of {dtype} but holds "
            f"{len(data) - end} bytes; fetch it again."
        )
    array = np.frombuffer(data, dtype, offset=end)
    return array.reshape(shape, order="F" if fortran == "True" else "C")


def _as_text(vector: np.ndarray) -> np.ndarray:
    """Decode strings of bytes; refuse code points that are no characters."""
    if vector.dtype.kind == "S":
        return np.char.decode(vector, "utf-8")
    if vector.dtype.kind == "U":
        "".join(vector.ravel().tolist()).encode("utf-8")
    return vector
