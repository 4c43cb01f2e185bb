"""Move a clip about the ground."""

from __future__ import annotations

from walkon.errors import ClipError
from walkon.motion.clip import Clip
from walkon.motion.features.placement import ground_placements
from walkon.rotations import Placement, multiply


def place(clip: Clip, placement: Placement) -> Clip:
    """The clip carried along by `placement`: what was at the world's origin now stands there.

    `place(place(clip, b), a)` is `place(clip, a @ b)`. Heights stay.
    """
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(placement.quaternion(), rotations[:, 0])
    return clip.with_changes(root_positions=placement.points(clip.root_positions), rotations=rotations)


def place_at(clip: Clip, frame: int, placement: Placement) -> Clip:
    """The clip moved so that at `frame` the character stands at `placement`; -1 is the last frame."""
    if not -len(clip) <= frame < len(clip):
        raise ClipError(f"clip {clip.name!r} has no frame {frame}; it has frames 0 to {len(clip) - 1}")
    x, z, heading = (float(value) for value in ground_placements(clip)[frame])
    return place(clip, placement @ Placement(x, z, heading).inverse())
