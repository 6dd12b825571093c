"""The cache: where it lies, what it keeps, and what it does about damage."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from noisebench.datasets.cache import Cache, sha256_of
from noisebench.datasets.folders import cache_folder
from noisebench.errors import DataError, InputError

DATA = b"5.1,setosa\n"
SHA256 = sha256_of(DATA)


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def refuse() -> bytes:
    raise AssertionError("nothing should be downloaded")


def test_folder_is_named_by_the_environment(monkeypatch):
    monkeypatch.setenv("NOISEBENCH_CACHE", "/somewhere/else")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache_folder() == Path("/somewhere/else")
    monkeypatch.delenv("NOISEBENCH_CACHE")
    assert cache_folder() == Path("/xdg/noisebench")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/paths/are/ignored")
    assert cache_folder() == Path.home() / ".cache" / "noisebench"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "noisebench"


def test_second_use_downloads_nothing(cache):
    assert cache.obtain(SHA256, "iris.csv", lambda: DATA) == DATA
    assert cache.obtain(SHA256, "iris.csv", refuse) == DATA
    assert Cache(cache.folder).read(SHA256) == DATA


def test_wrong_checksum_is_refused_and_not_kept(cache):
    with pytest.raises(DataError, match=f"wheel toy has the SHA-256 .* pins {SHA256}"):
        cache.obtain(SHA256, "wheel toy", lambda: DATA + b"!")
    assert not cache.holds(SHA256)
    assert cache.verify_all() == []


def test_damaged_file_is_named_removed_and_fetched_again(cache, caplog):
    cache.obtain(SHA256, "iris.csv", lambda: DATA)
    path = cache.folder / "files" / SHA256[:2] / SHA256
    path.write_bytes(DATA[:-3])
    [finding] = cache.verify_all()
    assert (finding.path, finding.name) == (path, "iris.csv")
    assert "content has changed" in finding.problem
    assert cache.obtain(SHA256, "iris.csv", lambda: DATA) == DATA
    assert str(path) in caplog.text
    assert "iris.csv" in caplog.text
    assert path.read_bytes() == DATA
    assert [f.problem for f in cache.verify_all()] == [""]


def test_named_downloads_keep_their_facts(cache):
    first = cache.obtain_named("openml 61", lambda: (DATA, {"target": "class"}))
    assert first == (DATA, {"target": "class", "sha256": SHA256})
    assert cache.obtain_named("openml 61", refuse) == first


@pytest.mark.parametrize("damage", ["content", "facts"])
def test_damaged_named_download_is_fetched_again(cache, damage):
    cache.obtain_named("openml 61", lambda: (DATA, {"target": "class"}))
    content = cache.folder / "files" / SHA256[:2] / SHA256
    [facts_path] = (cache.folder / "names").iterdir()
    path = content if damage == "content" else facts_path
    path.write_bytes(b"{ not what was stored")
    assert sum(bool(f.problem) for f in cache.verify_all()) == 1
    other = b"fetched again"
    data, facts = cache.obtain_named("openml 61", lambda: (other, {"target": "kind"}))
    assert (data, facts["target"]) == (other, "kind")
    assert cache.obtain_named("openml 61", refuse)[0] == other


def test_verify_finds_files_that_are_gone(cache):
    cache.obtain_named("openml 61", lambda: (DATA, {}))
    (cache.folder / "files" / SHA256[:2] / SHA256).unlink()
    problems = [finding.problem for finding in cache.verify_all()]
    assert "the file is gone, only the facts about it are left" in problems
    assert "leads to a file that is gone" in problems


def test_failed_download_leaves_nothing(cache):
    def fail() -> bytes:
        raise DataError("no network")

    with pytest.raises(DataError, match="no network"):
        cache.obtain(SHA256, "iris.csv", fail)
    left = [path for path in cache.folder.rglob("*") if path.is_file()]
    assert [path.suffix for path in left] == [".lock"]


def test_many_threads_download_once(cache):
    downloads = []

    def download() -> bytes:
        downloads.append(threading.get_ident())
        time.sleep(0.05)
        return DATA

    results: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: results.append(cache.obtain(SHA256, "iris", download)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [DATA] * 8
    assert len(downloads) == 1


def test_folder_that_cannot_be_written_is_explained(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(InputError, match=r"cannot be written .* set NOISEBENCH_CACHE"):
        Cache(blocked).obtain(SHA256, "iris.csv", lambda: DATA)


def test_nothing_in_the_cache_is_a_pickle(cache):
    cache.obtain_named("openml 61", lambda: (DATA, {"target": "class"}))
    files = [path for path in cache.folder.rglob("*") if path.is_file()]
    assert {os.path.splitext(path.name)[1] for path in files} == {"", ".json", ".lock"}
