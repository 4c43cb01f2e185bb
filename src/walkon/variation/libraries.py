"""Richer behavior libraries: variants of their clips join their behaviors (Lau 2009, chapter 6).

With a few clips of a behavior the whole body cannot be varied, so what bears no weight is: trunk, head and arms,
with feet and root given. Steps, ways, times and both ends of a clip stay what they were, so planners, graphs and
search trees take variants as they take any other clip.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from time import perf_counter

import numpy as np

from walkon.basics import StageProgress
from walkon.behaviors import Behavior, BehaviorClip, BehaviorLibrary
from walkon.errors import VariationError
from walkon.variation.learning import learn_variation
from walkon.variation.library_clips import planted_among, straying, vary_behavior_clip
from walkon.variation.library_groups import Group, Member, group_clips
from walkon.variation.library_report import BehaviorReport, GroupReport, LibraryReport
from walkon.variation.model import VariationModel
from walkon.variation.parts import upper_body
from walkon.variation.sampling import Variety

LEARNED = 400
"""Frames, about, from which the structure of a group is learned. The time that takes grows with the square."""

REMEMBERED = 2400
"""Frames, about, that variants of a group are made from. More give variants more to take after, and cost time in
proportion."""

GROUP_ROUNDS = 4
"""Rounds of learning for every group. More change little, and a library has dozens of groups."""

MOST_VARIANTS = 1000
"""Most variants of one clip that may be asked for, so that a slip of the keyboard does not fill the disk."""


def vary_library(
    library: BehaviorLibrary,
    count: int,
    *,
    seed: int = 0,
    stray: float | None = None,
    only: Sequence[str] | None = None,
    rounds: int = GROUP_ROUNDS,
    restarts: int = 1,
    progress: StageProgress | None = None,
) -> tuple[BehaviorLibrary, LibraryReport]:
    """The library with `count` variants of every clip that can be varied, and what was done.

    stray: how far variants stray, in the deviations that are foreseen. only: names of the joints that vary, by
    default all that bear no leg. A behavior that cannot be varied is kept as it is; the report says why.
    """
    if not 1 <= count <= MOST_VARIANTS:
        raise VariationError(f"{count} variants of every clip: ask for 1 to {MOST_VARIANTS}")
    begun = perf_counter()
    variety = Variety() if stray is None else Variety(stray=stray)
    joints, trouble = _joints(library, only)
    groups, learned = group_clips(library), []
    made: dict[Member, list[BehaviorClip] | str] = {}
    for done, group in enumerate(groups):
        if progress is not None:
            progress("groups of clips", done, len(groups))
        planted = {member: planted_among(member[0].clips[member[1]].clip, joints) for member in group.members}
        free = [member for member, names in planted.items() if not names]
        model = trouble or (_learn(group, joints, (seed, rounds, restarts), learned) if free else "")
        for member, names in planted.items():
            if isinstance(model, str) or names:
                made[member] = model if isinstance(model, str) and model else _would_slide(names)
            else:
                behavior, number = member
                own = _seed(seed, behavior, number)
                made[member] = vary_behavior_clip(model, behavior.clips[number], count, seed=own, variety=variety)
    if progress is not None:
        progress("groups of clips", len(groups), len(groups))
    named = {member: group.name for group in groups for member in group.members}
    richer = replace(library, behaviors=tuple(_joined(behavior, made) for behavior in library))
    told = tuple(_told(behavior, named[behavior, 0], made) for behavior in library)
    return richer, LibraryReport(library.name, joints, told, tuple(learned), perf_counter() - begun)


def _joints(library: BehaviorLibrary, only: Sequence[str] | None) -> tuple[tuple[str, ...], str]:
    """The joints that vary, and why there are none."""
    if only is not None:
        return tuple(only), ""
    try:
        return upper_body(library.skeleton), ""
    except VariationError as error:
        return (), str(error)


def _learn(
    group: Group, joints: Sequence[str], settings: tuple[int, int, int], learned: list[GroupReport]
) -> VariationModel | str:
    """A model of a group, or why there is none."""
    seed, rounds, restarts = settings
    if len(group.members) < 2:
        return "no other clip is like it, and variation is what differs between clips"
    begun, clips = perf_counter(), group.some(LEARNED)
    try:
        model = learn_variation(
            clips, fps=clips[0].fps, only=joints, rounds=rounds, restarts=restarts, seed=seed
        ).given(group.some(REMEMBERED))
    except VariationError as error:
        return str(error)
    frames = sum(map(len, clips))
    learned.append(GroupReport(group.name, len(clips), frames, perf_counter() - begun, model.score))
    return model


def _would_slide(names: Sequence[str]) -> str:
    return f"{' and '.join(names)} would slide, which bear weight"


def _joined(behavior: Behavior, made: Mapping[Member, list[BehaviorClip] | str]) -> Behavior:
    """The behavior with its variants after its own clips."""
    variants = [made[behavior, number] for number in range(len(behavior.clips))]
    added = [one for some in variants if not isinstance(some, str) for one in some]
    return replace(behavior, clips=(*behavior.clips, *added))


def _told(behavior: Behavior, group: str, made: Mapping[Member, list[BehaviorClip] | str]) -> BehaviorReport:
    """What is to be said about a behavior."""
    clips = len(behavior.clips)
    found = [made[behavior, number] for number in range(clips)]
    reasons = dict.fromkeys(one for one in found if isinstance(one, str))
    kept = sum(isinstance(one, str) for one in found)
    which = f"{kept} of {clips} clips: " if 0 < kept < clips else ""
    strays = [
        straying(shown.clip, [one.clip for one in some])
        for shown, some in zip(behavior.clips, found, strict=True)
        if not isinstance(some, str)
    ]
    return BehaviorReport(
        behavior.name,
        group,
        clips,
        sum(len(some) for some in found if not isinstance(some, str)),
        float(np.sqrt(np.mean([mean**2 for mean, _ in strays]))) if strays else 0.0,
        max((most for _, most in strays), default=0.0),
        which + "; ".join(reasons) if reasons else "",
    )


def _seed(seed: int, behavior: Behavior, number: int) -> int:
    """A seed for a clip: the same whatever else is in the library, and another for every clip."""
    return int.from_bytes(sha256(f"{seed} {number} {behavior.name}".encode()).digest()[:7], "big")
