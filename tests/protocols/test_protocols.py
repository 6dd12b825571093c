from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisebench.datasets import Dataset, Partition
from noisebench.errors import InputError
from noisebench.protocols import Holdout, RepeatedKFold


def make(y: list[int], partitions: tuple[Partition, ...] = ()) -> Dataset:
    labels = np.array(y)
    names = tuple(f"c{code}" for code in range(labels.max() + 1))
    return Dataset("toy", np.zeros((len(y), 1)), labels, names, partitions=partitions)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


labels = st.lists(st.integers(0, 2), min_size=6, max_size=60).filter(lambda y: 1 in y or 0 in y)


@given(y=labels, n_folds=st.integers(2, 6), stratified=st.booleans(), seed=st.integers(0, 99))
def test_folds_test_every_row_once_and_differ_in_size_by_one(y, n_folds, stratified, seed):
    splits = RepeatedKFold(n_folds, stratified=stratified).splits(make(y), 0, rng(seed))
    assert sorted(np.concatenate([split.test for split in splits])) == list(range(len(y)))
    sizes = [len(split.test) for split in splits]
    assert max(sizes) - min(sizes) <= 1
    for split in splits:
        assert sorted([*split.train, *split.test]) == list(range(len(y)))
        assert (np.diff(split.train) > 0).all()


@given(y=labels, n_folds=st.integers(2, 6), seed=st.integers(0, 99))
def test_stratified_folds_share_every_class_evenly(y, n_folds, seed):
    data = make(y)
    splits = RepeatedKFold(n_folds, stratified=True).splits(data, 0, rng(seed))
    for code in range(3):
        counts = [int((data.y[split.test] == code).sum()) for split in splits]
        assert max(counts) - min(counts) <= 1


def test_folds_follow_the_generator_alone():
    data, protocol = make([0, 1] * 20), RepeatedKFold(4)
    first, again, other = (protocol.splits(data, 0, rng(seed)) for seed in (1, 1, 2))
    assert all((a.test == b.test).all() for a, b in zip(first, again, strict=True))
    assert any((a.test != b.test).any() for a, b in zip(first, other, strict=True))


def test_more_repeats_leave_the_identity_as_it_is():
    data = make([0, 1] * 5)
    assert RepeatedKFold(4, repeats=2).identity(data) == RepeatedKFold(4, repeats=9).identity(data)
    assert RepeatedKFold(4).identity(data) != RepeatedKFold(5).identity(data)
    stratified = RepeatedKFold(4, stratified=True)
    assert RepeatedKFold(4).identity(data) != stratified.identity(data)


def test_too_few_members_of_a_class_are_named():
    data = make([0, 0, 0, 0, 1, 1])
    with pytest.raises(InputError, match=r"class 'c1' has 2 members, fewer than the 4 stratified"):
        RepeatedKFold(4, stratified=True).check(data)
    RepeatedKFold(4).check(data)


def test_more_folds_than_rows_are_refused():
    with pytest.raises(InputError, match="too few for 7 folds"):
        RepeatedKFold(7).check(make([0, 1, 0, 1]))


@pytest.mark.parametrize(("size", "n_train"), [(0.8, 8), (0.25, 2), (3, 3), (1, 1), (9, 9)])
@pytest.mark.parametrize("stratified", [False, True])
def test_holdout_takes_as_many_as_told(size, n_train, stratified):
    data = make([0, 1] * 5)
    protocol = Holdout(train_size=size, stratified=stratified)
    protocol.check(data)
    [split] = protocol.splits(data, 0, rng())
    assert len(split.train) == n_train
    assert sorted([*split.train, *split.test]) == list(range(10))


@given(seed=st.integers(0, 200), size=st.sampled_from([0.5, 0.8, 0.3]))
def test_stratified_holdout_keeps_shares_within_one(seed, size):
    data = make([0] * 30 + [1] * 17 + [2] * 7)
    [split] = Holdout(train_size=size, stratified=True).splits(data, 0, rng(seed))
    counts = np.bincount(data.y[split.train], minlength=3)
    assert np.abs(counts - size * np.array([30, 17, 7])).max() < 1.5


def test_every_row_gets_its_turn_in_a_stratified_holdout():
    data = make([0] * 7 + [1] * 3)
    protocol = Holdout(train_size=0.5, stratified=True)
    trained = np.zeros(10)
    for seed in range(400):
        trained[protocol.splits(data, 0, rng(seed))[0].train] += 1
    assert np.abs(trained / 400 - 0.5).max() < 0.1


def test_published_partitions_come_as_they_are():
    parts = (
        Partition(np.array([3, 0]), np.array([1, 2])),
        Partition(np.array([2, 1]), np.array([0, 3])),
    )
    data = make([0, 1, 0, 1], parts)
    protocol = Holdout(repeats=100)
    assert protocol.n_repeats(data) == 2
    assert protocol.splits(data, 1, rng())[0].train.tolist() == [2, 1]
    assert protocol.describe(data) == "2 published partitions"
    random = Holdout(repeats=100, partitions="random", train_size=2)
    assert random.n_repeats(data) == 100
    assert random.describe(data) == "100 random splits into 2 / 2"
    assert random.identity(data) != protocol.identity(data)


@pytest.mark.parametrize(
    ("make_protocol", "message"),
    [
        (lambda: RepeatedKFold(1), "n_folds must be a whole number of at least 2, got 1"),
        (lambda: RepeatedKFold(repeats=0), "repeats must be a whole number of at least 1, got 0"),
        (lambda: RepeatedKFold(2.5), "n_folds must be a whole number"),
        (lambda: Holdout(train_size=1.0), "a share between 0 and 1 or a whole number"),
        (lambda: Holdout(train_size=0), "train_size must be a whole number of at least 1"),
        (lambda: Holdout(partitions="mine"), "partitions must be 'published' or 'random'"),
        (lambda: Holdout(train_size=4).check(make([0, 1, 0, 1])), "leaves 0 of the 4 rows"),
    ],
)
def test_impossible_protocols_are_refused(make_protocol, message):
    with pytest.raises(InputError, match=message):
        make_protocol()
