"""Neighbour lists: who is near whom, and what follows from that alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from noisebench.errors import InputError
from noisebench.neighbors.backend import kernels

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(frozen=True, eq=False)
class NeighborLists:
    """The nearest points of each row, ordered by (distance, index).

    Attributes
    ----------
    distances, indices
        Arrays with one row per list. An index is a position among the points searched.
    n_points
        Number of points searched.
    n_candidates
        Number of them that a list could hold: one less where a point is not its own neighbour.
    """

    distances: np.ndarray
    indices: np.ndarray
    n_points: int
    n_candidates: int

    @property
    def depth(self) -> int:
        """The length of the lists."""
        return self.indices.shape[1]

    def clip(self, n_neighbors: int) -> int:
        """Return how many neighbours stand for ``n_neighbors``: no more than there are points.

        A list that is shorter than both was cut too early, and the answer would be wrong.
        """
        if n_neighbors < 1:
            raise InputError(f"n_neighbors must be at least 1, got {n_neighbors}.")
        wanted = min(int(n_neighbors), self.n_candidates)
        if wanted > self.depth:
            raise InputError(
                f"n_neighbors must be at most {self.depth}, the depth of these lists, "
                f"got {n_neighbors}; build deeper ones."
            )
        return wanted

    def head(self, n_neighbors: int) -> NeighborLists:
        """Return the lists cut to their first entries."""
        k = self.clip(n_neighbors)
        return NeighborLists(
            self.distances[:, :k], self.indices[:, :k], self.n_points, self.n_candidates
        )

    def occurrences(self, n_neighbors: int) -> np.ndarray:
        """Return in how many lists each point is among the first k (the papers' N_k).

        >>> lists = NeighborLists(np.ones((3, 1)), np.array([[1], [0], [1]]), 3, 2)
        >>> lists.occurrences(1)
        array([1, 2, 0])
        """
        chosen = self.indices[:, : self.clip(n_neighbors)]
        return np.bincount(chosen.ravel(), minlength=self.n_points)

    def class_occurrences(
        self, labels: np.ndarray, n_neighbors: int, n_classes: int | None = None
    ) -> np.ndarray:
        """Return the occurrences of each point in lists of rows of each class, N_{k,c}.

        ``labels`` are those of the rows (the points whose lists these are): one vector, or
        several as rows of a matrix, which then form the first axis of the result.

        >>> lists = NeighborLists(np.ones((3, 1)), np.array([[1], [0], [1]]), 3, 2)
        >>> lists.class_occurrences(np.array([0, 1, 1]), 1)
        array([[0, 1],
               [1, 1],
               [0, 0]])
        """
        many, single = stack_labels(labels, len(self.indices))
        width = count_classes(many, n_classes)
        chosen = np.ascontiguousarray(self.indices[:, : self.clip(n_neighbors)], dtype=np.int32)
        counts = kernels("votes").count_occurrences(chosen, many, self.n_points, width)
        return counts[0] if single else counts

    def to_graph(self, n_neighbors: int | None = None) -> csr_matrix:
        """Return the lists as scikit-learn's sparse graph of distances, sorted by distance.

        Estimators with ``metric="precomputed"`` take it for fitting (rows are the training
        points) and for prediction (rows are queries), and read each row from the left, so that
        ties stay settled as they are here.

        >>> lists = NeighborLists(np.array([[0.5], [0.5]]), np.array([[1], [0]]), 2, 1)
        >>> lists.to_graph().toarray()
        array([[0. , 0.5],
               [0.5, 0. ]])
        """
        from scipy.sparse import csr_matrix

        k = self.depth if n_neighbors is None else self.clip(n_neighbors)
        rows = len(self.indices)
        parts = self.distances[:, :k].ravel(), self.indices[:, :k].ravel(), np.arange(rows + 1) * k
        return csr_matrix(parts, shape=(rows, self.n_points))


def stack_labels(labels: np.ndarray, n_points: int) -> tuple[np.ndarray, bool]:
    """Return label vectors as rows of an int64 matrix, and whether one vector was given."""
    given = np.asarray(labels)
    many = np.ascontiguousarray(np.atleast_2d(given), dtype=np.int64)
    fits = many.ndim == 2 and many.shape[1] == n_points and given.dtype.kind in "biu"
    if not fits or many.min(initial=0) < 0:
        raise InputError(
            f"labels must be whole class numbers from 0 on, one per point ({n_points}), in one "
            f"vector or as rows of a matrix, got {given.dtype} of shape {given.shape}."
        )
    return many, given.ndim == 1


def count_classes(labels: np.ndarray, n_classes: int | None) -> int:
    """Return the number of classes, given or seen; it must cover every label."""
    needed = int(labels.max(initial=0)) + 1
    if n_classes is not None and n_classes < needed:
        raise InputError(f"n_classes must be at least {needed} for these labels, got {n_classes}.")
    return n_classes or needed


def clip_grid(lists: NeighborLists, grid: Sequence[int]) -> np.ndarray:
    """Return what stands for each k of a grid; see :meth:`NeighborLists.clip`."""
    return np.array([lists.clip(k) for k in grid], dtype=np.int64)
