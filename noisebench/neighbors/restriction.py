"""A fold's neighbour lists, cut out of the table of all points.

Held-out points are dropped from each list and the first k kept. Where a list comes out too short,
or its end could hide a tie, that row is searched anew: the result is always what a fresh search
among the training points gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from noisebench.errors import InputError
from noisebench.neighbors.backend import kernels
from noisebench.neighbors.lists import NeighborLists, count_classes, stack_labels
from noisebench.neighbors.spaces import Space


@dataclass(frozen=True, eq=False)
class Fold:
    """Neighbours among the training points of one split.

    Made by :meth:`noisebench.neighbors.NeighborTable.restrict`. Indices are positions in
    ``train_rows``, whose order decides ties.
    """

    space: Space
    table_keys: np.ndarray
    table_indices: np.ndarray
    train_rows: np.ndarray
    test_rows: np.ndarray
    n_neighbors: int
    n_threads: int | None = None

    @cached_property
    def test(self) -> NeighborLists:
        """The nearest training points of each test point; one that is in both finds itself."""
        keys, places = self._restrict(self.test_rows, exclude_self=False)
        n_train = len(self.train_rows)
        return NeighborLists(self.space.distances(keys), places, n_train, n_train)

    @cached_property
    def train(self) -> NeighborLists:
        """The nearest other training points of each training point."""
        keys, places = self._restrict(self.train_rows, exclude_self=True)
        n_train = len(self.train_rows)
        return NeighborLists(self.space.distances(keys), places, n_train, n_train - 1)

    def train_by_class(
        self, labels: np.ndarray, n_neighbors: int, n_classes: int | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return distances and indices of each training point's nearest others of each class.

        Both have the shape (training points, classes, k). A class with fewer members leaves
        places empty: index -1 at an infinite distance.

        Parameters
        ----------
        labels
            Class numbers of the training points, in the order of ``train_rows``.
        """
        (labels,), _ = stack_labels(np.asarray(labels).ravel(), len(self.train_rows))
        width = count_classes(labels, n_classes)
        keys, places, sizes = kernels("lists").group(
            *self._whole_lists, labels, width, n_neighbors, self.n_threads
        )
        for label in range(width):
            members = np.flatnonzero(labels == label)
            others = len(members) - (labels == label)
            wanted = np.minimum(n_neighbors, others)
            for k in np.unique(wanted[sizes[:, label] < wanted]):
                short = np.flatnonzero((sizes[:, label] < wanted) & (wanted == k))
                found = self._search(self.train_rows[short], members, int(k), exclude_self=True)
                keys[short, label, :k] = found[0]
                places[short, label, :k] = members[found[1]]
        return self.space.distances(keys), places

    @cached_property
    def _position(self) -> np.ndarray:
        """Each point's place in the training list, or -1."""
        position = np.full(len(self.space), -1)
        position[self.train_rows] = np.arange(len(self.train_rows))
        return position

    @cached_property
    def _whole_lists(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All that the table knows for certain of the training points' lists."""
        return self._cut(self.train_rows, self.table_indices.shape[1])

    def _cut(self, rows: np.ndarray, depth: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return kernels("lists").restrict(
            self.table_indices,
            self.table_keys,
            rows,
            self._position,
            depth,
            bool((np.diff(self.train_rows) > 0).all()),
            self.table_indices.shape[1] == len(self.space) - 1,
            self.n_threads,
        )

    def _restrict(self, rows: np.ndarray, *, exclude_self: bool) -> tuple[np.ndarray, np.ndarray]:
        """Return keys and positions of each row's nearest training points."""
        k = min(self.n_neighbors, len(self.train_rows) - exclude_self)
        depth = min(k, self.table_indices.shape[1])
        if depth == 0:
            return np.empty((len(rows), 0)), np.empty((len(rows), 0), dtype=np.int32)
        keys, places, counts = self._cut(rows, depth)
        short = counts < k
        if not exclude_self:
            # The table leaves every point out of its own list, here it belongs in.
            short |= self._position[rows] >= 0
        if depth < k:
            missing = ((0, 0), (0, k - depth))
            keys, places = np.pad(keys, missing), np.pad(places, missing)
        if short.any():
            everyone = np.arange(len(self.train_rows))
            keys[short], places[short] = self._search(
                rows[short], everyone, k, exclude_self=exclude_self
            )
        return keys, places

    def _search(
        self, rows: np.ndarray, among: np.ndarray, k: int, *, exclude_self: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        return self.space.search(
            rows, self.train_rows[among], k, exclude_self=exclude_self, n_threads=self.n_threads
        )


def check_rows(rows: Any, n_points: int, name: str) -> np.ndarray:
    """Return row numbers as int64, or say why they are none.

    >>> check_rows([2, 0], 3, "train")
    array([2, 0])
    """
    given = np.asarray(rows)
    if given.size == 0:
        return np.empty(0, dtype=np.int64)
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise InputError(
            f"{name} must be a list of row numbers, got {given.dtype} of shape {given.shape}; "
            "turn a mask into numbers with numpy.flatnonzero."
        )
    if given.min() < 0 or given.max() >= n_points:
        raise InputError(
            f"{name} must hold row numbers from 0 to {n_points - 1}, "
            f"got {given.min()} to {given.max()}."
        )
    return np.ascontiguousarray(given, dtype=np.int64)
