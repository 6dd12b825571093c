"""Linear logistic regression with weights and a linear term for each point."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.exceptions import ConvergenceWarning

_ITERATIONS = 2000

#: A slope this small, relative to the weights, is none.
_FLAT = 1e-12


def logistic_objective(
    params: np.ndarray,
    X: np.ndarray,
    signs: np.ndarray,
    weights: np.ndarray,
    pulls: np.ndarray,
    ridge: float,
) -> tuple[float, np.ndarray]:
    """Return Σ [weightᵢ l(tᵢ, yᵢ) − pullᵢ yᵢ tᵢ] + ridge/2 ‖w‖² and its gradient.

    Here l(t, y) = log(1 + exp(−y t)), t = w·x + b, and ``params`` is w with b at its end.

    >>> one = np.ones(1)
    >>> value, gradient = logistic_objective(np.zeros(2), one[:, None], one, one, 0 * one, 1.0)
    >>> round(float(value), 6), gradient
    (0.693147, array([-0.5, -0.5]))
    """
    margins = signs * (X @ params[:-1] + params[-1])
    value = weights @ np.logaddexp(0.0, -margins) - pulls @ margins
    slopes = -signs * (weights * expit(-margins) + pulls)
    gradient = np.append(X.T @ slopes + ridge * params[:-1], slopes.sum())
    return value + 0.5 * ridge * params[:-1] @ params[:-1], gradient


def fit_logistic(
    X: np.ndarray,
    signs: np.ndarray,
    weights: np.ndarray,
    pulls: np.ndarray,
    ridge: float,
    start: np.ndarray | None = None,
) -> np.ndarray:
    """Return the coefficients, the intercept at their end, that minimise `logistic_objective`.

    The intercept carries no ridge. Where it could improve the objective for ever, because the
    weights speak for one class only, the answer is that class: coefficients 0, intercept ±1.

    >>> X, signs = np.array([[0.0], [1.0], [3.0]]), np.array([-1.0, -1.0, 1.0])
    >>> fit_logistic(X, signs, np.ones(3), np.zeros(3), ridge=1.0).round(4)
    array([ 0.8481, -1.985 ])
    """
    total = weights.sum()
    # The slope of the objective for a large positive, and for a large negative intercept.
    rise = (weights + pulls)[signs < 0].sum() - pulls[signs > 0].sum()
    fall = (weights + pulls)[signs > 0].sum() - pulls[signs < 0].sum()
    if min(rise, fall) <= _FLAT * total:
        return np.append(np.zeros(X.shape[1]), np.sign(fall - rise))
    found = minimize(
        logistic_objective,
        np.zeros(X.shape[1] + 1) if start is None else start,
        args=(X, signs, weights / total, pulls / total, ridge / total),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": _ITERATIONS, "maxfun": 2 * _ITERATIONS, "ftol": 1e-14, "gtol": 1e-8},
    )
    if found.status == 1:
        warnings.warn(
            f"L-BFGS has not converged after {found.nit} iterations; scale the features.",
            ConvergenceWarning,
            stacklevel=2,
        )
    return found.x
