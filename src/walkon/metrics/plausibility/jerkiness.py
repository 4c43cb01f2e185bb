"""Jerkiness: how much the acceleration of people jumps about, across their way and along it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.metrics.plausibility.kinematics import Kinematics
from walkon.metrics.trajectories import Trajectories


@dataclass(frozen=True, eq=False)
class Jerkiness:
    """Of N people; nan for those with fewer than five rows.

    normal, tangential: (N,) [m/s³] standard deviation of the jerk across the way, and along it.
    normal_peaks, tangential_peaks: (N,) [m/s³] the jerk of the largest size, with its sign; normal_times,
    tangential_times: (N,) [s] when.
    """

    normal: Array
    tangential: Array
    normal_peaks: Array
    tangential_peaks: Array
    normal_times: Array
    tangential_times: Array


def measure_jerkiness(trajectories: Trajectories, kinematics: Kinematics) -> Jerkiness:
    """Jerkiness of everybody, over the whole of their paths."""
    found = np.full((6, len(trajectories)), np.nan)
    for person, count in enumerate(trajectories.counts):
        if count < 5:
            continue
        begin = int(trajectories.offsets[person])
        for part, jerks in enumerate((kinematics.normal_jerk, kinematics.tangential_jerk)):
            own = jerks[begin + 1 : begin + count - 2]
            peak = int(np.abs(own).argmax())
            found[part, person], found[2 + part, person] = own.std(), own[peak]
            # Between two rows lies the change from one to the other.
            found[4 + part, person] = (trajectories.starts[person] + 1.5 + peak) / trajectories.fps
    return Jerkiness(*found)
