"""Planted feet stay planted: legs are bent so that a joint on the ground does not slide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.errors import ClipError
from walkon.motion.clip import Clip, Contacts
from walkon.motion.editing import _kernels
from walkon.motion.editing.soles import leg_joints
from walkon.motion.features.contacts import find_contacts
from walkon.rotations import IDENTITY
from walkon.skeleton import Foot, find_roles
from walkon.skeleton.inverse_kinematics import reach

Array = NDArray[np.float64]

EASE = 0.2
"""Seconds before and after a contact over which a foot drifts from its recorded path to the held one."""

ROLL_SPEED = 0.3
"""Speed over the ground [m/s] above which a planted joint, at either end of its contact, is rolling on or off it,
as an ankle does over its heel, and is left to."""

STRETCH = 0.998
"""Share of its full length a leg may be asked to span: a leg pulled quite straight snaps."""

MAX_DROP = 0.15
"""Share of a leg's length the hips may be lowered to let a foot reach its place."""


@dataclass(frozen=True, eq=False)
class Pin:
    """A joint held on a path over the ground, most often a single spot.

    joint: its index. start: the first of N frames. path: (N, 2) world x and z [m] in each of them.
    """

    joint: int
    start: int
    path: Array

    @property
    def stop(self) -> int:
        """The frame after the last."""
        return self.start + len(self.path)


class FootGoal(NamedTuple):
    """Where a foot goes.

    leg: indices of hip, knee and ankle. ankle: (F, 3) [m] the ankle's place in the world. turn: (F, 4) by how much
    the foot is turned in the world, after the leg has been bent.
    """

    leg: tuple[int, int, int]
    ankle: Array
    turn: Array


def plant_feet(clip: Clip, contacts: Contacts | None = None, *, ease: float = EASE) -> Clip:
    """The clip with every planted heel and toe held still while it is planted, but for rolling on and off.

    contacts: who is planted when; by default the clip's own, or those found in it. The legs bend by inverse
    kinematics, easing in and out over `ease` [s]; where a leg is too short the hips come down.
    """
    if contacts is None:
        contacts = clip.contacts if clip.contacts is not None else find_contacts(clip)
    if not (np.isfinite(ease) and ease >= 0):
        raise ClipError(f"ease is a time of at least 0 s, not {ease}")
    pins = pins_of(clip, contacts)
    held = hold_feet(clip, pins, ease=ease, lower_hips=True)
    return held.with_changes(contacts=contacts)


def pins_of(clip: Clip, contacts: Contacts) -> list[Pin]:
    """One pin for every contact, at the joint's mean place, from when it has rolled on to when it rolls off."""
    pins = []
    for column, name in enumerate(contacts.joints):
        joint = clip.skeleton.index(name)
        places = clip.positions[:, joint][:, [0, 2]]
        speeds = np.linalg.norm(np.gradient(places, axis=0), axis=1) * clip.fps if len(clip) > 1 else np.zeros(1)
        for start, stop in runs(contacts.planted[:, column]):
            slow = start + np.flatnonzero(speeds[start:stop] < ROLL_SPEED)
            if len(slow):
                held = slice(slow[0], slow[-1] + 1)
                pins.append(
                    Pin(joint, held.start, np.tile(places[held].mean(axis=0), (held.stop - held.start, 1)))
                )
    return pins


def runs(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Stretches (start, stop) in which `flags` (F,) stay True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]])))
    return [(int(start), int(stop)) for start, stop in zip(edges[::2], edges[1::2], strict=True)]


def hold_feet(
    clip: Clip,
    pins: Sequence[Pin],
    *,
    lifts: Array | None = None,
    ease: float = EASE,
    lower_hips: bool = False,
) -> Clip:
    """The clip with its feet raised by `lifts` (F, feet) [m] and every pinned joint on its path."""
    goals = foot_goals(clip, pins, lifts=lifts, ease=ease)
    return bend_legs(clip, goals, hip_drop(clip, goals) if lower_hips else np.zeros(len(clip)))


def foot_goals(
    clip: Clip, pins: Sequence[Pin], *, lifts: Array | None = None, ease: float = EASE
) -> list[FootGoal]:
    """Where every foot goes: raised by `lifts` (F, feet) [m], with its pinned joints on their paths."""
    roles = find_roles(clip.skeleton)
    goals = []
    for i, foot in enumerate(roles.feet):
        leg = leg_joints(roles, foot)
        if leg is not None:
            lift = np.zeros(len(clip)) if lifts is None else lifts[:, i]
            goals.append(FootGoal(leg, *_foot_goals(clip, foot, pins, lift, round(ease * clip.fps))))
    return goals


def bend_legs(clip: Clip, goals: Sequence[FootGoal], drop: Array) -> Clip:
    """The clip with its hips lowered by `drop` (F,) [m], and its legs bent so that every foot meets its goal."""
    positions = clip.positions - drop[:, None, None] * np.array([0.0, 1.0, 0.0])
    rotations = clip.rotations
    for goal in goals:
        rotations = reach(
            clip.skeleton, rotations, positions, clip.world_rotations, goal.leg, goal.ankle, softness=1 - STRETCH
        )
        ankle = goal.leg[2]
        world = clip.world_rotations[:, ankle]
        _kernels.turn_in_world(np.ascontiguousarray(goal.turn), world, rotations[:, ankle])
    return clip.with_changes(root_positions=positions[:, 0], rotations=rotations)


