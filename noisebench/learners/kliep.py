"""The noisy class posterior by density-ratio matching (KLIEP)."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from noisebench.learners.gaussian import Distances

#: Kernel centres per class.
_CENTERS = 100

#: How close to the best the mean log ratio must come, and in how many steps at most.
_GAP, _STEPS = 1e-10, 200

#: A point that no kernel reaches by more than this says nothing about the coefficients.
_REACH = 1e-100


def fit_ratio(kernel: np.ndarray, member: np.ndarray) -> np.ndarray:
    """Return the ratio r(x) of one class's density to that of all points, at every point.

    Sugiyama et al.'s procedure: r(x) = Σ aₗ K(x, cₗ) with a ≥ 0 that maximises the sum of log r
    over the class, subject to a mean of r over all points of 1. With each kernel divided by its
    mean, the constraint says that the coefficients sum to 1.

    Parameters
    ----------
    kernel : (point, centre)
        The kernel of each point with the centres, which are points of the class.
    member : (point,)
        Who belongs to the class.

    Examples
    --------
    Where classes do not overlap, the ratio of one is the number of points over its own.

    >>> kernel = np.array([[1.0, 0.5], [0.5, 1.0], [0.0, 0.0]])
    >>> fit_ratio(kernel, np.array([True, True, False])).round(6)
    array([1.5, 1.5, 0. ])
    """
    scaled = kernel / kernel.mean(axis=0)
    own = scaled[member]
    return scaled @ fit_mixture(own[own.max(axis=1) > _REACH])


def fit_mixture(densities: np.ndarray) -> np.ndarray:
    """Return the proportions of a mixture that maximise the mean log-likelihood of its points.

    Without the constraint on their sum the proportions c ≥ 0 maximise mean log(densities·c) − Σc:
    for a given direction that is largest at a sum of 1. Solved by a primal-dual interior-point
    method, which stays clear of the bounds, where the logarithm of an outlier would end.

    Parameters
    ----------
    densities : (point, component)
        Not negative, and not all zero for any point.

    Examples
    --------
    >>> fit_mixture(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])).round(6)
    array([0.666667, 0.333333])
    """
    size = densities.shape[1]
    proportions, slacks = np.full(size, 1.0 / size), np.ones(size)
    for _ in range(_STEPS):
        shares = densities / (densities @ proportions)[:, None]
        gradient = 1.0 - shares.mean(axis=0)
        complement = proportions @ slacks
        if max(complement, -gradient.min()) < _GAP:
            break
        target = 0.1 * complement / size
        hessian = shares.T @ shares / len(shares) + np.diag(slacks / proportions)
        step = cho_solve(cho_factor(hessian), target / proportions - gradient)
        slack_step = (target - slacks * step) / proportions - slacks
        proportions = proportions + _reach_of(proportions, step) * step
        slacks = slacks + _reach_of(slacks, slack_step) * slack_step
    return proportions / proportions.sum()


def _reach_of(values: np.ndarray, step: np.ndarray) -> float:
    """Return the share of a step, at most all, that leaves positive values positive."""
    falling = step < 0
    return min(1.0, 0.99 * np.min(values[falling] / -step[falling], initial=np.inf))


def estimate_posterior(
    distances: Distances, signs: np.ndarray, width: float, rng: np.random.Generator
) -> np.ndarray:
    """Return P(label +1 | x) of the labels as they are, noise included, at every point.

    Each class's share times its density ratio, the two normalised to sum 1; the centres of a
    class's ratio are its first 100 points in a random order. A point beyond the reach of all
    kernels gets the class shares.
    """
    order = rng.permutation(len(signs))
    everyone = np.arange(len(signs))
    joint = np.zeros((2, len(signs)))
    for side, sign in enumerate((-1.0, 1.0)):
        member = signs == sign
        if member.any():
            centers = order[member[order]][:_CENTERS]
            ratio = fit_ratio(distances.kernel(everyone, centers, width), member)
            joint[side] = member.mean() * ratio
    total = joint.sum(axis=0)
    known = total > 0
    return np.where(known, joint[1] / np.where(known, total, 1.0), (signs > 0).mean())
