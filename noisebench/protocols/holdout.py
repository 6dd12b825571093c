"""Repeated train/test splits: those that a data set publishes, or random ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from noisebench.datasets.dataset import Dataset
from noisebench.errors import InputError
from noisebench.protocols.base import Protocol, Split, check_count, shuffle


class Holdout(Protocol):
    """One training and one test part per repeat.

    Parameters
    ----------
    repeats : int, default=100
        How many splits; a data set that publishes fewer gets those it has.
    train_size : float or int, default=0.8
        Share (between 0 and 1) or number of training rows of a random split.
    stratified : bool, default=False
        Whether a random training part gets its share of every class.
    partitions : {"published", "random"}, default="published"
        Whether published partitions are used where the data set has them.

    Examples
    --------
    >>> data = Dataset("toy", np.zeros((5, 1)), np.array([0, 0, 1, 1, 1]), ("a", "b"))
    >>> [split] = Holdout(train_size=3).splits(data, 0, np.random.default_rng(0))
    >>> split.train.tolist(), split.test.tolist()
    ([2, 3, 4], [0, 1])
    """

    n_folds = 1

    def __init__(
        self,
        repeats: int = 100,
        train_size: float = 0.8,
        stratified: bool = False,
        partitions: str = "published",
    ) -> None:
        check_count("repeats", repeats, 1)
        if isinstance(train_size, float) and not 0 < train_size < 1:
            raise InputError(
                f"train_size must be a share between 0 and 1 or a whole number, got {train_size}."
            )
        if not isinstance(train_size, float):
            check_count("train_size", train_size, 1)
        if partitions not in ("published", "random"):
            raise InputError(f"partitions must be 'published' or 'random', got {partitions!r}.")
        self.repeats = repeats
        self.train_size = train_size
        self.stratified = stratified
        self.partitions = partitions

    def check(self, data: Dataset) -> None:
        if self._published(data):
            return
        size = self._n_train(data)
        if not 1 <= size < len(data.y):
            raise InputError(
                f"protocol.train_size={self.train_size} leaves {len(data.y) - size} of the "
                f"{len(data.y)} rows of '{data.name}' for testing; at least one is needed on "
                f"either side."
            )

    def n_repeats(self, data: Dataset) -> int:
        published = self._published(data)
        return min(self.repeats, len(published)) if published else self.repeats

    def splits(self, data: Dataset, repeat: int, rng: np.random.Generator) -> list[Split]:
        published = self._published(data)
        if published:
            return [Split(published[repeat].train, published[repeat].test)]
        size = self._n_train(data)
        order = shuffle(data.y, self.stratified, rng)
        places = np.arange(size)
        if self.stratified:
            # The order runs class by class, so evenly spaced places take a share of each class.
            places = ((places + rng.random()) * len(order) / size).astype(np.intp)
        train = np.zeros(len(order), dtype=bool)
        train[order[places]] = True
        return [Split(np.flatnonzero(train), np.flatnonzero(~train))]

    def identity(self, data: Dataset) -> dict[str, Any]:
        if self._published(data):
            return {"partitions": "published"}
        return {"train_size": self.train_size, "stratified": self.stratified}

    def describe(self, data: Dataset) -> str:
        if self._published(data):
            return f"{self.n_repeats(data)} published partitions"
        size = self._n_train(data)
        kind = "stratified " if self.stratified else ""
        return f"{self.repeats} random {kind}splits into {size} / {len(data.y) - size}"

    def _published(self, data: Dataset) -> tuple[Any, ...]:
        return data.partitions if self.partitions == "published" else ()

    def _n_train(self, data: Dataset) -> int:
        if isinstance(self.train_size, float):
            return math.floor(self.train_size * len(data.y) + 1e-9)
        return self.train_size
