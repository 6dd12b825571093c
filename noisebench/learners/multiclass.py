"""Robust nearest neighbours for any number of classes, through the full transition matrix."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from noisebench.learners.base import NeighborClassifier
from noisebench.learners.neighbors import count_votes

#: A transition matrix beyond this condition number is not inverted: rounding would decide.
_CONDITION = 1e6

#: Scores closer than this are equal.
_ROUNDING = 1e-9


class TransitionKNN(NeighborClassifier):
    """Robust k-nearest neighbour for two or more classes: an extension of RkNN of our own.

    Gao et al. treat two classes. With more, the noisy class probabilities are η̃ = Tᵀη with
    T[i, j] = P(observed j | true i), and RkNN's argument holds row by row: where the true class is
    certainly i, η̃ is the i-th row of T, and there η̃ᵢ is largest as long as no other class is
    observed as i more often than i itself. So row i is read off the training points with the most
    votes for i among themselves and their k′ nearest others; several such points are averaged. A
    query belongs to the class with the largest entry of T⁻ᵀη̃, with η̃ the shares of the classes
    among its k neighbours.

    For two classes this is exactly `RobustKNN`: T is made of the same two extremes, and the larger
    of the two entries is the second where η̃ ≥ (1 + τ̂₋ − τ̂₊)/2. Where T cannot be inverted there
    is nothing to correct by, and the vote is plain.

    Parameters
    ----------
    n_neighbors : int, default=10
        The predictive parameter k.
    noise_neighbors : int, default=50
        The noise parameter k′.
    metric : str, default="euclidean"
        A metric that `noisebench.neighbors.kneighbors` knows, or "precomputed".
    transition : array of shape (classes, classes), optional
        The true matrix T, where it is known; estimated by default. Row i holds the probabilities
        with which labels of class i are observed as each class.

    Attributes
    ----------
    transition_ : array of shape (classes, classes)
        The matrix T in use; the identity where votes are plain.

    Examples
    --------
    >>> from noisebench.learners import KNN
    >>> from noisebench.noise import TransitionNoise
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 3, 1500)
    >>> X = rng.normal(size=(1500, 2)) + 3 * np.array([[0, 0], [1, 0], [0, 1]])[y]
    >>> noise = TransitionNoise([[0.6, 0.4, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    >>> noisy = noise.corrupt(y[:1000], rng)
    >>> learner = TransitionKNN(n_neighbors=30, noise_neighbors=100).fit(X[:1000], noisy)
    >>> learner.transition_.round(2)
    array([[0.58, 0.41, 0.  ],
           [0.  , 1.  , 0.  ],
           [0.  , 0.  , 1.  ]])
    >>> learner.score(X[1000:], y[1000:]), KNN(30).fit(X[:1000], noisy).score(X[1000:], y[1000:])
    (0.906, 0.838)
    """

    def __init__(
        self,
        n_neighbors: int = 10,
        noise_neighbors: int = 50,
        metric: str = "euclidean",
        transition: Any = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.noise_neighbors = noise_neighbors
        self.metric = metric
        self.transition = transition

    def list_lengths(self, n_train: int) -> tuple[int, int]:
        first = min(self.noise_neighbors, n_train - 1) if self.transition is None else 0
        return first, min(self.n_neighbors, n_train)

    def fit(self, X: Any, y: Any) -> Self:
        self._store(X, y)
        if self.transition is not None:
            self.transition_ = check_transition(self.transition, len(self.classes_))
            return self
        matrix = self._estimate()
        if np.linalg.cond(matrix) > _CONDITION:
            matrix = np.eye(len(matrix))
        self.transition_ = matrix
        return self

    def _estimate(self) -> np.ndarray:
        if self.noise_neighbors < 1:
            raise ValueError(f"noise_neighbors must be at least 1, got {self.noise_neighbors}.")
        others = self._codes[self._train_lists(self.noise_neighbors).indices]
        codes = np.column_stack([self._codes, others])
        return read_transition(count_votes(codes, len(self.classes_)))

    def predict(self, X: Any) -> np.ndarray:
        codes = self._neighbor_codes(X)
        shares = count_votes(codes, len(self.classes_)) / codes.shape[1]
        scores = np.linalg.solve(self.transition_.T, shares.T).T
        best = scores >= scores.max(axis=1, keepdims=True) - _ROUNDING
        if len(self.classes_) == 2:
            return self.classes_[best[:, 1].astype(np.intp)]  # an even vote goes to the second
        return self.classes_[best.argmax(axis=1)]


def read_transition(votes: np.ndarray) -> np.ndarray:
    """Return the transition matrix T that votes about training points show.

    Row i is the mean share of each class over the points with the most votes for class i.

    Parameters
    ----------
    votes : (point, class)
        How many of a point and its neighbours have each class; as many for every point.

    Examples
    --------
    >>> read_transition(np.array([[3, 1, 0], [0, 4, 0], [1, 1, 2], [0, 2, 2]]))
    array([[0.75 , 0.25 , 0.   ],
           [0.   , 1.   , 0.   ],
           [0.125, 0.375, 0.5  ]])
    """
    shares = votes / votes.sum(axis=1, keepdims=True)
    return np.stack([shares[row == row.max()].mean(axis=0) for row in votes.T])


def check_transition(transition: Any, n_classes: int) -> np.ndarray:
    """Return a known transition matrix as numbers, or say why it is none."""
    matrix = np.asarray(transition, dtype=np.float64)
    if matrix.shape != (n_classes, n_classes):
        raise ValueError(
            f"transition must have a row and a column for each of the {n_classes} classes, "
            f"got shape {matrix.shape}."
        )
    if matrix.min() < 0 or not np.allclose(matrix.sum(axis=1), 1):
        raise ValueError("transition must hold rows of probabilities that sum to 1.")
    if np.linalg.cond(matrix) > _CONDITION:
        raise ValueError("transition must be invertible: no class may be a mixture of others.")
    return matrix
