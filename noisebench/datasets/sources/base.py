"""What a source owes the catalogue: a table, or one sentence on why it has none."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from noisebench.datasets.table import Table
from noisebench.errors import DataError


class SourceUnavailable(DataError):
    """A source cannot deliver here and now; the message says why and what would help."""


class Source(ABC):
    """One place that a data set can come from.

    Attributes
    ----------
    labels : mapping, optional
        From the labels that this source delivers to the class names of the entry.
    notes : str
        What this source rounds or leaves out.
    expect : mapping, optional
        Where this source delivers a declared variant: what differs from the entry's ``expect``.
    """

    labels: Mapping[Any, Any] | None = None
    notes: str = ""
    expect: Mapping[str, Any] | None = None

    @abstractmethod
    def describe(self) -> str:
        """Return where the data come from, in a few words."""

    @abstractmethod
    def load(self) -> Table:
        """Return the table, or raise SourceUnavailable."""

    def obstacle(self) -> str | None:
        """Return why `load` would fail here and now, as far as a quick look tells."""
        return None

    def needs_network(self) -> bool:
        """Tell whether `load` would have to download something."""
        return False
