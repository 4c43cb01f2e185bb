"""Heels and toes on the ground: who is planted, and when.

A foot joint is planted while it is low and slow, with hysteresis between taking hold and letting go. "Low" is
measured from a floor fitted to the clip itself, which may lie at any height and tilt a little, as the floor of a
calibrated capture volume does. "Slow" is still against the ground: feet that ride on a skateboard, slide or are
carried move with it and are not planted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.motion.clip import Clip, Contacts
from walkon.motion.feet import _kernels_contacts as _kernels
from walkon.motion.feet.floor import fit_floor
from walkon.motion.feet.standing import SPEED_WINDOW
from walkon.skeleton import build_body, find_roles

TAKE_HEIGHT, LEAVE_HEIGHT = 0.014, 0.025
"""Height above its resting height, as a share of the body's, below which a joint takes hold and above which it
lets go: 2.5 cm and 4.4 cm for an adult."""

TAKE_SPEED, LEAVE_SPEED = 0.6, 1.0
"""Speeds [m/s] below which a joint takes hold and above which it lets go, in slow motion."""

SWING_SHARE = 0.18
"""In fast motion a joint takes hold below this share of its own fast speed: feet roll and shake when running."""

SHORTEST_PLANT, SHORTEST_GAP = 0.05, 0.04
"""Plants and gaps [s] shorter than these are noise."""


def find_contacts(clip: Clip) -> Contacts:
    """Which foot joints, heel and ball of every foot, are planted in which frames.

    A skeleton without feet has contacts of no joints. Rigs without a heel joint use the ankle instead.
    """
    feet = find_roles(clip.skeleton).feet
    joints = np.array(list(dict.fromkeys(j for foot in feet for j in (foot.heel, foot.toe))), dtype=np.int64)
    names = tuple(clip.skeleton.names[joint] for joint in joints)
    planted = np.zeros((len(clip), len(joints)), dtype=np.bool_)
    if len(joints) == 0:
        return Contacts(names, planted)
    scale = build_body(clip.skeleton).height
    speeds = _speeds(clip, joints)
    heights = fit_floor(clip, joints, speeds).heights_above
    fast = np.percentile(speeds, 95, axis=0)
    _kernels.hold_with_hysteresis(
        heights,
        speeds,
        TAKE_HEIGHT * scale,
        LEAVE_HEIGHT * scale,
        np.maximum(TAKE_SPEED, SWING_SHARE * fast),
        np.maximum(LEAVE_SPEED, LEAVE_SPEED / TAKE_SPEED * SWING_SHARE * fast),
        planted,
    )
    _kernels.drop_short_runs(planted, False, SHORTEST_GAP * clip.fps)
    _kernels.drop_short_runs(planted, True, SHORTEST_PLANT * clip.fps)
    return Contacts(names, planted)


def _speeds(clip: Clip, joints: NDArray[np.int64]) -> Array:
    """Speeds (F, K) [m/s] of the joints."""
    speeds = np.empty((len(clip), len(joints)))
    reach = max(1, round(SPEED_WINDOW * clip.fps))
    _kernels.joint_speeds(clip.positions, joints, reach, clip.fps, speeds)
    return speeds
