"""Learners as plain scikit-learn classifiers, of use without the harness too."""

from noisebench.learners.neighbors import KNN, RobustKNN

__all__ = ["KNN", "RobustKNN"]
