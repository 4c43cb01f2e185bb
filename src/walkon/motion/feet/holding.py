"""Planted feet stay planted: legs are bent so that a joint on the ground does not slide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, runs
from walkon.errors import ClipError
from walkon.motion.clip import Clip, Contacts
from walkon.motion.easing import covering
from walkon.motion.feet import kernels
from walkon.motion.feet.contacts import find_contacts
from walkon.motion.feet.standing import without_rolling
from walkon.skeleton import find_roles

EASE = 0.2
"""Seconds before and after a contact over which a foot drifts from its recorded path to the held one."""

STRETCH = 0.998
"""Share of its full length a leg may be asked to span: a leg pulled quite straight snaps."""

MAX_DROP = 0.15
"""Share of a leg's length the hips may be lowered to let a foot reach its place."""

MAX_SLOPE_DROP = 0.35
"""The same on sloping ground, where the lower foot may be far below the other. Slopes on which hips would have to
come down by more are not walked."""

ALWAYS_REACHED, NEVER_STRAIGHTER = 0.985, 0.995
"""Shares of its full length that a leg may always be asked to span, and may be asked to span where it was recorded
so: straighter, a knee snaps."""


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
    for name, stands in zip(contacts.joints, without_rolling(clip, contacts).planted.T, strict=True):
        joint = clip.skeleton.index(name)
        places = clip.positions[:, joint][:, [0, 2]]
        for first, last in runs(stands):
            pins.append(Pin(joint, first, np.tile(places[first:last].mean(axis=0), (last - first, 1))))
    return pins


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
    table = _table(pins)
    goals = []
    for i, foot in enumerate(roles.feet):
        leg = roles.leg_above(foot)
        if leg is not None:
            lift = np.zeros(len(clip)) if lifts is None else np.ascontiguousarray(lifts[:, i], dtype=np.float64)
            ankle, turn = np.empty((len(clip), 3)), np.empty((len(clip), 4))
            ends = (foot.ankle, foot.heel, foot.toe, foot.tip)
            kernels.foot_goal(clip.positions, ends, table, lift, round(ease * clip.fps), ankle, turn)
            goals.append(FootGoal(leg, ankle, turn))
    return goals


def bend_legs(clip: Clip, goals: Sequence[FootGoal], drop: Array) -> Clip:
    """The clip with its hips lowered by `drop` (F,) [m], and its legs bent so that every foot meets its goal."""
    positions = clip.positions - drop[:, None, None] * np.array([0.0, 1.0, 0.0])
    rotations = clip.rotations.copy()
    for leg, *way in goals:
        goal, turn = (np.ascontiguousarray(part) for part in way)
        kernels.bend_leg(
            clip.skeleton.parents, leg, positions, clip.world_rotations, goal, turn, 1 - STRETCH, rotations
        )
    return clip.with_changes(root_positions=positions[:, 0], rotations=rotations)


class _PinTable(NamedTuple):
    """Pins as kernels want them: joints, starts, stops and begins (P,), paths (·, 2) [m]."""

    joints: NDArray[np.int64]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    begins: NDArray[np.int64]
    paths: Array


def _table(pins: Sequence[Pin]) -> _PinTable:
    ordered = sorted(pins, key=lambda pin: pin.start)
    lengths = [0, *(len(pin.path) for pin in ordered)]
    columns = ([pin.joint for pin in ordered], [pin.start for pin in ordered], [pin.stop for pin in ordered])
    joints, starts, stops = (np.array(column, dtype=np.int64) for column in columns)
    paths = np.concatenate([np.empty((0, 2)), *(pin.path for pin in ordered)])
    return _PinTable(joints, starts, stops, np.cumsum(lengths)[:-1], paths)


def hip_drop(clip: Clip, goals: Sequence[FootGoal]) -> Array:
    """How far (F,) [m] the hips must come down for every leg to reach its ankle's goal."""
    drop = np.zeros(len(clip))
    for leg, goal, _ in goals:
        length = _leg_lengths(clip, leg)
        drop = np.maximum(
            drop, drop_to_reach(clip.positions[:, leg[0]], goal, STRETCH * length, MAX_DROP * length)
        )
    return covering(drop, round(0.5 * EASE * clip.fps))


def gentle_hip_drop(
    clip: Clip,
    goals: Sequence[FootGoal],
    *,
    smooth: float,
    limit: float = MAX_DROP,
    shares: Sequence[Array] | None = None,
) -> Array:
    """The same where no leg is to be pulled straighter than the clip has it, and in a curve without corners.

    smooth: [s] over which that changes. limit: the most, as a share of a leg's length. shares: for every foot
    which part (F,) of what it lacks the hips come down by; all of it if not said.
    """
    drop = np.zeros(len(clip))
    for number, (leg, goal, _) in enumerate(goals):
        lacking = lacking_reach(clip, leg, goal, limit)
        drop = np.maximum(drop, lacking if shares is None else shares[number] * lacking)
    return covering(drop, round(0.5 * smooth * clip.fps), rounds=2)


def lacking_reach(clip: Clip, leg: tuple[int, int, int], ankle: Array, limit: float = np.inf) -> Array:
    """How far (F,) [m] the hip of a leg must come down, or its ankle (F, 3) be raised, for it to be no straighter
    than the clip has it. limit: the most, as a share of its length."""
    length, hips = _leg_lengths(clip, leg), clip.positions[:, leg[0]]
    spans = np.linalg.norm(clip.positions[:, leg[2]] - hips, axis=1)
    reach = np.clip(spans, ALWAYS_REACHED * length, NEVER_STRAIGHTER * length)
    return drop_to_reach(hips, ankle, reach, limit * length)


def _leg_lengths(clip: Clip, leg: tuple[int, int, int]) -> Array:
    """Lengths (F,) [m] of thigh and shin together."""
    hip, knee, ankle = (clip.positions[:, joint] for joint in leg)
    return np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1)


def drop_to_reach(hips: Array, ankles: Array, reach: Array, most: Array) -> Array:
    """How far (F,) [m] hips (F, 3) must come down to have ankles (F, 3) within `reach` (F,) [m]; `most` at
    most."""
    across = ankles - hips
    level = across[:, 0] ** 2 + across[:, 2] ** 2
    span = np.sqrt(np.maximum(reach**2 - level, 0.0))
    return np.clip(-across[:, 1] - span, 0.0, most)
