"""Whether motion is as smooth as what was given: the jerk of joints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.motion import Clip

ROUGH_SHARE = 99.0
"""Percentile of jerks that stands for the roughest moments; the largest one alone would be chance."""


@dataclass(frozen=True, eq=False)
class Smoothness:
    """Jerk [m/s³] of the joints of C clips.

    means: (C,) over frames and joints. peaks: (C,) 99th percentile.
    """

    means: Array
    peaks: Array


def measure_smoothness(clips: Sequence[Clip]) -> Smoothness:
    """Mean and 99th percentile of the jerk of the joints of every clip; 0 for clips of fewer than four frames."""
    found = [jerks(clip) for clip in clips]
    means = [float(jerk.mean()) if jerk.size else 0.0 for jerk in found]
    peaks = [float(np.percentile(jerk, ROUGH_SHARE)) if jerk.size else 0.0 for jerk in found]
    return Smoothness(np.array(means), np.array(peaks))


def jerks(clip: Clip) -> Array:
    """Lengths (F - 3, J) [m/s³] of the third derivative of every joint's position."""
    return np.linalg.norm(np.diff(clip.positions, n=3, axis=0), axis=2) * clip.fps**3
