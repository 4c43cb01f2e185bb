"""Does a clip, or somebody who stays, meet anything?"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.experimental import structref
from numpy.typing import NDArray

from walkon.crowd.live._kernels_people import clip_meets, rest_meets
from walkon.kernels import kernel
from walkon.planning.kernels_collision import (
    Raster,
    Stretch,
    distance_at,
    hits_ground,
    hits_solids,
    maybe_passable,
    near_solids,
    rests_apart,
)
from walkon.rotations.kernels_ground import standing

FREE, STANDING, SOMEBODY = 0, 1, 2
"""What is met: nothing, something that is not a person, a person."""

FOREVER = 10**7
"""Frames."""


EASE = 0.03
"""[m] By how much somebody who gets out of an obstacle may for a moment get further into it: bodies sway."""


@structref.register
class SceneryType(types.StructRef):
    """Numba's type of Scenery."""


class Scenery(structref.StructRefProxy):
    """What moves or can be passed, and what it takes to look at it: moves, ground, solids. Handed on as one
    reference, since it is rarely asked."""


structref.define_proxy(Scenery, SceneryType, ["moves", "ground", "solids"])


class Around(NamedTuple):
    """What is there beside people. values: (Nz, Nx) distances [m] to what stands still; origin, cell and margin
    [m] of that grid. solid: whether there is anything that moves or can be passed; if so, it is in the scenery."""

    values: NDArray[np.float64]
    x: float
    z: float
    cell: float
    margin: float
    solid: bool
    scenery: Any


@kernel
def gather_scenery(moves, ground, solids):
    """These as Scenery."""
    return Scenery(moves, ground, solids)


@kernel
def room_at(around, x, z):
    """Distance [m] from a place to what stands still, less the margin."""
    return distance_at(around.x, around.z, around.cell, around.values, x, z) - around.margin


@kernel
def after(place, displacement, out):
    """Where a displacement leads from a place (3,)."""
    sine, cosine = math.sin(place[2]), math.cos(place[2])
    x = place[0] + displacement[0] * cosine + displacement[1] * sine
    z = place[1] - displacement[0] * sine + displacement[1] * cosine
    turned = place[2] + displacement[2]
    out[0], out[1] = x, z
    out[2] = turned - 2.0 * math.pi * math.floor(turned / (2.0 * math.pi) + 0.5)


@kernel
def way_out(place, clip, deep, table, around):
    """How far [m] inside what stands still somebody may be after a clip who was `deep` inside before; -1 if the
    clip leads further in. So those onto whom something was dropped get out of it, and into nothing else."""
    if deep == 0.0:
        return 0.0
    sine, cosine, circle = math.sin(place[2]), math.cos(place[2]), np.empty(3)
    for frame in range(table.clips[clip].first, table.clips[clip].first + table.clips[clip].duration + 1):
        lay_circle(place[0], place[1], sine, cosine, table.circles[frame], circle)
        depth = circle[2] - room_at(around, circle[0], circle[1])
        if depth > deep:
            return -1.0
        deep = min(deep, depth + EASE) if depth > 0.0 else 0.0
    return deep


@kernel
def stands_in_way(place, begun, clip, deep, table, around):
    """Whether a clip begun at a place (3,) meets anything that is not a person.

    deep [m]: so far inside what stands still it may be, having been there before: see `way_out`.
    """
    if deep > 0.0:
        return table.clips[clip].special >= 0 or way_out(place, clip, deep, table, around) < 0.0
    stand, own = standing(place[0], place[1], place[2]), table.clips[clip]
    last, bound = own.first + own.duration, own.bound
    stretch = Stretch(own.first, last, own.speed, bound[0], bound[1], bound[2])
    raster = Raster(around.x, around.z, around.cell, around.margin)
    if hits_ground(stand, stretch, table.circles, raster, around.values):
        return True
    if own.special < 0 and not around.solid:
        return False
    return _solid_in_way(stand, begun, clip, own.special, stretch, around.scenery)


@kernel
def _solid_in_way(stand, begun, clip, kind, stretch, scenery):
    solids = scenery.solids
    if kind < 0 and not near_solids(stand, stretch, solids):
        return False
    return hits_solids(stand, begun, clip, kind, scenery.moves, scenery.ground, solids)


@kernel
def somebody_in_way(place, begun, clip, table, crew, tracks, near, count, gap):
    """Whether a clip begun at a place (3,) meets one of `count` people."""
    sine, cosine = math.sin(place[2]), math.cos(place[2])
    for k in range(count):
        if clip_meets(place[0], place[1], sine, cosine, begun, clip, table, crew, tracks, near[k], gap):
            return True
    return False


@kernel
def lay_circle(x, z, sine, cosine, circle, out):
    """A circle (3,), as somebody sees it who stands at (x, z), in the world."""
    px, pz = circle[0], circle[1]
    out[0], out[1], out[2] = x + px * cosine + pz * sine, z - px * sine + pz * cosine, circle[2]


@kernel
def lay_rest(place, pose, table, out):
    """The circle (3,) of somebody who rests at a place (3,)."""
    sine, cosine = math.sin(place[2]), math.cos(place[2])
    lay_circle(place[0], place[1], sine, cosine, table.poses[pose].rest_circle, out)


@kernel
def stays_apart(x, z, radius, first, last, around):
    """Whether nothing that moves or can be passed meets a circle that stays from one frame to another."""
    return not around.solid or rests_apart(x, z, radius, first, last, around.scenery.solids)


@kernel
def can_rest(place, pose, frame, deep, table, crew, tracks, around, near, count, gap):
    """Whether somebody can stay for good: FREE, STANDING or SOMEBODY."""
    resting = np.empty(3)
    lay_rest(place, pose, table, resting)
    x, z, radius = resting[0], resting[1], resting[2]
    if room_at(around, x, z) + deep < radius:
        return STANDING
    if deep == 0.0 and not stays_apart(x, z, radius, frame, frame + FOREVER, around):
        return STANDING
    for k in range(count):
        if rest_meets(resting, frame, crew, tracks, near[k], gap):
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
