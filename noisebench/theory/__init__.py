"""What the papers prove, as functions: misled points, limits of errors, and their bounds."""

from noisebench.theory.assumptions import check_lipschitz, check_margin, check_range
from noisebench.theory.gao import bound_1nn, bound_knn, bound_rknn, bound_symmetric, find_margin
from noisebench.theory.misled import (
    bayes_error,
    corrupt_eta,
    is_hard,
    is_misled,
    limit_1nn,
    limit_knn,
)
from noisebench.theory.reeve_kaban import (
    excess_risk,
    excess_risk_at_best,
    maximum_error,
    pointwise_error,
    rate_exponent,
    theory_neighbors,
)

__all__ = [
    "bayes_error",
    "bound_1nn",
    "bound_knn",
    "bound_rknn",
    "bound_symmetric",
    "check_lipschitz",
    "check_margin",
    "check_range",
    "corrupt_eta",
    "excess_risk",
    "excess_risk_at_best",
    "find_margin",
    "is_hard",
    "is_misled",
    "limit_1nn",
    "limit_knn",
    "maximum_error",
    "pointwise_error",
    "rate_exponent",
    "theory_neighbors",
]
