"""Columns of a file by name or position: the label, the features, and those left out."""

from __future__ import annotations

from collections.abc import Sequence

from noisebench.datasets.readers.options import Column
from noisebench.datasets.readers.source import Source, show
from noisebench.errors import did_you_mean


def find_column(source: Source, names: Sequence[str], wanted: Column) -> int:
    """Return the position of the one column that ``wanted`` names."""
    if isinstance(wanted, int):
        if not -len(names) <= wanted < len(names):
            raise source.error(
                f"has no column {wanted}; its {len(names)} columns count from 0, or from -1 "
                f"backwards."
            )
        return wanted % len(names)
    hits = [position for position, name in enumerate(names) if name == wanted]
    if len(hits) > 1:
        raise source.error(
            f"has {len(hits)} columns named {show(wanted)}, at {', '.join(map(str, hits))}; "
            f"give the position instead of the name."
        )
    if not hits:
        raise source.error(f"has no column {show(wanted)}. {did_you_mean(wanted, names)}")
    return hits[0]


def select_columns(
    source: Source, names: Sequence[str], label: Column, drop: Sequence[Column]
) -> tuple[int, list[int]]:
    """Return the position of the label and the positions of the features."""
    target = find_column(source, names, label)
    dropped = {find_column(source, names, column) for column in drop}
    if target in dropped:
        raise source.error(f"column {show(names[target])} is the label and cannot be dropped.")
    kept = [i for i in range(len(names)) if i != target and i not in dropped]
    if not kept:
        raise source.error("has no feature column beside the label; check delimiter and drop.")
    check_names(source, [names[i] for i in kept])
    return target, kept


def check_names(source: Source, names: Sequence[str]) -> None:
    """Refuse two columns of one name, which a data frame could not tell apart."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise source.error(f"has two columns named {show(name)}; drop or rename one.")
        seen.add(name)
