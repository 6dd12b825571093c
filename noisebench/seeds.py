"""Random generators fixed by what they are for, never by when they are asked for."""

from __future__ import annotations

import hashlib
import json

import numpy as np


def seed_for(seed: int, role: str, **axes: object) -> int:
    """Return a 128-bit seed for one role and one place.

    The axes name what the draw belongs to (data set, repeat, fold …). What is not an axis cannot
    change the draw: the noise of a fold is the same for every learner because the learner is not
    an axis of it.

    >>> seed_for(7, "noise", fold=1, repeat=3) == seed_for(7, "noise", repeat=3, fold=1)
    True
    >>> seed_for(7, "noise", fold=1) == seed_for(7, "split", fold=1)
    False
    """
    label = json.dumps([seed, role, axes], sort_keys=True, ensure_ascii=False)
    return int.from_bytes(hashlib.sha256(label.encode()).digest()[:16], "little")


def rng_for(seed: int, role: str, **axes: object) -> np.random.Generator:
    """Return a generator for one role and one place.

    >>> float(rng_for(7, "noise", dataset="heart", repeat=3, fold=1).random())
    0.7437582023051414
    """
    return np.random.default_rng(seed_for(seed, role, **axes))
