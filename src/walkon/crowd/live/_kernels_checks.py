"""Does a clip, or somebody who stays, meet anything?"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.experimental import structref
from numpy.typing import NDArray

from walkon.crowd.live._kernels_people import (
    NOTHING_MET,
    STOP_MET,
    WAY_MET,
    clip_meets,
    comes_near,
    rest_meets,
)
from walkon.crowd.live.crew import BODY
from walkon.kernels import inlined, kernel, lean
from walkon.planning.kernels_collision import (
    Raster,
    beside_walls,
    disc_apart,
    hits_ground,
    hits_solids,
    maybe_passable,
    near_solids,
)
from walkon.planning.kernels_collision import room_at as distance_less_margin
from walkon.rotations.kernels import turned
from walkon.rotations.kernels_ground import Stand, laid, standing

FREE, STANDING, SOMEBODY = 0, 1, 2
"""What is met: nothing, something that is not a person, a person."""

FOREVER = 10**7
"""Frames after which it does not matter what happens: four days at 30 Hz."""


LEEWAY = 0.03
"""[m] By how much somebody who gets out of an obstacle may for a moment get further into it, because bodies sway.
With less, some find no way out; with more, some wade through."""


@structref.register
class SceneryType(types.StructRef):
    """Numba's type of Scenery."""


class Scenery(structref.StructRefProxy):
    """What moves or can be passed, and what it takes to look at it: moves, ground, solids.

    The one thing here that is a reference and no NamedTuple: it has 45 arrays, is handed on with every question,
    and is asked in few. As a tuple, all of its parts would be arguments of every kernel that asks what is around.
    """


structref.define_proxy(Scenery, SceneryType, ["moves", "ground", "solids"])


class Around(NamedTuple):
    """What is there beside people. values: (Nz, Nx) distances [m] to what stands still; raster: where that grid
    lies. solid: whether there is anything that moves or can be passed; if so, it is in the scenery."""

    values: NDArray[np.float64]
    raster: Raster
    solid: bool
    scenery: Any


@kernel
def gather_scenery(moves, ground, solids):
    """These as Scenery."""
    return Scenery(moves, ground, solids)


@lean
def room_at(around, x, z):
    """Distance [m] from a place to what stands still, less the margin."""
    return distance_less_margin(x, z, around.raster, around.values)


