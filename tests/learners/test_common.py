"""scikit-learn's own checks over every learner of the package."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from noisebench import learners

REGISTRY = [getattr(learners, name)() for name in learners.__all__]


@pytest.mark.filterwarnings("ignore:Can't initialize")
@parametrize_with_checks(REGISTRY)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)
