"""Do planted feet slide?

A contact is a stretch of frames in which a joint is planted: as the clip's own labels say, and, trusting
nobody, where a joint of a foot is as low as it ever rests and slow. Its slide is how far it gets on the ground
from where it is in halfway through the contact.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.metrics.audit.bodies import Bodies
from walkon.metrics.audit.events import runs, violation
from walkon.metrics.audit.report import Least, Violation
from walkon.motion import Clip
from walkon.skeleton import build_body, find_roles
from walkon.take import Take
from walkon.world import HeightField

SLIDE_LIMIT = 0.02
"""How much farther [m] a planted foot may slide than in its own clips. Blending moves feet by less."""

EXCUSED_SLIDE = 0.04
"""Most slide [m] in its own clips that excuses a slide in the take. Recorded feet roll and markers shake; a clip
that slides more is no excuse for more."""

LOW, SLOW = 0.008, 0.30
"""A joint of a foot stands if it is at most LOW [m] above its lowest and moves at most at SLOW [m/s]."""

SHORTEST_STANCE = 0.1
"""Least time [s] that a foot must be low and slow to stand: one that swings by is both for a moment."""


UNDER, BESIDE = 0.05, 0.45
"""A foot is carried by a joint of another part that is at least UNDER [m] lower and at most BESIDE [m] aside: the
wheels under a board."""


@dataclass(frozen=True)
class Contact:
    """A planted joint: from frame first to last, and how far [m] it slides."""

    joint: int
    first: int
    last: int
    slide: float
    labelled: bool


def check_feet(take: Take, bodies: Bodies) -> tuple[list[Violation], Least | None]:
    """Violations, and the worst slide; its gap is the slide [m]."""
    wrong: list[Violation] = []
    worst: Least | None = None
    known: dict[int, float] = {}
    for person, name in enumerate(bodies.names):
        clip, points = bodies.clips[person], bodies.positions(person)
        allowed = SLIDE_LIMIT + min(_own_slide(take, name, known), EXCUSED_SLIDE)
        start = int(bodies.arrays.first[person])
        for contact in contacts_of(clip, points, take.scene.terrain):
            if worst is None or contact.slide > worst.gap:
                joint = clip.skeleton.names[contact.joint]
                worst = Least(contact.slide, name, joint, (start + contact.first) / take.fps)
            if contact.slide > allowed:
                wrong.append(_slide(take, bodies, person, contact, allowed))
    return wrong, worst


def _slide(take: Take, bodies: Bodies, person: int, contact: Contact, allowed: float) -> Violation:
    start = int(bodies.arrays.first[person])
    joint = bodies.clips[person].skeleton.names[contact.joint]
    found = "planted" if contact.labelled else "low and slow"
    return violation(
        "slide",
        bodies.names[person],
        f"{joint}, {found}, slides {contact.slide * 1e3:.0f} mm; {allowed * 1e3:.0f} mm are allowed",
        fps=take.fps,
        frames=(start + contact.first, start + contact.last),
        place=bodies.positions(person)[contact.first, contact.joint],
        amount=contact.slide,
    )


def _own_slide(take: Take, name: str, known: dict[int, float]) -> float:
    """The worst slide [m] in the clips somebody plays."""
    worst = 0.0
    for index in set(take.role(name).clips.tolist()):
        if index not in known:
            clip = take.clips[index].clip
            known[index] = max((contact.slide for contact in contacts_of(clip, clip.positions, None)), default=0.0)
        worst = max(worst, known[index])
    return worst


def contacts_of(clip: Clip, points: Array, terrain: HeightField | None) -> Iterator[Contact]:
    """Contacts of a clip with joint positions (F, J, 3), by its labels and by sight; terrain None: level."""
    if clip.contacts is not None:
        for column, name in enumerate(clip.contacts.joints):
            joint = clip.skeleton.index(name)
            for first, last in runs(clip.contacts.planted[:, column]):
                yield Contact(joint, first, last, _slid(points[first : last + 1, joint]), True)
    for foot in find_roles(clip.skeleton).feet:
        for joint in dict.fromkeys((foot.heel, foot.toe)):
            carried = _carried(points, {foot.ankle, foot.heel, foot.toe, foot.tip}, joint)
            for first, last in _standing(clip, points[:, joint], terrain, carried):
                yield Contact(joint, first, last, _slid(points[first : last + 1, joint]), False)


def _carried(points: Array, foot: set[int | None], joint: int) -> NDArray[np.bool_]:
    """Frames (F,) in which a joint of a foot stands on something of the body's own, as on the wheels of a board:
    another joint, not of that foot, is under it and clearly lower."""
    others = [other for other in range(points.shape[1]) if other not in foot]
    away = points[:, others] - points[:, joint, None]
    under = (away[..., 1] < -UNDER) & (np.hypot(away[..., 0], away[..., 2]) < BESIDE)
    return np.any(under, axis=1)


def _standing(
    clip: Clip, path: Array, terrain: HeightField | None, carried: NDArray[np.bool_]
) -> list[tuple[int, int]]:
    """Stretches in which a joint on a path (F, 3) stands, by its height and speed, the outermost frames left
    off."""
    heights = path[:, 1] if terrain is None else path[:, 1] - terrain.at(path[:, 0], path[:, 2])
    # A joint that never comes down, as while somebody sits, stands on something else.
    if heights.min() > 0.1 * build_body(clip.skeleton).height:
        return []
    steps = np.linalg.norm(np.diff(path, axis=0), axis=1) * clip.fps
    fastest = np.maximum(np.append(steps, 0.0), np.insert(steps, 0, 0.0))
    low = heights <= heights.min() + LOW
    found = runs(low & (fastest <= SLOW) & ~carried)
    return [(first, last) for first, last in found if (last - first) / clip.fps >= SHORTEST_STANCE]


def _slid(path: Array) -> float:
    """How far [m] a path (F, 3) gets on the ground from where it is halfway through."""
    x, _, z = (path - path[len(path) // 2]).T
    return math.sqrt(float((x * x + z * z).max()))
