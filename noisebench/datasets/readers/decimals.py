"""Decimal numbers, read strictly.

``float`` takes more for a number than a data file means by one: ``inf``, ``nan``, ``1_000``,
digits of other scripts, and ``1e999`` as infinity. Here a number is a finite decimal in ASCII.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

ALPHABET = "0123456789+-.eE"
Token = str | None


class NotANumberError(ValueError):
    """The token at ``index`` is no finite decimal number."""

    def __init__(self, index: int) -> None:
        super().__init__(f"token {index} is no number")
        self.index = index


def is_number(token: str) -> bool:
    """Tell whether a token is a finite decimal number.

    >>> [is_number(token) for token in ["-1.5e3", ".5", "1e999", "inf", "1_000", "0x1", "١", ""]]
    [True, True, False, False, False, False, False, False]
    """
    if token.strip(ALPHABET):
        return False
    try:
        return math.isfinite(float(token))
    except ValueError:
        return False


def parse_numbers(tokens: Sequence[Token]) -> np.ndarray:
    """Turn tokens into float64, None into NaN.

    Raises
    ------
    NotANumberError
        With the index of the first token that is no number.

    Examples
    --------
    >>> parse_numbers(["1", None, "-2.5"])
    array([ 1. ,  nan, -2.5])
    """
    present = [token for token in tokens if token is not None]
    # One pass over the joined text shows that only the letters of a number occur, and within
    # those letters float is strict; that is several times faster than a pattern per token.
    values = None
    if not "".join(present).strip(ALPHABET):
        try:
            values = np.fromiter(map(float, present), np.float64, len(present))
        except ValueError:
            values = None
    if values is None or not np.isfinite(values).all():
        raise NotANumberError(
            next(i for i, token in enumerate(tokens) if token is not None and not is_number(token))
        )
    if len(present) == len(tokens):
        return values
    result = np.full(len(tokens), np.nan)
    result[[token is not None for token in tokens]] = values
    return result


def name_classes(values: Iterable[float]) -> list[str]:
    """Write numbers as class labels: a whole number without a fraction, so +1, 1 and 1.0 agree.

    >>> name_classes([1.0, -1.0, 0.5, -0.0])
    ['1', '-1', '0.5', '0']
    """
    return [_name_class(float(value)) for value in values]


def _name_class(value: float) -> str:
    # Beyond 2**53 neighbouring whole numbers share a float, and digits would be invented.
    return str(int(value)) if value.is_integer() and abs(value) <= 2**53 else repr(value)
