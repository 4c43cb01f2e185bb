"""A skateboarder's feet: the front one on its bolts, the rear one on the deck or off to push and to brake."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.builtin.footwork import FootShape, FootTrack, Plant, planted_ankle, track_of, travel
from walkon.builtin.keyframes import Curve, Keys, scaled, sequence
from walkon.builtin.posing import turned
from walkon.builtin.skateboard.ride import DECK_TOP, Ride
from walkon.builtin.skeletons import WHEELBASE
from walkon.rotations import multiply, rotate
from walkon.skeleton import Skeleton

REAR_FOOT = (0.062, -WHEELBASE - 0.02, -96.0)
"""Where the ankle of the right foot stands on the deck, from the front bolts [m], and where its toes point."""

LEAVE, PUSH, MOUNT = "leave", "push", "mount"
"""Ways of the rear foot: from the deck to the ground, from push to push, from the ground to the deck."""

LIFT: Mapping[str, Keys] = {
    LEAVE: {0.30: 0.26, 0.62: 0.17, 0.88: 0.04},
    PUSH: {0.22: 0.19, 0.55: 0.13, 0.85: 0.05},
    MOUNT: {0.22: 0.22, 0.55: 0.31, 0.85: 0.19},
}
AHEAD: Mapping[str, Keys] = {
    LEAVE: {0.30: -0.36},
    PUSH: {0.22: -0.42, 0.55: -0.10},
    MOUNT: {0.22: -0.42, 0.55: -0.47},
}
"""Fraction of the way -> ankle above where it stands on the ground, and before the front bolts [m]: on the way
from the deck, from push to push, and up to the deck."""


@dataclass(frozen=True)
class RearStep:
    """The rear foot on the ground from `start` to `stop` [s].

    ahead: [m] before the front bolts when it comes down; side: [m] to the left. A braking foot slides along with
    the board, flat.
    """

    start: float
    stop: float
    ahead: float = 0.22
    side: float = -0.20
    brakes: bool = False


@dataclass(frozen=True)
class Excursion:
    """The rear foot leaves the deck at time `off`, takes steps, and is back at time `on` [s]."""

    off: float
    steps: tuple[RearStep, ...]
    on: float

    def pitch(self) -> Keys:
        """Pitch of the foot by time [s]: degrees, toes up positive."""
        keys: dict[float, float] = {self.off: 0.0, self.off + 0.10: -16.0}
        for step in self.steps:
            if step.brakes:
                keys |= {step.start - 0.12: 8.0, step.start: 0.0, step.stop: 0.0}
            else:
                keys |= {step.start - 0.14: 4.0, step.start: 6.0, step.start + 0.06: 0.0, step.stop - 0.18: 0.0}
                keys |= {step.stop: -54.0, step.stop + 0.05: -58.0, step.stop + 0.21: -40.0}
        return keys | {self.on - 0.12: -6.0, self.on: 0.0}

    def yaw(self) -> Keys:
        """Degrees the toes point to the left of the board's nose by time [s]."""
        on_deck, on_ground = REAR_FOOT[2], 0.0
        first, last = self.steps[0].start - 0.04, self.steps[-1].stop
        return {self.off: on_deck, first: on_ground, last: on_ground, self.on: on_deck}


def front_foot(skeleton: Skeleton, ride: Ride, times: Array, toes: Array) -> FootTrack:
    """The foot whose arch is over the front bolts; toes: degrees (F,) to the left of the board's nose."""
    rotations = multiply(ride.deck(times), turned(turn=toes))
    bolts = ride.to_world(times, ride.bolts(times))
    ankles = bolts - rotate(rotations, skeleton.offsets[skeleton.index("Board")])
    return FootTrack(ankles, rotations, turned(), (), np.zeros((len(rotations), 0), dtype=bool))


def rear_foot(foot: FootShape, ride: Ride, times: Array, scale: float, excursion: Excursion | None) -> FootTrack:
    """The other foot; worked out in the frame of the board."""
    on_deck = np.array([REAR_FOOT[0], DECK_TOP + foot.height, REAR_FOOT[1]])
    ankles = np.tile(on_deck, (len(times), 1))
    toes, pitch = np.full(len(times), REAR_FOOT[2]), np.zeros(len(times))
    planted = np.zeros(len(times), dtype=bool)
    if excursion is not None:
        roll = sequence(excursion.pitch())
        toes, pitch = sequence(excursion.yaw())(times), roll(times)
        supports = _supports(foot, ride, roll, scale, excursion, on_deck)
        _follow(ankles, times, supports, foot.height, scale)
        for step in excursion.steps:
            planted |= (times >= step.start) & (times <= step.stop) & (not step.brakes)
    track = track_of(foot, ankles, np.radians(toes), pitch, np.ones(len(times)), planted)
    rotations = multiply(ride.deck(times), track.foot_rotations)
    return replace(track, ankles=ride.to_world(times, ride.on_deck(times, ankles)), foot_rotations=rotations)


@dataclass(frozen=True)
class _Support:
    """From when to when [s] the foot stands, where its ankle is then in the board's frame, how it came there."""

    start: float
    stop: float
    place: Curve
    way: str


def _supports(
    foot: FootShape, ride: Ride, pitch: Curve, scale: float, excursion: Excursion, on_deck: Array
) -> list[_Support]:
    def resting(at: ArrayLike) -> Array:
        return np.broadcast_to(on_deck, (*np.shape(at), 3))

    steps = [
        _Support(step.start, step.stop, _on_ground(foot, ride, pitch, scale, step), PUSH if k else LEAVE)
        for k, step in enumerate(excursion.steps)
    ]
    return [
        _Support(-np.inf, excursion.off, resting, LEAVE),
        *steps,
        _Support(excursion.on, np.inf, resting, MOUNT),
    ]


def _on_ground(foot: FootShape, ride: Ride, pitch: Curve, scale: float, step: RearStep) -> Curve:
    """Where the ankle is (..., 3) [m] in the board's frame at times (...) of a step."""
    if step.brakes:
        dragged = np.array([step.side, foot.height, step.ahead * scale])
        return lambda at: np.broadcast_to(dragged, (*np.shape(at), 3))
    x, _, z = ride.to_world(step.start, np.array([step.side, 0.0, step.ahead * scale]))
    plant = Plant(step.start, step.stop, float(x), float(z), float(np.radians(ride.heading(step.start))))
    return lambda at: ride.to_board(at, planted_ankle(foot, plant, pitch(at)))


def _follow(ankles: Array, times: Array, supports: list[_Support], height: float, scale: float) -> None:
    """Fill in where the ankle is (F, 3) [m] on its supports and between them."""
    for support in supports:
        here = (times >= support.start) & (times <= support.stop)
        ankles[here] = support.place(times[here])
    for before, after in pairwise(supports):
        away = (times > before.stop) & (times < after.start)
        lift = {fraction: height + scale * up for fraction, up in LIFT[after.way].items()}
        way = travel(
            before.stop, after.start, before.place, after.place, (None, lift, scaled(AHEAD[after.way], scale))
        )
        ankles[away] = way(times[away])
