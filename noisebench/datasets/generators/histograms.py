"""Histograms over visual words, a stand-in for quantised images."""

from __future__ import annotations

import numpy as np

from noisebench.datasets.generators.arguments import check_between, check_count
from noisebench.errors import InputError

#: Local features per image; equal for all images, so that every histogram has the same L1 norm.
_N_DESCRIPTORS = 500

#: Sum of an image's Dirichlet parameters: small values make images of one class differ more.
_CONCENTRATION = 100.0

#: Gamma shape of the factors that turn the shared word frequencies into those of a class.
_CLASS_SHAPE = 2.0


def visual_words(
    n_samples: int = 2731,
    n_classes: int = 3,
    n_words: int = 400,
    imbalance: float = 1.0,
    zero_rows: int = 0,
    *,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Draw bag-of-visual-words histograms, rows of sum 1, to be compared by Manhattan distance.

    This is a stand-in: the ImageNet subsets of Tomašev and Buza are not published in quantised
    form. It keeps what matters for hubness: many sparse counts, long-tailed word frequencies, and
    images anywhere between typical of their class and typical of all. It does not imitate any
    single set or its figures.

    Parameters
    ----------
    n_samples, n_classes, n_words : int
        Images, classes, and size of the vocabulary.
    imbalance : float
        Size of the first class over that of the last; sizes fall geometrically in between.
    zero_rows : int
        Images of the last class whose histogram is all zeros, as after a reading error; five of
        them in a vocabulary of 1000 words imitate ImNet3Err. A zero row has distance 1 to every
        image whatever the vocabulary, while images move apart as it grows, so the zero rows
        become the nearest neighbours of nearly everything.

    Examples
    --------
    >>> X, y = visual_words(300, n_words=50, imbalance=4, zero_rows=2, rng=np.random.default_rng(0))
    >>> np.bincount(y), int(np.sum(X.sum(axis=1) == 0))
    (array([171,  86,  43]), 2)
    """
    check_count("n_samples", n_samples, 2)
    check_count("n_classes", n_classes, 2)
    check_count("n_words", n_words, 2)
    check_between("imbalance", imbalance, 1, np.inf)
    check_count("zero_rows", zero_rows, 0)
    sizes = _share_out(n_samples, n_classes, imbalance)
    if sizes.min() < 1 or sizes[-1] < zero_rows:
        raise InputError(
            f"n_samples={n_samples} makes class sizes {sizes.tolist()}, but each class needs an "
            f"image and the last one {zero_rows} zero rows; raise n_samples or lower imbalance."
        )
    y = rng.permutation(np.repeat(np.arange(n_classes), sizes))
    X = _draw_counts(y, n_classes, n_words, rng) / _N_DESCRIPTORS
    X[rng.permutation(np.flatnonzero(y == n_classes - 1))[:zero_rows]] = 0
    return X, y


def _share_out(n_samples: int, n_classes: int, imbalance: float) -> np.ndarray:
    """Return class sizes in geometric progression that add up to ``n_samples``."""
    shares = imbalance ** (-np.arange(n_classes) / (n_classes - 1))
    ends = np.floor(n_samples * np.cumsum(shares) / shares.sum() + 0.5).astype(np.int64)
    return np.diff(ends, prepend=0)


def _draw_counts(
    y: np.ndarray, n_classes: int, n_words: int, rng: np.random.Generator
) -> np.ndarray:
    """Draw the word counts of one image per label."""
    shared = 1 / (np.arange(1, n_words + 1) + n_words / 20)
    shared /= shared.sum()
    of_class = shared * rng.standard_gamma(_CLASS_SHAPE, size=(n_classes, n_words))
    of_class /= of_class.sum(axis=1, keepdims=True)
    typical = rng.beta(2, 2, size=(len(y), 1))
    expected = typical * of_class[y] + (1 - typical) * shared
    # Normalised gamma variates are a Dirichlet draw: the word frequencies of each image.
    frequencies = rng.standard_gamma(_CONCENTRATION * expected)
    frequencies /= frequencies.sum(axis=1, keepdims=True)
    return rng.multinomial(_N_DESCRIPTORS, frequencies)
