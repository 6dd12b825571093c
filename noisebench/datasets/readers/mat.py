"""MATLAB files of version 5 (saved by MATLAB with ``-v6`` or ``-v7``).

The matrices are decoded here: on a damaged file ``scipy.io.loadmat`` may follow a wrong size out
of its buffer and take the whole process down, which no error handling can undo.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from noisebench.datasets.readers.arrays import build_table, list_labels
from noisebench.datasets.readers.source import Source, show
from noisebench.datasets.table import Table
from noisebench.errors import did_you_mean

HEADER = 128
NUMBERS = {
    1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8",
}  # fmt: skip
MATRIX, COMPRESSED = 14, 15  # types of an element
SPARSE, FULL = 5, range(6, 16)  # classes of an array: sparse, double … uint64
COMPLEX = 0x800

Element = tuple[int, bytes]


@dataclass(frozen=True)
class _Variable:
    name: str
    array_class: int
    flags: int
    shape: tuple[int, ...]
    parts: list[Element]


def read_mat(source: Source, *, features: str = "X", target: str = "y") -> Table:
    """Read two numeric matrices, full or sparse: the features, and one class per row.

    Parameters
    ----------
    features, target : str
        The names of the two variables.
    """
    order = _check_header(source)
    with source.guard("MATLAB file"):
        variables = [
            variable
            for payload in _list_matrices(source, order)
            if (variable := _parse(payload, order)) is not None
        ]
        matrix = _decode(source, _find(source, variables, features), order)
        vector = _decode(source, _find(source, variables, target), order)
        return build_table(source, matrix, list_labels(source, vector))


def _check_header(source: Source) -> str:
    """Return the byte order of a version 5 file, as struct and numpy write it."""
    head = source.data[:HEADER]
    order = {b"IM": "<", b"MI": ">"}.get(head[126:])
    version = struct.unpack(order + "H", head[124:126])[0] if order else 0
    if version == 0x0200 or head.startswith(b"MATLAB 7.3"):
        raise source.error("is a MATLAB 7.3 file; save it again with the option -v7.")
    if version != 0x0100:
        raise source.error("is not a MATLAB file of version 5; save it with the option -v7.")
    return str(order)


def _list_elements(data: bytes, order: str, start: int = 0) -> Iterator[Element]:
    """Yield type and content of the elements that lie one after another."""
    while start < len(data):
        if len(data) - start < 8:
            raise ValueError("the last element is cut short")
        kind, size = struct.unpack_from(order + "II", data, start)
        start += 8
        if kind >> 16:  # a small element keeps its size in the upper half, its content in 4 bytes
            kind, size = kind & 0xFFFF, kind >> 16
            if size > 4:
                raise ValueError("a small element of more than 4 bytes")
            yield kind, data[start - 4 : start - 4 + size]
            continue
        if size > len(data) - start:
            raise ValueError(f"an element of {size} bytes reaches beyond the end")
        yield kind, data[start : start + size]
        start += size if kind == COMPRESSED else size + -size % 8


def _list_matrices(source: Source, order: str) -> Iterator[bytes]:
    for kind, payload in _list_elements(source.data, order, HEADER):
        if kind == COMPRESSED:
            unpacker = zlib.decompressobj()
            unpacked = unpacker.decompress(payload, source.max_bytes)
            if not unpacker.eof:
                raise ValueError(f"cut short, or unpacks to more than {source.max_bytes} bytes")
            ((kind, payload),) = _list_elements(unpacked, order)
        if kind != MATRIX:
            raise ValueError(f"element of type {kind} where a matrix should stand")
        yield payload


def _parse(payload: bytes, order: str) -> _Variable | None:
    """Read what comes before the numbers; None for objects, which are laid out otherwise."""
    parts = list(_list_elements(payload, order))
    flags = struct.unpack_from(order + "I", parts[0][1])[0] if parts else 0
    array_class = flags & 0xFF
    if array_class > FULL[-1] or len(parts) < 3:
        return None
    shape = np.frombuffer(parts[1][1], order + "i4").tolist()
    if len(shape) < 2 or min(shape) < 0:
        raise ValueError(f"dimensions {shape}")
    return _Variable(parts[2][1].decode("ascii"), array_class, flags, tuple(shape), parts[3:])


def _find(source: Source, variables: list[_Variable], name: str) -> _Variable:
    hits = [variable for variable in variables if variable.name == name]
    if not hits:
        known = [variable.name for variable in variables if variable.name]
        raise source.error(f"has no matrix {show(name)}. {did_you_mean(name, known)}")
    if len(hits) > 1:
        raise source.error(f"has {len(hits)} matrices named {show(name)}; only one may be there.")
    return hits[0]


def _decode(source: Source, variable: _Variable, order: str) -> np.ndarray:
    if variable.array_class not in (SPARSE, *FULL) or variable.flags & COMPLEX:
        raise source.error(f"{show(variable.name)} is not a matrix of real numbers.")
    arrays = [np.frombuffer(data, order + NUMBERS[kind]) for kind, data in variable.parts]
    if variable.array_class == SPARSE:
        return _fill_sparse(source, variable.shape, arrays)
    (values,) = arrays
    if math.prod(variable.shape) != values.size:
        raise source.error(
            f"{show(variable.name)} announces shape {variable.shape} but holds {values.size} "
            f"numbers; fetch it again."
        )
    return values.reshape(variable.shape, order="F")


def _fill_sparse(source: Source, shape: tuple[int, ...], arrays: list[np.ndarray]) -> np.ndarray:
    """Make a full matrix of sorted columns: column j has the entries starts[j] to starts[j + 1]."""
    n_rows, n_columns = shape
    rows, starts, values = arrays
    # same_kind refuses to take numbers with a fraction for positions.
    rows, starts = (array.astype(np.int64, casting="same_kind") for array in (rows, starts))
    counts = np.diff(starts)
    if len(counts) != n_columns or starts[0] != 0 or counts.min(initial=0) < 0:
        raise ValueError("the columns of a sparse matrix do not follow one another")
    # Room may have been kept for more entries than there are.
    rows, values = rows[: starts[-1]], values[: starts[-1]]
    if not len(rows) == len(values) == starts[-1]:
        raise ValueError("a sparse matrix has fewer entries than announced")
    if rows.min(initial=0) < 0 or rows.max(initial=-1) >= n_rows:
        raise ValueError("an entry of a sparse matrix lies outside it")
    source.check_size(n_rows, n_columns)
    matrix = np.zeros((n_rows, n_columns))
    matrix[rows, np.repeat(np.arange(n_columns), counts)] = values
    return matrix
