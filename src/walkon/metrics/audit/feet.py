"""Does what stands on the ground stand still?

Contacts are found from the motion alone; what a take says about planted feet is not asked. A joint of a foot
stands while it is as low as it ever rests and slow, on its way to a frame and from it: a foot that lands, rolls
off or swings by is not. Its slide is how far it gets meanwhile from where it mostly is.

And whatever carries a body must hold still for a moment: if the lowest part of it keeps moving over the ground, it
glides, however its legs move. Wheels may roll.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Flags, Indices
from walkon.metrics.audit import _kernels_feet, _kernels_ground
from walkon.metrics.audit.bodies import Bodies
from walkon.metrics.audit.events import runs
from walkon.metrics.audit.flaws import Flaw
from walkon.metrics.audit.ground import roof_of
from walkon.metrics.audit.haste import FREE_FALL, falling_at
from walkon.skeleton import Skeleton, find_roles
from walkon.world import HeightField

SLIDE_LIMIT = 0.02
"""How much farther [m] a standing foot may slide than in its own clips. Blending moves feet by less."""

EXCUSED_SLIDE = 0.04
"""Most slide [m] in its own clips that excuses a slide in the take. Recorded feet roll and markers shake; a clip
that slides more is no excuse for more."""

LOW, SLOW = 0.008, 0.30
"""A joint of a foot stands if it is at most LOW [m] above its lowest and moves at most at SLOW [m/s]."""

HIGHEST_STANCE = 0.1
"""Share of the body's height above the ground at which a foot may rest on it, rather than on something else."""

SHORTEST_STANCE = 0.1
"""Least time [s] that a foot must be low and slow to stand: one that swings by is both for a moment."""

SHORTEST_DRAG = 0.2
"""Least time [s] that a whole foot must be low and fast to be dragged. Built-in feet never are, recorded ones land
so for up to 0.17 s."""

UNDER, BESIDE = 0.05, 0.45
"""A foot is carried by a joint of another part that is at least UNDER [m] lower and at most BESIDE [m] aside: the
wheels under a board."""

CARRYING = 0.025
"""How far [m] above the lowest part of a body something may be that carries it: heels and toes of both feet, while
weight goes from one to the other."""

GLIDE_SPEED, LONGEST_GLIDE = 0.2, 0.3
"""All that carries a body may move faster over the ground than GLIDE_SPEED [m/s] for LONGEST_GLIDE [s]: while a
foot lands and the other lifts off. Built-in people take 0.07 s on level ground and 0.13 s as they run over hills,
recorded ones 0.23 s. What is slower is a slide of a foot that stands. With more time, a walk could slide from step
to step."""

OFF_GROUND, LONGEST_SKIM = 0.008, 0.25
"""Whoever is at least OFF_GROUND [m] higher than at rest, for at most LONGEST_SKIM [s], is in the air between two
steps, and carried by nothing. Who is so low for longer glides over the ground."""


@dataclass(frozen=True)
class Contact:
    """A joint that stands: from frame first to last, and how far [m] it slides."""

    joint: int
    first: int
    last: int
    slide: float


def find_slides(bodies: Bodies, person: int, contacts: list[Contact], allowed: float) -> Iterator[Flaw]:
    """Contacts that slide farther than is allowed [m]."""
    names, points = bodies.clips[person].skeleton.names, bodies.positions(person)
    for contact in contacts:
        if contact.slide > allowed:
            message = f"{names[contact.joint]} slides {contact.slide * 1e3:.0f} mm while it stands; "
            message += f"{allowed * 1e3:.0f} mm are allowed"
            place = points[contact.first, contact.joint]
            middle = (contact.first + contact.last) // 2
            yield Flaw("slide", contact.first, contact.last, middle, place, contact.slide, message)


def contacts_of(bodies: Bodies, person: int, fps: float, terrain: HeightField) -> list[Contact]:
    """Where joints of feet stand: where they are low and slow, and where the whole foot is low, however fast."""
    points, height = bodies.positions(person), bodies.bodies[person].height
    lowest = points[..., 1].min(axis=1)
    found = []
    for foot in find_roles(bodies.clips[person].skeleton).feet:
        joints = list(dict.fromkeys((foot.heel, foot.toe)))
        lows, slows = zip(
            *(_low_and_slow(points[:, joint], fps, terrain, height) for joint in joints), strict=True
        )
        flat = lows[0] & lows[-1] & (len(joints) > 1)
        for first, last in runs(flat & ~(slows[0] & slows[-1])):
            # Feet that land or lift off are flat and fast for a moment, and whoever rides brakes with a foot.
            moment, fast = (last - first + 1) / fps < SHORTEST_DRAG, slice(first, last + 1)
            flat[fast] = not moment and ~_riding(points[fast], *_legs(bodies.clips[person].skeleton))
        for joint, low, slow in zip(joints, lows, slows, strict=True):
            path, stands = points[:, joint], low & (slow | flat)
            # Mostly nothing is lower than a foot that stands.
            over = np.flatnonzero(stands & (lowest < path[:, 1] - UNDER))
            if len(over):
                stands[over] = ~_carried(points[over], {foot.ankle, foot.heel, foot.toe, foot.tip}, joint)
            stances = [run for run in runs(stands) if (run[1] - run[0]) / fps >= SHORTEST_STANCE]
            slides = np.empty(len(stances))
            _kernels_feet.measure_slides(path, np.array(stances, dtype=np.int64).reshape(-1, 2), slides)
            found += [Contact(joint, *run, slide) for run, slide in zip(stances, slides.tolist(), strict=True)]
    return found


