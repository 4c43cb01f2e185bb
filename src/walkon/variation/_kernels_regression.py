"""Regression by nearest neighbours: what follows, on average and how surely, in moments like this one.

Rows are the frames of all inputs, one clip after another, and numbers are kept as (n, N) so that one number of
all rows lies together. A parent of a node is told by a code: NOW * n + j is number j in the row itself, BEFORE *
n + j in the row before, AFTER * n + j in the row that is to be predicted, which only numbers that are given
have.
"""

import math
from typing import NamedTuple

import numpy as np

from walkon.basics import Indices
from walkon.kernels import kernel

NOW, BEFORE, AFTER = 0, 1, 2
"""Lags of a parent: in the moment itself, in the frame before it, in the frame that is to be predicted."""

BARRED = np.float32(1e30)
"""Squared distance that is given to rows which do not take part: larger than any real one."""

BRISK = 0.3
"""How much a difference of changes counts beside a difference of values where whole poses are compared. Found by
trying; with more, neighbours move alike and look less alike."""

TIED = np.float32(1e-12)
"""Squared distances up to this count as 0; it keeps weights finite where all neighbours are the same moment."""

MOST_HALVINGS = 300
"""Most steps of the search for a limit. Float32 has fewer than this between any two distances, so that the search
ends by itself; the number only keeps it from going on for ever."""

NEIGHBOUR_FADE = 3.0
"""The weight of a neighbour falls as exp(-NEIGHBOUR_FADE d²), where the farthest one has d² = 1. With more, only
the nearest count."""


class Recall(NamedTuple):
    """What a moment is compared with, and how.

    rows: (n, N) numbers of all inputs. tempos: (n,) what a squared difference of changes counts beside one of
    values. company, pull: float32, see `add_company` and `predict_change`. k: how many neighbours.
    """

    rows: np.ndarray
    tempos: np.ndarray
    company: np.float32
    pull: np.float32
    k: int


class Edges(NamedTuple):
    """A transition network. driven: (d,) numbers to predict. parents: (n, P) codes; counts: (n,) how many."""

    driven: Indices
    parents: Indices
    counts: Indices


@kernel
def workspace(count, k):
    """Room to work in: distances (N,) of all rows, then rows (2k,) and distances (4k,) of the nearest."""
    return np.empty(count, np.float32), np.empty(2 * k, np.int64), np.empty(4 * k, np.float32)


@kernel(fastmath=True)
def add_distances(code, rows, before, now, after, distances):
    """Add to distances (N,) the squared ones of rows (n, N) to a moment in one parent of a node.

    before, now, after: (n,) the pose before, the pose, and the pose to come (only what is given of it).
    """
    n, last = rows.shape[0], rows.shape[1] - 1
    if code < BEFORE * n:
        j = code
        value = now[j]
        for r in range(1, last):
            gap = rows[j, r] - value
            distances[r] += gap * gap
    elif code < AFTER * n:
        j = code - BEFORE * n
        value = before[j]
        for r in range(1, last):
            gap = rows[j, r - 1] - value
            distances[r] += gap * gap
    else:
        j = code - AFTER * n
        value = after[j]
        for r in range(1, last):
            gap = rows[j, r + 1] - value
            distances[r] += gap * gap


@kernel(fastmath=True)
def add_history(i, rows, before, now, tempo, distances):
    """Add to distances (N,) those in a node's own two last values and, times tempo, in their difference."""
    pace = now - before
    for r in range(1, rows.shape[1] - 1):
        old, new = rows[i, r - 1], rows[i, r]
        first, second, third = old - before, new - now, new - old - pace
        distances[r] += first * first + second * second + tempo * third * third


@kernel(fastmath=True)
def add_company(rows, before, now, tempos, company, distances):
    """Add to distances (N,) those of whole poses and their changes, the mean over all numbers times `company`.

    All nodes share these. Without them each would follow neighbours of its own, and the parts of a body would
    come apart in time.
    """
    n, last = rows.shape[0], rows.shape[1] - 1
    share = company / np.float32(n)
    for j in range(n):
        value, pace, brisk = now[j], now[j] - before[j], np.float32(BRISK) * tempos[j]
        for r in range(1, last):
            new = rows[j, r]
            gap, haste = new - value, new - rows[j, r - 1] - pace
            distances[r] += share * (gap * gap + brisk * haste * haste)


