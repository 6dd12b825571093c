"""Tables kept as Parquet: the same table, never another one's, read again when damaged."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noisebench.datasets import parsed
from noisebench.datasets.parsed import pack_table, read_once, unpack_table
from noisebench.datasets.table import Table

NUMBERS = st.floats(allow_infinity=False)
WORDS = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)


def assert_same(table: Table, other: Table) -> None:
    pd.testing.assert_frame_equal(table.features, other.features, check_exact=True)
    pd.testing.assert_series_equal(table.target, other.target, check_exact=True)


@given(st.integers(1, 5), st.data())
def test_packing_keeps_every_value(n_rows, data):
    def column(values):
        return data.draw(st.lists(values, min_size=n_rows, max_size=n_rows))

    features = pd.DataFrame(
        {
            "target": np.array(column(NUMBERS), dtype=np.float64),
            "y:label": pd.Series(column(WORDS), dtype=object),
        }
    )
    labels = pd.Series(column(st.sampled_from(["a", "1", ""])), dtype=object, name="label")
    for target in (labels, pd.Series(column(NUMBERS), dtype=np.float64, name="price")):
        assert_same(unpack_table(pack_table(Table(features, target))), Table(features, target))


class Reader:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> Table:
        self.calls += 1
        return Table(
            pd.DataFrame({"x0": [1.5, 2.5]}), pd.Series(["a", "b"], name="label", dtype=object)
        )


@pytest.fixture
def eager(cache_dir, monkeypatch):
    """Take every file for a large one that is slow to read."""
    monkeypatch.setattr(parsed, "_LARGE_BYTES", 0)
    monkeypatch.setattr(parsed, "_SLOW_SECONDS", -1.0)
    return cache_dir


def test_slow_tables_are_read_once(eager):
    reader = Reader()
    for _ in range(3):
        assert_same(read_once(reader, [b"content"], {"format": "csv"}), Reader()())
    assert reader.calls == 1


@pytest.mark.parametrize(
    ("contents", "how"),
    [([b"other"], {"format": "csv"}), ([b"content"], {"format": "csv", "label": 0})],
)
def test_other_files_and_options_are_other_tables(eager, contents, how):
    read_once(Reader(), [b"content"], {"format": "csv"})
    reader = Reader()
    read_once(reader, contents, how)
    assert reader.calls == 1


def test_other_code_reads_again(eager, monkeypatch):
    read_once(Reader(), [b"content"], {})
    monkeypatch.setattr(parsed, "source_digest", lambda module: "edited")
    reader = Reader()
    read_once(reader, [b"content"], {})
    assert reader.calls == 1


def test_damaged_tables_are_read_again(eager):
    read_once(Reader(), [b"content"], {})
    [path] = (path for path in (eager / "files").rglob("*") if len(path.name) == 64)
    path.write_bytes(path.read_bytes()[:-1])
    reader = Reader()
    for _ in range(2):
        read_once(reader, [b"content"], {})
    assert reader.calls == 1


def test_fast_and_small_ones_are_not_kept(eager, monkeypatch):
    monkeypatch.setattr(parsed, "_SLOW_SECONDS", 60.0)
    read_once(Reader(), [b"content"], {})
    assert not eager.exists()
    monkeypatch.setattr(parsed, "_LARGE_BYTES", 8)
    monkeypatch.setattr(parsed, "_SLOW_SECONDS", -1.0)
    read_once(Reader(), [b"content"], {})
    assert not eager.exists()
