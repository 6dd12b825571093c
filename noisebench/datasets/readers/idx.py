"""The idx files of MNIST: unsigned bytes behind a big-endian header, labels in a second file."""

from __future__ import annotations

import math
import struct

import numpy as np

from noisebench.datasets.readers.arrays import build_table
from noisebench.datasets.readers.packing import unpack
from noisebench.datasets.readers.source import Source
from noisebench.datasets.table import Table

IMAGES = 2051  # type 8 (unsigned byte), 3 dimensions
LABELS = 2049  # type 8, 1 dimension


def read_idx(source: Source, *, labels: bytes) -> Table:
    """Read images, one row each, with the pixels row by row as columns.

    Parameters
    ----------
    labels : bytes
        The labels file, which may be packed with gzip as well.
    """
    where = f"{source.where} (labels)"
    names = Source(unpack(labels, where, source.max_bytes), where, source.max_bytes)
    images = _read_bytes(source, IMAGES)
    classes = _read_bytes(names, LABELS)
    pixels = images.reshape(len(images), math.prod(images.shape[1:]))
    return build_table(source, pixels, [str(label) for label in classes.tolist()])


def _read_bytes(source: Source, magic: int) -> np.ndarray:
    n_dimensions = magic & 0xFF
    start = 4 + 4 * n_dimensions
    if len(source.data) < start:
        raise source.error(f"is shorter than its header of {start} bytes; fetch it again.")
    given, *shape = struct.unpack(f">{1 + n_dimensions}I", source.data[:start])
    if given != magic:
        raise source.error(f"begins with the number {given} where such a file has {magic}.")
    size = len(source.data) - start
    # Python's integers do not overflow, so a header of absurd sizes cannot pass for a small one.
    if math.prod(shape) != size:
        raise source.error(
            f"announces {' × '.join(map(str, shape))} bytes but holds {size}; fetch it again."
        )
    return np.frombuffer(source.data, np.uint8, offset=start).reshape(shape)
