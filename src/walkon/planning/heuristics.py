"""Lower bounds on what is still to be paid: A* finds the best plan only while these never exceed the truth.

line: metres as the crow flies, less the tolerance, at the rate of the cheapest behavior. routes: the same around
obstacles. The body's place moves along a path that keeps some distance from obstacles; whatever a clip costs, it
brings the body no further along the shortest way around them than the length of that path.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, once_per_object
from walkon.behaviors import BehaviorGraph
from walkon.planning.kernels_moves import clip_hops
from walkon.planning.moves import Moves, draw_of, drawn_moves
from walkon.planning.problem import Problem
from walkon.world import UNREACHABLE, Goal, Gridmap, World, goal_field, steep_distance

HOP = 0.1
"""Corners [m] that the routes' radius leaves room to cut, so that swaying hips do not count as going somewhere."""

KEPT_FIELDS = 64
"""Goal fields that are kept for a world. Crowds share goals, and searches are repeated; each field takes as much
memory as a grid over the whole scene."""


@dataclass(frozen=True, eq=False)
class Bounds:
    """rate, beyond (G,): cost of a metre, and from each goal to the last. fields (G, Nz, Nx): cost to each goal
    around obstacles, field_beyond (G,) from each goal to the last one; None without routes. haste: frames that
    what costs 1 by these bounds takes at least."""

    rate: float
    beyond: Array
    haste: float
    fields: NDArray[np.float32] | None = None
    field_beyond: Array | None = None
    origin_x: float = 0.0
    origin_z: float = 0.0
    cell: float = 1.0


def line_bounds(moves: Moves, goals: Sequence[Goal]) -> Bounds:
    """Lower bounds by straight lines."""
    lengths = np.hypot(moves.displacements[:, 0], moves.displacements[:, 1])
    rate = least_rate(moves, lengths)
    legs = [max(math.hypot(a.x - b.x, a.z - b.z) - a.tolerance - b.tolerance, 0.0) for a, b in pairwise(goals)]
    beyond = rate * np.concatenate([np.cumsum(legs[::-1])[::-1], [0.0]])
    return Bounds(rate, beyond, _haste(moves, lengths, rate))


def line_rate(moves: Moves) -> float:
    """Least cost of a metre as the crow flies."""
    return least_rate(moves, np.hypot(moves.displacements[:, 0], moves.displacements[:, 1]))


def least_rate(moves: Moves, lengths: Array) -> float:
    """Least cost of a metre among behaviors in use, where clips bring the body `lengths` (C,) metres further."""
    rates = [math.inf]
    for behavior in np.unique(moves.followers):
        longest = lengths[moves.clip_starts[behavior] : moves.clip_starts[behavior + 1]].max()
        if longest > 1e-9:
            rates.append(moves.costs[behavior] / longest)
    least = min(rates)
    return float(least) if math.isfinite(least) else 0.0


def _haste(moves: Moves, lengths: Array, rate: float) -> float:
    """Frames that what costs 1 takes at least, where clips in use bring the body `lengths` (C,) metres further."""
    used = np.zeros(len(lengths), dtype=bool)
    for behavior in np.unique(moves.followers):
        used[moves.clip_starts[behavior] : moves.clip_starts[behavior + 1]] = True
    fastest = float((lengths / moves.durations)[used].max(initial=0.0))
    return 1.0 / (rate * fastest) if rate * fastest > 0.0 else 0.0


def route_bounds(problem: Problem, moves: Moves, line: Bounds) -> Bounds:
    """Lower bounds by the shortest ways around obstacles; by straight lines where nothing stands in their way."""
    world, goals = problem.world, problem.goals
    standing = any(not obstacle.moves and not obstacle.passes for obstacle in world.scene.obstacles)
    if not standing and steep_distance(world) == math.inf:
        return line
    # Where the body is, there is this much room around it. Two such places, no further apart than twice what the
    # routes' radius falls short of it, are joined by a straight line that the routes allow: corners are cut so
    # far.
    strayed = _strayed(moves)
    room = max(moves.inset + world.scene.clearance - strayed.max(), 0.0)
    hop = min(HOP, 2.0 * room)
    rate, haste = _route_rate(problem.graph, draw_of(problem.graph, problem.seed), hop)
    grids = [kept_field(world, goal, room - 0.5 * hop) for goal in goals]
    least = [_least_around(grid, goal) for grid, goal in zip(grids[1:], goals, strict=False)]
    beyond = np.concatenate([np.cumsum(least[::-1])[::-1], [0.0]])
    fields = np.stack([_costs(grid.values, rate) for grid in grids]).astype(np.float32)
    first = grids[0]
    return replace(
        line,
        haste=min(line.haste, haste),
        fields=fields,
        field_beyond=_costs(beyond, rate),
        origin_x=first.origin_x,
        origin_z=first.origin_z,
        cell=first.cell,
    )


@once_per_object
def _route_rate(graph: BehaviorGraph, draw: int | None, hop: float) -> tuple[float, float]:
    """Least cost of a metre around obstacles, where corners are cut by at most `hop` [m]; and the haste."""
    moves = drawn_moves(graph, draw, "circle")
    lengths = clip_hops(moves.paths, moves.frame_starts, hop) + _strayed(moves)
    rate = least_rate(moves, lengths)
    return rate, _haste(moves, lengths, rate)


def _strayed(moves: Moves) -> Array:
    """How far (C,) [m] the body is from its placement where clips begin and end, together."""
    first, last = moves.paths[moves.frame_starts[:-1]], moves.paths[moves.frame_starts[1:] - 1]
    return np.hypot(*first.T) + np.hypot(*(last - moves.displacements[:, :2]).T)


FINE, COARSE, SMALL = 0.1, 0.25, 400.0
"""Spacing [m] of goal fields: FINE in scenes of up to SMALL square metres, COARSE in larger ones. A coarse field
leaks through thin walls: still a lower bound, but it no longer sees that there is no way."""


@once_per_object
def _kept_fields(world: World) -> dict[tuple[float, ...], Gridmap]:
    """Room for the goal fields of a world, the one used last at the end."""
    return {}


def kept_field(world: World, goal: Goal, radius: float, cell: float | None = None) -> Gridmap:
    """The world's goal field; the last few are kept, for crowds share goals and searches are repeated. cell [m]:
    as fine as the scene's size allows if not said."""
    kept = _kept_fields(world)
    if cell is None:
        left, near, right, far = world.scene.bounds
        cell = FINE if (right - left) * (far - near) <= SMALL else COARSE
    key = (goal.x, goal.z, goal.tolerance, radius, cell)
    found = kept.pop(key, None)
    if found is None:
        found = goal_field(world, goal.x, goal.z, radius=radius, cell=cell, tolerance=goal.tolerance)
    kept[key] = found
    if len(kept) > KEPT_FIELDS:
        del kept[next(iter(kept))]
    return found


def _costs(metres: Array, rate: float) -> Array:
    """Costs of distances, rounded down; no way remains no way."""
    return np.where(metres >= UNREACHABLE, UNREACHABLE, np.maximum(metres, 0.0) * (rate * (1.0 - 1e-6)))


def _least_around(grid: Gridmap, goal: Goal) -> float:
    """Least value [m] of a field within a goal's tolerance."""
    rows, columns = grid.values.shape
    x = grid.origin_x + grid.cell * np.arange(columns)
    z = grid.origin_z + grid.cell * np.arange(rows)
    away = np.hypot(x[None, :] - goal.x, z[:, None] - goal.z)
    return max(float(grid.values[away <= goal.tolerance + 1.5 * grid.cell].min(initial=UNREACHABLE)), 0.0)
