"""Significance: every p-value, rank and win/tie/loss count of the harness, as pure functions."""

from noisebench.statistics.bayes import BayesResult, bayesian_t, bayesian_t_from_summary
from noisebench.statistics.comparisons import TESTS, Compare, Comparison
from noisebench.statistics.counts import Counts, Outcome, win_tie_loss
from noisebench.statistics.posthoc import (
    ControlResult,
    critical_difference,
    friedman_holm,
    holm,
    nemenyi,
)
from noisebench.statistics.ranks import FriedmanResult, average_ranks, friedman
from noisebench.statistics.ttests import TestResult, corrected_t, paired_t
from noisebench.statistics.wilcoxon import WilcoxonResult, wilcoxon_signed_rank

__all__ = [
    "TESTS",
    "BayesResult",
    "Compare",
    "Comparison",
    "ControlResult",
    "Counts",
    "FriedmanResult",
    "Outcome",
    "TestResult",
    "WilcoxonResult",
    "average_ranks",
    "bayesian_t",
    "bayesian_t_from_summary",
    "corrected_t",
    "critical_difference",
    "friedman",
    "friedman_holm",
    "holm",
    "nemenyi",
    "paired_t",
    "wilcoxon_signed_rank",
    "win_tie_loss",
]
