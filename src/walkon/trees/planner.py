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
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from walkon.behaviors import BehaviorGraph
from walkon.errors import PlanError
from walkon.planning import AStar, Plan, Planner, Problem, SearchStatistics
from walkon.planning.explaining import check_problem
from walkon.planning.heuristics import kept_field
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
from walkon.world import PASSES, Goal, World, coarse_path

Array = NDArray[np.float64]

DISTANCES = (0.75, 0.5, 0.3)
"""Sub-goals lie so far along the rough path, in parts of a tree's reach; the first that is reached is taken."""

PART = 0.5
"""Of a way to a sub-goal so much is kept before one looks further: what lies beyond may call for another end."""

ASIDE = (0.0, -1.5, 1.5, -3.0, 3.0)
"""[m] Other sub-goals lie so far to the side of the rough path."""

BACK = 6
"""Where there is no way on, one is looked for from up to so many steps before."""

NEARBY = 0.5
"""[m] It is enough to come so close to a sub-goal."""

TURNING = 1.0
"""What a radian off the rough path counts at a sub-goal, beside what the way costs."""

BODY = 0.45
"""[m] A rough path keeps so far from obstacles if it can: about a walker's circle."""


def _forward() -> Planner:
    return AStar(inflation=2.0, max_expansions=20_000, cell=0.5, headings=16, time_bin=2.0)


@dataclass(frozen=True)
class TreePlanner:
    """A planner that looks ways up in precomputed trees.

    forests: to be used for the graphs they were grown from; for any other graph one is grown, and kept for next
    time. waits: how often one may pass the time where there is no way. forward: asked when all else has failed;
    None for nobody. most: lookups in one plan. exact: see `Lookup`.
    """

    forests: tuple[Forest, ...] = field(default=(), repr=False)
    waits: int = 6
    forward: Planner | None = field(default_factory=_forward)
    most: int = 100
    exact: bool = True

    def __post_init__(self) -> None:
        if self.waits < 0 or self.most < 1:
            raise PlanError(f"waits must be 0 or more and most at least 1, not {self.waits} and {self.most}")

    def plan(self, problem: Problem) -> Plan:
        """The first plan that is found; one with a reason where there is none."""
        begun = time.perf_counter()
        check_problem(problem)
        trip = _Trip(self, problem, self.lookup(problem.graph, problem.world))
        trip.go()
        plan = trip.plan()
        return replace(plan, statistics=replace(plan.statistics, seconds=time.perf_counter() - begun))

    def lookup(self, graph: BehaviorGraph, world: World) -> Lookup:
        """What answers for a graph in a world: this planner's own forest for it, or a fetched one."""
        digest = graph_digest(graph)
        for forest in self.forests:
            if forest.digest == digest:
                return _lookup(forest, graph, self.exact)
        kinds = np.bitwise_or.reduce(world.solids.passes, initial=0)
        usable = {kind for kind in graph_passes(graph) if (int(kinds) >> PASSES.index(kind)) & 1}
        return _lookup(fetch_forest(graph, passes=tuple(sorted(usable))), graph, self.exact)


def graph_passes(graph: BehaviorGraph) -> set[str]:
    """Kinds of obstacles that the allowed behaviors of a graph can pass."""
    return {
        behavior.kind for behavior, allowed in zip(graph.library, graph.allowed, strict=True) if allowed
    } & set(PASSES)


_kept = threading.local()


def _lookup(forest: Forest, graph: BehaviorGraph, exact: bool) -> Lookup:
    """A lookup of this thread; its memory is used again and again."""
    if not hasattr(_kept, "lookups"):
        _kept.lookups = WeakKeyDictionary()
    known = _kept.lookups.setdefault(forest, {})
    if exact not in known:
        known[exact] = Lookup(forest, graph, exact=exact)
    return known[exact]


