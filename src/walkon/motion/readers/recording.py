"""What a reader returns: a clip, and everything worth knowing about how it was read."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from walkon.basics import Array
from walkon.motion.clip import Clip

Trim = Literal["none", "leading"]


@dataclass(frozen=True)
class MotionProblem:
    """One flaw of a recording.

    kind:    "bad start" (the first rows do not belong to the motion) or "spike" (rows in between do not).
    row:     first row of the file concerned, counted from 0, an added T pose included.
    stop:    first row that is good again.
    frame:   frame of the returned clip at which it shows, or None when those rows were trimmed away.
    joint:   name of the joint that jumps most.
    message: all of this in words.
    """

    kind: str
    row: int
    stop: int
    frame: int | None
    joint: str
    message: str


@dataclass(frozen=True)
class Provenance:
    """Where a clip comes from and what was done to it.

    unit:           metres of one file unit.
    unit_name:      what that unit is called, or "given".
    up:             the file's up axis, "y" or "z".
    rows:           rows (poses) found in the file.
    dropped_t_pose: whether row 0 was an added T pose and was left out.
    trimmed:        bad leading rows left out after that.
    """

    path: Path
    format: str
    unit: float
    unit_name: str
    up: str
    rows: int
    dropped_t_pose: bool = False
    trimmed: int = 0

    @property
    def first_row(self) -> int:
        """Row of the file that became frame 0 of the clip."""
        return int(self.dropped_t_pose) + self.trimmed


@dataclass(frozen=True, eq=False)
class Recording:
    """A clip as read from a file, with its flaws, the reader's remarks and where it comes from."""

    clip: Clip
    provenance: Provenance
    problems: tuple[MotionProblem, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(eq=False)
class RawMotion:
    """Motion as a file states it, in the file's own units and axes; what a format's parser hands on.

    names, parents, offsets, tips: as in Skeleton.
    root_positions (F, 3), rotations (F, J, 4), bone_offsets (F, J, 3) or None: as in Clip.
    unit: (name, metres) when the format itself says, else None.
    up:   "y" or "z" when the format itself says, else None.
    """

    format: str
    names: list[str]
    parents: list[int]
    offsets: Array
    tips: list[bool]
    fps: float
    root_positions: Array
    rotations: Array
    bone_offsets: Array | None = None
    unit: tuple[str, float] | None = None
    up: str | None = None
    warnings: list[str] = field(default_factory=list)
