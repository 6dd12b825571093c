"""Parameters chosen on the test folds themselves: optimistic, and for comparison only.

Some published figures are nearer to such a choice than to one that a learner could make. Whoever
configures ``selection: outer`` gets it, under a label that says so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from noisebench.components import Component
from noisebench.engine.folds import FoldData
from noisebench.errors import InputError
from noisebench.learners import KNN, KNNCV, RobustKNN, RobustKNNCV
from noisebench.learners.cross_validation import pick_best
from noisebench.learners.hits import count_hits, count_hits_rknn


def choose_outer(learner: Any, part: Component, noise: Component, fold: FoldData) -> Any:
    """Return the learner with the values that are best over all test folds of the repeat.

    A learner that does not ask for it is returned as it is. Ties go to the smaller k, then to
    the smaller k′, as in a choice by cross-validation.
    """
    if getattr(learner, "selection", None) != "outer":
        return learner
    if not isinstance(learner, KNNCV | RobustKNNCV) or fold.job.table_depth is None:
        raise InputError(
            f"learner '{part.name}': selection=outer is for KNNCV and RobustKNNCV on the data "
            f"set's own neighbours; set selection=noisy."
        )
    grid = sorted(set(learner.grid))
    if isinstance(learner, KNNCV):
        n_classes = len(fold.data.classes)
        scores = [
            count_hits(one.neighbors.test, one.noisy_labels(noise), one.y_test, grid, n_classes)
            / len(one.y_test)
            for one in fold.siblings()
        ]
        return KNN(grid[pick_best(np.array(scores))], learner.metric)
    noise_grid = sorted(set(learner.noise_grid))
    scores = [
        count_hits_rknn(
            one.neighbors.test,
            one.neighbors.train,
            one.noisy_labels(noise),
            one.y_test,
            grid,
            noise_grid,
        ).ravel()
        / len(one.y_test)
        for one in fold.siblings()
    ]
    place, noise_place = divmod(pick_best(np.array(scores)), len(noise_grid))
    return RobustKNN(grid[place], noise_grid[noise_place], learner.metric)
