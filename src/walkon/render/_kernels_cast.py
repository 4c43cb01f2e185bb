"""Kernel that poses capsules: joint positions at a moment become capsule ends."""

from __future__ import annotations

from walkon.kernels import kernel


@kernel
def pose_capsules(positions, frame, blend, starts, ends, spans, first, from_points, to_points):
    """Fill capsules first, first + 1, … with the pose between `frame` and the next one.

    positions: (F, J, 3); blend: 0..1 towards the next frame; starts, ends: (C,) joints; spans: (C, 2) where on
    the line between the joints the capsule's centres lie; from_points, to_points: (N, 3).
    """
    following = min(frame + 1, positions.shape[0] - 1)
    for c in range(len(starts)):
        for k in range(3):
            a, b = positions[frame, starts[c], k], positions[frame, ends[c], k]
            a += blend * (positions[following, starts[c], k] - a)
            b += blend * (positions[following, ends[c], k] - b)
            from_points[first + c, k] = a + spans[c, 0] * (b - a)
            to_points[first + c, k] = a + spans[c, 1] * (b - a)