@kernel(fastmath=True)
def find_nearest(distances, k, guess, found, near):
    """The k nearest rows, and all as near as the farthest of them: how many, and the distance of the farthest.

    Of more than 2k that are equally near, the first. None where all are barred, or farther than can be told.
    guess: a distance to begin with, best the one found last time. found: (2k,) filled with rows; near: (4k,)
    with their distances, the second half being room to sort them.
    """
    count, most = len(distances), len(found)
    low, high = _limits(distances, k, most, guess)
    kept = 0
    for r in range(count):
        if distances[r] <= low and kept < most:
            found[kept], near[kept] = r, max(distances[r], np.float32(0.0))
            kept += 1
    if kept < k and low < high:
        for r in range(count):
            if low < distances[r] <= high and kept < most:
                found[kept], near[kept] = r, distances[r]
                kept += 1
    farthest = _kth_smallest(near, kept, k)
    inside = 0
    for a in range(kept):
        if near[a] <= farthest:
            found[inside], near[inside] = found[a], near[a]
            inside += 1
    return inside, farthest


@kernel(fastmath=True)
def _limits(distances, k, most, guess):
    """A distance that k to `most` rows keep, twice; or one that fewer keep, and the next, that more keep."""
    far = np.float32(0.5) * BARRED
    # A little more than last time: what holds between k and 2k rows need not be looked for again.
    low, high, limit = np.float32(0.0), BARRED, min(max(np.float32(1.3) * guess, TIED), far)
    for _ in range(MOST_HALVINGS):
        inside = np.int32(0)
        for r in range(len(distances)):
            inside += np.int32(distances[r] <= limit)
        if inside < k:
            low = limit
        elif inside > most:
            high = limit
        else:
            return limit, limit
        # Far off, steps double; between two bounds, the middle. Rows that are equally far leave no middle.
        limit = min(np.float32(2.0) * limit, far) if high == BARRED else np.float32(0.5) * (low + high)
        if limit <= low or limit >= high or high <= TIED:
            break
    return low, min(high, far)


@kernel
def _kth_smallest(values, count, k):
    """The k-th smallest of the first values, or the largest if they are fewer."""
    if count <= k:
        largest = np.float32(0.0)
        for a in range(count):
            largest = max(largest, values[a])
        return largest
    rest = values[len(values) // 2 :]
    rest[:count] = values[:count]
    low, high, wanted = 0, count - 1, k - 1
    while low < high:
        pivot = rest[(low + high) // 2]
        a, b = low, high
        while a <= b:
            while rest[a] < pivot:
                a += 1
            while rest[b] > pivot:
                b -= 1
            if a <= b:
                rest[a], rest[b] = rest[b], rest[a]
                a += 1
                b -= 1
        if wanted <= b:
            high = b
        elif wanted >= a:
            low = a
        else:
            break
    return rest[wanted]


@kernel(fastmath=True)
def weigh(near, count, farthest, found, favour):
    """Turn squared distances into weights; their sum. favour: (N,) times which a row counts."""
    sharpness = np.float32(NEIGHBOUR_FADE) / max(farthest, TIED)
    for a in range(count):
        near[a] = math.exp(-near[a] * sharpness)
    total = np.float32(0.0)
    for a in range(count):
        near[a] *= favour[found[a]]
        total += near[a]
    return max(total, np.float32(1e-30))


@kernel(fastmath=True)
def predict_change(rows, i, value, pull, found, weights, count, total):
    """Mean and variance of how a number changes to the next row, among neighbours; it is drawn to where they
    are.

    pull: share of the way from its value to theirs that a number goes in a frame. Changes alone would let it
    wander off, a little each frame, and nothing would ever bring it back.
    """
    if count == 0:
        return np.float32(0.0), np.float32(0.0)
    # Around the first neighbour, so that the difference of two large sums is not taken.
    first = rows[i, found[0] + 1] - rows[i, found[0]] + pull * (rows[i, found[0]] - value)
    mean, square = np.float32(0.0), np.float32(0.0)
    for a in range(count):
        new = rows[i, found[a]]
        change = rows[i, found[a] + 1] - new + pull * (new - value) - first
        mean += weights[a] * change
        square += weights[a] * change * change
    mean /= total
    variance = max(square / total - mean * mean, np.float32(0.0))
    return mean + first, variance * np.float32(count) / np.float32(max(count - 1, 1))


@kernel(fastmath=True, forceinline=True)
def foretell(i, value, rows, pull, k, favour, guess, room):
    """Mean and variance of how number i changes from its value, by the distances in `room`, and how far it looked.

    favour: (N,) times which rows count. guess: how far to look first; best the answer of last time. room: see
    `workspace`.
    """
    distances, found, near = room
    inside, farthest = find_nearest(distances, k, guess, found, near)
    total = weigh(near, inside, farthest, found, favour)
    mean, variance = predict_change(rows, i, value, pull, found, near, inside, total)
    return mean, variance, farthest
