"""Weka's ARFF: declared columns, then dense or sparse rows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from noisebench.datasets.readers.declarations import (
    Attribute,
    Lines,
    read_header,
    split_values,
    strip_comment,
    take_value,
)
from noisebench.datasets.readers.grid import Grid, Kind
from noisebench.datasets.readers.options import Column, Encoding, Target
from noisebench.datasets.readers.source import BLANKS, Source, show
from noisebench.datasets.readers.stack import ABSENT, Stack
from noisebench.datasets.table import Table

KEYWORDS = {word: word for word in ("relation", "attribute", "data")}
MISSING = frozenset({"?"})
_INDEX = re.compile(r"[ \t]*([0-9]{1,9})[ \t]+")


def read_arff(
    source: Source,
    *,
    label: Column = -1,
    drop: Sequence[Column] = (),
    target: Target = "class",
    encoding: Encoding = "utf-8",
) -> Table:
    """Read an ARFF file; nominal and string attributes become text columns.

    In a sparse row ``{index value, …}`` an absent number is 0 and an absent nominal value is the
    first of its list, as Weka has it. Types date and relational are refused. Blanks around a
    value do not count, even inside quotes.

    Parameters
    ----------
    label, drop : name or position of an attribute
        The attribute of the target, and attributes to leave out.
    target : "class" or "number"
        Whether the target is read as classes or as numbers.
    """
    lines = strip_lines(source, encoding)
    header = read_header(source, lines, KEYWORDS)
    grid = read_rows(source, lines, header.attributes, MISSING)
    return grid.build_table(source, label, drop, target)


def strip_lines(source: Source, encoding: Encoding) -> Lines:
    """Yield the lines without comments, leaving out those that hold nothing else."""
    for number, line in source.lines(encoding):
        if line := strip_comment(line):
            yield number, line


def read_rows(
    source: Source, lines: Lines, attributes: Sequence[Attribute], missing: frozenset[str]
) -> Grid:
    """Read the lines below ``@data`` and check nominal values against their lists."""
    tokens = Stack(frozenset({ABSENT}))
    for number, line in lines:
        try:
            if line.startswith("{"):
                row = _expand(line, attributes, missing)
            else:
                row = split_values(line, missing)
        except ValueError as error:
            raise source.error(f"{error}.", number) from error
        if len(row) != len(attributes):
            raise source.error(
                f"has {len(row)} values for {len(attributes)} attributes; mend the line.", number
            )
        tokens.push(row, number)
        source.check_size(len(tokens.lines), len(attributes))
    if tokens.lines:
        _check_nominal(source, tokens, attributes)
    kinds: list[Kind] = ["number" if attribute.numeric else "text" for attribute in attributes]
    return Grid([attribute.name for attribute in attributes], kinds, tokens)


def _expand(line: str, attributes: Sequence[Attribute], missing: frozenset[str]) -> list[str]:
    """Turn a sparse row into a dense one."""
    if not line.endswith("}"):
        raise ValueError("a sparse row must end with } and carries no weight")
    given = _split_sparse(line[1:-1].strip(BLANKS), len(attributes), missing)
    row = []
    for index, attribute in enumerate(attributes):
        if index in given:
            row.append(given[index])
        elif attribute.numeric:
            row.append("0")
        elif attribute.values:
            row.append(attribute.values[0])
        else:
            raise ValueError(f"string attribute {show(attribute.name)} is left out of a sparse row")
    return row


def _split_sparse(text: str, width: int, missing: frozenset[str]) -> dict[int, str]:
    given: dict[int, str] = {}
    position = 0
    while position < len(text):
        match = _INDEX.match(text, position)
        if match is None:
            raise ValueError(f"{show(text[position:])} does not begin with an index and a blank")
        index = int(match[1])
        if index >= width or index in given:
            problem = "is given twice" if index in given else f"exceeds the last, {width - 1}"
            raise ValueError(f"index {index} {problem}")
        given[index], position = take_value(text, match.end(), missing)
    return given


def _check_nominal(source: Source, tokens: Stack, attributes: Sequence[Attribute]) -> None:
    for position, attribute in enumerate(attributes):
        if attribute.values is None:
            continue
        column = tokens[position]
        allowed = {*attribute.values, None}
        if not allowed.issuperset(column):
            row = next(i for i, value in enumerate(column) if value not in allowed)
            raise source.error(
                f"{show(str(column[row]))} is not among the declared values of attribute "
                f"{show(attribute.name)}.",
                tokens.lines[row],
            )
