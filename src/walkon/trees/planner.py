"""Planning by looking up: goals within reach of a tree at once, distant ones by sub-goals along a rough path.

A plan is put together from ways of the trees, each begun where and in the pose in which the last one ended. Where
the trees have no answer there are other means, one after another, and the statistics count them: another
sub-goal, a wait, a forward search within a budget.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import count, pairwise
from typing import NamedTuple

import numpy as np

from walkon.basics import Array, Progress, once_per_object
from walkon.behaviors import BehaviorGraph
from walkon.errors import PlanError
from walkon.planning import AStar, InTurn, Plan, Planner, Problem, SearchStatistics, Status
from walkon.planning.explaining import check_problem
from walkon.planning.heuristics import kept_field, line_rate
from walkon.planning.moves import compile_moves, passes_of
from walkon.planning.steps import (
    Step,
    place_of,
    plan_of,
    reached,
    step_is_free,
    steps_along,
    steps_of,
    waits,
    what_is_left,
)
from walkon.trees.digest import graph_digest
from walkon.trees.forest import Forest
from walkon.trees.lookup import Lookup
from walkon.trees.shelf import fetch_forest
from walkon.world import PASSES, Goal, Gridmap, World, coarse_path
from walkon.world.bodies import OUTLINED
from walkon.world.kernels import bilinear

OPTIONS = ((0.75, 0.0), (0.3, 0.0), (0.3, -2.0), (0.3, 2.0))
"""Sub-goals, in the order in which they are tried: how far along the rough path, in parts of a tree's reach, and
how far to the left of it [m]."""

PART = 0.5
"""The share of a way to a sub-goal that is kept before one looks further: what lies beyond may call for another
end. With less, more lookups; with more, worse ways."""

WAITS = 2
"""How many ways to pass the time are tried at a stop. Found by trying: each costs an exact check."""

NEARBY = 1.0
"""[m] How near to a sub-goal a way must lead: sub-goals only show the direction."""

AHEAD = 4.0
"""[m] How much further along the rough path the place lies by which ways to a sub-goal are compared: the best is
the one from whose end it is least to there. Found by trying."""

SECOND = 1.0
"""What it counts, in cost, that a stop has been looked on from before: others get their turn."""

EAGER = 1.5
"""How many times what is left counts beside what has been spent: more goes on from the furthest stop."""

WALKER_RADIUS, WALKER_HALF = 0.45, 0.3
"""[m] How far a rough path keeps from obstacles if it can: about the radius of a walker's circle; or, where
outlines are seen, somewhat more than half its breadth. With more, doors that a walker fits through would be gone
around; with less, it leads close by corners, where trees have few ways."""

FORWARD, CLOSELY = 40_000, 20_000
"""Expansions of the forward search in reserve, and of one that looks more closely, as one must at a narrow gap.
Alone in an office somebody needs up to 8000 from room to room, and around others who stand there up to 30 000.
With less, people are given up for whom there is a way; with more, it takes longer to say that there is none."""

ROUGH = 0.4
"""[m] Cells of the field that rough paths follow. Finer ones take longer, and the path is only a hint."""

NO_WAY = 1e6
"""[m] Where a goal field has values of this size, there is no way to the goal."""


def _forward() -> Planner:
    hasty = AStar(inflation=2.0, max_expansions=FORWARD, cell=0.5, headings=24, time_bin=1.0)
    return InTurn((hasty, AStar(inflation=2.0, max_expansions=CLOSELY)))


@dataclass(frozen=True)
class TreePlanner(Planner):
    """A planner that looks ways up in precomputed trees.

    forests: to be used for the graphs they were grown from; for any other graph one is grown, and kept for next
    time. waits: how often one may pass the time on a way. forward: asked when all else has failed; None for
    nobody. most: lookups in one plan. exact: see `Lookup`.
    """

    forests: tuple[Forest, ...] = field(default=(), repr=False)
    waits: int = 6
    forward: Planner | None = field(default_factory=_forward)
    most: int = 20
    exact: bool = True
    _fetched: dict[tuple, Forest] = field(default_factory=dict, repr=False, compare=False, init=False)
    _lookups: dict[tuple, Lookup] = field(default_factory=dict, repr=False, compare=False, init=False)

    def __post_init__(self) -> None:
        if self.waits < 0 or self.most < 1:
            raise PlanError(f"waits must be 0 or more and most at least 1, not {self.waits} and {self.most}")

    def prepare(self, graphs: Iterable[BehaviorGraph], world: World, progress: Progress | None = None) -> None:
        """Fetch what is needed for people with these graphs in a world, and grow what is not there yet.

        progress: called with (nodes so far, all) of one forest after another.
        """
        for graph in {id(graph): graph for graph in graphs}.values():
            self.lookup(graph, world, progress)

    def plan(self, problem: Problem) -> Plan:
        """The first plan that is found; one with a reason where there is none."""
        begun = time.perf_counter()
        check_problem(problem)
        trip = _Trip(self, problem, self.lookup(problem.graph, problem.world))
        trip.go()
        plan = trip.plan()
        return replace(plan, statistics=replace(plan.statistics, seconds=time.perf_counter() - begun))

    def lookup(self, graph: BehaviorGraph, world: World, progress: Progress | None = None) -> Lookup:
        """What answers for a graph in a world: one of this planner's own forests, or a fetched one."""
        digest = graph_digest(graph)
        for forest in self.forests:
            if forest.digest == digest:
                return self._asked(forest, graph)
        kinds = int(np.bitwise_or.reduce(world.solids.passes, initial=0))
        usable = tuple(name for name in sorted(passes_of(graph)) if (kinds >> PASSES.index(name)) & 1)
        if (digest, usable) not in self._fetched:
            self._fetched[digest, usable] = fetch_forest(graph, passes=usable, progress=progress)
        return self._asked(self._fetched[digest, usable], graph)

    def _asked(self, forest: Forest, graph: BehaviorGraph) -> Lookup:
        """A lookup of this thread; its memory is used again and again."""
        key = threading.get_ident(), id(forest)
        if key not in self._lookups:
            self._lookups[key] = Lookup(forest, graph, exact=self.exact)
        return self._lookups[key]


