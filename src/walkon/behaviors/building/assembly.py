"""Groups of clips become named behaviors, and rests without a wait are given one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from walkon.behaviors.building.fitting import still_clip
from walkon.behaviors.building.grouping import Candidate, group_candidates
from walkon.behaviors.building.hubs import SharedPose
from walkon.behaviors.building.measuring import measure_deed
from walkon.behaviors.building.naming import Title, full_name, straight_on, turn_range, weight_of
from walkon.behaviors.building.tally import Refused
from walkon.behaviors.kinds import BEHAVIOR_KINDS
from walkon.behaviors.library import Behavior, BehaviorClip, BehaviorLibrary

GESTURES = [kind.name for kind in BEHAVIOR_KINDS.values() if not (kind.leads_on or kind.waits)]
"""Kinds that come last in a library: people do without them."""

SLOWER = 0.5
"""How much more a metre of the slowest walk costs, as a share: slow ones are for where they help. With more,
planners would rather stop and go."""

STILL_FOR = 1.0
"""Seconds of a wait that is made of one pose."""


def assemble(
    candidates: Sequence[Candidate], hubs: Sequence[SharedPose], most_clips: int, most_ways: int
) -> tuple[list[Behavior], list[Refused]]:
    """Behaviors, in a readable order, and what they had no room for."""
    ranked: dict[tuple[object, ...], list[list[Candidate]]] = {}
    for group in group_candidates(candidates):
        size = turn_range([one.deed for one in group]) if group[0].title.turns else 0
        ranked.setdefault((*group[0].key, size), []).append(group)
    behaviors: list[Behavior] = []
    refused: list[Refused] = []
    mains: dict[str, list[Candidate]] = {}
    for (*_, size), groups in ranked.items():
        groups.sort(key=lambda group: _rank(group, most_clips))
        ways = 1 if size else most_ways + bool(groups[0][0].title.action)
        kept = groups[:ways]
        names = [_name(group[:most_clips], candidates) for group in groups]
        for group, name in zip(kept, names, strict=False):
            unique = _unique(name, group, mains)
            mains[unique] = group
            behaviors.append(_behavior(unique, group[:most_clips], hubs))
        for number, (group, name) in enumerate(zip(groups, names, strict=True)):
            spare = group[most_clips:] if number < len(kept) else group
            reason = f"{name} is shown by others that fit better"
            refused += [Refused(one.piece.segment, reason) for one in spare]
    return sorted(behaviors, key=_order), refused


def _rank(group: Sequence[Candidate], most_clips: int) -> tuple[float, ...]:
    """Many clips first; then what takes less time, since short clips fit into more plans; then what fits better.

    Of ways that turn or go straight on, the best fitting come first: all take about as long.
    """
    first = group[0]
    return -min(len(group), most_clips), 0.0 if first.title.turns else first.deed.duration, first.misfit


def _name(group: Sequence[Candidate], candidates: Sequence[Candidate]) -> str:
    first = group[0]
    alike = [one.deed for one in candidates if one.title.turns and one.piece.entry == first.piece.entry]
    return full_name(first.title, [one.deed for one in group], straight_on(alike))


def hold_rest(library: BehaviorLibrary, hubs: Sequence[SharedPose]) -> tuple[BehaviorLibrary, list[str]]:
    """The library with a wait in every pose of rest, held still where none was recorded."""
    added, notes = [], []
    for hub in hubs:
        waits = any(BEHAVIOR_KINDS[b.kind].waits and b.entry == b.exit == hub.name for b in library)
        if hub.kind != "rest" or waits:
            continue
        shown = BehaviorClip(still_clip(hub, STILL_FOR))
        name = "wait" if all(behavior.name != "wait" for behavior in library) else f"wait_{hub.name}"
        weight = weight_of(Title("wait", "wait"), [measure_deed(shown)], False, _root_length(shown))
        added.append(Behavior(name, hub.name, hub.name, (shown,), "wait", weight))
        notes.append(f"no recording waits in pose {hub.name}: {name} holds it for {STILL_FOR:g} s")
    return BehaviorLibrary(library.name, (*library.behaviors, *added)), notes


def _unique(name: str, group: Sequence[Candidate], taken: Mapping[str, Sequence[Candidate]]) -> str:
    """The name, told apart from others by its poses, its length or a number."""
    if name not in taken:
        return name
    main = taken[name]
    poses = f"{name}_from_{group[0].piece.entry}"
    if group[0].piece.entry != main[0].piece.entry and poses not in taken:
        return poses
    ways = [float(np.mean([one.deed.length for one in each])) for each in (group, main)]
    times = [float(np.mean([one.deed.duration for one in each])) for each in (group, main)]
    shorter = ways[0] < ways[1] if abs(ways[0] - ways[1]) > 0.2 else times[0] < times[1]
    sized = f"{name}_{'short' if shorter else 'long'}"
    number, unique = 2, sized
    while unique in taken:
        unique, number = f"{sized}_{number}", number + 1
    return unique


def _behavior(name: str, group: Sequence[Candidate], hubs: Sequence[SharedPose]) -> Behavior:
    first = group[0]
    deeds = [one.deed for one in group]
    walks = any(hub.kind == "stride" and not hub.runs for hub in hubs)
    running = walks and any(
        hub.runs for hub in hubs if hub.name in (first.piece.entry, first.piece.exit) and hub.kind == "stride"
    )
    lengths = [_root_length(one.piece.shown) for one in group]
    weight = weight_of(first.title, deeds, running, float(np.mean(lengths)))
    weight = round(weight * _slowness(first.piece.entry, hubs), 3)
    clips = tuple(one.piece.shown for one in group)
    return Behavior(name, first.piece.entry, first.piece.exit, clips, first.title.kind, weight)


def _slowness(entry: str, hubs: Sequence[SharedPose]) -> float:
    """Factor on the weight of what begins in a pose: a walk slower than the fastest one costs somewhat more."""
    walks = {hub.name: hub.speed for hub in hubs if hub.kind == "stride" and not hub.runs}
    return 1.0 + SLOWER * (1.0 - walks[entry] / max(walks.values())) if entry in walks else 1.0


def _root_length(shown: BehaviorClip) -> float:
    """Length [m] of the root's way on the ground, by which costs go."""
    roots = shown.clip.root_positions[shown.first : shown.last + 1][:, [0, 2]]
    return float(np.linalg.norm(np.diff(roots, axis=0), axis=1).sum())


def _order(behavior: Behavior) -> tuple[bool, int, str, str]:
    """Locomotion first, by pose; straight on before turns; gestures last."""
    kind, place = list(BEHAVIOR_KINDS).index(behavior.kind), "0" if "_forward" in behavior.name else "1"
    return behavior.kind in GESTURES, kind, behavior.entry, place + behavior.name
