"""Waiting before one goes: the way one would take alone, begun when it is free.

Where many want through one door, searches in space and time try every way to spend the time before it. Who stands
where it may stay, and sets out when the whole way has become free, needs no search at all; and who knows when that
is searches for an earlier way from shortly before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from walkon.planning.body_tracks import BodyTrack, plan_track, rest_track
from walkon.planning.problem import Plan, Planner, Problem, SearchStatistics
from walkon.planning.steps import plan_of, step_is_free, steps_along, steps_of, what_is_left

LOOK_AGAIN = 4
"""Frames at least between two times at which somebody who waits could set out. With more, doors stand empty in
between; with fewer, more times are tried."""

HEAD_STARTS = (60, 0)
"""Frames before the way is free at which somebody looks for a way that comes through as early or earlier: with a
long start people close up, and go slowly instead of standing. With more of them, more is tried."""

HALVINGS, SOONER = 4, 10
"""How often an earlier time is tried, each time half way to the earliest that is not known to be impossible, while
that is at least so many frames earlier. With more, people come through sooner, and planning takes longer."""

GLANCE = 4000
"""Expansions of such a look at most: some tenths of a second. With more, a dense crowd takes longer; with fewer,
some set out later than they could."""

Chain = list[tuple[int, int]]
"""Behaviors and clips of a graph, one after another."""


def wait_and_go(problem: Problem, alone: Plan, planner: Planner) -> Plan | None:
    """A plan that waits where one is and goes about when the way of the plan `alone` is free of others, or earlier
    by another way; None if there is no such time, or one cannot wait there. Where anything but people moves nobody
    waits: it might come by."""
    if alone.status != "found" or not problem.graph.rests[problem.pose] or problem.world.moves:
        return None
    takes = int(alone.frames[-1] - alone.frames[0])
    waits = _Waits(problem, problem.horizon - takes - problem.start_frame)
    for wait in _free_times(problem, alone, waits.times):
        best = _later(problem, waits, wait, alone) or _search(problem, waits, wait, takes, planner)
        if best is None:
            continue
        if alone.statistics.expanded > GLANCE:
            return best  # where a way is hard to find, it is taken as it is
        early, late = 0, wait
        for _ in range(HALVINGS):
            middle = (early + late) // 2
            if late - middle < SOONER:
                break
            better = _search(problem, waits, middle, takes, planner)
            early, late = (early, middle) if better is not None else (middle, late)
            best = better or best
        return best
    return None


def _search(problem: Problem, waits: _Waits, wait: int, takes: int, planner: Planner) -> Plan | None:
    """A plan that arrives by `wait` and `takes` frames from now, if a glance finds one."""
    arrival = problem.start_frame + wait + takes + LOOK_AGAIN
    for head_start in HEAD_STARTS:
        start = max((time for time in waits.times if time <= wait - head_start), default=0)
        before = steps_along(problem, waits.chain(start))
        found = planner.plan(replace(what_is_left(problem, before), horizon=arrival, expansions=GLANCE))
        if found.status == "found":
            plan = plan_of(problem, [*before, *steps_of(found)], "found", "", found.statistics)
            # The search looked at others until the arrival; whoever stays must be left alone after it, too.
            if _meets_nobody(problem, _track(problem, plan), problem.start_frame):
                return plan
        if start == 0:
            break
    return None


def _later(problem: Problem, waits: _Waits, wait: int, alone: Plan) -> Plan | None:
    """The plan `alone`, begun after a wait, if it is free then: a hasty search may miss it. It is checked again,
    because who waits may shift by a hair."""
    ways = zip(alone.behaviors.tolist(), alone.clips.tolist(), strict=True)
    steps = steps_along(problem, [*waits.chain(wait), *ways])
    plan = plan_of(problem, steps, "found", "", SearchStatistics())
    free = all(step_is_free(problem, problem.world, one.behavior, one.clip, one.place, one.frame) for one in steps)
    return plan if free and _meets_nobody(problem, _track(problem, plan), problem.start_frame) else None


def _track(problem: Problem, plan: Plan) -> BodyTrack:
    """The space that a plan takes, with the rest at its end if one stays."""
    resting = None
    if problem.stays:
        resting = int(problem.graph.exit[plan.behaviors[-1]]) if len(plan) else problem.pose
    return plan_track(problem.graph, plan, problem.world.scene.bodies, resting=resting)


def _meets_nobody(problem: Problem, track: BodyTrack, first: int) -> bool:
    """Whether a track that begins at frame `first` leaves everybody alone, for good if one stays in the end."""
    kept = problem.reservations
    return kept is None or not kept.conflicts(first, track, stays=problem.stays)


def _free_times(problem: Problem, alone: Plan, times: list[int]) -> Iterator[int]:
    """Those of the times [frames], in order, after which the way is free of others, as long as one can wait."""
    standing = rest_track(problem.graph, problem.pose, problem.start, problem.world.scene.bodies)
    track, waited, kept = _track(problem, alone), 0, problem.reservations
    for wait in times:
        begun, still = problem.start_frame + waited, standing.repeated(wait - waited)
        if wait > waited and kept is not None and kept.conflicts(begun, still, stays=False):
            return
        waited = wait
        if _meets_nobody(problem, track, problem.start_frame + wait):
            yield wait


class _Waits:
    """How long one can wait in a pose by playing its rests one after another.

    times: frames, in order, at least LOOK_AGAIN apart, from 0 to `most`.
    """

    def __init__(self, problem: Problem, most: int) -> None:
        self._problem = problem
        self._clips = problem.graph.resting(problem.pose)
        self._reached = np.zeros(max(most, 0) + 1, dtype=bool)
        self._reached[0] = True
        lengths = np.unique(problem.graph.durations[self._clips])
        for frame in range(len(self._reached)):
            for length in lengths:
                if frame >= length and self._reached[frame - length]:
                    self._reached[frame] = True
                    break
        self.times: list[int] = []
        for frame in np.flatnonzero(self._reached).tolist():
            if not self.times or frame >= self.times[-1] + LOOK_AGAIN:
                self.times.append(frame)

    def chain(self, frames: int) -> Chain:
        """Rests that together take `frames`, one of the times: long ones where they fit."""
        graph, chain = self._problem.graph, []
        random = np.random.default_rng((self._problem.seed, frames))
        while frames > 0:
            fitting = [
                clip
                for clip in self._clips
                if graph.durations[clip] <= frames and self._reached[frames - graph.durations[clip]]
            ]
            longest = max(graph.durations[clip] for clip in fitting)
            clip = int(random.choice([clip for clip in fitting if 2 * graph.durations[clip] >= longest]))
            chain.append((graph.behavior_of(clip), clip))
            frames -= int(graph.durations[clip])
        return chain
