"""The scaling that belongs to the published form of some sets."""

from __future__ import annotations

import numpy as np


def standardize(X: np.ndarray) -> np.ndarray:
    """Return the columns of ``X`` with mean 0 and population standard deviation 1.

    >>> standardize(np.array([[1.0], [3.0]])).ravel()
    array([-1.,  1.])
    """
    return (X - X.mean(axis=0)) / X.std(axis=0)
