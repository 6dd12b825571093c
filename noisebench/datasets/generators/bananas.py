"""Two interlocking arcs in the plane, a stand-in for the benchmark set banana."""

from __future__ import annotations

import numpy as np

from noisebench.datasets.generators.arguments import check_count, check_positive
from noisebench.datasets.generators.scaling import standardize as _standardize

_RADIUS = 5.0

#: Probability of class 1.
_PRIOR = 0.45

#: First angle of each class's arc; both arcs are 1.25 π long.
_START = np.pi * np.array([0.125, -0.875])


def banana(
    n_samples: int = 5300,
    spread: float = 1.8,
    standardize: bool = True,
    *,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Draw a set like banana, whose own generator was never published.

    Class 0 lies on the arc r(sin t, cos t) with t uniform on π(0.125, 1.375), class 1 on
    r(sin t, cos t) − 0.75 r(1, 1) with t uniform on π(−0.875, 0.375), r = 5; then N(0, s²I) is
    added. Nearest neighbours find it about as hard as the published set.

    Parameters
    ----------
    n_samples : int
        Number of rows.
    spread : float
        Standard deviation s around the arcs; 1.8 puts the Bayes error at about 10 %.
    standardize : bool
        Give both columns mean 0 and variance 1 over the whole set.

    Examples
    --------
    >>> X, y = banana(rng=np.random.default_rng(0))
    >>> X.shape, round(float(y.mean()), 2)
    ((5300, 2), 0.45)
    """
    check_count("n_samples", n_samples, 2)
    check_positive("spread", spread)
    y = (rng.random(n_samples) < _PRIOR).astype(np.int64)
    angle = _START[y] + 1.25 * np.pi * rng.random(n_samples)
    X = _RADIUS * np.column_stack([np.sin(angle), np.cos(angle)])
    X -= 0.75 * _RADIUS * y[:, None]
    X += spread * rng.standard_normal(X.shape)
    return (_standardize(X) if standardize else X), y
