"""Waiting before one goes: the way one would take alone, begun when it is free.

Where many want through one door, searches in space and time try every way to spend the time before it. Who stands
where it may stay, and sets out when the whole way has become free, needs no search at all.
"""

from __future__ import annotations

import numpy as np

from walkon.planning.body_tracks import plan_track, rest_track
from walkon.planning.problem import Plan, Problem
from walkon.planning.steps import plan_of, step_is_free, steps_along, steps_of


LOOK_AGAIN = 6
"""Frames (0.2 s) between two times at which somebody who waits could set out. With more, doors stand empty in
between; with fewer, more times are tried."""


def wait_and_go(problem: Problem, alone: Plan) -> Plan | None:
    """The plan `alone`, begun as soon as its way is free of others, after a wait where one is; None if there is no
    such time, or one cannot wait there."""
    graph, kept = problem.graph, problem.reservations
    if kept is None or alone.status != "found" or not len(alone) or not graph.rests[problem.pose]:
        return None
    bodies, first = problem.world.scene.bodies, problem.start_frame
    track = plan_track(
        graph, alone, bodies, resting=int(graph.exit[alone.behaviors[-1]]) if problem.stays else None
    )
    standing = rest_track(graph, problem.pose, problem.start, bodies)
    most = problem.horizon - int(alone.frames[-1] - alone.frames[0]) - first
    for wait in range(LOOK_AGAIN, most, LOOK_AGAIN):
        if kept.conflicts(first + wait - LOOK_AGAIN, standing.repeated(LOOK_AGAIN), stays=False):
            return None
        if kept.conflicts(first + wait, track, stays=problem.stays):
            continue
        waits = _waits(problem, wait)
        ways = zip(alone.behaviors.tolist(), alone.clips.tolist(), strict=True)
        plan = _checked(problem, [*waits, *ways], alone) if waits else None
        if plan is not None:
            return plan
    return None


def _waits(problem: Problem, frames: int) -> list[tuple[int, int]]:
    """Behaviors and clips with which to wait for so many frames, or a few less: long ones, then shorter ones."""
    graph, chain = problem.graph, []
    clips = graph.resting(problem.pose)
    random = np.random.default_rng((problem.seed, frames))
    while True:
        fitting = [clip for clip in clips if graph.durations[clip] <= frames]
        if not fitting:
            return chain
        longer = [clip for clip in fitting if 2 * graph.durations[clip] >= max(graph.durations[fitting])]
        clip = int(random.choice(longer))
        chain.append((graph.behavior_of(clip), clip))
        frames -= int(graph.durations[clip])


def _checked(problem: Problem, chain: list[tuple[int, int]], alone: Plan) -> Plan | None:
    """The plan of a chain of behaviors and clips, if all of it is free: who waits may shift by a hair."""
    plan = plan_of(problem, steps_along(problem, chain), "found", "", alone.statistics)
    for step in steps_of(plan):
        if not step_is_free(problem, problem.world, step.behavior, step.clip, step.place, step.frame):
            return None
    return plan
