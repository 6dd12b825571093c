"""Tables on disk: found again, checked, bounded, shared between processes."""

import errno
import json
import multiprocessing
import os

import numpy as np
import pytest

from noisebench.errors import InputError
from noisebench.neighbors import NeighborTable, TableStore, store

X = np.random.default_rng(0).integers(0, 5, (200, 3)).astype(float)


@pytest.fixture
def builds(monkeypatch):
    """Count how often a table is searched."""
    calls = []
    build = NeighborTable.from_space.__func__

    def spy(cls, space, *args, **options):
        calls.append(len(space))
        return build(cls, space, *args, **options)

    monkeypatch.setattr(NeighborTable, "from_space", classmethod(spy))
    return calls


def folders(directory):
    return sorted(path.parent for path in directory.glob("*/table.json"))


def same_table(table, expected=None):
    expected = NeighborTable.build(X, n_neighbors=20) if expected is None else expected
    return (
        np.array_equal(table.keys, expected.keys)
        and np.array_equal(table.indices, expected.indices)
        and table.engine == expected.engine
    )


def test_a_table_is_searched_once_and_mapped_afterwards(tmp_path, builds):
    first = TableStore(tmp_path / "new").get(X, n_neighbors=20)
    again = TableStore(tmp_path / "new").get(X.astype(np.float32), n_neighbors=20)
    assert builds == [200]
    assert same_table(first)
    assert same_table(again)
    assert isinstance(again.keys.base, np.memmap)
    assert not again.indices.flags.writeable
    assert sorted(path.name for path in folders(tmp_path / "new")[0].iterdir()) == [
        "indices.npy", "keys.npy", "table.json",
    ]  # fmt: skip


def test_a_mapped_table_serves_folds(tmp_path):
    tables = TableStore(tmp_path)
    tables.get(X, n_neighbors=20)
    train, test = np.arange(150), np.arange(150, 200)
    mapped = tables.get(X, n_neighbors=20).restrict(train, test, 10)
    fresh = NeighborTable.build(X, n_neighbors=20).restrict(train, test, 10)
    assert np.array_equal(mapped.test.indices, fresh.test.indices)
    assert np.array_equal(mapped.train.distances, fresh.train.distances)


def test_other_data_metric_window_or_depth_is_another_table(tmp_path):
    tables = TableStore(tmp_path)
    for options in (
        {}, {"metric": "manhattan"}, {"n_neighbors": 5}, {"metric": "dtw"},
        {"metric": "dtw", "window": 0.5},
    ):  # fmt: skip
        tables.get(X[:30], **{"n_neighbors": 4, **options})
    tables.get(X[1:31], n_neighbors=4)
    assert len(folders(tmp_path)) == 6
    # Depth beyond the number of others is that number.
    assert tables.get(X[:5], n_neighbors=4).n_neighbors == 4
    tables.get(X[:5], n_neighbors=900)
    assert len(folders(tmp_path)) == 7


def test_series_of_unequal_lengths_are_told_apart(tmp_path):
    tables = TableStore(tmp_path)
    left = tables.get([[1.0, 2.0], [3.0], [9.0]], "dtw", 2)
    right = tables.get([[1.0], [2.0, 3.0], [9.0]], "dtw", 2)
    assert len(folders(tmp_path)) == 2
    assert left.keys.tolist() != right.keys.tolist()


def cut(path):
    path.write_bytes(path.read_bytes()[:-8])


def flip(path):
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)


def grow(path):
    path.write_bytes(path.read_bytes() + b"\0")


def overwrite(path):
    path.write_text("{")


def forge(path):
    """Swap the arrays for whole ones of the wrong shape, with a matching checksum."""
    folder = path.parent
    np.save(folder / "keys.npy", np.zeros((3, 3)))
    facts = json.loads((folder / "table.json").read_text())
    facts["files"]["keys.npy"] = {
        "bytes": (folder / "keys.npy").stat().st_size,
        "sha256": store._checksum(folder / "keys.npy"),
    }
    (folder / "table.json").write_text(json.dumps(facts))


