"""Choosing a learner's parameters by cross-validation inside its training set."""

from __future__ import annotations

import numpy as np

#: Scores closer than this are equal: rounding must not decide between candidates.
_TIE = 1e-9


def deal_folds(
    n_points: int, rng: np.random.Generator, n_folds: int = 4
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the rows to train on and to score on, fold by fold.

    The rows are shuffled and dealt round-robin, so that sizes differ by at most one. Fewer points
    than folds make a fold of each; a single point cannot be divided and makes none.

    >>> [test.tolist() for _, test in deal_folds(5, np.random.default_rng(0), n_folds=2)]
    [[1, 2, 3], [0, 4]]
    """
    if n_points < 2:
        return []
    n_folds = min(n_folds, n_points)
    parts = np.empty(n_points, dtype=np.intp)
    parts[rng.permutation(n_points)] = np.arange(n_points) % n_folds
    return [
        (np.flatnonzero(parts != fold), np.flatnonzero(parts == fold)) for fold in range(n_folds)
    ]


def pick_best(scores: np.ndarray) -> int:
    """Return the candidate with the highest mean over the folds, of equals the first.

    Parameters
    ----------
    scores
        One row per fold, then one entry per candidate, in the order in which ties are settled;
        of a grid of several axes the answer is the place in the flattened grid. Without any fold
        all candidates are equal.

    Examples
    --------
    >>> pick_best(np.array([[0.5, 0.9, 0.7], [0.5, 0.7, 0.9]]))
    1
    """
    means = scores.sum(axis=0) / max(1, len(scores))
    return int(np.argmax(means >= means.max() - _TIE))
