"""Waiting before one goes: stand where one is, and set out when the way has become free.

Where many want through one door, searches in space and time try every way to spend the time before it, and drown.
Here the way is known, and only the time to set out is looked for; a short search from shortly before then may find
something that arrives earlier.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from walkon.planning.astar import AStar
from walkon.planning.body_tracks import BodyTrack, plan_track, quiet_rests, read_track, standing_track
from walkon.planning.hurrying import hurried
from walkon.planning.in_turn import InTurn
from walkon.planning.problem import Plan, Problem, SearchStatistics
from walkon.planning.steps import Step, plan_of, step_is_free, steps_along, steps_of, what_is_left

LOOK_AGAIN = 2
"""Frames at least between two times at which somebody who waits could set out. With more, doors stand empty in
between; with fewer, more times are tried."""

SCOUT = AStar(inflation=1.2, max_expansions=4000)
"""Finds the way of somebody in a hurry. What it costs: some hundredths of a second."""

RANGER = AStar(inflation=2.0, max_expansions=20_000, cell=0.5, headings=24)
"""Finds any way of somebody in a hurry where that is hard, as among furniture: 350 to 19 000 expansions alone
in an office. With more, it takes longer where there is none; with fewer, people wait who have one."""

GLANCE = AStar(inflation=2.0, max_expansions=6000, cell=0.5, headings=24, time_bin=0.25)
"""Looks for something that arrives earlier: some tenths of a second at most. Fine in time, because it is about
following closely. With more expansions a dense crowd takes longer; with fewer, some set out later than they
could."""

HEAD_START = 90
"""Frames before somebody has to set out at which such a look begins: who has time closes up, and goes slowly
instead of standing. With more, there is more to try."""

EARLIER, LEAST_EARLIER, LOOKS = 30, 4, 8
"""Frames by which the first look wants to arrive earlier. The next look wants twice as many if that succeeds and
half as many if it does not. Looking ends below the second number of frames, or after LOOKS looks. With more looks,
people come through sooner, and planning takes longer."""

ENOUGH = 20_000
"""Expansions after which no further look begins. With more, long ways through many people take longer to plan."""

HARD = 4000
"""Expansions from which on a way was so hard to find that glances among people are not worth their time."""

TRY_AGAIN = 12
"""Frames until the next try after a way that seemed free was not. Clips in which people wait turn them by
fractions of a degree, so that the way does not begin quite where it was looked at. With fewer, the same is tried
again and again; with more, people set out later."""

STRIDE = 4
"""Of the times to set out, one in STRIDE is looked at first, and those before it if it is free. With more, short
gaps between others are missed; with fewer, it takes longer."""

PIECE = 32
"""Frames of a way that are looked at together. The piece where somebody was met last is asked first: with longer
pieces each question takes longer, with shorter ones there are more."""

Chain = list[tuple[int, int]]
"""Behaviors and clips of a graph, one after another."""


def hurried_way(problem: Problem, *, hard: bool = False) -> Plan:
    """The way of somebody in a hurry. hard: a good one is not even looked for."""
    hurrying = replace(problem, graph=hurried(problem.graph))
    return RANGER.plan(hurrying) if hard else InTurn((SCOUT, RANGER)).plan(hurrying)


def stand_first(problem: Problem, frames: int) -> list[Step]:
    """Rests where a problem starts that take `frames` together, or as little more as they can; none if it cannot
    stay in the pose it starts in."""
    graph = problem.graph
    if frames <= 0 or not graph.rests[problem.pose]:
        return []
    waits = _Waits(problem, frames + int(graph.durations[graph.resting(problem.pose)].max()))
    return steps_along(problem, waits.chain(min(time for time in waits.times if time >= frames)))


def wait_and_go(
    problem: Problem,
    ways: Sequence[Plan],
    *,
    looks: bool = True,
    glance: AStar = GLANCE,
) -> Plan | None:
    """A plan that waits where one is and then takes one of the ways, or another if that arrives earlier; None if
    there is no such time, or one cannot wait there.

    ways: plans for the same problem with nobody else about. looks: for something that arrives earlier, by
    whatever way, by glances like this. Where anything but people moves nobody waits: it might come by.
    """
    ways = [way for way in ways if way.status == "found" and len(way)]
    if not ways or not problem.graph.rests[problem.pose] or problem.world.moves:
        return None
    lengths = [int(way.frames[-1] - way.frames[0]) for way in ways]
    waits = _Waits(problem, problem.horizon - min(lengths) - problem.start_frame)
    found: Plan | None = None
    takes = 0
    for way, length in zip(ways, lengths, strict=True):
        plan = _first_free(problem, waits, way, found, glance)
        if plan is not None:
            found, takes = plan, length
    if found is None or not looks or _is_hard(ways):
        return found
    return _sooner(problem, waits, found, takes, glance)


def _is_hard(ways: Sequence[Plan]) -> bool:
    """Whether one of the ways took more than HARD expansions to find with nobody about."""
    return max(way.statistics.expanded for way in ways) > HARD


def _first_free(problem: Problem, waits: _Waits, way: Plan, best: Plan | None, glance: AStar) -> Plan | None:
    """A way begun when it first is free, if that arrives earlier than the best so far."""
    takes = int(way.frames[-1] - way.frames[0])
    chain = list(zip(way.behaviors.tolist(), way.clips.tolist(), strict=True))
    again = 0
    for wait in _free_times(problem, way, waits):
        arrival = problem.start_frame + wait + takes
        if best is not None and arrival >= best.frames[-1]:
            return None
        if wait < again:
            continue
        # Checked again as a whole: waiting turns people a little, so they may hit what they only just passed, or
        # end beside the goal.
        steps = steps_along(problem, [*waits.chain(wait), *chain])
        plan = plan_of(problem, steps, "found", "", SearchStatistics())
        free = all(_is_free(problem, step) for step in reversed(steps)) and _meets_nobody(problem, plan)
        if free and _arrives(problem, plan):
            return plan
        plan = None if _is_hard([way]) else _glance(problem, waits.chain(wait), arrival + LOOK_AGAIN, glance)[0]
        if plan is not None:
            return plan
        again = wait + TRY_AGAIN
    return None


def _sooner(problem: Problem, waits: _Waits, best: Plan, takes: int, glance: AStar) -> Plan:
    """The plan, or one that arrives earlier if a few glances find it. takes: frames from set-off to arrival."""
    earlier, spent = EARLIER, SearchStatistics()
    for _ in range(LOOKS):
        if earlier < LEAST_EARLIER or spent.expanded > ENOUGH:
            break
        arrival = int(best.frames[-1]) - earlier
        start = waits.latest(arrival - takes - HEAD_START - problem.start_frame)
        plan, looked = _glance(problem, waits.chain(start), arrival, glance)
        spent += looked
        best, earlier = (best, earlier // 2) if plan is None else (plan, 2 * earlier)
    return replace(best, statistics=spent)


def _glance(problem: Problem, waiting: Chain, arrival: int, glance: AStar) -> tuple[Plan | None, SearchStatistics]:
    """A plan that waits like that and arrives by a frame, if a glance finds one; and what that cost."""
    before = steps_along(problem, waiting)
    left = replace(what_is_left(problem, before), graph=hurried(problem.graph), horizon=arrival)
    looked = glance.plan(left)
    plan = plan_of(problem, [*before, *steps_of(looked)], "found", "", SearchStatistics())
    # The search looked at others until the arrival; whoever stays must be left alone after it, too.
    good = looked.status == "found" and _meets_nobody(problem, plan)
    return plan if good else None, looked.statistics


def _is_free(problem: Problem, step: Step) -> bool:
    """Whether a step meets nothing and nobody."""
    return step_is_free(problem, problem.world, step.behavior, step.clip, step.place, step.frame)


def _arrives(problem: Problem, plan: Plan) -> bool:
    """Whether a plan ends at the goal."""
    x, z, heading = plan.placements[-1].tolist()
    goal = problem.goals[-1]
    turned = 0.0 if goal.heading is None else abs(math.remainder(heading - goal.heading, 2.0 * math.pi))
    return math.hypot(x - goal.x, z - goal.z) <= goal.tolerance and turned <= goal.heading_tolerance


def _track(problem: Problem, plan: Plan) -> BodyTrack:
    """The space that a plan takes, with the rest at its end if one stays."""
    resting = None
    if problem.stays:
        resting = int(problem.graph.exit[plan.behaviors[-1]]) if len(plan) else problem.pose
    return plan_track(problem.graph, plan, problem.world.scene.bodies, resting=resting)


def _meets_nobody(problem: Problem, plan: Plan) -> bool:
    """Whether a plan leaves everybody alone, for good if one stays in the end."""
    kept = problem.reservations
    return kept is None or not kept.conflicts(int(plan.frames[0]), _track(problem, plan), stays=problem.stays)


def _free_times(problem: Problem, way: Plan, waits: _Waits) -> Iterator[int]:
    """Those times to wait [frames], in order, after which a way is free of others, as long as one can stand."""
    kept = problem.reservations
    if kept is None:
        yield from waits.times
        return
    whole = read_track(_track(problem, way))
    pieces = [(begin, whole.piece(begin, PIECE)) for begin in range(0, len(whole.places), PIECE)]
    last, stands = pieces[-1][0], _stands_for(problem, waits)

    def is_free(wait: int) -> bool:
        for number, (begin, piece) in enumerate(pieces):
            first = problem.start_frame + wait + begin
            if kept.conflicts(first, piece, stays=problem.stays and begin == last):
                pieces.insert(0, pieces.pop(number))
                return False
        return True

    times = [wait for wait in waits.times if wait <= stands]
    for number in range(0, len(times), STRIDE):
        if is_free(times[number]):
            before = times[max(number - STRIDE + 1, 0) : number]
            yield from (wait for wait in before if is_free(wait))
            yield times[number]


def _stands_for(problem: Problem, waits: _Waits) -> int:
    """For how many frames at most one can stand where one is, of those that one may wait."""
    free, met = 0, waits.times[-1]
    if met == 0 or not _standing_meets(problem, waits, met):
        return met
    while met - free > 1:
        middle = (free + met) // 2
        free, met = (free, middle) if _standing_meets(problem, waits, middle) else (middle, met)
    return free


def _standing_meets(problem: Problem, waits: _Waits, frames: int) -> bool:
    """Whether somebody comes too near within this many frames to whoever stands where the problem starts."""
    kept = problem.reservations
    still = waits.standing.repeated(frames)
    return kept is not None and bool(kept.conflicts(problem.start_frame, still, stays=False))


class _Waits:
    """How long one can wait in a pose by playing its rests one after another.

    times: frames, in order, at least LOOK_AGAIN apart, from 0 to `most`. standing: one frame of who does.
    """

    def __init__(self, problem: Problem, most: int) -> None:
        graph = problem.graph
        self._problem = problem
        self._clips = quiet_rests(graph, problem.pose) if problem.quiet else graph.resting(problem.pose)
        self.standing = standing_track(problem)
        self._reached = np.zeros(max(most, 0) + 1, dtype=bool)
        self._reached[0] = True
        lengths = np.unique(graph.durations[self._clips])
        for frame in range(len(self._reached)):
            for length in lengths:
                if frame >= length and self._reached[frame - length]:
                    self._reached[frame] = True
                    break
        self.times: list[int] = []
        for frame in np.flatnonzero(self._reached).tolist():
            if not self.times or frame >= self.times[-1] + LOOK_AGAIN:
                self.times.append(frame)

    def latest(self, most: int) -> int:
        """The longest time that is no longer than `most` frames, or 0."""
        return max((time for time in self.times if time <= most), default=0)

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
