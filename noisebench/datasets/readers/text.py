"""Labelled messages: ``label<TAB>message``, one a line."""

from __future__ import annotations

import pandas as pd

from noisebench.datasets.readers.options import Encoding
from noisebench.datasets.readers.source import BLANKS, Source
from noisebench.datasets.table import Table


def read_text(source: Source, *, encoding: Encoding = "utf-8") -> Table:
    r"""Read messages into one text column, ``text``, each as it stands.

    Only ``\n`` ends a line (a ``\r`` before it belongs to the line end), because messages hold
    other separators; the first tab of a line ends the label.

    >>> table = read_text(Source(b"ham\tsee you\nspam\twin now!\n", "toy", 100))
    >>> table.features["text"].tolist(), table.target.tolist()
    (['see you', 'win now!'], ['ham', 'spam'])
    """
    labels, messages = [], []
    for number, line in enumerate(source.text(encoding).split("\n"), start=1):
        line = line.removesuffix("\r")
        if not line:
            continue
        label, tab, message = line.partition("\t")
        if not tab or not label.strip(BLANKS):
            raise source.error("has no label with a tab after it.", number)
        labels.append(label.strip(BLANKS))
        messages.append(message)
    if not labels:
        raise source.error("has no rows; fetch it again.")
    return Table(
        pd.DataFrame({"text": pd.Series(messages, dtype=object)}),
        pd.Series(labels, dtype=object, name="label"),
    )
