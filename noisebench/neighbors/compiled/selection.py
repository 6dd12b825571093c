"""The smallest of many keys, compiled: parts of the kernels that search."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(inline="always")
def comes_before(key: float, index: int, other_key: float, other_index: int) -> bool:
    return key < other_key or (key == other_key and index < other_index)


@njit(nogil=True)
def select(keys: np.ndarray, indices: np.ndarray, count: int, wanted: int) -> None:
    """Move the ``wanted`` first of ``count`` entries by (key, index) to the front, in any order."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        key, index = keys[middle], indices[middle]
        keys[middle], indices[middle] = keys[high], indices[high]
        border = low
        # Every entry is swapped to the border, which moves on only if it comes before the pivot:
        # no branch, as none could be foretold.
        for i in range(low, high):
            this, place = keys[i], indices[i]
            keys[i], indices[i] = keys[border], indices[border]
            keys[border], indices[border] = this, place
            border += int((this < key) | ((this == key) & (place < index)))
        keys[high], indices[high] = keys[border], indices[border]
        keys[border], indices[border] = key, index
        if border in (wanted, wanted - 1):
            return
        if border < wanted:
            low = border + 1
        else:
            high = border - 1


@njit(nogil=True)
def sort(keys: np.ndarray, indices: np.ndarray, count: int) -> None:
    """Sort the first entries by (key, index), in place: Shell's method with Ciura's gaps."""
    for gap in (1750, 701, 301, 132, 57, 23, 10, 4, 1):
        for start in range(gap, count):
            key, index = keys[start], indices[start]
            place = start
            while place >= gap and comes_before(
                key, index, keys[place - gap], indices[place - gap]
            ):
                keys[place] = keys[place - gap]
                indices[place] = indices[place - gap]
                place -= gap
            keys[place] = key
            indices[place] = index


@njit(inline="always")
def keep_below(
    found: np.ndarray,
    start: int,
    limit: float,
    keys: np.ndarray,
    indices: np.ndarray,
    count: int,
) -> int:
    """Append the found keys below ``limit``; without a branch, as most are not and some are."""
    for p in range(found.shape[0]):
        keys[count] = found[p]
        indices[count] = start + p
        count += 1 if found[p] < limit else 0
    return count
