"""Gaussian kernels over training points that are known by features or by distances alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

#: Up to this many points a matrix of all pairs is kept (288 MB); beyond, pairs are measured anew.
MATRIX_LIMIT = 6000

#: The median distance is taken among this many points at most.
_MEDIAN_POINTS = 1000


@dataclass(frozen=True, eq=False)
class Distances:
    """Squared distances among training points: a matrix, points to measure, or both."""

    matrix: np.ndarray | None
    points: np.ndarray | None
    n_points: int

    @classmethod
    def read(cls, X: np.ndarray, metric: str) -> Distances:
        """Take features, or with ``metric="precomputed"`` the matrix of distances."""
        if metric == "precomputed":
            if X.shape[0] != X.shape[1]:
                raise ValueError(
                    f"Precomputed distances to fit with must be square, got shape {X.shape}."
                )
            return cls(X**2, None, len(X))
        if metric != "euclidean":
            raise ValueError(f"metric must be 'euclidean' or 'precomputed', got {metric!r}.")
        matrix = square_distances(X, X) if len(X) <= MATRIX_LIMIT else None
        return cls(matrix, X, len(X))

    def squares(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return the squared distances between some points and some others."""
        if self.matrix is not None:
            return self.matrix[np.ix_(rows, columns)]
        assert self.points is not None
        return square_distances(self.points[rows], self.points[columns])

    def kernel(self, rows: np.ndarray, columns: np.ndarray, width: float) -> np.ndarray:
        """Return the Gaussian kernel between some points and some others."""
        return apply_kernel(self.squares(rows, columns), width)


def square_distances(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return squared Euclidean distances, summed from differences so that equal ones stay equal."""
    return cdist(left, right, "sqeuclidean")


def apply_kernel(squares: np.ndarray, width: float) -> np.ndarray:
    """Return exp(−‖x − z‖² / (2 width²)) of squared distances.

    >>> apply_kernel(np.array([0.0, 8.0]), width=2.0).round(4)
    array([1.    , 0.3679])
    """
    kernel = squares / (-2.0 * width**2)
    return np.exp(kernel, out=kernel)


def median_distance(distances: Distances, rng: np.random.Generator) -> float:
    """Return the median distance over pairs of points, of 1000 random points where there are more.

    Where most pairs coincide the median of the others stands in, and 1 where all do: a kernel
    needs a width.

    >>> line = Distances.read(np.array([[0.0], [1.0], [3.0]]), "euclidean")
    >>> median_distance(line, np.random.default_rng(0))
    2.0
    """
    rows = np.arange(distances.n_points)
    if len(rows) > _MEDIAN_POINTS:
        rows = rng.choice(len(rows), _MEDIAN_POINTS, replace=False)
    pairs = np.sqrt(distances.squares(rows, rows)[np.triu_indices(len(rows), 1)])
    median = np.median(pairs) if pairs.size else 0.0
    if median == 0 and pairs.any():
        median = np.median(pairs[pairs > 0])
    return float(median) or 1.0
