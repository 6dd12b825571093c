"""What all neighbour learners share: checked training data, and the lists they vote by."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from noisebench.neighbors import NeighborLists, kneighbors
from noisebench.neighbors.graphs import read_precomputed


class NeighborClassifier(ClassifierMixin, BaseEstimator):
    """A classifier that sees the data through neighbour lists alone.

    With ``metric="precomputed"`` it takes the distances instead of the features: to fit, those
    among the training points, to predict, those from the queries to them; a matrix, or a sparse
    graph that holds at least the nearest ones (`list_lengths` says how many).
    """

    n_neighbors: int
    metric: str

    def list_lengths(self, n_train: int) -> tuple[int, int]:
        """Return how many neighbours of a training point and of a query are needed."""
        return 0, min(self.n_neighbors, n_train)

    def _store(self, X: Any, y: Any) -> None:
        """Check and keep the training data."""
        if self.metric == "precomputed":
            X, y = validate_data(self, X, y, dtype=np.float64, accept_sparse="csr")
            if X.shape[0] != X.shape[1]:
                raise ValueError(
                    f"Precomputed distances to fit with must be square, got shape {X.shape}."
                )
        else:
            X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, self._codes = np.unique(y, return_inverse=True)
        self._points = X
        self.n_samples_fit_ = X.shape[0]
        if self.n_neighbors < 1:
            raise ValueError(f"n_neighbors must be at least 1, got {self.n_neighbors}.")

    def _train_lists(self, n_neighbors: int) -> NeighborLists:
        """Return each training point's nearest others; as many as there are, if fewer."""
        n = self.n_samples_fit_
        if self.metric == "precomputed":
            return read_precomputed(self._points, n_neighbors, exclude_self=True)
        k = min(n_neighbors, n - 1)
        if k == 0:
            return NeighborLists(np.empty((n, 0)), np.empty((n, 0), dtype=np.intp), n, n - 1)
        found = kneighbors(self._points, self._points, k, self.metric, exclude_self=True)
        return NeighborLists(*found, n, n - 1)

    def _query_lists(self, X: Any, n_neighbors: int) -> NeighborLists:
        """Return each query's nearest training points; a training set that is smaller, whole."""
        check_is_fitted(self)
        n = self.n_samples_fit_
        if self.metric == "precomputed":
            X = validate_data(self, X, dtype=np.float64, accept_sparse="csr", reset=False)
            return read_precomputed(X, n_neighbors)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return NeighborLists(*kneighbors(X, self._points, min(n_neighbors, n), self.metric), n, n)

    def _neighbor_codes(self, X: Any) -> np.ndarray:
        """Return the class codes of each query's neighbours, nearest first."""
        lists = self._query_lists(X, self.n_neighbors)
        return self._codes[lists.indices]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.sparse = self.metric == "precomputed"
        return tags
