"""What a take is: who plays which clip, when and where. Checked only as far as playing it needs; see the audit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Indices, frozen
from walkon.errors import TakeError
from walkon.motion import Clip
from walkon.skeleton.skeleton import LARGEST_LENGTH
from walkon.world import Scene


@dataclass(frozen=True, eq=False)
class TakeClip:
    """A clip that somebody plays, with `margin` extra frames on both sides of its core for blending.

    behavior, kind: what it shows. entry, exit: the poses it begins and ends in. library: whose.
    """

    clip: Clip
    margin: int
    behavior: str
    kind: str
    entry: str
    exit: str
    library: str

    def __post_init__(self) -> None:
        if self.margin < 0 or self.duration < 1:
            raise TakeError(
                f"clip {self.clip.name!r} has {len(self.clip)} frames: too few for a core and "
                f"{self.margin} extra frames on both sides"
            )

    @property
    def first(self) -> int:
        """Frame of the clip that shows the entry pose."""
        return self.margin

    @property
    def last(self) -> int:
        """Frame of the clip that shows the exit pose, which is the entry pose of whatever follows."""
        return len(self.clip) - 1 - self.margin

    @property
    def duration(self) -> int:
        """Frames from the entry pose to the exit pose."""
        return len(self.clip) - 1 - 2 * self.margin


@dataclass(frozen=True, eq=False)
class Role:
    """What one character of the scene does: S segments, one after another without gaps.

    character: its name in the scene. clips: (S,) indices into the take's clips. frames: (S,) of the take, when the
    entry pose of each is shown. placements: (S, 3) x, z, heading of the character at that moment.
    arrival: frame at which the goal was reached; segments after it pass the time there. None if it was not.
    leaves: whether the character is gone after its last frame, rather than there until the end of the take.
    """

    character: str
    clips: Indices
    frames: Indices
    placements: Array
    arrival: int | None
    leaves: bool = False

    def __post_init__(self) -> None:
        clips, frames = frozen(self.clips, np.int64), frozen(self.frames, np.int64)
        placements = frozen(self.placements, np.float64)
        if clips.ndim != 1 or frames.shape != clips.shape or placements.shape != (*clips.shape, 3):
            raise TakeError(
                f"role of {self.character!r}: clips (S,), frames (S,) and placements (S, 3) needed, "
                f"not {clips.shape}, {frames.shape} and {placements.shape}"
            )
        if not len(clips):
            raise TakeError(f"role of {self.character!r} has no segments")
        if not (np.abs(placements) <= LARGEST_LENGTH).all():
            raise TakeError(f"role of {self.character!r}: placements must be finite, at most {LARGEST_LENGTH:g}")
        if frames[0] < 0 or (np.diff(frames) <= 0).any():
            raise TakeError(f"role of {self.character!r}: frames must rise from 0 or later")
        for name, value in (("clips", clips), ("frames", frames), ("placements", placements)):
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        """Number of segments S."""
        return len(self.clips)

    @property
    def start_frame(self) -> int:
        """The first frame of the take in which the character is there."""
        return int(self.frames[0])


@dataclass(frozen=True, eq=False)
class Take:
    """Everything that was directed.

    scene: as it was given. fps [Hz], frames: from 0 to frames - 1. clips: those in use. roles: one for every
    character that could be planned. unplanned: (name, reason) of those that could not. seed, planner: how it was
    made.
    """

    scene: Scene
    fps: float
    frames: int
    clips: tuple[TakeClip, ...]
    roles: tuple[Role, ...]
    unplanned: tuple[tuple[str, str], ...] = ()
    seed: int = 0
    planner: str = ""

    def __post_init__(self) -> None:
        for name in ("clips", "roles", "unplanned"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if not (np.isfinite(self.fps) and self.fps > 0.0):
            raise TakeError(f"a take's fps must be positive, not {self.fps}")
        if self.frames < 0:
            raise TakeError(f"a take has 0 frames or more, not {self.frames}")
        for shown in self.clips:
            if shown.clip.fps != self.fps:
                raise TakeError(f"clip {shown.clip.name!r} has {shown.clip.fps:g} Hz, the take {self.fps:g} Hz")
        self._check_roles()

    def _check_roles(self) -> None:
        known = {character.name for character in self.scene.characters}
        played: set[str] = set()
        durations = np.array([shown.duration for shown in self.clips], dtype=np.int64)
        for role in self.roles:
            if role.character not in known:
                raise TakeError(f"role of {role.character!r}: the scene has no such character")
            if role.character in played:
                raise TakeError(f"{role.character!r} has two roles")
            played.add(role.character)
            if role.clips.min() < 0 or role.clips.max() >= len(self.clips):
                raise TakeError(
                    f"role of {role.character!r} plays clip {role.clips.max()}; there are {len(self.clips)}"
                )
            if role.start_frame >= self.frames:
                raise TakeError(
                    f"role of {role.character!r} begins at frame {role.start_frame}; the take has {self.frames}"
                )
            late = np.flatnonzero(np.diff(role.frames) != durations[role.clips[:-1]])
            if len(late):
                raise TakeError(
                    f"role of {role.character!r}: segment {late[0] + 1} does not begin when segment {late[0]} ends"
                )
            skeleton = self.clips[role.clips[0]].clip.skeleton
            for clip in np.unique(role.clips):
                if not self.clips[clip].clip.skeleton.matches(skeleton):
                    raise TakeError(f"role of {role.character!r} plays clips of different skeletons")

    def role(self, character: str) -> Role:
        """The role of the character with that name."""
        for role in self.roles:
            if role.character == character:
                return role
        raise TakeError(f"nobody called {character!r} plays in this take")

    def end_frame(self, role: Role) -> int:
        """The last frame in which a character is there."""
        ends = int(role.frames[-1]) + self.clips[role.clips[-1]].duration
        return min(ends, self.frames - 1) if role.leaves else self.frames - 1
