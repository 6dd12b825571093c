"""Arrays of a binary file or of parsed lines, checked and made into a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from noisebench.datasets.readers.decimals import name_classes
from noisebench.datasets.readers.source import Source
from noisebench.datasets.table import Table


def build_table(
    source: Source, features: np.ndarray, labels: Sequence[str], first: int = 0
) -> Table:
    """Make a table of a matrix of numbers; its columns are called ``x`` and count from ``first``.

    NaN is a missing value; infinity is refused.

    >>> source = Source(b"", "toy", 0)
    >>> build_table(source, np.array([[1, 2]]), ["a"]).features
        x0   x1
    0  1.0  2.0
    """
    rows, columns = check_matrix(source, features)
    if rows != len(labels):
        raise source.error(f"has {len(labels)} labels for {rows} rows; they must be as many.")
    values = features.astype(np.float64)
    infinite = np.isinf(values)
    if infinite.any():
        row, column = np.argwhere(infinite)[0]
        raise source.error(f"row {row}, column {column} (from 0) is infinite; mend it.")
    names = [f"x{first + column}" for column in range(columns)]
    return Table(pd.DataFrame(values, columns=names), pd.Series(labels, dtype=object, name="label"))


def build_frame(columns: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Make a frame of float64 and object columns, as one block of each kind.

    Column by column, pandas needs many seconds for a hundred thousand columns.

    >>> build_frame({"u": np.array(["a", None], dtype=object), "v": np.array([1.0, 2.0])})
          u    v
    0     a  1.0
    1  None  2.0
    """
    blocks = []
    for dtype in (np.dtype(np.float64), np.dtype(object)):
        names = [name for name, values in columns.items() if values.dtype == dtype]
        if names:
            block = np.column_stack([columns[name] for name in names])
            blocks.append(pd.DataFrame(block, columns=names, dtype=dtype))
    return blocks[0] if len(blocks) == 1 else pd.concat(blocks, axis=1)[list(columns)]


def check_matrix(source: Source, features: np.ndarray) -> tuple[int, int]:
    """Return the shape of a matrix of numbers; refuse any other array."""
    if features.ndim != 2 or features.dtype.kind not in "biuf":
        raise source.error(
            f"the features must be a matrix of real numbers, got {features.dtype} of shape "
            f"{features.shape}."
        )
    rows, columns = features.shape
    if not rows:
        raise source.error("has no rows; fetch it again.")
    if not columns:
        raise source.error("has no feature column beside the label.")
    source.check_size(rows, columns)
    return rows, columns


def list_labels(source: Source, target: np.ndarray) -> list[str]:
    """Turn an array with one class per row (a vector, or a matrix of one column) into strings."""
    if sum(extent != 1 for extent in target.shape) > 1:
        raise source.error(f"the target must be a vector, got an array of shape {target.shape}.")
    target = target.ravel()
    if target.dtype.kind == "U":
        return [str(label) for label in target]
    if target.dtype.kind in "iu":
        return [str(label) for label in target.tolist()]
    values = target.astype(np.float64)
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise source.error(f"row {row} (from 0) has no label but {values[row]}.")
    return name_classes(values)
