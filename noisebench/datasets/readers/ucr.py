"""Time series as the UCR archive publishes them: the label, then the values, parted by tabs."""

from __future__ import annotations

from collections.abc import Sequence
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
from noisebench.datasets.readers.source import BLANKS, Source, show
from noisebench.datasets.table import Table

NAN = frozenset({"NaN", "nan"})


@dataclass(eq=False)
class Series:
    """Time series with the label and the line of each; NaN is a missing value."""

    labels: list[str] = field(default_factory=list)
    values: list[np.ndarray] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)

    def add(
        self, source: Source, label: str, values: Sequence[str], missing: frozenset[str], line: int
    ) -> None:
        """Parse and append one series; a token of ``missing`` becomes NaN."""
        tokens = [token.strip(BLANKS) for token in values]
        try:
            numbers = parse_numbers([None if token in missing else token for token in tokens])
        except NotANumberError as error:
            raise source.error(
                f"holds {show(tokens[error.index])}, which is not a finite decimal number.", line
            ) from error
        self.values.append(numbers)
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
        name = _name_label(source, label.strip(BLANKS), number)
        series.add(source, name, values, NAN, number)
        if len(values) != len(series.values[0]):
            raise source.error(
                f"has {len(values)} values where line {series.lines[0]} has "
                f"{len(series.values[0])}; mend the line.",
                number,
            )
    return build_series(source, series)


def _name_label(source: Source, label: str, line: int) -> str:
    if not label or label in NAN:
        raise source.error("has no label before the first tab.", line)
    return name_classes([float(label)])[0] if is_number(label) else label


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
    features[np.arange(width) < lengths[:, None]] = np.concatenate(series.values)
    return build_table(source, features, series.labels, first=1)
