"""Machines against the dual problem that they solve, and the width of their kernel."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from noisebench.learners.gaussian import Distances, median_distance
from noisebench.learners.machines import fit_machines


def random_case(seed, n=None):
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(6, 30))
    X = rng.normal(size=(n, int(rng.integers(1, 4))))
    y = (X[:, 0] + rng.normal(size=n) > 0).astype(int)
    y[:2] = 0, 1
    return rng, X, y


def test_the_median_width():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    pairs = [np.linalg.norm(X[i] - X[j]) for i in range(50) for j in range(i)]
    assert median_distance(Distances.read(X, "euclidean"), rng) == pytest.approx(np.median(pairs))
    many = Distances(None, rng.normal(size=(3000, 3)), 3000)
    assert median_distance(many, rng) == pytest.approx(np.median(pairs), rel=0.1)


def test_the_median_width_where_points_coincide():
    rng = np.random.default_rng(0)
    mostly = Distances.read(np.array([[0.0], [0.0], [0.0], [0.0], [5.0]]), "euclidean")
    assert median_distance(mostly, rng) == 5.0
    assert median_distance(Distances.read(np.zeros((3, 1)), "euclidean"), rng) == 1.0
    assert median_distance(Distances.read(np.zeros((1, 1)), "euclidean"), rng) == 1.0


def slow_machine(gram, signs, box):
    """Solve the dual problem with a general optimiser and read the intercept off free points."""
    Q = gram * np.outer(signs, signs)
    found = minimize(
        lambda a: (0.5 * a @ Q @ a - a.sum(), Q @ a - 1),
        box / 2 * np.where(signs > 0, 1, (box[signs > 0].sum() / box[signs < 0].sum())),
        jac=True,
        method="SLSQP",
        bounds=[(0, bound) for bound in box],
        constraints={"type": "eq", "fun": lambda a: a @ signs, "jac": lambda a: signs},
        options={"maxiter": 500, "ftol": 1e-12},
    )
    a = found.x
    scores = gram @ (a * signs)
    free = (a > 1e-4 * box) & (a < box * (1 - 1e-4))
    return a, scores, (signs - scores)[free]


@pytest.mark.parametrize("seed", range(60))
def test_machines_solve_the_weighted_dual_problem(seed):
    rng, X, y = random_case(seed, n=12)
    signs, box = 2.0 * y - 1, rng.uniform(0.2, 3, 12)
    box[rng.integers(2, 12, 2)] = 0  # weights of zero take no part
    distances = Distances.read(X, "euclidean")
    rows = np.arange(12)
    gram = distances.kernel(rows, rows, 0.8)
    [machine] = fit_machines(distances, rows, signs, [box], 0.8)
    kept = box > 0
    a, scores, intercepts = slow_machine(gram[np.ix_(kept, kept)], signs[kept], box[kept])
    ours = np.zeros(12)
    ours[machine.support] = machine.coef * signs[machine.support]
    assert (ours <= box + 1e-9).all()
    assert not ours[~kept].any()
    assert np.allclose(ours[kept], a, atol=0.02)
    if intercepts.size:
        decided = machine.decide(gram)[kept]
        assert np.allclose(decided, scores + np.median(intercepts), atol=0.02)


def test_costs_for_one_class_only_give_its_constant_answer():
    distances, signs = Distances.read(np.arange(4.0)[:, None], "euclidean"), np.array([-1.0, 1] * 2)
    boxes = [np.array([0.0, 1, 0, 1]), np.array([1.0, 0, 1, 0]), np.zeros(4)]
    machines = fit_machines(distances, np.arange(4), signs, boxes, 1.0)
    kernel = distances.kernel(np.arange(4), np.arange(4), 1.0)
    assert [machine.decide(kernel).tolist() for machine in machines] == [4 * [1], 4 * [-1], 4 * [0]]
