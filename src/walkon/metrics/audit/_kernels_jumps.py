"""Kernel: by how much do joints step farther than they may?"""

from __future__ import annotations

import math

from walkon.kernels import kernel


@kernel
def _length(x, y, z):
    return math.sqrt(x * x + y * y + z * z)


@kernel
def measure_jumps(points, segments, limits, excess, joints):
    """Fill excess (F - 2,) [m] with the most, of all joints, by which the step after a frame or its change is more
    than it may be, and joints (F - 2,) with whose it is. The last step counts with the one before.

    points: (F, J, 3) [m]. segments: (F,) rows of limits. limits: (S, 2, J) [m] of steps and of changes of step.
    """
    for f in range(len(excess)):
        excess[f], joints[f] = -math.inf, 0
        own, after = limits[segments[f]], limits[segments[f + 1]]
        for j in range(points.shape[1]):
            x, y, z = points[f, j, 0], points[f, j, 1], points[f, j, 2]
            u, v, w = points[f + 1, j, 0], points[f + 1, j, 1], points[f + 1, j, 2]
            dx, dy, dz = points[f + 2, j, 0] - u, points[f + 2, j, 1] - v, points[f + 2, j, 2] - w
            over = max(
                _length(u - x, v - y, w - z) - own[0, j],
                _length(dx - (u - x), dy - (v - y), dz - (w - z)) - own[1, j],
            )
            if f == len(excess) - 1:
                over = max(over, _length(dx, dy, dz) - after[0, j])
            if over > excess[f]:
                excess[f], joints[f] = over, j
