"""Proposals and their canonical measurement in numpy."""

from __future__ import annotations

import numpy as np

from noisebench.neighbors.plain.search import measure, nearest


def rank(
    points: np.ndarray,
    rows: np.ndarray,
    candidates: np.ndarray,
    n_neighbors: int,
    metric: str,
    n_threads: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the nearest of each row's candidates, measured anew, the row itself left out.

    For the metrics of differences: Euclidean, Manhattan and Chebyshev's.
    """
    keys = np.empty((len(rows), n_neighbors))
    indices = np.empty((len(rows), n_neighbors), dtype=np.int32)
    for place, (row, among) in enumerate(zip(rows, np.sort(candidates, axis=1), strict=True)):
        others = among[among != row]
        measured = measure(points[row][None], points[others], metric)
        chosen = nearest(measured, n_neighbors)[0]
        keys[place] = measured[0, chosen]
        indices[place] = others[chosen]
    return keys, indices


def propose(
    products: np.ndarray, squares: np.ndarray, n_candidates: int, n_threads: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns (in any order) where |b|² − 2ab is smallest, and the largest of these.

    ``products`` holds ab and ``squares`` |b|², both in single precision.
    """
    keys = squares - np.float32(2) * products
    candidates = nearest(keys, n_candidates)
    return candidates, np.take_along_axis(keys, candidates[:, -1:], axis=1)[:, 0]
