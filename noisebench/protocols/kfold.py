"""Repeated k-fold cross-validation."""

from __future__ import annotations

import numpy as np

from noisebench.datasets.dataset import Dataset
from noisebench.errors import InputError
from noisebench.protocols.base import Protocol, Split, check_count, deal


class RepeatedKFold(Protocol):
    """Shuffle, deal the rows into folds, test on each fold in turn; do so ``repeats`` times.

    Parameters
    ----------
    n_folds : int, default=4
    repeats : int, default=10
        Trials, each with a shuffle of its own.
    stratified : bool, default=False
        Whether each fold gets its share of every class.

    Examples
    --------
    >>> data = Dataset("toy", np.zeros((5, 1)), np.array([0, 0, 1, 1, 1]), ("a", "b"))
    >>> splits = RepeatedKFold(n_folds=2).splits(data, 0, np.random.default_rng(0))
    >>> [split.test.tolist() for split in splits]
    [[1, 2, 3], [0, 4]]
    """

    def __init__(self, n_folds: int = 4, repeats: int = 10, stratified: bool = False) -> None:
        check_count("n_folds", n_folds, 2)
        check_count("repeats", repeats, 1)
        self.n_folds = n_folds
        self.repeats = repeats
        self.stratified = stratified

    def check(self, data: Dataset) -> None:
        if self.n_folds > len(data.y):
            raise InputError(
                f"Data set '{data.name}' has {len(data.y)} rows, too few for {self.n_folds} folds; "
                f"lower protocol.n_folds."
            )
        if not self.stratified:
            return
        for name, count in data.class_counts.items():
            if 0 < count < self.n_folds:
                raise InputError(
                    f"Data set '{data.name}': class '{name}' has {count} members, fewer than the "
                    f"{self.n_folds} stratified folds; lower protocol.n_folds to {max(2, count)} "
                    f"or less, or set protocol.stratified=false."
                )

    def splits(self, data: Dataset, repeat: int, rng: np.random.Generator) -> list[Split]:
        folds = deal(data.y, self.n_folds, self.stratified, rng)
        return [
            Split(np.flatnonzero(folds != fold), np.flatnonzero(folds == fold))
            for fold in range(self.n_folds)
        ]

    def describe(self, data: Dataset) -> str:
        kind = "stratified " if self.stratified else ""
        return f"{self.repeats} × {kind}{self.n_folds}-fold cross-validation"
