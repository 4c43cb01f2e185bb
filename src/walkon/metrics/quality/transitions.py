"""Transitions: how often people go over from one clip to the next, and how well the clips fit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.behaviors import BehaviorClip, measure_seam
from walkon.take import Take

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TransitionUse:
    """Of N roles.

    rates: (N,) [1/min] seams a minute. changes: (N,) [1/min] those at which the behavior is another. costs: (N,)
    [m] how far apart the farthest joints of two clips are where they meet, before blending: the mean over seams;
    velocity_costs: (N,) [m/s] the same of their velocities. nan for those without seams.
    """

    rates: Array
    changes: Array
    costs: Array
    velocity_costs: Array


def measure_transitions(take: Take) -> TransitionUse:
    """How often everybody in a take changes clips, and at what cost."""
    shown = [BehaviorClip(clip.clip, clip.margin) for clip in take.clips]
    known: dict[tuple[int, int], tuple[float, float]] = {}
    rows = np.full((len(take.roles), 4), np.nan)
    for number, role in enumerate(take.roles):
        end = take.end_frame(role)
        minutes = (end - role.start_frame + 1) / take.fps / 60.0
        played = int(np.searchsorted(role.frames, end, side="right"))
        pairs = list(zip(role.clips[: played - 1].tolist(), role.clips[1:played].tolist(), strict=True))
        changed = sum(take.clips[a].behavior != take.clips[b].behavior for a, b in pairs)
        rows[number, :2] = len(pairs) / minutes, changed / minutes
        for pair in set(pairs) - known.keys():
            seam = measure_seam(shown[pair[0]], shown[pair[1]])
            known[pair] = (seam.pose_gap, seam.velocity_gap)
        if pairs:
            rows[number, 2:] = np.mean([known[pair] for pair in pairs], axis=0)
    return TransitionUse(*rows.T)