@once_per_object
def _rate(graph: BehaviorGraph, seed: int) -> float:
    """Least cost of a metre."""
    return line_rate(compile_moves(graph, seed, "circle"))  # costs and ways are the same at every level


class _Stop(NamedTuple):
    """A place one can get to. steps: that lead there. now: what is left to do. spent: the steps' cost. tried: how
    many options have been; -1 if not even the way to the goal. waited: how often on the way."""

    steps: tuple[Step, ...]
    now: Problem
    spent: float = 0.0
    tried: int = -1
    waited: int = 0

    def after(self, chain: Sequence[Step]) -> _Stop:
        """Where further steps lead."""
        costs = self.now.graph.costs
        spent = self.spent + sum(float(costs[step.behavior]) for step in chain)
        return _Stop((*self.steps, *chain), what_is_left(self.now, chain), spent, -1, self.waited)


class _Trip:
    """One plan while it is put together: a search over stops, the most promising first.

    A stop is looked on from with one option at a time and put back behind the others, so that a trip without
    trouble takes one lookup for each stop, and one into a dead end goes on from where there is still an option.
    """

    def __init__(self, planner: TreePlanner, problem: Problem, lookup: Lookup) -> None:
        # Steps are taken with the clips of the forest, whatever the problem would have drawn.
        self.problem = replace(problem, seed=lookup.forest.seed)
        self.planner, self.lookup = planner, lookup
        self.searched, self.counts = SearchStatistics(), Counter[str]()
        self.status: Status = "none"
        self.reason = ""
        self.steps: tuple[Step, ...] = ()
        self._stops: list[tuple[float, int, _Stop]] = []
        self._numbers = count()
        self._arrival: _Stop | None = None
        self.rate = _rate(lookup.graph, lookup.forest.seed)
        self._changes = problem.world.moves or bool(problem.reservations)

    def plan(self) -> Plan:
        """What came of it."""
        statistics = self.searched + SearchStatistics(**self.counts)
        return plan_of(self.problem, self.steps, self.status, self.reason, statistics)

    def go(self) -> None:
        """Look on from one stop after another until the last goal is reached or nothing helps."""
        self._push(_Stop((), what_is_left(self.problem, ())))
        while self._stops and self.counts["lookups"] < self.planner.most:
            priority, _, stop = heappop(self._stops)
            now = stop.now
            self.lookup.begin(
                now.world, now.start, now.pose, frame=now.start_frame, horizon=now.horizon,
                reservations=now.reservations,
            )  # fmt: skip
            if stop.tried < 0:
                if self._is_there(now):
                    self.steps, self.status = stop.steps, "found"
                    return
                if self._goes_there(stop):
                    # Not at once: a way may be a bad one, and other stops, or this one, promise a better.
                    self._push_at(priority + SECOND, stop._replace(tried=0))
                    continue
                stop = stop._replace(tried=0)
            self._look_on(stop, priority)
        self._give_up()

    def _is_there(self, now: Problem) -> bool:
        goal, *later = now.goals
        if later or not reached(goal, place_of(now.start)):
            return False
        return not now.stays or self.lookup.can_stay()

    def _goes_there(self, stop: _Stop) -> bool:
        """Add where a way to the next goal leads, if there is one."""
        goal, *later = stop.now.goals
        ahead = (later[0].x, later[0].z) if later else None
        chain = self._reach(stop.now, goal, stays=stop.now.stays and not later, ahead=ahead)
        if chain:
            there = stop.after(chain)
            self._push(there)
            if not later and (self._arrival is None or there.spent < self._arrival.spent):
                self._arrival = there
        return len(chain) > 0

    def _look_on(self, stop: _Stop, priority: float) -> None:
        """Try the options of a stop, from the next one on, until one is a way; in the end a wait."""
        path, along = _rough_path(stop.now)
        for option in range(stop.tried, len(OPTIONS)):
            subgoal = _subgoal(path, along, self.lookup.radius, *OPTIONS[option])
            if subgoal is None:
                continue
            self.counts["subgoals"] += option > 0
            x, z, ahead = subgoal
            chain = self._reach(stop.now, Goal(x, z, NEARBY), ahead=ahead)
            if chain:
                kept = math.ceil(PART * len(chain))
                # What is left of the way is known to be free: its end is another stop.
                for length, later in {kept: 0.0, len(chain): 0.5 * SECOND}.items():
                    self._push(stop.after(chain[:length]), later)
                self._push_at(priority + SECOND, stop._replace(tried=option + 1))
                return
        self._wait(stop)

    def _wait(self, stop: _Stop) -> None:
        """Pass the time, if that is free and may help: only if something moves."""
        if not self._changes or stop.waited >= self.planner.waits:
            return
        for step in waits(stop.now, WAITS):
            if step_is_free(stop.now, stop.now.world, step.behavior, step.clip, step.place, step.frame):
                self.counts["waits"] += 1
                self._push(stop.after([step])._replace(waited=stop.waited + 1))
                return

    def _give_up(self) -> None:
        """What leads there although others promised more; else a forward search from the start."""
        if self._arrival is not None:
            self.steps, self.status = self._arrival.steps, "found"
            return
        self.reason = "the trees have no way"
        if self.planner.forward is None:
            return
        self.counts["searches"] += 1
        found = self.planner.forward.plan(self.problem)
        self.searched += found.statistics
        self.steps, self.status = tuple(steps_of(found)), found.status
        self.reason = "" if found.status == "found" else f"{self.reason}, nor has a search: {found.reason}"

    def _reach(self, now: Problem, goal: Goal, **how) -> tuple[Step, ...]:
        """The steps of the best way to a goal; none if there is no way."""
        before = self.lookup.checks
        node = self.lookup.reach(goal, **how)
        self.counts["lookups"] += 1
        self.counts["checked"] += self.lookup.checks - before
        return () if node < 0 else tuple(steps_along(now, self.lookup.clips_to(node)))

    def _push(self, stop: _Stop, later: float = 0.0) -> None:
        self._push_at(stop.spent + EAGER * self.rate * _distance_left(stop.now) + later, stop)

    def _push_at(self, priority: float, stop: _Stop) -> None:
        heappush(self._stops, (priority, next(self._numbers), stop))


