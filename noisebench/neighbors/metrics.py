"""The metrics: their names, and how points are brought into the form that is searched."""

from __future__ import annotations

from typing import Any

import numpy as np

from noisebench.errors import InputError, did_you_mean

#: Metrics between rows of a table of numbers.
VECTOR_METRICS = ("euclidean", "manhattan", "chebyshev", "cosine", "hamming")

#: All metrics: those, dynamic time warping between series, and a matrix of distances as given.
METRICS = (*VECTOR_METRICS, "dtw", "precomputed")

#: Squares of larger coordinates could overflow.
_LARGEST = 1e150


def check_metric(metric: str) -> None:
    """Refuse a metric that is not known, naming the nearest known ones."""
    if metric not in METRICS:
        raise InputError(f"metric '{metric}' is not known. {did_you_mean(str(metric), METRICS)}")


def prepare_points(X: Any, metric: str) -> np.ndarray:
    """Return the rows of ``X`` as float64, in the form in which ``metric`` measures them.

    For the cosine each row is divided by the power of two below its largest entry. This changes
    no angle and rounds nothing, and keeps the squares of very large or small rows in range.

    >>> prepare_points([[3, 4], [0, 0]], "cosine")
    array([[0.75, 1.  ],
           [0.  , 0.  ]])
    """
    points = as_numbers(X, "X", 2)
    if not points.shape[1]:
        raise InputError(f"X must have at least one feature, got shape {points.shape}.")
    if metric == "cosine":
        _, exponents = np.frexp(np.abs(points).max(axis=1, initial=0.0))
        return np.ldexp(points, 1 - exponents[:, None])
    largest = np.abs(points).max(initial=0.0)
    if largest > _LARGEST:
        raise InputError(
            f"X must stay within ±{_LARGEST:g} so that squares do not overflow, got an entry of "
            f"size {largest:g}; rescale the features."
        )
    return points


def as_numbers(X: Any, name: str, ndim: int) -> np.ndarray:
    """Return ``X`` as a finite float64 array of ``ndim`` dimensions, or say what is wrong."""
    if hasattr(X, "toarray"):
        raise InputError(
            f"{name} must be a dense array, got a sparse matrix; pass X.toarray(), or a matrix of "
            "distances with metric='precomputed'."
        )
    numbers = np.ascontiguousarray(X, dtype=np.float64)
    if numbers.ndim != ndim:
        raise InputError(f"{name} must have {ndim} dimensions, got shape {numbers.shape}.")
    if not np.isfinite(numbers).all():
        raise InputError(f"{name} must hold finite numbers only; impute or drop NaN and infinity.")
    return numbers


def finish_keys(keys: np.ndarray, metric: str, n_features: int) -> np.ndarray:
    """Turn ordering keys into distances: the root of a squared sum, the share of a count."""
    if metric == "euclidean":
        return np.sqrt(keys)
    if metric == "hamming":
        return keys / n_features
    return np.asarray(keys)