@pytest.mark.parametrize(
    ("name", "damage", "named"),
    [
        ("keys.npy", cut, r"keys.npy has \d+ bytes instead of"),
        ("indices.npy", flip, "indices.npy does not match its checksum"),
        ("indices.npy", grow, "indices.npy has"),
        ("table.json", overwrite, "table.json cannot be read"),
        ("table.json", lambda path: path.write_text("[]"), "table.json cannot be read"),
        ("keys.npy", forge, r"keys.npy holds float64 of shape \(3, 3\)"),
        ("keys.npy", os.remove, "a file is missing"),
    ],
)
def test_damage_is_named_and_repaired(tmp_path, builds, name, damage, named):
    tables = TableStore(tmp_path)
    tables.get(X, n_neighbors=20)
    damage(folders(tmp_path)[0] / name)
    with pytest.warns(RuntimeWarning, match=rf"damaged \({named}.*built again"):
        repaired = tables.get(X, n_neighbors=20)
    assert same_table(repaired)
    assert builds == [200, 200, 200]  # the third belongs to same_table
    tables.get(X, n_neighbors=20)
    assert len(builds) == 3


def test_a_full_disk_leaves_the_table_in_memory_and_no_trace(tmp_path, monkeypatch, builds):
    save = np.save

    def fill_up(path, array, **options):
        save(path, array[: len(array) // 2], **options)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(np, "save", fill_up)
    with pytest.warns(RuntimeWarning, match="No space left on device.*stays in memory"):
        table = TableStore(tmp_path).get(X, n_neighbors=20)
    assert builds == [200]
    assert same_table(table)
    assert [path.name for path in tmp_path.iterdir()] == ["locks"]


def test_a_directory_that_cannot_be_made_is_no_obstacle(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.warns(RuntimeWarning, match="stays in memory"):
        assert same_table(TableStore(tmp_path / "file" / "x").get(X, n_neighbors=20))


def test_a_table_above_the_bound_is_not_kept(tmp_path):
    with pytest.warns(RuntimeWarning, match="more than the bound max_gb=1e-05"):
        assert same_table(TableStore(tmp_path, max_gb=1e-5).get(X, n_neighbors=20))
    assert folders(tmp_path) == []


def test_the_least_recently_used_table_goes_first(tmp_path, builds):
    # A table of 100 points and depth 10 takes about 12.5 kB: two fit in, three do not.
    tables = TableStore(tmp_path, max_gb=30e-6)
    sets = [X[:100], X[50:150], X[100:]]
    for age, points in ((300, sets[0]), (200, sets[1])):
        tables.get(points, n_neighbors=10)
        newest = max(folders(tmp_path), key=lambda path: (path / "table.json").stat().st_mtime)
        past = (newest / "table.json").stat().st_mtime - age
        os.utime(newest / "table.json", (past, past))
    held = tables.get(sets[0], n_neighbors=10)  # now used more recently than the second
    tables.get(sets[2], n_neighbors=10)
    assert len(folders(tmp_path)) == 2
    tables.get(sets[0], n_neighbors=10)
    assert len(builds) == 3
    tables.get(sets[1], n_neighbors=10)
    assert len(builds) == 4
    # Removed or not, what is mapped stays readable.
    assert same_table(held, NeighborTable.build(sets[0], n_neighbors=10))


def test_what_a_killed_process_left_behind_is_cleared(tmp_path):
    old, young = tmp_path / ".unfinished-old", tmp_path / ".unfinished-young"
    for folder in (old, young):
        folder.mkdir(parents=True)
    os.utime(old, (0, 0))
    TableStore(tmp_path).get(X, n_neighbors=20)
    assert not old.exists()
    assert young.exists()


def build_in_process(directory, barrier, queue):
    calls = []
    build = NeighborTable.from_space.__func__
    NeighborTable.from_space = classmethod(
        lambda cls, *a, **kw: calls.append(1) or build(cls, *a, **kw)
    )
    tables = TableStore(directory)
    barrier.wait()
    table = tables.get(X, n_neighbors=20, n_threads=1)
    queue.put((len(calls), table.keys.sum().item(), table.indices.sum().item()))


def test_processes_that_start_together_build_once(tmp_path):
    context = multiprocessing.get_context("spawn")
    barrier, queue = context.Barrier(2), context.Queue()
    jobs = [
        context.Process(target=build_in_process, args=(tmp_path, barrier, queue)) for _ in range(2)
    ]
    for job in jobs:
        job.start()
    results = [queue.get(timeout=120) for _ in jobs]
    for job in jobs:
        job.join()
    assert sorted(calls for calls, *_ in results) == [0, 1]
    assert results[0][1:] == results[1][1:]
    assert len(folders(tmp_path)) == 1
    assert not list(tmp_path.glob(".unfinished-*"))


def test_a_bound_must_be_positive(tmp_path):
    with pytest.raises(InputError, match="max_gb must be above 0, got 0"):
        TableStore(tmp_path, max_gb=0)
