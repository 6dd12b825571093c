"""Points and a metric: what a neighbour table is built on, and searched exactly."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from noisebench.errors import InputError
from noisebench.neighbors.backend import kernels
from noisebench.neighbors.dtw import as_series, check_window, measure_series
from noisebench.neighbors.metrics import as_numbers, check_metric, finish_keys, prepare_points
from noisebench.neighbors.plain import search as plain_search

#: Fewer terms (queries × points × features) than this are not worth loading the compiler.
_SMALL = 200_000

#: A block of warping distances holds at most this many numbers (256 MB).
_BLOCK = 32_000_000


class Space(ABC):
    """Points numbered from 0, with an exact search among any of them.

    A *key* is what neighbours are ordered by: the squared distance of the Euclidean metric, whose
    root can round unequal values together, and the distance itself elsewhere.
    """

    metric: str
    #: Length of the band of dynamic time warping, as a share; no other metric has one.
    window: float | None = None

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of points."""

    @abstractmethod
    def search(
        self,
        rows: np.ndarray,
        columns: np.ndarray,
        n_neighbors: int,
        *,
        exclude_self: bool,
        n_threads: int | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return keys and positions in ``columns`` of each row's nearest columns.

        Ordered by (key, position): the order of ``columns`` decides ties. With ``exclude_self``
        a row is not its own neighbour.
        """

    @abstractmethod
    def content(self) -> list[np.ndarray]:
        """Return the arrays that fix the geometry."""

    def distances(self, keys: np.ndarray) -> np.ndarray:
        """Turn keys into distances."""
        return keys

    def fingerprint(self) -> str:
        """Return a SHA-256 over the points and the metric."""
        digest = hashlib.sha256(f"{self.metric} {self.window}".encode())
        for array in self.content():
            digest.update(f"{array.dtype.str}{array.shape}".encode())
            digest.update(np.ascontiguousarray(array).data.cast("B"))
        return digest.hexdigest()


class VectorSpace(Space):
    """Rows of numbers under one of the metrics between vectors."""

    def __init__(self, X: Any, metric: str) -> None:
        self.metric = metric
        self.points = prepare_points(X, metric)

    def __len__(self) -> int:
        return len(self.points)

    def search(
        self,
        rows: np.ndarray,
        columns: np.ndarray,
        n_neighbors: int,
        *,
        exclude_self: bool,
        n_threads: int | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        skip = find_self(rows, columns, len(self), exclude_self)
        terms = len(rows) * len(columns) * self.points.shape[1]
        # Both give the same bits, so that the choice cannot be seen in the result.
        chosen = plain_search if terms < _SMALL else kernels("search")
        return chosen.search(
            self.points[rows], self.points[columns], n_neighbors, self.metric, skip, n_threads
        )

    def content(self) -> list[np.ndarray]:
        return [self.points]

    def distances(self, keys: np.ndarray) -> np.ndarray:
        return finish_keys(keys, self.metric, self.points.shape[1])


class MatrixSpace(Space):
    """Distances given as a square matrix, row by row from each point to all."""

    metric = "precomputed"

    def __init__(self, X: Any) -> None:
        self.matrix = as_numbers(X, "X", 2)
        if self.matrix.shape[0] != self.matrix.shape[1]:
            raise InputError(
                f"X must be a square matrix of distances with metric='precomputed', "
                f"got shape {self.matrix.shape}."
            )

    def __len__(self) -> int:
        return len(self.matrix)

    def search(
        self,
        rows: np.ndarray,
        columns: np.ndarray,
        n_neighbors: int,
        *,
        exclude_self: bool,
        n_threads: int | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        skip = find_self(rows, columns, len(self), exclude_self)
        step = max(1, _BLOCK // len(columns))
        parts = [
            pick_nearest(
                self.matrix[np.ix_(rows[start : start + step], columns)],
                n_neighbors,
                skip[start : start + step],
            )
            for start in range(0, len(rows), step)
        ]
        return join_parts(parts, n_neighbors)

    def content(self) -> list[np.ndarray]:
        return [self.matrix]


class SeriesSpace(Space):
    """Time series under dynamic time warping."""

    metric = "dtw"

    def __init__(self, X: Any, window: float | None) -> None:
        check_window(window)
        self.series = as_series(X)
        self.window = window

    def __len__(self) -> int:
        return len(self.series)

    def search(
        self,
        rows: np.ndarray,
        columns: np.ndarray,
        n_neighbors: int,
        *,
        exclude_self: bool,
        n_threads: int | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        skip = find_self(rows, columns, len(self), exclude_self)
        if np.array_equal(rows, columns) and len(rows) ** 2 <= _BLOCK:
            every = self._pick(rows)
            block = measure_series(every, every, self.window, symmetric=True, n_threads=n_threads)
            return pick_nearest(block, n_neighbors, skip)
        step = max(1, _BLOCK // len(columns))
        parts = []
        for start in range(0, len(rows), step):
            part = slice(start, start + step)
            block = self._measure(rows[part], columns, n_neighbors, skip[part], n_threads)
            parts.append(pick_nearest(block, n_neighbors, skip[part]))
        return join_parts(parts, n_neighbors)

    def _pick(self, members: np.ndarray) -> list[np.ndarray]:
        return [self.series[member] for member in members]

    def _measure(
        self,
        rows: np.ndarray,
        columns: np.ndarray,
        n_neighbors: int,
        skip: np.ndarray,
        n_threads: int | None,
    ) -> np.ndarray:
        """Return the distances that matter: those of far columns may be infinite.

        The nearest of some first columns bound what can still become a neighbour, so that most
        other pairs need not be measured to the end.
        """
        queries = self._pick(rows)
        head = min(len(columns), 4 * n_neighbors + 1)
        near = measure_series(queries, self._pick(columns[:head]), self.window, n_threads=n_threads)
        if head == len(columns):
            return near
        keys, _ = pick_nearest(near.copy(), n_neighbors, np.where(skip < head, skip, -1))
        bounds = keys[:, -1]
        far = measure_series(
            queries, self._pick(columns[head:]), self.window, bounds=bounds, n_threads=n_threads
        )
        return np.hstack([near, far])

    def content(self) -> list[np.ndarray]:
        return [np.array([values.shape for values in self.series]), np.concatenate(self.series)]


def make_space(X: Any, metric: str = "euclidean", window: float | None = None) -> Space:
    """Return the points of ``X`` under ``metric``, or say what is wrong with either.

    >>> len(make_space([[0.0], [1.0]], "manhattan"))
    2
    """
    check_metric(metric)
    if metric == "dtw":
        return SeriesSpace(X, window)
    if window is not None:
        raise InputError(f"window belongs to metric='dtw' only, got {window} with '{metric}'.")
    return MatrixSpace(X) if metric == "precomputed" else VectorSpace(X, metric)


def find_self(
    rows: np.ndarray, columns: np.ndarray, n_points: int, exclude_self: bool
) -> np.ndarray:
    """Return the position of each row among the columns, or -1: absent, or not to be excluded."""
    position = np.full(n_points, -1)
    if exclude_self:
        position[columns] = np.arange(len(columns))
    return position[rows]


def pick_nearest(
    block: np.ndarray, n_neighbors: int, skip: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the nearest columns of each row of a block of keys, which is changed."""
    rows = np.flatnonzero(skip >= 0)
    block[rows, skip[rows]] = np.inf
    chosen = plain_search.nearest(block, n_neighbors)
    return np.take_along_axis(block, chosen, axis=1), chosen.astype(np.int32)


def join_parts(
    parts: list[tuple[np.ndarray, np.ndarray]], n_neighbors: int
) -> tuple[np.ndarray, np.ndarray]:
    """Stack the lists of consecutive rows; of no rows, return empty lists."""
    none = np.empty((0, n_neighbors)), np.empty((0, n_neighbors), dtype=np.int32)
    keys, positions = zip(none, *parts, strict=True)
    return np.concatenate(keys), np.concatenate(positions)
