"""Is everybody on the ground: not in it, and not above it unless in free fall?

A body is as low as its lowest capsule. Rigs differ in how well capsules fit soles, so a body is measured against
itself: what its own clips do on level ground, up to a limit, is how it looks when it stands.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Indices
from walkon.metrics.audit import _kernels_ground
from walkon.metrics.audit.bodies import Bodies, gather
from walkon.metrics.audit.events import runs, violation
from walkon.metrics.audit.report import Least, Violation
from walkon.motion import Clip
from walkon.take import Take
from walkon.world import HeightField, flat_terrain

LEVEL_DEPTH, SLOPE_DEPTH = 0.005, 0.010
"""How much deeper [m] a body may be than in its own clips, on level ground and on a slope, where the ground is
sampled."""

LEAST_SLOPE = 0.01
"""Rise over run from which ground counts as a slope."""

EXCUSED_DEPTH = 0.06
"""Most depth [m] in its own clips that excuses depth in the take: capsules fit soles differently from rig to
rig."""

HOVER_HEIGHT = 0.025
"""How much higher [m] a body may be than it stands in its own clips without being in the air."""

SHORTEST_FLIGHT = 0.1
"""A body that is in the air for at most this long [s] falls by at most 12 mm: too little to tell falling from
hovering."""

FREE_FALL = (4.0, 16.0)
"""Downward accelerations [m/s²] of the centre of mass that pass for free fall. They are wide about 9.81, because
poses are sampled and blended."""


@dataclass(frozen=True)
class ClipStance:
    """How a body stands in its own clips: depth [m] of its deepest part, height [m] of its lowest at rest."""

    depth: float
    rest: float


def check_ground(take: Take, bodies: Bodies) -> tuple[list[Violation], Least | None]:
    """Violations, and the deepest place; its gap is the depth [m], measured from the ground itself."""
    wrong: list[Violation] = []
    deepest: Least | None = None
    known: dict[int, tuple[Array, Indices, Array]] = {}
    for person, name in enumerate(bodies.names):
        clearances, bones, slopes = clearances_of(bodies, person, take.scene.terrain)
        stance = _stance(take, name, known)
        start = int(bodies.arrays.first[person])
        wrong += _depths(take, bodies, person, (clearances, bones, slopes), stance)
        wrong += _hovers(take, bodies, person, clearances, stance)
        lowest = int(clearances.argmin())
        if clearances[lowest] < 0.0 and (deepest is None or -clearances[lowest] > deepest.gap):
            bone = bodies.bone(person, int(bones[lowest]))
            deepest = Least(float(-clearances[lowest]), name, bone, (start + lowest) / take.fps)
    return wrong, deepest


def clearances_of(bodies: Bodies, person: int, terrain: HeightField) -> tuple[Array, Indices, Array]:
    """Clearances (F,) [m], capsules (F,) and slopes (F,) of one person's lowest part at every frame and after
    it."""
    frames = int(bodies.arrays.frames[person])
    found = np.empty(frames), np.empty(frames, dtype=np.int64), np.empty(frames)
    samples, steps = 2, 1
    if not terrain.is_flat:
        # Fine enough that a step along a bone, or of a limb in time, is a fraction of a cell.
        points = bodies.positions(person)
        longest = float(bodies.bodies[person].skeleton.lengths[1:].max(initial=0.1))
        fastest = float(np.abs(np.diff(points, axis=0)).max(initial=0.0))
        samples = int(np.clip(np.ceil(2.0 * longest / terrain.cell) + 1, 3, 12))
        steps = int(np.clip(np.ceil(2.0 * fastest / terrain.cell), 1, 6))
    field = (terrain.heights, terrain.origin_x, terrain.origin_z, terrain.cell)
    _kernels_ground.measure_ground(bodies.arrays, person, field, samples, steps, *found)
    return found


@dataclass(frozen=True)
class _Alone:
    """A clip by itself, as a performance."""

    clip: Clip
    character: str = ""
    start_frame: int = 0


def _stance(take: Take, name: str, known: dict[int, tuple[Array, Indices, Array]]) -> ClipStance:
    """How somebody stands in the clips they play, on level ground at height 0."""
    role = take.role(name)
    level = flat_terrain((0.0, 0.0, 1.0, 1.0))
    lows = []
    for index in sorted(set(role.clips.tolist())):
        if index not in known:
            known[index] = clearances_of(gather([_Alone(take.clips[index].clip)]), 0, level)
        lows.append(known[index][0])
    clearances = np.concatenate(lows)
    return ClipStance(
        float(np.clip(-clearances.min(), 0.0, EXCUSED_DEPTH)),
        float(np.clip(np.median(clearances), 0.0, EXCUSED_DEPTH)),
    )


def _depths(
    take: Take, bodies: Bodies, person: int, found: tuple[Array, Indices, Array], stance: ClipStance
) -> list[Violation]:
    clearances, bones, slopes = found
    limits = stance.depth + np.where(slopes > LEAST_SLOPE, SLOPE_DEPTH, LEVEL_DEPTH)
    wrong = []
    start = int(bodies.arrays.first[person])
    for first, last in runs(clearances < -limits):
        worst = first + int(clearances[first : last + 1].argmin())
        bone = int(bones[worst])
        wrong.append(
            violation(
                "ground",
                bodies.names[person],
                f"{bodies.bone(person, bone)} is {-clearances[worst] * 1e3:.0f} mm below the ground; "
                f"{limits[worst] * 1e3:.0f} mm are allowed",
                fps=take.fps,
                frames=(start + first, start + last),
                worst=start + worst,
                place=bodies.middle(person, start + worst, bone),
                amount=-clearances[worst],
            )
        )
    return wrong


def _hovers(take: Take, bodies: Bodies, person: int, clearances: Array, stance: ClipStance) -> list[Violation]:
    """Violations while nothing touches the ground and the body does not fall freely."""
    wrong = []
    start = int(bodies.arrays.first[person])
    body, points = bodies.bodies[person], bodies.positions(person)
    for first, last in runs(clearances > stance.rest + HOVER_HEIGHT):
        if (last - first + 1) / take.fps <= SHORTEST_FLIGHT:
            continue
        heights = body.capsules(points[first : last + 1]).mean(axis=2)[..., 1] @ body.masses
        times = np.arange(len(heights)) / take.fps
        falling = float(-2.0 * np.polyfit(times, heights, 2)[0])
        if FREE_FALL[0] <= falling <= FREE_FALL[1]:
            continue
        worst = first + int(clearances[first : last + 1].argmax())
        wrong.append(
            violation(
                "floating",
                bodies.names[person],
                f"{clearances[worst] * 1e3:.0f} mm above the ground for {len(heights) / take.fps:.2f} s, "
                f"falling at {falling:.1f} m/s²",
                fps=take.fps,
                frames=(start + first, start + last),
                worst=start + worst,
                place=points[worst, 0],
                amount=clearances[worst],
            )
        )
    return wrong
