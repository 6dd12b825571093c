"""What all tasks of a fold share: the split, its noisy labels, its features and neighbours."""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from noisebench.components import Component
from noisebench.datasets.preprocessing import transform_fold
from noisebench.engine.draws import draw_noise, splits_of
from noisebench.engine.geometry import fill_metric, graphs_for, open_table, shares_table
from noisebench.engine.plan import Job
from noisebench.engine.sharing import open_dataset
from noisebench.neighbors import Fold


class FoldData:
    """The data of one job, each piece computed when a task first asks for it."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.data = open_dataset(job.data)
        splits = splits_of(job.protocol.build(), self.data, job.seed, job.repeat)
        self.split = splits[job.fold]
        self._n_folds = len(splits)
        self._noisy: dict[str, np.ndarray] = {}

    @property
    def y_train(self) -> np.ndarray:
        """The clean labels of the training part, to count flips by."""
        return self.data.y[self.split.train]

    @property
    def y_test(self) -> np.ndarray:
        """The labels that predictions are scored by, always clean."""
        return self.data.y[self.split.test]

    def noisy_labels(self, noise: Component) -> np.ndarray:
        """Return the training labels under a noise model, the same for every learner."""
        if noise.name not in self._noisy:
            job = self.job
            self._noisy[noise.name] = draw_noise(
                noise, self.data, self.split, job.seed, job.repeat, job.fold
            )
        return self._noisy[noise.name].copy()

    def inputs(self, learner: Any, part: Component) -> tuple[Any, Any, bool]:
        """Return what a learner is fitted and asked with, and whether neighbours are shared.

        A neighbour learner that measures as its data set does gets the lists of the data set's
        table, all others the features, in copies of their own.
        """
        fill_metric(learner, part, self.data)
        if self.job.table_depth is None or not shares_table(learner, self.data):
            return *self._features(), False
        graphs = graphs_for(learner, self.neighbors)
        learner.set_params(metric="precomputed")
        return *graphs, True

    def _features(self) -> tuple[Any, Any]:
        if self.data.fold_steps:
            return copy.deepcopy(self._transformed)
        return self._parts()

    def _parts(self) -> tuple[np.ndarray, np.ndarray]:
        X, split = self.data.X, self.split
        return np.asarray(X[split.train]), np.asarray(X[split.test])

    @cached_property
    def _transformed(self) -> tuple[Any, Any]:
        """The features after the steps that learn from the training part."""
        return transform_fold(*self._parts(), self.data.fold_steps, self.data.name)

    def siblings(self) -> list[FoldData]:
        """Return all folds of the repeat, this one among them."""
        folds = range(self._n_folds)
        return [FoldData(replace(self.job, fold=f)) if f != self.job.fold else self for f in folds]

    @cached_property
    def neighbors(self) -> Fold:
        """The neighbour lists of the fold, cut from the data set's table."""
        job = self.job
        assert job.table_depth is not None
        table = open_table(job.data, job.table_depth)
        return table.restrict(self.split.train, self.split.test, job.list_length, n_threads=1)
