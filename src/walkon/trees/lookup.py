"""Asking a forest for ways: where the root is in the world, then as many goals as one likes."""

from __future__ import annotations

import math
from weakref import ReferenceType, ref

import numpy as np
from numpy.typing import NDArray

from walkon.behaviors import BehaviorGraph
from walkon.errors import PlanError
from walkon.planning.ground import NO_GROUND, compile_world, least_radius
from walkon.planning.kernels_tracks import Tracks
from walkon.planning.moves import compile_moves
from walkon.planning.reservations import Reservations
from walkon.planning.searching import others_of
from walkon.rotations import Placement
from walkon.trees import kernels_backward as kernels
from walkon.trees import kernels_bundle as bundles
from walkon.trees.checking import check_origin
from walkon.trees.forest import Forest
from walkon.trees.watching import WatchedRoom, watched_room
from walkon.world import Goal, World
from walkon.world.bodies import BodyLevel

ROUNDING = 1e-5
"""[m, rad] Places in trees are rounded: who is that near to the edge of a tolerance does not count as inside."""


class Lookup:
    """A forest and the memory to search it: one per thread.

    exact: what the environment's cells leave open is checked exactly, so that a way is found whenever the tree has
    one. Without it, cells that are not certainly free count as blocked, as in Lau (2009). Bodies are seen as the
    scene says in which it begins, or at the level that `see` was given.
    """

    def __init__(self, forest: Forest, graph: BehaviorGraph, *, exact: bool = True) -> None:
        check_origin(forest, graph)
        self.forest, self.graph, self.exact = forest, graph, exact
        away = np.hypot(forest.placements[:, 0], forest.placements[:, 1])
        self.radius = float(away.max(initial=0.0))
        self.bodies: BodyLevel | None = None
        self._counters = np.zeros(4, dtype=np.int64)
        # What `begin` has compiled, and for whom: often it is asked about the same world and people again.
        self._world: ReferenceType[World] | None = None
        self._tracks: Tracks | None = None
        self._others: bundles.Others | None = None
        self._kinds = 0

    def see(self, bodies: BodyLevel) -> None:
        """See bodies at a level, and forget what was found out before."""
        self.bodies = bodies
        self.moves = compile_moves(self.graph, self.forest.seed, bodies)
        scratch = _scratch(self.forest)
        self._counters = scratch.counters
        room = watched_room(self.forest, self.moves)
        nodes, grids = _nodes(self.forest, room), _grids(self.forest, float(room.radii.max()))
        self.bundle = bundles.bundle_up(nodes, grids, self.moves, scratch, NO_GROUND)

    @property
    def checks(self) -> int:
        """Clips checked since `begin`."""
        return int(self._counters[bundles.CHECKED])

    @property
    def exact_checks(self) -> int:
        """Those of them that the cells could not decide."""
        return int(self._counters[bundles.EXACT])

    @property
    def mapped(self) -> int:
        """Cells of the environment mapped since `begin`."""
        return int(self._counters[bundles.MAPPED])

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
        tracks = reservations.tracks if reservations else None
        if self._world is None or self._world() is not world or tracks is not self._tracks:
            self._compile(world, reservations)
            self._world, self._tracks = ref(world), tracks
        place = (float(start.x), float(start.z), float(start.heading), int(pose))
        how = (self.exact, tracks is not None, self._kinds)
        bundles.settle(self.bundle, place, (int(frame), int(horizon)), how)

    def _compile(self, world: World, reservations: Reservations | None) -> None:
        """Hand what is around over to the kernels. Bodies are seen as the world's scene wants it."""
        if self.bodies != world.scene.bodies:
            self.see(world.scene.bodies)
        ground, solids = compile_world(world, least_radius(self.moves))
        bundles.surround(self.bundle, ground)
        crowded, people = others_of(reservations)
        passable = len(solids.passes) > 0
        self._others = bundles.gather(ground, solids, people) if crowded or passable else None
        self._kinds = int(np.bitwise_or.reduce(solids.passes)) if passable else 0

    def reach(
        self,
        goal: Goal,
        *,
        stays: bool = False,
        ahead: tuple[float, float] | None = None,
        rate: float = 1.0,
        turning: float = 1.0,
    ) -> int:
        """The cheapest node of the tree at which the goal is reached and to which the way is free, or -1.

        stays: one must be able to remain there until the horizon. ahead: x, z [m] of a place to go on to from
        there; then a metre left to there and a radian off that direction count as much as a cost of `rate` and
        `turning`.
        Raises PlanError before the first `begin`.
        """
        self._check_begun()
        heading = math.nan if goal.heading is None else float(goal.heading)
        onward = (0.0, 0.0, 0.0, 0.0)
        if ahead is not None:
            onward = (float(ahead[0]), float(ahead[1]), float(rate), float(turning))
        spread = float(goal.heading_tolerance) - ROUNDING
        wanted = (float(goal.x), float(goal.z), float(goal.tolerance) - ROUNDING, heading, spread)
        return int(kernels.reach(self.bundle, self._others, wanted, bool(stays), onward))

    def can_stay(self) -> bool:
        """Whether one can remain where the root is until the horizon."""
        self._check_begun()
        return bool(kernels.stays_at_root(self.bundle, self._others))

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

    def _check_begun(self) -> None:
        if self._world is None:
            raise PlanError("a lookup begins with `begin`")


def _nodes(forest: Forest, room: WatchedRoom) -> bundles.Nodes:
    # Plain arrays, whatever holds their memory: kernels do not know maps of files.
    arrays = {name: array.view(np.ndarray) for name, array in forest.arrays().items()} | room._asdict()
    return bundles.Nodes(*(arrays[name] for name in bundles.Nodes._fields))


def _grids(forest: Forest, far: float) -> bundles.ForestGrids:
    """Numbers of the kinds that kernels are compiled for."""
    return bundles.ForestGrids(
        cell=float(forest.cell),
        origin_x=float(forest.origin_x),
        origin_z=float(forest.origin_z),
        columns=int(forest.columns),
        goal_cell=float(forest.goal_cell),
        goal_x=float(forest.goal_x),
        goal_z=float(forest.goal_z),
        goal_rows=int(forest.goal_rows),
        goal_columns=int(forest.goal_columns),
        far=far,
    )


def _scratch(forest: Forest) -> bundles.Scratch:
    cells = forest.rows * forest.columns
    return bundles.Scratch(
        marks=np.zeros(len(forest), dtype=np.int64),
        mapped=np.zeros(cells, dtype=np.int64),
        room=np.empty(cells, dtype=np.float32),
        bits=np.zeros(cells, dtype=np.uint8),
        chain=np.empty(forest.depth + 1, dtype=np.int32),
        counters=np.zeros(4, dtype=np.int64),
    )
