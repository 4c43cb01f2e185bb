"""Feet that stand where there is no floor: on a box that was there when it was recorded, and is not here."""

from __future__ import annotations

from walkon.behaviors.building.sources import Source
from walkon.motion.feet.contacts import TAKE_SPEED
from walkon.motion.feet.standing import speeds_along
from walkon.skeleton import build_body, find_roles

TRAVELLING = 1.0
"""Speed [m/s] of the body above which a still foot must be standing on something."""

ABOVE = 0.1
"""Share of the stature above which the ball of a foot is not on the floor."""

LEAST_TIME = 0.06
"""Seconds after which it is no accident."""


def stands_on_nothing(source: Source, start: int, stop: int) -> bool:
    """Whether, between two frames, a foot bears the travelling body well above the floor."""
    clip = source.clip
    limit = ABOVE * build_body(clip.skeleton).height
    moving = source.speeds > TRAVELLING
    for foot in find_roles(clip.skeleton).feet:
        toe = clip.positions[:, foot.toe]
        standing = ((speeds_along(toe, clip.fps) < TAKE_SPEED) & (toe[:, 1] > limit) & moving)[start : stop + 1]
        if standing.sum() >= LEAST_TIME * clip.fps:
            return True
    return False
