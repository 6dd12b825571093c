"""Small plane sets for pictures of instance filters (Marchiori, Figures 1 and 2)."""

from __future__ import annotations

import math

import numpy as np

from noisebench.datasets.generators.arguments import check_between, check_count

_CORNERS = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])


def two_gaussians(
    n_samples: int = 20, *, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw N((−1, 0), I) as class 0 and N((1, 0), I) as class 1, half of the points each.

    Marchiori's Figure 1 shows a two-class set in the plane without giving its points; this is a
    set of the same kind.

    Examples
    --------
    >>> X, y = two_gaussians(rng=np.random.default_rng(0))
    >>> X.shape, np.bincount(y)
    ((20, 2), array([10, 10]))
    """
    check_count("n_samples", n_samples, 2)
    y = np.arange(n_samples) % 2
    return np.column_stack([2 * y - 1, 0 * y]) + rng.standard_normal((n_samples, 2)), y


def noisy_xor(
    n_samples: int = 100, label_noise: float = 0.05, *, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw four clouds N((±1, ±1), 0.35² I) in turn, class 1 where the signs agree.

    Exactly ``label_noise`` of the labels, halves rounded up, are the wrong ones. Marchiori's
    Figure 2 shows such a set without giving its points.

    Examples
    --------
    >>> X, y = noisy_xor(rng=np.random.default_rng(0))
    >>> X.shape, int(np.sum((X.prod(axis=1) > 0) != y))
    ((100, 2), 5)
    """
    check_count("n_samples", n_samples, 4)
    check_between("label_noise", label_noise, 0, 1)
    corners = _CORNERS[np.arange(n_samples) % 4]
    X = corners + 0.35 * rng.standard_normal((n_samples, 2))
    y = (corners.prod(axis=1) > 0).astype(np.int64)
    # The small term keeps a product such as 0.35 · 90, just below 31.5, on its side of the half.
    wrong = rng.permutation(n_samples)[: math.floor(label_noise * n_samples + 0.5 + 1e-9)]
    y[wrong] = 1 - y[wrong]
    return X, y
