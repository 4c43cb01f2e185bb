"""What a search is for: goals, how far they are at least, and whether one can stay there."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.kernels import inlined, kernel
from walkon.planning.ground import Ground, Shapes
from walkon.planning.kernels_collision import can_rest
from walkon.planning.kernels_tracks import Tracks
from walkon.planning.moves import Moves
from walkon.rotations.kernels import wrapped

FOREVER = 1e8
"""An estimate from here on says that there is no way."""


class Quest(NamedTuple):
    """What is searched for. G goals, the last of which counts; the others are to be passed in order.

    goals: (G, 5) x, z, tolerance, heading, heading tolerance; a heading of nan does not matter.
    rate: least cost of a metre between two nodes. beyond: (G,) least cost from each goal to the last one.
    fields: (G, Nz, Nx) least cost to each goal from the vertices of a grid; unused without `routed`.
    haste: frames that what costs 1 takes at least. root_pose: of the start. horizon: last frame. stays: must be
    able to remain. climb: cost per metre of height.
    crowded: whether there are people. seed: for picking clips. inflation: how much more the estimate counts than
    the cost so far. truncated: the first goal that is generated is taken.
    """

    goals: NDArray[np.float64]
    rate: float
    beyond: NDArray[np.float64]
    routed: bool
    fields: NDArray[np.float32]
    field_beyond: NDArray[np.float64]
    field_x: float
    field_z: float
    field_cell: float
    haste: float
    root_pose: int
    horizon: int
    stays: bool
    climb: float
    crowded: bool
    seed: int
    inflation: float
    truncated: bool


class Situation(NamedTuple):
    """What somebody can do, and what there is around: the ground, solids, other people."""

    moves: Moves
    ground: Ground
    solids: Shapes
    people: Tracks


@inlined
def next_leg(x, z, heading, leg, goals):
    """Which goal is next for someone here who was on the way to `leg`."""
    while leg < len(goals) - 1 and at_goal(x, z, heading, leg, goals):
        leg += 1
    return leg


@inlined
def at_goal(x, z, heading, leg, goals):
    """Whether a placement is within the tolerances of a goal."""
    away_x, away_z, tolerance = x - goals[leg, 0], z - goals[leg, 1], goals[leg, 2]
    if away_x * away_x + away_z * away_z > tolerance * tolerance:
        return False
    wanted = goals[leg, 3]
    return math.isnan(wanted) or abs(wrapped(wrapped(heading) - wrapped(wanted))) <= goals[leg, 4]


@kernel
def can_stay(stand, pose, frame, situation, quest):
    """Whether one can rest in a pose at a stand from a frame to the horizon."""
    moves, ground, solids, people = situation
    if not moves.rests[pose]:
        return False
    return can_rest(stand, pose, frame, quest.horizon, moves, ground, solids, people, quest.crowded)


@inlined
def estimate(x, z, leg, quest):
    """A lower bound on the cost from (x, z) through the goals from `leg` on."""
    goals, fields = quest.goals, quest.fields
    away_x, away_z = x - goals[leg, 0], z - goals[leg, 1]
    away = math.sqrt(away_x * away_x + away_z * away_z)
    ahead = quest.rate * max(away - goals[leg, 2], 0.0) + quest.beyond[leg]
    if not quest.routed:
        return ahead
    _, rows, columns = fields.shape
    u = min(max((x - quest.field_x) / quest.field_cell, 0.0), columns - 1.0)
    v = min(max((z - quest.field_z) / quest.field_cell, 0.0), rows - 1.0)
    i, j = min(int(u), columns - 2), min(int(v), rows - 2)
    u, v = u - i, v - j
    near = fields[leg, j, i] * (1.0 - u) + fields[leg, j, i + 1] * u
    far = fields[leg, j + 1, i] * (1.0 - u) + fields[leg, j + 1, i + 1] * u
    return max(ahead, near * (1.0 - v) + far * v + quest.field_beyond[leg])
