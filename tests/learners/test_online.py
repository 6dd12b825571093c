"""AROW and NHERD: worked examples, literal loops, and the choice of passes."""

from __future__ import annotations

import numpy as np
import pytest

from noisebench.learners import AROW, NHERD
from noisebench.learners.online import EPOCH_GRID, STRENGTH_GRID
from noisebench.learners.passes import run_diagonal, run_full

STREAM = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 2.0]]), np.array([1.0, -1.0, 1.0])
ONCE = np.array([[0, 1, 2]])
LEARNERS = [
    ("arow", AROW, "full"),
    ("arow", AROW, "diagonal"),
    ("nherd", NHERD, "full"),
    ("nherd", NHERD, "exact"),
    ("nherd", NHERD, "project"),
    ("nherd", NHERD, "drop"),
]


def noisy_half(n, rates, seed=0):
    """Two sides of a plane; returns features, clean and noisy labels."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 3))
    clean = (X.sum(axis=1) > 0.3).astype(int)
    return X, clean, np.where(rng.random(n) < np.where(clean, *rates), 1 - clean, clean)


def steps(run, rule):
    """Return the weights after each example of the stream, and the final second moment."""
    points, signs = STREAM
    seen = []
    for end in (1, 2, 3):
        weights, moment = run(points[:end], signs[:end], ONCE[:, :end], 1.0, rule, [1])
        seen.append(weights[0].round(6).tolist())
    return seen, moment.round(6).tolist()


def test_arow_on_the_worked_example():
    weights, covariance = steps(run_full, "arow")
    assert weights == [[0.5, 0.0], [0.2, -0.6], [-0.058824, 0.176471]]
    assert covariance == [[0.352941, -0.058824], [-0.058824, 0.176471]]


def test_nherd_on_the_worked_example():
    weights, covariance = steps(run_full, "nherd")
    assert weights == [[0.5, 0.0], [0.333333, -0.666667], [0.025381, 0.020305]]
    assert covariance == [[0.150094, -0.027133], [-0.027133, 0.060527]]


@pytest.mark.parametrize(
    ("rule", "weights", "variances"),
    [
        ("exact", [0.333333, -0.083333], [0.16, 0.0625]),
        ("project", [0.333333, -0.10101], [0.137931, 0.062443]),
        ("drop", [0.333333, 0.020305], [0.209877, 0.060527]),
    ],
)
def test_diagonal_herds_on_the_worked_example(rule, weights, variances):
    seen, moment = steps(run_diagonal, rule)
    assert (seen[-1], moment) == (weights, variances)


def literal_pass(points, signs, order, strength, kind, variant, w, S):
    """Go once over the examples with the printed formulas; S is a matrix in all variants."""
    d = points.shape[1]
    for i in order:
        x, y = points[i], signs[i]
        m, v = float(w @ x), float(x @ S @ x)
        if y * m >= 1:
            continue
        loss, Sx = max(0.0, 1 - y * m), S @ x
        if kind == "arow":
            b = 1 / (v + strength)
            w = w + loss * b * y * Sx
            S = S - b * np.outer(Sx, Sx)
            S = np.diag(np.diag(S)) if variant == "diagonal" else S
            continue
        C, s = strength, np.diag(S).copy()
        w = w + y * loss / (v + 1 / C) * Sx
        if variant == "full":
            S = S - np.outer(Sx, Sx) * (C**2 * v + 2 * C) / (1 + C * v) ** 2
        elif variant == "exact":
            S = np.diag([s[r] / (1 + C * x[r] ** 2 * s[r]) ** 2 for r in range(d)])
        elif variant == "project":
            S = np.diag([1 / (1 / s[r] + (2 * C + C**2 * v) * x[r] ** 2) for r in range(d)])
        else:
            shrink = (C**2 * v + 2 * C) / (1 + C * v) ** 2
            S = np.diag([s[r] - (s[r] * x[r]) ** 2 * shrink for r in range(d)])
    return w, S


@pytest.mark.parametrize(("kind", "learner", "variant"), LEARNERS)
def test_passes_equal_the_printed_formulas(kind, learner, variant):
    for seed in range(170):
        rng = np.random.default_rng(seed)
        n, d, n_epochs = int(rng.integers(1, 10)), int(rng.integers(1, 4)), int(rng.integers(1, 4))
        points, signs = rng.normal(size=(n, d)), rng.choice([-1.0, 1.0], n)
        orders = np.stack([rng.permutation(n) for _ in range(n_epochs)])
        strength = 2.0 ** rng.integers(-4, 5)
        r = strength if kind == "arow" else 1 / strength
        if variant == "full":
            got, moment = run_full(points, signs, orders, r, kind, range(1, n_epochs + 1))
        else:
            rule = "arow" if kind == "arow" else variant
            got, moment = run_diagonal(points, signs, orders, r, rule, range(1, n_epochs + 1))
        w, S = np.zeros(d), np.eye(d)
        for epoch, order in enumerate(orders):
            w, S = literal_pass(points, signs, order, strength, kind, variant, w, S)
            assert np.allclose(got[epoch], w, rtol=1e-8, atol=1e-10)
        assert np.allclose(moment, S if variant == "full" else np.diag(S), rtol=1e-8, atol=1e-10)


def literal_fit(X, y, kind, variant, seed, n_epochs=(1, 2, 5, 10)):
    """Choose passes and strength by cross-validation, every pair trained from the beginning."""
    rng = np.random.default_rng(seed)
    points, signs = np.column_stack([X, np.ones(len(X))]), 2.0 * y - 1
    parts = np.empty(len(X), dtype=int)
    parts[rng.permutation(len(X))] = np.arange(len(X)) % 4
    hits = {}
    for fold in range(4):
        train, test = np.flatnonzero(parts != fold), np.flatnonzero(parts == fold)
        orders = rng.permuted(np.tile(np.arange(len(train)), (10, 1)), axis=1)
        for power in range(-4, 5, 2):
            for epochs in n_epochs:
                w, S = np.zeros(points.shape[1]), np.eye(points.shape[1])
                for order in orders[:epochs]:
                    w, S = literal_pass(
                        points[train], signs[train], order, 2.0**power, kind, variant, w, S
                    )
                right = np.where(points[test] @ w >= 0, 1, -1) == signs[test]
                hits.setdefault((epochs, power), []).append(right.mean())
    best = max(sorted(hits), key=lambda pair: round(np.mean(hits[pair]), 9))
    orders = rng.permuted(np.tile(np.arange(len(X)), (best[0], 1)), axis=1)
    w, S = np.zeros(points.shape[1]), np.eye(points.shape[1])
    for order in orders:
        w, S = literal_pass(points, signs, order, 2.0 ** best[1], kind, variant, w, S)
    return best[0], 2.0 ** best[1], w


@pytest.mark.parametrize(("kind", "learner", "variant"), LEARNERS)
def test_a_fit_equals_a_literal_program(kind, learner, variant):
    for seed in range(3):
        X, _, y = noisy_half(20, (0.2, 0.1), seed)
        epochs, strength, w = literal_fit(X, y, kind, variant, seed)
        fitted = learner(variant=variant, random_state=seed).fit(X, y)
        assert fitted.epochs_ == epochs
        assert (fitted.r_ if kind == "arow" else fitted.C_) == strength
        assert np.allclose(np.append(fitted.coef_[0], fitted.intercept_), w, rtol=1e-6)
        queries = np.random.default_rng(seed).uniform(-1, 1, (50, 3))
        scores = queries @ w[:-1] + w[-1]
        assert (fitted.predict(queries) == (scores >= 0)).all()


def test_grids():
    assert EPOCH_GRID == (1, 2, 5, 10)
    assert STRENGTH_GRID == (1 / 16, 1 / 4, 1, 4, 16)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("kind", "learner", "variant"), LEARNERS)
def test_loops_answer_the_same_uncompiled(kind, learner, variant, seed, monkeypatch):
    X, _, y = noisy_half(40, (0.2, 0.1), seed)
    compiled = learner(variant=variant, epochs=3, random_state=0).fit(X, y)
    monkeypatch.setenv("NOISEBENCH_JIT", "0")
    plain = learner(variant=variant, epochs=3, random_state=0).fit(X, y)
    assert np.allclose(plain.coef_, compiled.coef_, rtol=1e-9)
    assert np.allclose(plain.intercept_, compiled.intercept_, rtol=1e-9)


def test_a_long_run_holds_the_shorter_ones():
    rng = np.random.default_rng(0)
    points, signs = rng.normal(size=(30, 4)), rng.choice([-1.0, 1.0], 30)
    orders = np.stack([rng.permutation(30) for _ in range(10)])
    together, _ = run_full(points, signs, orders, 0.5, "nherd", EPOCH_GRID)
    for row, epochs in zip(together, EPOCH_GRID, strict=True):
        alone, _ = run_full(points, signs, orders[:epochs], 0.5, "nherd", [epochs])
        assert np.array_equal(row, alone[0])


def test_fixed_parameters_are_used():
    X, _, y = noisy_half(40, (0.1, 0.1))
    arow = AROW(r=3.0, epochs=4, random_state=0).fit(X, y)
    assert (arow.r_, arow.epochs_) == (3.0, 4)
    nherd = NHERD(C=3.0, random_state=0).fit(X, y)
    assert nherd.C_ == 3.0
    assert nherd.epochs_ in EPOCH_GRID


def test_wide_data_get_the_diagonal_herd():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 301)), np.arange(12) % 2
    assert NHERD(C=1.0, epochs=1).fit(X[:, :300], y).variant_ == "full"
    wide = NHERD(C=1.0, epochs=1, random_state=0).fit(X, y)
    assert wide.variant_ == "project"
    told = NHERD(C=1.0, epochs=1, variant="project", random_state=0).fit(X, y)
    assert np.array_equal(wide.coef_, told.coef_)


@pytest.mark.parametrize("learner", [AROW, NHERD])
def test_labels_flipped_evenly_do_little_harm(learner):
    X, clean, y = noisy_half(1000, (0.2, 0.2))
    assert learner(random_state=0).fit(X, y).score(X, clean) > 0.93


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (AROW(r=0), "r must be positive, got 0"),
        (AROW(epochs=0), "epochs must be at least 1, got 0"),
        (AROW(variant="drop"), "variant must be 'full' or 'diagonal', got 'drop'"),
        (NHERD(C=-1), "C must be positive, got -1"),
        (NHERD(variant="diagonal"), "variant must be one of 'auto', 'full', 'exact'"),
    ],
)
def test_bad_parameters_are_refused(learner, message):
    with pytest.raises(ValueError, match=message):
        learner.fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("learner", [AROW, NHERD])
def test_three_classes_are_refused(learner):
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        learner().fit([[0.0], [1.0], [2.0]], [0, 1, 2])
