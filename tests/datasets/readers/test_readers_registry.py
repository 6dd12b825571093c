"""What all formats share: gzip, options, and joining parts."""

from __future__ import annotations

import gzip

import pandas as pd
import pytest

from noisebench.datasets.readers import FORMATS, join, read
from noisebench.datasets.table import Table
from noisebench.errors import DataError, InputError

PLAIN = b"1,2,a\n3,4,b\n"


def test_gzip_is_recognised_in_one_member_or_two() -> None:
    expected = read(PLAIN, "csv").features
    for packed in (gzip.compress(PLAIN), gzip.compress(PLAIN[:6]) + gzip.compress(PLAIN[6:])):
        pd.testing.assert_frame_equal(read(packed, "csv").features, expected)
        pd.testing.assert_frame_equal(read(packed + bytes(512), "csv").features, expected)


@pytest.mark.parametrize("size", [2, 9, 15, -9, -1])
def test_gzip_cut_short(size: int) -> None:
    with pytest.raises(DataError, match=r"toy.gz: the gzip file is (cut short|damaged)"):
        read(gzip.compress(PLAIN)[:size], "csv", where="toy.gz")


def test_gzip_damaged() -> None:
    packed = bytearray(gzip.compress(PLAIN * 50))
    packed[-5] ^= 1  # in the checksum
    with pytest.raises(DataError, match="the gzip file is damaged"):
        read(bytes(packed), "csv")
    with pytest.raises(DataError, match="the gzip file is damaged"):
        read(gzip.compress(PLAIN) + b"more", "csv")


def test_gzip_unpacks_within_its_bound() -> None:
    packed = gzip.compress(PLAIN)
    assert len(read(packed, "csv", max_bytes=len(PLAIN)).target) == 2
    with pytest.raises(DataError, match=f"unpacks to more than {len(PLAIN) - 1} bytes"):
        read(packed, "csv", max_bytes=len(PLAIN) - 1)


@pytest.mark.parametrize("bound", [0, -1, 1.5, None])
def test_bound_must_be_positive(bound: object) -> None:
    with pytest.raises(InputError, match="max_bytes must be a whole number of at least 1"):
        read(PLAIN, "csv", max_bytes=bound)  # type: ignore[arg-type]


def test_gzip_of_nothing_is_empty() -> None:
    with pytest.raises(DataError, match="is empty"):
        read(gzip.compress(b""), "csv")


def test_unknown_format() -> None:
    with pytest.raises(InputError, match=r"no format 'arf'. Did you mean arff"):
        read(PLAIN, "arf")


def test_data_must_be_bytes() -> None:
    with pytest.raises(InputError, match="data must be the bytes of a file, got str"):
        read("1,a", "csv")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"delimeter": ";"}, "no option 'delimeter'. Did you mean delimiter"),
        ({"header": 1}, "Option header of format 'csv' must be true or false, got 1"),
        ({"label": 1.5}, "label of format 'csv' must be a whole number or a string, got 1.5"),
        ({"label": True}, "label of format 'csv' must be a whole number or a string, got True"),
        ({"drop": "x0"}, r"drop of format 'csv' must be a list of \(a whole number or a string\)"),
        ({"drop": [None]}, "drop of format 'csv' must be a list"),
        ({"target": "price"}, "target of format 'csv' must be 'class' or 'number', got 'price'"),
        ({"categorical": "some"}, "categorical of format 'csv' must be 'all' or a list"),
        ({"comment": 7}, "comment of format 'csv' must be a string or null, got 7"),
        ({"encoding": "utf-16"}, "encoding of format 'csv' must be 'utf-8' or 'latin-1'"),
    ],
)
def test_options_are_checked(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read(PLAIN, "csv", **options)
    assert not isinstance(caught.value, DataError)


def test_required_options_are_asked_for() -> None:
    with pytest.raises(InputError, match=r"Format 'parquet' needs the option label \(a string\)"):
        read(PLAIN, "parquet")
    with pytest.raises(InputError, match=r"Format 'idx' needs the option labels \(of type bytes\)"):
        read(PLAIN, "idx")


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_refuses_nothing_and_nonsense(name: str) -> None:
    needed = {"parquet": {"label": "y"}, "idx": {"labels": b""}}.get(name, {})
    with pytest.raises(DataError, match=r"toy: is empty"):
        read(b"", name, where="toy", **needed)
    with pytest.raises(DataError, match="toy"):
        read(b"\x00\x9c nonsense", name, where="toy", **needed)


def table_of(columns: dict[str, list[object]], target: list[object]) -> Table:
    frame = pd.DataFrame({name: pd.Series(values) for name, values in columns.items()})
    return Table(frame, pd.Series(target))


def test_join_keeps_the_order() -> None:
    first = read(b"1,u,a\n2,?,b\n", "csv")
    joined = join([first, read(b"3,v,c\n", "csv"), first])
    assert joined.features["x0"].tolist() == [1, 2, 3, 1, 2]
    assert joined.features["x1"].tolist() == ["u", None, "v", "u", None]
    assert joined.target.tolist() == ["a", "b", "c", "a", "b"]
    assert joined.features.index.tolist() == joined.target.index.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (b"1,2,3,a\n", "Part 1 has 3 feature columns where part 0 has 2"),
        (b"1,x,a\n", r"Column 'x1' holds numbers in one part and text in part 1"),
    ],
)
def test_join_demands_the_same_columns(other: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        join([read(PLAIN, "csv"), read(other, "csv")])


def test_join_demands_the_same_names_and_target() -> None:
    table = table_of({"u": [1.0], "v": [2.0]}, [1.0])
    with pytest.raises(DataError, match="Part 2 has column 'v' where part 0 has 'u'"):
        join([table, table, table_of({"v": [1.0], "u": [2.0]}, [1.0])])
    with pytest.raises(DataError, match="The target is a class in one part"):
        join([table, table_of({"u": [1.0], "v": [2.0]}, ["a"])])


def test_join_needs_a_table() -> None:
    with pytest.raises(DataError, match="no tables to join"):
        join([])
