"""Win, tie or loss: the outcome of one comparison, and counts of many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

from noisebench.errors import InputError
from noisebench.statistics.samples import check_share

#: Always seen from the first method: a win says that its scores are significantly larger.
Outcome = Literal["win", "tie", "loss"]


class Counts(NamedTuple):
    """Numbers of wins, ties and losses of a first method against a second.

    >>> str(Counts(win=39, tie=16, loss=5))
    '39/16/5'
    """

    win: int
    tie: int
    loss: int

    def __str__(self) -> str:
        return f"{self.win}/{self.tie}/{self.loss}"


def win_tie_loss(outcomes: Iterable[str]) -> Counts:
    """Count outcomes, one for each data set and noise setting.

    >>> win_tie_loss(["win", "tie", "win"])
    Counts(win=2, tie=1, loss=0)
    """
    found = Counter(outcomes)
    unknown = found.keys() - set(get_args(Outcome))
    if unknown:
        given = min(unknown, key=str)
        raise InputError(f"outcomes must be 'win', 'tie' or 'loss', got {given!r}.")
    return Counts(found["win"], found["tie"], found["loss"])


def decide(p_value: float, direction: float, alpha: float) -> Outcome:
    """Return the outcome of a test whose effect has the sign of ``direction``.

    >>> decide(p_value=0.016, direction=0.02, alpha=0.05)
    'win'
    """
    significant = p_value < check_share("alpha", alpha)
    return name_direction(direction) if significant else "tie"


def name_direction(direction: float) -> Outcome:
    """Return ``"win"`` for a positive, ``"loss"`` for a negative direction, else ``"tie"``."""
    if direction == 0:
        return "tie"
    return "win" if direction > 0 else "loss"
