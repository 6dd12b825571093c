"""The sparse lines of LIBSVM and SVMlight: ``label index:value index:value …``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from noisebench.datasets.readers.arrays import build_table
from noisebench.datasets.readers.decimals import (
    NotANumberError,
    is_number,
    name_classes,
    parse_numbers,
)
from noisebench.datasets.readers.options import Encoding
from noisebench.datasets.readers.source import Source, show, split_blanks
from noisebench.datasets.table import Table
from noisebench.errors import InputError

_PAIR = re.compile(r"([0-9]{1,18}):(.+)", re.DOTALL)


@dataclass(eq=False)
class _Rows:
    """The labels, and for each row the columns (from 0) and values that are not absent."""

    labels: list[float] = field(default_factory=list)
    columns: list[np.ndarray] = field(default_factory=list)
    values: list[np.ndarray] = field(default_factory=list)


def read_libsvm(
    source: Source, *, n_features: int | None = None, encoding: Encoding = "utf-8"
) -> Table:
    """Read LIBSVM lines into a dense table; an absent index is a zero.

    Labels are numbers and are written as `name_classes` writes them, so ``+1`` becomes ``1``.

    Parameters
    ----------
    n_features : int, optional
        The number of columns; by default the highest index that occurs.
    """
    if n_features is not None and n_features < 1:
        raise InputError(f"n_features must be at least 1, got {n_features}.")
    rows = _Rows()
    for number, line in source.lines(encoding):
        if tokens := split_blanks(line.partition("#")[0]):
            _add_row(source, rows, tokens, number, n_features)
    if not rows.labels:
        raise source.error("has no rows; fetch it again.")
    columns = np.concatenate(rows.columns)
    width = int(columns.max(initial=-1)) + 1 if n_features is None else n_features
    source.check_size(len(rows.labels), width)
    features = np.zeros((len(rows.labels), width))
    row_of = np.repeat(np.arange(len(rows.labels)), [len(values) for values in rows.values])
    features[row_of, columns] = np.concatenate(rows.values)
    return build_table(source, features, name_classes(rows.labels), first=1)


def _add_row(
    source: Source, rows: _Rows, tokens: list[str], line: int, n_features: int | None
) -> None:
    label, *pairs = tokens
    if not is_number(label):
        raise source.error(f"the label {show(label)} is not one finite decimal number.", line)
    matches = [_PAIR.fullmatch(pair) for pair in pairs]
    indices = [int(match[1]) for match in matches if match]
    if len(indices) < len(pairs):
        raise source.error(_describe_pair(pairs[matches.index(None)]), line)
    _check_indices(source, indices, line, n_features)
    try:
        rows.values.append(parse_numbers([match[2] for match in matches if match]))
    except NotANumberError as error:
        raise source.error(
            f"the value in {show(pairs[error.index])} is not a finite decimal number.", line
        ) from error
    rows.columns.append(np.array(indices, dtype=np.int64) - 1)
    rows.labels.append(float(label))


def _describe_pair(pair: str) -> str:
    if pair.startswith("qid:"):
        return f"{show(pair)} marks a ranking task, which has no classes; take another file."
    return f"{show(pair)} is not index:value with a whole number as index."


def _check_indices(source: Source, indices: list[int], line: int, n_features: int | None) -> None:
    for before, index in pairwise([0, *indices]):
        if index <= before:
            raise source.error(
                f"index {index} comes after {before}; indices start at 1 and must ascend.", line
            )
    if n_features is not None and indices and indices[-1] > n_features:
        raise source.error(f"index {indices[-1]} exceeds n_features={n_features}.", line)
