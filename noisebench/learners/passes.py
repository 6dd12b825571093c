"""Passes of confidence-weighted learners over a stream, compiled on first use.

The loops are plain Python that numba can compile; ``NOISEBENCH_JIT=0`` runs them as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from noisebench.neighbors.backend import is_compiled

#: How the second moment is kept and updated, as the loops know it.
FULL_RULES = {"arow": 0, "nherd": 1}
DIAGONAL_RULES = {"arow": 0, "drop": 1, "exact": 2, "project": 3}


def run_full(
    points: np.ndarray, signs: np.ndarray, orders: np.ndarray, r: float, rule: str, stops: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Run through a stream with a full covariance; return the weights after some epochs.

    Parameters
    ----------
    points, signs
        The examples and their labels, −1 or +1.
    orders : (epoch, example)
        The order of the examples in each pass.
    r : float
        The regulariser of AROW, or 1/C of NHERD.
    rule : {"arow", "nherd"}
        How an example shrinks the covariance Σ.
    stops
        The numbers of passes after which the weights are noted, ascending; the last one is the
        number of passes.

    Returns
    -------
    The weights, one row for each stop, and the final covariance.

    Examples
    --------
    >>> points = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
    >>> signs, orders = np.array([1.0, -1.0, 1.0]), np.array([[0, 1, 2]])
    >>> weights, covariance = run_full(points, signs, orders, 1.0, "arow", [1])
    >>> weights.round(6)
    array([[-0.058824,  0.176471]])
    >>> covariance.round(6)
    array([[ 0.352941, -0.058824],
           [-0.058824,  0.176471]])
    """
    loop = _ready(_loop_full)
    return loop(*_prepare(points, signs, orders), float(r), FULL_RULES[rule], _as_places(stops))


def run_diagonal(
    points: np.ndarray, signs: np.ndarray, orders: np.ndarray, r: float, rule: str, stops: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Run through a stream with variances alone, as `run_full` does with all of Σ.

    ``rule`` is "arow", or one of NHERD's: "drop" keeps the diagonal of the full update, "exact"
    solves for the best diagonal matrix, "project" keeps the diagonal of the inverse.

    >>> points = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
    >>> signs, orders = np.array([1.0, -1.0, 1.0]), np.array([[0, 1, 2]])
    >>> weights, variances = run_diagonal(points, signs, orders, 1.0, "project", [1])
    >>> weights.round(6), variances.round(6)
    (array([[ 0.333333, -0.10101 ]]), array([0.137931, 0.062443]))
    """
    loop = _ready(_loop_diagonal)
    return loop(*_prepare(points, signs, orders), float(r), DIAGONAL_RULES[rule], _as_places(stops))


def _loop_full(
    points: np.ndarray,
    signs: np.ndarray,
    orders: np.ndarray,
    r: float,
    rule: int,
    stops: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    size = points.shape[1]
    mean, covariance = np.zeros(size), np.eye(size)
    noted, n_noted = np.empty((len(stops), size)), 0
    for epoch in range(len(orders)):
        for i in orders[epoch]:
            x, sign = points[i], signs[i]
            margin = sign * np.dot(mean, x)
            if margin < 1.0:
                shifted = np.dot(covariance, x)
                # Rounding may leave a variance of nothing slightly below zero.
                total = max(np.dot(x, shifted), 0.0) + r
                mean += (sign * (1.0 - margin) / total) * shifted
                # (C²v + 2C) / (1 + Cv)² for NHERD, with C = 1/r.
                shrink = 1.0 / total if rule == 0 else (total + r) / (total * total)
                for j in range(size):
                    covariance[j] -= (shrink * shifted[j]) * shifted
        if epoch + 1 == stops[n_noted]:
            noted[n_noted] = mean
            n_noted += 1
    return noted, covariance


def _loop_diagonal(
    points: np.ndarray,
    signs: np.ndarray,
    orders: np.ndarray,
    r: float,
    rule: int,
    stops: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    size = points.shape[1]
    mean, variances = np.zeros(size), np.ones(size)
    noted, n_noted = np.empty((len(stops), size)), 0
    for epoch in range(len(orders)):
        for i in orders[epoch]:
            x, sign = points[i], signs[i]
            margin = sign * np.dot(mean, x)
            if margin < 1.0:
                shifted = variances * x
                total = np.dot(x, shifted) + r
                mean += (sign * (1.0 - margin) / total) * shifted
                if rule == 0:
                    variances -= shifted * shifted / total
                elif rule == 1:
                    variances -= shifted * shifted * ((total + r) / (total * total))
                elif rule == 2:
                    variances /= (1.0 + shifted * x / r) ** 2
                else:
                    variances /= 1.0 + shifted * x * ((total + r) / (r * r))
        if epoch + 1 == stops[n_noted]:
            noted[n_noted] = mean
            n_noted += 1
    return noted, variances


@cache
def _compile(loop: Callable[..., Any]) -> Callable[..., Any]:
    import numba  # here and not before, so that the package itself stays light

    return numba.njit(loop, cache=True, nogil=True)


def _ready(loop: Callable[..., Any]) -> Callable[..., Any]:
    return _compile(loop) if is_compiled() else loop


def _prepare(
    points: np.ndarray, signs: np.ndarray, orders: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the arrays in the one form that the loops are compiled for."""
    return (
        np.array(points, dtype=np.float64, order="C"),
        np.array(signs, dtype=np.float64),
        np.array(orders, dtype=np.int64, order="C"),
    )


def _as_places(stops: Any) -> np.ndarray:
    return np.array(stops, dtype=np.int64)
