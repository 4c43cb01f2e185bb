"""How a body gets about: speed, turning, path."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.motion.clip import Clip
from walkon.motion.features.placement import ground_placements
from walkon.motion.features.smoothing import smooth_over_time

SWAY_SMOOTHING = 0.15
"""Standard deviation [s] of the smoothing that takes the sway of single steps out of path and heading."""


@dataclass(frozen=True, eq=False)
class Locomotion:
    """Travel over the ground.

    speed: (F,) [m/s] along the ground. turn_rate: (F,) [rad/s], positive to the left.
    path_length: [m] travelled. net_displacement: [m] from the first place to the last.
    total_turn: [rad] of heading from the first frame to the last, whole turns included.
    """

    speed: Array
    turn_rate: Array
    path_length: float
    net_displacement: float
    total_turn: float

    @property
    def mean_speed(self) -> float:
        """Mean speed [m/s] over the frames."""
        return float(self.speed.mean())


def measure_locomotion(clip: Clip, *, sway: float = SWAY_SMOOTHING) -> Locomotion:
    """Speed, turn rate and path of a clip; `sway` [s] is the width of the smoothing, 0 for none.

    A heading grows towards +x from +z, so that a positive turn is one to the left.
    """
    placements = smooth_over_time(ground_placements(clip), clip.fps, sway)
    if len(clip) == 1:
        return Locomotion(np.zeros(1), np.zeros(1), 0.0, 0.0, 0.0)
    velocity = np.gradient(placements, 1.0 / clip.fps, axis=0)
    steps = np.diff(placements[:, :2], axis=0)
    return Locomotion(
        speed=np.hypot(velocity[:, 0], velocity[:, 1]),
        turn_rate=velocity[:, 2],
        path_length=float(np.hypot(steps[:, 0], steps[:, 1]).sum()),
        net_displacement=float(np.hypot(*(placements[-1, :2] - placements[0, :2]))),
        total_turn=float(placements[-1, 2] - placements[0, 2]),
    )
