"""The sparse lines of LIBSVM and SVMlight: ``label index:value index:value …``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

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

_PAIR = re.compile(r"([0-9]{1,18}):(.+)", re.DOTALL)


@dataclass(eq=False)
class _Entries:
    """The labels, and the pairs of all lines one after another."""

    labels: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


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
    entries = _Entries()
    for number, line in source.lines(encoding):
        if tokens := split_blanks(line.partition("#")[0]):
            _add_row(source, entries, tokens, number)
    if not entries.labels:
        raise source.error("has no rows; fetch it again.")
    width = _check_width(source, entries, n_features)
    features = np.zeros((len(entries.labels), width))
    features[entries.rows, entries.columns] = _parse_values(source, entries)
    labels = name_classes(parse_numbers(entries.labels))
    return build_table(source, features, labels, first=1)


def _add_row(source: Source, entries: _Entries, tokens: list[str], line: int) -> None:
    label, *pairs = tokens
    if not is_number(label):
        raise source.error(f"the label {show(label)} is not one finite decimal number.", line)
    before = 0
    for pair in pairs:
        index, value = _split_pair(source, pair, line)
        if index <= before:
            raise source.error(
                f"index {index} comes after {before}; indices start at 1 and must ascend.", line
            )
        before = index
        entries.rows.append(len(entries.labels))
        entries.columns.append(index - 1)
        entries.tokens.append(value)
        entries.lines.append(line)
    entries.labels.append(label)


def _split_pair(source: Source, pair: str, line: int) -> tuple[int, str]:
    if pair.startswith("qid:"):
        raise source.error(
            f"{show(pair)} marks a ranking task, which has no classes; take another file.", line
        )
    match = _PAIR.fullmatch(pair)
    if match is None:
        raise source.error(
            f"{show(pair)} is not index:value with a whole number as index.", line
        )
    return int(match[1]), match[2]


def _check_width(source: Source, entries: _Entries, n_features: int | None) -> int:
    width = max(entries.columns, default=-1) + 1
    if n_features is not None:
        if width > n_features:
            line = entries.lines[entries.columns.index(width - 1)]
            raise source.error(f"index {width} exceeds n_features={n_features}.", line)
        width = n_features
    source.check_size(len(entries.labels), width)
    return width


def _parse_values(source: Source, entries: _Entries) -> np.ndarray:
    try:
        return parse_numbers(entries.tokens)
    except NotANumberError as error:
        pair = f"{entries.columns[error.index] + 1}:{entries.tokens[error.index]}"
        raise source.error(
            f"the value in {show(pair)} is not a finite decimal number.",
            entries.lines[error.index],
        ) from error
