"""The errors that a user can cause, each one sentence with its remedy."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """What was asked for cannot be done as asked; the message says what would be right."""


class DataError(InputError):
    """A data set is missing, damaged, or not the table that its entry describes."""


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """Return a hint that names the known words nearest to ``given``, or all of a short list.

    >>> did_you_mean("rkn", ["knn", "rknn", "svm"])
    'Did you mean rknn or knn?'
    >>> did_you_mean("forest", ["knn", "rknn"])
    'Known: knn, rknn.'
    """
    known = sorted(set(known))
    by_lower = {word.lower(): word for word in known}
    matches = difflib.get_close_matches(given.lower(), by_lower, n=3, cutoff=0.6)
    near = [by_lower[word] for word in matches]
    if near:
        return f"Did you mean {' or '.join(near)}?"
    shown = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
    return f"Known: {shown}." if known else "None are known."
