"""Noise whose rates depend on the true class."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from noisebench.errors import InputError
from noisebench.noise.labels import check_labels
from noisebench.noise.model import NoiseModel
from noisebench.noise.rates import check_rate


class ClassConditionalNoise(NoiseModel):
    """Flip each label of a two-class set independently, at a rate of its class.

    Parameters
    ----------
    tau_pos : float
        τ₊ = P(observed 0 | true 1); Reeve and Kabán's p₁.
    tau_neg : float
        τ₋ = P(observed 1 | true 0); Reeve and Kabán's p₀. The two must sum to less than 1, or
        the noisy labels would point the wrong way.

    Examples
    --------
    >>> y = np.repeat([0, 1], 1000)
    >>> noisy = ClassConditionalNoise(0.1, 0.3).corrupt(y, np.random.default_rng(0))
    >>> int(np.sum(noisy[:1000] == 1)), int(np.sum(noisy[1000:] == 0))
    (277, 121)
    """

    def __init__(self, tau_pos: float, tau_neg: float) -> None:
        check_rate("tau_pos", tau_pos)
        check_rate("tau_neg", tau_neg)
        # The tolerance catches pairs that sum to 1 but for rounding.
        if tau_pos + tau_neg >= 1 - 1e-9:
            raise InputError(
                f"tau_pos + tau_neg must be less than 1, got {tau_pos} + {tau_neg}; with more "
                "noise, swap the names of the classes."
            )
        self.tau_pos = tau_pos
        self.tau_neg = tau_neg

    def corrupt(
        self, y: np.ndarray, rng: np.random.Generator, *, n_classes: int | None = None
    ) -> np.ndarray:
        y = _check_fit(self, 2, y, n_classes)
        hit = rng.random(len(y)) < np.where(y == 1, self.tau_pos, self.tau_neg)
        return np.where(hit, 1 - y, y)

    def class_rates(self) -> tuple[float, float]:
        return self.tau_pos, self.tau_neg


class TransitionNoise(NoiseModel):
    """Redraw each label independently from the row of its class in a transition matrix.

    Parameters
    ----------
    matrix : C × C numbers
        Row i holds P(observed j | true i) and sums to 1.

    Examples
    --------
    >>> noise = TransitionNoise([[0.8, 0.2, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.5]])
    >>> noisy = noise.corrupt(np.repeat([0, 1, 2], 100), np.random.default_rng(0))
    >>> [np.bincount(part, minlength=3).tolist() for part in np.split(noisy, 3)]
    [[73, 27, 0], [0, 100, 0], [0, 47, 53]]
    """

    def __init__(self, matrix: Sequence[Sequence[float]]) -> None:
        self.matrix = _check_matrix(matrix)

    def corrupt(
        self, y: np.ndarray, rng: np.random.Generator, *, n_classes: int | None = None
    ) -> np.ndarray:
        y = _check_fit(self, len(self.matrix), y, n_classes)
        ends = np.cumsum(self.matrix, axis=1)
        ends /= ends[:, -1:]  # ends in exactly 1 for the last class with a positive probability
        return np.sum(rng.random((len(y), 1)) >= ends[y], axis=1)

    def class_rates(self) -> tuple[float, float] | None:
        if self.matrix.shape != (2, 2):
            return None
        return float(self.matrix[1, 0]), float(self.matrix[0, 1])


def _check_matrix(matrix: Sequence[Sequence[float]]) -> np.ndarray:
    """Return the transition probabilities as a read-only array."""
    rule = "matrix must be a square table of probabilities, two or more rows of sum 1"
    try:
        table = np.array([list(row) for row in matrix], dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{rule}, got {matrix!r}.") from None
    square = table.ndim == 2 and 2 <= table.shape[0] == table.shape[1]
    if not square or not (table >= 0).all() or not np.allclose(table.sum(axis=1), 1, 0, 1e-9):
        raise InputError(f"{rule}, got {table.tolist()}.")
    table.setflags(write=False)
    return table


def _check_fit(noise: NoiseModel, needed: int, y: np.ndarray, n_classes: int | None) -> np.ndarray:
    """Return a copy of the labels of a set with as many classes as the noise has rates for."""
    y, given = check_labels(y, n_classes)
    # A sample without its last class says nothing about how many there are.
    if given > needed or (n_classes is not None and given < needed):
        raise InputError(
            f"{noise!r} has rates for {needed} classes, got a set with {given}; choose another "
            "noise model, such as TransitionNoise with one row per class."
        )
    return y
