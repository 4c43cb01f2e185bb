"""Recordings made ready for cutting: one body, level ground, contacts known, and their mirror images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.behaviors.building.report import LeftOut
from walkon.motion import Clip, find_contacts, ground_placements, mirror
from walkon.motion.editing.common_body import share_body
from walkon.motion.features import foot_supports
from walkon.motion.features.smoothing import smooth_over_time
from walkon.skeleton import Skeleton

TRAVEL_SMOOTHING = 0.1
"""Standard deviation [s] of the smoothing that makes a direction of travel of a path that sways with every step.
With more, sharp turns are rounded off."""

SHORTEST_SOURCE = 0.5
"""Shortest recording [s] that something can be cut out of: a step takes as long."""


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
        smooth = smooth_over_time(self.placements[:, :2], self.clip.fps, TRAVEL_SMOOTHING)
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
    ready, failed = share_body(usable, skeleton)
    lengths = {clip.name: len(clip) for clip in usable}
    for name, reason in failed.items():
        left_out.append(LeftOut(name, 0, lengths[name] - 1, f"does not fit the common body: {reason}"))
    sources = [Source(clip.with_changes(contacts=find_contacts(clip))) for clip in ready]
    if mirrored:
        sources += [Source(mirror(source.clip), mirrored=True) for source in sources]
    return sources, left_out


def _usable(clips: Sequence[Clip]) -> tuple[list[Clip], list[LeftOut]]:
    usable, left_out = [], []
    for clip in clips:
        if clip.duration < SHORTEST_SOURCE:
            left_out.append(LeftOut(clip.name, 0, len(clip) - 1, f"only {clip.duration:.2f} s long"))
        else:
            usable.append(clip)
    return usable, left_out
