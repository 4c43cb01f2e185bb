"""The quadratic programs of a stretch of frames: what linear conditions leave free, and where it is best."""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel

LEVER = 2e-3
"""Lever arm [m/rad] below which a direction counts as out of the limb's power: steps along it are damped."""

LONGEST_STEP = 0.25
"""Largest change [rad] of one angle in one round."""


@kernel
def _reflect(rows, first, v, scale):
    """Subtract from every row (k, n), from entry `first` on, `scale` times its part along v (n,)."""
    for row in rows:
        dot = 0.0
        for i in range(first, v.shape[0]):
            dot += row[i] * v[i]
        dot *= scale
        for i in range(first, v.shape[0]):
            row[i] -= dot * v[i]


@kernel
def split(slope, m, basis, v):
    """Turn slope (n, m) into its triangle R in place; basis (n, n) becomes Q, whose columns from m on are free.

    v (n,) is room to work in. Householder's reflections, one a column.
    """
    n = basis.shape[0]
    basis[:] = 0.0
    for i in range(n):
        basis[i, i] = 1.0
    for c in range(m):
        norm = 0.0
        for i in range(c, n):
            v[i] = slope[i, c]
            norm += v[i] * v[i]
        norm = math.sqrt(norm)
        if norm > 1e-14:
            square = 2.0 * norm * (norm + abs(v[c]))
            v[c] += norm if v[c] >= 0.0 else -norm
            _reflect(slope[:, c:m].T, c, v, 2.0 / square)
            _reflect(basis, c, v, 2.0 / square)


@kernel
def step(triangle, m, misses, basis, u, y):
    """Add to y (n,) the shortest step that makes up for the misses (m,), damped and of limited length."""
    largest = 0.0
    for i in range(m):
        value = misses[i]
        for k in range(i):
            value -= triangle[k, i] * u[k]
        u[i] = value * triangle[i, i] / (triangle[i, i] ** 2 + LEVER * LEVER)
        largest = max(largest, abs(u[i]))
    scale = LONGEST_STEP / largest if largest > LONGEST_STEP else 1.0
    for i in range(y.shape[0]):
        for k in range(m):
            y[i] += scale * basis[i, k] * u[k]


@kernel
def differences(count, before, after, diagonals):
    """Fill diagonals (count, 3) of Dᵀ D, D the second differences that reach into the frames before and after."""
    diagonals[:] = 0.0
    weights = (1.0, -2.0, 1.0)
    for r in range(-before, count + after - 2):
        for a in range(3):
            for b in range(a + 1):
                if r + b >= 0 and r + a < count:
                    diagonals[r + a, a - b] += weights[a] * weights[b]


@kernel
def gradient(y, wanted, earlier, before, after, w1, w2, gradient):
    """Fill gradient (F, n) of the objective at y (F, n); frames after the stretch are zero."""
    count, n = y.shape
    for t in range(count):
        for i in range(n):
            gradient[t, i] = w1 * (y[t, i] - wanted[t, i])
    weights = (1.0, -2.0, 1.0)
    for r in range(-before, count + after - 2):
        for i in range(n):
            bend = 0.0
            for a in range(3):
                t = r + a
                if t < 0:
                    bend += weights[a] * earlier[2 + t, i]
                elif t < count:
                    bend += weights[a] * y[t, i]
            for a in range(3):
                if 0 <= r + a < count:
                    gradient[r + a, i] += w2 * weights[a] * bend


@kernel
def _solve_banded(band, width, z):
    """Solve the symmetric banded system in place: band (M, width + 1) holds a row's entries left of the diagonal,
    the diagonal first; z (M,) is the right side and becomes the answer."""
    for i in range(z.shape[0]):
        first = max(0, i - width)
        for j in range(first, i + 1):
            value = band[i, i - j]
            for k in range(max(first, j - width), j):
                value -= band[i, i - k] * band[j, j - k]
            band[i, i - j] = value / band[j, 0] if j < i else math.sqrt(max(value, 1e-12))
        for k in range(first, i):
            z[i] -= band[i, i - k] * z[k]
        z[i] /= band[i, 0]
    for i in range(z.shape[0] - 1, -1, -1):
        z[i] /= band[i, 0]
        for k in range(max(0, i - width), i):
            z[k] -= band[i, i - k] * z[i]


@kernel
def free_motion(y, bases, rows, gradient, diagonals, w1, w2):
    """Move y (F, n) within what the positions leave free to where the objective is least."""
    count, n = y.shape
    starts = np.zeros(count + 1, np.int64)
    widest = 0
    for t in range(count):
        starts[t + 1] = starts[t] + n - rows[t]
        widest = max(widest, n - rows[t])
    if starts[count] == 0:
        return
    width = 3 * widest - 1
    band = np.zeros((starts[count], width + 1))
    z = np.zeros(starts[count])
    for t in range(count):
        for a in range(n - rows[t]):
            row = starts[t] + a
            for i in range(n):
                z[row] -= bases[t, i, rows[t] + a] * gradient[t, i]
            band[row, 0] = w1 + w2 * diagonals[t, 0]
            for back in range(1, min(2, t) + 1):
                s = t - back
                for b in range(n - rows[s]):
                    dot = 0.0
                    for i in range(n):
                        dot += bases[t, i, rows[t] + a] * bases[s, i, rows[s] + b]
                    band[row, row - starts[s] - b] = w2 * diagonals[t, back] * dot
    _solve_banded(band, width, z)
    for t in range(count):
        for a in range(n - rows[t]):
            for i in range(n):
                y[t, i] += bases[t, i, rows[t] + a] * z[starts[t] + a]
