"""Messages as weighted character grams, and the angles between them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import normalize
from sklearn.utils.validation import check_is_fitted


class GramTfidf(TransformerMixin, BaseEstimator):
    """Character n-grams of messages, weighted by f · log(n/df).

    f is how often a gram occurs in the message, n the number of messages seen in `fit` and df in
    how many of them the gram occurs; grams that `fit` has not seen are dropped. Messages are
    lower-cased, blanks count as characters, and a message shorter than a gram is one gram.

    Parameters
    ----------
    length : int, default=4
        The number of characters of a gram.

    Attributes
    ----------
    weights_ : ndarray
        log(n/df) of each gram, in the order of ``vocabulary_``.
    vocabulary_ : dict
        The column of each gram.

    Examples
    --------
    >>> tfidf = GramTfidf().fit(["Hello", "hell", "hi"])
    >>> sorted(tfidf.vocabulary_)
    ['ello', 'hell', 'hi']
    >>> tfidf.transform(["Hello hello"]).toarray().round(3)
    array([[2.197, 0.811, 0.   ]])
    """

    def __init__(self, length: int = 4) -> None:
        self.length = length

    def fit(self, X: Any, y: Any = None) -> GramTfidf:
        counter = CountVectorizer(analyzer=self._cut)
        counts = counter.fit_transform(_messages(X))
        self.vocabulary_ = counter.vocabulary_
        self.weights_ = np.log(counts.shape[0] / np.bincount(counts.indices))
        return self

    def transform(self, X: Any) -> sparse.csr_matrix:
        check_is_fitted(self)
        counter = CountVectorizer(analyzer=self._cut, vocabulary=self.vocabulary_)
        counts = counter.transform(_messages(X)).astype(np.float64)
        return (counts @ sparse.diags(self.weights_)).tocsr()

    def _cut(self, message: str) -> list[str]:
        text = message.lower()
        last = max(len(text) - self.length, 0)
        return [text[start : start + self.length] for start in range(last + 1)]


class CosineDistances(TransformerMixin, BaseEstimator):
    """Distances 1 − cos from each row to each row of the training part, as a dense matrix.

    Makes sparse rows usable for learners that take a matrix of distances
    (``metric: precomputed``). A row of zeros has the distance 1 to every other.

    Examples
    --------
    >>> CosineDistances().fit_transform(np.array([[2.0, 0.0], [0.0, 3.0]]))
    array([[0., 1.],
           [1., 0.]])
    """

    def fit(self, X: Any, y: Any = None) -> CosineDistances:
        self.directions_ = normalize(X)
        return self

    def transform(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        cosines = normalize(X) @ self.directions_.T
        dense = cosines.toarray() if sparse.issparse(cosines) else np.asarray(cosines)
        return np.asarray(np.maximum(1.0 - dense, 0.0))


def _messages(X: Any) -> list[str]:
    """Return the messages of a list, or of a table with one column of text."""
    array = np.asarray(X)
    if array.dtype.kind not in "UO" or not (array.ndim == 1 or array.shape[1:] == (1,)):
        raise ValueError(
            f"X must be messages: a list of strings or one column of them, got {array.dtype} of "
            f"shape {array.shape}."
        )
    return [str(message) for message in array.ravel()]