def _low_and_slow(path: Array, fps: float, terrain: HeightField, height: float) -> tuple[Flags, Flags]:
    """Frames (F,) in which a joint on a path (F, 3) [m] of a body of that height [m] is low, and those in which it
    is slow."""
    heights = path[:, 1] if terrain.is_flat else path[:, 1] - terrain.at(path[:, 0], path[:, 2])
    steps = np.linalg.norm(np.diff(path, axis=0), axis=1) * fps
    slow = np.maximum(np.append(steps, 0.0), np.insert(steps, 0, 0.0)) <= SLOW
    # A joint that never comes down, as while somebody sits, stands on something else.
    if heights.min() > HIGHEST_STANCE * height:
        return np.zeros(len(path), dtype=np.bool_), slow
    resting = heights[slow] if slow.any() else heights
    return heights <= resting.min() + LOW, slow


def _legs(skeleton: Skeleton) -> tuple[Flags, Flags]:
    """Which joints (J,) are of a foot, and which are of one or above one."""
    feet = np.zeros(len(skeleton), dtype=np.bool_)
    for foot in find_roles(skeleton).feet:
        feet[list(foot.joints)] = True
    legs = feet.copy()
    for joint in range(len(skeleton) - 1, 0, -1):
        legs[skeleton.parents[joint]] |= legs[joint]
    return feet, legs


def _riding(points: Array, feet: Flags, legs: Flags) -> Flags:
    """Frames (F,) in which something that is no part of a leg is under a foot: the wheels of a board."""
    away = points[:, None, ~legs] - points[:, feet, None]
    under = (away[..., 1] < -UNDER) & (np.hypot(away[..., 0], away[..., 2]) < BESIDE)
    return np.any(under, axis=(1, 2))


def _carried(points: Array, foot: set[int | None], joint: int) -> Flags:
    """Frames (F,) in which a joint of a foot stands on something of the body's own, as on the wheels of a board:
    another joint, not of that foot, is under it and clearly lower."""
    others = [other for other in range(points.shape[1]) if other not in foot]
    away = points[:, others] - points[:, joint, None]
    under = (away[..., 1] < -UNDER) & (np.hypot(away[..., 0], away[..., 2]) < BESIDE)
    return np.any(under, axis=1)


@dataclass(frozen=True, eq=False)
class Carrying:
    """How the ground carries a body: slips (F,) [m], how far what carries it moves until the next frame; carriers
    (F,), which capsule that is, -1 for none; rolls: whether wheels carry it (F,)."""

    slips: Array
    carriers: Indices
    rolls: Flags

    def standing(self, fps: float) -> Flags:
        """Whether the body stands (F,) on something that neither moves nor rolls."""
        return (self.carriers >= 0) & ~self.rolls & (self.slips * fps <= GLIDE_SPEED)


def find_glides(bodies: Bodies, person: int, fps: float, carrying: Carrying) -> Iterator[Flaw]:
    """Stretches in which all that carries a body moves over the ground."""
    for first, last in runs(carrying.slips * fps > GLIDE_SPEED):
        seconds, far = (last - first + 1) / fps, float(carrying.slips[first : last + 1].sum())
        falling = falling_at(bodies.bodies[person], bodies.positions(person)[first : last + 1], fps)
        if seconds > LONGEST_GLIDE and not FREE_FALL[0] <= falling <= FREE_FALL[1]:
            at = first + int(carrying.slips[first : last + 1].argmax())
            lowest = bodies.bone(person, int(carrying.carriers[at]))
            message = f"{lowest} and all else on the ground moves {far:.2f} m in {seconds:.2f} s: nothing stands"
            start = int(bodies.arrays.first[person])
            place = bodies.middle(person, start + at, int(carrying.carriers[at]))
            yield Flaw("slide", first, last, at, place, far, message)


def carrying_of(
    bodies: Bodies, person: int, fps: float, terrain: HeightField, clearances: Array, rest: float, highest: float
) -> Carrying:
    """What carries a body whose lowest part has these clearances (F,) [m].

    rest, highest: clearances [m] at which it stands, and above which it is in the air however long it takes.
    """
    frames = len(clearances)
    feet, legs = _legs(bodies.clips[person].skeleton)
    found = Carrying(np.empty(frames), np.empty(frames, dtype=np.int64), np.empty(frames, dtype=np.bool_))
    field = (terrain.heights, terrain.origin_x, terrain.origin_z, terrain.cell)
    _kernels_ground.measure_slips(
        bodies.arrays,
        person,
        field,
        roof_of(terrain),
        clearances,
        feet,
        legs,
        (CARRYING, rest, highest, UNDER, BESIDE),
        found.slips,
        found.carriers,
        found.rolls,
    )
    for first, last in runs(clearances > rest + OFF_GROUND):
        if (last - first + 1) / fps <= LONGEST_SKIM:
            # From the frame before on: until then it pushes off.
            found.slips[max(first - 1, 0) : last + 1] = 0.0
            found.carriers[first : last + 1] = -1
    return found
