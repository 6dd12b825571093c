"""Checks of what a caller passes to a generator, made before anything is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import TypeVar

from noisebench.errors import InputError

Number = TypeVar("Number", int, float)


def check_count(name: str, value: int, least: int) -> None:
    """Refuse anything but a whole number of at least ``least``.

    >>> check_count("n_samples", 1, 2)
    Traceback (most recent call last):
        ...
    noisebench.errors.InputError: n_samples must be a whole number of at least 2, got 1.
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InputError(f"{name} must be a whole number of at least {least}, got {value!r}.")


def check_between(name: str, value: float, low: float, high: float) -> None:
    """Refuse anything but a number from ``low`` to ``high``, both allowed.

    >>> check_between("label_noise", 1.5, 0, 1)
    Traceback (most recent call last):
        ...
    noisebench.errors.InputError: label_noise must be a number from 0 to 1, got 1.5.
    """
    if not _is_number(value) or not low <= value <= high:
        raise InputError(f"{name} must be a number from {low} to {high}, got {value!r}.")


def check_positive(name: str, value: float) -> None:
    """Refuse anything but a finite number above 0."""
    if not _is_number(value) or not 0 < value < float("inf"):
        raise InputError(f"{name} must be a finite number above 0, got {value!r}.")


def check_range(name: str, ends: Sequence[Number]) -> tuple[Number, Number]:
    """Return the two ends of a range, after refusing any but two numbers above 0 in order.

    >>> check_range("class_size", [300, 20])
    Traceback (most recent call last):
        ...
    noisebench.errors.InputError: class_size must be two numbers above 0, the smaller first, got
    [300, 20].
    """
    ends = list(ends) if isinstance(ends, Sequence) else [ends]
    if len(ends) != 2 or not all(map(_is_number, ends)) or not 0 < ends[0] <= ends[1]:
        raise InputError(f"{name} must be two numbers above 0, the smaller first, got {ends!r}.")
    return ends[0], ends[1]


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
