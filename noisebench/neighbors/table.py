"""The neighbour table: each point's nearest others, searched once and used for every fold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from noisebench.errors import InputError
from noisebench.neighbors.engines import find_neighbors
from noisebench.neighbors.lists import NeighborLists
from noisebench.neighbors.restriction import Fold, check_rows
from noisebench.neighbors.spaces import Space, make_space

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(frozen=True, eq=False)
class NeighborTable:
    """The K nearest other points of each point, ordered by (distance, index).

    Labels change, geometry does not: one table serves all folds, noise levels and values of k.

    Attributes
    ----------
    keys
        What neighbours are ordered by: the squared distance of the Euclidean metric, the number
        of unequal entries of Hamming's, and the distance itself of the others.
    indices
        The neighbours' row numbers (int32), in the same shape.
    engine
        The engine that found them; it has no influence on what was found.

    Examples
    --------
    >>> import numpy as np
    >>> line = np.array([[0.0], [1.0], [3.0], [4.5]])
    >>> table = NeighborTable.build(line, n_neighbors=2)
    >>> table.indices
    array([[1, 2],
           [0, 2],
           [3, 1],
           [2, 1]], dtype=int32)
    >>> fold = table.restrict(train=[0, 1, 3], test=[2], k=2)
    >>> fold.test.indices, fold.test.distances
    (array([[2, 1]], dtype=int32), array([[1.5, 2. ]]))
    """

    space: Space
    keys: np.ndarray
    indices: np.ndarray
    engine: str

    @classmethod
    def build(
        cls,
        X: Any,
        metric: str = "euclidean",
        n_neighbors: int = 100,
        *,
        window: float | None = None,
        engine: str = "auto",
        n_threads: int | None = None,
    ) -> NeighborTable:
        """Search the nearest others of every point.

        Parameters
        ----------
        X
            Rows of numbers; series for ``metric="dtw"`` (see :func:`~.dtw_cross`); a square
            matrix of distances for ``metric="precomputed"``.
        metric
            euclidean, manhattan, chebyshev, cosine, hamming (share of unequal entries), dtw or
            precomputed.
        n_neighbors
            The depth K; at most the number of other points is used.
        window
            Half-width of the warping band as a share of the length, for ``metric="dtw"``.
        engine
            brute, kdtree or matrix; auto takes what suits the data. All give the same table.
        n_threads
            Threads to use; by default as many as numba is allowed.
        """
        space = make_space(X, metric, window)
        return cls.from_space(space, n_neighbors, engine=engine, n_threads=n_threads)

    @classmethod
    def from_space(
        cls,
        space: Space,
        n_neighbors: int,
        *,
        engine: str = "auto",
        n_threads: int | None = None,
    ) -> NeighborTable:
        """Build the table of points that are already prepared."""
        depth = check_depth(space, n_neighbors)
        keys, indices, used = find_neighbors(space, depth, engine, n_threads)
        keys.flags.writeable = indices.flags.writeable = False
        return cls(space, keys, indices, used)

    @property
    def n_neighbors(self) -> int:
        """The depth K of the table."""
        return self.indices.shape[1]

    @cached_property
    def distances(self) -> np.ndarray:
        """The distances that belong to the keys."""
        return self.space.distances(self.keys)

    @property
    def lists(self) -> NeighborLists:
        """The table as neighbour lists of all points among all others."""
        n = len(self.space)
        return NeighborLists(self.distances, self.indices, n, n - 1)

    def restrict(self, train: Any, test: Any, k: int, *, n_threads: int | None = None) -> Fold:
        """Return the lists of a fold, exactly as a fresh search among ``train`` would.

        Parameters
        ----------
        train
            Row numbers of the training points. Their order decides ties: an index in the result
            is a position in this list.
        test
            Row numbers of the queries.
        k
            Length of the lists; at most the number of training points is used.
        """
        n = len(self.space)
        rows = check_rows(train, n, "train"), check_rows(test, n, "test")
        if not len(rows[0]) or len(np.unique(rows[0])) < len(rows[0]):
            raise InputError(
                f"train must name at least one point and none twice, got {len(rows[0])} rows "
                f"with {len(np.unique(rows[0]))} different ones."
            )
        if k < 1:
            raise InputError(f"k must be at least 1, got {k}.")
        return Fold(self.space, self.keys, self.indices, *rows, int(k), n_threads)

    def occurrences(self, k: int) -> np.ndarray:
        """Return in how many of all points' lists of length k each point is (N_k)."""
        return self.lists.occurrences(k)

    def to_graph(self, k: int | None = None) -> csr_matrix:
        """Return the table as scikit-learn's sorted sparse graph of distances."""
        return self.lists.to_graph(k)


def check_depth(space: Space, n_neighbors: int) -> int:
    """Return the depth that a table of these points can have."""
    if len(space) < 2:
        raise InputError(f"X must hold at least 2 points to have neighbours, got {len(space)}.")
    if n_neighbors < 1:
        raise InputError(f"n_neighbors must be at least 1, got {n_neighbors}.")
    return min(int(n_neighbors), len(space) - 1)
