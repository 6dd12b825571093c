"""Delimited tables: types, options, and errors that name the line."""

from __future__ import annotations

import io
import math

import numpy as np
import pandas as pd
import pytest

from noisebench.datasets.readers import read
from noisebench.errors import DataError, InputError


def columns_of(data: bytes, **options: object) -> dict[str, list[object]]:
    return dict(read(data, "csv", **options).features.items())


def test_label_last_and_types() -> None:
    table = read(b"1,a,2.5,yes\n-3,b,?,no\n", "csv")
    assert list(table.features) == ["x0", "x1", "x2"]
    assert table.features["x0"].tolist() == [1.0, -3.0]
    assert table.features["x0"].dtype == np.float64
    assert table.features["x1"].tolist() == ["a", "b"]
    assert table.features["x1"].dtype == object
    assert table.features["x2"][0] == 2.5
    assert math.isnan(table.features["x2"][1])
    assert table.target.tolist() == ["yes", "no"]
    assert table.target.dtype == object


def test_missing_text_is_none() -> None:
    assert columns_of(b"a,0\n?,1\n ,1\nNA,1\n")["x0"].tolist() == ["a", None, None, None]


def test_missing_marks_can_be_chosen() -> None:
    columns = columns_of(b"NA,-9,0\nb,1,1\n", missing=["-9"])
    assert columns["x0"].tolist() == ["NA", "b"]
    assert np.isnan(columns["x1"][0])


def test_column_without_any_value_is_numeric() -> None:
    column = columns_of(b"?,1,a\n?,2,b\n")["x0"]
    assert column.dtype == np.float64
    assert column.isna().all()


@pytest.mark.parametrize(
    "token",
    [
        "inf",
        "-Infinity",
        "1e999",
        "1_000",
        "0x10",
        "١",
        "True",
        "1 000",
        "1,5",
        "nan?",
        "1e",
        "--1",
    ],
)
def test_what_is_no_decimal_number_makes_text(token: str) -> None:
    column = columns_of(f'1,a\n"{token}",b\n'.encode())["x0"]
    assert column.tolist() == ["1", token]


@pytest.mark.parametrize("token", ["1", "+1.", "-.5", "1e-3", "1E+3", "007", "1e-400"])
def test_decimal_numbers(token: str) -> None:
    assert columns_of(f"{token},a\n".encode())["x0"].tolist() == [float(token)]


@pytest.mark.parametrize("delimiter", [" ", "whitespace"])
def test_runs_of_white_space(delimiter: str) -> None:
    table = read(b"  1   2\t a\n\t3 4 b  \n\n", "csv", delimiter=delimiter)
    assert table.features.to_numpy().tolist() == [[1, 2], [3, 4]]
    assert table.target.tolist() == ["a", "b"]


def test_quotes_between_white_space() -> None:
    table = read(b'1 "a b" x\n2 "c ""d""" y\n', "csv", delimiter=" ")
    assert table.features["x1"].tolist() == ["a b", 'c "d"']


def test_white_space_of_other_kinds_parts_nothing() -> None:
    table = read("1 a\u00a0b\x1cc x\n".encode(), "csv", delimiter=" ")
    assert table.features["x1"].tolist() == ["a\u00a0b\x1cc"]


def test_control_characters_are_kept() -> None:
    assert columns_of(b"a\x01b,1\n\x02,2\n")["x0"].tolist() == ["a\x01b", "\x02"]


def test_tabs() -> None:
    table = read(b"1\t\tb c\tx\n2\tq\t d \ty", "csv", delimiter="\t")
    assert table.features["x1"].tolist() == [None, "q"]
    assert table.features["x2"].tolist() == ["b c", "d"]


def test_line_ends_and_blank_lines() -> None:
    expected = read(b"1,a\n2,b\n", "csv").features
    for data in (b"1,a\r\n2,b\r\n", b"1,a\n2,b", b"1,a\r2,b\r", b"\n1,a\n   \n2,b\n\t\n"):
        pd.testing.assert_frame_equal(read(data, "csv").features, expected)


def test_quoted_fields_keep_commas_and_line_ends() -> None:
    table = read(b'"a,b", "c\n""d""",x\ne,f,y\n', "csv")
    assert table.features.to_numpy().tolist() == [["a,b", 'c\n"d"'], ["e", "f"]]


def test_byte_order_mark_is_dropped() -> None:
    assert columns_of("\ufeff1,a\n".encode())["x0"].tolist() == [1.0]


def test_header_label_and_drop_by_name() -> None:
    data = b"id, class ,size\n7,a,1.5\n8,b,2\n"
    table = read(data, "csv", header=True, label="class", drop=["id"])
    assert list(table.features) == ["size"]
    assert table.target.tolist() == ["a", "b"]
    assert table.target.name == "class"


