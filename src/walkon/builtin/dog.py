"""A dog trots: diagonal legs together, two beats a stride, the body lowest while a pair carries it.

Keys are by phase of the stride: at 0 the left fore and right hind paws land, half a stride later the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.builtin.footwork import SIDES, FootTrack, Plant, Swing, follow_plants, foot_of, join_contacts, set_foot
from walkon.builtin.keyframes import Keys, cycle, cycle_channels, held_cycle, scaled
from walkon.builtin.posing import Poser, turned
from walkon.builtin.skeletons import DOG_HEIGHT, dog_skeleton, withers_ratio
from walkon.builtin.timing import checked, cycle_times
from walkon.motion import Clip, Label
from walkon.skeleton import Skeleton

TROT_SPEED = 1.8
"""Comfortable trotting speed of the default dog [m/s]."""

SLOWEST, FASTEST = 1.2, 2.4
"""Speeds [m/s] at which that dog would trot rather than walk or gallop."""

TROT_PERIOD = 0.47
"""Seconds a stride takes at its comfortable speed."""

TROT_DUTY = 0.45
"""Share of a stride that a paw is on the ground; below one half, so the dog floats between the beats."""

NARROW = 0.8
"""Paws come down nearer to the middle than they stand, by this factor."""


@dataclass(frozen=True)
class DogLeg:
    """One kind of leg: its joints without their side, from shoulder or hip to the tip of the paw.

    hinge: (3,) axis about which the middle joint folds. pitch: of the paw by phase since it landed, degrees,
    toes up positive. lift: of the carpus or hock by fraction of the swing, in shares of the dog's height.
    ahead: how far the middle of a stance is before where the paw rests, in shares of the dog's height.
    late: phase at which each side lands.
    """

    joints: tuple[str, str, str, str, str]
    hinge: Array
    pitch: Keys
    lift: Keys
    ahead: float
    late: dict[str, float]


FORE = DogLeg(
    joints=("Arm", "ForeArm", "Hand", "FingerBase", "FingerTip"),
    hinge=np.array([-1.0, 0.0, 0.0]),
    pitch={0.00: 24, 0.14: 17, 0.30: 4, 0.46: -42, 0.58: -86, 0.70: -80, 0.85: -14, 0.96: 26},
    lift={0.25: 0.17, 0.50: 0.20, 0.78: 0.10},
    ahead=0.0,
    late={"Left": 0.0, "Right": 0.5},
)
HIND = DogLeg(
    joints=("UpLeg", "Leg", "Foot", "ToeBase", "ToeTip"),
    hinge=np.array([1.0, 0.0, 0.0]),
    pitch={0.00: 22, 0.14: 16, 0.30: 2, 0.46: -46, 0.57: -68, 0.72: -40, 0.86: 2, 0.95: 24},
    lift={0.25: 0.12, 0.50: 0.12, 0.78: 0.05},
    ahead=0.08,
    late={"Left": 0.5, "Right": 0.0},
)

# `rise` in shares of height, the rest in degrees.
TROT_BODY = """
phase  rise    pitch  list  curve  nod
0.00  -0.006    0.0   -1.5   2.0    0
0.23  -0.032    0.8   -2.5   3.0    3
0.47   0.004   -0.8    0.0   0.0   -3
0.50  -0.006    0.0    1.5  -2.0    0
0.73  -0.032    0.8    2.5  -3.0    3
0.97   0.004   -0.8    0.0   0.0   -3
"""
SHOULDER_BLADE = {0.00: 24, 0.46: -22, 0.75: 2}
"""Degrees the shoulder blade swings forward, by phase since its paw landed."""

TAIL_CURL = {"Tail": 34.0, "Tail1": 20.0, "Tail2": 18.0}
"""Degrees the tail is carried up, joint by joint."""


def make_dog(
    skeleton: Skeleton | None = None, *, speed: float | None = None, cycles: int = 4, fps: float = 30.0
) -> Clip:
    """A dog trots along +z at `speed` [m/s] for `cycles` strides; loops without a seam."""
    skeleton = skeleton or dog_skeleton()
    scale = withers_ratio(skeleton)
    froude = np.sqrt(scale)
    speed = checked("trotting speed", speed, TROT_SPEED * froude, (SLOWEST * froude, FASTEST * froude), "m/s")
    period, times = cycle_times(TROT_PERIOD * np.sqrt(TROT_SPEED / speed * scale * froude), cycles, fps)
    poser = Poser(skeleton, np.zeros((len(times), 3)))
    _pose_body(poser, times / period, speed * times, scale * DOG_HEIGHT)
    tracks = []
    for leg in (FORE, HIND):
        for side in SIDES:
            tracks.append(_paw_track(skeleton, leg, side, speed, period, cycles, times))
            _pose_leg(poser, leg, side, tracks[-1])
    return poser.clip("dog", fps, join_contacts(tracks), [Label("trot", 0, len(times))])


def _paw_track(
    skeleton: Skeleton, leg: DogLeg, side: str, speed: float, period: float, cycles: int, times: Array
) -> FootTrack:
    ankle, toes, tip = (side + part for part in leg.joints[2:])
    height, late = withers_ratio(skeleton) * DOG_HEIGHT, leg.late[side]
    x, _, z = skeleton.rest_positions[skeleton.index(ankle)]
    landing = z + leg.ahead * height + 0.5 * TROT_DUTY * speed * period
    plants = [
        Plant(
            start=(n + late) * period,
            stop=(n + late + TROT_DUTY) * period,
            x=NARROW * x,
            z=(n + late) * speed * period + landing,
        )
        for n in range(-2, cycles + 1)
    ]
    swing = Swing(scaled(leg.lift, height), settle=0.6)
    pitch = held_cycle(leg.pitch)
    foot = foot_of(skeleton, ankle, toes, tip)
    return follow_plants(foot, plants, lambda time: pitch(np.asarray(time) / period - late), times, swing)


def _pose_leg(poser: Poser, leg: DogLeg, side: str, track: FootTrack) -> None:
    upper, lower, ankle, toes, _ = (side + part for part in leg.joints)
    set_foot(poser, (upper, lower, ankle, toes), track, leg.hinge, leg.hinge)


def _pose_body(poser: Poser, phase: Array, forward: Array, height: float) -> None:
    body = cycle_channels(TROT_BODY, phase)
    rise = poser.skeleton.offsets[0, 1] + height * body["rise"]
    poser.root_positions[:] = np.stack([np.zeros(len(phase)), rise, forward], axis=1)
    poser.turn("Hips", turned(body["pitch"], -body["curve"], body["list"]))
    for joint in ("Spine", "Spine1", "Chest"):
        poser.turn(joint, turned(-0.3 * body["pitch"], 0.5 * body["curve"], -0.4 * body["list"]))
    for joint in ("Neck", "Neck1", "Head"):
        poser.turn(joint, turned(0.4 * body["nod"], -0.15 * body["curve"]))
    for joint, curl in TAIL_CURL.items():
        poser.turn(joint, turned(curl + body["nod"], 2.5 * body["curve"]))
    for side in SIDES:
        poser.turn(f"{side}Shoulder", turned(-cycle(SHOULDER_BLADE)(phase - FORE.late[side])))
