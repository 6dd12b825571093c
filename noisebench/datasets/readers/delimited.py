"""Plain tables: one row a line, fields parted by a character or by white space."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from noisebench.datasets.readers.columns import find_column
from noisebench.datasets.readers.grid import Grid, Kind
from noisebench.datasets.readers.options import Column, Encoding, Target
from noisebench.datasets.readers.source import BLANKS, Source, show, split_blanks
from noisebench.datasets.readers.stack import Stack
from noisebench.datasets.table import Table
from noisebench.errors import InputError

MISSING = ("?", "", "NA", "NaN", "nan")
WHITESPACE = (" ", "whitespace")

Row = tuple[int, list[str]]


def read_csv(
    source: Source,
    *,
    delimiter: str = ",",
    header: bool = False,
    label: Column = -1,
    drop: Sequence[Column] = (),
    missing: Sequence[str] = MISSING,
    comment: str | None = None,
    numeric: bool = False,
    categorical: Literal["all"] | Sequence[Column] = (),
    target: Target = "class",
    encoding: Encoding = "utf-8",
) -> Table:
    """Read a delimited table.

    A column is numeric when each token that is not missing is a finite decimal number, and text
    otherwise. Blanks around a token do not count; a field may be quoted with ``"``.

    Parameters
    ----------
    delimiter : str
        One character; a blank or ``whitespace`` stands for any run of blanks and tabs.
    header : bool
        Whether the first line names the columns.
    label, drop : position, or name where there is a header
        The column of the target, and columns to leave out.
    missing : list of str
        The tokens that mean a missing value.
    comment : str, optional
        Lines that begin with it are skipped.
    numeric : bool
        Demand numbers in every feature column that is not categorical.
    categorical : list of columns, or "all"
        Feature columns that are text whatever they hold.
    target : "class" or "number"
        Whether the label column is read as strings or as numbers.
    """
    _check_delimiter(delimiter)
    rows = _split(source, source.text(encoding), delimiter, comment)
    names, tokens = _collect(source, rows, header, Stack(frozenset(missing)))
    kinds = _choose_kinds(source, names, label, numeric, categorical)
    return Grid(names, kinds, tokens).build_table(source, label, drop, target)


def _check_delimiter(delimiter: str) -> None:
    if delimiter not in WHITESPACE and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise InputError(
            f"delimiter must be one character other than a quote or a line end, or 'whitespace', "
            f"got {show(delimiter)}."
        )


def _split(source: Source, text: str, delimiter: str, comment: str | None) -> Iterator[Row]:
    """Yield the fields of each row with the number of the line on which it begins."""
    lines: Iterable[str] = io.StringIO(text, newline="")
    if comment:
        # A blank line in place of a comment keeps the line numbers right.
        lines = ("\n" if line.lstrip(BLANKS).startswith(comment) else line for line in lines)
    if delimiter in WHITESPACE:
        yield from _split_at_blanks(source, lines)
    else:
        yield from _split_at_character(source, lines, delimiter)


def _split_at_blanks(source: Source, lines: Iterable[str]) -> Iterator[Row]:
    for number, line in enumerate(lines, start=1):
        line = line.rstrip("\r\n").strip(BLANKS)
        if '"' in line:
            line = line.replace("\t", " ")
            yield from (
                (number, row) for _, row in _split_at_character(source, [line], " ", number)
            )
        elif line:
            yield number, split_blanks(line)


def _split_at_character(
    source: Source, lines: Iterable[str], delimiter: str, first: int = 1
) -> Iterator[Row]:
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    number = first
    try:
        for row in reader:
            if len(row) > 1 or (row and row[0].strip(BLANKS)):
                yield number, row
            number = first + reader.line_num
    except csv.Error as error:
        raise source.error(
            f"cannot be split into fields ({error}); check its quotes.", number
        ) from error


def _collect(
    source: Source, rows: Iterator[Row], header: bool, tokens: Stack
) -> tuple[list[str], Stack]:
    """Return the names of the columns and their tokens."""
    first, row = next(rows, (0, []))
    if not row:
        raise source.error("has no rows; fetch it again.")
    if header:
        names = [name.strip(BLANKS) for name in row]
    else:
        names = [f"x{position}" for position in range(len(row))]
        tokens.push(row, first)
    source.check_size(1, len(names))
    for line, row in rows:
        if len(row) != len(names):
            raise source.error(
                f"has {len(row)} fields where line {first} has {len(names)}; mend the line or "
                f"check the option delimiter.",
                line,
            )
        tokens.push(row, line)
    return names, tokens


def _choose_kinds(
    source: Source,
    names: Sequence[str],
    label: Column,
    numeric: bool,
    categorical: Literal["all"] | Sequence[Column],
) -> list[Kind]:
    kinds: list[Kind] = ["number" if numeric else "guess"] * len(names)
    text = range(len(names)) if categorical == "all" else categorical
    for column in (*text, label):
        kinds[find_column(source, names, column)] = "text"
    return kinds
