"""Two classes cut out of spherical Gaussians: twonorm, ringnorm, g50c and g10n."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from noisebench.datasets.generators.arguments import check_count

#: Each coordinate of a class mean of twonorm and ringnorm (Breiman's a, 20 dimensions).
NORM_MEAN = 2 / np.sqrt(20)

#: Each coordinate of a mean of g50c: the 50 of them put the Bayes error at 5 %.
G50C_MEAN = -float(ndtri(0.05)) / np.sqrt(50)


def twonorm(n_samples: int = 7400, *, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw Breiman's twonorm: N(±a·1, I) in 20 dimensions with a = 2/√20, classes equally likely.

    Class 1 is the positive mean. The Bayes error is Φ(−2) = 0.0228.

    Examples
    --------
    >>> X, y = twonorm(rng=np.random.default_rng(0))
    >>> X.shape, round(float(np.mean((X.sum(axis=1) > 0) != y)), 4)
    ((7400, 20), 0.0214)
    """
    check_count("n_samples", n_samples, 2)
    return _draw_opposite(n_samples, 20, NORM_MEAN, rng)


def ringnorm(n_samples: int = 7400, *, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw Breiman's ringnorm: class 0 from N(0, 4I), class 1 from N(a·1, I), 20 dimensions.

    a = 2/√20, as in the published benchmark files; some manuals print 1/√20, a harder
    set. The Bayes error is 0.0124 (0.0150 with 1/√20).

    Examples
    --------
    >>> X, y = ringnorm(rng=np.random.default_rng(0))
    >>> [round(float(X[y == label].std()), 2) for label in (0, 1)]
    [2.0, 1.0]
    """
    check_count("n_samples", n_samples, 2)
    y = rng.integers(2, size=n_samples)
    noise = rng.standard_normal((n_samples, 20))
    return np.where(y[:, None] == 1, NORM_MEAN + noise, 2 * noise), y


def g50c(n_samples: int = 550, *, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw a set like Chapelle's g50c: N(±a·1, I) in 50 dimensions, Bayes error 5 %.

    The published file is one sample of this structure, not this draw.

    Examples
    --------
    >>> X, y = g50c(rng=np.random.default_rng(0))
    >>> X.shape, round(float(G50C_MEAN), 6)
    ((550, 50), 0.232617)
    """
    check_count("n_samples", n_samples, 2)
    return _draw_opposite(n_samples, 50, G50C_MEAN, rng)


def g10n(n_samples: int = 550, *, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw a set like Chapelle's g10n: 10 dimensions, label 1 where x₂ > x₁.

    The points come from a mixture of N(±a·1, I) with g50c's a, but the component says nothing
    about the label: the boundary passes through both centres, so clusters mislead.

    Examples
    --------
    >>> X, y = g10n(rng=np.random.default_rng(0))
    >>> bool(np.all((X[:, 1] > X[:, 0]) == y))
    True
    """
    check_count("n_samples", n_samples, 2)
    X, _ = _draw_opposite(n_samples, 10, G50C_MEAN, rng)
    return X, (X[:, 1] > X[:, 0]).astype(np.int64)


def _draw_opposite(
    n_samples: int, n_features: int, mean: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw unit Gaussians around +mean (class 1) and −mean (class 0) in every coordinate."""
    y = rng.integers(2, size=n_samples)
    return mean * (2 * y[:, None] - 1) + rng.standard_normal((n_samples, n_features)), y
