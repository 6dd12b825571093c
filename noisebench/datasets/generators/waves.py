"""Breiman's waveform data: noisy mixtures of two out of three triangular waves."""

from __future__ import annotations

import numpy as np

from noisebench.datasets.generators.arguments import check_count
from noisebench.datasets.generators.scaling import standardize as _standardize

_POSITIONS = np.arange(1, 22)

#: h₁, h₂, h₃: triangles of height 6 with their peaks at positions 7, 15 and 11.
_WAVES = np.maximum(6 - np.abs(_POSITIONS - np.array([[7], [15], [11]])), 0.0)

#: The two waves that each class mixes: (h₁, h₂), (h₁, h₃), (h₂, h₃).
_FIRST, _SECOND = np.array([0, 0, 1]), np.array([1, 2, 2])


def waveform(
    n_samples: int = 5000,
    binary: bool = True,
    standardize: bool = True,
    *,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Draw the waveform data: x_j = u·h_a(j) + (1 − u)·h_b(j) + N(0, 1), u uniform, j = 1 … 21.

    Parameters
    ----------
    n_samples : int
        Number of rows.
    binary : bool
        Class 1 is (h₁, h₃) and class 0 both others, the two-class form of Rätsch's benchmark.
        Otherwise the three classes (h₁, h₂), (h₁, h₃), (h₂, h₃) keep the codes 0, 1, 2.
    standardize : bool
        Give every column mean 0 and variance 1 over the whole set, as the benchmark does.

    Examples
    --------
    >>> X, y = waveform(rng=np.random.default_rng(0))
    >>> X.shape, np.bincount(y)
    ((5000, 21), array([3325, 1675]))
    """
    check_count("n_samples", n_samples, 2)
    y = rng.integers(3, size=n_samples)
    share = rng.random((n_samples, 1))
    X = share * _WAVES[_FIRST[y]] + (1 - share) * _WAVES[_SECOND[y]]
    X += rng.standard_normal(X.shape)
    if binary:
        y = (y == 1).astype(np.int64)
    return (_standardize(X) if standardize else X), y
