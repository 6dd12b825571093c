"""The unbiased loss: worked example, expectations, gradients, literal optimisation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from noisebench.learners import UnbiasedLogistic, logistic
from noisebench.learners.logistic import fit_logistic, logistic_objective
from noisebench.learners.unbiased import RIDGE_GRID, estimate_error, fit_unbiased, unbias_loss


def noisy_half(n, rates, seed=0):
    """Two sides of a plane; returns features, clean and noisy labels."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 3))
    clean = (X.sum(axis=1) > 0.3).astype(int)
    return X, clean, np.where(rng.random(n) < np.where(clean, *rates), 1 - clean, clean)


def printed_loss(score, label, rates):
    """The definition, one score and one label (−1 or +1) at a time."""
    own, other = rates if label > 0 else rates[::-1]

    def plain(y):
        return np.logaddexp(0, -y * score)

    return ((1 - other) * plain(label) - own * plain(-label)) / (1 - sum(rates))


def test_losses_of_the_worked_example():
    rates, score = (0.3, 0.1), 0.5
    up, down = (round(printed_loss(score, y, rates), 6) for y in (1, -1))
    assert (up, down) == (0.224077, 1.057410)
    signs = np.array([1.0, -1.0])
    ours = unbias_loss(np.logaddexp(0, -signs * 0.5), np.logaddexp(0, signs * 0.5), signs, rates)
    assert ours.round(6).tolist() == [0.224077, 1.05741]
    # The mean over the noise is the loss on the clean label.
    assert round(0.7 * ours[0] + 0.3 * ours[1], 6) == 0.474077 == round(np.log1p(np.exp(-0.5)), 6)


@pytest.mark.parametrize("seed", range(30))
def test_the_mean_over_the_noise_is_the_clean_loss(seed):
    rng = np.random.default_rng(seed)
    tau_pos, tau_neg = rng.uniform(0, 0.49, 2)
    losses = rng.normal(size=2)  # with the label −1 and with +1, of any loss
    both = unbias_loss(losses, losses[::-1], np.array([-1.0, 1.0]), (tau_pos, tau_neg))
    assert (1 - tau_pos) * both[1] + tau_pos * both[0] == pytest.approx(losses[1])
    assert (1 - tau_neg) * both[0] + tau_neg * both[1] == pytest.approx(losses[0])


def test_the_error_estimate_is_unbiased_on_a_large_sample():
    X, clean, y = noisy_half(100_000, (0.3, 0.1))
    scores = X[:, 0]
    truth = np.mean((scores >= 0) != clean)
    assert np.mean((scores >= 0) != y) > truth + 0.05
    assert estimate_error(scores, 2.0 * y - 1, (0.3, 0.1)) == pytest.approx(truth, abs=0.01)


@pytest.mark.parametrize("seed", range(20))
def test_the_objective_is_the_printed_loss_and_its_gradient_is_right(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 20)), int(rng.integers(1, 5))
    X, signs = rng.normal(size=(n, d)), rng.choice([-1.0, 1.0], n)
    rates, ridge = tuple(rng.uniform(0, 0.45, 2)), float(rng.uniform(0.01, 2))
    params = rng.normal(size=d + 1)
    pulls = np.where(signs > 0, *rates) / (1 - sum(rates)) / n
    args = X, signs, np.full(n, 1 / n), pulls, ridge
    value, gradient = logistic_objective(params, *args)
    scores = X @ params[:-1] + params[-1]
    literal = np.mean([printed_loss(t, y, rates) for t, y in zip(scores, signs, strict=True)])
    assert value == pytest.approx(literal + ridge / 2 * sum(params[:-1] ** 2))
    numeric = approx_fprime(params, lambda p: logistic_objective(p, *args)[0], 1e-7)
    assert np.allclose(gradient, numeric, atol=1e-5)


def slow_fit(X, signs, rates, ridge):
    """Minimise the printed loss with numerical derivatives."""
    own = np.where(signs > 0, *rates)
    other = np.where(signs > 0, *rates[::-1])

    def objective(params):
        scores = X @ params[:-1] + params[-1]
        plain, flipped = np.logaddexp(0, -signs * scores), np.logaddexp(0, signs * scores)
        loss = ((1 - other) * plain - own * flipped) / (1 - sum(rates))
        return loss.mean() + ridge / 2 * sum(params[:-1] ** 2)

    return minimize(objective, np.zeros(X.shape[1] + 1), method="BFGS").x


@pytest.mark.parametrize("seed", range(100))
def test_predictions_equal_a_literal_program(seed):
    rng = np.random.default_rng(seed)
    rates, ridge = tuple(rng.uniform(0, 0.3, 2)), float(rng.choice([1e-2, 0.1, 1]))
    X, _, y = noisy_half(60, rates, seed)
    signs = 2.0 * y - 1
    learner = UnbiasedLogistic(rates, ridge).fit(X, y)
    expected = slow_fit(X, signs, rates, ridge)
    params = np.append(learner.coef_[0], learner.intercept_)
    assert np.allclose(params, expected, rtol=1e-3, atol=1e-3)
    queries = rng.uniform(-1, 1, (20, 3))
    scores = queries @ expected[:-1] + expected[-1]
    clear = np.abs(scores) > 0.01
    assert (learner.predict(queries) == (scores > 0))[clear].all()


