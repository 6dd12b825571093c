"""Checks that every noise model must pass, a user's own included."""

from __future__ import annotations

from typing import Any

import numpy as np

from noisebench.noise.model import NoiseModel

_N_LABELS = 60


def check_noise_model(model: NoiseModel, n_classes: int = 2, **context: Any) -> None:
    """Raise AssertionError with a reason if the model breaks the contract of ``NoiseModel``.

    Parameters
    ----------
    model : NoiseModel
        The model with its parameters set.
    n_classes : int
        Number of classes of the labels to corrupt.
    **context
        Further arguments that its ``corrupt`` needs, made for 60 labels.

    Examples
    --------
    >>> from noisebench.noise import UniformNoise
    >>> check_noise_model(UniformNoise(0.3), n_classes=3)
    """
    assert model.scope in ("train", "dataset"), (
        f"{model!r} has the scope {model.scope!r}; only 'train' and 'dataset' exist"
    )
    for seed in range(5):
        noisy, again = (_corrupt(model, seed, n_classes, context) for _ in range(2))
        assert np.array_equal(noisy, again), (
            f"{model!r} gave two answers for one seed; draw from the given generator only"
        )


def _corrupt(model: NoiseModel, seed: int, n_classes: int, context: dict[str, Any]) -> np.ndarray:
    """Return noisy labels after checking them and what became of the clean ones."""
    clean = np.arange(_N_LABELS) % n_classes
    y = clean.copy()
    noisy = model.corrupt(y, np.random.default_rng(seed), n_classes=n_classes, **context)
    assert np.array_equal(y, clean), f"{model!r} changed its argument; corrupt a copy"
    assert not np.shares_memory(y, noisy), f"{model!r} returned its argument, not a new array"
    assert noisy.shape == y.shape, f"{model!r} made {noisy.shape} labels out of {y.shape}"
    assert np.issubdtype(noisy.dtype, np.integer), (
        f"{model!r} returned {noisy.dtype} in place of whole class codes"
    )
    assert np.isin(noisy, np.arange(n_classes)).all(), (
        f"{model!r} left the classes 0 … {n_classes - 1}: {np.unique(noisy).tolist()}"
    )
    return noisy
