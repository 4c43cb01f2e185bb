"""How people move along their paths: speed, and acceleration along the way and across it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.metrics.plausibility import _kernels
from walkon.metrics.trajectories import Trajectories

STANDING_SPEED = 0.1
"""Somebody slower than this [m/s] stands. A path that stands has no direction, so that the last one counts, or the
next."""


@dataclass(frozen=True, eq=False)
class Kinematics:
    """Of trajectories with M rows.

    normal, tangential: (M,) [m/s²] acceleration to the left and ahead; nan at everybody's first and last row.
    normal_jerk, tangential_jerk: (M,) [m/s³] change of the two from each row to the next; nan at everybody's first
    row and last two.
    """

    normal: Array
    tangential: Array
    normal_jerk: Array
    tangential_jerk: Array


def measure_kinematics(trajectories: Trajectories) -> Kinematics:
    """Accelerations and jerks of everybody in every row, by central differences."""
    normal, tangential = np.full((2, len(trajectories.places)), np.nan)
    _kernels.split_accelerations(
        trajectories.places, trajectories.offsets, trajectories.fps, STANDING_SPEED, normal, tangential
    )
    jerks = []
    for values in (normal, tangential):
        # From one person's last row to the next one's first there is a nan on both sides.
        jerks.append(np.append(np.diff(values) * trajectories.fps, np.nan)[: len(values)])
    return Kinematics(normal, tangential, *jerks)


def speeds(trajectories: Trajectories) -> Array:
    """Speed (M,) [m/s] of everybody in every row: over the rows before and after, or the one there is; nan for who
    has a single row."""
    found = np.full(len(trajectories.places), np.nan)
    for person in range(len(trajectories)):
        path = trajectories.path(person)
        if len(path) > 1:
            velocity = np.gradient(path, 1.0 / trajectories.fps, axis=0)
            found[trajectories.offsets[person] : trajectories.offsets[person + 1]] = np.hypot(
                velocity[:, 0], velocity[:, 1]
            )
    return found