@pytest.mark.parametrize("seed", range(8))
def test_the_ridge_equals_a_literal_selection(seed):
    rates = tuple(np.random.default_rng(seed).uniform(0, 0.35, 2))
    X, _, y = noisy_half(80, rates, seed)
    signs = 2.0 * y - 1
    parts = np.empty(80, dtype=int)
    parts[np.random.default_rng(seed).permutation(80)] = np.arange(80) % 4
    errors = {}
    for power in range(-4, 3):
        folds = []
        for fold in range(4):
            train, test = parts != fold, parts == fold
            [params] = fit_unbiased(X[train], signs[train], rates, [10.0**power])
            answers = np.where(X[test] @ params[:-1] + params[-1] >= 0, 1, -1)
            costs = []
            for answer, label in zip(answers, signs[test], strict=True):
                own, other = rates if label > 0 else rates[::-1]
                miss = answer != label
                costs.append(((1 - other) * miss - own * (not miss)) / (1 - sum(rates)))
            folds.append(np.mean(costs))
        errors[power] = round(np.mean(folds), 9)
    best = min(errors, key=lambda power: (errors[power], -power))  # ties: the larger ridge
    assert UnbiasedLogistic(rates, random_state=seed).fit(X, y).ridge_ == pytest.approx(10.0**best)


def test_the_grid():
    assert sorted(RIDGE_GRID) == pytest.approx([1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100])


def test_equal_scores_go_to_the_larger_ridge():
    # Features that say nothing: every ridge answers with the larger class.
    learner = UnbiasedLogistic((0, 0), random_state=0).fit(np.zeros((40, 1)), 30 * [0] + 10 * [1])
    assert learner.ridge_ == 100


@pytest.mark.parametrize("seed", range(10))
def test_without_noise_the_regression_is_the_plain_one(seed):
    X, _, y = noisy_half(60, (0.2, 0.1), seed)
    ours = UnbiasedLogistic((0, 0), ridge=0.05).fit(X, y)
    plain = LogisticRegression(C=1 / (60 * 0.05), tol=1e-10, max_iter=1000).fit(X, y)
    assert np.allclose(ours.coef_, plain.coef_, atol=1e-5)
    assert np.allclose(ours.intercept_, plain.intercept_, atol=1e-5)


def test_a_start_from_another_ridge_changes_nothing():
    X, _, y = noisy_half(60, (0.2, 0.1))
    path = fit_unbiased(X, 2.0 * y - 1, (0.2, 0.1), RIDGE_GRID)
    for ridge, params in zip(RIDGE_GRID, path, strict=True):
        [alone] = fit_unbiased(X, 2.0 * y - 1, (0.2, 0.1), [ridge])
        assert np.allclose(params, alone, atol=2e-4 * np.abs(alone).max())


def test_a_class_that_noise_alone_explains_is_never_answered():
    # 2 of 10 labels are positive where noise at 0.2 would make as many of negatives alone:
    # the loss falls for ever as the intercept does.
    X, y = np.arange(10.0)[:, None], np.array([0] * 8 + [1] * 2)
    assert not UnbiasedLogistic((0.1, 0.2), ridge=1.0).fit(X, y).predict(X).any()
    assert UnbiasedLogistic((0.2, 0.1), ridge=1.0).fit(X, 1 - y).predict(X).all()
    assert UnbiasedLogistic((0.1, 0.05), ridge=1e-3).fit(X, y).predict([[9.0]]) == [1]


def test_weights_for_one_class_only_give_its_constant_answer():
    X, signs, none = np.arange(4.0)[:, None], np.array([-1.0, 1.0] * 2), np.zeros(4)
    assert fit_logistic(X, signs, np.array([0.0, 1, 0, 1]), none, 1.0).tolist() == [0, 1]
    assert fit_logistic(X, signs, np.array([1.0, 0, 1, 0]), none, 1.0).tolist() == [0, -1]
    assert fit_logistic(X, signs, none, none, 1.0).tolist() == [0, 0]


def test_features_of_any_scale_are_fitted():
    X, _, y = noisy_half(100, (0.2, 0.1))
    plain = UnbiasedLogistic((0.2, 0.1), ridge=1e-3).fit(X, y)
    scaled = UnbiasedLogistic((0.2, 0.1), ridge=1e-3 * 100**2).fit(100 * X, y)
    assert np.allclose(plain.decision_function(X), scaled.decision_function(100 * X), atol=1e-3)


def test_a_fit_that_does_not_converge_says_so(monkeypatch):
    monkeypatch.setattr(logistic, "_ITERATIONS", 2)
    X, _, y = noisy_half(100, (0.2, 0.1))
    with pytest.warns(ConvergenceWarning, match="has not converged after 2 iterations"):
        UnbiasedLogistic((0.2, 0.1), ridge=1e-3).fit(X, y)


def test_the_corrected_regression_beats_the_plain_one():
    X, clean, y = noisy_half(600, (0.4, 0.02))
    corrected = UnbiasedLogistic((0.4, 0.02), random_state=0).fit(X, y)
    plain = UnbiasedLogistic((0, 0), random_state=0).fit(X, y)
    assert corrected.score(X, clean) > plain.score(X, clean) + 0.05


def test_rates_are_estimated_by_default():
    X, _, y = noisy_half(600, (0.02, 0.4))
    learner = UnbiasedLogistic(random_state=0).fit(X, y)
    assert learner.tau_neg_ > learner.tau_pos_ >= 0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rates": (0.6, 0.4)}, "sum to less than 1"),
        ({"ridge": 0.0}, "ridge must be positive, got 0.0"),
    ],
)
def test_bad_parameters_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        UnbiasedLogistic(**settings).fit([[0.0], [1.0]], [0, 1])


def test_three_classes_are_refused():
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        UnbiasedLogistic().fit([[0.0], [1.0], [2.0]], [0, 1, 2])
