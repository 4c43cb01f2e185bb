"""A crowd with patience: everybody stands where it begins until its way is free.

Whoever stands in somebody's way sets out before it, and who will stay in somebody's way after it; else the nearest
goes first. What each takes is its way around all who still stand, on its right in corridors, or sooner another.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import cast

from walkon.basics import Progress
from walkon.crowd.lanes import keep_right
from walkon.crowd.pushing import plan_next
from walkon.crowd.stage import CrowdStage, start_frame
from walkon.planning import Plan, Reservations
from walkon.planning.body_tracks import rest_track
from walkon.planning.delaying import HARD, hurried_way, wait_and_go

LOOK_AROUND = 32_000
"""Expansions for a way around people who stand. With less, some are put off who have one; with more, it takes
longer to put off those who have none yet."""

NEIGHBORS = 2.0
"""[m] How near to the start of another somebody stays to be asked whether it locks it in. With less, large bodies
could be missed."""


MOST_PUT_OFF = 20
"""How often people are put off, or once for every tenth of them if that is more, before patience is in vain: 3
times among the thirty of an office. With more, it takes longer where waiting leads nowhere, as where many walk
both ways along a street; with less, people are planned otherwise who had only to wait."""


def plan_patiently(stage: CrowdStage, progress: Progress | None) -> None:
    """Plan everybody, one after another; who has no way yet is put off until the others have set out. It ends
    early where that is in vain."""
    _quieten(stage)
    queue, put_off, in_all = _in_order(stage), 0, 0
    while queue and in_all <= max(MOST_PUT_OFF, len(stage.plans) // 10):
        index = queue.pop(0)
        displaced: list[int] = []
        if not _waits_and_goes(stage, index):
            if put_off < len(queue) and time.perf_counter() < stage.deadline:
                # Somebody who has not set out yet may be where it is to go.
                stage.guard(index)
                queue.append(index)
                put_off, in_all = put_off + 1, in_all + 1
                continue
            displaced = plan_next(stage, index)
        put_off = 0
        stage.replanned += len(displaced)
        queue = [*displaced, *queue]
        if progress is not None:
            progress(stage.planned(), len(stage.plans))


def _quieten(stage: CrowdStage) -> None:
    """Who begins so close to another that they would touch while they look around waits quietly, if it stands."""
    poses = [stage.problem(index, None).pose for index in range(len(stage.plans))]
    stands = {index for index, graph in enumerate(stage.graphs) if graph.rests[poses[index]]}
    for index in sorted(stands):
        character = stage.scene.characters[index]
        standing = rest_track(stage.graphs[index], poses[index], character.start, stage.scene.bodies)
        near = cast(
            list[int], stage.guards.conflicts(start_frame(character, stage.scene.fps), standing, stays=True)
        )
        stage.quiet |= stands.intersection(near) if len(near) > 1 else set()
    for index in sorted(stage.quiet):
        stage.guard(index)


def _in_order(stage: CrowdStage) -> list[int]:
    """Everybody, by priority, by when they start, then by how long they take alone; but before each come those who
    stand in its way, and those in whose way it will stay."""
    urgency, before = {}, _who_goes_first(stage)
    for index, character in enumerate(stage.scene.characters):
        alone = stage.alone(index)
        takes = int(alone.frames[-1] - alone.frames[0])
        urgency[index] = -character.priority, character.start_time, takes, index
    order: dict[int, None] = {}
    for index in sorted(urgency, key=urgency.__getitem__):
        waiting = [index]
        seen = set(waiting)
        while waiting:
            ahead = sorted((other for other in before[waiting[-1]] if other not in seen), key=urgency.__getitem__)
            if ahead and waiting[-1] not in order:
                waiting.append(ahead[0])
                seen.add(ahead[0])
            else:
                order.setdefault(waiting.pop())
    return list(order)


def _who_goes_first(stage: CrowdStage) -> dict[int, set[int]]:
    """For each, who stands where its way alone leads, and in whose ways it will stay; but the more important do
    not wait for these."""
    characters = stage.scene.characters
    before: dict[int, set[int]] = {index: set() for index in range(len(stage.plans))}
    left = stage.nobody()
    for index in before:
        if stage.stays(index) and len(stage.alone(index)):
            left.add(index, 0, stage.roomy(stage.track(index, stage.alone(index))[1].ending()), stays=True)
    for index, others in before.items():
        way = stage.alone(index)
        others.update(_met(stage, stage.guards, index, way))
        for other in _met(stage, left, index, way):
            if characters[other].priority <= characters[index].priority:
                before[other].add(index)
    for index, others in before.items():
        others.discard(index)
    return before


def _met(stage: CrowdStage, kept: Reservations, index: int, way: Plan) -> list[int]:
    """Who of those that are kept is where a way of somebody leads."""
    if way.status != "found" or not len(way):
        return []
    first, track, stays = stage.track(index, way)
    return cast(list[int], kept.conflicts(first, track, stays=stays))


def _waits_and_goes(stage: CrowdStage, index: int) -> bool:
    """Whether somebody has a plan now that waits where it begins, and goes when its way is free. That leads around
    all who have not set out yet, and around where the others will stay: when those have arrived, it is free."""
    stage.release(index)
    alone = stage.alone(index)
    problem = replace(stage.problem(index, stage.guards), deadline=stage.deadline)
    hurrying = hurried_way(problem, hard=alone.statistics.expanded > HARD)
    stage.spent[index] += hurrying.statistics.expanded
    aside = keep_right(problem, hurrying)
    if aside is not None:
        stage.spent[index] += aside.statistics.expanded
        if _goes(stage, index, [aside], looks=False):
            return True
    around = stage.ask(index, stage.guards, LOOK_AROUND) if _met(stage, stage.guards, index, alone) else alone
    return len(around) > 0 and _goes(stage, index, [hurrying, around])


def _goes(stage: CrowdStage, index: int, ways: list[Plan], *, looks: bool = True) -> bool:
    """Whether somebody who waits for it can take one of these ways, and locks nobody in where it stays; if so,
    that is its plan."""
    now = replace(stage.problem(index, stage.reservations), deadline=stage.deadline)
    plan = wait_and_go(now, ways, looks=looks)
    if plan is None:
        return False
    stage.spent[index] += plan.statistics.expanded
    if _locks_in(stage, index, plan):
        return False
    stage.commit(index, plan)
    return True


def _locks_in(stage: CrowdStage, index: int, plan: Plan) -> bool:
    """Whether somebody would stay so near to where another begins that this one could not set out any more."""
    if not stage.stays(index):
        return False
    end, kept = stage.track(index, plan)[1].ending(), stage.nobody()
    kept.add(index, 0, stage.roomy(end), stays=True)
    for other, character in enumerate(stage.scene.characters):
        away = math.hypot(end.places[0, 0] - character.start.x, end.places[0, 1] - character.start.z)
        if other != index and stage.plans[other] is None and away < NEIGHBORS:
            pose = stage.problem(other, None).pose
            standing = rest_track(stage.graphs[other], pose, character.start, stage.scene.bodies)
            if kept.conflicts(0, standing, stays=True):
                return True
    return False
