"""Rows of tokens, stacked so that millions of them stay small and quick to convert."""

from __future__ import annotations

from collections.abc import Sequence

from noisebench.datasets.readers.decimals import Token
from noisebench.datasets.readers.source import BLANKS

ABSENT = "\ud800"  # a lone surrogate, which no decoded text can hold
BLOCK = 1000
_SEPARATOR = "\0"  # refused by Source.text, so no token holds it


class Stack:
    """Columns of tokens, filled row by row.

    A Python string takes some fifty bytes more than its characters, and a pass over columns of
    scattered strings mostly waits for memory. So each column is kept as one long string, and
    only the column that is asked for is split into tokens.

    Parameters
    ----------
    missing : set of str
        The tokens that mean a missing value and come out as None.

    Examples
    --------
    >>> stack = Stack(frozenset({"?"}))
    >>> stack.push([" 1", "a"], line=1)
    >>> stack.push(["?", "b"], line=3)
    >>> stack[0], stack[1], stack.lines
    (['1', None], ['a', 'b'], [1, 3])
    """

    def __init__(self, missing: frozenset[str]) -> None:
        self.lines: list[int] = []
        self._missing = missing
        self._rows: list[Sequence[str]] = []
        self._columns: list[list[str]] = []

    def push(self, row: Sequence[str], line: int) -> None:
        """Add a row; all rows must be as wide as the first."""
        if not self.lines:
            self._columns = [[] for _ in row]
        self.lines.append(line)
        self._rows.append(row)
        if len(self._rows) == BLOCK:
            self._pack()

    def _pack(self) -> None:
        for parts, tokens in zip(self._columns, zip(*self._rows, strict=True), strict=False):
            parts.append(_SEPARATOR.join(tokens))
        self._rows.clear()

    def __getitem__(self, position: int) -> Sequence[Token]:
        """Return the tokens of a column without the blanks around them."""
        self._pack()
        joined = _SEPARATOR.join(self._columns[position])
        tokens = joined.split(_SEPARATOR)
        if any(blank in joined for blank in BLANKS):
            tokens = [token.strip(BLANKS) for token in tokens]
        if self._missing.isdisjoint(tokens):
            return tokens
        return [None if token in self._missing else token for token in tokens]
