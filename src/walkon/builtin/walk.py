"""A person walking straight ahead.

Keys are by phase of the left leg's cycle: 0 is its heel strike, the right leg follows half a cycle later.
The shapes are those of normative gait data (Perry; Winter): pelvis highest in mid-stance, lowest when both
feet carry; heel strike with toes up, foot flat, heel off, toe off; arms against legs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.builtin.footwork import SIDES, Foot, Plant, Swing, Track, follow_plants, join_contacts
from walkon.builtin.human import human_feet, look, pose_arm, pose_trunk, stand_leg
from walkon.builtin.keyframes import Curve, cycle_channels, held_cycle
from walkon.builtin.posing import Poser, turned
from walkon.builtin.skeletons import HUMAN_HEIGHT, human_skeleton, stature_ratio
from walkon.builtin.timing import checked, cycle_times
from walkon.motion import Clip, Label
from walkon.skeleton import Skeleton

Array = NDArray[np.float64]

WALK_SPEED = 1.35
"""Preferred walking speed of adults [m/s]."""

WALK_RATIO = 0.39
"""Step length over step frequency [m/Hz]: nearly the same for a person at every speed they walk at."""

SLOWEST, FASTEST = 0.5, 2.0
"""Speeds [m/s] at which a person of 1.75 m can be seen walking rather than shuffling or running."""

SHORTEST, LONGEST = 0.35, 0.95
"""Step lengths [m] of such a person."""

STEP_WIDTH = 0.055
"""Distance between the ankles' lines in shares of stature."""

TOE_OUT = 6.0
"""Degrees by which each foot points outwards."""

LANDING = 0.237
"""How far before the pelvis the heel lands, as the ankle's place when flat, in shares of the stride."""

LONGEST_LEG = 0.996
"""Share of thigh and shank that the leg may span at its longest: about 10 degrees of knee bend."""

KEYED_DUTY = 0.62
"""Phase of toe off in the keys below."""

# Degrees, toes up positive.
FOOT_PITCH = {0.00: 19, 0.08: 0, 0.28: 0, 0.41: -3, 0.51: -23, 0.62: -72, 0.67: -78, 0.75: -51, 0.85: -8, 0.95: 23}
# Fraction of the swing -> height of the ankle above where it rests when flat, in shares of stature.
ANKLE_LIFT = {0.18: 0.104, 0.42: 0.065, 0.70: 0.012, 0.88: 0.014}

# Degrees, and metres for a stature of 1.75. `list` raises the left hip, `turn` brings the right one forward.
BODY = """
phase  rise    sway    surge   tilt  list  turn  bend  twist  lean
0.00  -0.017   0.000   0.005   4.0   0.0  -6.0   0.0   9.0    0.0
0.06  -0.012   .       .       .     .     .     .     .      .
0.15   0.000   0.016   .       .     4.5   .     .     .     -4.0
0.25   0.013   .      -0.005   5.0   .     0.0   1.0   0.0    .
0.30   0.017   0.022   .       .     .     .     .     .      .
0.34   0.014   .       .       .     .     .     .     .      .
0.40   0.000   .       .       .     0.5   .     .     .     -0.5
0.46  -0.014   .       .       .     .     .     .     .      .
0.50  -0.017   0.000   0.005   4.0   0.0   6.0   0.0  -9.0    0.0
0.56  -0.012   .       .       .     .     .     .     .      .
0.65   0.000  -0.016   .       .    -4.5   .     .     .      4.0
0.75   0.013   .      -0.005   5.0   .     0.0   1.0   0.0    .
0.80   0.017  -0.022   .       .     .     .     .     .      .
0.84   0.014   .       .       .     .     .     .     .      .
0.90   0.000   .       .       .    -0.5   .     .     .      0.5
0.96  -0.014   .       .       .     .     .     .     .      .
"""
ARM = """
phase  swing  elbow  inward
0.00   -26    12     10
0.25    -4    18     18
0.50    20    34     28
0.75     0    24     20
"""


@dataclass(frozen=True)
class Stride:
    """The measures of one walk.

    period [s] and length [m]: of a full cycle, two steps. duty: share of the cycle a foot is on the ground.
    scale: stature over that of the person the keys were written for.
    """

    period: float
    length: float
    duty: float
    scale: float

    @property
    def vigour(self) -> float:
        """Length over that of the preferred stride: what swings with the legs swings by so much."""
        return self.length / (1.45 * self.scale)


