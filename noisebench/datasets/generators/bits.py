"""Binary features that tell the classes apart amid random bits: SynSep and SynNonSep."""

from __future__ import annotations

import numpy as np

from noisebench.datasets.generators.arguments import check_between, check_count

_N_CLASSES = 9

#: Key bits of the classes lie among the first 120 features, random bits among the 280 after them.
_N_KEY_FEATURES, _N_FREE_FEATURES = 120, 280

_FEWEST_KEYS, _MOST_KEYS = 20, 40
_KEYS_OFF, _FREE_ON = 5, 20


def synsep(
    n_samples: int = 100_000, label_noise: float = 0.0, *, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw the SynSep data of the Banditron's study: 9 classes, 400 features of value 0 or 1.

    Each class owns 20 to 40 key bits among the first 120. An example has the key bits of its
    class, 5 of them switched off at random, and 20 random ones of the last 280 bits. A linear
    classifier separates the classes without error.

    Parameters
    ----------
    n_samples : int
        Number of rows.
    label_noise : float
        Probability that a label is replaced by a uniformly drawn class, its own included; 0.05
        gives SynNonSep.

    Examples
    --------
    >>> X, y = synsep(1000, rng=np.random.default_rng(0))
    >>> X.shape, int(X[:, 120:].sum(axis=1).min())
    ((1000, 400), 20)
    """
    check_count("n_samples", n_samples, 2)
    check_between("label_noise", label_noise, 0, 1)
    y = rng.integers(_N_CLASSES, size=n_samples)
    X = np.zeros((n_samples, _N_KEY_FEATURES + _N_FREE_FEATURES))
    for label in range(_N_CLASSES):
        n_keys = int(rng.integers(_FEWEST_KEYS, _MOST_KEYS, endpoint=True))
        keys = rng.permutation(_N_KEY_FEATURES)[:n_keys]
        rows = np.flatnonzero(y == label)[:, None]
        X[rows, keys] = 1
        X[rows, keys[_draw_distinct(len(rows), n_keys, _KEYS_OFF, rng)]] = 0
        X[rows, _N_KEY_FEATURES + _draw_distinct(len(rows), _N_FREE_FEATURES, _FREE_ON, rng)] = 1
    replaced = rng.random(n_samples) < label_noise
    y[replaced] = rng.integers(_N_CLASSES, size=int(replaced.sum()))
    return X, y


def _draw_distinct(
    n_rows: int, n_choices: int, n_drawn: int, rng: np.random.Generator
) -> np.ndarray:
    """Draw ``n_drawn`` different numbers below ``n_choices`` for every row."""
    # The places of the smallest of independent uniform numbers are a uniform subset.
    return rng.random((n_rows, n_choices)).argpartition(n_drawn, axis=1)[:, :n_drawn]
