"""LIBSVM lines, time series and labelled messages."""

from __future__ import annotations

import io

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file

from noisebench.datasets.readers import read
from noisebench.errors import DataError, InputError


def test_libsvm() -> None:
    table = read(b"+1 1:0.5 3:-2 # note\r\n\n# only a note\n-1\n1.0 2:1e3", "libsvm")
    assert list(table.features) == ["x1", "x2", "x3"]
    assert table.features.to_numpy().tolist() == [[0.5, 0, -2], [0, 0, 0], [0, 1000, 0]]
    assert table.target.tolist() == ["1", "-1", "1"]


def test_libsvm_width_can_be_given() -> None:
    assert read(b"1 1:2\n", "libsvm", n_features=3).features.to_numpy().tolist() == [[2, 0, 0]]


def test_libsvm_width_must_be_positive() -> None:
    with pytest.raises(InputError, match="n_features must be at least 1, got 0"):
        read(b"1\n", "libsvm", n_features=0)


def test_libsvm_agrees_with_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    rows = [
        " ".join([f"{rng.integers(3)}", *(f"{j}:{rng.normal()!r}" for j in range(1 + i % 3, 9, 2))])
        for i in range(30)
    ]
    data = "\n".join(rows).encode()
    expected, labels = load_svmlight_file(io.BytesIO(data), zero_based=False)
    table = read(data, "libsvm")
    np.testing.assert_array_equal(table.features.to_numpy(), expected.toarray())
    np.testing.assert_array_equal(table.target.astype(float), labels)


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (b"1 1:2\n1 0:2\n", {}, "line 2: index 0 comes after 0; indices start at 1"),
        (b"1 2:1 1:1\n", {}, "line 1: index 1 comes after 2"),
        (b"1 2:1 2:1\n", {}, "line 1: index 2 comes after 2"),
        (b"1 1:2 4:1\n", {"n_features": 3}, "line 1: index 4 exceeds n_features=3"),
        (b"1 qid:3 1:2\n", {}, "'qid:3' marks a ranking task"),
        (b"1,2 1:2\n", {}, "the label '1,2' is not one finite decimal number"),
        (b"nan 1:2\n", {}, "the label 'nan'"),
        (b"1:2 2:3\n", {}, "the label '1:2'"),
        (b"1 2\n", {}, "line 1: '2' is not index:value"),
        (b"1 -1:2\n", {}, "'-1:2' is not index:value"),
        (b"1 1:\n", {}, "'1:' is not index:value"),
        (b"1 1_0:2\n", {}, "'1_0:2' is not index:value"),
        ("1 ١:2\n".encode(), {}, "is not index:value"),
        (b"1 " + b"9" * 5000 + b":1\n", {}, "is not index:value"),
        (b"1 1:inf\n", {}, "the value in '1:inf' is not a finite"),
        (b"1 1:2:3\n", {}, "the value in '1:2:3' is not a finite"),
        (b"1 1:1e400\n", {}, "the value in '1:1e400' is not a finite"),
        (b"1 999999999999:1\n", {}, "asks for 999999999999 columns; at most 200000"),
        (b"1 200000:1\n" + b"1\n" * 1342, {}, "asks for 1343 × 200000 cells; at most 268435456"),
        (b"1 1:1\n", {"n_features": 10**9}, "asks for 1000000000 columns"),
        (b"1\n-1\n", {}, "no feature column beside the label"),
        (b"# nothing\n", {}, "has no rows"),
    ],
)
def test_libsvm_errors(data: bytes, options: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(data, "libsvm", where="toy", **options)


def test_ucr() -> None:
    table = read(b"1\t0.5\tNaN\r\n2.0000e+00\t-1 \t3\nup\t1\t2", "ucr")
    assert list(table.features) == ["x1", "x2"]
    assert table.features["x1"].tolist() == [0.5, -1.0, 1.0]
    assert np.isnan(table.features["x2"][0])
    assert table.target.tolist() == ["1", "2", "up"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"1\t2\t3\n1\t2\n", "line 2: has 1 values where line 1 has 2"),
        (b"1\t2\t\n", "line 1: holds '', which is not a finite decimal number"),
        (b"1\t2\n1\tx\n", "line 2: holds 'x'"),
        (b"\t1\t2\n", "line 1: has no label before the first tab"),
        (b"NaN\t1\t2\n", "has no label"),
        (b"1\n2\n", "no feature column beside the label"),
        (b"\n", "has no rows"),
    ],
)
def test_ucr_errors(data: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(data, "ucr", where="toy")


TS = "%c\n@problemName t\n@timeStamps false\n@univariate true\n@classLabel true Up down\n@data\n"


def test_ts_pads_at_the_end() -> None:
    table = read((TS + " 1, 2,3 : Up \n #c\n4:down\n?,NaN:Up").encode(), "ts")
    expected = [[1, 2, 3], [4, np.nan, np.nan], [np.nan] * 3]
    np.testing.assert_array_equal(table.features.to_numpy(), expected)
    assert list(table.features) == ["x1", "x2", "x3"]
    assert table.target.tolist() == ["Up", "down", "Up"]


def test_ts_needs_no_more_than_classes() -> None:
    assert read(b"@classLabel true a\n@data\n1:a", "ts").features.to_numpy().tolist() == [[1]]


def test_ts_length_can_be_given() -> None:
    assert read((TS + "1,2:Up\n").encode(), "ts", length=4).features.shape == (1, 4)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (TS + "1,2:Up\n1:2:down\n", "line 8: has more than one dimension"),
        (TS + "1,2\n", "line 7: has no label after a colon"),
        (TS + "1,2:up\n", "line 7: the label 'up' is not listed by @classLabel"),
        (TS + "1,x:Up\n", "line 7: holds 'x'"),
        (TS + ":Up\n", "line 7: holds ''"),
        (TS, "has no rows"),
        (TS.rstrip("\n") + " 1:Up\n", "line 6: series begin on the line after @data"),
        (TS.replace("true", "false", 1) + "1:Up\n", "holds multivariate series"),
        (TS.replace("@univariate true", "@dimensions 3") + "1:Up\n", "holds multivariate series"),
        (TS.replace("@timeStamps false", "@timeStamps true"), "series with time stamps"),
        (TS.replace("true Up down", "false"), "names no classes"),
        (TS.replace("@classLabel true Up down", "@targetLabel true"), "names no classes"),
        (TS.replace("@data\n", "") + "1:Up\n", "line 6: '1:Up' is no tag of a .ts header"),
        (TS.replace("@univariate", "@univarate"), "Did you mean univariate"),
        (TS.replace("@univariate true", "@univariate"), "line 4: @univariate needs true or false"),
        (TS.replace("@univariate true", "@seriesLength x"), "@serieslength needs a whole number"),
        (TS.removesuffix("@data\n"), "has no line @data"),
        (
            TS.replace("@univariate true", "@equalLength true") + "1,2:Up\n1:Up\n",
            "line 8: has 1 values where all series should have 2",
        ),
        (
            TS.replace("@univariate true", "@equalLength true\n@seriesLength 3") + "1,2:Up\n",
            "line 8: has 2 values where all series should have 3",
        ),
    ],
)
def test_ts_errors(data: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(data.encode(), "ts", where="toy")


def test_ts_series_longer_than_length() -> None:
    with pytest.raises(DataError, match="line 8: holds 3 values, more than length=2"):
        read((TS + "1:Up\n1,2,3:Up\n").encode(), "ts", length=2)


def test_one_long_series_does_not_widen_a_million_short_ones() -> None:
    series = ",".join(["1"] * 190_000) + ":Up\n" + "1:Up\n" * 1500
    with pytest.raises(DataError, match="asks for 1501 × 190000 cells"):
        read((TS + series).encode(), "ts")


def test_text_splits_at_the_first_tab_and_at_lf_only() -> None:
    data = " ham \tsee\tyou \u2028 at\x0b8\x85\r\n\nspam\t win!\nham\t".encode()
    table = read(data, "text")
    assert table.features["text"].tolist() == ["see\tyou \u2028 at\x0b8\x85", " win!", ""]
    assert table.target.tolist() == ["ham", "spam", "ham"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"ham\thi\nhello\n", "line 2: has no label with a tab after it"),
        (b" \thi\n", "line 1: has no label"),
        (b"\n\n", "has no rows"),
        (b"ham\t\xff\n", "byte 4 is not utf-8"),
    ],
)
def test_text_errors(data: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(data, "text", where="toy")
