"""Noise that hits all labels alike and flips each to any other class."""

from __future__ import annotations

import numpy as np

from noisebench.noise.labels import check_labels, draw_other_classes
from noisebench.noise.model import NoiseModel
from noisebench.noise.rates import check_rate, round_half_up


class UniformNoise(NoiseModel):
    """Flip each label with the same probability to a uniformly drawn different class.

    With equal seeds, the labels flipped at one rate are flipped to the same classes at any
    higher rate.

    Parameters
    ----------
    rate : float
        Probability η of a flip; a redraw never returns the label's own class (Tomašev and Buza).
    exact : bool
        Flip exactly η·n labels, halves rounded up, instead of a binomial number.

    Examples
    --------
    >>> y = np.zeros(1000, dtype=int)
    >>> [int((UniformNoise(0.3, exact).corrupt(y, np.random.default_rng(0), n_classes=4) > 0).sum())
    ...  for exact in (False, True)]
    [277, 300]
    """

    def __init__(self, rate: float, exact: bool = False) -> None:
        check_rate("rate", rate)
        self.rate = rate
        self.exact = exact

    def corrupt(
        self, y: np.ndarray, rng: np.random.Generator, *, n_classes: int | None = None
    ) -> np.ndarray:
        y, n_classes = check_labels(y, n_classes)
        if self.exact:
            return _flip_exactly(y, round_half_up(self.rate * len(y)), n_classes, rng)
        hit = rng.random(len(y)) < self.rate
        return np.where(hit, draw_other_classes(y, n_classes, rng), y)

    def class_rates(self) -> tuple[float, float]:
        return self.rate, self.rate


class PercentageNoise(NoiseModel):
    """Flip exactly a percentage of the labels, each to a uniformly drawn different class.

    Parameters
    ----------
    percent : float
        γ, from 0 to 100: γ·n/100 labels, halves rounded up, are chosen without replacement
        (Marchiori).

    Examples
    --------
    >>> y = np.zeros(12, dtype=int)
    >>> int(PercentageNoise(20).corrupt(y, np.random.default_rng(0), n_classes=2).sum())
    2
    """

    def __init__(self, percent: float) -> None:
        check_rate("percent", percent, highest=100)
        self.percent = percent

    def corrupt(
        self, y: np.ndarray, rng: np.random.Generator, *, n_classes: int | None = None
    ) -> np.ndarray:
        y, n_classes = check_labels(y, n_classes)
        return _flip_exactly(y, round_half_up(self.percent * len(y) / 100), n_classes, rng)

    def class_rates(self) -> tuple[float, float]:
        return self.percent / 100, self.percent / 100


def _flip_exactly(
    y: np.ndarray, n_flips: int, n_classes: int, rng: np.random.Generator
) -> np.ndarray:
    """Flip ``n_flips`` labels of the given copy, chosen without replacement."""
    chosen = rng.permutation(len(y))[:n_flips]
    y[chosen] = draw_other_classes(y, n_classes, rng)[chosen]
    return y
