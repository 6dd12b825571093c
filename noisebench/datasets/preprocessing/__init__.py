"""Preprocessing: steps on the whole table, and scikit-learn transformers of its features.

Whatever scikit-learn does exactly as needed (StandardScaler, SimpleImputer, Normalizer …) is
named in the YAML files directly.
"""

from noisebench.datasets.preprocessing.classes import (
    BinariseTarget,
    GroupClasses,
    MergeClasses,
    SelectClasses,
)
from noisebench.datasets.preprocessing.columns import DropColumns, DropConstant, OneHot, RangeScaler
from noisebench.datasets.preprocessing.pipeline import preprocess, transform_fold
from noisebench.datasets.preprocessing.rows import DropIncomplete, FirstRows, Subsample
from noisebench.datasets.preprocessing.series import NormaliseSeries
from noisebench.datasets.preprocessing.step import TableStep
from noisebench.datasets.preprocessing.text import CosineDistances, GramTfidf

__all__ = [
    "BinariseTarget",
    "CosineDistances",
    "DropColumns",
    "DropConstant",
    "DropIncomplete",
    "FirstRows",
    "GramTfidf",
    "GroupClasses",
    "MergeClasses",
    "NormaliseSeries",
    "OneHot",
    "RangeScaler",
    "SelectClasses",
    "Subsample",
    "TableStep",
    "preprocess",
    "transform_fold",
]
