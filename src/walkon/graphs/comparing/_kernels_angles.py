"""Kernels of the distance surface by joint angles."""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel


@kernel(fastmath={"contract"})
def fill_angle_costs(turns, weights, features, row, columns, costs):
    """Fill costs (C,) of one frame against frames from `columns` on: Σ w θ² + Σ (u − u')².

    turns: (N, J, 4) unit quaternions, weights: (J,), features: (N, U).
    """
    own, moving = turns[row], features[row]
    for c in range(len(costs)):
        other, cost = turns[columns + c], 0.0
        for j in range(len(weights)):
            cosine = 0.0
            for axis in range(4):
                cosine += own[j, axis] * other[j, axis]
            angle = 2.0 * math.acos(min(abs(cosine), 1.0))
            cost += weights[j] * angle * angle
        theirs = features[columns + c]
        for u in range(len(moving)):
            cost += (moving[u] - theirs[u]) ** 2
        costs[c] = cost


@kernel(fastmath={"contract"})
def fill_angle_squares(turns, weights, features, taper, rows, columns, squares):
    """Fill squares (R, C) of the distances of windows from `rows` on to windows from `columns` on.

    taper: (k,) weights of a window's frames; the rest as for `fill_angle_costs`.
    """
    height, width = squares.shape
    reach = len(taper)
    costs = np.empty((height + reach - 1, width + reach - 1))
    for row in range(height + reach - 1):
        fill_angle_costs(turns, weights, features, rows + row, columns, costs[row])
    squares[:] = 0.0
    for i in range(height):
        for p in range(reach):
            for c in range(width):
                squares[i, c] += taper[p] * costs[i + p, p + c]
