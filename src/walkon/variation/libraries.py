"""Richer behavior libraries: variants of their clips join their behaviors (chapter 6 of seed 000).

With a few clips of a behavior the whole body cannot be varied, so what bears no weight is: trunk, head and arms,
with feet and root given. Steps, ways, times and both ends of a clip stay what they were, so planners, graphs and
search trees take variants as they take any other clip.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from time import perf_counter

from walkon.behaviors import Behavior, BehaviorClip, BehaviorLibrary
from walkon.errors import VariationError
from walkon.variation.learning import learn_variation
from walkon.variation.library_clips import planted_among, straying, vary_behavior_clip
from walkon.variation.library_groups import Group, group_behaviors
from walkon.variation.library_report import BehaviorReport, GroupReport, LibraryReport
from walkon.variation.model import VariationModel
from walkon.variation.parts import upper_body
from walkon.variation.sampling import Variety

LEARNED = 400
"""Frames of a group, about, from which its structure is learned; the time that takes grows with the square."""

REMEMBERED = 2400
"""Frames of a group, about, that variants are made from."""

ROUNDS = 4
"""Of learning, for every group."""

MOST_VARIANTS = 1000
"""Variants of one clip that may be asked for."""

Progress = Callable[[str, int, int], None]


def vary_library(
    library: BehaviorLibrary,
    count: int,
    *,
    seed: int = 0,
    stray: float | None = None,
    only: Sequence[str] | None = None,
    rounds: int = ROUNDS,
    restarts: int = 1,
    progress: Progress | None = None,
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
    groups = group_behaviors(library)
    told: dict[str, BehaviorReport] = {}
    learned: list[GroupReport] = []
    varied: dict[str, Behavior] = {}
    for done, group in enumerate(groups):
        if progress is not None:
            progress("groups of behaviors", done, len(groups))
        model, reason = (None, trouble) if trouble else _learn(group, joints, (seed, rounds, restarts), learned)
        for behavior in group.behaviors:
            varied[behavior.name], told[behavior.name] = _vary(
                behavior, group, model, reason, joints, count, (seed, variety)
            )
    if progress is not None:
        progress("groups of behaviors", len(groups), len(groups))
    richer = replace(library, behaviors=tuple(varied[behavior.name] for behavior in library))
    reports = tuple(told[behavior.name] for behavior in library)
    return richer, LibraryReport(library.name, joints, reports, tuple(learned), perf_counter() - begun)


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
) -> tuple[VariationModel | None, str]:
    """A model of a group, or why there is none."""
    seed, rounds, restarts = settings
    if len(group.clips) < 2:
        return None, "it is the only clip of its kind, and variation is what differs between clips"
    begun, clips = perf_counter(), group.some(LEARNED)
    try:
        model = learn_variation(
            clips, fps=clips[0].fps, only=joints, rounds=rounds, restarts=restarts, seed=seed
        ).given(group.some(REMEMBERED))
    except VariationError as error:
        return None, str(error)
    frames = sum(map(len, clips))
    learned.append(GroupReport(group.name, len(clips), frames, perf_counter() - begun, model.score))
    return model, ""


def _vary(
    behavior: Behavior,
    group: Group,
    model: VariationModel | None,
    reason: str,
    joints: tuple[str, ...],
    count: int,
    sampling: tuple[int, Variety],
) -> tuple[Behavior, BehaviorReport]:
    """A behavior with its variants, and what is to be said about it."""
    seed, variety = sampling
    planted = sorted({name for shown in behavior.clips for name in planted_among(shown.clip, joints)})
    if planted and not reason:
        reason = f"{', '.join(planted)} are planted, and would slide"
    kept = BehaviorReport(behavior.name, group.name, len(behavior.clips), 0, reason=reason)
    if model is None or reason:
        return behavior, kept
    made: list[BehaviorClip] = []
    strays, most = [], 0.0
    for number, shown in enumerate(behavior.clips):
        own = vary_behavior_clip(model, shown, count, seed=_seed(seed, behavior, number), variety=variety)
        mean, farthest = straying(shown.clip, [one.clip for one in own])
        strays.append(mean**2)
        most = max(most, farthest)
        made += own
    mean = (sum(strays) / len(strays)) ** 0.5
    report = replace(kept, variants=len(made), strays=mean, strays_most=most)
    return replace(behavior, clips=(*behavior.clips, *made)), report


def _seed(seed: int, behavior: Behavior, number: int) -> int:
    """A seed for a clip: the same whatever else is in the library, and another for every clip."""
    return int.from_bytes(sha256(f"{seed} {number} {behavior.name}".encode()).digest()[:7], "big")
