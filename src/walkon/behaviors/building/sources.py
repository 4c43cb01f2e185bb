"""Recordings made ready for cutting: one body, level ground, contacts known, and their mirror images."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from walkon.behaviors.building.leveling import level_ground, stand_on_ground
from walkon.behaviors.building.report import LeftOut
from walkon.errors import ClipError
from walkon.motion import Clip, find_contacts, ground_placements, mirror, retarget, scale
from walkon.motion.features import foot_supports
from walkon.motion.features.smoothing import smooth_over_time
from walkon.skeleton import Skeleton

Array = NDArray[np.float64]

SWAY = 0.1
"""Standard deviation [s] of the smoothing that makes a direction of travel of a swaying path."""

SHORTEST = 0.5
"""A recording of fewer seconds holds nothing that could be cut out."""


@dataclass(frozen=True, eq=False)
class Source:
    """A recording ready for cutting: at its own rate, on the common body, on level ground at height 0."""

    clip: Clip
    mirrored: bool = False

    @cached_property
    def placements(self) -> Array:
        """Ground position and heading (F, 3) [m, rad]."""
        return ground_placements(self.clip)

    @cached_property
    def velocities(self) -> Array:
        """Velocity over the ground (F, 2) [m/s], without the sway of single steps."""
        smooth = smooth_over_time(self.placements[:, :2], self.clip.fps, SWAY)
        return np.gradient(smooth, 1.0 / self.clip.fps, axis=0)

    @cached_property
    def speeds(self) -> Array:
        """Speed over the ground (F,) [m/s]."""
        return np.hypot(*self.velocities.T)

    @cached_property
    def unrest(self) -> Array:
        """Mean speed (F,) [m/s] of the joints as the travelling body sees them."""
        seen = self.clip.positions.copy()
        seen[..., [0, 2]] -= self.placements[:, None, :2]
        moved = np.gradient(seen, 1.0 / self.clip.fps, axis=0)
        return smooth_over_time(np.linalg.norm(moved, axis=2).mean(axis=1)[:, None], self.clip.fps, 0.05)[:, 0]

    @cached_property
    def supports(self) -> NDArray[np.bool_]:
        """Whether each foot is planted (F, feet)."""
        return foot_supports(self.clip)


def prepare_sources(
    clips: Sequence[Clip], *, skeleton: Skeleton | None = None, mirrored: bool = True
) -> tuple[list[Source], list[LeftOut]]:
    """The clips on one skeleton, by default the one most of them share, and after them their mirror images."""
    usable, left_out = _usable(clips)
    target = skeleton or _common_skeleton(usable)
    ready: list[Clip] = []
    for body in _bodies(usable):
        own = level_ground([clip for clip in usable if clip.skeleton.matches(body)])
        moved = []
        for clip in own:
            try:
                moved.append(_on_body(clip, target))
            except ClipError as error:
                left_out.append(LeftOut(clip.name, 0, len(clip) - 1, f"does not fit the common body: {error}"))
        if moved:
            ready += stand_on_ground(moved)
    order = {clip.name: index for index, clip in enumerate(usable)}
    ready.sort(key=lambda clip: order[clip.name])
    sources = [Source(clip.with_changes(contacts=find_contacts(clip))) for clip in ready]
    if mirrored:
        sources += [Source(mirror(source.clip), mirrored=True) for source in sources]
    return sources, left_out


def _usable(clips: Sequence[Clip]) -> tuple[list[Clip], list[LeftOut]]:
    usable, left_out = [], []
    for clip in clips:
        if clip.duration < SHORTEST:
            left_out.append(LeftOut(clip.name, 0, len(clip) - 1, f"only {clip.duration:.2f} s long"))
        else:
            usable.append(clip)
    return usable, left_out


def _bodies(clips: Sequence[Clip]) -> list[Skeleton]:
    """The different skeletons, in order of appearance."""
    bodies: list[Skeleton] = []
    for clip in clips:
        if not any(clip.skeleton.matches(body) for body in bodies):
            bodies.append(clip.skeleton)
    return bodies


def _common_skeleton(clips: Sequence[Clip]) -> Skeleton | None:
    """The skeleton that most clips have."""
    bodies = _bodies(clips)
    votes = Counter(next(i for i, body in enumerate(bodies) if clip.skeleton.matches(body)) for clip in clips)
    return bodies[votes.most_common(1)[0][0]] if votes else None


def _on_body(clip: Clip, skeleton: Skeleton | None) -> Clip:
    if skeleton is None or clip.skeleton.matches(skeleton):
        return clip
    return scale(clip, skeleton) if clip.skeleton.same_topology(skeleton) else retarget(clip, skeleton)
