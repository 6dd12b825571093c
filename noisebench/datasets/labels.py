"""Class labels: renamed from a source's words to the catalogue's, and put into an order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from noisebench.datasets.readers.decimals import is_number, name_classes


def canonical(label: object) -> str:
    """Return a label as text; numbers that are equal become equal texts.

    >>> [canonical(label) for label in ("+1", "1.0", 1, "yes ", "-0")]
    ['1', '1', '1', 'yes', '0']
    """
    text = str(label).strip()
    return name_classes([float(text)])[0] if is_number(text) else text


def rename_labels(target: pd.Series, names: Mapping[object, object] | None) -> pd.Series:
    """Replace labels by the catalogue's names; a label without one stays as it is.

    Two labels may get the same name, which makes one class of them.

    >>> rename_labels(pd.Series(["-1", "1"]), {"-1": "absent", "+1": "present"}).tolist()
    ['absent', 'present']
    """
    if not names:
        return target
    exact = {str(old): str(new) for old, new in names.items()}
    loose = {canonical(old): str(new) for old, new in names.items()}
    table = {
        old: exact.get(str(old), loose.get(canonical(old), str(old))) for old in pd.unique(target)
    }
    renamed = [table[old] for old in target]
    return pd.Series(renamed, index=target.index, dtype=object, name=target.name)


def is_quantity(target: pd.Series) -> bool:
    """Tell whether a target holds numbers still to be binarised, not classes."""
    return bool(pd.api.types.is_float_dtype(target))


def order_classes(target: pd.Series, listed: Iterable[object] | None = None) -> pd.Series:
    """Return the labels as a categorical column; its categories stand in the order of the codes.

    The order is that of ``listed``, which makes the last of two classes the positive one. Where
    nothing is listed, numbers are ordered as numbers and words as words.

    >>> order_classes(pd.Series(["10", "9"])).cat.categories.tolist()
    ['9', '10']
    """
    labels = target.astype(str)
    order = _natural_order(pd.unique(labels)) if listed is None else [str(c) for c in listed]
    return make_classes(labels.tolist(), order, target)


def make_classes(labels: Sequence[str], classes: Sequence[str], like: pd.Series) -> pd.Series:
    """Return labels as a categorical column over ``classes``, with the index of ``like``."""
    kind = pd.CategoricalDtype(list(classes))
    return pd.Series(list(labels), index=like.index, name=like.name, dtype=kind)


def class_names(target: pd.Series) -> list[str]:
    """Return the classes of a target in the order of their codes."""
    if isinstance(target.dtype, pd.CategoricalDtype):
        return [str(label) for label in target.cat.categories]
    return class_names(order_classes(target))


def _natural_order(labels: Iterable[str]) -> list[str]:
    labels = [str(label) for label in labels]
    return sorted(labels, key=float) if all(map(is_number, labels)) else sorted(labels)
