"""Which behaviors of a library are learned from together.

A behavior has a few clips, and how a motion varies takes more. Behaviors that lead from one pose to another over
the ground are done alike, however far they turn: the thesis learned from five jogs to different sides. What
gestures and jumps have in common with each other is only where they begin and end, so each learns for itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from walkon.behaviors import Behavior, BehaviorLibrary
from walkon.motion import Clip

SHARED = ("locomotion", "transition", "wait")
"""Kinds whose behaviors learn together when they share their poses."""


@dataclass(frozen=True, eq=False)
class Group:
    """Behaviors that are learned from together. name: of the group, for people."""

    name: str
    behaviors: tuple[Behavior, ...]

    @property
    def clips(self) -> list[Clip]:
        """All their clips, margins included."""
        return [shown.clip for behavior in self.behaviors for shown in behavior.clips]

    def some(self, frames: int) -> list[Clip]:
        """Clips of about so many frames in all, two at least: the first of every behavior, then the second, ..."""
        rows = max(len(behavior.clips) for behavior in self.behaviors)
        taken: list[Clip] = []
        for row in range(rows):
            for behavior in self.behaviors:
                if row >= len(behavior.clips):
                    continue
                clip = behavior.clips[row].clip
                if len(taken) >= 2 and sum(map(len, taken)) + len(clip) > frames:
                    return taken
                taken.append(clip)
        return taken


def group_behaviors(library: BehaviorLibrary) -> list[Group]:
    """The groups, in order of their first behaviors; every behavior is in one."""
    found: dict[tuple[str, ...], list[Behavior]] = {}
    for behavior in library:
        shared = behavior.kind in SHARED
        key = (behavior.kind, behavior.entry, behavior.exit) if shared else (behavior.kind, "", "", behavior.name)
        found.setdefault(key, []).append(behavior)
    return [Group(_name(behaviors), tuple(behaviors)) for behaviors in found.values()]


def _name(behaviors: Sequence[Behavior]) -> str:
    first = behaviors[0]
    if len(behaviors) == 1:
        return first.name
    way = first.entry if first.entry == first.exit else f"{first.entry} to {first.exit}"
    return f"{first.kind}, {way}"
