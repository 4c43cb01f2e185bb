"""How a body as a whole goes over slopes, before its feet find the ground.

People stay upright, and rise and fall with the ground below them, smoothed; on their hands or knees they tilt with
it. What goes on four legs pitches with the slope along it and keeps its head level. Whoever rides on something
stays upright too, on feet that are carried by the board. So bodies hardly leave the outlines that planners know.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.motion import Clip
from walkon.rotations import conjugate, multiply, rotate
from walkon.skeleton import Roles, find_roles
from walkon.synthesis.slopes import footing, smoothed, tilt
from walkon.world import HeightField

SMOOTHING = 0.15
"""Half the time [s] over which a body's height follows the ground; averaged twice."""

RIDING = 0.35
"""Whoever has a foot on the ground in a smaller share of the frames than this rides on something."""

BODY_FOOTPRINT = (0.7, 0.3)
"""Length and width [m] of the ground that a tilting body feels, unless its trunk is longer."""

BOARD_FOOTPRINT = (0.6, 0.2)
"""Length and width [m] of the ground that a board feels."""


@dataclass(frozen=True, eq=False)
class Carriage:
    """How the ground carries something: it tilts to slope (F, 2) about pivots (F, 3) [m], and rises (F,) [m]."""

    pivots: Array
    rise: Array
    slope: Array

    @property
    def turns(self) -> Array:
        """Turns (F, 4) in the world."""
        return tilt(self.slope)

    def carry(self, points: Array) -> Array:
        """Points (F, 3) [m] as they were on level ground, as they are on the slope."""
        carried = rotate(self.turns, points - self.pivots) + self.pivots
        carried[:, 1] += self.rise
        return carried

    def carry_clip(self, clip: Clip) -> Clip:
        """The whole clip, carried along; four-legged animals keep their heads as they were."""
        roles = find_roles(clip.skeleton)
        rotations = clip.rotations.copy()
        rotations[:, 0] = multiply(self.turns, rotations[:, 0])
        neck = roles.get("neck")
        if neck is not None and not roles.is_biped:
            above = multiply(self.turns, clip.world_rotations[:, clip.skeleton.parents[neck]])
            rotations[:, neck] = multiply(conjugate(above), clip.world_rotations[:, neck])
        return clip.with_changes(root_positions=self.carry(clip.root_positions), rotations=rotations)


def body_carriage(clip: Clip, terrain: HeightField) -> Carriage:
    """How the terrain carries the body of a clip that was made for level ground."""
    from scipy.ndimage import maximum_filter1d

    roles = find_roles(clip.skeleton)
    ground = clip.root_positions[:, [0, 2]]
    ahead, length = _trunk(clip, roles)
    frames = round(SMOOTHING * clip.fps)
    below = terrain.at(*ground.T)
    plane, slope = footing(terrain, ground, ahead, length, BODY_FOOTPRINT[1])
    if not roles.is_biped:
        # Legs on either side differ in length instead: the trunk only pitches.
        slope = np.einsum("nk,nk->n", slope, ahead)[:, None] * ahead
    # Wholly tilted for as long as it rests on more than its feet, even after the smoothing.
    weight = np.clip(smoothed(maximum_filter1d(_leaning(clip, roles), 8 * frames + 1), 2 * frames), 0.0, 1.0)
    rise = smoothed(below + weight * (plane - below), frames)
    slope = smoothed(weight[:, None] * slope, frames)
    # Hands and knees stay on the ground when a body tilts about it; a tall animal would leave its place.
    pivots = clip.root_positions * [1.0, 0.0 if roles.is_biped else 1.0, 1.0]
    return Carriage(pivots, rise, slope)


def board_carriage(clip: Clip, terrain: HeightField) -> Carriage:
    """How the terrain carries what somebody stands on with both feet."""
    feet = [foot.ankle for foot in find_roles(clip.skeleton).feet]
    ground = clip.positions[:, feet][..., [0, 2]]
    middle, along = ground.mean(axis=1), ground[:, 0] - ground[:, -1]
    frames = round(0.5 * SMOOTHING * clip.fps)
    height, slope = footing(terrain, middle, _unit(along), *BOARD_FOOTPRINT)
    pivots = np.column_stack([middle[:, 0], np.zeros(len(clip)), middle[:, 1]])
    return Carriage(pivots, smoothed(height, frames), smoothed(slope, frames))


def is_riding(clip: Clip) -> bool:
    """Whether a body on two legs is carried by something else than its feet, such as a board."""
    if clip.contacts is None or not find_roles(clip.skeleton).is_biped:
        return False
    return bool(clip.contacts.planted.any(axis=1).mean() < RIDING)


def _leaning(clip: Clip, roles: Roles) -> Array:
    """How much (F,) the body tilts with the ground, 0 to 1, frame by frame."""
    if not roles.is_biped:
        return np.ones(len(clip))
    feet = {clip.skeleton.names[joint] for foot in roles.feet for joint in foot.joints}
    contacts = clip.contacts
    others = [] if contacts is None else [i for i, name in enumerate(contacts.joints) if name not in feet]
    if contacts is None or not others:
        return np.zeros(len(clip))
    return np.asarray(contacts.planted[:, others].any(axis=1), dtype=np.float64)


def _trunk(clip: Clip, roles: Roles) -> tuple[Array, float]:
    """Where the body points on the ground (F, 2), a unit direction, and how long it is there [m]."""
    pair = roles.pair("hip") if roles.is_biped else None
    if pair is not None:
        left = clip.positions[:, pair[0]] - clip.positions[:, pair[1]]
        return _unit(np.stack([-left[:, 2], left[:, 0]], axis=1)), BODY_FOOTPRINT[0]
    pelvis, chest = roles.joints["pelvis"], roles.get("chest")
    end = clip.positions[:, pelvis if chest is None else chest] - clip.positions[:, pelvis]
    return _unit(end[:, [0, 2]]), max(BODY_FOOTPRINT[0], float(np.median(np.hypot(end[:, 0], end[:, 2]))))


def _unit(directions: Array) -> Array:
    size = np.hypot(*directions.T)[:, None]
    return np.where(size > 1e-6, directions / np.maximum(size, 1e-6), [0.0, 1.0])
