"""Confidence-weighted online learners: AROW and the Gaussian herd NHERD."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np

from noisebench.learners.binary import LinearClassifier, check_positive, to_signs
from noisebench.learners.cross_validation import deal_folds, pick_best
from noisebench.learners.passes import run_diagonal, run_full

#: Numbers of passes tried.
EPOCH_GRID = (1, 2, 5, 10)

#: Values tried of AROW's r and of NHERD's C.
STRENGTH_GRID = tuple(2.0**power for power in range(-4, 5, 2))

#: NHERD keeps a full covariance up to this many features.
_FULL_FEATURES = 300

_VARIANTS = ("full", "exact", "project", "drop")

#: Weights after each stop, from points with a constant feature, signs, orders and the parameter.
Runner = Callable[[np.ndarray, np.ndarray, np.ndarray, float, Sequence[int]], np.ndarray]


class OnlineClassifier(LinearClassifier):
    """A linear classifier that is trained by passes over the shuffled training set."""

    epochs: int | None
    random_state: int | np.random.Generator | None

    @abstractmethod
    def _run(
        self,
        points: np.ndarray,
        signs: np.ndarray,
        orders: np.ndarray,
        strength: float,
        stops: Sequence[int],
    ) -> np.ndarray:
        """Return the weights after each of the stops."""

    def _train(self, X: np.ndarray, signs: np.ndarray, strength: float | None) -> float:
        """Choose what was left open, train on everything, and return the strength used."""
        if self.epochs is not None and self.epochs < 1:
            raise ValueError(f"epochs must be at least 1, got {self.epochs}.")
        strengths = STRENGTH_GRID if strength is None else (strength,)
        stops = EPOCH_GRID if self.epochs is None else (self.epochs,)
        rng = np.random.default_rng(self.random_state)
        points = np.column_stack([X, np.ones(len(X))])
        self.epochs_, chosen = stops[0], strengths[0]
        if len(stops) * len(strengths) > 1:
            self.epochs_, chosen = select_passes(points, signs, strengths, stops, self._run, rng)
        orders = shuffle_passes(len(X), self.epochs_, rng)
        self._keep(self._run(points, signs, orders, chosen, [self.epochs_])[0])
        return chosen


def shuffle_passes(n_points: int, n_epochs: int, rng: np.random.Generator) -> np.ndarray:
    """Return an order of the points for each epoch.

    >>> shuffle_passes(3, 2, np.random.default_rng(0))
    array([[2, 0, 1],
           [2, 1, 0]])
    """
    return rng.permuted(np.tile(np.arange(n_points), (n_epochs, 1)), axis=1)


def select_passes(
    points: np.ndarray,
    signs: np.ndarray,
    strengths: Sequence[float],
    stops: Sequence[int],
    run: Runner,
    rng: np.random.Generator,
) -> tuple[int, float]:
    """Return the number of passes and the strength that do best in 4-fold cross-validation.

    Scored is the accuracy on the held-out labels, noisy as they are; ties go to the first pair in
    the order (passes, strength). One long run gives the weights of all shorter ones, and all
    strengths see a fold in the same order.
    """
    folds = deal_folds(len(points), rng)
    scores = np.empty((len(folds), len(stops), len(strengths)))
    for fold, (train, test) in enumerate(folds):
        orders = shuffle_passes(len(train), stops[-1], rng)
        for column, strength in enumerate(strengths):
            weights = run(points[train], signs[train], orders, strength, stops)
            hits = to_signs(points[test] @ weights.T) == signs[test, None]
            scores[fold, :, column] = hits.mean(axis=0)
    pairs = list(itertools.product(stops, strengths))
    return pairs[pick_best(scores)]


class AROW(OnlineClassifier):
    """Adaptive regularisation of weights (Crammer, Kulesza and Dredze, 2009).

    A Gaussian over linear classifiers is moved, at each example whose margin is below 1, by
    w += a y Σx and Σ −= b Σx xᵀΣ with b = 1/(xᵀΣx + r) and a = b·max(0, 1 − y w·x). It starts
    from w = 0 and Σ = I, and a constant feature stands for the intercept. The learner knows of no
    noise rates: its resistance lies in the covariance, which makes later examples count less.

    Parameters
    ----------
    r : float, optional
        How little one example counts. By default r from 2⁻⁴, 2⁻² … 2⁴ and the number of passes
        are chosen together by 4-fold cross-validation on the labels as given; ties go to fewer
        passes, then to the smaller r.
    epochs : int, optional
        The number of passes, each in an order of its own; chosen from 1, 2, 5, 10 by default.
    variant : {"full", "diagonal"}, default="full"
        Whether all of Σ is kept, or its diagonal alone.
    random_state : int, Generator, optional
        The draw of the folds and of the orders.

    Attributes
    ----------
    r_, epochs_ : float, int
        The values used.
    coef_, intercept_ : ndarray
        The weights, of shape (1, n_features), and (1,).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1, 1, (300, 2))
    >>> clean = X[:, 0] > 0.2
    >>> y = clean ^ (rng.random(300) < 0.2)
    >>> learner = AROW(random_state=0).fit(X, y)
    >>> learner.r_, learner.epochs_, round(learner.score(X, clean), 2)
    (16.0, 1, 0.95)
    """

    def __init__(
        self,
        r: float | None = None,
        epochs: int | None = None,
        variant: str = "full",
        random_state: int | np.random.Generator | None = None,
    ) -> None:
        self.r = r
        self.epochs = epochs
        self.variant = variant
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit to labels as they are."""
        if self.variant not in ("full", "diagonal"):
            raise ValueError(f"variant must be 'full' or 'diagonal', got {self.variant!r}.")
        r = None if self.r is None else check_positive("r", self.r)
        self.r_ = self._train(*self._read(X, y), r)
        return self

    def _run(
        self,
        points: np.ndarray,
        signs: np.ndarray,
        orders: np.ndarray,
        strength: float,
        stops: Sequence[int],
    ) -> np.ndarray:
        run = run_full if self.variant == "full" else run_diagonal
        return run(points, signs, orders, strength, "arow", stops)[0]


