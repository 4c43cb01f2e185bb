"""Named poses: the few recorded moments that most others are like, so that clips can meet in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.behaviors.building.clouds import gather_clouds
from walkon.behaviors.building.cuts import Cut
from walkon.behaviors.building.sources import Source
from walkon.behaviors.building.windows import ALIGNED, POSE_REACH, pose_window
from walkon.motion import Clip, ground_placements, mirror
from walkon.motion.features import foot_supports
from walkon.motion.features.clouds import pair_distances, watched_joints
from walkon.motion.features.shared_poses import find_shared_poses
from walkon.motion.feet.soles import leg_length

LEAST_MOMENTS = {"rest": 1, "stride": 3, "glide": 3}
LEAST_SHARE = 0.1
"""Fewer moments, or a smaller share of those of their kind, make no pose."""

SLOW_WALK = 0.6
"""Speed [m/s] of strides below which it is a share of those of the same pace: a slow walk is a pose of its own,
however much else was recorded."""

POSE_RADIUS = {"rest": 0.10, "stride": 0.10, "glide": 0.125}
RADIUS_PER_SPEED = 0.27
"""Radius of a pose at rest [m] by its kind, and the share that 1 m/s of speed adds to it: fast motion varies more,
and whoever glides has no steps to keep. Larger radii make more of a recording usable and bend it more."""

OTHER_SPEED, OTHER_SPEED_SHARE = 0.2, 0.4
"""A moment belongs to no pose whose speed differs by more than this, in m/s and as a share of its speed."""

STEP_SECONDS, STEP_SLOPE, SLOWEST = 0.635, -0.46, 0.7
"""Seconds that a step takes at 1 m/s, how they go with speed (a power), as measured on recordings, and the speed
[m/s] below which they go no further. People in crowds slow down by shorter steps, not by longer lasting ones: with
a lower speed, steps of 0.6 s at 0.4 m/s would be taken for halves; with a higher one, halves for steps."""

GRAVITY = 9.81
RUNNING, RUNNING_SLOWLY = 0.5, 0.3
"""Froude number v² / (g · leg) above which bipeds run, or may; a jog becomes a run at four times that."""


@dataclass(frozen=True, eq=False)
class SharedPose:
    """A pose that behaviors begin and end in.

    cut: the moment that stands for it. radius [m]: how far from it a moment may be and still count as it.
    window: 2 · POSE_REACH + 1 frames around the moment, which stands at the origin and looks along +z.
    foot: that a stride is over, 0 the left one, 1 the right one.
    """

    name: str
    cut: Cut
    radius: float
    window: Clip
    foot: int = 0

    @property
    def kind(self) -> str:
        """The kind of its moments: "stride", "rest" or "glide"."""
        return self.cut.kind

    @cached_property
    def speed(self) -> float:
        """Speed [m/s] over the ground."""
        if self.kind == "rest":
            return self.cut.speed
        places = ground_placements(self.window)[[POSE_REACH - ALIGNED, POSE_REACH + ALIGNED], :2]
        return float(np.hypot(*(places[1] - places[0]))) * self.window.fps / (2 * ALIGNED)

    @property
    def slow(self) -> bool:
        """Whether it is part of a slow walk; whoever sets off or stops passes such a pose, too."""
        return self.kind == "stride" and self.speed < SLOW_WALK

    @cached_property
    def step_seconds(self) -> float:
        """How long [s] people take for a step of a walk at this speed; 0 where nobody walks."""
        if self.kind != "stride" or self.runs:
            return 0.0
        return STEP_SECONDS * max(self.speed, SLOWEST) ** STEP_SLOPE

    @cached_property
    def runs(self) -> bool:
        """Whether it is part of a run: too fast for a walk, or fast with both feet off the ground at times."""
        if self.kind != "stride":
            return False
        froude = self.speed**2 / (GRAVITY * leg_length(self.window.skeleton))
        flies = not foot_supports(self.window).any(axis=1).all()
        return froude > RUNNING or (flies and froude > RUNNING_SLOWLY)


def find_hubs(
    sources: Sequence[Source], cuts: Sequence[Cut], *, fps: float, likeness: float = 1.0
) -> list[SharedPose]:
    """The poses that most cuts are like, kind by kind.

    Again and again the moment that most of the moments left are like becomes a pose, until too few are left to be
    worth one. Only moments of recordings as they are can become a pose: mirror images join where they fit.
    likeness: factor on how far from a pose a moment may be.
    """
    hubs: list[SharedPose] = []
    for kind in ("rest", "stride", "glide"):
        own = [cut for cut in cuts if cut.kind == kind]
        if not own:
            continue
        distances = _distances(sources, own)
        eligible = np.array([_can_stand_for_others(sources[cut.source], cut, fps) for cut in own])
        radii = np.array([radius_at(cut, likeness) for cut in own])
        slow = (np.array([cut.speed for cut in own]) < SLOW_WALK) & (kind == "stride")
        among = np.where(slow, np.isfinite(distances).sum(axis=1), len(own))
        least = np.maximum(LEAST_MOMENTS[kind], LEAST_SHARE * among)
        for center in find_shared_poses(distances, eligible, radii, least):
            order = np.argsort(distances[center])
            like = [own[i] for i in order if distances[center, i] <= radii[center]]
            window = pose_window(sources, own[center], like if kind == "stride" else [], fps)
            hubs.append(SharedPose("", own[center], float(radii[center]), window))
    return _named(sources, hubs)


def over_other_foot(hubs: Sequence[SharedPose]) -> list[SharedPose]:
    """The poses of walks over the other foot: between the two lie single steps."""
    return [
        replace(hub, name=f"{hub.name}_other_foot", window=mirror(hub.window), foot=1)
        for hub in hubs
        if hub.kind == "stride" and not hub.runs
    ]


def radius_at(cut: Cut, likeness: float) -> float:
    """How far [m] from a pose a moment may be and still count as it: fast motion varies more."""
    return likeness * POSE_RADIUS[cut.kind] * (1.0 + RADIUS_PER_SPEED * cut.speed)


def _distances(sources: Sequence[Source], cuts: Sequence[Cut]) -> Array:
    """Distances (N, N) [m] between moments; infinite where speeds differ too much."""
    clouds, known = gather_clouds(sources, cuts)
    distances = pair_distances(clouds, known, watched_joints(sources[0].clip.skeleton)[1])
    speeds = np.array([cut.speed for cut in cuts])
    return np.where(same_pace(speeds[:, None], speeds), distances, np.inf)


def same_pace(speed: float | Array, others: Array) -> NDArray[np.bool_]:
    """Whether speeds [m/s] are near enough to belong to one pose."""
    return np.abs(others - speed) <= OTHER_SPEED + OTHER_SPEED_SHARE * np.minimum(speed, others)


def _can_stand_for_others(source: Source, cut: Cut, fps: float) -> bool:
    """Whether enough was recorded around a moment; before and after a rest, more rest can be assumed."""
    reach = POSE_REACH * source.clip.fps / fps
    inside = reach <= cut.frame <= len(source.clip) - 1 - reach
    return not source.mirrored and (inside or cut.kind == "rest")


def _named(sources: Sequence[Source], hubs: Sequence[SharedPose]) -> list[SharedPose]:
    """The poses with names; of several that would share one, the first keeps it."""
    leg = leg_length(sources[0].clip.skeleton)
    named: dict[str, SharedPose] = {}
    for hub in hubs:
        name = base = _plain_name(hub, leg)
        if base in named and hub.kind != "rest":
            name = base = f"{base}_{'fast' if hub.speed > named[base].speed else 'slow'}"
        number = 2
        while name in named:
            name, number = f"{base}_{number}", number + 1
        named[name] = replace(hub, name=name)
    return list(named.values())


def _plain_name(hub: SharedPose, leg: float) -> str:
    if hub.kind == "rest":
        return "stand"
    if hub.kind == "glide":
        return "glide"
    if not hub.runs:
        return "walk"
    return "jog" if hub.speed**2 < 4.0 * RUNNING * GRAVITY * leg else "run"
