"""Feet that stand where there is no floor: on a box that was there when it was recorded, and is not here."""

from __future__ import annotations

import numpy as np

from walkon.behaviors.building.sources import Source
from walkon.skeleton import build_body, find_roles

STILL = 0.6
"""Speed [m/s] below which a foot stands."""

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
        speeds = np.linalg.norm(np.gradient(toe, 1.0 / clip.fps, axis=0), axis=1)
        standing = ((speeds < STILL) & (toe[:, 1] > limit) & moving)[start : stop + 1]
        if standing.sum() >= LEAST_TIME * clip.fps:
            return True
    return False
