"""Time series as the UCR archive publishes them: the label, then the values, parted by tabs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from noisebench.datasets.readers.arrays import build_table
from noisebench.datasets.readers.decimals import (
    NotANumberError,
    Token,
    is_number,
    name_classes,
    parse_numbers,
)
from noisebench.datasets.readers.options import Encoding
from noisebench.datasets.readers.source import BLANKS, Source, show
from noisebench.datasets.table import Table

NAN = frozenset({"NaN", "nan"})


@dataclass(eq=False)
class Series:
    """Time series as tokens (None is missing), with the label and the line of each."""

    labels: list[str] = field(default_factory=list)
    values: list[list[Token]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def add(self, label: str, values: Sequence[str], missing: frozenset[str], line: int) -> None:
        tokens = [token.strip(BLANKS) for token in values]
        self.values.append([None if token in missing else token for token in tokens])
        self.labels.append(label)
        self.lines.append(line)


def read_ucr(source: Source, *, encoding: Encoding = "utf-8") -> Table:
    """Read series of one length; NaN marks a missing value or the padding at the end.

    Labels that are numbers are written as `name_classes` writes them, because some releases of
    the archive write ``1`` as ``1.0000000e+00``.
    """
    series = Series()
    for number, line in source.lines(encoding):
        label, *values = line.split("\t")
        label = label.strip(BLANKS)
        series.add(name_classes([float(label)])[0] if is_number(label) else label, values, NAN, number)
        if not label or label in NAN:
            raise source.error("has no label before the first tab.", number)
        if len(values) != len(series.values[0]):
            raise source.error(
                f"has {len(values)} values where line {series.lines[0]} has "
                f"{len(series.values[0])}; mend the line.",
                number,
            )
    return build_series(source, series)


def build_series(source: Source, series: Series, length: int | None = None) -> Table:
    """Make a table with one column per time point, shorter series padded with NaN at the end."""
    if not series.labels:
        raise source.error("has no rows; fetch it again.")
    lengths = np.array([len(values) for values in series.values])
    width = int(lengths.max())
    if length is not None:
        if width > length:
            line = series.lines[int(lengths.argmax())]
            raise source.error(f"holds {width} values, more than length={length}.", line)
        width = length
    source.check_size(len(lengths), width)
    features = np.full((len(lengths), width), np.nan)
    features[np.arange(width) < lengths[:, None]] = _parse_values(source, series, lengths)
    return build_table(source, features, series.labels, first=1)


def _parse_values(source: Source, series: Series, lengths: np.ndarray) -> np.ndarray:
    tokens = [token for values in series.values for token in values]
    try:
        return parse_numbers(tokens)
    except NotANumberError as error:
        row = int(np.searchsorted(lengths.cumsum(), error.index, side="right"))
        raise source.error(
            f"holds {show(str(tokens[error.index]))}, which is not a finite decimal number.",
            series.lines[row],
        ) from error
