"""Transitions: how often people go over from one clip to the next, and how well the clips fit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.behaviors.seams import poses_around, seam_gaps
from walkon.take import Take


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
    gaps = _Gaps(take)
    rows = np.full((len(take.roles), 4), np.nan)
    for number, role in enumerate(take.roles):
        end = take.end_frame(role)
        minutes = (end - role.start_frame + 1) / take.fps / 60.0
        played = int(np.searchsorted(role.frames, end, side="right"))
        pairs = list(zip(role.clips[: played - 1].tolist(), role.clips[1:played].tolist(), strict=True))
        changed = sum(take.clips[a].behavior != take.clips[b].behavior for a, b in pairs)
        rows[number, :2] = len(pairs) / minutes, changed / minutes
        if pairs:
            rows[number, 2:] = np.mean([gaps.between(*pair) for pair in pairs], axis=0)
    return TransitionUse(*rows.T)


class _Gaps:
    """How far apart clips of a take are where one follows the other; what they need is reckoned once."""

    def __init__(self, take: Take) -> None:
        self._take = take
        self._exits: dict[int, Array] = {}
        self._entries: dict[int, Array] = {}
        self._known: dict[tuple[int, int], tuple[float, float]] = {}

    def between(self, first: int, second: int) -> tuple[float, float]:
        """The gap [m] between poses and that between velocities [m/s], each of the farthest joint."""
        if (first, second) not in self._known:
            if first not in self._exits:
                self._exits[first] = self._around(first, self._take.clips[first].last)
            if second not in self._entries:
                self._entries[second] = self._around(second, self._take.clips[second].first)
            self._known[first, second] = seam_gaps(self._exits[first], self._entries[second], self._take.fps)
        return self._known[first, second]

    def _around(self, number: int, frame: int) -> Array:
        # A copy, because a clip keeps the joints that it is asked for.
        return poses_around(self._take.clips[number].clip.with_changes(), frame)
