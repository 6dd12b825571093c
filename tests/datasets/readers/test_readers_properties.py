"""Random tables, written in each format and read back."""

from __future__ import annotations

import gzip

import numpy as np
import reader_writers as files
from hypothesis import given, settings
from hypothesis import strategies as st

from noisebench.datasets.readers import read

NUMBER = st.floats(allow_nan=False, allow_infinity=False)
WORD = st.text("abzé_-.0", min_size=1, max_size=4)
# Signs that some format gives a meaning, with blanks at the ends taken off as readers do.
TEXT = st.text("ab?,;:'\"\\%#@{}[]\n\r é\u2028", min_size=1, max_size=6).map(
    lambda text: text.strip(" ") or "x"
)
NONEMPTY = TEXT.filter(lambda text: text not in ("?", "NA"))
EXAMPLES = settings(max_examples=60, deadline=None)


@st.composite
def tables(draw: st.DrawFn, text: st.SearchStrategy[str] = NONEMPTY) -> list[list[object]]:
    """Columns of one length, each of numbers or of text, with gaps; the last, a label, has none."""
    n_rows = draw(st.integers(1, 6))

    def column(values: st.SearchStrategy[object]) -> list[object]:
        return draw(st.lists(values, min_size=n_rows, max_size=n_rows))

    features = [
        column(st.none() | (NUMBER if numeric else text))
        for numeric in draw(st.lists(st.booleans(), min_size=1, max_size=4))
    ]
    return [*features, column(text)]


@st.composite
def matrices(draw: st.DrawFn, values: st.SearchStrategy[float] = NUMBER) -> np.ndarray:
    shape = draw(st.tuples(st.integers(1, 6), st.integers(1, 5)))
    flat = draw(st.lists(values, min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]))
    return np.array(flat, dtype=float).reshape(shape)


def is_text(column: list[object]) -> bool:
    return any(isinstance(value, str) for value in column)


@EXAMPLES
@given(tables(), st.sampled_from(["\n", "\r\n"]), st.sampled_from([",", ";", "\t"]), st.booleans())
def test_csv(columns: list[list[object]], newline: str, delimiter: str, packed: bool) -> None:
    data = files.write_csv(columns, delimiter=delimiter, newline=newline)
    text = [i for i, column in enumerate(columns[:-1]) if is_text(column)]
    data = gzip.compress(data) if packed else data
    table = read(data, "csv", delimiter=delimiter, categorical=text)
    assert files.list_columns(table) == columns[:-1]
    assert table.target.tolist() == columns[-1]


@EXAMPLES
@given(tables(NONEMPTY.filter(lambda text: not set(text) & set("\n\r"))))
def test_csv_parted_by_white_space(columns: list[list[object]]) -> None:
    data = files.write_csv(columns, delimiter=" ").replace(b"\n", b"  \n ")
    text = [i for i, column in enumerate(columns[:-1]) if is_text(column)]
    table = read(data, "csv", delimiter=" ", categorical=text)
    assert files.list_columns(table) == columns[:-1]
    assert table.target.tolist() == columns[-1]


@EXAMPLES
@given(tables(), st.data())
def test_csv_with_header_and_label_anywhere(
    columns: list[list[object]], data: st.DataObject
) -> None:
    names = [f"n{i}" for i in range(len(columns))]
    place = data.draw(st.integers(0, len(columns) - 1))
    moved = [*columns[:-1]]
    moved.insert(place, columns[-1])
    content = files.write_csv(moved, header=names)
    table = read(content, "csv", header=True, label=f"n{place}", categorical="all")
    assert list(table.features) == [name for name in names if name != f"n{place}"]
    assert table.target.tolist() == columns[-1]


@EXAMPLES
@given(matrices(), st.data())
def test_libsvm(features: np.ndarray, data: st.DataObject) -> None:
    labels = data.draw(st.lists(st.integers(-3, 3), min_size=len(features), max_size=len(features)))
    content = files.write_libsvm(features, labels)
    table = read(content, "libsvm", n_features=features.shape[1])
    np.testing.assert_array_equal(table.features.to_numpy(), features)
    assert table.target.tolist() == [str(label) for label in labels]


def values_of(columns: list[list[object]]) -> list[list[str]]:
    """The distinct values of each text column, with one that never occurs."""
    return [
        [*sorted({value for value in column if value is not None}), "never"]
        for column in columns
        if is_text(column)
    ]


