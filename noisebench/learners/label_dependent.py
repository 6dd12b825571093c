"""Label-dependent costs (Natarajan et al., 2013): LD-KSVM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from noisebench.learners.binary import check_positive, find_rates, to_signs
from noisebench.learners.cross_validation import deal_folds, pick_best
from noisebench.learners.gaussian import Distances, median_distance
from noisebench.learners.machines import KernelClassifier, fit_machines

#: Widths tried, as multiples of the median distance. Equal scores go to the smoother machine:
#: wider first, then the smaller C.
WIDTH_FACTORS = tuple(2.0**power for power in range(3, -4, -1))

#: Values of C tried.
C_GRID = tuple(2.0**power for power in range(-4, 9, 2))

Folds = Sequence[tuple[np.ndarray, np.ndarray]]


def label_costs(signs: np.ndarray, rates: tuple[float, float]) -> np.ndarray:
    """Return the cost of a mistake on each noisy label: 1 − α for +1 and α for −1.

    With α = (1 − τ₊ + τ₋)/2 the best answer is +1 where the noisy posterior exceeds α, which is
    where the clean one exceeds 1/2.

    >>> label_costs(np.array([1.0, -1.0]), (0.3, 0.1))
    array([0.6, 0.4])
    """
    tau_pos, tau_neg = rates
    alpha = (1.0 - tau_pos + tau_neg) / 2.0
    return np.where(signs > 0, 1.0 - alpha, alpha)


def score_machines(
    distances: Distances,
    signs: np.ndarray,
    costs: np.ndarray,
    widths: Sequence[float],
    folds: Folds,
    grid: Sequence[float] = C_GRID,
) -> np.ndarray:
    """Return the cost-weighted accuracy of shape (fold, width, C) on held-out folds.

    A machine is fitted with the costs, and its score is the cost of the points that it gets right
    over the cost of all.
    """
    scores = np.empty((len(folds), len(widths), len(grid)))
    for f, (train, test) in enumerate(folds):
        boxes = [C * costs[train] for C in grid]
        for w, width in enumerate(widths):
            machines = fit_machines(distances, train, signs[train], boxes, width)
            kernel = distances.kernel(test, train, width)
            for c, machine in enumerate(machines):
                hits = to_signs(machine.decide(kernel)) == signs[test]
                scores[f, w, c] = costs[test][hits].sum() / costs[test].sum()
    return scores


def select_width(
    distances: Distances, clean_signs: np.ndarray, median: float, folds: Folds
) -> float:
    """Return the kernel width of the plain machine that does best on labels without noise.

    Tried are 2⁻³ to 2³ times the median distance, each with C from 2⁻⁴ to 2⁸; the width of the
    best pair counts.
    """
    widths = [factor * median for factor in WIDTH_FACTORS]
    scores = score_machines(distances, clean_signs, np.ones(len(clean_signs)), widths, folds)
    return widths[pick_best(scores) // len(C_GRID)]


class LabelDependentSVM(KernelClassifier):
    """Support vector machine with label-dependent costs (LD-KSVM), Gaussian kernel.

    Natarajan et al.'s second method: minimised is C Σ c(ỹᵢ) hinge(ỹᵢ f(xᵢ)) + ‖f‖²/2 with costs
    c(+1) = 1 − α and c(−1) = α, α = (1 − τ₊ + τ₋)/2, the intercept apart.

    The width is the best one of a plain machine on noise-free labels, by 4-fold cross-validation
    over the width and C; then C is chosen by 4-fold cross-validation on the noisy labels, scored
    by cost-weighted accuracy. Noise-free labels are what the method's authors assume for the
    width; a learner that is to do without them is fitted with the noisy ones alone.

    Parameters
    ----------
    rates : (tau_pos, tau_neg) or "estimate", default="estimate"
        The noise rates P(observed 0 | true 1) and P(observed 1 | true 0) where they are known;
        otherwise the extremes of a vote of each point and its 50 nearest others.
    width : float, optional
        The kernel is exp(−‖x − z‖² / (2 width²)); chosen from 2⁻³, 2⁻² … 2³ times the median
        distance by default.
    C : float, optional
        The weight of the loss against the regulariser; chosen from 2⁻⁴, 2⁻² … 2⁸ by default.
    metric : {"euclidean", "precomputed"}, default="euclidean"
        With "precomputed", distances take the place of features.
    selection_size : int, optional
        The number of random training points that the cross-validations use, where not all.
    random_state : int, Generator, optional
        The draw of the folds, of the points to select by, and of the points behind the median.

    Attributes
    ----------
    tau_pos_, tau_neg_ : float
        The rates used.
    width_, C_ : float
        The width and the C used.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1, 1, (200, 2))
    >>> clean = np.hypot(*X.T) < 0.7
    >>> y = clean & (rng.random(200) > 0.4)
    >>> learner = LabelDependentSVM(rates=(0.4, 0.0), random_state=0)
    >>> learner.fit(X, y, clean_labels=clean).C_
    4.0
    >>> round(learner.score(X, clean), 2)
    0.94
    """

    def __init__(
        self,
        rates: Sequence[float] | str = "estimate",
        width: float | None = None,
        C: float | None = None,
        metric: str = "euclidean",
        selection_size: int | None = None,
        random_state: int | np.random.Generator | None = None,
    ) -> None:
        self.rates = rates
        self.width = width
        self.C = C
        self.metric = metric
        self.selection_size = selection_size
        self.random_state = random_state

    def fit(self, X: Any, y: Any, clean_labels: Any = None) -> Self:
        """Fit to noisy labels.

        Parameters
        ----------
        X, y
            The training data.
        clean_labels
            The labels without noise, for the choice of the width and nothing else. Without them
            the noisy ones stand in.
        """
        X, signs = self._read(X, y)
        clean = signs if clean_labels is None else self._read_clean(clean_labels, len(signs))
        rng = np.random.default_rng(self.random_state)
        distances = Distances.read(X, self.metric)
        rates = self.tau_pos_, self.tau_neg_ = find_rates(self.rates, X, signs, self.metric)
        costs = label_costs(signs, rates)
        median = median_distance(distances, rng)
        folds = self._deal(len(X), rng)
        width = self._choose_width(distances, clean, median, folds)
        self.C_ = self._choose_C(distances, signs, costs, width, folds)
        [machine] = fit_machines(distances, np.arange(len(X)), signs, [self.C_ * costs], width)
        self._keep(distances, machine, width)
        return self

    def _choose_width(
        self, distances: Distances, clean: np.ndarray, median: float, folds: Folds
    ) -> float:
        if self.width is not None:
            return check_positive("width", self.width)
        return select_width(distances, clean, median, folds)

    def _choose_C(
        self,
        distances: Distances,
        signs: np.ndarray,
        costs: np.ndarray,
        width: float,
        folds: Folds,
    ) -> float:
        if self.C is not None:
            return check_positive("C", self.C)
        return C_GRID[pick_best(score_machines(distances, signs, costs, [width], folds))]

    def _deal(self, n_points: int, rng: np.random.Generator) -> Folds:
        """Return the folds of all training points, or of a random part of them."""
        size = n_points if self.selection_size is None else self.selection_size
        if size >= n_points:
            return deal_folds(n_points, rng)
        check_positive("selection_size", size)
        chosen = rng.choice(n_points, size, replace=False)
        return [(chosen[train], chosen[test]) for train, test in deal_folds(size, rng)]

    def _read_clean(self, labels: Any, n_points: int) -> np.ndarray:
        """Return the noise-free labels as signs."""
        labels = np.asarray(labels)
        if labels.shape != (n_points,) or not np.isin(labels, self.classes_).all():
            raise ValueError(
                f"clean_labels must be one of the classes {self.classes_.tolist()} for each of "
                f"the {n_points} rows, got shape {labels.shape} with {np.unique(labels).tolist()}."
            )
        return np.where(labels == self.classes_[-1], 1.0, -1.0)