def make_walk(
    skeleton: Skeleton | None = None,
    *,
    speed: float | None = None,
    step_length: float | None = None,
    cycles: int = 2,
    fps: float = 30.0,
) -> Clip:
    """A person walks along +z at `speed` [m/s] for so many cycles of two steps; loops without a seam.

    speed, step_length [m]: by default what people of that stature choose, the latter at the given speed. The
    cycle is fitted to a whole number of frames, so the steps may come out a little longer or shorter than
    asked; the speed is exact.
    """
    skeleton = skeleton or human_skeleton()
    scale = stature_ratio(skeleton)
    # Bodies of different size move alike when their speeds go with the root of their size (Froude).
    froude = np.sqrt(scale)
    speed = checked("walking speed", speed, WALK_SPEED * froude, (SLOWEST * froude, FASTEST * froude), "m/s")
    preferred = np.sqrt(speed * WALK_RATIO * scale * froude)
    step = checked("step length", step_length, preferred, (SHORTEST * scale, LONGEST * scale), "m")
    period, times = cycle_times(2.0 * step / speed, cycles, fps)
    duty = float(np.clip(KEYED_DUTY - 0.06 * (speed / froude - WALK_SPEED), 0.58, 0.68))
    stride = Stride(period, speed * period, duty, scale)
    feet = human_feet(skeleton)
    tracks = {side: _walk_foot(feet[side], side, stride, cycles, times) for side in SIDES}
    poser = Poser(skeleton, np.zeros((len(times), 3)))
    _pose_body(poser, times / period, stride)
    _raise_pelvis(poser, tracks)
    for side, track in tracks.items():
        stand_leg(poser, side, track)
    return poser.clip("walk", fps, join_contacts(list(tracks.values())), [Label("walk", 0, len(times))])


def _walk_foot(foot: Foot, side: str, stride: Stride, cycles: int, times: Array) -> Track:
    late, out = (0.0, 1.0) if side == "Left" else (0.5, -1.0)
    stature = HUMAN_HEIGHT * stride.scale
    plants = [
        Plant(
            start=(n + late) * stride.period,
            stop=(n + late + stride.duty) * stride.period,
            x=out * 0.5 * STEP_WIDTH * stature,
            z=(n + late + LANDING) * stride.length,
            heading=np.radians(out * TOE_OUT),
        )
        for n in range(-2, cycles + 1)
    ]
    # Short steps roll and lift the foot less, but never drag it.
    size = min(1.15, np.sqrt(stride.vigour))
    lift = {fraction: size * share * stature for fraction, share in ANKLE_LIFT.items()}
    return follow_plants(foot, plants, _foot_pitch(size, stride, late), times, Swing(lift))


def _foot_pitch(size: float, stride: Stride, late: float) -> Curve:
    """The keyed pitch as a curve of time, stance and swing each stretched to this stride's duty."""
    stance, swing = stride.duty / KEYED_DUTY, (1.0 - stride.duty) / (1.0 - KEYED_DUTY)
    curve = held_cycle(
        {
            phase * stance if phase <= KEYED_DUTY else 1.0 - (1.0 - phase) * swing: size * pitch
            for phase, pitch in FOOT_PITCH.items()
        }
    )
    return lambda time: curve(np.asarray(time) / stride.period - late)


def _pose_body(poser: Poser, phase: Array, stride: Stride) -> None:
    """Pelvis, trunk, head and arms; the height of the pelvis is still relative to its mean."""
    vigour = stride.vigour
    body = cycle_channels(BODY, phase)
    # A compass with longer steps dips with the square of their length.
    rise, surge = vigour**2 * body["rise"], vigour * body["surge"]
    poser.root_positions[:] = stride.scale * np.stack([body["sway"], rise, surge], axis=1)
    poser.root_positions[:, 2] += stride.length * phase
    pelvis = turned(body["tilt"], vigour * body["turn"], body["list"])
    pose_trunk(poser, pelvis, body["bend"], vigour * body["twist"], body["lean"])
    look(poser, turned(bend=4.0))
    for side, late in zip(SIDES, (0.0, 0.5), strict=True):
        arm = cycle_channels(ARM, phase - late)
        pose_arm(
            poser, side, vigour * arm["swing"], spread=9.0, inward=arm["inward"], elbow=arm["elbow"], wrist=8.0
        )


def _raise_pelvis(poser: Poser, tracks: dict[str, Track]) -> None:
    """Carry the pelvis as high as the longest reach of either leg allows, keeping its rise and fall."""
    room = []
    for side, track in tracks.items():
        hips, _ = poser.frame(f"{side}UpLeg")
        bones = [poser.skeleton.index(f"{side}{bone}") for bone in ("Leg", "Foot")]
        span = LONGEST_LEG * poser.skeleton.lengths[bones].sum()
        across = np.linalg.norm((track.ankles - hips)[:, [0, 2]], axis=1)
        room.append(track.ankles[:, 1] + np.sqrt(np.maximum(span**2 - across**2, 0.0)) - hips[:, 1])
    poser.root_positions[:, 1] += np.min(room)
