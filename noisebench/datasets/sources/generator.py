"""Data sets that are drawn, not stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from noisebench.datasets import generators
from noisebench.datasets.sources.base import Source
from noisebench.datasets.table import Table
from noisebench.errors import InputError, did_you_mean
from noisebench.seeds import rng_for


class GeneratorSource(Source):
    """A function of `noisebench.datasets.generators`, or any importable one like it.

    Parameters
    ----------
    function : str
        A generator's name, or the dotted path of a function that takes ``rng`` and returns
        features and integer labels.
    seed : int, default=0
        Decides the draw. It belongs to the data set, not to the experiment: the set stays the
        same for all seeds of an experiment.
    labels, notes, expect
        See `Source`.
    **parameters
        Passed on to the function.

    Examples
    --------
    >>> GeneratorSource("twonorm", n_samples=4).load().features.shape
    (4, 20)
    """

    def __init__(
        self,
        function: str,
        seed: int = 0,
        labels: Mapping[Any, Any] | None = None,
        notes: str = "",
        expect: Mapping[str, Any] | None = None,
        **parameters: Any,
    ) -> None:
        self.function = function
        self.seed = seed
        self.labels = labels
        self.notes = notes
        self.expect = expect
        self.parameters = parameters

    def describe(self) -> str:
        return f"generated ({self.function}, draw {self.seed})"

    def load(self) -> Table:
        rng = rng_for(self.seed, "generator", function=self.function)
        try:
            X, y = self._resolve()(**self.parameters, rng=rng)
        except TypeError as error:
            raise InputError(f"Generator '{self.function}': {error}.") from error
        return Table(pd.DataFrame(X), pd.Series([str(label) for label in y]))

    def _resolve(self) -> Callable[..., Any]:
        if "." in self.function:
            from noisebench.components import locate

            found: Callable[..., Any] = locate(self.function, "dataset")
            return found
        known = generators.__all__
        if self.function not in known:
            hint = did_you_mean(self.function, known)
            raise InputError(f"There is no generator '{self.function}'. {hint}")
        function: Callable[..., Any] = getattr(generators, self.function)
        return function
