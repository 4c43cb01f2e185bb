"""Kernels about bodies: where capsules are, and the boxes and circles that hold them."""

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
def measure_boxes(bodies, person):
    """Fill the boxes of a person at all frames of theirs."""
    ends = np.empty(6)
    first = bodies.capsule_starts[person]
    for frame in range(bodies.frames[person]):
        box = bodies.boxes[bodies.frame_starts[person] + frame]
        for c in range(3):
            box[c], box[3 + c] = math.inf, -math.inf
        for k in range(bodies.capsule_starts[person + 1] - first):
            capsule_at(bodies, person, frame, k, ends)
            radius = bodies.radii[first + k]
            for c in range(6):
                box[c % 3] = min(box[c % 3], ends[c] - radius)
                box[3 + c % 3] = max(box[3 + c % 3], ends[c] + radius)


@kernel
def measure_circles(bodies, person, circles):
    """Fill circles (F, 3) x, z, radius [m] of one person: the smallest around the body on the ground.

    Between frames capsules go straight, and so do circles: one that changes steadily from frame to frame holds the
    body all the time, because distance is convex.
    """
    ends = np.empty(6)
    first = bodies.capsule_starts[person]
    count = bodies.capsule_starts[person + 1] - first
    discs = np.empty((2 * count, 3))
    # What sticks out most hardly changes from frame to frame.
    basis = np.full(3, -1, dtype=np.int64)
    for frame in range(bodies.frames[person]):
        for k in range(count):
            capsule_at(bodies, person, frame, k, ends)
            for end in range(2):
                discs[2 * k + end, 0], discs[2 * k + end, 1] = ends[3 * end], ends[3 * end + 2]
                discs[2 * k + end, 2] = bodies.radii[first + k]
        row = bodies.frame_starts[person] + frame
        circles[row, 0], circles[row, 1], circles[row, 2] = smallest_circle(discs, basis)
