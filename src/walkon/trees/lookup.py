"""Asking a forest for ways: where the root is in the world, then as many goals as one likes."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from walkon.behaviors import BehaviorGraph
from walkon.errors import PlanError
from walkon.planning._kernels_search import can_stay
from walkon.planning.ground import compile_world
from walkon.planning.moves import compile_moves
from walkon.planning.reservations import Reservations
from walkon.planning.searching import others_of
from walkon.rotations import Placement
from walkon.trees import _kernels_backward as kernels
from walkon.trees.checking import check_origin
from walkon.trees.forest import Forest
from walkon.world import Goal, World


class Lookup:
    """A forest and the memory to search it: one per thread.

    exact: what the environment's cells leave open is checked exactly, so that a way is found whenever the tree has
    one. Without it, cells that are not certainly free count as blocked, as in the thesis.
    """

    def __init__(self, forest: Forest, graph: BehaviorGraph, *, exact: bool = True) -> None:
        check_origin(forest, graph)
        self.forest, self.graph, self.exact = forest, graph, exact
        self.moves = compile_moves(graph, forest.seed)
        self._nodes = _nodes(forest)
        self._clips = kernels.Clips(*(getattr(self.moves, name) for name in kernels.Clips._fields))
        cells = forest.rows * forest.columns
        self._scratch = kernels.Scratch(
            marks=np.zeros(len(forest), dtype=np.int64),
            mapped=np.zeros(cells, dtype=np.int64),
            room=np.empty(cells, dtype=np.float32),
            chain=np.empty(forest.depth + 1, dtype=np.int32),
            counters=np.zeros(4, dtype=np.int64),
        )
        self._bits = np.zeros(cells, dtype=np.uint8)
        self._far = float(forest.points[:, 2].max())
        self._number, self._pose = 0, -1
        self._world: tuple = ()
        self._full: tuple = ()
        away = np.hypot(forest.placements[:, 0], forest.placements[:, 1])
        self.radius = float(away.max(initial=0.0))
        self._stance: kernels.Stance | None = None

    @property
    def checks(self) -> int:
        """Clips checked since `begin`."""
        return int(self._scratch.counters[kernels.CHECKED])

    @property
    def exact_checks(self) -> int:
        """Those of them that the cells could not decide."""
        return int(self._scratch.counters[kernels.EXACT])

    @property
    def mapped(self) -> int:
        """Cells of the environment mapped since `begin`."""
        return int(self._scratch.counters[kernels.MAPPED])

    def begin(
        self,
        world: World,
        start: Placement,
        pose: int,
        *,
        frame: int = 0,
        horizon: int = 2**40,
        reservations: Reservations | None = None,
    ) -> None:
        """Put the root of a pose's tree to a place in the world, at a frame. horizon: last frame of any way."""
        forest = self.forest
        ground, solids = compile_world(world, float(self.moves.circles[:, 2].min()))
        crowded, people = others_of(reservations)
        self._full = (self.moves, ground, solids, people)
        others = None
        if crowded or len(solids.passes):
            others = kernels.Others(self.moves, ground, solids, people)
        grid = (ground.clearance_x, ground.clearance_z, ground.clearance_cell, ground.margin)
        self._world = (self._clips, grid, ground.clearance, *kernels.walkers(others, self._bits))
        self._number += 1
        self._pose = pose
        self._scratch.counters[:] = 0
        x, z, heading = float(start.x), float(start.z), float(start.heading)
        kinds = int(np.bitwise_or.reduce(solids.passes)) if len(solids.passes) else 0
        self._stance = kernels.Stance(
            x, z, heading, math.sin(heading), math.cos(heading), int(frame), self._number, kinds, crowded,
            int(horizon), self.exact, self._far, forest.origin_x, forest.origin_z, forest.cell, forest.columns,
        )  # fmt: skip

    def reach(self, goal: Goal, *, stays: bool = False, ahead: float | None = None, turning: float = 0.0) -> int:
        """The cheapest node of the tree at which the goal is reached and to which the way is free, or -1.

        stays: one must be able to remain there until the horizon. ahead, turning: heading in which the way goes
        on, and what a radian off it counts. Raises PlanError before the first `begin`.
        """
        stance, forest = self._stance, self.forest
        if stance is None:
            raise PlanError("a lookup begins with `begin`")
        away_x, away_z = goal.x - stance.x, goal.z - stance.z
        x = away_x * stance.cosine - away_z * stance.sine
        z = away_x * stance.sine + away_z * stance.cosine
        column = math.floor((x - forest.goal_x) / forest.goal_cell)
        row = math.floor((z - forest.goal_z) / forest.goal_cell)
        if not (0 <= row < forest.goal_rows and 0 <= column < forest.goal_columns):
            return -1
        index = row * forest.goal_columns + column
        first, stop = forest.entry_starts[self._pose, index : index + 2].tolist()
        wanted = kernels.Wanted(
            x, z, float(goal.tolerance), math.nan if goal.heading is None else goal.heading - stance.heading,
            float(goal.heading_tolerance), stays, 0.0 if ahead is None else ahead - stance.heading,
            0.0 if ahead is None else float(turning),
        )  # fmt: skip
        return int(kernels.reach(self._nodes, self._scratch, first, stop, wanted, stance, *self._world))

    def can_stay(self) -> bool:
        """Whether one can remain where the root is until the horizon."""
        stance = self._stance
        if stance is None:
            raise PlanError("a lookup begins with `begin`")
        moves, ground, solids, people = self._full
        return bool(
            can_stay(
                stance.x, stance.z, stance.heading, self._pose, stance.frame, moves, ground, solids, people, stance
            )
        )

    def clips_to(self, node: int) -> list[tuple[int, int]]:
        """Behaviors and clips, as the graph numbers them, from the root to a node."""
        way = self.way(node)
        clips = self.forest.numbers[self.forest.clips[way]]
        return list(zip(self.forest.behaviors[way].tolist(), clips.tolist(), strict=True))

    def way(self, node: int) -> NDArray[np.int64]:
        """The nodes from below the root to a node, in order."""
        nodes = []
        while self.forest.parents[node] >= 0:
            nodes.append(node)
            node = int(self.forest.parents[node])
        return np.array(nodes[::-1], dtype=np.int64)


def _nodes(forest: Forest) -> kernels.Nodes:
    # Plain arrays, whatever holds their memory: kernels do not know maps of files.
    arrays = {name: array.view(np.ndarray) for name, array in forest.arrays().items()}
    return kernels.Nodes(*(arrays[name] for name in kernels.Nodes._fields))
