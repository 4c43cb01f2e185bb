"""One search: its arrays, their growth, and reading a plan out of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from walkon.errors import PlanError
from walkon.planning import _kernels_memory as counting
from walkon.planning import _kernels_search as kernels
from walkon.planning._kernels_goals import Quest, Situation, estimate
from walkon.planning._kernels_memory import SearchMemory, rehash
from walkon.planning._kernels_states import Buckets
from walkon.planning.ground import compile_world, least_radius
from walkon.planning.heuristics import line_bounds, route_bounds
from walkon.planning.kernels_tracks import Tracks
from walkon.planning.moves import compile_moves
from walkon.planning.problem import Plan, Problem, SearchStatistics, SearchTree, Status
from walkon.planning.reservations import Reservations

if TYPE_CHECKING:
    from walkon.planning.astar import AStar

GAP_SLACK = 0.001
"""[m] Gap kept to other people besides the clearance, for rounding errors and the step into a resting circle. A
larger one would only keep people further apart."""

OUTSIDE = 4.0
"""Margin [m] around the bounds within which states are told apart: bodies are inside, their origins need not
be."""

_nobody = Reservations((0.0, 0.0, 1.0, 1.0), 0)


class Search:
    """A search in progress."""

    def __init__(self, planner: AStar, problem: Problem, inflation: float, *, strict: bool = False) -> None:
        self.problem, self.planner = problem, planner
        self.moves = compile_moves(problem.graph, problem.seed, problem.world.scene.bodies)
        self.ground, self.solids = compile_world(problem.world, least_radius(self.moves))
        self.crowded, people = others_of(problem.reservations)
        self.situation = Situation(self.moves, self.ground, self.solids, people)
        others_move = problem.reservations is not None and not problem.reservations.still
        self.timed = strict or others_move or problem.world.moves
        # Where somebody moves until the horizon, states are told apart by time all along.
        self.strict = strict or planner.exact or (self.timed and self._settled() >= problem.horizon)
        self.bounds = line_bounds(self.moves, problem.goals)
        if planner.heuristic == "routes":
            self.bounds = route_bounds(problem, self.moves, self.bounds)
        self.quest = self._quest(inflation)
        self.buckets = self._buckets()
        followers = np.diff(self.moves.follower_starts)
        self.room = int(followers.max()) + 1
        self.memory = _memory(1 << 12, self.room)

    def count(self, counter: int) -> int:
        """One of the counters."""
        return int(self.memory.counters[counter])

    def plant(self) -> int:
        """Begin."""
        start, frame = self.problem.start, self.problem.start_frame
        heading = _wrapped(start.heading)
        return kernels.plant(
            self.memory, float(start.x), float(start.z), heading, frame, self.situation, self.quest, self.buckets
        )

    def best_stop(self) -> int:
        """The node nearest to the goal where one may stop, or -1."""
        return int(kernels.best_stop(self.memory, self.situation, self.quest))

    def estimate(self, x: float, z: float, leg: int) -> float:
        """A lower bound on the cost from (x, z) through the goals from `leg` on."""
        return float(estimate(float(x), float(z), leg, self.quest))

    def run(self, limit: int) -> int:
        """Expand up to `limit` nodes more; whether that ended it."""
        done = self.count(counting.EXPANDED)
        while True:
            left = limit - (self.count(counting.EXPANDED) - done)
            outcome = kernels.search(self.memory, left, self.room, self.situation, self.quest, self.buckets)
            if outcome != counting.FULL:
                return outcome
            self._grow()

    def plan(self, node: int, status: Status, reason: str, seconds: float, keep_tree: bool) -> Plan:
        """The way to a node as a plan; without steps for none."""
        chain: list[int] = []
        links, states = self.memory.links, self.memory.states
        while node >= 0:
            chain.append(node)
            node = int(links[node, counting.PARENT])
        chain = chain[::-1] or [0]
        steps = chain[1:]
        return Plan(
            status=status,
            reason=reason,
            behaviors=links[steps, counting.BEHAVIOR].astype(np.int64),
            clips=self.moves.numbers[links[steps, counting.CLIP]],
            frames=links[chain, counting.FRAME].astype(np.int64),
            placements=states[chain, :3],
            cost=float(states[chain[-1], 3]),
            statistics=self._statistics(seconds),
            tree=self._tree() if keep_tree else None,
        )

    def _quest(self, inflation: float) -> Quest:
        problem, bounds = self.problem, self.bounds
        goals = [
            (goal.x, goal.z, goal.tolerance, _wrapped(goal.heading), goal.heading_tolerance)
            for goal in problem.goals
        ]
        routed = bounds.fields is not None
        return Quest(
            goals=np.array(goals, dtype=np.float64),
            rate=float(bounds.rate),
            beyond=np.array(bounds.beyond, dtype=np.float64),
            routed=routed,
            fields=bounds.fields if bounds.fields is not None else np.zeros((1, 2, 2), dtype=np.float32),
            field_beyond=bounds.field_beyond if bounds.field_beyond is not None else np.zeros(1),
            field_x=float(bounds.origin_x),
            field_z=float(bounds.origin_z),
            field_cell=float(bounds.cell),
            haste=float(bounds.haste),
            root_pose=int(problem.pose),
            horizon=int(problem.horizon),
            stays=bool(problem.stays),
            climb=float(problem.climb),
            crowded=self.crowded,
            seed=int(problem.seed) & (2**62 - 1),
            inflation=float(inflation),
            truncated=bool(self.planner.truncated),
        )

    def _buckets(self) -> Buckets:
        planner, scene = self.planner, self.problem.world.scene
        left, near, right, far = scene.bounds
        cell, headings = (0.001, 6283) if planner.exact else (planner.cell, planner.headings)
        frames = max(1, round(planner.time_bin * self.problem.graph.fps)) if self.timed else 0
        buckets = Buckets(
            origin_x=float(left - OUTSIDE),
            origin_z=float(near - OUTSIDE),
            cell=float(cell),
            columns=int((right - left + 2.0 * OUTSIDE) / cell) + 1,
            rows=int((far - near + 2.0 * OUTSIDE) / cell) + 1,
            headings=int(headings),
            poses=len(self.problem.graph.poses),
            legs=len(self.problem.goals),
            frames=1 if planner.exact else int(frames),
            settled=self.problem.horizon if self.strict else self._settled(),
        )
        states = (
            buckets.columns * buckets.rows * headings * buckets.poses * buckets.legs * (self.problem.horizon + 1)
        )
        if states >= 2**63:
            raise PlanError(f"bounds {scene.bounds} are too large to tell states apart by {cell} m")
        return buckets

    def _settled(self) -> int:
        """The frame from which on nobody and nothing moves any more."""
        reservations = self.problem.reservations
        return max(self.problem.world.frames, 0 if reservations is None else reservations.settled)

    def _grow(self) -> None:
        """Twice the room."""
        old = self.memory
        new = _memory(2 * len(old.states), self.room)._replace(counters=old.counters)
        for name in ("states", "links", "closed", "queue_costs", "queue_nodes"):
            getattr(new, name)[: len(old.states)] = getattr(old, name)
        rehash(old.table, old.kept, new.table, new.kept)
        self.memory = new

    def _statistics(self, seconds: float) -> SearchStatistics:
        return SearchStatistics(
            expanded=self.count(counting.EXPANDED),
            generated=self.count(counting.GENERATED),
            nodes=self.count(counting.NODES),
            blocked=self.count(counting.BLOCKED),
            occupied=self.count(counting.OCCUPIED),
            visited=self.count(counting.VISITED),
            seconds=seconds,
            bytes=sum(array.nbytes for array in self.memory),
        )

    def _tree(self) -> SearchTree:
        nodes = self.count(counting.NODES)
        links, states = self.memory.links[:nodes].astype(np.int64), self.memory.states[:nodes].copy()
        return SearchTree(
            placements=states[:, :3],
            parents=links[:, counting.PARENT],
            behaviors=links[:, counting.BEHAVIOR],
            frames=links[:, counting.FRAME],
            costs=states[:, 3],
        )


def _wrapped(heading: float | None) -> float:
    """A heading in (-π, π]; nan for any."""
    return math.nan if heading is None else math.atan2(math.sin(heading), math.cos(heading))


def others_of(reservations: Reservations | None) -> tuple[bool, Tracks]:
    """Whether there is anybody else, and where they are, as kernels read it."""
    if reservations is None or not len(reservations):
        return False, _nobody.tracks
    tracks = reservations.tracks
    return True, tracks._replace(gap=tracks.gap + GAP_SLACK)


def _memory(nodes: int, room: int) -> SearchMemory:
    counters = np.zeros(counting.STORED + 1, dtype=np.int64)
    counters[counting.GOAL] = -1
    return SearchMemory(
        states=np.empty((nodes, 4)),
        links=np.empty((nodes, 5), dtype=np.int32),
        closed=np.empty(nodes, dtype=np.bool_),
        queue_costs=np.empty(nodes),
        queue_nodes=np.empty(nodes, dtype=np.int32),
        table=np.full((2 * nodes, 2), -1, dtype=np.int64),
        kept=np.empty(2 * nodes),
        counters=counters,
        drafts=np.zeros((room, 5), dtype=np.int64),
        places=np.zeros((room, 3)),
    )
