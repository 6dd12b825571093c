"""ARFF and KEEL: declarations, quoting, sparse rows, and errors that name the line."""

from __future__ import annotations

import io

import numpy as np
import pytest
from scipy.io import arff

from noisebench.datasets.readers import read
from noisebench.errors import DataError

HEAD = "@relation toy\n@attribute u real\n@attribute v {a, 'b c'}\n@attribute y {p, q}\n@data\n"


def read_rows(rows: str, head: str = HEAD, **options: object) -> list[list[object]]:
    table = read((head + rows).encode(), "arff", **options)
    return [*table.features.to_numpy(dtype=object).tolist(), table.target.tolist()]


def test_dense_rows() -> None:
    table = read((HEAD + "1.5, a, p\n-2,'b c',q\n?,?,p").encode(), "arff")
    assert table.features["u"].dtype == np.float64
    assert table.features["u"].tolist()[:2] == [1.5, -2.0]
    assert np.isnan(table.features["u"][2])
    assert table.features["v"].tolist() == ["a", "b c", None]
    assert table.target.tolist() == ["p", "q", "p"]
    assert table.target.name == "y"


def test_keywords_and_types_in_any_case() -> None:
    head = "% c\n@RELATION t\n\n@Attribute u NUMERIC\n@ATTRIBUTE\tv\tString\n"
    head += "@attribute y{p,q}\n@DATA\n"
    assert read_rows('1,"x, y",p\n% c\n2,z,q % c\n', head) == [
        [1.0, "x, y"],
        [2.0, "z"],
        ["p", "q"],
    ]


def test_blanks_around_values_do_not_count() -> None:
    head = "@relation t\n@attribute u integer\n@attribute y { 1,' 8' }\n@data\n"
    assert read_rows("  4 , 8\n 3,\t1\n", head) == [[4.0], [3.0], ["8", "1"]]
    assert read_rows(" 4 , ' 8 ' \n", head) == [[4.0], ["8"]]
    assert read_rows("1 , 'b c' , q \n") == [[1.0, "b c"], ["q"]]


def test_quotes_and_escapes() -> None:
    head = "@relation 'a b'\n@attribute 'the u' string\n@attribute \"y\" {'it\\'s', \"%\"}\n@data\n"
    rows = read_rows("'?','it\\'s'\n\"a\\tb\\\\\",'%'\n", head)
    assert rows == [["?"], ["a\tb\\"], ["it's", "%"]]


def test_fraction_in_an_integer_attribute_is_kept() -> None:
    assert read_rows("1.5,p", "@attribute u integer\n@attribute y {p}\n@data\n")[0] == [1.5]


def test_sparse_rows_fill_in_zero_and_the_first_value() -> None:
    assert read_rows("{0 1.5, 1 'b c', 2 q}\n{ }\n{2 q}\n{1 ?}\n") == [
        [1.5, "b c"], [0.0, "a"], [0.0, "a"], [0.0, None], ["q", "p", "q", "p"],
    ]  # fmt: skip


def test_label_and_drop() -> None:
    table = read((HEAD + "1,a,p\n2,a,q\n").encode(), "arff", label="v", drop=["u"])
    assert table.features["y"].tolist() == ["p", "q"]
    assert table.target.tolist() == ["a", "a"]
    assert read((HEAD + "1,a,p\n").encode(), "arff", label=1).target.tolist() == ["a"]


def test_numeric_label_is_a_class_or_a_number() -> None:
    data = b"@attribute u real\n@attribute y real\n@data\n1,2\n{0 3}\n4,2.0\n5,0.5\n"
    assert read(data, "arff").target.tolist() == ["2", "0", "2", "0.5"]
    assert read(data, "arff", target="number").target.tolist() == [2.0, 0.0, 2.0, 0.5]


