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
        part, places = keys[low:high], indices[low:high]
        # Every entry is swapped to the border, which moves on only if it comes before the pivot:
        # no branch, as none could be foretold. Unsigned, it needs no look for negative places.
        border = np.uint64(0)
        for i in range(high - low):
            this, place = part[i], places[i]
            part[i], places[i] = part[border], places[border]
            part[border], places[border] = this, place
            border += np.uint64((this < key) | ((this == key) & (place < index)))
        middle = low + int(border)
        keys[high], indices[high] = keys[middle], indices[middle]
        keys[middle], indices[middle] = key, index
        if middle in (wanted, wanted - 1):
            return
        if middle < wanted:
            low = middle + 1
        else:
            high = middle - 1


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
    target, places = keys[count:], indices[count:]
    kept = np.uint64(0)
    for p in range(found.shape[0]):
        target[kept] = found[p]
        places[kept] = start + p
        kept += np.uint64(found[p] < limit)
    return count + int(kept)
