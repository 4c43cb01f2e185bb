"""Which clips of a library are learned from together.

A behavior has a few clips, and how a motion varies takes more. Behaviors that lead from one pose to another over
the ground are done alike, however far they turn: Lau (2009) learned from five jogs to different sides. What
gestures and jumps have in common with each other is only where they begin and end, so each learns for itself, and
only from clips that are alike: to wave with the left hand is no variation of waving with the right.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.behaviors import BEHAVIOR_KINDS, Behavior, BehaviorLibrary
from walkon.motion import Clip
from walkon.variation.poses import own_positions

SHARED = tuple(name for name, kind in BEHAVIOR_KINDS.items() if kind.everyday)
"""Kinds whose behaviors learn together if they begin and end in the same poses."""

ALIKE, MOMENTS = 0.25, 32
"""Clips are alike if the joint that is farthest from its twin is within ALIKE [m], root mean square over MOMENTS
moments. Chosen by eye: with more, waves of the left hand and of the right are alike."""

Member = tuple[Behavior, int]
"""A behavior, and the number of one of its clips."""


@dataclass(frozen=True, eq=False)
class Group:
    """Clips that are learned from together. name: of the group, for people."""

    name: str
    members: tuple[Member, ...]

    def some(self, frames: int) -> list[Clip]:
        """Clips of `frames` frames or so, at least two: the first of every behavior, then the second, ..."""
        taken: list[Clip] = []
        for behavior, number in sorted(self.members, key=lambda member: member[1]):
            clip = behavior.clips[number].clip
            if len(taken) >= 2 and sum(map(len, taken)) + len(clip) > frames:
                break
            taken.append(clip)
        return taken


def group_clips(library: BehaviorLibrary) -> list[Group]:
    """The groups, in order of their first behaviors; every clip is in one."""
    together: dict[tuple[str, str, str], list[Behavior]] = {}
    for behavior in library:
        if behavior.kind in SHARED:
            together.setdefault((behavior.kind, behavior.entry, behavior.exit), []).append(behavior)
    groups = [Group(_name(behaviors), _members(behaviors)) for behaviors in together.values()]
    for behavior in library:
        if behavior.kind not in SHARED:
            groups += [Group(behavior.name, tuple(members)) for members in _alike(behavior)]
    return groups


def _members(behaviors: list[Behavior]) -> tuple[Member, ...]:
    return tuple((behavior, number) for behavior in behaviors for number in range(len(behavior.clips)))


def _name(behaviors: list[Behavior]) -> str:
    first = behaviors[0]
    if len(behaviors) == 1:
        return first.name
    way = first.entry if first.entry == first.exit else f"{first.entry} to {first.exit}"
    return f"{first.kind}, {way}"


def _alike(behavior: Behavior) -> list[list[Member]]:
    """The clips of a behavior, those together of which each is like the first."""
    found: list[list[Member]] = []
    for member in _members([behavior]):
        clip = behavior.clips[member[1]].clip
        for others in found:
            if distance_of_clips(clip, behavior.clips[others[0][1]].clip) <= ALIKE:
                others.append(member)
                break
        else:
            found.append([member])
    return found


def distance_of_clips(clip: Clip, other: Clip) -> float:
    """[m] between the joints of two clips where as much of each is done, the worst off of every moment."""
    shares = np.linspace(0.0, 1.0, MOMENTS)
    a, b = (own_positions(one)[np.round(shares * (len(one) - 1)).astype(np.int64)] for one in (clip, other))
    return float(np.sqrt(np.mean(np.linalg.norm(a - b, axis=-1).max(axis=1) ** 2)))
