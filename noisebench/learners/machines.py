"""Support vector machines with a Gaussian kernel and a cost for each point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.svm import SVC
from sklearn.utils import gen_batches
from sklearn.utils.validation import check_is_fitted, validate_data

from noisebench.learners import gaussian
from noisebench.learners.binary import BinaryClassifier
from noisebench.learners.gaussian import Distances, apply_kernel, square_distances

#: Kernel entries held at a time when predicting (128 MB).
_BATCH_ENTRIES = 2**24


@dataclass(frozen=True, eq=False)
class Machine:
    """A fitted machine f(x) = Σ aᵢyᵢ K(x, xᵢ) + intercept over its support vectors."""

    support: np.ndarray
    coef: np.ndarray
    intercept: float

    def decide(self, kernel: np.ndarray) -> np.ndarray:
        """Return the scores of queries from their kernel with all points that were fitted."""
        return kernel[:, self.support] @ self.coef + self.intercept


def fit_machines(
    distances: Distances,
    rows: np.ndarray,
    signs: np.ndarray,
    boxes: Sequence[np.ndarray],
    width: float,
) -> list[Machine]:
    """Fit machines to the same points at different costs; they share one kernel matrix.

    Parameters
    ----------
    distances
        The distances among all points.
    rows, signs
        The points to fit to, and the label −1 or +1 of each.
    boxes
        For each machine the cost C·wᵢ of each point, the upper bound of its dual variable aᵢ.
        A point without cost takes no part.
    width
        The width of the kernel.

    Examples
    --------
    >>> line = Distances.read(np.array([[0.0], [1.0], [3.0]]), "euclidean")
    >>> rows, signs = np.arange(3), np.array([-1.0, -1.0, 1.0])
    >>> [machine] = fit_machines(line, rows, signs, [np.array([1.0, 1.0, 2.0])], width=1.0)
    >>> machine.decide(line.kernel(rows, rows, 1.0)).round(2)
    array([-1., -1.,  1.])
    """
    if distances.points is None or len(rows) <= gaussian.MATRIX_LIMIT:
        known = distances.kernel(rows, rows, width)
        solver = SVC(kernel="precomputed")
    else:
        known = distances.points[rows]
        solver = SVC(kernel="rbf", gamma=0.5 / width**2)
    return [_fit(solver, known, signs, box) for box in boxes]


def _fit(solver: SVC, known: np.ndarray, signs: np.ndarray, box: np.ndarray) -> Machine:
    """Fit one machine; where one class alone has costs, its constant answer is the best."""
    kept = np.flatnonzero(box > 0)
    present = np.unique(signs[kept])
    if len(present) < 2:
        constant = float(present[0]) if len(present) else 0.0
        return Machine(np.empty(0, dtype=np.intp), np.empty(0), constant)
    # Rows of no weight are left out here because the library miscounts support vectors with them.
    if len(kept) < len(box):
        known = known[np.ix_(kept, kept)] if solver.kernel == "precomputed" else known[kept]
    # With C = 1 a sample's weight is the bound of its dual variable.
    solver.fit(known, signs[kept], sample_weight=box[kept])
    return Machine(kept[solver.support_], solver.dual_coef_[0].copy(), float(solver.intercept_[0]))


class KernelClassifier(BinaryClassifier):
    """A binary classifier whose score is a machine's, over features or given distances.

    With ``metric="precomputed"`` it is fitted with the square matrix of distances among the
    training points, and asked with the distances from each query to all of them, so that one
    matrix serves many fits.
    """

    metric: str

    def _keep(self, distances: Distances, machine: Machine, width: float) -> None:
        """Make a machine over all training points the fitted one."""
        self.width_ = width
        self.support_ = machine.support
        self.dual_coef_ = machine.coef
        self.intercept_ = machine.intercept
        points = distances.points
        self._support_points = None if points is None else points[machine.support]

    def decision_function(self, X: Any) -> np.ndarray:
        """Return the score of each row, positive for the second class."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        scores = np.full(len(X), self.intercept_)
        for batch in gen_batches(len(X), max(1, _BATCH_ENTRIES // max(1, len(self.support_)))):
            if self._support_points is None:
                squares = X[batch][:, self.support_] ** 2
            else:
                squares = square_distances(X[batch], self._support_points)
            scores[batch] += apply_kernel(squares, self.width_) @ self.dual_coef_
        return scores

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags
