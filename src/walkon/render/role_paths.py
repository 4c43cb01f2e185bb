"""Where the people of a take walk, without performing them."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array
from walkon.motion import placement_at
from walkon.rotations import Placement
from walkon.take import Role, Take


def role_path(take: Take, role: Role) -> Array:
    """Ground points (F, 2) x, z [m] of a character's root, segment after segment."""
    pieces = []
    for clip, placement in zip(role.clips, role.placements, strict=True):
        shown = take.clips[clip]
        roots = shown.clip.root_positions[shown.margin : len(shown.clip) - shown.margin]
        moved = Placement(*placement) @ placement_at(shown.clip, shown.margin).inverse()
        pieces.append(np.stack(moved.point(roots[:, 0], roots[:, 2]), axis=1))
    return np.concatenate(pieces)


def thin_path(points: Array) -> Array:
    """Every sixth point (K, 2) and the last: smooth at any scale that fits a page."""
    return np.concatenate([points[:-1:6], points[-1:]])
