"""Time series in the ``.ts`` format of sktime and aeon: a header of @-tags, then the series."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from noisebench.datasets.readers.options import Encoding
from noisebench.datasets.readers.source import BLANKS, Source, show, split_blanks
from noisebench.datasets.readers.ucr import Series, build_series
from noisebench.datasets.table import Table
from noisebench.errors import did_you_mean

MISSING = frozenset({"?", "NaN", "nan"})
SWITCHES = frozenset({"timestamps", "missing", "univariate", "equallength", "targetlabel"})
TAGS = SWITCHES | {"problemname", "serieslength", "classlabel", "dimensions", "dimension", "data"}


@dataclass(eq=False)
class _Header:
    """The tags that decide how the lines below them are read."""

    switches: dict[str, bool] = field(default_factory=dict)
    classes: list[str] | None = None
    length: int | None = None
    dimensions: int = 1


def read_ts(source: Source, *, length: int | None = None, encoding: Encoding = "utf-8") -> Table:
    """Read univariate series with class labels; shorter ones are padded with NaN at the end.

    Parameters
    ----------
    length : int, optional
        The number of time points of the table, for parts whose longest series differ; by default
        the length of the longest series.
    """
    lines = (
        (number, line)
        for number, line in source.lines(encoding)
        if not line.lstrip(BLANKS).startswith(("#", "%"))
    )
    header = _read_header(source, lines)
    series = Series()
    for number, line in lines:
        _add_series(source, series, header, line, number)
    return build_series(source, series, length)


def _read_header(source: Source, lines: Iterator[tuple[int, str]]) -> _Header:
    header = _Header()
    for number, line in lines:
        tag, *words = split_blanks(line)
        name = tag.removeprefix("@").lower()
        if not tag.startswith("@") or name not in TAGS:
            hint = did_you_mean(name, TAGS)
            raise source.error(f"{show(tag)} is no tag of a .ts header. {hint}", number)
        if name == "data":
            if words:
                raise source.error("series begin on the line after @data.", number)
            return _check_header(source, header)
        _read_tag(source, header, name, words, number)
    raise source.error("has no line @data; fetch it again.")


def _read_tag(source: Source, header: _Header, name: str, words: list[str], line: int) -> None:
    if name in SWITCHES or name == "classlabel":
        value = words[0].lower() if words else ""
        if value not in ("true", "false"):
            raise source.error(f"@{name} needs true or false, got {show(value)}.", line)
        if name == "classlabel":
            header.classes = words[1:] if value == "true" else None
        else:
            header.switches[name] = value == "true"
    elif name in ("serieslength", "dimensions", "dimension"):
        value = words[0] if words else ""
        if not (value.isascii() and value.isdigit() and len(value) < 10):
            raise source.error(f"@{name} needs a whole number, got {show(value)}.", line)
        if name == "serieslength":
            header.length = int(value)
        else:
            header.dimensions = int(value)


def _check_header(source: Source, header: _Header) -> _Header:
    if header.dimensions != 1 or not header.switches.get("univariate", True):
        raise source.error("holds multivariate series; only univariate ones are read.")
    if header.switches.get("timestamps", False):
        raise source.error("holds series with time stamps; only plain values are read.")
    if not header.classes:
        raise source.error(
            "names no classes (@classLabel true …), so it is no classification task."
        )
    return header


def _add_series(source: Source, series: Series, header: _Header, line: str, number: int) -> None:
    fields = line.split(":")
    if len(fields) != 2:
        problem = "no label after a colon" if len(fields) == 1 else "more than one dimension"
        raise source.error(f"has {problem}; a univariate series reads v,v,…:label.", number)
    values, label = fields[0].split(","), fields[1].strip(BLANKS)
    if label not in (header.classes or ()):
        raise source.error(f"the label {show(label)} is not listed by @classLabel.", number)
    if header.switches.get("equallength", False):
        expected = header.length or len(series.values[0] if series.values else values)
        if len(values) != expected:
            raise source.error(
                f"has {len(values)} values where all series should have {expected}.", number
            )
    series.add(source, label, values, MISSING, number)
