"""Kernel: the cheapest way through two sequences at once (dynamic time warping)."""

from __future__ import annotations

import numpy as np

from walkon.kernels import kernel

BOTH, FIRST, SECOND = 0, 1, 2
"""Steps of a path: forward in both sequences, in the first only, in the second only."""


@kernel
def square_distance(a, b):
    """Sum of squared differences of two vectors."""
    total = 0.0
    for k in range(len(a)):
        difference = a[k] - b[k]
        total += difference * difference
    return total


@kernel
def warp(a, b, loose_a, loose_b, steps, path):
    """Fill path (F + G, 2) with the pairs of rows of a (F, n) and b (G, n) that belong together; returns how many.

    A step forward in both counts twice its squared distance, a step in one of them once, so that no path is cheap
    for being short. Up to `loose_a` rows of a, or `loose_b` of b, may be left out at either end. steps: (F, G)
    uint8, scratch.
    """
    frames, others = len(a), len(b)
    previous, current = np.full(others, np.inf), np.empty(others)
    begun_before, begun = np.zeros(others, np.int64), np.zeros(others, np.int64)
    best, end_i, end_j = np.inf, frames - 1, others - 1
    for i in range(frames):
        for j in range(others):
            here = square_distance(a[i], b[j])
            cost, step, start = np.inf, BOTH, i + j
            if (i == 0 and j <= loose_b) or (j == 0 and i <= loose_a):
                cost = 2.0 * here
            if i > 0 and j > 0 and previous[j - 1] + 2.0 * here < cost:
                cost, step, start = previous[j - 1] + 2.0 * here, BOTH, begun_before[j - 1]
            if i > 0 and previous[j] + here < cost:
                cost, step, start = previous[j] + here, FIRST, begun_before[j]
            if j > 0 and current[j - 1] + here < cost:
                cost, step, start = current[j - 1] + here, SECOND, begun[j - 1]
            current[j], steps[i, j], begun[j] = cost, step, start
            ends = (i == frames - 1 and others - 1 - j <= loose_b) or (
                j == others - 1 and frames - 1 - i <= loose_a
            )
            if ends:
                # By the length of the path: to leave out rows is no gain in itself.
                share = cost / (i + j + 2 - start)
                if share < best or (share == best and i + j > end_i + end_j):
                    best, end_i, end_j = share, i, j
        previous, current = current, previous
        begun_before, begun = begun, begun_before
    return _trace(steps, end_i, end_j, path)


@kernel
def _trace(steps, i, j, path):
    """Follow the steps back from an end and write the path from its beginning."""
    count = 0
    while True:
        path[count, 0], path[count, 1] = i, j
        count += 1
        step = steps[i, j]
        if (step == BOTH and (i == 0 or j == 0)) or count == len(path):
            break
        if step != SECOND:
            i -= 1
        if step != FIRST:
            j -= 1
    for k in range(count // 2):
        for c in range(2):
            path[k, c], path[count - 1 - k, c] = path[count - 1 - k, c], path[k, c]
    return count
