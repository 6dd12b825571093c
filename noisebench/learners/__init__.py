"""Learners as plain scikit-learn classifiers, of use without the harness too."""

from noisebench.learners.importance import ImportanceReweightedLogistic, ImportanceReweightedSVM
from noisebench.learners.label_dependent import LabelDependentSVM
from noisebench.learners.multiclass import TransitionKNN
from noisebench.learners.neighbors import KNN, RobustKNN
from noisebench.learners.online import AROW, NHERD
from noisebench.learners.plugin import PlugInKNN
from noisebench.learners.selection import KNNCV, RobustKNNCV
from noisebench.learners.unbiased import UnbiasedLogistic

__all__ = [
    "AROW",
    "KNN",
    "KNNCV",
    "NHERD",
    "ImportanceReweightedLogistic",
    "ImportanceReweightedSVM",
    "LabelDependentSVM",
    "PlugInKNN",
    "RobustKNN",
    "RobustKNNCV",
    "TransitionKNN",
    "UnbiasedLogistic",
]
