"""What bodies cover of the ground in a take: outlines to be drawn on maps."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array
from walkon.motion import placement_at
from walkon.motion.features.outlines import outline_corners, supports_around
from walkon.rotations import Placement
from walkon.skeleton import build_body
from walkon.take.model import Role, Take


def outline_at(take: Take, role: Role, frame: int) -> Array | None:
    """Corners (K, 2) x, z [m] of the convex outline of somebody's body on the ground; None if it is not there."""
    if not role.start_frame <= frame <= take.end_frame(role):
        return None
    segment = int(np.searchsorted(role.frames, frame, side="right")) - 1
    shown = take.clips[role.clips[segment]]
    row = min(shown.first + frame - int(role.frames[segment]), shown.last)
    placed = Placement(*role.placements[segment].tolist()) @ placement_at(shown.clip, shown.first).inverse()
    joints = placed.points(shown.clip.positions[row : row + 1])
    return outline_corners(supports_around(joints, build_body(shown.clip.skeleton)).max(axis=1))[0]