class _Trip:
    """One plan while it is put together."""

    def __init__(self, planner: TreePlanner, problem: Problem, lookup: Lookup) -> None:
        # Steps are taken with the clips of the forest, whatever the problem would have drawn.
        self.problem = replace(problem, seed=lookup.forest.seed)
        self.asked, self.planner, self.lookup = problem, planner, lookup
        self.steps: list[Step] = []
        self.searched, self.counts = SearchStatistics(), Counter[str]()
        self.status, self.reason = "none", ""
        self.kept = self.waited = self._taken = 0

    def plan(self) -> Plan:
        """As far as it came."""
        status = self.status if self.status == "found" or not self.steps else "partial"
        statistics = self.searched + SearchStatistics(**self.counts)
        return plan_of(self.problem, self.steps, status, self.reason, statistics)  # pyright: ignore

    def go(self) -> None:
        """Add ways until the last goal is reached or nothing helps."""
        while self.counts["lookups"] < self.planner.most:
            now = self._begin(self.kept)
            if self._arrived(now):
                self.steps = self.steps[: self.kept]
                self.status = "found"
                return
            if self._direct(now) or self._onward(now, ASIDE[:1]):
                continue
            if self.kept < len(self.steps):
                # What is left of the last way is known to be free: look again a step further on.
                self.kept += 1
            elif not self._otherwise():
                break
        self._search()

    def _otherwise(self) -> bool:
        """Another sub-goal, from here or from a few steps back; then a wait, likewise."""
        latest = len(self.steps)
        backwards = range(latest, max(latest - BACK, 0) - 1, -1)
        for steps in backwards:
            self.counts["subgoals"] += 1
            if self._onward(self._begin(steps), ASIDE[1:]):
                return True
        return any(self._wait(self._left(steps)) for steps in backwards)

    def _left(self, steps: int) -> Problem:
        """What is left to do after so many of the steps."""
        self._taken = steps
        return what_is_left(self.problem, self.steps[:steps])

    def _begin(self, steps: int) -> Problem:
        """Look from where so many of the steps lead."""
        now = self._left(steps)
        self.lookup.begin(
            now.world,
            now.start,
            now.pose,
            frame=now.start_frame,
            horizon=now.horizon,
            reservations=now.reservations,
        )
        return now

    def _arrived(self, now: Problem) -> bool:
        if len(now.goals) > 1 or not reached(now.goals[0], place_of(now.start)):
            return False
        return not now.stays or self.lookup.can_stay()

    def _direct(self, now: Problem) -> bool:
        """All the way to the next goal."""
        goal, *later = now.goals
        if not later:
            return self._take(now, self._reach(goal, stays=now.stays), part=1.0)
        after = later[0]
        ahead = math.atan2(after.x - goal.x, after.z - goal.z)
        return self._take(now, self._reach(goal, ahead=ahead, turning=TURNING), part=1.0)

    def _onward(self, now: Problem, aside: tuple[float, ...]) -> bool:
        """To a sub-goal on the rough path, or so far [m] aside of it."""
        for x, z, ahead in _subgoals(now, self.lookup.radius, aside):
            if self._take(now, self._reach(Goal(x, z, NEARBY), ahead=ahead, turning=TURNING), part=PART):
                return True
        return False

    def _wait(self, now: Problem) -> bool:
        """Pass the time, if that is free and may help: only if something moves."""
        moves = now.world.moves or (now.reservations is not None and len(now.reservations) > 0)
        if not moves or self.waited >= self.planner.waits:
            return False
        for step in waits(now):
            if step_is_free(now, now.world, step.behavior, step.clip, step.place, step.frame):
                self.waited += 1
                self.counts["waits"] += 1
                self.steps = [*self.steps[: self._taken], step]
                self.kept = len(self.steps)
                return True
        return False

    def _search(self) -> None:
        """A forward search from where it is, or else from the start."""
        self.reason = "the trees have no way"
        if self.planner.forward is None:
            return
        for steps in (self.steps, []) if self.steps else ([],):
            self.counts["searches"] += 1
            found = self.planner.forward.plan(replace(what_is_left(self.asked, steps), seed=self.problem.seed))
            self.searched += found.statistics
            if found.status == "found":
                self.steps = [*steps, *steps_of(found)]
                self.status, self.reason = "found", ""
                return
            self.reason = f"the trees have no way, nor has a search: {found.reason}"

    def _reach(self, goal: Goal, **how) -> int:
        before = self.lookup.checks
        node = self.lookup.reach(goal, **how)
        self.counts.update(lookups=1, checked=self.lookup.checks - before)
        return node

    def _take(self, now: Problem, node: int, part: float) -> bool:
        """Add the way to a node, if there is one, and keep so much of it."""
        if node < 0:
            return False
        self.steps = self.steps[: self._taken]
        self.steps += steps_along(now, self.lookup.clips_to(node))
        self.kept = self._taken + math.ceil(part * (len(self.steps) - self._taken))
        return True


def _subgoals(now: Problem, reach: float, aside: tuple[float, ...]) -> Iterator[tuple[float, float, float]]:
    """Points x, z on the rough path to the next goal, and the heading in which it goes on; the furthest first."""
    path = _rough_path(now)
    if len(path) < 2:
        return
    lengths = np.hypot(*np.diff(path, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(lengths)])
    for part in DISTANCES:
        distance = part * reach
        if distance >= along[-1]:
            continue
        x, z = (float(np.interp(distance, along, path[:, axis])) for axis in (0, 1))
        later = min(distance + 1.0, along[-1])
        to_x, to_z = (float(np.interp(later, along, path[:, axis])) for axis in (0, 1))
        ahead = math.atan2(to_x - x, to_z - z)
        for shift in aside:
            yield x + shift * math.cos(ahead), z - shift * math.sin(ahead), ahead


def _rough_path(now: Problem) -> Array:
    """A way (P, 2) to the next goal for a body, or, where there is none so wide, for something thinner."""
    goal = now.goals[0]
    path = np.empty((0, 2))
    for radius in (BODY + now.world.scene.clearance, 0.5 * BODY):
        path = coarse_path(kept_field(now.world, goal, radius), float(now.start.x), float(now.start.z))
        if len(path) > 1:
            break
    return path
