"""How alike two sets of clips are in their values: each degree of freedom, and pairs of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from walkon.basics import Array

LEVELS = 200
"""How many quantiles distributions are compared at."""

MOST_PAIRS, MOST_PAIR_FRAMES = 1000, 4000
"""Most pairs of degrees of freedom whose distributions are compared, chosen at random, and most frames of them,
evenly chosen."""


def transport(a: Array, b: Array) -> Array:
    """How far values (F, n) have to be moved on average to be distributed as those (G, n): (n,) Wasserstein-1."""
    return np.abs(_quantiles(a) - _quantiles(b)).mean(axis=1)


def greatest_gap(a: Array, b: Array) -> Array:
    """Greatest difference (n,) of the cumulative distributions of values (F, n) and (G, n): Kolmogorov-Smirnov."""
    gaps = np.empty(a.shape[1])
    for k in range(a.shape[1]):
        mine, other = np.sort(a[:, k]), np.sort(b[:, k])
        values = np.concatenate([mine, other])
        below_mine = np.searchsorted(mine, values, side="right") / len(mine)
        below_other = np.searchsorted(other, values, side="right") / len(other)
        gaps[k] = np.abs(below_mine - below_other).max()
    return gaps


def correlation_difference(a: Array, b: Array) -> float:
    """Root mean square difference of the correlations of all pairs of columns of values (F, n) and (G, n)."""
    if a.shape[1] < 2:
        return 0.0
    above = np.triu_indices(a.shape[1], 1)
    return float(np.sqrt(np.mean((_correlations(a)[above] - _correlations(b)[above]) ** 2)))


def pair_transport(a: Array, b: Array, *, seed: int = 0) -> float:
    """How far pairs of columns would have to be moved: the mean of `transport` along both diagonals of every pair.

    Each column for itself may be right while pairs are not: only sums and differences tell.
    """
    first, second = np.triu_indices(a.shape[1], 1)
    if not len(first):
        return 0.0
    if len(first) > MOST_PAIRS:
        chosen = np.random.default_rng(seed).choice(len(first), MOST_PAIRS, replace=False)
        first, second = first[chosen], second[chosen]
    a, b = (values[:: -(-len(values) // MOST_PAIR_FRAMES)] for values in (a, b))
    sums = transport(a[:, first] + a[:, second], b[:, first] + b[:, second])
    differences = transport(a[:, first] - a[:, second], b[:, first] - b[:, second])
    return float((sums + differences).mean() / (2.0 * np.sqrt(2.0)))


def rows_of(values: Sequence[Array]) -> Array:
    """All clips' values end to end."""
    return np.concatenate(list(values))


def _quantiles(values: Array) -> Array:
    """(n, LEVELS) of every column. numpy's own takes ten times as long for many levels."""
    ordered = np.sort(np.ascontiguousarray(values.T), axis=1)
    at = (np.arange(LEVELS) + 0.5) / LEVELS * (ordered.shape[1] - 1)
    low = at.astype(np.int64)
    high = np.minimum(low + 1, ordered.shape[1] - 1)
    return ordered[:, low] + (at - low) * (ordered[:, high] - ordered[:, low])


def _correlations(values: Array) -> Array:
    """(n, n); 0 with a column that never changes."""
    centred = values - values.mean(axis=0)
    lengths = np.linalg.norm(centred, axis=0)
    unit = centred / np.where(lengths > 1e-9, lengths, 1.0)
    return unit.T @ unit
