"""Kernels about bodies: where capsules are, and the circles and heights that hold them."""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel
from walkon.metrics.audit._kernels_discs import smallest_circle


@kernel
def capsule_at(bodies, person, frame, capsule, out):
    """Fill out (6,) with both centres of a person's capsule at a frame of theirs."""
    k = bodies.capsule_starts[person] + capsule
    base = bodies.point_starts[person] + frame * bodies.joints[person]
    a, b = base + bodies.starts[k], base + bodies.ends[k]
    for c in range(3):
        along = bodies.points[b, c] - bodies.points[a, c]
        out[c] = bodies.points[a, c] + bodies.spans[k, 0] * along
        out[3 + c] = bodies.points[a, c] + bodies.spans[k, 1] * along


@kernel
def measure_bodies(bodies):
    """Fill circles, extents, lows and highs of everybody at every frame.

    Between frames capsules go straight, and so do circles: one that changes steadily from frame to frame holds the
    body all the time, because distance is convex.
    """
    ends = np.empty(6)
    for person in range(len(bodies.frames)):
        first = bodies.capsule_starts[person]
        count = bodies.capsule_starts[person + 1] - first
        discs = np.empty((2 * count, 3))
        for frame in range(bodies.frames[person]):
            low, high = math.inf, -math.inf
            extent = bodies.extents[bodies.frame_starts[person] + frame]
            extent[0], extent[1], extent[2], extent[3] = math.inf, math.inf, -math.inf, -math.inf
            for k in range(count):
                capsule_at(bodies, person, frame, k, ends)
                radius = bodies.radii[first + k]
                for end in range(2):
                    discs[2 * k + end, 0], discs[2 * k + end, 1] = ends[3 * end], ends[3 * end + 2]
                    discs[2 * k + end, 2] = radius
                    low = min(low, ends[3 * end + 1] - radius)
                    high = max(high, ends[3 * end + 1] + radius)
                    for axis in range(2):
                        extent[axis] = min(extent[axis], discs[2 * k + end, axis] - radius)
                        extent[2 + axis] = max(extent[2 + axis], discs[2 * k + end, axis] + radius)
            row = bodies.frame_starts[person] + frame
            x, z, radius = smallest_circle(discs)
            bodies.circles[row, 0], bodies.circles[row, 1], bodies.circles[row, 2] = x, z, radius
            bodies.lows[row], bodies.highs[row] = low, high
