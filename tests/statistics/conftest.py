"""Data that several tests of the statistics share."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import as_file, files

import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def runs() -> tuple[np.ndarray, np.ndarray]:
    """Eight runs of two methods, small enough to check by hand."""
    first = [0.80, 0.84, 0.82, 0.79, 0.85, 0.83, 0.81, 0.86]
    second = [0.78, 0.80, 0.81, 0.80, 0.80, 0.82, 0.79, 0.81]
    return np.array(first), np.array(second)


@pytest.fixture
def demsar_ranks() -> np.ndarray:
    """Ranks of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf on 14 data sets (Demšar 2006, Table 6)."""
    return np.array(
        [
            [4, 3, 2, 1],
            [1, 2, 3, 4],
            [4, 1, 2, 3],
            [4, 1, 3, 2],
            [4, 2, 3, 1],
            [1, 2.5, 4, 2.5],
            [3, 2, 4, 1],
            [2.5, 2.5, 4, 1],
            [4, 3, 2, 1],
            [2.5, 2.5, 2.5, 2.5],
            [4, 2.5, 1, 2.5],
            [3, 2, 4, 1],
            [4, 1, 2, 3],
            [3, 1, 4, 2],
        ]
    )


@pytest.fixture
def read_reference() -> Callable[[str], pd.DataFrame]:
    """A reader of the papers' tables that ship with the package."""

    def read(name: str) -> pd.DataFrame:
        with as_file(files("noisebench.reference") / name) as path:
            return pd.read_csv(path)

    return read
