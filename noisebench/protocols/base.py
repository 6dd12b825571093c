"""What a protocol owes the harness: the splits of a repeat, fixed by a generator."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from noisebench.datasets.dataset import Dataset
from noisebench.errors import InputError


@dataclass(frozen=True, eq=False)
class Split:
    """Row numbers of a training and a test part. The order of ``train`` decides distance ties."""

    train: np.ndarray
    test: np.ndarray


class Protocol(ABC):
    """How a data set is cut into training and test parts, and what the scores may be tested by.

    A protocol's parameters are its public attributes. Those in `extent` say how much is run, not
    what: a longer run of the same protocol begins with the splits of a shorter one.
    """

    extent: ClassVar[tuple[str, ...]] = ("repeats",)
    #: The significance test that fits scores over these splits. Training parts of repeated
    #: splits overlap, which the plain paired t-test takes for independent evidence.
    fitting_test: ClassVar[str] = "corrected-t"
    repeats: int
    #: The number of splits in one repeat.
    n_folds: int

    @abstractmethod
    def splits(self, data: Dataset, repeat: int, rng: np.random.Generator) -> list[Split]:
        """Return the splits of one repeat; ``rng`` is the same whenever they are asked for."""

    def check(self, data: Dataset) -> None:  # noqa: B027 - most protocols fit any data set
        """Raise an InputError where this data set cannot be cut so."""

    def n_repeats(self, data: Dataset) -> int:
        """Return how many repeats this data set gets."""
        return self.repeats

    def identity(self, data: Dataset) -> dict[str, Any]:
        """Return the parameters that fix a split, besides seed, repeat and fold."""
        return {key: value for key, value in vars(self).items() if key not in self.extent}

    def describe(self, data: Dataset) -> str:
        """Return one phrase that says how this data set was cut."""
        return f"{self.n_repeats(data)} × {self.n_folds} splits"


def check_count(name: str, value: int, least: int) -> None:
    """Refuse a count that is no whole number of at least ``least``."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InputError(f"{name} must be a whole number of at least {least}, got {value!r}.")


def shuffle(y: np.ndarray, stratified: bool, rng: np.random.Generator) -> np.ndarray:
    """Return all row numbers in random order; stratified, class by class."""
    order = rng.permutation(len(y))
    return order[np.argsort(y[order], kind="stable")] if stratified else order


def deal(y: np.ndarray, n_parts: int, stratified: bool, rng: np.random.Generator) -> np.ndarray:
    """Return for each row the part that it is dealt to, round-robin after a shuffle.

    Sizes of parts differ by at most one; stratified, so do the parts of each class.
    """
    parts = np.empty(len(y), dtype=np.intp)
    parts[shuffle(y, stratified, rng)] = np.arange(len(y)) % n_parts
    return parts
