"""The table that a source delivers, before any preprocessing."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from noisebench.errors import DataError


@dataclass(frozen=True, eq=False)
class Table:
    """Features and target as read.

    Numeric feature columns are float64 with NaN for a missing value; all other columns hold
    strings, with None for a missing value. The target holds strings (class labels), or float64
    where it is a quantity still to be binarised.
    """

    features: pd.DataFrame
    target: pd.Series

    def __post_init__(self) -> None:
        if len(self.features) != len(self.target):
            raise DataError(
                f"A table needs one target per row, got {len(self.target)} targets "
                f"for {len(self.features)} rows."
            )
