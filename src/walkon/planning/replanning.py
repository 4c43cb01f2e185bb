"""Wait, then replan: for worlds in which something moves that nobody can foresee.

Whoever plans this way believes that things go on as they go now, and knows better a step later. A step is taken
only if it, and what follows up to the next place to stop, stays free even if what is unknown strays from its
course; otherwise one waits where that is free. What comes straight at someone who waits may still reach them:
then the plan ends before, and says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from walkon.behaviors.library import KINDS
from walkon.planning.astar import AStar
from walkon.planning.moves import compile_moves
from walkon.planning.problem import Plan, Planner, Problem, SearchStatistics, Status
from walkon.planning.steps import step_is_free
from walkon.rotations import Placement
from walkon.world import World, believed_world

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Step:
    """One clip of a behavior, from a frame and a place (3,) to the next."""

    behavior: int
    clip: int
    frame: int
    place: Array
    next_frame: int
    next_place: Array


@dataclass(frozen=True)
class Replanning:
    """A planner for obstacles whose motion is not known in advance.

    planner: asked again before every step. growth [m/s]: how fast what is not known may stray from where it is
    expected. look: so many steps are free in the worst case before the first is taken, or fewer if they end in a
    pose to rest in. most: steps before it gives up.
    """

    planner: Planner = field(default_factory=AStar)
    growth: float = 0.3
    look: int = 3
    most: int = 400

    def plan(self, problem: Problem) -> Plan:
        """The steps as they would be taken, each decided with what can be seen when it begins."""
        return self.follow(problem)[0]

    def follow(self, problem: Problem) -> tuple[Plan, int]:
        """The steps taken, and how often it was planned."""
        if all(obstacle.known or not obstacle.moves for obstacle in problem.world.scene.obstacles):
            return self.planner.plan(problem), 1
        steps: list[Step] = []
        statistics = SearchStatistics()
        for count in range(1, self.most + 1):
            now = _now(problem, steps)
            hoped = self.planner.plan(replace(now, world=believed_world(problem.world, now.start_frame)))
            statistics = _sum(statistics, hoped.statistics)
            if hoped.status == "found" and not len(hoped):
                return _plan(problem, steps, "found", f"planned {count} times", statistics), count
            step = self._next_step(now, hoped)
            if step is None:
                reason = hoped.reason or "nothing is safe to do"
                return _stopped(problem, steps, f"at frame {now.start_frame}: {reason}", statistics), count
            if not _free(problem, problem.world, step):
                return _stopped(
                    problem, steps, f"run into by the unforeseen after frame {step.frame}", statistics
                ), count
            steps.append(step)
        return _stopped(problem, steps, f"not there after {self.most} steps", statistics), self.most

    def _next_step(self, now: Problem, hoped: Plan) -> Step | None:
        """The first step of the plan if that is safe, else a wait that is; None without either."""
        feared = believed_world(now.world, now.start_frame, growth=self.growth)
        if hoped.status == "found":
            ahead = _steps(hoped)[: self.look]
            rests = [bool(now.graph.rests[now.graph.exit[step.behavior]]) for step in ahead]
            ahead = ahead[: rests.index(True) + 1] if True in rests else ahead
            if all(_free(now, feared, step) for step in ahead):
                return ahead[0]
        hopeful = believed_world(now.world, now.start_frame)
        waits = _waits(now)
        return next((step for world in (feared, hopeful) for step in waits if _free(now, world, step)), None)


def _now(problem: Problem, steps: list[Step]) -> Problem:
    """What is left to do after some steps."""
    goals, places = list(problem.goals), [_place(problem.start), *(step.next_place for step in steps)]
    for place in places:
        while len(goals) > 1 and _reached(goals[0], place):
            goals.pop(0)
    if not steps:
        return replace(problem, goals=tuple(goals))
    last = steps[-1]
    return replace(
        problem,
        start=Placement(*last.next_place.tolist()),
        pose=int(problem.graph.exit[last.behavior]),
        start_frame=last.next_frame,
        goals=tuple(goals),
    )


def _reached(goal, place: Array) -> bool:
    if math.hypot(place[0] - goal.x, place[1] - goal.z) > goal.tolerance:
        return False
    turned = 0.0 if goal.heading is None else place[2] - goal.heading
    return abs(math.atan2(math.sin(turned), math.cos(turned))) <= goal.heading_tolerance


def _place(placement: Placement) -> Array:
    return np.array([placement.x, placement.z, placement.heading])


def _free(problem: Problem, world: World, step: Step) -> bool:
    return step_is_free(problem, world, step.behavior, step.clip, step.place, step.frame)


def _steps(plan: Plan) -> list[Step]:
    frames = plan.frames.tolist()
    return [
        Step(int(b), int(c), frames[k], plan.placements[k], frames[k + 1], plan.placements[k + 1])
        for k, (b, c) in enumerate(zip(plan.behaviors, plan.clips, strict=True))
    ]


def _waits(now: Problem) -> list[Step]:
    """What can be done here that goes nowhere, or not far: waits first, then the shortest ways to a stop."""
    graph, place, moves = now.graph, _place(now.start), compile_moves(now.graph, now.seed)
    followers = graph.followers[graph.follower_starts[now.pose] : graph.follower_starts[now.pose + 1]]

    def order(behavior: int) -> tuple[bool, bool, float]:
        waits = KINDS[graph.kinds[behavior]] == "wait"
        return (not (waits and graph.rests[graph.exit[behavior]]), not graph.rests[graph.exit[behavior]],
                float(graph.costs[behavior]))  # fmt: skip

    steps = []
    for behavior in sorted(followers.tolist(), key=order):
        clip = int(moves.numbers[moves.clip_starts[behavior]])
        after = now.start_frame + int(graph.durations[clip])
        if after <= now.horizon:
            to = now.start @ Placement(*graph.displacements[clip].tolist())
            steps.append(Step(behavior, clip, now.start_frame, place, after, _place(to)))
    return steps


def _sum(a: SearchStatistics, b: SearchStatistics) -> SearchStatistics:
    """Both together; of memory, the larger."""
    return SearchStatistics(
        expanded=a.expanded + b.expanded,
        generated=a.generated + b.generated,
        nodes=max(a.nodes, b.nodes),
        blocked=a.blocked + b.blocked,
        occupied=a.occupied + b.occupied,
        visited=a.visited + b.visited,
        seconds=a.seconds + b.seconds,
        bytes=max(a.bytes, b.bytes),
    )


def _stopped(problem: Problem, steps: list[Step], reason: str, statistics: SearchStatistics) -> Plan:
    return _plan(problem, steps, "partial" if steps else "none", reason, statistics)


def _plan(problem: Problem, steps: list[Step], status: Status, reason: str, statistics: SearchStatistics) -> Plan:
    return Plan(
        status=status,
        reason=reason,
        behaviors=np.array([step.behavior for step in steps], dtype=np.int64),
        clips=np.array([step.clip for step in steps], dtype=np.int64),
        frames=np.array([problem.start_frame, *(step.next_frame for step in steps)], dtype=np.int64),
        placements=np.array([_place(problem.start), *(step.next_place for step in steps)]),
        cost=float(sum(problem.graph.costs[step.behavior] for step in steps)),
        statistics=statistics,
    )
