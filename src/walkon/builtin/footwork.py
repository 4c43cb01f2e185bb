"""Feet that stand: planted exactly, rolling over heel, ball and toes, and swinging from plant to plant.

A foot is a heel, an ankle, a ball and a toe tip. While planted, its pitch (degrees, positive toes up) decides
which of them carries it: the heel at positive pitch, all at zero, the ball when the heel lifts, and the toe
tip when the toes bend no further. The joint that carries the foot does not move at all. A paw is a foot
without a heel: the ball carries it at any pitch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.basics import Array
from walkon.builtin.keyframes import Curve, Keys, bridge, ease, sequence
from walkon.builtin.posing import Poser, turned
from walkon.motion import Contacts
from walkon.rotations import multiply, rotation_about_y
from walkon.skeleton import Skeleton

SIDES = ("Left", "Right")
"""How names of joints begin that there are two of."""

OUTWARDS = {"Left": 1.0, "Right": -1.0}
"""Which way along x is away from the middle of the body."""

TOE_LIMIT = 48.0
"""How far the toes bend back before the foot rolls over their tips [degrees]."""

TOE_SOFTNESS = 5.0
"""Over how many degrees that limit makes itself felt."""

FLAT_PITCH = 0.2
"""A part of the foot within this pitch of flat [degrees] still stands on the ground."""

_INSTANT = 1e-4
"""Time step [s] to measure the speed at which a foot leaves or meets its plant."""


@dataclass(frozen=True)
class FootShape:
    """One foot's joints and shape; vectors (3,) [m] in the foot's frame at rest.

    ankle, toes, tip, heel: names of the joints; a paw has no heel.
    to_ball, to_heel: from the ankle; to_tip: from the ball; height: of the ankle above ground when flat.
    """

    ankle: str
    toes: str
    tip: str
    heel: str | None
    to_ball: Array
    to_tip: Array
    to_heel: Array
    height: float


def foot_of(
    skeleton: Skeleton, ankle: str, toes: str, tip: str, heel: str | None = None, ground: float = 0.0
) -> FootShape:
    """The foot between the named joints of a skeleton that rests on soles `ground` [m] above the origin."""

    def offset(joint: str) -> Array:
        return skeleton.offsets[skeleton.index(joint)]

    height = float(skeleton.offsets[0, 1] + skeleton.rest_positions[skeleton.index(ankle), 1]) - ground
    to_heel = offset(heel) if heel else np.zeros(3)
    return FootShape(ankle, toes, tip, heel, offset(toes), offset(tip), to_heel, height)


@dataclass(frozen=True)
class Plant:
    """A foot on the ground from `start` to `stop` [s].

    x, z [m]: the point below the ankle when the foot is flat; y [m]: height of the ground there.
    heading [rad]: where the toes point.
    """

    start: float
    stop: float
    x: float
    z: float
    heading: float = 0.0
    y: float = 0.0


@dataclass(frozen=True)
class FootTrack:
    """One foot over all frames.

    ankles: (F, 3) [m]; foot_rotations: (F, 4) of the ankle joint in the world; toe_rotations: (F, 4) local.
    joints: names of the joints that may be planted; planted: (F, len(joints)).
    """

    ankles: Array
    foot_rotations: Array
    toe_rotations: Array
    joints: tuple[str, ...]
    planted: NDArray[np.bool_]


@dataclass(frozen=True)
class Swing:
    """How an ankle travels from one plant to the next; keys are at fractions in (0, 1) of the time it takes.

    lift: height [m] above the line between the two plants. settle: fraction after which the toes are straight.
    carrier: where something else, such as the pelvis in free fall, is at times (...) [s] -> (..., 3) [m]; with
    a carrier, `lift` is the height above it and `forward` (z) [m] is how far before it.
    """

    lift: Keys
    settle: float = 0.35
    carrier: Curve | None = None
    forward: Keys | None = None


def follow_plants(
    foot: FootShape, plants: Sequence[Plant], pitch: Curve, times: ArrayLike, swing: Swing
) -> FootTrack:
    """The track of a foot that stands on `plants`, in order of time, and swings from each to the next.

    pitch: degrees at a time [s]. Before the first plant and after the last the foot stands on those.
    """
    times = np.asarray(times, dtype=np.float64)
    ankles, headings = np.empty((len(times), 3)), np.empty(len(times))
    relax, standing = np.ones(len(times)), np.zeros(len(times), dtype=bool)
    for plant in plants:
        here = (times >= plant.start) & (times <= plant.stop)
        ankles[here], headings[here] = planted_ankle(foot, plant, pitch(times[here])), plant.heading
        standing |= here
    for plant, following in pairwise(plants):
        away = (times > plant.stop) & (times < following.start)
        ankles[away] = _swing_path(foot, plant, following, pitch, swing)(times[away])
        fraction = (times[away] - plant.stop) / (following.start - plant.stop)
        headings[away] = plant.heading + (following.heading - plant.heading) * ease(fraction)
        relax[away] = 1.0 - ease(fraction / swing.settle)
    return track_of(foot, ankles, headings, pitch(times), relax, standing)


def follow_points(plants: Sequence[Plant], times: ArrayLike, lift: Keys) -> tuple[Array, NDArray[np.bool_]]:
    """Path (F, 3) [m] of a hand or knee that rests on `plants`, lifted between them, and when it rests (F,).

    It leaves and arrives without speed. lift: fraction of the way -> height [m] above the line between plants.
    """
    times = np.asarray(times, dtype=np.float64)
    path, resting = np.empty((len(times), 3)), np.zeros(len(times), dtype=bool)
    for plant in plants:
        here = (times >= plant.start) & (times <= plant.stop)
        path[here] = (plant.x, plant.y, plant.z)
        resting |= here
    up = sequence({0.0: 0.0, **lift, 1.0: 0.0})
    for plant, following in pairwise(plants):
        away = (times > plant.stop) & (times < following.start)
        fraction = (times[away] - plant.stop) / (following.start - plant.stop)
        start, stop = (np.array([point.x, point.y, point.z]) for point in (plant, following))
        path[away] = start + (stop - start) * ease(fraction)[:, None]
        path[away, 1] += up(fraction)
    return path, resting


def set_foot(
    poser: Poser, joints: tuple[str, str, str, str], track: FootTrack, hinge: Array, hinges: ArrayLike
) -> None:
    """Put a foot where its track says: the ankle by two-bone reach, then the foot and the toes.

    joints: hip or shoulder, knee or elbow, ankle and toes. hinge, hinges: as in `Poser.reach`.
    """
    upper, lower, ankle, toes = joints
    poser.reach(upper, lower, ankle, track.ankles, hinge, hinges)
    poser.face(ankle, track.foot_rotations)
    poser.turn(toes, track.toe_rotations)


def join_contacts(tracks: Sequence[FootTrack]) -> Contacts:
    """The contacts of several feet as one table."""
    joints = tuple(joint for track in tracks for joint in track.joints)
    return Contacts(joints, np.concatenate([track.planted for track in tracks], axis=1))


def track_of(
    foot: FootShape, ankles: Array, headings: Array, pitch: Array, relax: Array, standing: NDArray[np.bool_]
) -> FootTrack:
    """Rotations and contacts that go with a foot's path.

    ankles: (F, 3) [m]; headings: (F,) [rad]; pitch: (F,) [degrees]; relax: (F,) how much of the toes' bend is
    kept, 1 on the ground; standing: (F,) whether the foot is planted at all.
    """
    toes, over_tip = _toe_bend(foot, pitch)
    on_toes = standing & (pitch <= FLAT_PITCH) if foot.heel else standing
    parts = {foot.toes: on_toes & (over_tip < FLAT_PITCH), foot.tip: on_toes}
    if foot.heel:
        parts = {foot.heel: standing & (pitch >= -FLAT_PITCH)} | parts
    rotations = multiply(rotation_about_y(headings), turned(bend=-pitch))
    planted = np.stack(list(parts.values()), axis=1)
    return FootTrack(ankles, rotations, turned(bend=-toes * relax), tuple(parts), planted)


def _toe_bend(foot: FootShape, pitch: Array) -> tuple[Array, Array]:
    """How far the toes bend back to stay flat, and how far the foot has rolled over their tips [degrees]."""
    # On a raised toe the heel carries, and the toes go up with the foot; a paw keeps them on the ground.
    heel_lift = np.maximum(-pitch, 0.0) if foot.heel else -pitch
    beyond = TOE_SOFTNESS * np.logaddexp(0.0, (heel_lift - TOE_LIMIT) / TOE_SOFTNESS)
    beyond = np.minimum(beyond, np.maximum(heel_lift, 0.0))
    return heel_lift - beyond, beyond


def planted_ankle(foot: FootShape, plant: Plant, pitch: Array) -> Array:
    """Where the ankle is (..., 3) [m] while the foot rolls over its plant at the given pitch (...) [degrees]."""
    _, over_tip = _toe_bend(foot, pitch)
    on_heel = np.maximum(pitch, 0.0) if foot.heel else np.zeros_like(pitch)
    rolled = (
        _rolled(foot.to_heel, -on_heel) + _rolled(foot.to_ball, on_heel - pitch) + _rolled(foot.to_tip, over_tip)
    )
    up, ahead = rolled[..., 1], rolled[..., 2]
    x, z = plant.x + ahead * np.sin(plant.heading), plant.z + ahead * np.cos(plant.heading)
    return np.stack([x, plant.y + foot.height + up, z], axis=-1)


def sole_clearance(foot: FootShape, heights: Array, pitch: Array, relax: Array) -> Array:
    """How high (F,) [m] the lowest part of a foot is above the ground, soles and all.

    heights: (F,) of the ankle [m]; pitch: (F,) [degrees]; relax: (F,) as in `track_of`.
    """
    toes, _ = _toe_bend(foot, pitch)

    def rise(arm: Array, angle: Array) -> Array:
        return arm[1] * (np.cos(np.radians(angle)) - 1.0) + arm[2] * np.sin(np.radians(angle))

    heel, ball = rise(foot.to_heel, pitch), rise(foot.to_ball, pitch)
    tip = ball + rise(foot.to_tip, pitch + toes * relax)
    return heights - foot.height + np.minimum(np.minimum(heel, ball), tip)


def _rolled(arm: Array, bend: Array) -> Array:
    """How far (..., 3) the near end of an arm (3,) [m] moves that pitches down (...) [degrees] about its tip."""
    sine, lost = np.sin(np.radians(bend)), 1.0 - np.cos(np.radians(bend))
    return np.stack([0.0 * sine, arm[1] * lost + arm[2] * sine, arm[2] * lost - arm[1] * sine], axis=-1)


def travel(leave: float, arrive: float, off: Curve, onto: Curve, via: Sequence[Keys | None]) -> Curve:
    """Path (..., 3) [m] of an ankle from the place `off` to the place `onto`, both of which may be moving.

    It leaves and arrives at the speed of either place. via: for x, y and z the keys on the way, or None.
    """
    ends = np.stack([off(leave), onto(arrive)])
    speeds = np.stack([ends[0] - off(leave - _INSTANT), onto(arrive + _INSTANT) - ends[1]]) / _INSTANT
    return bridged(leave, arrive, ends, speeds, via)


def bridged(leave: float, arrive: float, ends: Array, speeds: Array, via: Sequence[Keys | None]) -> Curve:
    """Path (..., 3) [m] between two `ends` (2, 3) [m], which it leaves and reaches at `speeds` (2, 3) [m/s]."""
    axes = [bridge(leave, arrive, ends[:, k], speeds[:, k], via[k]) for k in range(3)]
    return lambda times: np.stack([axis(times) for axis in axes], axis=-1)


def _swing_path(foot: FootShape, plant: Plant, following: Plant, pitch: Curve, swing: Swing) -> Curve:
    """Path of the ankle from one plant to the next."""
    carrier = swing.carrier or (lambda time: np.zeros((*np.shape(time), 3)))

    def place(plant: Plant) -> Curve:
        return lambda time: planted_ankle(foot, plant, pitch(time)) - carrier(time)

    lift = swing.lift
    if swing.carrier is None:
        lift = {s: plant.y + s * (following.y - plant.y) + foot.height + up for s, up in lift.items()}
    way = travel(plant.stop, following.start, place(plant), place(following), (None, lift, swing.forward))
    return lambda times: carrier(times) + way(times)
