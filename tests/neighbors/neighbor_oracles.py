"""Literal searches, written for clarity alone, and the kinds of data they are tried on."""

from __future__ import annotations

from functools import reduce

import numpy as np

from noisebench.neighbors.metrics import VECTOR_METRICS

METRICS = (*VECTOR_METRICS, "dtw", "precomputed")
KINDS = ("continuous", "integer", "duplicated", "constant", "offset", "binary")


def make_points(rng, kind, n, d):
    """Return n points of d features in which ties are as common as ``kind`` says."""
    if kind == "continuous":
        return rng.normal(size=(n, d))
    if kind == "integer":
        return rng.integers(0, 4, (n, d)).astype(float)
    if kind == "duplicated":
        return rng.normal(size=(max(1, n // 3), d))[rng.integers(0, max(1, n // 3), n)]
    if kind == "constant":
        return np.full((n, d), 0.1)
    if kind == "offset":
        return rng.normal(size=(n, d)) + 1e8
    return rng.integers(0, 2, (n, d)).astype(float)


def measure_all(X, metric, window=None):
    """Return the keys (what neighbours are ordered by) between all points."""
    if metric == "precomputed":
        return np.asarray(X, dtype=float)
    if metric == "dtw":
        return np.array([[warp(a, b, window) for b in X] for a in X])
    columns = [(X[:, None, j], X[None, :, j]) for j in range(X.shape[1])]
    if metric == "chebyshev":
        return reduce(np.maximum, [np.abs(a - b) for a, b in columns])
    if metric == "cosine":
        dots = reduce(np.add, [a * b for a, b in columns])
        squares = reduce(np.add, [X[:, j] * X[:, j] for j in range(X.shape[1])])
        with np.errstate(invalid="ignore", divide="ignore"):
            keys = np.maximum(1 - dots / np.sqrt(squares[:, None] * squares[None, :]), 0)
        zero = squares == 0
        keys[zero[:, None] ^ zero[None, :]] = 1.0
        keys[zero[:, None] & zero[None, :]] = 0.0
        return keys
    term = {
        "euclidean": lambda a, b: (a - b) * (a - b),
        "manhattan": lambda a, b: np.abs(a - b),
        "hamming": lambda a, b: (a != b) * 1.0,
    }[metric]
    return reduce(np.add, [term(a, b) for a, b in columns])


def warp(a, b, window=None):
    """Return the warping distance of two 1-D series by the textbook recurrence."""
    n, m = len(a), len(b)
    width = max(n, m) if window is None else int(window * max(n, m) + 1e-9)
    width = max(width, abs(n - m))
    best = {(-1, -1): 0.0}
    for i in range(n):
        for j in range(max(0, i - width), min(m, i + width + 1)):
            before = [best.get(cell, np.inf) for cell in ((i - 1, j), (i, j - 1), (i - 1, j - 1))]
            best[i, j] = (a[i] - b[j]) * (a[i] - b[j]) + min(before)
    return best[n - 1, m - 1]


def search_literally(keys, rows, train, k, exclude_self):
    """Return keys and positions of each row's nearest training points, by sorting them all."""
    block = keys[np.ix_(rows, train)].astype(float)
    if exclude_self:
        block[np.asarray(rows)[:, None] == np.asarray(train)[None, :]] = np.inf
    width = min(k, len(train) - exclude_self)
    order = np.argsort(block, axis=1, kind="stable")[:, :width]
    return np.take_along_axis(block, order, axis=1), order