def _subgoal(
    path: Array, along: Array, reach: float, part: float, shift: float
) -> tuple[float, float, tuple[float, float]] | None:
    """A point x, z beside a rough path (P, 2), and the place on it to go on to; None if the path is shorter.
    along: (P,) metres from its start."""
    distance = part * reach
    if distance >= along[-1]:
        return None
    x, z = _at(path, along, distance)
    ahead = _at(path, along, min(distance + AHEAD, float(along[-1])))
    away = max(math.hypot(ahead[0] - x, ahead[1] - z), 1e-9)
    return x + shift * (ahead[1] - z) / away, z - shift * (ahead[0] - x) / away, ahead


def _at(path: Array, along: Array, distance: float) -> tuple[float, float]:
    """The point x, z at a distance [m] along a path (P, 2)."""
    return float(np.interp(distance, along, path[:, 0])), float(np.interp(distance, along, path[:, 1]))


def _distance_left(now: Problem) -> float:
    """Metres to the last goal, around what stands still as far as the next one."""
    field, goals = _field(now), now.goals
    x, z = float(now.start.x), float(now.start.z)
    left = bilinear(field.origin_x, field.origin_z, field.cell, field.values, x, z)
    left = max(left, math.hypot(goals[0].x - x, goals[0].z - z) - goals[0].tolerance, 0.0)
    return left + sum(math.hypot(a.x - b.x, a.z - b.z) for a, b in pairwise(goals))


def _rough_path(now: Problem) -> tuple[Array, Array]:
    """A way (P, 2) to the next goal, and metres along it (P,)."""
    path = coarse_path(_field(now), float(now.start.x), float(now.start.z))
    return path, np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])


def _field(now: Problem) -> Gridmap:
    """Distances to the next goal for a body, or, where there is no way so wide, for something thinner."""
    goal, x, z = now.goals[0], float(now.start.x), float(now.start.z)
    scene = now.world.scene
    needed = WALKER_HALF if scene.bodies in OUTLINED else WALKER_RADIUS
    wide = kept_field(now.world, goal, needed + scene.clearance, ROUGH)
    if bilinear(wide.origin_x, wide.origin_z, wide.cell, wide.values, x, z) < NO_WAY:
        return wide
    return kept_field(now.world, goal, 0.5 * needed)
