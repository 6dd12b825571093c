"""Tokens under column names, given types and made into a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from noisebench.datasets.readers.arrays import build_frame
from noisebench.datasets.readers.columns import select_columns
from noisebench.datasets.readers.decimals import (
    NotANumberError,
    Token,
    name_classes,
    parse_numbers,
)
from noisebench.datasets.readers.options import Column, Target
from noisebench.datasets.readers.source import Source, show
from noisebench.datasets.readers.stack import Stack
from noisebench.datasets.table import Table

Kind = Literal["number", "text", "guess"]


@dataclass(frozen=True, eq=False)
class Grid:
    """Columns of tokens with a name and a kind for each.

    A ``guess`` is numeric when all its tokens are numbers, and text otherwise.
    """

    names: Sequence[str]
    kinds: Sequence[Kind]
    tokens: Stack

    def build_table(
        self, source: Source, label: Column, drop: Sequence[Column], target: Target
    ) -> Table:
        """Convert the features and the target."""
        if not self.tokens.lines:
            raise source.error("has no rows; fetch it again.")
        position, kept = select_columns(source, self.names, label, drop)
        source.check_size(len(self.tokens.lines), len(kept))
        numbers = self._parse(source, [i for i in kept if self.kinds[i] == "number"])
        features = {
            self.names[i]: numbers[i] if i in numbers else _convert(self.tokens[i], self.kinds[i])
            for i in kept
        }
        return Table(build_frame(features), self._convert_target(source, position, target))

    def _parse(self, source: Source, positions: Sequence[int]) -> dict[int, np.ndarray]:
        """Parse columns of numbers; report the first token in reading order that is none."""
        parsed, bad = {}, []
        for position in positions:
            try:
                parsed[position] = parse_numbers(self.tokens[position])
            except NotANumberError as error:
                bad.append((error.index, position))
        if bad:
            row, position = min(bad)
            token = str(self.tokens[position][row])
            raise source.error(
                f"column {position} ({show(self.names[position])}) holds {show(token)}, which is "
                f"not a finite decimal number; mend it or mark it as missing.",
                self.tokens.lines[row],
            )
        return parsed

    def _convert_target(self, source: Source, position: int, target: Target) -> pd.Series:
        tokens, name = self.tokens[position], self.names[position]
        if None in tokens:
            line = self.tokens.lines[tokens.index(None)]
            raise source.error(f"has no label in column {position} ({show(name)}).", line)
        if target == "class" and self.kinds[position] != "number":
            return pd.Series(tokens, dtype=object, name=name)
        values = self._parse(source, [position])[position]
        if target == "number":
            return pd.Series(values, name=name)
        return pd.Series(name_classes(values), dtype=object, name=name)


def _convert(tokens: Sequence[Token], kind: Kind) -> np.ndarray:
    if kind == "guess":
        try:
            return parse_numbers(tokens)
        except NotANumberError:
            pass  # one token that is no number makes the column text
    return np.array(tokens, dtype=object)
