"""Noise rates: which are legal, and how many labels an exact rate stands for."""

from __future__ import annotations

import math
from numbers import Real

from noisebench.errors import InputError


def check_rate(name: str, rate: float, highest: float = 1) -> None:
    """Refuse anything but a number from 0 to ``highest``.

    >>> check_rate("rate", 30)
    Traceback (most recent call last):
        ...
    noisebench.errors.InputError: rate must be a number from 0 to 1, got 30.
    """
    is_number = isinstance(rate, Real) and not isinstance(rate, bool)
    if not is_number or not 0 <= rate <= highest:
        raise InputError(f"{name} must be a number from 0 to {highest}, got {rate!r}.")


def round_half_up(value: float) -> int:
    """Return the nearest whole number; halves go up.

    The small term holds halves that a product has rounded down, as 0.35 · 90 = 31.499….

    >>> round_half_up(2.5), round_half_up(0.35 * 90), 0.35 * 90 < 31.5
    (3, 32, True)
    """
    return math.floor(value + 0.5 + 1e-9)
