"""Every random choice of a task, each from a generator fixed by what the choice is.

Splits do not know of noise or learners, and noise does not know of learners: all learners of a
comparison see the same folds and the same labels, which paired tests need.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from noisebench.components import Component
from noisebench.datasets import Dataset
from noisebench.protocols import Protocol, Split
from noisebench.seeds import rng_for, seed_for


def splits_of(protocol: Protocol, data: Dataset, seed: int, repeat: int) -> list[Split]:
    """Return the splits of a repeat, the same wherever they are asked for."""
    rng = rng_for(seed, "split", dataset=data.name, protocol=protocol.identity(data), repeat=repeat)
    return protocol.splits(data, repeat, rng)


def draw_noise(
    noise: Component, data: Dataset, split: Split, seed: int, repeat: int, fold: int
) -> np.ndarray:
    """Return the noisy labels of the training part; the test part's stay clean.

    A model of scope "dataset" draws over all rows, once per repeat, and the training part gets
    its share of that draw.
    """
    model = noise.build()
    axes: dict[str, Any] = {"dataset": data.name, "noise": dict(noise.config), "repeat": repeat}
    if getattr(model, "scope", "train") == "dataset":
        rng = rng_for(seed, "noise", **axes)
        return model.corrupt(data.y, rng, n_classes=len(data.classes))[split.train]
    rng = rng_for(seed, "noise", **axes, fold=fold)
    return model.corrupt(data.y[split.train], rng, n_classes=len(data.classes))


def seed_learner(
    learner: Any, part: Component, data: Dataset, seed: int, repeat: int, fold: int
) -> None:
    """Give a learner that draws, and was not told how, a ``random_state`` of its own."""
    open_states = {
        key: seed_for(
            seed,
            "learner",
            dataset=data.name,
            learner=dict(part.config),
            repeat=repeat,
            fold=fold,
            parameter=key,
        )
        % 2**32
        for key, value in learner.get_params(deep=True).items()
        if key.rpartition("__")[2] == "random_state" and value is None
    }
    learner.set_params(**open_states)
