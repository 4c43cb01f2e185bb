"""A crowd with patience: everybody stands where it begins until its way is free.

Whoever stands in somebody's way sets out before it; else the nearest goes first. What each takes is its way around
all who still stand, as it would take it with nobody else about, or sooner another.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from walkon.basics import Progress
from walkon.crowd.pushing import plan_next
from walkon.crowd.stage import CrowdStage, start_frame
from walkon.planning import Plan
from walkon.planning.body_tracks import rest_track
from walkon.planning.delaying import hurried_way, wait_and_go

LOOK_AROUND = 32_000
"""Expansions for a way around people who stand. With less, some are put off who have one; with more, it takes
longer to put off those who have none yet."""


def plan_patiently(stage: CrowdStage, progress: Progress | None) -> None:
    """Plan everybody, one after another; who has no way yet is put off until the others have set out."""
    _quieten(stage)
    queue, put_off = _in_order(stage), 0
    while queue:
        index = queue.pop(0)
        displaced: list[int] = []
        if not _waits_and_goes(stage, index):
            if put_off < len(queue):
                # Somebody who has not set out yet may be where it is to go.
                stage.guard(index)
                queue.append(index)
                put_off += 1
                continue
            displaced = plan_next(stage, index)
        put_off = 0
        stage.replanned += len(displaced)
        queue = [*displaced, *queue]
        if progress is not None:
            progress(stage.planned(), len(stage.plans))


def _quieten(stage: CrowdStage) -> None:
    """Who begins so close to another that they would touch while they look around waits quietly."""
    for index, (character, graph) in enumerate(zip(stage.scene.characters, stage.graphs, strict=True)):
        pose = stage.problem(index, None).pose
        if graph.rests[pose]:
            standing = rest_track(graph, pose, character.start, stage.scene.bodies)
            first = start_frame(character, stage.scene.fps)
            near = cast(list[int], stage.guards.conflicts(first, standing, stays=True))
            stage.quiet |= set(near) if len(near) > 1 else set()
    for index in sorted(stage.quiet):
        stage.guard(index)


def _in_order(stage: CrowdStage) -> list[int]:
    """Everybody, by priority, by when they start, then by how long they take alone; but before each come those who
    stand in its way."""
    urgency, before = {}, {}
    for index, character in enumerate(stage.scene.characters):
        alone = stage.alone(index)
        takes = int(alone.frames[-1] - alone.frames[0])
        urgency[index] = -character.priority, character.start_time, takes, index
        before[index] = [other for other in _in_the_way(stage, index, alone) if other != index]
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


def _in_the_way(stage: CrowdStage, index: int, way: Plan) -> list[int]:
    """Who stands where a way leads: those who have not set out yet, and those who will stay there."""
    if way.status != "found" or not len(way):
        return []
    first, track, stays = stage.track(index, way)
    return cast(list[int], stage.guards.conflicts(first, track, stays=stays))


def _waits_and_goes(stage: CrowdStage, index: int) -> bool:
    """Whether somebody has a plan now that waits where it begins, and goes when its way is free. That leads around
    all who have not set out yet, and around where the others will stay: when those have arrived, it is free."""
    stage.release(index)
    around = stage.alone(index)
    if around.status == "found" and _in_the_way(stage, index, around):
        around = stage.ask(index, stage.guards, LOOK_AROUND)
    if not len(around):
        return False
    hurrying = hurried_way(replace(stage.problem(index, stage.guards), deadline=stage.deadline))
    now = replace(stage.problem(index, stage.reservations), deadline=stage.deadline)
    plan = wait_and_go(now, (hurrying, around), quietly=index in stage.quiet)
    stage.spent[index] += hurrying.statistics.expanded
    if plan is None:
        return False
    stage.spent[index] += plan.statistics.expanded
    stage.commit(index, plan)
    return True
