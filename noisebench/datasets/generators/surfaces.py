"""Sets given by their regression function η(x) = P(y = 1 | x), which stays at hand for risks."""

from __future__ import annotations

import numpy as np

from noisebench.datasets.generators.arguments import check_between, check_count
from noisebench.errors import InputError


def sine_surface(
    n_samples: int = 15_000, *, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw the sine surface of Gao et al.: X uniform on [0, 1]², y ~ Bernoulli(η(X)).

    The study trains on 8000 points and tests on 7000. The Bayes error is 1/2 − 2/π² = 0.2974.

    Examples
    --------
    >>> X, y = sine_surface(rng=np.random.default_rng(0))
    >>> round(float(np.mean((sine_surface_eta(X) >= 0.5) != y)), 3)
    0.299
    """
    check_count("n_samples", n_samples, 2)
    X = rng.random((n_samples, 2))
    return X, _draw_labels(sine_surface_eta(X), rng)


def sine_surface_eta(X: np.ndarray) -> np.ndarray:
    """Return η(x₁, x₂) = (1 − sin 2πx₁ · sin 2πx₂) / 2 for the rows of ``X``.

    >>> sine_surface_eta(np.array([[0.25, 0.25], [0.25, 0.75], [0.1, 0.2]])).round(6)
    array([0.      , 1.      , 0.220492])
    """
    waves = np.sin(2 * np.pi * X)
    return (1 - waves[:, 0] * waves[:, 1]) / 2


def reeve_kaban(
    n_samples: int = 16_000, p0: float = 0.1, p1: float = 0.3, *, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw the example of Reeve and Kabán, Figure 1: X uniform on [0, 1], clean labels.

    η has a plateau that noise with the rates p₀ = P(1 | 0) and p₁ = P(0 | 1) pushes across 1/2,
    so that plain nearest neighbours err on a third of the line. The noise itself is not part of
    the draw: add it with ``ClassConditionalNoise(tau_pos=p1, tau_neg=p0)``.

    Examples
    --------
    >>> X, y = reeve_kaban(1000, rng=np.random.default_rng(0))
    >>> X.shape, round(float(np.mean((reeve_kaban_eta(X) >= 0.5) != y)), 3)
    ((1000, 1), 0.298)
    """
    check_count("n_samples", n_samples, 2)
    X = rng.random((n_samples, 1))
    return X, _draw_labels(reeve_kaban_eta(X, p0, p1), rng)


def reeve_kaban_eta(X: np.ndarray, p0: float = 0.1, p1: float = 0.3) -> np.ndarray:
    """Return η(x): slope 3/2 up to the plateau, level m on the middle third, slope 3/2 up to 1.

    >>> reeve_kaban_eta(np.array([[0.0], [0.2], [0.5], [1.0]])).round(4)
    array([0.    , 0.3   , 0.5833, 1.    ])
    """
    level = reeve_kaban_plateau(p0, p1)
    corners = [0.0, 2 * level / 3, (2 * level + 1) / 3, 1.0]
    return np.interp(X[:, 0], corners, [0.0, level, level, 1.0])


def reeve_kaban_plateau(p0: float, p1: float) -> float:
    """Return the plateau's level m = (2 − 3p₀ − p₁) / (4(1 − p₀ − p₁)).

    Noise maps it to (2 + p₀ − p₁)/4, half way between 1/2 and the threshold (1 + p₀ − p₁)/2 that
    is right for the noisy labels.

    >>> round(reeve_kaban_plateau(0.1, 0.3), 6), round(reeve_kaban_plateau(0.3, 0.1), 6)
    (0.583333, 0.416667)
    """
    check_between("p0", p0, 0, 0.5)
    check_between("p1", p1, 0, 0.5)
    if p0 in (0, 0.5, p1) or p1 in (0, 0.5):
        raise InputError(
            f"p0 and p1 must be two different rates inside (0, 0.5), got p0={p0}, p1={p1}."
        )
    return (2 - 3 * p0 - p1) / (4 * (1 - p0 - p1))


def _draw_labels(eta: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return (rng.random(len(eta)) < eta).astype(np.int64)
