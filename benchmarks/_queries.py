"""Random queries as in section 4.7.3 of Lau (2009), and how searches answer them; for the benchmarks of trees.

The character walks at the origin and looks along +z; the goal lies within a half circle before it, among boxes of
random number, place, heading and size. Start and goal are free. Every search gets the same problem: start, goal,
tolerance, clips, distances to keep, and compiled world.
"""

from __future__ import annotations

import gc
import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkon.behaviors import BehaviorGraph
    from walkon.planning import Plan, Planner, Problem
    from walkon.planning.steps import Step
    from walkon.trees.growing import Builder
    from walkon.trees.lookup import Lookup
    from walkon.trees.region import Region
    from walkon.world import Obstacle, World

BOUNDS = (-22.0, -22.0, 22.0, 22.0)
SPREAD = 18.0
"""[m] Middles of boxes are no further from the start, along x and along z."""

OBSTACLES = (10, 50)
SIDES = (0.4, 3.0)
"""The fewest and the most boxes, and their shortest and longest side [m]."""

NEAREST, FURTHEST = 2.0, 14.0
"""[m] from the start to the goal."""

TOLERANCE = 0.5
FREE = 0.55
"""[m] of room around start and goal: somewhat more than a walker takes."""

SECONDS = 120

REGION = (16.0, 2.0)
"""Of the trees: a half circle of this radius, and what lies behind the root [m]; Lau's is 16 m, too."""

THEIRS, OURS = "SPST, thesis", "SPST, ours"
BUILDERS: dict[str, dict[str, float]] = {THEIRS: {"thrift": 0.0, "apart": 0.0}, OURS: {}}
"""Options of `Scalable`. Ours are those that planners use when nobody asks for others."""


class Answers(NamedTuple):
    """Of a search to Q queries. costs: (Q,) infinite where it found nothing. seconds: (Q,) of the search itself;
    whole: (Q,) with putting the tree into the world, where there is one. checks: (Q,) clips checked against
    obstacles. mapped: (Q,) cells of the environment looked at. stopped: (Q,) whether it gave up undecided."""

    costs: NDArray[np.float64]
    seconds: NDArray[np.float64]
    whole: NDArray[np.float64]
    checks: NDArray[np.int64]
    mapped: NDArray[np.int64]
    stopped: NDArray[np.bool_]

    @property
    def solved(self) -> NDArray[np.bool_]:
        """(Q,)"""
        return np.isfinite(self.costs)


