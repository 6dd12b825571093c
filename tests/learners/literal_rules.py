"""The nearest-neighbour rules as the papers state them: slow, in plain Python, without rounding."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

T4 = np.array([i + 0.01 * i**2 for i in range(18)])[:, None]
Y4 = np.array(3 * [1, 0, 0, 0] + 6 * [1])


def order_points(queries, points, exclude_self=False):
    """Return all points of each query, sorted by distance and then by index."""
    orders = []
    for i, query in enumerate(queries):
        keyed = [
            (sum((a - b) ** 2 for a, b in zip(query, point, strict=True)), j)
            for j, point in enumerate(points)
            if not (exclude_self and i == j)
        ]
        orders.append([j for _, j in sorted(keyed)])
    return orders


def vote(order, y, k, n_classes):
    """Return the class with most votes; of two equal ones the second, of more the first."""
    votes = [sum(y[j] == c for j in order[:k]) for c in range(n_classes)]
    winners = [c for c in range(n_classes) if votes[c] == max(votes)]
    return winners[-1] if n_classes == 2 else winners[0]


def read_rates(orders, y, members, k_noise):
    """Return τ₊ and τ₋ from the votes of each member and its nearest others."""
    shares = []
    for i in members:
        near = [i, *orders[i][:k_noise]]
        shares.append(Fraction(int(sum(y[j] for j in near)), len(near)))
    return 1 - max(shares), min(shares)


def find_threshold(tau_pos, tau_neg):
    """Return the share of ones from which on a query is of class 1; 1/2 where nothing is known."""
    return Fraction(1, 2) if tau_pos + tau_neg == 1 else (1 + tau_neg - tau_pos) / 2


def reaches(order, y, k, threshold):
    """Return 1 if the share of ones among the first k points reaches the threshold, or 0."""
    near = order[:k]
    return int(Fraction(int(sum(y[j] for j in near)), len(near)) >= threshold)


def deal(n, n_folds, seed):
    """Return the members of each inner fold: shuffled, then dealt round-robin."""
    order = np.random.default_rng(seed).permutation(n)
    n_folds = min(n_folds, n)
    return [sorted(int(i) for i in order[fold::n_folds]) for fold in range(n_folds)]


def random_case(rng, n_classes=2, most=24):
    """Return training points, labels and queries; half of the cases are full of equal distances."""
    n, d = int(rng.integers(n_classes + 1, most)), int(rng.integers(1, 4))
    draw = rng.normal if rng.random() < 0.5 else lambda size: rng.integers(0, 4, size).astype(float)
    X, queries = draw(size=(n, d)), draw(size=(5, d))
    y = rng.integers(0, n_classes, n)
    y[:n_classes] = range(n_classes)
    return X, y, queries
