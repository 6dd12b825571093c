"""Geometry, searched once: neighbour tables, their folds, votes and dynamic time warping."""

from noisebench.neighbors.dtw import dtw_cross, dtw_distance, dtw_pairs
from noisebench.neighbors.lists import NeighborLists
from noisebench.neighbors.restriction import Fold
from noisebench.neighbors.search import kneighbors, nearest
from noisebench.neighbors.store import TableStore
from noisebench.neighbors.table import NeighborTable
from noisebench.neighbors.votes import (
    count_votes,
    estimate_rates,
    predict_rknn,
    predict_votes,
    sum_labels,
)

__all__ = [
    "Fold",
    "NeighborLists",
    "NeighborTable",
    "TableStore",
    "count_votes",
    "dtw_cross",
    "dtw_distance",
    "dtw_pairs",
    "estimate_rates",
    "kneighbors",
    "nearest",
    "predict_rknn",
    "predict_votes",
    "sum_labels",
]
