"""KEEL's .dat files: ARFF's layout with ranges, and lists of input and output attributes."""

from __future__ import annotations

from collections.abc import Sequence

from noisebench.datasets.readers.arff import read_rows, strip_lines
from noisebench.datasets.readers.columns import find_column
from noisebench.datasets.readers.declarations import Header, read_header, split_values
from noisebench.datasets.readers.options import Column, Encoding, Target
from noisebench.datasets.readers.source import Source
from noisebench.datasets.table import Table

KEYWORDS = {
    "relation": "relation",
    "attribute": "attribute",
    "input": "inputs",
    "inputs": "inputs",
    "output": "outputs",
    "outputs": "outputs",
    "data": "data",
}
MISSING = frozenset({"?", "<null>"})


def read_keel(
    source: Source,
    *,
    label: Column | None = None,
    drop: Sequence[Column] = (),
    target: Target = "class",
    encoding: Encoding = "utf-8",
) -> Table:
    """Read a KEEL file.

    The features are the attributes that ``@inputs`` lists, or all without that line. The range
    of a numeric attribute is not enforced, since values outside it are still values.

    Parameters
    ----------
    label : name or position of an attribute, optional
        By default the one that ``@outputs`` lists, or else the last.
    drop : list of names or positions
        Attributes to leave out.
    target : "class" or "number"
        Whether the target is read as classes or as numbers.
    """
    lines = strip_lines(source, encoding)
    header = read_header(source, lines, KEYWORDS)
    names = [attribute.name for attribute in header.attributes]
    position = _choose_label(source, header, names, label)
    inputs = _list_positions(source, header, names, "inputs")
    if inputs is not None:
        others = (i for i in range(len(names)) if i not in inputs and i != position)
        drop = [*drop, *others]
    grid = read_rows(source, lines, header.attributes, MISSING)
    return grid.build_table(source, position, drop, target)


def _choose_label(
    source: Source, header: Header, names: Sequence[str], label: Column | None
) -> int:
    if label is not None:
        return find_column(source, names, label)
    outputs = _list_positions(source, header, names, "outputs")
    if outputs is None:
        return len(names) - 1
    if len(outputs) > 1:
        raise source.error(f"lists {len(outputs)} outputs; name one with the option label.")
    return outputs[0]


def _list_positions(
    source: Source, header: Header, names: Sequence[str], setting: str
) -> list[int] | None:
    if setting not in header.settings:
        return None
    line, text = header.settings[setting]
    try:
        listed = split_values(text, frozenset())
    except ValueError as error:
        raise source.error(f"{error}.", line) from error
    return [find_column(source, names, name) for name in listed]
