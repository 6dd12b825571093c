"""Neighbours searched once per data set and shared by all folds, noise levels and learners.

Label noise changes labels, never distances. The table of a data set lies in the user's cache,
where every worker maps it; a fold's lists are cut out of it, exactly as a search in that fold
would find them.
"""

from __future__ import annotations

import math
import os
from functools import lru_cache
from typing import Any

from scipy.sparse import csr_matrix

from noisebench.components import Component
from noisebench.datasets import Dataset
from noisebench.datasets.folders import cache_folder
from noisebench.engine.sharing import DataHandle, open_dataset
from noisebench.errors import InputError
from noisebench.learners.base import NeighborClassifier
from noisebench.neighbors import Fold, NeighborTable, TableStore
from noisebench.neighbors.metrics import VECTOR_METRICS

#: A table of all neighbours of so many points is small: about 100 MB.
_SMALL = 3000

#: The size in gigabytes that neighbour tables may take in the cache.
_SIZE_VARIABLE = "NOISEBENCH_CACHE_GB"


def fill_metric(learner: Any, part: Component, data: Dataset) -> None:
    """Let a neighbour learner that was not told otherwise measure as its data set says."""
    if isinstance(learner, NeighborClassifier) and "metric" not in part.config:
        learner.set_params(metric=data.metric)


def shares_table(learner: Any, data: Dataset) -> bool:
    """Tell whether a learner sees the data through the data set's own neighbours."""
    return (
        isinstance(learner, NeighborClassifier)
        and learner.metric == data.metric
        and data.metric in VECTOR_METRICS
        # Features that are fitted on each training part have a geometry of their own there.
        and not data.fold_steps
    )


def table_depth(length: int, n_rows: int, n_train: int) -> int | None:
    """Return how deep a table must be for lists of some length in a split, None for no table.

    Of a point's neighbours a share of n_train / n_rows are training points. The margin of three
    standard deviations leaves few lists that have to be completed by a search of their own.

    >>> table_depth(length=5, n_rows=1000, n_train=750)
    14
    """
    share = n_train / n_rows
    depth = math.ceil((length + 3 * math.sqrt(length * (1 - share))) / share) + 2
    # Of many points, lists of half of them and more cost what a search in the fold costs.
    too_deep = depth >= n_rows / 2 and n_rows > _SMALL
    return None if too_deep or not length else min(depth, n_rows - 1)


def limit_cache(max_gb: float) -> None:
    """Bound the size of the cached tables, for this process and those that it starts."""
    if not isinstance(max_gb, int | float) or not max_gb > 0:
        raise InputError(f"cache.max_gb must be a number above 0, got {max_gb!r}.")
    os.environ[_SIZE_VARIABLE] = str(max_gb)


@lru_cache(maxsize=4)
def open_table(handle: DataHandle, depth: int) -> NeighborTable:
    """Return the neighbour table of a shared data set, built where no one has built it yet."""
    data = open_dataset(handle)
    store = TableStore(cache_folder() / "neighbors", float(os.environ.get(_SIZE_VARIABLE, 10)))
    return store.get(data.X, data.metric, depth)


def graphs_for(learner: NeighborClassifier, fold: Fold) -> tuple[csr_matrix, csr_matrix]:
    """Return what a learner with precomputed distances is fitted and asked with."""
    n_train = len(fold.train_rows)
    to_fit, to_ask = learner.list_lengths(n_train)
    train = fold.train.to_graph(to_fit) if to_fit else csr_matrix((n_train, n_train))
    return train, fold.test.to_graph(to_ask)
