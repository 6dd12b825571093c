"""Apache Parquet through pyarrow; what pandas stored about its objects is left alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from noisebench.datasets.readers.arrays import build_frame, list_labels
from noisebench.datasets.readers.columns import select_columns
from noisebench.datasets.readers.options import Column, Target
from noisebench.datasets.readers.source import Source, show
from noisebench.datasets.table import Table

_INDEX = re.compile(r"__index_level_[0-9]+__")


def read_parquet(
    source: Source, *, label: str, drop: Sequence[Column] = (), target: Target = "class"
) -> Table:
    """Read numbers, booleans (as 0 and 1) and strings; other types must be dropped.

    The column in which pandas keeps a nameless index is left out.

    Parameters
    ----------
    label : str
        The column of the target.
    drop : list of names or positions
        Columns to leave out.
    target : "class" or "number"
        Whether the target is read as classes or as numbers.
    """
    with source.guard("Parquet file"):
        file = _open(source, [])
        names = list(file.schema_arrow.names)
        index = [i for i, name in enumerate(names) if _INDEX.fullmatch(name)]
        position, kept = select_columns(source, names, label, [*drop, *index])
        _check_types(source, file.schema_arrow, [*kept, position])
        text = [field.name for field in file.schema_arrow if _is_text(field.type)]
        content = _open(source, text).read(use_threads=False)
        content.validate(full=True)
        if not content.num_rows:
            raise source.error("has no rows; fetch it again.")
        features = {names[i]: _convert(source, names[i], content.column(i)) for i in kept}
        labels = _convert_target(source, label, content.column(position), target)
        return Table(build_frame(features), labels)


def _open(source: Source, text: list[str]) -> pq.ParquetFile:
    """Open the file, with text kept as a code per row and a list of the distinct values.

    Otherwise a small file whose rows repeat one long value would fill the memory.
    """
    file = pq.ParquetFile(
        pa.BufferReader(source.data),
        read_dictionary=text,
        pre_buffer=False,
        page_checksum_verification=True,
    )
    about = file.metadata
    source.check_size(about.num_rows, about.num_columns)
    size = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
    if size > source.max_bytes:
        raise source.error(f"announces {size} bytes, more than max_bytes={source.max_bytes}.")
    return file


def _value_type(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_text(kind: pa.DataType) -> bool:
    kind = _value_type(kind)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_number(kind: pa.DataType) -> bool:
    kind = _value_type(kind)
    tests = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean, pa.types.is_decimal)
    return any(test(kind) for test in tests)


def _check_types(source: Source, schema: pa.Schema, positions: Sequence[int]) -> None:
    for position in positions:
        field = schema.field(position)
        if not _is_text(field.type) and not _is_number(field.type):
            raise source.error(
                f"column {show(field.name)} has the type {field.type}, which is neither a number "
                f"nor a string; drop or convert it."
            )


def _convert(source: Source, name: str, column: pa.ChunkedArray) -> np.ndarray:
    if _is_text(column.type):
        return _list_texts(column)
    values = _list_numbers(column)
    if np.isinf(values).any():
        row = int(np.argmax(np.isinf(values)))
        raise source.error(f"column {show(name)} is infinite in row {row} (from 0); mend it.")
    return values


def _list_texts(column: pa.ChunkedArray) -> np.ndarray:
    parts = []
    for chunk in column.dictionary_encode().chunks:
        # None stands last, where the code of a missing value is pointed to.
        values = np.array([*chunk.dictionary.to_pylist(), None], dtype=object)
        codes = chunk.indices.cast(pa.int64()).fill_null(len(values) - 1)
        parts.append(values[codes.to_numpy(zero_copy_only=False)])
    return np.concatenate(parts)


def _list_numbers(column: pa.ChunkedArray) -> np.ndarray:
    plain = column.cast(_value_type(column.type))
    if pa.types.is_boolean(plain.type):
        plain = plain.cast(pa.uint8())
    # A whole number beyond 2**53 is rounded, as it is when a decimal is read.
    return plain.cast(pa.float64(), safe=False).to_numpy().astype(np.float64)


def _convert_target(
    source: Source, name: str, column: pa.ChunkedArray, target: Target
) -> pd.Series:
    if column.null_count:
        row = column.is_null().to_pylist().index(True)
        raise source.error(f"row {row} (from 0) has no label in column {show(name)}.")
    if _is_text(column.type):
        if target == "number":
            raise source.error(f"column {show(name)} is text, so it cannot be a number to predict.")
        return pd.Series(_list_texts(column), dtype=object, name=name)
    values = _list_numbers(column)
    labels = list_labels(source, values)  # refuses NaN and infinity
    if target == "number":
        return pd.Series(values, name=name)
    if pa.types.is_integer(_value_type(column.type)):
        labels = [str(value) for value in column.to_pylist()]  # exact beyond 2**53
    return pd.Series(labels, dtype=object, name=name)
