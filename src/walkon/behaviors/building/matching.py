"""Where recordings pass through the named poses, and the stretches between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.behaviors.building.clouds import OFFSETS
from walkon.behaviors.building.cuts import END_MARGIN, NEAR_PLANT
from walkon.behaviors.building.hubs import SharedPose, same_pace
from walkon.behaviors.building.sources import Source
from walkon.motion.features.clouds import cloud_distances, watched_joints
from walkon.skeleton import find_roles

MATCH_RATE = 60.0
"""How often a second a recording is compared with a pose [Hz]."""

APART = {"stride": 0.35, "glide": 0.6, "rest": 0.8}
"""Least time [s] between passes through a pose of a kind."""

OTHER_POSE = 0.25
"""Least time [s] between passes through different poses."""

SHORTEST_STEP, SHORTEST_CYCLE, SHORTEST_START = 0.7, 1.2, 0.45
"""Least times from passing over one foot to passing over the other, to passing over the same one, and to or from
another pose, in steps at the speed of the pose: slow walkers look alike for long. With more, haste is lost."""

LOOSE_RADIUS = 1.9
"""Factor on the radius of a pose where a recording ends, or begins, without coming any nearer to one."""

LOOSE_PACE = 0.6
"""How much faster or slower [m/s] than a pose a recording may be there."""


@dataclass(frozen=True)
class Pass:
    """A moment at which a recording is as good as in a pose.

    source: index of the recording. frame: of it. hub: index of the pose. distance: [m] from it.
    """

    source: int
    frame: int
    hub: int
    distance: float


@dataclass(frozen=True)
class RecordedStretch:
    """A stretch of a recording from one pass to the next; loose: one of them is not quite one."""

    start: Pass
    stop: Pass
    loose: bool = False


def find_passes(sources: Sequence[Source], hubs: Sequence[SharedPose], foot: int = 0) -> list[list[Pass]]:
    """For every recording its passes through the poses over a foot, in order of time; a rest has the left one."""
    return [_passes(index, source, hubs, foot) for index, source in enumerate(sources)]


def find_steps(
    sources: Sequence[Source],
    hubs: Sequence[SharedPose],
    passes: Sequence[Sequence[Pass]],
    others: Sequence[Sequence[Pass]],
) -> list[RecordedStretch]:
    """The stretches from passes to consecutive ones over the other foot, and back: single steps of walks."""
    steps = []
    for source, own, other in zip(sources, passes, others, strict=True):
        for start, stop in pairwise(sorted([*own, *other], key=lambda one: one.frame)):
            entry, leave = hubs[start.hub], hubs[stop.hub]
            least = SHORTEST_STEP * max(entry.step_seconds, leave.step_seconds)
            long = stop.frame - start.frame >= least * source.clip.fps
            if long and entry.foot != leave.foot and not (entry.runs or leave.runs):
                steps.append(RecordedStretch(start, stop))
    return steps


def find_segments(
    sources: Sequence[Source], hubs: Sequence[SharedPose], passes: Sequence[Sequence[Pass]]
) -> list[RecordedStretch]:
    """The stretches between consecutive passes, and loose ones from before the first and to after the last.

    A recorded jump often ends with the recording, just before the next step is taken; it can still be bent into a
    pose, if not as well. A recording without any pass has loose stretches between what comes nearest to one.
    """
    segments = []
    for index, (source, own) in enumerate(zip(sources, passes, strict=True)):
        segments += [RecordedStretch(start, stop) for start, stop in pairwise(own)]
        near = _loose_passes(index, source, hubs, own)
        if own:
            segments += [RecordedStretch(one, own[0], loose=True) for one in near if one.frame < own[0].frame]
            segments += [RecordedStretch(own[-1], one, loose=True) for one in near if one.frame > own[-1].frame]
        else:
            segments += [RecordedStretch(start, stop, loose=True) for start, stop in pairwise(near)]
    return segments


def _loose_passes(index: int, source: Source, hubs: Sequence[SharedPose], passes: Sequence[Pass]) -> list[Pass]:
    """Moments somewhat like a pose, before the first of the true passes or after the last."""
    near = [one for number, hub in _over(hubs, 0) for one in _minima(index, source, number, hub, loose=True)]
    gap = OTHER_POSE * source.clip.fps
    outside = [
        one
        for one in near
        if not passes or one.frame <= passes[0].frame - gap or one.frame >= passes[-1].frame + gap
    ]
    return sorted(outside, key=lambda one: one.frame)


def _over(hubs: Sequence[SharedPose], foot: int) -> list[tuple[int, SharedPose]]:
    """The poses over a foot, with their numbers."""
    return [(number, hub) for number, hub in enumerate(hubs) if hub.foot == foot]


def _least_apart(one: SharedPose, other: SharedPose) -> float:
    """Least time [s] between passes through two poses, or one."""
    if one is other:
        return max(APART[one.kind], SHORTEST_CYCLE * one.step_seconds)
    return max(OTHER_POSE, SHORTEST_START * max(one.step_seconds, other.step_seconds))


def _passes(index: int, source: Source, hubs: Sequence[SharedPose], foot: int) -> list[Pass]:
    """The nearest moments first; a moment too soon before or after one already taken is not another pass."""
    found: list[Pass] = []
    candidates = [one for number, hub in _over(hubs, foot) for one in _minima(index, source, number, hub)]
    for one in sorted(candidates, key=lambda one: one.distance / hubs[one.hub].radius):
        apart = [_least_apart(hubs[one.hub], hubs[other.hub]) for other in found]
        if all(
            abs(one.frame - other.frame) >= gap * source.clip.fps for other, gap in zip(found, apart, strict=True)
        ):
            found.append(one)
    return sorted(found, key=lambda one: one.frame)


def _minima(index: int, source: Source, number: int, hub: SharedPose, *, loose: bool = False) -> list[Pass]:
    """Moments of a recording, near enough to a pose, that are nearer to it than those just before and after."""
    step = max(1, round(source.clip.fps / MATCH_RATE))
    edge = max(1, round(END_MARGIN * source.clip.fps))
    frames = np.arange(edge, len(source.clip) - edge, step)
    if not len(frames):
        return []
    distances = _distances(source, frames, hub, loose)
    limit = hub.radius * (LOOSE_RADIUS if loose else 1.0)
    around = np.concatenate([[np.inf], distances, [np.inf]])
    lowest = (distances <= around[:-2]) & (distances <= around[2:]) & (distances <= limit)
    return [Pass(index, int(frames[i]), number, float(distances[i])) for i in np.flatnonzero(lowest)]


def _distances(source: Source, frames: NDArray[np.int64], hub: SharedPose, loose: bool) -> Array:
    """Distances (N,) [m] of moments from a pose; infinite where pace or footing are not its own."""
    clip = source.clip
    joints, weights = watched_joints(clip.skeleton)
    middle = len(hub.window) // 2
    at = np.round(np.array(OFFSETS) * hub.window.fps).astype(np.int64) + middle
    # The window is sampled coarsely: compare at the times it really has.
    offsets = (at - middle) / hub.window.fps
    picked = frames[:, None] + np.round(offsets * clip.fps).astype(np.int64)
    known = ((picked >= 0) & (picked < len(clip))).astype(np.float64)
    clouds = clip.positions[np.clip(picked, 0, len(clip) - 1)][:, :, joints]
    distances = cloud_distances(hub.window.positions[at][:, joints], np.ones(len(at)), clouds, known, weights)
    speeds = source.speeds[frames]
    fits = same_pace(hub.speed, speeds) | (loose & (np.abs(speeds - hub.speed) < LOOSE_PACE))
    fits &= _has_footing(source, hub)[frames]
    return np.where(fits, distances, np.inf)


def _has_footing(source: Source, hub: SharedPose) -> NDArray[np.bool_]:
    """Frames (F,) in which a stride has its foot on the ground, or nearly; all frames for other kinds."""
    from scipy.ndimage import maximum_filter1d

    if hub.kind != "stride" or not find_roles(source.clip.skeleton).feet:
        return np.ones(len(source.clip), dtype=bool)
    size = 2 * round(NEAR_PLANT * source.clip.fps) + 1
    return maximum_filter1d(source.supports[:, hub.foot].astype(np.int8), size) > 0
