"""From an entry to a data set: sources in order, expectations, class codes, preprocessing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from noisebench.datasets import Dataset, check_dataset, load_dataset, load_table
from noisebench.datasets.labels import canonical, order_classes, rename_labels
from noisebench.datasets.sources import SourceUnavailable
from noisebench.errors import DataError, InputError

STEPS = "noisebench.datasets.preprocessing"
FILE = "noisebench.datasets.sources.FileSource"


def test_classes_are_coded_in_the_order_of_the_entry(data_dir, toy_entry):
    data = load_dataset("toy", toy_entry())
    assert data.classes == ("no", "yes")
    assert data.y.tolist() == [0, 1, 1, 0]
    assert data.X.tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert data.X.dtype == np.float64
    assert (data.metric, data.origin) == ("euclidean", "file toy/toy.csv")
    turned = toy_entry(expect={"classes": {"yes": 2, "no": 2}})
    assert load_dataset("toy", turned).y.tolist() == [1, 0, 0, 1]


def test_without_listed_classes_numbers_are_ordered_as_numbers(data_dir, toy_entry):
    (data_dir / "toy" / "toy.csv").write_text("1,10\n2,9\n3,10\n")
    entry = toy_entry(expect={"classes": 2})
    entry["sources"][0].pop("labels")
    data = load_dataset("toy", entry)
    assert (data.classes, data.y.tolist()) == (("9", "10"), [1, 0, 1])


@pytest.mark.parametrize(
    ("expect", "parts"),
    [
        ({"rows": 5}, ["4 rows instead of 5"]),
        ({"features": 1}, ["2 features instead of 1"]),
        ({"classes": 3}, ["2 classes instead of 3"]),
        ({"classes": {"no": 3, "yes": 2}}, ["2 rows of class 'no' instead of 3"]),
        (
            {"rows": 9, "features": 9, "classes": {"no": 2, "maybe": 1}},
            [
                "4 rows instead of 9",
                "2 features instead of 9",
                "no class 'maybe' where 1 row is expected",
                "2 rows of class 'yes', which is not expected",
            ],
        ),
    ],
)
def test_every_difference_is_named(data_dir, toy_entry, expect, parts):
    with pytest.raises(DataError, match=r"'toy' from file toy/toy.csv is not the one") as caught:
        load_dataset("toy", toy_entry(expect=expect))
    assert all(part in str(caught.value) for part in parts)
    assert not isinstance(caught.value, SourceUnavailable)


def test_a_source_may_declare_a_variant(data_dir, toy_entry):
    entry = toy_entry(expect={"rows": 4, "features": 3, "classes": {"no": 2, "yes": 2}})
    with pytest.raises(DataError, match="2 features instead of 3"):
        load_dataset("toy", entry)
    entry["sources"][0]["expect"] = {"features": 2}
    assert load_dataset("toy", entry).X.shape == (4, 2)


def test_sources_are_tried_in_order(data_dir, toy_entry):
    entry = toy_entry()
    missing = {"_target_": FILE, "files": ["toy/gone.csv"], "format": "csv"}
    entry["sources"].insert(0, missing)
    assert load_dataset("toy", entry).origin == "file toy/toy.csv"


def test_damage_is_reported_at_once(data_dir, toy_entry):
    entry = toy_entry()
    entry["sources"].insert(0, {**entry["sources"][0], "sha256": ["0" * 64]})
    with pytest.raises(DataError, match="has the SHA-256"):
        load_dataset("toy", entry)


def test_all_that_was_tried_is_named(
    cache_dir, wheel_dir, no_data_dir, monkeypatch, tmp_path, toy_entry
):
    monkeypatch.setenv("NOISEBENCH_OPENML_SERVER", "http://127.0.0.1:9/api/v1/xml")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    entry = toy_entry()
    entry["sources"] += [
        {
            "_target_": "noisebench.datasets.sources.PackageSource",
            "package": "toy-data",
            "version": 1.0,
            "sha256": "0" * 64,
            "members": ["toy.csv"],
            "format": "csv",
        },
        {"_target_": "noisebench.datasets.sources.OpenMLSource", "id": 61},
    ]
    with pytest.raises(SourceUnavailable, match="'toy' cannot be had here and now") as caught:
        load_dataset("toy", entry)
    tried = [
        "(1) file toy/toy.csv: no data folder is set",
        "(2) package toy-data 1.0: pip could not get toy-data==1.0",
        "(3) OpenML data set 61: http://127.0.0.1:9",
    ]
    assert all(part in str(caught.value) for part in tried)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sources": []}, "names no sources"),
        ({"preprocesing": [1]}, "unknown part 'preprocesing'. Did you mean preprocessing"),
        ({"expect": {"row": 4}}, "expect knows rows, features, classes, not 'row'"),
        ({"sources": [{"_target_": FILE, "files": ["a"], "format": "x"}]}, "no format 'x'"),
    ],
)
def test_entries_that_make_no_sense(data_dir, toy_entry, changes, message):
    with pytest.raises(InputError, match=message):
        load_dataset("toy", toy_entry(**changes))


def test_one_class_only(data_dir, toy_entry):
    (data_dir / "toy" / "toy.csv").write_text("1,1\n2,1\n")
    with pytest.raises(DataError, match="'toy' has members of one class only"):
        load_dataset("toy", toy_entry(expect={}))


def test_missing_values_must_be_dealt_with(data_dir, toy_entry):
    (data_dir / "toy" / "toy.csv").write_text("1,2,-1\n?,4,1\n5,6,1\n")
    entry = toy_entry(expect={"rows": 3})
    with pytest.raises(DataError, match="1 NaN or infinite values, the first in row 1, column 0"):
        load_dataset("toy", entry)
    imputer = {"_target_": "sklearn.impute.SimpleImputer"}
    assert load_dataset("toy", {**entry, "preprocessing": [imputer]}).X[1, 0] == 3.0
    later = load_dataset("toy", {**entry, "preprocessing": [{**imputer, "fit": "train"}]})
    assert np.isnan(later.X[1, 0])
    dropped = [{"_target_": f"{STEPS}.DropIncomplete"}]
    assert load_dataset("toy", {**entry, "preprocessing": dropped}).y.tolist() == [0, 1]


def test_infinity_is_refused_whatever_steps_follow():
    step = ({"_target_": "sklearn.impute.SimpleImputer"},)
    X = np.array([[np.inf], [0.0]])
    with pytest.raises(DataError, match="NaN or infinite"):
        check_dataset(Dataset("toy", X, np.array([0, 1]), ("a", "b"), fold_steps=step))


def test_a_quantity_becomes_classes_which_are_then_compared(data_dir, toy_entry):
    (data_dir / "toy" / "toy.csv").write_text("1,20.5\n2,30\n3,10\n4,40\n")
    entry = toy_entry(
        expect={"rows": 4, "classes": {"low": 2, "high": 2}},
        sources=[{"_target_": FILE, "files": ["toy/toy.csv"], "format": "csv", "target": "number"}],
    )
    with pytest.raises(DataError, match=r"numbers for a target, not classes; add .*BinariseTarget"):
        load_dataset("toy", entry)
    entry["preprocessing"] = [{"_target_": f"{STEPS}.BinariseTarget"}]
    data = load_dataset("toy", entry)
    assert (data.classes, data.y.tolist()) == (("low", "high"), [0, 1, 0, 1])
    entry["preprocessing"][0]["threshold"] = 35
    with pytest.raises(DataError, match="3 rows of class 'low' instead of 2"):
        load_dataset("toy", entry)


def test_classes_without_members_left_are_dropped(data_dir, toy_entry):
    (data_dir / "toy" / "toy.csv").write_text("1,a\n2,b\n?,c\n3,b\n")
    entry = toy_entry(
        expect={"classes": {"c": 1, "b": 2, "a": 1}},
        preprocessing=[{"_target_": f"{STEPS}.DropIncomplete"}],
    )
    data = load_dataset("toy", entry)
    assert (data.classes, data.y.tolist()) == (("b", "a"), [1, 0, 0])


def test_words_must_be_encoded(data_dir, toy_entry):
    (data_dir / "toy" / "toy.csv").write_text("1,red,-1\n2,blue,1\n")
    entry = toy_entry(expect={})
    with pytest.raises(DataError, match=r"column x1 holds words, not numbers.*OneHot"):
        load_dataset("toy", entry)
    data = load_dataset("toy", {**entry, "preprocessing": [{"_target_": f"{STEPS}.OneHot"}]})
    assert data.X.tolist() == [[1, 0, 1], [2, 1, 0]]


def test_table_before_preprocessing(data_dir, toy_entry):
    entry = toy_entry(preprocessing=[{"_target_": "sklearn.preprocessing.StandardScaler"}])
    source, table = load_table("toy", entry)
    assert source.describe() == "file toy/toy.csv"
    assert table.features["x0"].tolist() == [1, 3, 5, 7]
    assert table.target.tolist() == ["no", "yes", "yes", "no"]
    assert load_dataset("toy", entry).X.mean() == pytest.approx(0)


def test_fingerprint_depends_on_content_not_on_origin(data_dir, toy_entry):
    first = load_dataset("toy", toy_entry())
    (data_dir / "elsewhere.csv").write_bytes((data_dir / "toy" / "toy.csv").read_bytes())
    entry = toy_entry()
    entry["sources"][0]["files"] = ["elsewhere.csv"]
    assert load_dataset("toy", entry).fingerprint == first.fingerprint
    steps = [{"_target_": "sklearn.preprocessing.StandardScaler", "fit": "train"}]
    assert load_dataset("toy", toy_entry(preprocessing=steps)).fingerprint != first.fingerprint
    assert load_dataset("toy", toy_entry(metric="manhattan")).fingerprint != first.fingerprint


def test_labels_are_matched_exactly_first_and_as_numbers_second():
    target = pd.Series(["1", "1.0", "b"])
    assert rename_labels(target, {"1": "one", "1.0": "uno"}).tolist() == ["one", "uno", "b"]
    assert rename_labels(target, {+1: "one"}).tolist() == ["one", "one", "b"]
    assert rename_labels(target, {"1": "x", "b": "x"}).tolist() == ["x", "x", "x"]
    assert canonical("1e3") == "1000"
    assert order_classes(target, ["b", "1.0", "1"]).cat.codes.tolist() == [2, 1, 0]
