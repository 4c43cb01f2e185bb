"""Is everybody on the ground: not in it, and not above it unless in free fall?

A body is as low as its lowest capsule. Rigs differ in how well capsules fit soles, so a body is measured against
itself: what its own clips do on level ground, up to a limit, is how it looks when it stands.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from walkon.basics import Array, Indices
from walkon.metrics.audit import _kernels_ground
from walkon.metrics.audit.bodies import Bodies
from walkon.metrics.audit.flaws import Flaw, stretches
from walkon.metrics.audit.haste import FREE_FALL, falling_at
from walkon.world import HeightField

LEVEL_DEPTH, SLOPE_DEPTH = 0.005, 0.010
"""How much deeper [m] a body may be than in its own clips, on level ground and on a slope, where the ground is
sampled."""

LEAST_SLOPE = 0.01
"""Rise over run from which ground counts as a slope."""

EXCUSED_DEPTH = 0.05
"""Most depth [m] in its own clips that excuses depth in the take: capsules fit soles differently from rig to rig,
and recorded toes dig in as they push off, by up to 45 mm. With more, a clip could wade."""

EXCUSED_REST = 0.02
"""How far [m] above the ground, or below it, a body may be in half of the frames of a clip. Rigs of recordings are
within 10 mm, a skateboard's wheels 15 mm. With more, whole clips could be lowered or raised."""

BURIED = 0.02
"""How far [m] below the ground a joint may be. Joints are inside of the body, so no rig is an excuse for it; toes
of recordings get to 15 mm as they push off."""

HOVER_HEIGHT = 0.025
"""How much higher [m] a body may be than it stands in its own clips without being in the air."""

SHORTEST_FLIGHT = 0.1
"""A body that is in the air for at most this long [s] falls by at most 12 mm: too little to tell falling from
hovering."""


@dataclass(frozen=True)
class Stance:
    """How a body stands in its own clips: depth [m] of its deepest part, height [m] of its lowest at rest, both no
    more than is excused."""

    depth: float
    rest: float


@dataclass(frozen=True, eq=False)
class AboveGround:
    """Where a body is above the ground: clearances (F,) [m] of its lowest part at every frame and after it, which
    capsule that is (F,), and how steep the ground is there (F,) [rise over run]."""

    clearances: Array
    bones: Indices
    slopes: Array


def clearances_of(bodies: Bodies, person: int, terrain: HeightField) -> AboveGround:
    """Where one person is above the ground."""
    frames = int(bodies.arrays.frames[person])
    found = AboveGround(np.empty(frames), np.empty(frames, dtype=np.int64), np.empty(frames))
    samples, steps = 2, 1
    if not terrain.is_flat:
        # Fine enough that a step along a bone, or of a limb in time, is a fraction of a cell.
        points = bodies.positions(person)
        longest = float(bodies.bodies[person].skeleton.lengths[1:].max(initial=0.1))
        fastest = float(np.abs(np.diff(points, axis=0)).max(initial=0.0))
        samples = int(np.clip(np.ceil(2.0 * longest / terrain.cell) + 1, 3, 12))
        steps = int(np.clip(np.ceil(2.0 * fastest / terrain.cell), 1, 6))
    field = (terrain.heights, terrain.origin_x, terrain.origin_z, terrain.cell)
    _kernels_ground.measure_ground(
        bodies.arrays, person, field, roof_of(terrain), samples, steps, found.clearances, found.bones, found.slopes
    )
    return found


@lru_cache(maxsize=4)
def roof_of(terrain: HeightField) -> tuple[float, float]:
    """Height [m] of the highest ground, and 1 over the cosine of a slope that is nowhere exceeded."""
    rises = [float(np.abs(np.diff(terrain.heights, axis=axis)).max(initial=0.0)) for axis in (0, 1)]
    return float(terrain.heights.max()), math.hypot(1.0, *(rise / terrain.cell for rise in rises))


def stance_in(own: Sequence[AboveGround]) -> Stance:
    """How somebody stands in the clips they play, on level ground at height 0."""
    clearances = np.concatenate([above.clearances for above in own])
    return Stance(
        float(np.clip(-clearances.min(), 0.0, EXCUSED_DEPTH)),
        float(np.clip(np.median(clearances), 0.0, EXCUSED_REST)),
    )


def find_depths(bodies: Bodies, person: int, above: AboveGround, stance: Stance) -> Iterator[Flaw]:
    """Stretches in which part of a body is deeper than in its clips."""
    limits = stance.depth + np.where(above.slopes > LEAST_SLOPE, SLOPE_DEPTH, LEVEL_DEPTH)
    for first, last, worst in stretches(-above.clearances - limits):
        bone, depth = int(above.bones[worst]), float(-above.clearances[worst])
        message = f"{bodies.bone(person, bone)} is {depth * 1e3:.0f} mm below the ground; "
        message += f"{limits[worst] * 1e3:.0f} mm are allowed"
        place = bodies.middle(person, int(bodies.arrays.first[person]) + worst, bone)
        yield Flaw("ground", first, last, worst, place, depth, message)


def find_wrong_rest(bodies: Bodies, person: int, above: AboveGround) -> Iterator[Flaw]:
    """Whether a clip as a whole is too low or too high."""
    rest = float(np.median(above.clearances))
    if abs(rest) > EXCUSED_REST:
        kind, where = ("ground", "below") if rest < 0.0 else ("floating", "above")
        message = f"half of the time it is {abs(rest) * 1e3:.0f} mm {where} the ground; "
        message += f"{EXCUSED_REST * 1e3:.0f} mm are allowed"
        last = len(above.clearances) - 1
        yield Flaw(kind, 0, last, last // 2, bodies.positions(person)[last // 2, 0], abs(rest), message)


def find_buried(bodies: Bodies, person: int, terrain: HeightField) -> Iterator[Flaw]:
    """Stretches in which a joint, which is inside of the body, is below the ground."""
    points = bodies.positions(person)
    heights = points[..., 1]
    if heights.min() > float(terrain.heights.max()) - BURIED:
        return
    depths = (0.0 if terrain.is_flat else terrain.at(points[..., 0], points[..., 2])) - heights
    if terrain.is_flat:
        depths = depths + float(terrain.heights[0, 0])
    for first, last, worst in stretches(depths.max(axis=1), BURIED):
        joint = int(depths[worst].argmax())
        depth = float(depths[worst, joint])
        name = bodies.clips[person].skeleton.names[joint]
        message = f"the joint {name} is {depth * 1e3:.0f} mm below the ground; {BURIED * 1e3:.0f} mm are allowed"
        yield Flaw("ground", first, last, worst, points[worst, joint], depth, message)


def find_hovers(bodies: Bodies, person: int, fps: float, above: AboveGround, stance: Stance) -> Iterator[Flaw]:
    """Stretches in which nothing touches the ground and the body does not fall freely."""
    body, points = bodies.bodies[person], bodies.positions(person)
    for first, last, worst in stretches(above.clearances, stance.rest + HOVER_HEIGHT):
        if (last - first + 1) / fps <= SHORTEST_FLIGHT:
            continue
        falling = falling_at(body, points[first : last + 1], fps)
        if FREE_FALL[0] <= falling <= FREE_FALL[1]:
            continue
        clearance = float(above.clearances[worst])
        message = f"{clearance * 1e3:.0f} mm above the ground for {(last - first + 1) / fps:.2f} s, "
        message += f"falling at {falling:.1f} m/s²"
        yield Flaw("floating", first, last, worst, points[worst, 0], clearance, message)
