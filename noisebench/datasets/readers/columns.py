"""Columns of a file: finding the label, leaving some out, and giving the rest a type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import pandas as pd

from noisebench.datasets.readers.decimals import (
    NotANumberError,
    Token,
    name_classes,
    parse_numbers,
)
from noisebench.datasets.readers.options import Column, Target
from noisebench.datasets.readers.source import Source, show
from noisebench.datasets.table import Table
from noisebench.errors import did_you_mean

Kind = Literal["number", "text", "guess"]


@dataclass(frozen=True, eq=False)
class Grid:
    """Tokens by column (None is a missing value) and the line on which each row stands."""

    names: Sequence[str]
    columns: Sequence[Sequence[Token]]
    lines: Sequence[int]


def find_column(source: Source, names: Sequence[str], wanted: Column) -> int:
    """Return the position of the one column that ``wanted`` names."""
    if isinstance(wanted, int):
        if not -len(names) <= wanted < len(names):
            raise source.error(
                f"has no column {wanted}; its {len(names)} columns count from 0, or from -1 "
                f"backwards."
            )
        return wanted % len(names)
    hits = [position for position, name in enumerate(names) if name == wanted]
    if len(hits) > 1:
        raise source.error(
            f"has {len(hits)} columns named {show(wanted)}, at {', '.join(map(str, hits))}; "
            f"give the position instead of the name."
        )
    if not hits:
        raise source.error(f"has no column {show(wanted)}. {did_you_mean(wanted, names)}")
    return hits[0]


def select_columns(
    source: Source, names: Sequence[str], label: Column, drop: Sequence[Column]
) -> tuple[int, list[int]]:
    """Return the position of the label and the positions of the features."""
    target = find_column(source, names, label)
    dropped = {find_column(source, names, column) for column in drop}
    if target in dropped:
        raise source.error(f"column {show(names[target])} is the label and cannot be dropped.")
    kept = [i for i in range(len(names)) if i != target and i not in dropped]
    if not kept:
        raise source.error("has no feature column beside the label; check delimiter and drop.")
    check_names(source, [names[i] for i in kept])
    return target, kept


def check_names(source: Source, names: Sequence[str]) -> None:
    """Refuse two columns of one name, which a data frame could not tell apart."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise source.error(f"has two columns named {show(name)}; drop or rename one.")
        seen.add(name)


def build_table(
    source: Source,
    grid: Grid,
    kinds: Sequence[Kind],
    *,
    label: Column,
    drop: Sequence[Column],
    target: Target,
) -> Table:
    """Make a table of tokens, with one kind for each column of the grid."""
    if not grid.lines:
        raise source.error("has no rows; fetch it again.")
    position, kept = select_columns(source, grid.names, label, drop)
    source.check_size(len(grid.lines), len(kept))
    numbers = _parse_columns(source, grid, [i for i in kept if kinds[i] == "number"])
    features = {
        grid.names[i]: numbers[i] if i in numbers else _convert(grid.columns[i], kinds[i])
        for i in kept
    }
    return Table(
        pd.DataFrame(features), _convert_target(source, grid, position, kinds[position], target)
    )


def _parse_columns(
    source: Source, grid: Grid, positions: Sequence[int]
) -> dict[int, pd.Series]:
    """Parse columns of numbers; report the first token in reading order that is none."""
    parsed, bad = {}, []
    for position in positions:
        try:
            parsed[position] = pd.Series(parse_numbers(grid.columns[position]))
        except NotANumberError as error:
            bad.append((error.index, position))
    if bad:
        row, position = min(bad)
        raise source.error(_describe_token(grid, row, position), grid.lines[row])
    return parsed


def _describe_token(grid: Grid, row: int, position: int) -> str:
    token = grid.columns[position][row]
    return (
        f"column {position} ({show(grid.names[position])}) holds {show(str(token))}, which is "
        f"not a finite decimal number; mend it or name it as missing."
    )


def _convert(tokens: Sequence[Token], kind: Kind) -> pd.Series:
    if kind == "guess":
        try:
            return pd.Series(parse_numbers(tokens))
        except NotANumberError:
            pass  # one token that is no number makes the column text
    return pd.Series(tokens, dtype=object)


def _convert_target(
    source: Source, grid: Grid, position: int, kind: Kind, target: Target
) -> pd.Series:
    tokens, name = grid.columns[position], grid.names[position]
    if None in tokens:
        line = grid.lines[tokens.index(None)]
        raise source.error(f"has no label in column {position} ({show(name)}).", line)
    if target == "class" and kind != "number":
        return pd.Series(tokens, dtype=object, name=name)
    values = _parse_columns(source, grid, [position])[position].rename(name)
    if target == "number":
        return values
    return pd.Series(name_classes(values), dtype=object, name=name)
