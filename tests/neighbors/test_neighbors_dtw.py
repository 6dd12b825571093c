"""Dynamic time warping against the textbook recurrence."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisebench.errors import InputError
from noisebench.neighbors import NeighborTable, dtw_cross, dtw_distance, dtw_pairs, spaces
from tests.neighbors.neighbor_oracles import warp


def test_a_shift_costs_nothing_without_a_window():
    a, b = [0, 0, 1, 2, 1, 0], [0, 1, 2, 1, 0, 0]
    assert dtw_distance(a, b) == 0
    assert dtw_distance(a, b, window=0) == 4
    assert dtw_distance(a, b, window=1 / 6) == 0


def test_squares_are_summed_and_no_root_is_taken():
    assert dtw_distance([0.0], [3.0]) == 9
    assert dtw_distance([0.0, 0.0], [3.0]) == 18


@pytest.mark.parametrize("case", [(100, 0.29, 29), (30, 0.05, 1), (19, 0.05, 0), (40, 0.25, 10)])
def test_the_window_is_a_share_rounded_down(case):
    length, window, radius = case
    here, there, beyond = np.zeros((3, length))
    here[2], there[2 + radius], beyond[3 + radius] = 1, 1, 1
    assert dtw_distance(here, there, window) == 0
    assert dtw_distance(here, beyond, window) > 0


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("radius", range(12))
def test_paths_along_the_band(radius):
    rng = np.random.default_rng(radius)
    leaps = 10.0 * (np.arange(21) >= rng.integers(0, 21, (6, 1))) + rng.normal(size=(6, 21))
    expected = np.array([[warp(a, b, radius / 21) for b in leaps] for a in leaps])
    assert np.array_equal(dtw_pairs(leaps, radius / 21), expected)


series = st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=9)


@settings(max_examples=150, deadline=None)
@given(st.lists(series, min_size=1, max_size=5), st.sampled_from([None, 0.0, 0.2, 0.5, 1.0]))
def test_no_series_contradict_the_recurrence(many, window):
    expected = [[warp(a, b, window) for b in many] for a in many]
    assert dtw_pairs(many, window).tolist() == expected
    assert dtw_cross(many, many, window).tolist() == expected


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("window", [None, 0.0, 0.1, 0.4])
def test_unequal_lengths(window):
    rng = np.random.default_rng(1)
    many = [rng.normal(size=length) for length in (1, 7, 7, 12, 13, 30, 31)]
    expected = np.array([[warp(a, b, window) for b in many] for a in many])
    assert np.array_equal(dtw_pairs(many, window), expected)
    assert np.array_equal(dtw_cross(many[:3], many, window), expected[:3])


@pytest.mark.usefixtures("backend")
def test_channels_are_warped_together():
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 3, 9))
    table = {(-1, -1): 0.0}
    for i in range(9):
        for j in range(9):
            cost = sum((a[c, i] - b[c, j]) ** 2 for c in range(3))
            before = ((i - 1, j), (i, j - 1), (i - 1, j - 1))
            table[i, j] = cost + min(table.get(cell, np.inf) for cell in before)
    assert dtw_distance(a, b) == table[8, 8]
    assert dtw_pairs(np.stack([a, b]))[0, 1] == table[8, 8]


@pytest.mark.usefixtures("backend")
def test_bounds_hide_only_what_lies_beyond_them():
    rng = np.random.default_rng(3)
    A, B = rng.normal(size=(8, 40)).cumsum(axis=1), rng.normal(size=(50, 40)).cumsum(axis=1)
    exact = dtw_cross(A, B, 0.2)
    bounds = np.median(exact, axis=1)
    bounded = dtw_cross(A, B, 0.2, bounds=bounds)
    near = exact <= bounds[:, None]
    assert np.array_equal(bounded[near], exact[near])
    assert (bounded[~near] > np.broadcast_to(bounds[:, None], exact.shape)[~near]).all()


@pytest.mark.usefixtures("backend")
def test_a_distance_equal_to_its_bound_is_told():
    flat, late = np.zeros((1, 40)), np.zeros((1, 40))
    late[0, 0] = 1.0
    assert dtw_cross(flat, late, 0.0, bounds=[1.0]).tolist() == [[1.0]]


@pytest.mark.usefixtures("backend")
def test_far_series_are_given_up_early():
    # Offsets keep the lanes of one group together: all of them are hopeless.
    A = np.zeros((1, 40))
    assert np.isinf(dtw_cross(A, A[:1] + 5.0, bounds=[1.0])).all()


@pytest.mark.parametrize("n_series", [30, 80])
def test_blocks_give_the_same_lists_as_the_matrix_of_all_pairs(monkeypatch, n_series):
    rng = np.random.default_rng(4)
    X = rng.integers(0, 3, (n_series, 8)).astype(float)
    whole = NeighborTable.build(X, "dtw", 4, window=0.3)
    monkeypatch.setattr(spaces, "_BLOCK", 300)
    parts = NeighborTable.build(X, "dtw", 4, window=0.3)
    assert np.array_equal(whole.keys, parts.keys)
    assert np.array_equal(whole.indices, parts.indices)


def test_a_series_does_not_bound_its_own_search(monkeypatch):
    # The first columns hold the series itself, at distance 0, and none that is near.
    X = np.repeat([[0.0], [100], [100], [100], [100], [1], [1], [1]], 8, axis=1)
    monkeypatch.setattr(spaces, "_BLOCK", 8)
    table = NeighborTable.build(X, "dtw", 1)
    assert table.indices[0].tolist() == [5]
    assert table.keys[0].tolist() == [8.0]


@pytest.mark.parametrize(
    ("many", "window", "message"),
    [
        ([[1.0, 2.0], []], None, "not empty, got shape .* in place 1"),
        ([[1.0], [np.nan]], None, "NaN or infinity in place 1"),
        ([[1.0], [[1.0], [2.0]]], None, r"same number of channels, got \[1, 2\]"),
        ([], None, "at least one series"),
        ([[1.0], [2.0]], -0.1, "between 0 and 1"),
    ],
)
def test_bad_series_are_named(many, window, message):
    with pytest.raises(InputError, match=message):
        dtw_pairs(many, window)
