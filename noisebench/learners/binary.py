"""What learners of two classes share: signs for labels, known or estimated noise rates."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from noisebench.learners.rates import estimate_rates_knn

#: A score this little below zero is zero, and belongs to the second class.
_ZERO = 1e-9

#: The voters k′ beside a point itself when rates are estimated.
_NOISE_NEIGHBORS = 50


class BinaryClassifier(ClassifierMixin, BaseEstimator, ABC):
    """A classifier of two classes, the papers' −1 and +1, that decides by the sign of a score."""

    def _read(self, X: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
        """Check the training data and return the features and the labels as signs."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) > 2:
            raise ValueError(
                f"Only binary classification is supported. {type(self).__name__} tells two "
                f"classes apart, got {len(self.classes_)} classes."
            )
        return X, 2.0 * codes - 1.0

    @abstractmethod
    def decision_function(self, X: Any) -> np.ndarray:
        """Return the score of each row, positive for the second class."""

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of each row; a score of zero belongs to the second class."""
        upper = to_signs(self.decision_function(X)) > 0
        # A training set of one class knows no other answer.
        return self.classes_[np.minimum(upper.astype(np.intp), len(self.classes_) - 1)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class LinearClassifier(BinaryClassifier):
    """A binary classifier by the sign of w·x + b."""

    def _keep(self, params: np.ndarray) -> None:
        """Make coefficients, the intercept at their end, the fitted ones."""
        self.coef_ = params[None, :-1]
        self.intercept_ = params[-1:]

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the score of each row, positive for the second class."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return X @ self.coef_[0] + self.intercept_[0]


def to_signs(scores: np.ndarray) -> np.ndarray:
    """Return the class, −1 or +1, that each score speaks for.

    >>> to_signs(np.array([-0.5, 0.0, 2.0]))
    array([-1.,  1.,  1.])
    """
    return np.where(scores >= -_ZERO, 1.0, -1.0)


def find_rates(
    rates: Any, X: np.ndarray, signs: np.ndarray, metric: str = "euclidean"
) -> tuple[float, float]:
    """Return the noise rates (τ₊, τ₋) to go by: the known ones, or estimates.

    Estimates are the extremes of a vote of each training point and its 50 nearest others. Where
    all votes are equal there is nothing to read off, and no noise is assumed.

    >>> line = np.arange(4.0)[:, None]
    >>> find_rates((0.3, 0.1), line, np.array([-1.0, -1.0, 1.0, 1.0]))
    (0.3, 0.1)
    """
    if not isinstance(rates, str) or rates != "estimate":
        return check_rates(rates)
    if len(np.unique(signs)) < 2:
        return 0.0, 0.0
    tau_pos, tau_neg = estimate_rates_knn(X, signs, _NOISE_NEIGHBORS, metric)
    return (tau_pos, tau_neg) if tau_pos + tau_neg < 1 else (0.0, 0.0)


def check_rates(rates: Any) -> tuple[float, float]:
    """Return known rates (τ₊, τ₋) as numbers, or say why they cannot be used."""
    try:
        tau_pos, tau_neg = (float(rate) for rate in rates)
        legal = min(tau_pos, tau_neg) >= 0 and tau_pos + tau_neg < 1
    except (TypeError, ValueError):
        legal = False
    if not legal or isinstance(rates, str):
        raise ValueError(
            "rates must be 'estimate' or two numbers of at least 0 that sum to less than 1, "
            f"got {rates!r}."
        )
    return tau_pos, tau_neg


def flip_rates(signs: np.ndarray, rates: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Return for each label y the rates ρ_y and ρ_{−y} at which y and the other class flip.

    >>> flip_rates(np.array([1.0, -1.0]), (0.3, 0.1))
    (array([0.3, 0.1]), array([0.1, 0.3]))
    """
    tau_pos, tau_neg = rates
    return np.where(signs > 0, tau_pos, tau_neg), np.where(signs > 0, tau_neg, tau_pos)


def check_positive(name: str, value: float) -> float:
    """Return a parameter that must be positive, or say that it is not."""
    if not value > 0:
        raise ValueError(f"{name} must be positive, got {value!r}.")
    return float(value)
