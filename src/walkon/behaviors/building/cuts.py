"""Moments at which a recording may be cut: always the same ones of a stride, or whenever a body is calm.

In a stride it is the moment the hips pass over the left foot. Right feet need none of their own: in the mirror
image of a recording they are left ones, and the pose over the right foot mirrors the one over the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.behaviors.building.sources import Source
from walkon.skeleton import find_roles

MOVING = 0.5
"""Speed [m/s] above which a body is under way."""

STEPPING = 0.25
"""Speed [m/s] above which passing over a foot may be a step of a slow walk, and not a shift of weight: people who
creep forward in a crowd go at 0.3."""

STEADY, STEADY_PACE = 2.6, 1.5
"""It is one if, within this time [s], the next or last one over the same foot is not faster or slower by more than
this factor: who sets off or stops is slow, too, but only once."""

RESTING = 0.12
"""Speed [m/s] below which a body is in one place."""

CALM = {"rest": 0.16, "glide": 0.42}
"""Mean speed of the joints [m/s], as the body sees them, below which a pose is calm."""

APART = {"rest": 0.8, "glide": 0.5}
"""Least time [s] between calm moments."""

NEAR_PLANT = 0.07
"""A stance counts when the foot is planted within this many seconds of the hips passing over it."""

RIDING = 0.15
"""A body glides when no foot has been on the ground for this long [s], before and after."""

END_MARGIN = 0.07
"""No cut this close [s] to an end of the recording: without neighbours a moment has no velocity."""


@dataclass(frozen=True)
class Cut:
    """A moment at which a recording may be cut.

    source: index of the recording. frame: of it. kind: "stride", "rest" or "glide". speed: [m/s] over the ground.
    """

    source: int
    frame: int
    kind: str
    speed: float


def find_cuts(sources: Sequence[Source]) -> list[Cut]:
    """All cuts of all recordings, in order of recording and time."""
    found = []
    for index, source in enumerate(sources):
        moments = [(frame, "stride") for frame in _stances(source)]
        still = source.speeds < RESTING
        moments += [(frame, "rest") for frame in _calm_moments(source, still, "rest")]
        moments += [(frame, "glide") for frame in _calm_moments(source, _is_gliding(source), "glide")]
        edge = max(1, round(END_MARGIN * source.clip.fps))
        found += [
            Cut(index, frame, kind, float(source.speeds[frame]))
            for frame, kind in sorted(moments)
            if edge <= frame < len(source.clip) - edge
        ]
    return found


def _stances(source: Source) -> list[int]:
    """Frames at which the hips, on their way, pass over the planted left foot."""
    feet = find_roles(source.clip.skeleton).feet
    if not feet:
        return []
    ankle = source.clip.positions[:, feet[0].ankle][:, [0, 2]]
    ahead = np.einsum("fk,fk->f", ankle - source.placements[:, :2], source.velocities)
    passing = np.flatnonzero((ahead[:-1] > 0) & (ahead[1:] <= 0)) + 1
    reach = round(NEAR_PLANT * source.clip.fps)
    planted = source.supports[:, 0]
    stances = [
        int(frame)
        for frame in passing
        if source.speeds[frame] > STEPPING and planted[max(0, frame - reach) : frame + reach + 1].any()
    ]
    return [frame for frame in stances if source.speeds[frame] > MOVING or _is_steady(source, frame, stances)]


def _is_steady(source: Source, frame: int, stances: Sequence[int]) -> bool:
    """Whether another of the stances follows or leads a slow one soon, about as fast."""
    near = [other for other in stances if 0 < abs(other - frame) <= STEADY * source.clip.fps]
    pace = np.log(source.speeds[near] / source.speeds[frame])
    return bool(np.any(np.abs(pace) <= np.log(STEADY_PACE)))


def _is_gliding(source: Source) -> NDArray[np.bool_]:
    """Frames (F,) in which the body travels, but not on its feet."""
    from scipy.ndimage import maximum_filter1d

    planted = source.supports.any(axis=1).astype(np.int8)
    size = 2 * round(RIDING * source.clip.fps) + 1
    return (maximum_filter1d(planted, size) == 0) & (source.speeds > MOVING)


def _calm_moments(source: Source, allowed: NDArray[np.bool_], kind: str) -> list[int]:
    """The calmest of the allowed frames, then the calmest of those far enough from it, and so on."""
    unrest = np.where(allowed & (source.unrest < CALM[kind]), source.unrest, np.inf)
    gap = round(APART[kind] * source.clip.fps)
    chosen = []
    while np.isfinite(unrest).any():
        frame = int(np.argmin(unrest))
        chosen.append(frame)
        unrest[max(0, frame - gap + 1) : frame + gap] = np.inf
    return chosen