def _foot_goals(clip: Clip, foot: Foot, pins: Sequence[Pin], lift: Array, ease: int) -> tuple[Array, Array]:
    """Where the ankle goes (F, 3) [m], and how the foot turns in the world (F, 4), to meet the pins.

    A pinned heel carries the ankle to its place; a pinned toe is then aimed at by turning the foot, and once the
    heel is free it carries the ankle along.
    """
    up = lift[:, None] * np.array([0.0, 1.0, 0.0])
    ankle = clip.positions[:, foot.ankle] + up
    front = next((j for j in (foot.toe, foot.tip) if any(pin.joint == j for pin in pins)), foot.toe)
    heel_shift, heel_hold = _shift_curve(clip, foot.heel, pins, ease)
    if np.abs(clip.positions[:, front] - clip.positions[:, foot.ankle]).max() <= 1e-6:
        return ankle + heel_hold * heel_shift, np.broadcast_to(IDENTITY, (len(clip), 4))
    toe = clip.positions[:, front] + up
    toe_shift, toe_hold = _shift_curve(clip, front, pins, ease)
    ankle_goal = ankle + heel_hold * heel_shift + (1 - heel_hold) * toe_hold * toe_shift
    toe_goal = toe + toe_shift
    bone = toe - ankle
    length = np.linalg.norm(bone, axis=1, keepdims=True)
    apart = toe_goal - ankle_goal
    # The foot is rigid: with its toe held, the ankle can only be on the sphere around it.
    on_sphere = toe_goal - apart * (length / np.maximum(np.linalg.norm(apart, axis=1, keepdims=True), 1e-9))
    ankle_goal = ankle_goal + toe_hold * (on_sphere - ankle_goal)
    aim = bone + toe_hold * (toe_goal - ankle_goal - bone)
    turns = np.empty((len(clip), 4))
    _kernels.turns_between(bone, aim, turns)
    return ankle_goal, turns


def _shift_curve(clip: Clip, joint: int, pins: Sequence[Pin], ease: int) -> tuple[Array, Array]:
    """How far a joint is from its pins (F, 3) [m], and how firmly it is held (F, 1), 0 to 1.

    While pinned the shift is exact and the hold 1. Outside, the shift of the nearest pins lingers while the hold
    fades over `ease` frames, or over the whole gap to the next pin if that is shorter.
    """
    frames = len(clip)
    total, hold = np.zeros((frames, 3)), np.zeros((frames, 1))
    mine = sorted((pin for pin in pins if pin.joint == joint), key=lambda pin: pin.start)
    for i, pin in enumerate(mine):
        shift = np.zeros((pin.stop - pin.start, 3))
        shift[:, [0, 2]] = pin.path - clip.positions[pin.start : pin.stop, joint][:, [0, 2]]
        total[pin.start : pin.stop], hold[pin.start : pin.stop] = shift, 1.0
        before = ease if i == 0 else min(ease, pin.start - mine[i - 1].stop)
        after = ease if i + 1 == len(mine) else min(ease, mine[i + 1].start - pin.stop)
        rising = np.arange(pin.start - before, pin.start)
        falling = np.arange(pin.stop + after - 1, pin.stop - 1, -1)
        for fading, value in ((rising, shift[0]), (falling, shift[-1])):
            inside = (fading >= 0) & (fading < frames)
            weight = smooth_steps(len(fading))[inside, None]
            total[fading[inside]] += weight * value
            hold[fading[inside]] += weight
    return np.where(hold > 0, total / np.maximum(hold, 1e-12), 0.0), hold


def smooth_steps(count: int) -> Array:
    """Weights (count,) that rise from just over 0 to just under 1, flat at both ends."""
    return smooth_step(np.arange(1, count + 1) / (count + 1))


def smooth_step(values: Array) -> Array:
    """0 up to 0, 1 from 1 on, and a curve without corners in between."""
    t = np.clip(values, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def hip_drop(clip: Clip, goals: Sequence[FootGoal], *, smooth: float = EASE, limit: float = MAX_DROP) -> Array:
    """How far (F,) [m] the hips must come down for every leg to reach its ankle's goal.

    smooth: [s] over which that changes. limit: the most, as a share of a leg's length.
    """
    from scipy.ndimage import maximum_filter1d, uniform_filter1d

    drop = np.zeros(len(clip))
    for (hip, knee, ankle), goal, _ in goals:
        p = clip.positions
        length = np.linalg.norm(p[:, knee] - p[:, hip], axis=1) + np.linalg.norm(p[:, ankle] - p[:, knee], axis=1)
        across = goal - p[:, hip]
        level = across[:, 0] ** 2 + across[:, 2] ** 2
        span = np.sqrt(np.maximum((STRETCH * length) ** 2 - level, 0.0))
        drop = np.maximum(drop, np.clip(-across[:, 1] - span, 0.0, limit * length))
    # The mean of a running maximum over the same window never falls below the need it smooths.
    window = 2 * round(0.5 * smooth * clip.fps) + 1
    return uniform_filter1d(maximum_filter1d(drop, window), window)
