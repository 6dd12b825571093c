"""Scores of a prediction, each with its direction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisebench.errors import InputError, did_you_mean


@dataclass(frozen=True)
class Score:
    """A column of the rows that measures a learner, and whether more of it is better."""

    name: str
    title: str
    greater_is_better: bool = True


SCORES = {
    score.name: score
    for score in (
        Score("accuracy", "accuracy"),
        Score("balanced_accuracy", "balanced accuracy"),
        Score("macro_f1", "macro F1"),
        Score("error_rate", "error rate", greater_is_better=False),
        Score("fit_seconds", "seconds to fit", greater_is_better=False),
        Score("predict_seconds", "seconds to predict", greater_is_better=False),
    )
}


def find_score(name: str) -> Score:
    """Return a score by name."""
    if name not in SCORES:
        raise InputError(f"There is no score '{name}'. {did_you_mean(name, SCORES)}")
    return SCORES[name]


def measure(y_true: np.ndarray, y_pred: np.ndarray) -> dict[str, float]:
    """Return the scores of predicted class codes against the clean ones.

    Balanced accuracy is the mean recall over the classes that occur in the test part; macro F1
    the mean over those that occur in the test part or among the predictions.

    >>> measure(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]))["accuracy"]
    0.75
    """
    size = int(max(y_true.max(), y_pred.max())) + 1
    table = np.bincount(y_true * size + y_pred, minlength=size * size).reshape(size, size)
    hits, actual, predicted = np.diag(table), table.sum(axis=1), table.sum(axis=0)
    occurs = actual > 0
    either = occurs | (predicted > 0)
    return {
        "accuracy": float(hits.sum() / len(y_true)),
        "balanced_accuracy": float(np.mean(hits[occurs] / actual[occurs])),
        "macro_f1": float(np.mean(2 * hits[either] / (actual + predicted)[either])),
    }
