"""Single steps and chains of them, for planners that decide one after another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from walkon.basics import Array
from walkon.planning.body_tracks import clip_track
from walkon.planning.ground import compile_world, least_radius
from walkon.planning.kernels_collision import climbed, hits_ground, hits_solids
from walkon.planning.moves import compile_moves, moves_with
from walkon.planning.problem import Plan, Problem, SearchStatistics, Status
from walkon.rotations import Placement
from walkon.rotations.kernels_ground import Stand, laid
from walkon.world import Goal, World


@dataclass(frozen=True)
class Step:
    """One clip of a behavior, from a frame and a place (3,) to the next."""

    behavior: int
    clip: int
    frame: int
    place: Array
    next_frame: int
    next_place: Array


def steps_of(plan: Plan) -> list[Step]:
    """The steps of a plan."""
    frames = plan.frames.tolist()
    return [
        Step(int(b), int(c), frames[k], plan.placements[k], frames[k + 1], plan.placements[k + 1])
        for k, (b, c) in enumerate(zip(plan.behaviors, plan.clips, strict=True))
    ]


def steps_along(now: Problem, chain: Sequence[tuple[int, int]]) -> list[Step]:
    """Behaviors and clips of the graph, one after another from where a problem starts."""
    place, frame, steps = place_of(now.start), now.start_frame, []
    for behavior, clip in chain:
        to, after = moved(place, now.graph.displacements[clip]), frame + int(now.graph.durations[clip])
        steps.append(Step(behavior, clip, frame, place, after, to))
        place, frame = to, after
    return steps


def moved(place: Array, displacement: Array) -> Array:
    """A place (3,) after a displacement (3,), as seen from it; headings in (-π, π]."""
    dx, dz, turn = displacement.tolist()
    turned = math.remainder(place.tolist()[2] + turn, 2.0 * math.pi)
    return np.array([*laid(stand_of(place), dx, dz), turned])


def what_is_left(problem: Problem, steps: Sequence[Step]) -> Problem:
    """What is left to do after some steps."""
    goals, places = list(problem.goals), [place_of(problem.start), *(step.next_place for step in steps)]
    for place in places:
        while len(goals) > 1 and reached(goals[0], place):
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


def waits(now: Problem, most: int | None = None) -> list[Step]:
    """What can be done here that goes nowhere, or not far: waits first, then the shortest ways to a stop; at most
    `most` of it, all if None."""
    graph, moves = now.graph, compile_moves(now.graph, now.seed, now.world.scene.bodies)
    followers = graph.followers[graph.follower_starts[now.pose] : graph.follower_starts[now.pose + 1]]

    def order(behavior: int) -> tuple[bool, bool, float]:
        idle = graph.kind_of(behavior).waits
        return (not (idle and graph.rests[graph.exit[behavior]]), not graph.rests[graph.exit[behavior]],
                float(graph.costs[behavior]))  # fmt: skip

    ordered = sorted(followers.tolist(), key=order)[:most]
    firsts = [(behavior, int(moves.numbers[moves.clip_starts[behavior]])) for behavior in ordered]
    steps = [step for one in firsts for step in steps_along(now, [one])]
    return [step for step in steps if step.next_frame <= now.horizon]


def plan_of(
    problem: Problem, steps: Sequence[Step], status: Status, reason: str, statistics: SearchStatistics
) -> Plan:
    """The plan that consists of these steps."""
    return Plan(
        status=status,
        reason=reason,
        behaviors=np.array([step.behavior for step in steps], dtype=np.int64),
        clips=np.array([step.clip for step in steps], dtype=np.int64),
        frames=np.array([problem.start_frame, *(step.next_frame for step in steps)], dtype=np.int64),
        placements=np.array([place_of(problem.start), *(step.next_place for step in steps)]),
        cost=_cost(problem, steps),
        statistics=statistics,
    )


def reached(goal: Goal, place: Array) -> bool:
    """Whether a place (3,) is within the tolerances of a goal."""
    if math.hypot(place[0] - goal.x, place[1] - goal.z) > goal.tolerance:
        return False
    turned = 0.0 if goal.heading is None else place[2] - goal.heading
    return abs(math.atan2(math.sin(turned), math.cos(turned))) <= goal.heading_tolerance


def place_of(placement: Placement) -> Array:
    """A placement as an array (3,) x, z, heading."""
    return np.array([placement.x, placement.z, placement.heading])


def stand_of(place: Array) -> Stand:
    """A place (3,) x, z, heading as kernels want it."""
    x, z, heading = place.tolist()
    return Stand(x, z, math.sin(heading), math.cos(heading))


def step_is_free(problem: Problem, world: World, behavior: int, clip: int, place: Array, frame: int) -> bool:
    """Whether a clip, begun at a place (3,) x, z, heading at a frame, meets nothing in a world and nobody else."""
    bodies = world.scene.bodies
    moves, own = moves_with(problem.graph, problem.seed, clip, bodies)
    ground, solids = compile_world(world, least_radius(moves))
    stand = stand_of(place)
    if hits_ground(stand, own, moves, ground):
        return False
    kind = int(moves.special[behavior])
    if (kind >= 0 or len(solids.passes)) and hits_solids(stand, frame, own, kind, moves, ground, solids):
        return False
    if problem.reservations is None:
        return True
    track = clip_track(problem.graph, clip, Placement(*place.tolist()), bodies)
    return not problem.reservations.conflicts(frame, track, stays=False)


def _cost(problem: Problem, steps: Sequence[Step]) -> float:
    """Of all steps, with what climbing costs."""
    cost = float(sum(problem.graph.costs[step.behavior] for step in steps))
    bodies = problem.world.scene.bodies
    ground, _ = compile_world(problem.world, least_radius(compile_moves(problem.graph, problem.seed, bodies)))
    if ground.flat or not steps:
        return cost
    for step in steps:
        moves, clip = moves_with(problem.graph, problem.seed, step.clip, bodies)
        cost += problem.climb * climbed(stand_of(step.place), clip, moves, ground)
    return cost
