"""A behavior library: what a cast can do, which clips show it, and what may follow what.

A behavior begins in one named pose and ends in another; behavior B may follow A when A ends in the pose in which B
begins. The clips of a behavior are interchangeable: adding one changes nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from walkon.behaviors.kinds import BEHAVIOR_KINDS
from walkon.errors import LibraryError
from walkon.motion import Clip
from walkon.skeleton import Skeleton

MARGIN = 8
"""Extra frames before and after a clip, for blending into and out of it."""

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
"""Behaviors name files, so their names are ones that every file system takes."""


@dataclass(frozen=True, eq=False)
class BehaviorClip:
    """One way to show a behavior.

    clip: with `margin` extra frames before and after its core.
    margin: how many; the core is the frames from `first` to `last`, both included.
    action_time: [s] after the core begins, when the action happens (over the bar, under the beam); None if nothing
        in particular happens.
    """

    clip: Clip
    margin: int = MARGIN
    action_time: float | None = None

    def __post_init__(self) -> None:
        if self.margin < 0 or len(self.clip) < 2 * self.margin + 2:
            raise LibraryError(
                f"clip {self.clip.name!r} has {len(self.clip)} frames: too few for a core and "
                f"{self.margin} extra frames on both sides"
            )
        if self.action_time is not None and not 0.0 <= self.action_time <= self.duration:
            raise LibraryError(
                f"clip {self.clip.name!r}: action time {self.action_time} s lies outside its {self.duration:.3f} s"
            )

    @property
    def first(self) -> int:
        """First frame of the core: the entry pose."""
        return self.margin

    @property
    def last(self) -> int:
        """Last frame of the core: the exit pose, and the first frame of whatever follows."""
        return len(self.clip) - 1 - self.margin

    @property
    def duration(self) -> float:
        """Seconds from the entry pose to the exit pose."""
        return (self.last - self.first) / self.clip.fps


@dataclass(frozen=True, eq=False)
class Behavior:
    """Something a cast can do, from one pose to another.

    name: unique in its library. entry, exit: names of the poses it begins and ends in. clips: one or more.
    kind: one of BEHAVIOR_KINDS, by name. weight: how dear it is to a planner, times the length of its path.
    """

    name: str
    entry: str
    exit: str
    clips: tuple[BehaviorClip, ...]
    kind: str = "locomotion"
    weight: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "clips", tuple(self.clips))
        if not self.clips:
            raise LibraryError(f"behavior {self.name!r} has no clips")
        if not NAME.fullmatch(self.name):
            raise LibraryError(f"behavior name {self.name!r}: use letters, digits, _ and -, at most 80 of them")
        if self.kind not in BEHAVIOR_KINDS:
            known = ", ".join(BEHAVIOR_KINDS)
            raise LibraryError(f"behavior {self.name!r}: no kind {self.kind!r}; there are: {known}")
        if not 0.0 < self.weight < float("inf"):
            raise LibraryError(f"behavior {self.name!r}: weight must be positive, not {self.weight}")


@dataclass(frozen=True, eq=False)
class BehaviorLibrary:
    """What a cast can do.

    name: of the cast. behaviors: each with its clips, all of one skeleton and one frame rate.
    """

    name: str
    behaviors: tuple[Behavior, ...] = field(default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "behaviors", tuple(self.behaviors))
        if not self.behaviors:
            raise LibraryError(f"library {self.name!r} has no behaviors")
        names = [behavior.name for behavior in self.behaviors]
        if len(set(names)) != len(names):
            twice = sorted({name for name in names if names.count(name) > 1})
            raise LibraryError(
                f"library {self.name!r}: behavior names must be unique; repeated: {', '.join(twice)}"
            )
        for behavior, shown in self._shown():
            if not shown.clip.skeleton.matches(self.skeleton):
                raise LibraryError(f"behavior {behavior.name!r}: clip {shown.clip.name!r} has another skeleton")
            if shown.clip.fps != self.fps:
                raise LibraryError(
                    f"behavior {behavior.name!r}: clip {shown.clip.name!r} has {shown.clip.fps:g} Hz, "
                    f"the others {self.fps:g} Hz"
                )

    def _shown(self) -> Iterator[tuple[Behavior, BehaviorClip]]:
        return ((behavior, shown) for behavior in self.behaviors for shown in behavior.clips)

    def __len__(self) -> int:
        return len(self.behaviors)

    def __iter__(self) -> Iterator[Behavior]:
        return iter(self.behaviors)

    def __getitem__(self, name: str) -> Behavior:
        for behavior in self.behaviors:
            if behavior.name == name:
                return behavior
        known = ", ".join(behavior.name for behavior in self.behaviors)
        raise LibraryError(f"library {self.name!r} has no behavior {name!r}; there are: {known}")

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton that all clips share."""
        return self.behaviors[0].clips[0].clip.skeleton

    @property
    def fps(self) -> float:
        """Frame rate [Hz] that all clips share."""
        return self.behaviors[0].clips[0].clip.fps

    @cached_property
    def poses(self) -> tuple[str, ...]:
        """Names of the poses behaviors begin or end in, in order of first mention."""
        mentioned = (pose for behavior in self.behaviors for pose in (behavior.entry, behavior.exit))
        return tuple(dict.fromkeys(mentioned))

    def followers(self, behavior: Behavior) -> tuple[Behavior, ...]:
        """The behaviors that may follow this one."""
        return tuple(other for other in self.behaviors if other.entry == behavior.exit)
