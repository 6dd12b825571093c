"""Files of the user's folder: found, checked, joined; and every way in which that can fail."""

from __future__ import annotations

import gzip
import hashlib

import numpy as np
import pytest

from noisebench.datasets.sources import FileSource, SourceUnavailable
from noisebench.errors import DataError, InputError
from tests.datasets.conftest import TOY_CSV


def test_reads_a_file_below_the_data_folder(data_dir):
    table = FileSource(["toy/toy.csv"], "csv").load()
    assert table.features.to_numpy().tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert table.target.tolist() == ["-1", "1", "1", "-1"]


def test_joins_parts_in_order_and_reads_gzip(data_dir):
    (data_dir / "toy" / "more.csv.gz").write_bytes(gzip.compress(b"9,9,1\n"))
    table = FileSource(["toy/toy.csv", "toy/more.csv.gz"], "csv").load()
    assert table.features["x0"].tolist() == [1, 3, 5, 7, 9]


def test_absolute_paths_need_no_data_folder(data_dir, monkeypatch):
    path = str(data_dir / "toy" / "toy.csv")
    monkeypatch.delenv("NOISEBENCH_DATA")
    assert len(FileSource([path], "csv").load().target) == 4


def test_parts_may_differ_in_options(data_dir):
    arrays = {
        "X_a": np.eye(2),
        "y_a": np.array([0, 1]),
        "X_b": np.zeros((1, 2)),
        "y_b": np.array([1]),
    }
    np.savez(data_dir / "toy" / "toy.npz", **arrays)
    parts = [{"features": "X_a", "target": "y_a"}, {"features": "X_b", "target": "y_b"}]
    table = FileSource(["toy/toy.npz", "toy/toy.npz"], "npz", parts=parts).load()
    assert table.target.tolist() == ["0", "1", "1"]


def test_labels_in_files_of_their_own(data_dir):
    images = b"\0\0\x08\x03" + bytes([0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2]) + bytes([1, 2, 3, 4])
    labels = b"\0\0\x08\x01" + bytes([0, 0, 0, 2]) + bytes([7, 9])
    (data_dir / "images").write_bytes(images)
    (data_dir / "labels").write_bytes(labels)
    sha256 = [hashlib.sha256(part).hexdigest() for part in (images, labels)]
    table = FileSource(["images"], "idx", sha256=sha256, label_files=["labels"]).load()
    assert table.features.to_numpy().tolist() == [[1, 2], [3, 4]]
    assert table.target.tolist() == ["7", "9"]


def test_missing_file_and_missing_folder_say_what_to_do(data_dir, monkeypatch):
    gone = FileSource(["toy/gone.csv"], "csv")
    with pytest.raises(SourceUnavailable, match=r"no file .*toy/gone\.csv; put it there"):
        gone.load()
    assert gone.obstacle() is not None
    monkeypatch.delenv("NOISEBENCH_DATA")
    with pytest.raises(
        SourceUnavailable, match=r"put toy/gone\.csv into one and set NOISEBENCH_DATA"
    ):
        gone.load()


def test_checksum(data_dir):
    sha256 = hashlib.sha256(TOY_CSV).hexdigest()
    assert len(FileSource(["toy/toy.csv"], "csv", sha256=[sha256]).load().target) == 4
    with pytest.raises(
        DataError, match=f"toy.csv has the SHA-256 {sha256}, but the catalogue pins 0000"
    ):
        FileSource(["toy/toy.csv"], "csv", sha256=["0" * 64]).load()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(TOY_CSV, mtime=0)[:-9], "gzip file is cut short"),
        (b"1,2,a\n1,b\n", "line 2: has 2 fields where line 1 has 3"),
        (b"", "is empty"),
    ],
)
def test_damaged_files_name_themselves(data_dir, content, message):
    (data_dir / "toy" / "toy.csv").write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        FileSource(["toy/toy.csv"], "csv").load()
    assert "toy/toy.csv" in str(caught.value)
    assert not isinstance(caught.value, SourceUnavailable)


def test_label_column_that_is_not_there(data_dir):
    with pytest.raises(DataError, match=r"toy/toy\.csv: has no column 7"):
        FileSource(["toy/toy.csv"], "csv", label=7).load()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"files": [], "format": "csv"}, "list of one or more files"),
        ({"files": "toy.csv", "format": "csv"}, "list of one or more files"),
        ({"files": ["a"], "format": "cvs"}, "no format 'cvs'. Did you mean csv"),
        ({"files": ["a", "b"], "format": "csv", "sha256": ["0"]}, r"each of the 2 files \(a, b\)"),
        ({"files": ["a", "b"], "format": "npz", "parts": [{}]}, "parts needs one entry for each"),
    ],
)
def test_settings_that_make_no_sense(settings, message):
    with pytest.raises(InputError, match=message):
        FileSource(**settings)
