"""The clips that somebody plays in a take, each as a body by itself on level ground."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from walkon.metrics.audit.bodies import Bodies, gather
from walkon.motion import Clip
from walkon.take import Role, Take


@dataclass(frozen=True)
class _Alone:
    """A clip by itself, as a performance."""

    clip: Clip
    character: str
    start_frame: int = 0


@dataclass(frozen=True)
class PlayedClips:
    """Every clip that any role plays: index in the take -> row of `bodies`."""

    take: Take

    @cached_property
    def rows(self) -> dict[int, int]:
        """Row of every clip that is played."""
        played = sorted({int(clip) for role in self.take.roles for clip in role.clips})
        return {clip: row for row, clip in enumerate(played)}

    @cached_property
    def bodies(self) -> Bodies:
        """All of them, named by their behaviors."""
        return gather([_Alone(self.take.clips[clip].clip, self.take.clips[clip].behavior) for clip in self.rows])

    def of(self, role: Role) -> list[int]:
        """Rows of the clips of a role, each once."""
        return sorted({self.rows[int(clip)] for clip in role.clips})

    def first_played(self, row: int) -> tuple[str, int]:
        """Who plays a clip first, and when its first frame would be shown."""
        clip = list(self.rows)[row]
        found = [
            (int(role.frames[segment]), role.character)
            for role in self.take.roles
            for segment in np.flatnonzero(role.clips == clip)
        ]
        frame, who = min(found)
        return who, frame - self.take.clips[clip].margin