def test_label_and_drop_by_position() -> None:
    table = read(b"a,1,2,3\nb,4,5,6\n", "csv", label=0, drop=[-1, 1])
    assert list(table.features) == ["x2"]
    assert table.target.tolist() == ["a", "b"]


def test_labels_stay_as_written() -> None:
    assert read(b"5,+1\n6,1.0\n", "csv").target.tolist() == ["+1", "1.0"]


def test_numeric_target() -> None:
    target = read(b"1,21.5\n2,3\n", "csv", target="number").target
    assert target.dtype == np.float64
    assert target.tolist() == [21.5, 3.0]


def test_categorical_columns() -> None:
    assert columns_of(b"1,2,a\n", categorical=[1])["x1"].tolist() == ["2"]
    features = read(b"1,?,a\n", "csv", categorical="all").features
    assert features.to_numpy().tolist() == [["1", None]]


def test_categorical_is_exempt_from_numeric() -> None:
    table = read(b"1,u,a\n", "csv", numeric=True, categorical=["x1"])
    assert table.features["x1"].tolist() == ["u"]


def test_comment_lines() -> None:
    table = read(b"# note\n1,a\n  # more\n2,#b\n", "csv", comment="#")
    assert table.target.tolist() == ["a", "#b"]
    with pytest.raises(DataError, match="line 4"):
        read(b"# note\n1,a\n# more\n2\n", "csv", comment="#")


def test_latin_1() -> None:
    assert read(b"1,\xe9\n", "csv", encoding="latin-1").target.tolist() == ["é"]


def test_agrees_with_pandas_on_plain_numbers() -> None:
    values = np.random.default_rng(0).normal(size=(2500, 4)) * 10.0 ** np.arange(-6, 6, 3)
    data = pd.DataFrame(values).assign(label="a").to_csv(header=False, index=False).encode()
    expected = pd.read_csv(io.BytesIO(data), header=None).iloc[:, :4].to_numpy()
    np.testing.assert_allclose(read(data, "csv").features.to_numpy(), expected, rtol=1e-15)
    np.testing.assert_array_equal(read(data, "csv").features.to_numpy(), values)


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (b"1,2,a\n1,b\n", {}, "toy.csv, line 2: has 2 fields where line 1 has 3"),
        (b'"x\ny",2,a\n1,b\n', {}, "line 3: has 2 fields where line 1 has 3"),
        (b"a,b\n1,2,3\n", {"header": True}, "line 2: has 3 fields"),
        (b"1,2\n1,x\n", {"label": 0, "numeric": True}, r"line 2: column 1 \('x1'\) holds 'x'"),
        (b"1,u,a\nv,2,b\n", {"numeric": True}, "line 1: column 1"),
        (b"1,a\n\n1,?\n", {}, "line 3: has no label in column 1"),
        (b"1,a\n", {"target": "number"}, "line 1: column 1 .* holds 'a'"),
        (b"1,?\n", {"target": "number"}, "has no label"),
        (b'1,"a\n2,b\n', {}, "line 1: cannot be split into fields"),
        (b'1,a\n2,"b"c\n', {}, "line 2: cannot be split into fields"),
        (b'1 "a\n', {"delimiter": " "}, "line 1: cannot be split into fields"),
        (b"a\nb\n", {}, "no feature column beside the label"),
        (b"1,a\n", {"drop": [0]}, "no feature column beside the label"),
        (b"1,a\n", {"drop": [1]}, "is the label and cannot be dropped"),
        (b"1,a\n", {"label": 2}, "has no column 2; its 2 columns"),
        (b"1,a\n", {"drop": [-3]}, "has no column -3"),
        (b"1,a\n", {"label": "class"}, "has no column 'class'"),
        (b"u,clas\n1,a\n", {"header": True, "label": "class"}, "Did you mean clas"),
        (b"c,u,c\n1,2,a\n", {"header": True, "label": "c"}, "has 2 columns named 'c', at 0, 2"),
        (b"u,u,c\n1,2,a\n", {"header": True}, "has two columns named 'u'"),
        (b"", {}, "is empty"),
        (b"\n \n", {}, "has no rows"),
        (b"u,c\n", {"header": True}, "has no rows"),
        (b"# x\n", {"comment": "#"}, "has no rows"),
        (b"1,a\n2,\xff\n", {}, "byte 6 is not utf-8"),
        (b"\xef\xbb\xbf1,\xff\n", {}, "byte 5 is not utf-8"),
        ("1,a\n".encode("utf-16-le"), {}, "zero bytes"),
        (b"1," * 200_001 + b"a", {}, "asks for 200002 columns; at most 200000"),
    ],
)
def test_data_errors(data: bytes, options: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(data, "csv", where="toy.csv", **options)


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n"])
def test_delimiter_is_one_character(delimiter: str) -> None:
    with pytest.raises(InputError, match="delimiter must be one character"):
        read(b"1,a\n", "csv", delimiter=delimiter)