@EXAMPLES
@given(tables(TEXT), st.sampled_from(["arff", "keel"]))
def test_dense_declared(columns: list[list[object]], dialect: str) -> None:
    data = files.write_declared(columns, dialect=dialect, values_of=values_of(columns))
    table = read(data, dialect)
    assert files.list_columns(table) == columns[:-1]
    assert table.target.tolist() == columns[-1]
    assert list(table.features) == [f"a{i}" for i in range(len(columns) - 1)]


@EXAMPLES
@given(tables(TEXT))
def test_sparse_arff(columns: list[list[object]]) -> None:
    table = read(files.write_sparse_arff(columns, values_of(columns)), "arff")
    assert files.list_columns(table) == columns[:-1]
    assert table.target.tolist() == columns[-1]


@EXAMPLES
@given(matrices(NUMBER | st.just(np.nan)), st.data())
def test_ucr(features: np.ndarray, data: st.DataObject) -> None:
    labels = data.draw(
        st.lists(st.sampled_from(["1", "-1", "up"]), min_size=len(features), max_size=len(features))
    )
    table = read(files.write_ucr(features.tolist(), labels), "ucr")
    np.testing.assert_array_equal(table.features.to_numpy(), features)
    assert table.target.tolist() == labels


@EXAMPLES
@given(
    st.lists(
        st.tuples(WORD, st.lists(NUMBER | st.just(np.nan), min_size=1, max_size=5)),
        min_size=1,
        max_size=6,
    )
)
def test_ts(rows: list[tuple[str, list[float]]]) -> None:
    labels, series = [label for label, _ in rows], [values for _, values in rows]
    table = read(files.write_ts(series, labels), "ts")
    width = max(map(len, series))
    padded = [values + [np.nan] * (width - len(values)) for values in series]
    np.testing.assert_array_equal(table.features.to_numpy(), padded)
    assert table.target.tolist() == labels


@EXAMPLES
@given(st.binary(min_size=12, max_size=12), st.sampled_from([(1, 3, 4), (3, 2, 2), (12, 1, 1)]))
def test_idx(pixels: bytes, shape: tuple[int, int, int]) -> None:
    images = np.frombuffer(pixels, np.uint8).reshape(shape)
    labels = images[:, 0, 0]
    table = read(files.write_idx(images), "idx", labels=files.write_idx(labels))
    np.testing.assert_array_equal(table.features.to_numpy(), images.reshape(shape[0], -1))
    assert table.target.tolist() == [str(label) for label in labels]


@EXAMPLES
@given(matrices(NUMBER | st.just(0.0)), st.booleans(), st.booleans(), st.data())
def test_mat(features: np.ndarray, packed: bool, thin: bool, data: st.DataObject) -> None:
    labels = np.array(
        data.draw(st.lists(st.integers(-9, 9), min_size=len(features), max_size=len(features)))
    )
    table = read(files.write_mat(features, labels, packed=packed, thin=thin), "mat")
    np.testing.assert_array_equal(table.features.to_numpy(), features)
    assert table.target.tolist() == [str(label) for label in labels]


@EXAMPLES
@given(matrices(NUMBER | st.just(np.nan)), st.booleans(), st.sampled_from("CF"), st.data())
def test_npz(features: np.ndarray, packed: bool, order: str, data: st.DataObject) -> None:
    labels = data.draw(st.lists(WORD, min_size=len(features), max_size=len(features)))
    content = files.write_npz(np.array(features, order=order), np.array(labels), packed=packed)
    table = read(content, "npz")
    np.testing.assert_array_equal(table.features.to_numpy(), features)
    assert table.target.tolist() == labels


@EXAMPLES
@given(tables(TEXT | st.just("")), st.booleans())
def test_parquet(columns: list[list[object]], packed: bool) -> None:
    columns = [column for column in columns if any(value is not None for value in column)]
    columns.insert(0, [0.5] * len(columns[0]))
    data = files.write_parquet(columns, packed=packed)
    table = read(data, "parquet", label=f"c{len(columns) - 1}")
    assert files.list_columns(table) == columns[:-1]
    assert table.target.tolist() == columns[-1]


@EXAMPLES
@given(
    st.lists(
        st.tuples(WORD, st.text(max_size=12).filter(lambda text: not set(text) & set("\n\r\0"))),
        min_size=1,
        max_size=6,
    )
)
def test_text(rows: list[tuple[str, str]]) -> None:
    labels, messages = [label for label, _ in rows], [message for _, message in rows]
    table = read(files.write_text(messages, labels), "text")
    assert table.features["text"].tolist() == messages
    assert table.target.tolist() == labels