def test_agrees_with_scipy() -> None:
    rows = "".join(f"{i / 7:.6f},{'ab'[i % 2]},{'pq'[i % 3 > 0]}\n" for i in range(50))
    data = HEAD.replace("'b c'", "b") + rows
    expected = arff.loadarff(io.StringIO(data))[0]
    table = read(data.encode(), "arff")
    np.testing.assert_array_equal(table.features["u"], expected["u"])
    assert table.features["v"].tolist() == [value.decode() for value in expected["v"]]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (HEAD + "1,a,p\n1,z,p\n", "line 7: 'z' is not among the declared values of attribute 'v'"),
        (HEAD + "1,a,z\n", "line 6: 'z' is not among the declared values of attribute 'y'"),
        (HEAD + "1,A,p\n", "line 6: 'A' is not among the declared values"),
        (HEAD + "\n1,a\n", "line 7: has 2 values for 3 attributes"),
        (HEAD + "1,a,p,q\n", "line 6: has 4 values for 3 attributes"),
        (HEAD + "1_0,a,p\n", r"line 6: column 0 \('u'\) holds '1_0'"),
        (HEAD + "inf,a,p\n", "line 6: column 0"),
        (HEAD + "1,a,?\n", "line 6: has no label"),
        (HEAD + "1,,p\n", "line 6: a value is empty; write [?]"),
        (HEAD + "1,'a,p\n", "line 6: cannot read a value at"),
        (HEAD.rstrip("\n") + " 1,a,p\n", "line 5: '1,a,p' follows @data"),
        (HEAD + "1,'b c',q,\n", "line 6: a value is empty"),
        (HEAD + "1,a},p\n", "line 6: cannot read a value at '},p'"),
        (HEAD + "1,a,p '%\n", "line 6: cannot read a value at"),
        (HEAD + "1,'a'b,p\n", "line 6: cannot read a value at 'b,p'"),
        (HEAD + "1,a,p,{2}\n", r"line 6: cannot read a value at '\{2\}'"),
        (HEAD + "{0 1, 2 p\n", "line 6: a sparse row must end"),
        (HEAD + "{0 1}, {2}\n", "line 6: cannot read a value at"),
        (HEAD + "{3 1}\n", "line 6: index 3 exceeds the last, 2"),
        (HEAD + "{0 1, 0 2}\n", "line 6: index 0 is given twice"),
        (HEAD + "{u 1}\n", "line 6: 'u 1' does not begin with an index"),
        (HEAD + "{0 }\n", "line 6: '0' does not begin with an index and a blank"),
        (HEAD, "has no rows"),
        ("@relation r\n@attribute u real\n", "has no line @data"),
        ("@relation r\n@data\n1\n", "line 2: no @attribute comes before @data"),
        ("@attribute u real\n@data\n1\n", "no feature column beside the label"),
        ("@attribute u date 'yyyy'\n", "line 1: attribute 'u' has the type .*date.*; only numeric"),
        ("@attribute u relational\n", "attribute 'u' has the type 'relational'"),
        ("@attribute u\n", "attribute 'u' has the type ''"),
        ("@attribute u {a, b\n", "attribute 'u' has the type '{a, b'"),
        ("@attribute u {a,,b}\n", "line 1: a value is empty"),
        ("@attribute\n", "line 1: @attribute needs a name and a type"),
        (
            "@atribute u real\n",
            "line 1: '@atribute u real' is no header line. Did you mean attribute",
        ),
        ("1,2\n", "line 1: '1,2' is no header line"),
        ("@relation r\n@relation s\n", "line 2: a second @relation"),
        (HEAD.replace("@attribute v", "@attribute u") + "1,a,p\n", "has two columns named 'u'"),
        (
            "@attribute s string\n@attribute y {p}\n@data\n{1 p}\n",
            "line 4: string attribute 's' is left out of a sparse row",
        ),
    ],
)
def test_arff_errors(data: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(data.encode(), "arff", where="toy.arff")


def test_arff_label_must_be_there_once() -> None:
    with pytest.raises(DataError, match="has no column 'class'"):
        read((HEAD + "1,a,p\n").encode(), "arff", label="class")
    twice = HEAD.replace("@attribute u real", "@attribute y real")
    with pytest.raises(DataError, match="has 2 columns named 'y', at 0, 2"):
        read((twice + "1,a,p\n").encode(), "arff", label="y")


KEEL = (
    "@relation toy\n@attribute u real [0.0, 7.5]\n@attribute v integer[1,3]\n"
    "@attribute w {a, b}\n@attribute Class {pos, neg}\n"
)
KEEL_ROWS = "@data\n1.5, 2, a, pos\n9, <null>, ?, neg\n"


def test_keel_inputs_and_outputs() -> None:
    table = read((KEEL + "@inputs u, v\n@outputs Class\n" + KEEL_ROWS).encode(), "keel")
    assert list(table.features) == ["u", "v"]
    assert table.features["u"].tolist() == [1.5, 9.0]
    assert np.isnan(table.features["v"][1])
    assert table.target.tolist() == ["pos", "neg"]


def test_keel_without_lists_takes_the_last_attribute() -> None:
    table = read((KEEL + KEEL_ROWS).encode(), "keel")
    assert list(table.features) == ["u", "v", "w"]
    assert table.features["w"].tolist() == ["a", None]
    assert table.target.tolist() == ["pos", "neg"]


def test_keel_output_need_not_be_last() -> None:
    rows = KEEL_ROWS.replace("<null>", "3")
    table = read((KEEL + "@output v\n" + rows).encode(), "keel", drop=["w"])
    assert list(table.features) == ["u", "Class"]
    assert table.target.tolist() == ["2", "3"]
    assert read((KEEL + "@output v\n" + rows).encode(), "keel", target="number").target[1] == 3.0
    assert read((KEEL + "@output v\n" + rows).encode(), "keel", label=3).target[0] == "pos"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            KEEL + "@outputs v, Class\n" + KEEL_ROWS,
            "lists 2 outputs; name one with the option label",
        ),
        (KEEL + "@outputs klass\n" + KEEL_ROWS, "has no column 'klass'"),
        (KEEL + "@inputs u,\n" + KEEL_ROWS, "line 6: a value is empty"),
        (KEEL + "@data\n1,2,c,pos\n", "line 7: 'c' is not among the declared values"),
        (KEEL + "@inputs Class\n@outputs Class\n" + KEEL_ROWS, "no feature column"),
    ],
)
def test_keel_errors(data: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read(data.encode(), "keel", where="toy.dat")
