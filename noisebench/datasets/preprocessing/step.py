"""What a step on a whole table owes the catalogue."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import pandas as pd

from noisebench.datasets.table import Table


class TableStep(ABC):
    """A step that changes rows, columns or classes of a table.

    Any class with such an ``apply`` may stand under ``preprocessing`` in a catalogue entry.
    """

    @abstractmethod
    def apply(self, table: Table, rng: np.random.Generator) -> Table:
        """Return a new table; ``rng`` depends on the data set's name and this class only."""


def take_rows(table: Table, rows: np.ndarray) -> Table:
    """Return some rows of a table, in the given order."""
    return Table(table.features.iloc[rows], table.target.iloc[rows])


def text_columns(features: pd.DataFrame) -> list[int]:
    """Return the positions of the columns that hold words."""
    kinds = features.dtypes
    return [i for i in range(len(kinds)) if not pd.api.types.is_numeric_dtype(kinds.iloc[i])]


def join_words(words: Sequence[object]) -> str:
    """Return a short list for a message.

    >>> join_words(range(9))
    '0, 1, 2, 3, 4, 5, …'
    """
    shown = ", ".join(str(word) for word in words[:6])
    return f"{shown}, …" if len(words) > 6 else shown