def joined(parts: list[Answers]) -> Answers:
    """Answers to several sets of queries as one."""
    return Answers(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def behavior_graph() -> BehaviorGraph:
    """The built-in cast; 46 behaviors."""
    from walkon.behaviors import build_graph
    from walkon.builtin.casts import fetch_library

    return build_graph(fetch_library("human", 0)).customized({}, without=["gesture"])


def tree_region() -> Region:
    """Where trees for these queries grow."""
    from walkon.trees.region import half_disc

    radius, behind = REGION
    return half_disc(radius, behind=behind)


def builders() -> dict[str, Builder]:
    """By the names of BUILDERS."""
    from walkon.trees.builders.scalable import Scalable

    return {who: Scalable(**options) for who, options in BUILDERS.items()}


def draw_problems(
    graph: BehaviorGraph, random: np.random.Generator, count: int, obstacles: tuple[int, int] = OBSTACLES
) -> list[Problem]:
    """So many queries, each in a world of its own with at least and at most so many boxes."""
    found: list[Problem] = []
    while len(found) < count:
        boxes = [
            _some_box(random, number) for number in range(int(random.integers(obstacles[0], obstacles[1] + 1)))
        ]
        world = world_with(boxes)
        distance, side = math.sqrt(random.uniform(NEAREST**2, FURTHEST**2)), random.uniform(-0.5, 0.5) * math.pi
        x, z = distance * math.sin(side), distance * math.cos(side)
        if min(_room(world, 0.0, 0.0), _room(world, x, z)) > FREE:
            found.append(problem_in(graph, world, x, z))
    return found


def world_with(boxes: list[Obstacle]) -> World:
    """Flat ground with boxes on it."""
    from walkon.world import Scene, build_world, flat_terrain

    return build_world(Scene("query", BOUNDS, flat_terrain(BOUNDS), tuple(boxes), duration=float(SECONDS)))


def problem_in(graph: BehaviorGraph, world: World, x: float, z: float) -> Problem:
    """From the origin, walking along +z, to a goal."""
    from walkon.planning import Problem
    from walkon.rotations import Placement
    from walkon.world import Goal

    horizon = round(SECONDS * graph.fps)
    start, pose = Placement(0.0, 0.0, 0.0), graph.poses.index("walk")
    return Problem(graph, world, start, pose, (Goal(x, z, TOLERANCE),), horizon, stays=False)


def box(name: str, x: float, z: float, width: float, depth: float, heading: float = 0.0) -> Any:
    """As tall as anybody."""
    from walkon.world import Box, Obstacle

    turn = np.array([[math.cos(heading / 2), 0.0, math.sin(heading / 2), 0.0]])
    return Obstacle(name, Box(width, 2.0, depth), np.array([[x, 0.0, z]]), turn)


def _some_box(random: np.random.Generator, number: int) -> Any:
    x, z = random.uniform(-SPREAD, SPREAD, 2)
    width, depth = random.uniform(*SIDES, 2)
    return box(f"box {number}", x, z, width, depth, random.uniform(0.0, math.pi))


def _room(world: World, x: float, z: float) -> float:
    """[m] around a place, as the world's distance field has it at the nearest vertex."""
    field = world.clearance
    return float(field.values[round((z - field.origin_z) / field.cell), round((x - field.origin_x) / field.cell)])


def ask_planner(planner: Planner, problems: list[Problem], rounds: int) -> Answers:
    """What a planner finds; the median time of several rounds, of one round where it finds nothing. Every plan is
    checked once more."""
    from walkon.planning.steps import steps_of

    planner.plan(problems[0])
    plans: list[Plan] = []
    seconds = np.full((rounds, len(problems)), np.nan)
    with _undisturbed():
        for turn in range(rounds):
            for index, problem in enumerate(problems):
                if turn and plans[index].status != "found":
                    continue
                begun = time.perf_counter()
                plan = planner.plan(problem)
                seconds[turn, index] = time.perf_counter() - begun
                plans += [] if turn else [plan]
    for problem, plan in zip(problems, plans, strict=True):
        if plan.status == "found":
            check_steps(problem, steps_of(plan), plan.cost)
    costs = np.array([plan.cost if plan.status == "found" else np.inf for plan in plans])
    middle = np.nanmedian(seconds, axis=0)
    checks = np.array([_checks(plan) for plan in plans])
    stopped = np.array([plan.reason.startswith("budget") for plan in plans])
    return Answers(costs, middle, middle, checks, np.zeros(len(plans), dtype=np.int64), stopped)


def _checks(plan: Plan) -> int:
    """A forward search keeps a clip as a node or refuses it: everything else was not checked. A lookup counts."""
    statistics = plan.statistics
    return statistics.checked + statistics.blocked + statistics.occupied + max(statistics.nodes - 1, 0)


def ask_lookup(lookup: Lookup, problems: list[Problem], rounds: int) -> Answers:
    """What a tree has, median times of several rounds through all problems; every way is checked once more."""
    costs = np.full(len(problems), np.inf)
    checks, mapped = np.zeros((2, len(problems)), dtype=np.int64)
    for index, problem in enumerate(problems):
        _begin(lookup, problem)
        node = lookup.reach(problem.goals[0])
        checks[index], mapped[index] = lookup.checks, lookup.mapped
        if node >= 0:
            check_way(lookup, problem, node)
            costs[index] = lookup.forest.costs[node]
    times = np.empty((rounds, len(problems), 2))
    with _undisturbed():
        for turn in range(rounds):
            for index, problem in enumerate(problems):
                begun = time.perf_counter()
                _begin(lookup, problem)
                ready = time.perf_counter()
                lookup.reach(problem.goals[0])
                times[turn, index] = time.perf_counter() - ready, ready - begun
    middle = np.median(times, axis=0)
    return Answers(costs, middle[:, 0], middle.sum(axis=1), checks, mapped, np.zeros(len(costs), dtype=np.bool_))


def calling(lookup: Lookup, problem: Problem, times: int = 2000) -> float:
    """Seconds to ask for a goal in a cell without any node: what a search costs before it searches."""
    from walkon.world import Goal

    forest = lookup.forest
    first = int(np.flatnonzero(np.diff(forest.entry_starts[problem.pose]) == 0)[0])
    row, column = divmod(first, forest.goal_columns)
    goal = Goal(
        forest.goal_x + (column + 0.5) * forest.goal_cell,
        forest.goal_z + (row + 0.5) * forest.goal_cell,
        TOLERANCE,
    )
    seconds = np.empty(times)
    _begin(lookup, problem)
    with _undisturbed():
        for turn in range(times):
            begun = time.perf_counter()
            lookup.reach(goal)
            seconds[turn] = time.perf_counter() - begun
    return float(np.median(seconds))


def _begin(lookup: Lookup, problem: Problem) -> None:
    lookup.begin(problem.world, problem.start, problem.pose, horizon=problem.horizon)


def check_way(lookup: Lookup, problem: Problem, node: int) -> None:
    """Go the way to a node with the checks of A*."""
    from walkon.planning.steps import steps_along

    asked = replace(problem, seed=lookup.forest.seed)
    check_steps(asked, steps_along(asked, lookup.clips_to(node)), float(lookup.forest.costs[node]))


def check_steps(problem: Problem, steps: list[Step], cost: float) -> None:
    """Steps are legal and free, end at the goal, and cost so much."""
    from walkon.planning.steps import place_of, reached, step_is_free

    goal, pose, spent, graph = problem.goals[0], problem.pose, 0.0, problem.graph
    for step in steps:
        assert graph.entry[step.behavior] == pose, "a way that the graph does not allow"
        free = step_is_free(problem, problem.world, step.behavior, step.clip, step.place, step.frame)
        assert free, "a way that is not free"
        pose, spent = int(graph.exit[step.behavior]), spent + float(graph.costs[step.behavior])
    end = steps[-1].next_place if steps else place_of(problem.start)
    # A forest keeps places and costs in single precision.
    assert reached(replace(goal, tolerance=goal.tolerance + 1e-4), end), "a way that ends elsewhere"
    assert abs(spent - cost) < 1e-3 * max(spent, 1.0), "a way that costs something else"


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Without garbage collection, as `timeit` does it."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def load() -> str:
    """How busy the machine is, in words; times are to be read with it."""
    return f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
