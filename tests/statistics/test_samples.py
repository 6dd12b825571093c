"""The shared checks of the input."""

from __future__ import annotations

import math

import numpy as np
import pytest

from noisebench.errors import InputError
from noisebench.statistics import corrected_t, paired_t
from noisebench.statistics.samples import check_sample, merge_equal


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([1.0], [2.0], "a must hold at least 2 values, got 1"),
        ([], [], "a must hold at least 2 values, got 0"),
        ([1, 2, 3], [1, 2], "equal lengths, got 3 and 2"),
        ([1, math.nan], [1, 2], "a must be finite, got nan at position 1"),
        ([1, 2], [math.inf, 2], "b must be finite, got inf at position 0"),
        ([[1, 2]], [1, 2], r"a must be one-dimensional, got shape \(1, 2\)"),
        (["high", "low"], [1, 2], "a must be an array of numbers"),
        ([1, 2], [[1], [2, 3]], "b must be an array of numbers"),
    ],
)
def test_pairs_that_cannot_be_compared(a, b, message):
    with pytest.raises(InputError, match=message):
        paired_t(a, b)
    with pytest.raises(InputError, match=message):
        corrected_t(a, b, 0.25)


def test_whole_numbers_become_floats():
    assert check_sample("a", (1, 2)).dtype == np.float64


def test_merging_links_neighbours_in_any_order():
    values = np.array([3.0, 1.0, 1.05, 2.0, 1.1])
    assert merge_equal(values, 0.06).tolist() == [3, 1, 1, 2, 1]
    assert merge_equal(values, 0).tolist() == values.tolist()
    assert merge_equal(np.array([1.5, 1.0]), 0.5).tolist() == [1, 1]
