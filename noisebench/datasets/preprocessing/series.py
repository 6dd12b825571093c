"""Time series, one a row."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import validate_data


class NormaliseSeries(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Give each row mean 0 and standard deviation 1; a row that does not vary becomes 0.

    Each row is scaled by itself, so there is nothing to learn. Padding (NaN at the end) counts
    for nothing and stays.

    Examples
    --------
    >>> NormaliseSeries().fit_transform([[1.0, 3.0], [5.0, 5.0]])
    array([[-1.,  1.],
           [ 0.,  0.]])
    """

    def fit(self, X: Any, y: Any = None) -> NormaliseSeries:
        validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        return self

    def transform(self, X: Any) -> np.ndarray:
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        centred = X - np.nanmean(X, axis=1, keepdims=True)
        spread = np.nanstd(X, axis=1, keepdims=True)
        # Rounding leaves a row of equal values a spread that is tiny but not always 0.
        varies = np.nanmax(X, axis=1, keepdims=True) > np.nanmin(X, axis=1, keepdims=True)
        return np.where(varies | np.isnan(X), centred / np.where(varies, spread, 1.0), 0.0)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        tags.input_tags.allow_nan = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return True
