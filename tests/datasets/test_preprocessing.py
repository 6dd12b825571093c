"""Steps on tables and transformers, each on cases worked by hand."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import cosine_distances
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from noisebench.datasets import load_dataset
from noisebench.datasets.labels import class_names
from noisebench.datasets.preprocessing import (
    BinariseTarget,
    CosineDistances,
    DropColumns,
    DropConstant,
    DropIncomplete,
    GramTfidf,
    GroupClasses,
    MergeClasses,
    NormaliseSeries,
    OneHot,
    RangeScaler,
    SelectClasses,
    Subsample,
    preprocess,
    transform_fold,
)
from noisebench.datasets.table import Table
from noisebench.errors import DataError, InputError

STEPS = "noisebench.datasets.preprocessing"


def table_of(columns: dict[str, list], target: list) -> Table:
    return Table(pd.DataFrame(columns), pd.Series(target))


def by_class(labels: str) -> Table:
    return table_of({"x": list(np.arange(float(len(labels))))}, list(labels))


def apply(step, table: Table, seed: int = 0) -> Table:
    return step.apply(table, np.random.default_rng(seed))


@parametrize_with_checks([RangeScaler(), NormaliseSeries()])
def test_transformers_keep_scikit_learns_contract(estimator, check):
    check(estimator)


@pytest.mark.parametrize("n_classes", [3, 4, 7, 26])
def test_grouping_makes_halves_of_the_classes(n_classes):
    labels = "".join(chr(97 + i) for i in range(n_classes))
    firsts = set()
    for seed in range(30):
        table = apply(GroupClasses(), by_class(labels * 2), seed)
        first, second = class_names(table.target)
        assert len(first.split("+")) == n_classes // 2
        assert sorted((first + "+" + second).split("+")) == sorted(labels)
        old = pd.Series(list(labels * 2))
        for old_label, new_label in zip(old, table.target, strict=True):
            assert old_label in new_label.split("+")
        assert table.target.cat.codes.tolist() == [int(o in second.split("+")) for o in old]
        firsts.add(first)
    assert len(firsts) > 1


def test_grouping_leaves_two_classes_alone():
    table = by_class("aab")
    assert apply(GroupClasses(), table) is table


def test_grouping_depends_on_the_name_only(data_dir, toy_entry):
    rows = "".join(f"{i},{i % 9}\n" for i in range(18))
    (data_dir / "toy" / "toy.csv").write_text(rows)
    group = {"_target_": f"{STEPS}.GroupClasses"}
    entry = toy_entry(expect={"classes": 9}, preprocessing=[group])

    def classes(name: str, *before: dict) -> tuple[str, ...]:
        return load_dataset(name, {**entry, "preprocessing": [*before, group]}).classes

    assert classes("vehicle") == classes("vehicle")
    assert classes("vehicle[metric=manhattan]") == classes("vehicle")
    assert classes("vehicle", {"_target_": f"{STEPS}.Subsample", "n": 17}) == classes("vehicle")
    assert len({classes(name) for name in ("vehicle", "segment", "letter", "usps")}) > 1


def test_merging_needs_a_home_for_every_class():
    merged = apply(MergeClasses({"x": ["c"], "y": ["a", "b"]}), by_class("abc"))
    assert merged.target.tolist() == ["y", "y", "x"]
    assert class_names(merged.target) == ["x", "y"]
    with pytest.raises(DataError, match="the classes c are in no group"):
        apply(MergeClasses({"x": ["a"], "y": ["b"]}), by_class("abc"))
    with pytest.raises(InputError, match="share no class"):
        MergeClasses({"x": ["a"], "y": ["a"]})


def test_selecting_classes_drops_the_rows_of_others():
    table = apply(SelectClasses(["c", "a"]), by_class("abcabc"))
    assert table.features["x"].tolist() == [0, 2, 3, 5]
    assert table.target.cat.codes.tolist() == [1, 0, 1, 0]
    with pytest.raises(DataError, match="no class 'z'; there are a, b, c"):
        apply(SelectClasses(["a", "z"]), by_class("abc"))


def test_binarising_puts_the_median_into_the_lower_class():
    table = table_of({"x": [0.0] * 5}, [1.0, 2.0, 2.0, 2.0, 3.0])
    assert apply(BinariseTarget(), table).target.tolist() == ["low"] * 4 + ["high"]
    assert apply(BinariseTarget(1.5), table).target.tolist() == ["low"] + ["high"] * 4
    with pytest.raises(DataError, match="holds classes, not numbers; read it with"):
        apply(BinariseTarget(), by_class("ab"))


def test_incomplete_rows_are_those_without_a_number_or_a_word():
    table = table_of({"a": [1.0, np.nan, 3.0], "b": ["x", "y", None]}, ["n", "p", "p"])
    assert apply(DropIncomplete(), table).features.index.tolist() == [0]
    with pytest.raises(DataError, match="none would be left"):
        apply(DropIncomplete(), table_of({"a": [np.nan]}, ["n"]))


def test_subsamples_keep_the_order_and_the_shares():
    table = by_class("a" * 90 + "b" * 10)
    plain = apply(Subsample(20), table).features["x"].tolist()
    assert len(set(plain)) == 20
    assert plain == sorted(plain)
    for seed in range(20):
        small = apply(Subsample(20, stratified=True), table, seed)
        assert small.target.value_counts().to_dict() == {"a": 18, "b": 2}
    assert apply(Subsample(100), table) is table
    with pytest.raises(InputError, match="at least 1, got 0"):
        Subsample(0)


def test_columns_are_dropped_by_name_and_position():
    table = table_of({"a": [1.0], "b": [2.0], "c": [3.0]}, ["n"])
    assert list(apply(DropColumns(["c", 0]), table).features) == ["b"]
    assert list(apply(DropColumns([-1]), table).features) == ["a", "b"]
    with pytest.raises(DataError, match="no column 'd' among 3"):
        apply(DropColumns(["d"]), table)
    with pytest.raises(DataError, match="no column 3 among 3"):
        apply(DropColumns([3]), table)
    with pytest.raises(DataError, match="no column would be left"):
        apply(DropColumns(["a", "b", "c"]), table)


def test_constant_columns():
    columns = {"a": [1.0, 1.0], "b": [np.nan, np.nan], "c": ["x", "x"], "d": [1.0, np.nan]}
    assert list(apply(DropConstant(), table_of(columns, ["n", "p"])).features) == ["d"]


def test_one_column_per_observed_value():
    columns = {"cap": ["x", "b", "x"], "veil": ["p", "p", "p"], "width": [1.0, 2.0, 3.0]}
    hot = apply(OneHot(), table_of(columns, ["n", "p", "p"])).features
    assert list(hot) == ["cap=b", "cap=x", "veil=p", "width"]
    assert hot.to_numpy().tolist() == [[0, 1, 1, 1], [1, 0, 1, 2], [0, 1, 1, 3]]


def test_range_is_met_exactly_and_constants_become_zero():
    X = np.random.default_rng(0).normal(size=(50, 3)) * [1e-3, 1, 1e6]
    X[:, 1] = 0.3
    scaled = RangeScaler().fit_transform(X)
    assert scaled.min(axis=0).tolist() == [-1, 0, -1]
    assert scaled.max(axis=0).tolist() == [1, 0, 1]
    oracle = MinMaxScaler((-1, 1)).fit_transform(X)
    np.testing.assert_allclose(scaled[:, [0, 2]], oracle[:, [0, 2]], atol=1e-12)


def test_series_are_normalised_one_by_one():
    X = np.array([[1.0, 2.0, 3.0], [7.3, 7.3, 7.3], [0.0, 4.0, np.nan]])
    got = NormaliseSeries().fit_transform(X)
    np.testing.assert_allclose(got[0], [-math.sqrt(1.5), 0, math.sqrt(1.5)])
    assert got[1].tolist() == [0, 0, 0]
    np.testing.assert_array_equal(got[2], [-1, 1, np.nan])


def test_grams_by_hand():
    tfidf = GramTfidf().fit(np.array([["abcde"], ["ABCD"], ["x y"]]))
    assert sorted(tfidf.vocabulary_) == ["abcd", "bcde", "x y"]
    got = tfidf.transform(np.array([["abcdabcd"], ["x y"], ["zzzzz"]]))
    assert sparse.issparse(got)
    log = math.log
    np.testing.assert_allclose(got.toarray(), [[2 * log(3 / 2), 0, 0], [0, 0, log(3)], [0, 0, 0]])


def test_grams_agree_with_scikit_learn_up_to_its_smoothing():
    words = [
        "free entry now",
        "call me now",
        "free call to win",
        "see you soon",
        "win a free phone",
    ]
    ours = GramTfidf().fit(words).transform(words)
    # scikit-learn's weight is f · (log(n/df) + 1) without smoothing and norm.
    theirs = TfidfVectorizer(analyzer="char", ngram_range=(4, 4), norm=None, smooth_idf=False)
    plain = TfidfVectorizer(analyzer="char", ngram_range=(4, 4), norm=None, use_idf=False)
    expected = theirs.fit_transform(words) - plain.fit_transform(words)
    np.testing.assert_allclose(ours.toarray(), expected.toarray(), atol=1e-12)


def test_grams_refuse_what_is_no_text():
    with pytest.raises(ValueError, match="X must be messages"):
        GramTfidf().fit(np.eye(2))


def test_cosine_distances_to_the_training_part():
    rng = np.random.default_rng(0)
    train, test = rng.normal(size=(5, 3)), rng.normal(size=(2, 3))
    train[0] = 0
    fitted = CosineDistances().fit(sparse.csr_matrix(train))
    np.testing.assert_allclose(fitted.transform(test), cosine_distances(test, train), atol=1e-12)
    square = fitted.transform(sparse.csr_matrix(train))
    np.testing.assert_array_equal(square, square.T)
    assert square[0].tolist() == [1.0] * 5


def test_steps_of_the_folds_are_set_aside():
    table = table_of({"x": [1.0, 2.0]}, ["n", "p"])
    scaler = {"_target_": "sklearn.preprocessing.StandardScaler"}
    done, left = preprocess("toy", table, [scaler])
    assert (done.features.iloc[:, 0].tolist(), left) == ([-1.0, 1.0], ())
    done, left = preprocess("toy", table, [{**scaler, "fit": "train"}])
    assert (done.features["x"].tolist(), left) == ([1.0, 2.0], (scaler,))
    assert preprocess("toy", table, [{**scaler, "fit": "all"}])[1] == ()


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([{"_target_": "sklearn.preprocessing.StandardScaler", "fit": "test"}], "'all' or 'train'"),
        (
            [
                {"_target_": "sklearn.preprocessing.StandardScaler", "fit": "train"},
                {"_target_": f"{STEPS}.OneHot"},
            ],
            "step OneHot: a step after one with `fit: train`",
        ),
        (
            [{"_target_": "sklearn.preprocessing.StandardScaler", "with_men": 1}],
            "no parameter 'with_men'",
        ),
        (
            [{"_target_": "sklearn.preprocessing.StandardScaler", "fit": "train", "x": 1}],
            "no parameter 'x'",
        ),
        ([{"_target_": "collections.Counter"}], "neither a table step"),
        ([{"_target_": f"{STEPS}.NoSuchStep"}], "has no 'NoSuchStep'"),
        ([{"_target_": "sklearn.preprocessing.OneHotEncoder"}], "returns a sparse matrix"),
        (
            [{"_target_": f"{STEPS}.SelectClasses", "classes": ["z"]}],
            "'toy', step SelectClasses: .*'z'",
        ),
        ([{"_target_": f"{STEPS}.GramTfidf"}], "step GramTfidf: X must be messages"),
    ],
)
def test_steps_that_cannot_be_carried_out(steps, message):
    with pytest.raises(InputError, match=message):
        preprocess("toy", table_of({"x": [1.0, 2.0]}, ["n", "p"]), steps)


def test_folds_learn_from_the_training_part_alone():
    steps = [
        {"_target_": "sklearn.impute.SimpleImputer"},
        {"_target_": "sklearn.preprocessing.MinMaxScaler"},
    ]
    X_train, X_test = np.array([[0.0], [np.nan], [4.0]]), np.array([[8.0], [np.nan]])
    train, test = transform_fold(X_train, X_test, steps, "toy")
    assert train.ravel().tolist() == [0, 0.5, 1]
    assert test.ravel().tolist() == [2, 0.5]
