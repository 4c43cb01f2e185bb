"""Regression in the prior network: numbers of the first two frames from other numbers of them."""

import math

import numpy as np
from numba import prange

from walkon.kernels import kernel
from walkon.variation._kernels_regression import BARRED, find_nearest, weigh, workspace


@kernel(fastmath=True)
def regress(i, parents, values, instances, bars, favour, k, guess, room):
    """Mean and variance of node i among the instances (m, M) nearest to values (m,) in its parents, and a
    distance.

    parents: codes. bars: (M,) BARRED for instances that do not take part. favour: (M,) times which they count.
    room: see `workspace`. Without parents, of all that take part.
    """
    if len(parents) == 0:
        taking, total, mean = 0, 0.0, 0.0
        for r in range(len(bars)):
            if bars[r] < BARRED:
                taking += 1
                total += favour[r]
                mean += favour[r] * instances[i, r]
        mean /= total
        variance = 0.0
        for r in range(len(bars)):
            if bars[r] < BARRED:
                variance += favour[r] * (instances[i, r] - mean) ** 2
        return mean, variance / total * taking / max(taking - 1, 1), guess
    distances, found, near = room
    distances[:] = bars
    for j in parents:
        value = values[j]
        for r in range(len(distances)):
            gap = instances[j, r] - value
            distances[r] += gap * gap
    inside, farthest = find_nearest(distances, k, guess, found, near)
    total = weigh(near, inside, farthest, found, favour)
    mean, variance = 0.0, 0.0
    for a in range(inside):
        mean += near[a] * instances[i, found[a]]
    mean /= total
    for a in range(inside):
        variance += near[a] * (instances[i, found[a]] - mean) ** 2
    return mean, variance / total * inside / max(inside - 1, 1), farthest


@kernel(fastmath=True)
def score_node(i, parents, instances, parts, bars, k, floor):
    """Log likelihood of a node in all instances (m, M), each told from those in other parts.

    parts: (M,) which part an instance belongs to. bars: (S, M) what is barred while a part is held out.
    """
    width = instances.shape[1]
    room, favour = workspace(width, k), np.ones(width, np.float32)
    guess, score = np.float32(1.0), 0.0
    for r in range(width):
        mean, variance, guess = regress(
            i, parents, instances[:, r], instances, bars[parts[r]], favour, k, guess, room
        )
        spread = variance + floor
        score -= 0.5 * ((mean - instances[i, r]) ** 2 / spread + math.log(2.0 * math.pi * spread))
    return score


@kernel(parallel=True)
def score_additions(i, parents, count, instances, parts, bars, k, floor, scores):
    """Fill scores (m,) of node i with each other node as a parent more; -inf where that cannot be."""
    for j in prange(instances.shape[0]):
        tried = np.empty(count + 1, np.int64)
        known = i == j or count >= parents.shape[0]
        for e in range(count):
            tried[e] = parents[e]
            known |= parents[e] == j
        tried[count] = j
        scores[j] = -np.inf if known else score_node(i, tried, instances, parts, bars, k, floor)


@kernel
def draw(order, parents, counts, instances, favour, k, noise, values):
    """Fill values (m,): each node in order, from those before it. noise: (m,) in standard deviations."""
    width = instances.shape[1]
    room, bars = workspace(width, k), np.zeros(width, np.float32)
    for i in order:
        mean, variance, _ = regress(
            i, parents[i, : counts[i]], values, instances, bars, favour, k, np.float32(1.0), room
        )
        values[i] = mean + noise[i] * math.sqrt(variance)
