"""Published partitions: read as they stand, or refused with the line."""

from __future__ import annotations

import hashlib

import pytest

from noisebench.datasets import load_dataset
from noisebench.datasets.partitions import LabelledIndexFile, SplitsFile
from noisebench.errors import DataError, InputError

SPLITS = "1,train,3,0\n1,test,1,2\n2,test,0\n2,train,2,1,3\n"


@pytest.fixture
def splits(data_dir):
    path = data_dir / "toy" / "splits.csv"
    path.write_text(SPLITS)
    return path


def lists(partitions):
    return [(part.train.tolist(), part.test.tolist()) for part in partitions]


def test_splits_keep_the_published_order(splits):
    partitions = SplitsFile("toy/splits.csv").load(4)
    assert lists(partitions) == [([3, 0], [1, 2]), ([2, 1, 3], [0])]


def test_labelled_rows_are_the_test_part(splits):
    splits.write_text("3,1\n0,2\n")
    partitions = LabelledIndexFile("toy/splits.csv").load(5)
    assert lists(partitions) == [([0, 2, 4], [3, 1]), ([1, 3, 4], [0, 2])]


def test_without_the_file_there_are_none(data_dir, monkeypatch):
    assert SplitsFile("toy/gone.csv").load(4) == ()
    monkeypatch.delenv("NOISEBENCH_DATA")
    assert SplitsFile("toy/splits.csv").load(4) == ()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1,train,0\n1,test,4\n", r"partition 1: row 4 is beyond the last of the 4 rows"),
        ("1,train,0,1\n1,test,1\n", r"partition 1: row 1 occurs more than once"),
        ("1,train,0,0\n1,test,1\n", r"partition 1: row 0 occurs more than once"),
        ("1,train,0\n", r"realisation 1 needs a train and a test part, has only train"),
        ("1,train,0\n1,train,1\n", r"line 2: realisation 1 has a second train part"),
        ("1,train,0\n1,valid,1\n", r"line 2: the second field must be train or test, got 'valid'"),
        ("1,train,0\n1,test,-1\n", r"line 2: row numbers from 0 are expected, got '-1'"),
        ("1,train,0\n1,test,1.5\n", r"line 2: row numbers from 0 are expected, got '1.5'"),
        ("1,train,0\n1,test\n", r"line 2: row numbers from 0 are expected, got nothing"),
        ("1,train,0\n1,test,é\n", r"is no text of row numbers"),
    ],
)
def test_files_that_make_no_sense(splits, content, message):
    splits.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=message) as caught:
        SplitsFile("toy/splits.csv").load(4)
    assert "splits.csv" in str(caught.value)


def test_checksum(splits):
    sha256 = hashlib.sha256(SPLITS.encode()).hexdigest()
    assert len(SplitsFile("toy/splits.csv", sha256).load(4)) == 2
    with pytest.raises(DataError, match="has the SHA-256"):
        SplitsFile("toy/splits.csv", "0" * 64).load(4)


def entry_with_partitions(toy_entry, **changes):
    partitions = {
        "_target_": "noisebench.datasets.partitions.SplitsFile",
        "file": "toy/splits.csv",
    }
    return toy_entry(partitions=partitions, **changes)


def test_data_sets_carry_their_partitions(splits, toy_entry):
    data = load_dataset("toy", entry_with_partitions(toy_entry))
    assert lists(data.partitions)[0] == ([3, 0], [1, 2])
    assert data.fingerprint != load_dataset("toy", toy_entry()).fingerprint


def test_partitions_count_the_rows_of_the_file_only(splits, toy_entry):
    source = {
        "_target_": "noisebench.datasets.sources.GeneratorSource",
        "function": "twonorm",
        "n_samples": 4,
    }
    entry = entry_with_partitions(toy_entry, sources=[source], expect={"rows": 4})
    assert load_dataset("toy", entry).partitions == ()


def test_partitions_and_dropped_rows_do_not_go_together(splits, toy_entry):
    step = {"_target_": "noisebench.datasets.preprocessing.Subsample", "n": 3}
    with pytest.raises(InputError, match="row numbers mean nothing after preprocessing"):
        load_dataset("toy", entry_with_partitions(toy_entry, preprocessing=[step]))
