"""Label vectors: what a noise model accepts, other classes to flip to, and which labels differ."""

from __future__ import annotations

import numpy as np

from noisebench.errors import InputError


def check_labels(y: np.ndarray, n_classes: int | None = None) -> tuple[np.ndarray, int]:
    """Return a copy of the labels and the number of classes, after refusing illegal codes.

    Parameters
    ----------
    y : array of int
        Class codes 0 … C−1.
    n_classes : int, optional
        C; the largest code plus one if not given.

    Examples
    --------
    >>> check_labels(np.array([0, 2, 1]))
    (array([0, 2, 1]), 3)
    """
    y = np.asarray(y)
    if y.ndim != 1 or not np.issubdtype(y.dtype, np.integer):
        raise InputError(
            f"y must be a flat array of whole class codes, got {y.ndim} dimensions of {y.dtype}; "
            "code the classes 0 … C−1, for example with numpy.unique(y, return_inverse=True)."
        )
    y = y.astype(np.int64)  # always a copy
    if n_classes is None:
        n_classes = int(y.max(initial=-1)) + 1
    illegal = y[(y < 0) | (y >= n_classes)]
    if illegal.size:
        raise InputError(
            f"y must hold codes from 0 to {n_classes - 1} for n_classes={n_classes}, got "
            f"{illegal[0]}; recode y or pass the right n_classes."
        )
    return y, n_classes


def draw_other_classes(y: np.ndarray, n_classes: int, rng: np.random.Generator) -> np.ndarray:
    """Draw for each label one of the other classes, all equally likely.

    >>> draw_other_classes(np.array([0, 1, 1]), 2, np.random.default_rng(0))
    array([1, 0, 0])
    """
    if n_classes < 2:
        raise InputError(
            f"n_classes must be at least 2 to have another class to flip to, got {n_classes}; "
            "pass n_classes when y does not hold every class."
        )
    return (y + rng.integers(1, n_classes, size=len(y))) % n_classes


def flipped(y: np.ndarray, y_noisy: np.ndarray) -> np.ndarray:
    """Return the mask of the labels that the noise changed.

    >>> flipped(np.array([0, 1, 1]), np.array([0, 0, 1]))
    array([False,  True, False])
    """
    y, y_noisy = np.asarray(y), np.asarray(y_noisy)
    if y.shape != y_noisy.shape:
        raise InputError(
            f"y and y_noisy must hold the same points, got shapes {y.shape} and {y_noisy.shape}."
        )
    return y != y_noisy
