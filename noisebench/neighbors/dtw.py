"""Dynamic time warping: squared differences summed along the best path, no root taken.

The path starts at the first pair of values, ends at the last, and moves by one in either series
or in both. A window (Sakoe and Chiba's band) keeps it near the diagonal: |i − j| ≤ ⌊w·L⌋ for
series of length L. Of two unequal lengths the longer counts, and the band is widened where it
would not reach the last pair. Series of several channels are warped together: the cost of a pair
of moments is summed over the channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from noisebench.errors import InputError
from noisebench.neighbors.backend import kernels

#: Guards the rounding down of w·L: 0.29 · 100 is a little less than 29 in binary.
_SLACK = 1e-9


def dtw_distance(first: Any, second: Any, window: float | None = None) -> float:
    """Return the warping distance of two series, each 1-D or (channels × length).

    Examples
    --------
    >>> dtw_distance([0, 0, 1, 2], [0, 1, 2, 2])
    0.0
    >>> dtw_distance([0, 0, 1, 2], [0, 1, 2, 2], window=0)
    2.0
    """
    return float(dtw_cross([first], [second], window)[0, 0])


def dtw_cross(
    queries: Any,
    points: Any,
    window: float | None = None,
    *,
    bounds: np.ndarray | None = None,
    n_threads: int | None = None,
) -> np.ndarray:
    """Return the warping distance of every query to every point.

    Parameters
    ----------
    queries, points
        Arrays of shape (n, length) or (n, channels, length), or sequences of series of any
        lengths, each 1-D or (channels × length).
    window
        Half-width w of the band as a share of the length; None leaves the path free.
    bounds
        Per query: a distance above it is of no interest and may come out as infinity.

    Examples
    --------
    >>> dtw_cross([[0, 1, 2]], [[0, 2], [1, 1, 1]])
    array([[1., 2.]])
    """
    left, right = as_series(queries), as_series(points)
    _check_channels([*left, *right])
    return measure_series(left, right, window, bounds=bounds, n_threads=n_threads)


def dtw_pairs(
    series: Any, window: float | None = None, *, n_threads: int | None = None
) -> np.ndarray:
    """Return the symmetric matrix of warping distances between all series.

    Examples
    --------
    >>> dtw_pairs([[0, 1, 2], [0, 2, 2], [5, 5, 5]], window=0.4)
    array([[ 0.,  1., 50.],
           [ 1.,  0., 43.],
           [50., 43.,  0.]])
    """
    every = as_series(series)
    return measure_series(every, every, window, symmetric=True, n_threads=n_threads)


def measure_series(
    queries: list[np.ndarray],
    points: list[np.ndarray],
    window: float | None,
    *,
    bounds: np.ndarray | None = None,
    symmetric: bool = False,
    n_threads: int | None = None,
) -> np.ndarray:
    """Return the distances of series as ``as_series`` gives them; see ``dtw_cross``."""
    radii = band_radii(max(map(len, (*queries, *points))), window)
    given = np.full(len(queries), np.inf) if bounds is None else bounds
    limits = np.ascontiguousarray(given, dtype=np.float64)
    return kernels("dtw").fill_distances(queries, points, radii, limits, symmetric, n_threads)


def as_series(X: Any) -> list[np.ndarray]:
    """Return the series as float64 arrays (length × channels), or say which one is wrong."""
    series = [_as_one(item, place) for place, item in enumerate(X)]
    if not series:
        raise InputError("X must hold at least one series, got none.")
    _check_channels(series)
    return series


def _as_one(item: Any, place: int) -> np.ndarray:
    values = np.atleast_2d(np.asarray(item, dtype=np.float64))
    if values.ndim != 2 or not values.size:
        raise InputError(
            f"A series must be 1-D or (channels × length) and not empty, "
            f"got shape {np.shape(item)} in place {place}."
        )
    if not np.isfinite(values).all():
        raise InputError(
            f"Series must hold finite numbers only, got NaN or infinity in place {place}; "
            "cut off padding and impute gaps."
        )
    return np.ascontiguousarray(values.T)


def _check_channels(series: Sequence[np.ndarray]) -> None:
    channels = sorted({values.shape[1] for values in series})
    if len(channels) > 1:
        raise InputError(f"All series must have the same number of channels, got {channels}.")


def check_window(window: float | None) -> None:
    """Refuse a window that is no share of the length."""
    if window is not None and not 0 <= window <= 1:
        raise InputError(
            f"window must be a share of the length between 0 and 1, or None, got {window}."
        )


def band_radii(longest: int, window: float | None) -> np.ndarray:
    """Return the band's half-width for every pair of lengths up to ``longest``.

    >>> int(band_radii(100, 0.29)[100, 100]), int(band_radii(4, 0.0)[4, 2])
    (29, 2)
    """
    check_window(window)
    if window is None:
        return np.full((longest + 1, longest + 1), longest)
    lengths = np.arange(longest + 1)
    longer = np.maximum.outer(lengths, lengths)
    widths = np.floor(window * longer + _SLACK).astype(np.int64)
    return np.maximum(widths, np.abs(np.subtract.outer(lengths, lengths)))