@inlined
def short_turn(angle):
    """Any angle [rad] as the same turn the short way round, in [-π, π)."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@lean
def after(place, displacement, out):
    """Where a displacement leads from a place (3,)."""
    stand, heading = standing(place[0], place[1], place[2]), place[2] + displacement[2]
    out[0], out[1] = laid(stand, displacement[0], displacement[1])
    out[2] = short_turn(heading)


@kernel
def way_out(place, clip, deep, table, around):
    """How far [m] inside what stands still somebody may be after a clip who was `deep` inside before; -1 if the
    clip leads further in. So those onto whom something was dropped get out of it, and into nothing else."""
    if deep == 0.0:
        return 0.0
    stand, circles = standing(place[0], place[1], place[2]), table.circles
    for frame in range(table.clips[clip].first, table.clips[clip].first + table.clips[clip].duration + 1):
        x, z = laid(stand, circles[frame, 0], circles[frame, 1])
        depth = circles[frame, 2] - room_at(around, x, z)
        if depth > deep:
            return -1.0
        deep = min(deep, depth + LEEWAY) if depth > 0.0 else 0.0
    return deep


@kernel
def stands_in_way(place, begun, clip, deep, table, around):
    """Whether a clip begun at a place (3,) meets anything that is not a person.

    deep [m]: so far inside what stands still it may be, having been there before: see `way_out`.
    """
    if deep > 0.0:
        return table.clips[clip].special >= 0 or way_out(place, clip, deep, table, around) < 0.0
    stand, own = standing(place[0], place[1], place[2]), table.clips[clip]
    x, z = laid(stand, own.bound[0], own.bound[1])
    if room_at(around, x, z) < own.bound[2] and _ground_in_way(stand, clip, around.scenery):
        return True
    if own.special < 0 and not around.solid:
        return False
    return _solid_in_way(stand, begun, clip, own.special, around.scenery)


@kernel
def _ground_in_way(stand, clip, scenery):
    return hits_ground(stand, clip, scenery.moves, scenery.ground)


@kernel
def _solid_in_way(stand, begun, clip, kind, scenery):
    solids = scenery.solids
    if kind < 0 and not near_solids(stand, clip, scenery.moves, solids):
        return False
    return hits_solids(stand, begun, clip, kind, scenery.moves, scenery.ground, solids)


@lean
def somebody_in_way(place, begun, clip, table, others):
    """Whether a clip begun at a place (3,) meets one of the others."""
    stand, bound = standing(place[0], place[1], place[2]), table.clips[clip].bound
    x, z = laid(stand, bound[0], bound[1])
    for k in range(others.size):
        if not comes_near(others, k, x, z, bound[2]):
            continue
        if clip_meets(stand, begun, clip, table, others, others.near[k]) != NOTHING_MET:
            return True
    return False


@lean
def met_by(place, begun, clip, table, others):
    """What a clip begun at a place (3,) meets of what the others have committed to: NOTHING_MET; only the stop of
    somebody who wants to go on from there, STOP_MET; or something that is certain, WAY_MET."""
    stand, met = standing(place[0], place[1], place[2]), NOTHING_MET
    bound = table.clips[clip].bound
    x, z = laid(stand, bound[0], bound[1])
    for k in range(others.size):
        if not comes_near(others, k, x, z, bound[2]):
            continue
        found = clip_meets(stand, begun, clip, table, others, others.near[k])
        if found == NOTHING_MET:
            continue
        them = others.crew[others.near[k]]
        if found == WAY_MET or them.settled or math.isnan(them.goal[0]):
            return WAY_MET
        met = STOP_MET
    return met


@inlined
def lay_body(stand, heading, circle, row, table, out):
    """The body (BODY,) in a row of the outlines, the circle (3,) of which is seen from a stand."""
    out[0], out[1] = laid(stand, circle[0], circle[1])
    out[2], out[3], out[4] = circle[2], heading, row if table.outlined else -1.0


@kernel
def lay_rest(place, pose, table, out):
    """The body (BODY,) of somebody who rests at a place (3,)."""
    stand = standing(place[0], place[1], place[2])
    lay_body(stand, place[2], table.poses[pose].rest_circle, table.resting + pose, table, out)


@kernel
def stays_clear(body, first, last, table, around):
    """Whether a body (BODY,) that stays from a frame to another meets nothing but people."""
    room = room_at(around, body[0], body[1])
    if room < body[2] and (body[4] < 0.0 or _beside(body, room, table, around.scenery) < 0.0):
        return False
    return not around.solid or _stays_apart(body, first, last, table, around.scenery)


@kernel
def _seen_from(body, table, moves):
    """The stand from which the outline of a body (BODY,) is seen, and the discs (D, 3) that cover it."""
    row = int(body[4])
    pose = row - table.resting
    sine, cosine = math.sin(body[3]), math.cos(body[3])
    if pose < 0:
        x, z = turned(table.circles[row, 0], table.circles[row, 1], sine, cosine)
        return Stand(body[0] - x, body[1] - z, sine, cosine), moves.covers[row]
    x, z = turned(moves.rest_circles[pose, 0], moves.rest_circles[pose, 1], sine, cosine)
    return Stand(body[0] - x, body[1] - z, sine, cosine), moves.rest_covers[pose]


@kernel
def _beside(body, room, table, scenery):
    """At least how far [m] the outline of a body (BODY,) is from what stands still, less what must be kept."""
    stand, cover = _seen_from(body, table, scenery.moves)
    return beside_walls(
        stand, body[0], body[1], room, body[2], table.supports[int(body[4])], cover, scenery.ground
    )


@kernel
def _stays_apart(body, first, last, table, scenery):
    """Whether nothing that moves or can be passed meets a body (BODY,) that stays from one frame to another."""
    if disc_apart(body[0], body[1], body[2], first, last, scenery.solids):
        return True
    if body[4] < 0.0:
        return False
    stand, cover = _seen_from(body, table, scenery.moves)
    for disc in range(len(cover)):
        x, z = laid(stand, cover[disc, 0], cover[disc, 1])
        if not disc_apart(x, z, cover[disc, 2], first, last, scenery.solids):
            return False
    return True


@kernel
def elbow_room(place, pose, most, table, around):
    """How much room [m] walls leave somebody who rests at a place (3,) beyond what must be kept, up to `most`."""
    resting = np.empty(BODY)
    lay_rest(place, pose, table, resting)
    room = room_at(around, resting[0], resting[1])
    if room >= resting[2] + most or resting[4] < 0.0:
        return min(room - resting[2], most)
    return min(_beside(resting, room, table, around.scenery), most)


@kernel
def can_rest(place, pose, frame, deep, table, around, others):
    """Whether somebody can stay for good: FREE, STANDING or SOMEBODY."""
    resting = np.empty(BODY)
    lay_rest(place, pose, table, resting)
    if deep > 0.0:
        if room_at(around, resting[0], resting[1]) + deep < resting[2]:
            return STANDING
    elif not stays_clear(resting, frame, frame + FOREVER, table, around):
        return STANDING
    for k in range(others.size):
        if not comes_near(others, k, resting[0], resting[1], resting[2]):
            continue
        if rest_meets(resting, frame, table, others, others.near[k]):
            return SOMEBODY
    return FREE


@kernel
def invites(around, x, z):
    """Whether something that can be passed over or under comes near to a place."""
    if not around.solid:
        return False
    solids = around.scenery.solids
    found = False
    for kind in range(4):
        found |= maybe_passable(x, z, kind, solids)
    return found
