"""Counting outcomes."""

from __future__ import annotations

import pytest

from noisebench.errors import InputError
from noisebench.statistics import Counts, win_tie_loss


def test_counts():
    counts = win_tie_loss(["win"] * 39 + ["loss"] * 5 + ["tie"] * 16)
    assert counts == Counts(win=39, tie=16, loss=5)
    assert str(counts) == f"{counts}" == "39/16/5"


def test_nothing_to_count():
    assert str(win_tie_loss([])) == "0/0/0"


def test_unknown_outcome():
    with pytest.raises(InputError, match="outcomes must be 'win', 'tie' or 'loss', got 'draw'"):
        win_tie_loss(["win", "draw"])
