"""Where planted feet stand: contacts trimmed to when they rest, and one spot for heel and toe of every stance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, runs
from walkon.motion import Clip, Contacts, find_contacts
from walkon.motion.feet.spots import half_missing
from walkon.motion.feet.standing import without_rolling
from walkon.skeleton import build_body
from walkon.variation.limbs import find_limbs

STEEPEST_FOOT = 0.6
"""Rise of the heel over the toe, as a share of the distance between them, from which a foot at rest stands on its
toes alone, as a dog's does."""

SHORTEST_HOLD = 0.03
"""Seconds; what rests for less is passing by."""

MIDDLE = 0.5
"""Share of a contact, around its middle, that says where it is."""

NEAR_FLOOR = 0.03
"""Height, as a share of the body's, within which a planted joint belongs on the floor it rests on."""


@dataclass(frozen=True, eq=False)
class Hold:
    """A joint that is to be in given places: N frames from `start`, path (N, 3) [m] in the world."""

    joint: int
    start: int
    path: Array

    @property
    def stop(self) -> int:
        """The frame after the last."""
        return self.start + len(self.path)


def find_plants(clip: Clip) -> Contacts:
    """The contacts of `find_contacts`, without the frames in which a joint rolls onto the ground or off it.

    What is left is at rest: a heel that is about to rise, or a hock that never comes down, is not in it.
    """
    contacts = find_contacts(clip)
    planted = without_rolling(clip, contacts).planted
    joints = [clip.skeleton.index(name) for name in contacts.joints]
    on_toes = _heels_that_stay_up(clip, joints, contacts.planted)
    for column, joint in enumerate(joints):
        for first, last in runs(planted[:, column]):
            if joint in on_toes or last - first < max(2, SHORTEST_HOLD * clip.fps):
                planted[first:last, column] = False
    return Contacts(contacts.joints, planted)


def _heels_that_stay_up(clip: Clip, joints: list[int], planted: NDArray[np.bool_]) -> set[int]:
    """Heels of feet that stand on their toes even while both are said to be planted."""
    found = set()
    for limb in find_limbs(clip.skeleton):
        foot = limb.foot
        if foot is None or foot.heel == foot.toe or foot.heel not in joints or foot.toe not in joints:
            continue
        both = planted[:, joints.index(foot.heel)] & planted[:, joints.index(foot.toe)]
        apart = (clip.positions[:, foot.heel] - clip.positions[:, foot.toe])[both]
        if len(apart) and np.median(apart[:, 1]) > STEEPEST_FOOT * np.linalg.norm(apart[0]):
            found.add(foot.heel)
    return found


def find_ground(clip: Clip, planted: dict[int, NDArray[np.bool_]]) -> dict[int, float]:
    """The height [m] at which every joint that is ever planted (F,) rests, by joint; the ground is level.

    It is the median over all its frames on the ground, and over those of its like on the other side, so that half
    of all steps were too high and half too low, and both feet stand on one floor.
    """
    alike: dict[object, list[int]] = {}
    for limb in find_limbs(clip.skeleton):
        for part in () if limb.foot is None else ("heel", "ankle", "toe", "tip"):
            alike.setdefault((limb.name.partition("_")[2], part), []).append(getattr(limb.foot, part))
    heights = {}
    for joint, on in planted.items():
        group = next((joints for joints in alike.values() if joint in joints), [joint])
        own = [clip.positions[planted[other], other, 1] for other in group if other in planted]
        if on.any():
            heights[joint] = float(np.median(np.concatenate(own)))
    return heights


def spots_of(
    clip: Clip, rear: int, front: int, contacts: dict[int, NDArray[np.bool_]], ground: dict[int, float]
) -> list[Hold]:
    """One hold for every contact of a foot's rear and front joint; contacts in one stance share their spots.

    contacts: planted (F,) by joint. ground: resting heights [m] by joint. A stance is a stretch in which either
    joint is planted.
    """
    mine = {joint: contacts[joint] for joint in dict.fromkeys((rear, front)) if joint in contacts}
    if not any(planted.any() for planted in mine.values()):
        return []
    limit = NEAR_FLOOR * build_body(clip.skeleton).height
    holds = []
    for start, stop in runs(np.logical_or.reduce(list(mine.values()))):
        held = {joint: runs(planted[start:stop]) for joint, planted in mine.items()}
        spots = {}
        for joint in mine:
            if held[joint]:
                spot = _spot(clip.positions[start:stop, joint], held[joint])
                rest = ground[joint]
                spots[joint] = np.array([spot[0], rest if abs(spot[1] - rest) < limit else spot[1], spot[2]])
        if len(spots) > 1:
            apart = np.linalg.norm(clip.positions[start:stop, front] - clip.positions[start:stop, rear], axis=1)
            spots[rear], spots[front] = _at_distance(spots[rear], spots[front], float(apart.mean()))
        for joint, stretches in held.items():
            holds += [Hold(joint, start + a, np.tile(spots[joint], (b - a, 1))) for a, b in stretches]
    return holds


def _spot(places: Array, stretches: list[tuple[int, int]]) -> Array:
    """The mean place (3,) [m] in the middle of the longest of some contacts."""
    start, stop = max(stretches, key=lambda stretch: stretch[1] - stretch[0])
    aside = int(0.5 * (1.0 - MIDDLE) * (stop - start))
    return places[start + aside : stop - aside].mean(axis=0)


def _at_distance(rear: Array, front: Array, distance: float) -> tuple[Array, Array]:
    """Both spots moved over the ground, half each, until they are `distance` [m] apart."""
    across = (front - rear)[[0, 2]]
    level = np.linalg.norm(across)
    wanted = np.sqrt(max(distance**2 - (front[1] - rear[1]) ** 2, 0.0))
    if level < 1e-9 or wanted == 0.0:
        # One above the other: the difference in height gives way instead.
        middle = 0.5 * (front + rear)
        half = 0.5 * (front - rear) * (distance / max(np.linalg.norm(front - rear), 1e-9))
        return middle - half, middle + half
    shift = half_missing(across, float(wanted)) @ np.eye(3)[[0, 2]]
    return rear - shift, front + shift