class NHERD(OnlineClassifier):
    """Normal (Gaussian) herd (Crammer and Lee, 2010).

    As AROW, with a = max(0, 1 − y w·x)/(v + 1/C), v = xᵀΣx, and a covariance that shrinks more:
    by (C²v + 2C)/(1 + Cv)² Σx xᵀΣ. Three variants keep variances s alone.

    Parameters
    ----------
    C : float, optional
        How much one example counts. By default C from 2⁻⁴, 2⁻² … 2⁴ and the number of passes are
        chosen together by 4-fold cross-validation on the labels as given; ties go to fewer
        passes, then to the smaller C.
    epochs : int, optional
        The number of passes, each in an order of its own; chosen from 1, 2, 5, 10 by default.
    variant : {"auto", "full", "exact", "project", "drop"}, default="auto"
        "full" keeps all of Σ. "exact" solves for the best diagonal matrix,
        s ← s/(1 + C x² s)²; "project" keeps the diagonal of the inverse,
        1/s ← 1/s + (2C + C²v) x²; "drop" keeps the diagonal of the full update. "auto" is "full"
        up to 300 features and "project" beyond.
    random_state : int, Generator, optional
        The draw of the folds and of the orders.

    Attributes
    ----------
    C_, epochs_ : float, int
        The values used.
    variant_ : str
        The variant used.
    coef_, intercept_ : ndarray
        The weights, of shape (1, n_features), and (1,).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1, 1, (300, 2))
    >>> clean = X[:, 0] > 0.2
    >>> y = clean ^ (rng.random(300) < 0.2)
    >>> learner = NHERD(random_state=0).fit(X, y)
    >>> learner.C_, learner.epochs_, round(learner.score(X, clean), 2)
    (0.0625, 2, 0.96)
    """

    def __init__(
        self,
        C: float | None = None,
        epochs: int | None = None,
        variant: str = "auto",
        random_state: int | np.random.Generator | None = None,
    ) -> None:
        self.C = C
        self.epochs = epochs
        self.variant = variant
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit to labels as they are."""
        if self.variant not in ("auto", *_VARIANTS):
            known = ", ".join(map(repr, ("auto", *_VARIANTS)))
            raise ValueError(f"variant must be one of {known}, got {self.variant!r}.")
        C = None if self.C is None else check_positive("C", self.C)
        X, signs = self._read(X, y)
        self.variant_ = self.variant
        if self.variant == "auto":
            self.variant_ = "full" if X.shape[1] <= _FULL_FEATURES else "project"
        self.C_ = self._train(X, signs, C)
        return self

    def _run(
        self,
        points: np.ndarray,
        signs: np.ndarray,
        orders: np.ndarray,
        strength: float,
        stops: Sequence[int],
    ) -> np.ndarray:
        if self.variant_ == "full":
            return run_full(points, signs, orders, 1.0 / strength, "nherd", stops)[0]
        return run_diagonal(points, signs, orders, 1.0 / strength, self.variant_, stops)[0]
