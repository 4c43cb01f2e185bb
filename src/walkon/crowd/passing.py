"""Two who meet where it is narrow: both are planned anew, each to its right.

Planned one after another, the first takes the middle, and the second must wait until it is through. Here the first
is planned around phantoms of the second, who go its way alone but aside, and then the second around the first.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import cast

import numpy as np

from walkon.basics import Array
from walkon.crowd.stage import CrowdStage
from walkon.planning import AStar, Plan, Problem, SearchStatistics
from walkon.planning.body_tracks import BodyTrack
from walkon.planning.hurrying import hurried
from walkon.planning.steps import plan_of, steps_of

MUCH = 1.25
"""Whoever's plan costs more than this many times its way alone is hindered. With more, people wait who could pass;
with less, people are planned anew who only go around each other."""

BETTER = 0.95
"""Two are planned anew only if that costs both together no more than this share. With more, plans change for
nothing; with less, people wait who could pass."""

SWING = 0.02
"""[m] How much further aside phantoms go than bodies that stand need: who walks swings. With more, lanes end in
walls; with less, bodies do not fit between."""

DELAYS = (-1.0, 0.0, 1.0)
"""[s] When phantoms set out, after the one they stand for would: it may meet the other sooner or later than alone.
Further apart, the other keeps aside for longer; with 0 alone, it is aside only just where it would have met."""

HALF_WINDOW = 15
"""Frames before and after one over which the direction of somebody who walks is taken: half a second. With fewer,
sway turns it; with more, phantoms cut corners."""

AT_LEAST = 0.3
"""[m] Whoever goes less far within that window is less far aside: nobody who stands is. With more, people who walk
slowly are not aside; with less, those who turn where they stand are."""

BESIDE = AStar(inflation=1.1, max_expansions=20_000)
"""Finds a way beside another: two in a hallway need 4000 to 18 000 expansions together. With more, it takes longer
where two cannot pass. Whatever planner the crowd has, because trees are grown for people who have time."""


def pass_by(stage: CrowdStage, index: int) -> bool:
    """Plan somebody anew together with the one other that it is hindered by, if that is better for both together,
    or if it has no plan at all; whether that was done."""
    other = _hindered_by(stage, index)
    if other is None:
        return False
    before = {who: plan for who in (index, other) if (plan := stage.plans[who]) is not None}
    best, least = before, BETTER * _cost(stage, before) if index in before else math.inf
    try:
        for first, second in ((other, index), (index, other)):
            found = _beside(stage, first, second)
            if len(found) == 2 and _cost(stage, found) <= least:
                best, least = found, _cost(stage, found)
    finally:
        # Also if the user interrupts: who had a plan keeps it.
        for who in (index, other):
            stage.withdraw(who)
        for who, plan in best.items():
            stage.commit(who, plan)
    return best is not before


def _hindered_by(stage: CrowdStage, index: int) -> int | None:
    """The one person, if there is just one, that leaves somebody no way, or one much dearer than it has alone."""
    plan = stage.plans[index]
    if plan is not None and not _met_others(plan.statistics):
        return None
    alone = stage.alone(index)
    if alone.status != "found" or not len(alone) or (plan is not None and plan.cost <= MUCH * alone.cost):
        return None
    first, track, stays = stage.track(index, alone)
    met = cast(list[int], stage.reservations.conflicts(first, track, stays=stays))
    others = [other for other in met if other != index]
    if len(others) != 1 or not stage.plans[others[0]]:
        return None
    characters = stage.scene.characters
    return others[0] if characters[others[0]].priority <= characters[index].priority else None


def _met_others(found: SearchStatistics) -> bool:
    """Whether whoever was planned may have been hindered: by others in a search, or where a tree had no answer."""
    return found.occupied + found.waits + found.subgoals > 0


def _beside(stage: CrowdStage, first: int, second: int) -> dict[int, Plan]:
    """Plans for two: one around phantoms of the other, and the other around that; those that were found."""
    stage.withdraw(first)
    stage.withdraw(second)
    stage.guard(second)
    phantoms = _add_phantoms(stage, first, second)
    found = {first: _hurry(stage, first)}
    for key in phantoms:
        stage.reservations.remove(key)
    if found[first].status == "found":
        stage.commit(first, found[first])
        stage.release(second)
        found[second] = _hurry(stage, second)
    return {who: plan for who, plan in found.items() if plan.status == "found" and len(plan)}


def _add_phantoms(stage: CrowdStage, first: int, second: int) -> list[tuple[str, float]]:
    """Reserve lanes of the second, right of its way alone, that the first keeps out of; under which keys."""
    begins, track, _ = stage.track(second, stage.alone(second))
    _, other, _ = stage.track(first, stage.alone(first))
    needed = _half_breadth(track) + _half_breadth(other) + stage.scene.clearance
    places = track.places.copy()
    places[:, :2] += (0.5 * needed + SWING) * _to_the_right(places[:, :2])
    lane, keys = track._replace(places=places), []
    for delay in DELAYS:
        start = begins + round(delay * stage.scene.fps)
        cut = max(-start, 0)
        if cut < len(lane.places):
            rest = lane._replace(places=lane.places[cut:], rows=lane.rows[cut:])
            keys.append(("phantom", delay))
            stage.reservations.add(keys[-1], start + cut, stage.roomy(rest), stays=False)
    return keys


def _half_breadth(track: BodyTrack) -> float:
    """[m] Half of how broad a body is where its track begins, from its left to its right."""
    row = int(track.numbered()[0])
    if row < 0:
        return float(track.places[0, 2])
    reach = track.supports()[row].max(axis=0)
    return float(reach[len(reach) // 4] + reach[3 * len(reach) // 4]) / 2.0


def _to_the_right(path: Array) -> Array:
    """For each point of a path (F, 2) a direction (F, 2) to its right, of length 1 where somebody walks."""
    frames = np.arange(len(path))
    ahead = path[np.minimum(frames + HALF_WINDOW, len(path) - 1)] - path[np.maximum(frames - HALF_WINDOW, 0)]
    ahead /= np.maximum(np.hypot(*ahead.T), AT_LEAST)[:, None]
    return np.column_stack([-ahead[:, 1], ahead[:, 0]])


def _hurry(stage: CrowdStage, index: int) -> Plan:
    """A way among all others for somebody in a hurry."""
    problem = replace(stage.problem(index, stage.reservations), deadline=stage.deadline)
    found = BESIDE.plan(_hurried(problem))
    stage.spent[index] += found.statistics.expanded
    return plan_of(problem, steps_of(found), found.status, found.reason, found.statistics)


def _cost(stage: CrowdStage, plans: dict[int, Plan]) -> float:
    """Of plans together, if time is dear: who stands and who goes slowly pays for it."""
    return sum(
        plan_of(_hurried(stage.problem(who, None)), steps_of(plan), "found", "", plan.statistics).cost
        for who, plan in plans.items()
    )


def _hurried(problem: Problem) -> Problem:
    """The same problem for somebody in a hurry."""
    return replace(problem, graph=hurried(problem.graph))
