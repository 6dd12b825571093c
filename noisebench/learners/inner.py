"""Inner folds of a training part, their neighbour lists all cut from one search.

A point's neighbours in an inner fold are those of its neighbours in the training part that the
fold does not hold out, as long as its list is deep enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.special import rel_entr
from sklearn.utils.validation import check_consistent_length, column_or_1d

from noisebench.errors import InputError
from noisebench.learners.base import NeighborClassifier
from noisebench.learners.cross_validation import deal_folds, pick_best
from noisebench.neighbors import Fold, NeighborLists, NeighborTable
from noisebench.neighbors.graphs import read_precomputed
from noisebench.neighbors.spaces import Space

#: How often a list may turn out too short for an inner fold: in fewer than this share of lists.
_SHORTAGE = 1e-12


def list_depth(longest: int, n_points: int, n_folds: int) -> int:
    """Return how many neighbours of each point leave ``longest`` of them in every inner fold.

    Folds are dealt without regard to the geometry, so that the number of held-out points in a
    list is hypergeometric, and Chernoff's bound says how deep a list must be to be long enough
    with all but certainty. No list needs more than ``longest`` and one whole fold.

    >>> list_depth(100, 8000, 4), list_depth(100, 240, 4), list_depth(100, 120, 4)
    (197, 160, 119)
    """
    enough = min(n_points - 1, longest + -(-n_points // n_folds))
    # The share of points outside a fold. A fixed value, so that the depth never falls as points
    # are added: lists planned for a whole set are deep enough for a part of it.
    share = 1 - 1 / n_folds
    depths = np.arange(longest, max(enough, longest))
    kept = (longest - 1) / depths
    exponents = depths * (rel_entr(kept, share) + rel_entr(1 - kept, 1 - share))
    safe = depths[(kept < share) & (exponents > -np.log(_SHORTAGE))]
    return int(safe[0]) if safe.size else enough


class GraphSpace(Space):
    """Points known by their neighbour lists alone: whoever is not in them cannot be found."""

    metric = "precomputed"

    def __init__(self, lists: NeighborLists) -> None:
        self.lists = lists

    def __len__(self) -> int:
        return self.lists.n_points

    def search(
        self,
        rows: np.ndarray,
        columns: np.ndarray,
        n_neighbors: int,
        *,
        exclude_self: bool,
        n_threads: int | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        raise InputError(
            f"The precomputed graph must leave {n_neighbors} neighbours of each point in an inner "
            f"fold, got {self.lists.depth} of which too many are held out; build it with up to "
            f"{len(self) - 1}, or fit with features."
        )

    def content(self) -> list[np.ndarray]:
        return [self.lists.distances, self.lists.indices]


def open_table(points: Any, metric: str, depth: int) -> NeighborTable:
    """Return the neighbour table of a training part: features, distances or a sparse graph.

    >>> open_table(np.array([[0.0], [1.0], [3.0]]), "euclidean", 2).indices
    array([[1, 2],
           [0, 2],
           [1, 0]], dtype=int32)
    """
    if not hasattr(points, "toarray"):
        return NeighborTable.build(points, metric, depth)
    lists = read_precomputed(points, depth, exclude_self=True)
    indices = np.ascontiguousarray(lists.indices, dtype=np.int32)
    return NeighborTable(GraphSpace(lists), np.ascontiguousarray(lists.distances), indices, "graph")


class InnerSelection(NeighborClassifier):
    """A neighbour learner that chooses its parameters by accuracy on inner folds."""

    grid: Sequence[int]
    folds: int
    selection: str
    random_state: int | None

    @property
    def n_neighbors(self) -> int:  # type: ignore[override]
        """The number of voters k: the chosen one, and the largest of the grid before."""
        return getattr(self, "best_n_neighbors_", max(self.grid))

    def list_lengths(self, n_train: int) -> tuple[int, int]:
        """Return how many neighbours of a training point and of a query are needed.

        Those of a training point reach beyond the largest candidate, since an inner fold takes
        some of them away.
        """
        self._check_parameters()
        return list_depth(self._longest, n_train, self.folds), min(max(self.grid), n_train)

    @property
    def _longest(self) -> int:
        return max(self.grid)

    def _check_parameters(self) -> None:
        check_grid("grid", self.grid)
        if not isinstance(self.folds, int | np.integer) or self.folds < 2:
            raise InputError(f"folds must be a whole number of at least 2, got {self.folds!r}.")

    def _open(self, X: Any, y: Any, clean_labels: Any) -> tuple[NeighborTable, np.ndarray]:
        """Keep the training data and return its neighbour table and the codes to score by."""
        self._check_parameters()
        if self.selection not in ("noisy", "clean"):
            raise InputError(
                f"selection must be 'noisy' or 'clean', got {self.selection!r}; a choice by the "
                f"test folds themselves ('outer') is the harness's, no learner's."
            )
        self._store(X, y)
        n = self.n_samples_fit_
        if n < 2:
            raise ValueError(f"{type(self).__name__} needs 2 samples to choose k by, got 1 sample.")
        truth = self._codes
        if self.selection == "clean":
            truth = self._encode(clean_labels)
        depth = list_depth(self._longest, n, self.folds)
        return open_table(self._points, self.metric, depth), truth

    def _encode(self, clean_labels: Any) -> np.ndarray:
        if clean_labels is None:
            raise InputError(
                "clean_labels must be given to fit for selection='clean', got None; without them, "
                "select by the 'noisy' labels."
            )
        labels = column_or_1d(clean_labels)
        check_consistent_length(labels, self._codes)
        codes = np.full(len(labels), -1)  # a class that no noisy label has is never hit
        for code, label in enumerate(self.classes_):
            codes[labels == label] = code
        return codes

    def _select(self, table: NeighborTable, count: Callable[[Fold], np.ndarray]) -> tuple[int, ...]:
        """Keep the mean accuracies and return the place of the best, of equals the first.

        ``count`` returns the hits of all candidates in an inner fold.
        """
        rng = np.random.default_rng(self.random_state)
        scores = []
        for train, test in deal_folds(self.n_samples_fit_, rng, self.folds):
            scores.append(count(table.restrict(train, test, self._longest)) / len(test))
        self.cv_scores_ = np.mean(scores, axis=0)
        best = pick_best(np.reshape(scores, (len(scores), -1)))
        return tuple(int(place) for place in np.unravel_index(best, self.cv_scores_.shape))


def check_grid(name: str, grid: Sequence[int]) -> None:
    """Refuse a grid that is empty or holds anything but whole numbers of at least 1.

    >>> check_grid("grid", [5, 0])
    Traceback (most recent call last):
        ...
    noisebench.errors.InputError: grid must hold whole numbers of at least 1, got [5, 0].
    """
    legal = all(isinstance(k, int | np.integer) and k >= 1 for k in grid)
    if not legal or not len(grid):
        raise InputError(f"{name} must hold whole numbers of at least 1, got {list(grid)}.")
