"""A skateboarder pushes twice, steps on, glides, and carves a crouched turn to the right.

The rider is keyed in the frame of the board, which rolls along its own path; the pushing foot alone belongs to
the ground. The left foot rides on the front bolts all the time. The rider leans into the turn by as much as
speed and turn rate ask for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.interpolate import CubicSpline

from walkon.builtin.footwork import SIDES, Foot, Plant, Track, planted_ankle, track_of, travel
from walkon.builtin.human import human_feet, look, pose_arm, pose_trunk, stand_leg
from walkon.builtin.keyframes import Curve, ease, sequence, sequence_channels
from walkon.builtin.posing import GRAVITY, Poser, turned
from walkon.builtin.skeletons import (
    DECK_HEIGHT,
    DECK_THICKNESS,
    HUMAN_HEIGHT,
    WHEELBASE,
    skateboarder_skeleton,
    stature_ratio,
)
from walkon.builtin.timing import checked, frame_times
from walkon.motion import Clip, Contacts, Label
from walkon.rotations import conjugate, multiply, rotate
from walkon.skeleton import Skeleton

Array = NDArray[np.float64]

SHORTEST, TALLEST = 1.4, 2.1
"""Statures [m] of those whose legs fit this board."""

END = 5.4
PUSHES = ((-0.62, -0.30), (0.32, 0.63), (1.24, 1.54))
"""When the right foot is on the ground [s]; the first push is over as the clip begins."""

STEPPED_ON = 2.10
"""When the right foot arrives on the deck [s]."""

STAGES = {"push": 0.0, "glide": STEPPED_ON, "crouch turn": 2.9, "rise": 4.6}
"""When each labelled stretch begins [s]."""

DECK_TOP = DECK_HEIGHT + DECK_THICKNESS / 2
PUSH_SIDE, PUSH_AHEAD = -0.20, 0.22
"""Where the pushing foot lands, from the front bolts [m]."""

REAR_FOOT = (0.062, -WHEELBASE - 0.02, -96.0)
"""Where the ankle of the right foot stands on the deck, from the front bolts [m], and where its toes point."""

DECK_TILT = 0.45
"""How much of the rider's lean the deck follows before the trucks hold it."""

SPEED = {-0.7: 1.55, -0.3: 2.0, 0.32: 1.85, 0.66: 2.35, 1.24: 2.25, 1.56: 2.75, 3.0: 2.55, 5.4: 2.3}
HEADING = {2.95: 0.0, 4.55: -88.0}
"""Speed [m/s] and heading [degrees, left positive] of the board by time [s]."""

FOOT_PITCH = {
    -0.46: 0, -0.30: -52, -0.12: -40, 0.16: 4, 0.32: 6, 0.38: 0, 0.45: 0, 0.63: -54, 0.68: -58, 0.84: -40, 1.08: 4,
    1.24: 6, 1.30: 0, 1.37: 0, 1.54: -54, 1.59: -58, 1.75: -40, 1.98: -6, 2.10: 0,
}  # fmt: skip
SWING_LIFT, SWING_AHEAD = {0.22: 0.19, 0.55: 0.13, 0.85: 0.05}, {0.22: -0.42, 0.55: -0.10}
STEP_LIFT, STEP_AHEAD = {0.22: 0.22, 0.55: 0.31, 0.85: 0.19}, {0.22: -0.42, 0.55: -0.47}
"""Fraction of the way -> ankle above where it stands on the ground, and before the front bolts [m]: between
pushes, and up to the deck."""

# Pelvis from the front bolts in metres, for a stature of 1.75, in the frame of the board. Degrees: `facing` and
# `front_foot` to the left of the board's nose, `tilt` and `bend` forward, arms as in `pose_arm`.
BODY = """
time  height  side   ahead  facing  tilt  bend  twist  front_foot  gaze
0.00  0.960  -0.050 -0.010   -12     14    10     0      -14        6
0.30  0.880  -0.080  0.020   -10     22    14     6      -14        8    # foot lands
0.48  0.860  -0.085  0.030   -14     26    14     0      -14        8
0.64  0.890  -0.065  0.040   -20     30    10    -6      -14        6    # foot leaves
0.92  0.970  -0.045 -0.010   -12     16    10     0      -14        6
1.22  0.880  -0.080  0.020   -10     22    14     6      -14        8
1.40  0.860  -0.085  0.030   -14     26    14     0      -14        8
1.55  0.890  -0.065  0.035   -22     30    10    -6      -18        6
1.84  0.990  -0.035 -0.080   -46     18    10     6      -44        6
2.12  0.980   0.010 -0.200   -66     12    10     8      -62        6    # stepped on
2.40  0.930   0.030 -0.215   -70     12    12     8      -62        6
2.85  0.960   0.030 -0.215   -70     10    10     8      -62        6    # glide
3.30  0.740   0.030 -0.215   -64     30    22    14      -62        8    # crouch
3.80  0.690   0.030 -0.210   -60     34    24    18      -62        8
4.25  0.740   0.030 -0.210   -62     30    22    14      -62        8
4.85  0.960   0.030 -0.215   -70     10    10     8      -62        6    # rise
5.40  0.970   0.030 -0.215   -70      9    10     8      -62        6
"""
ARMS = """
time  left_swing  left_spread  left_elbow  right_swing  right_spread  right_elbow
0.00      -8          26           34           14           24           36
0.30      26          22           40          -26           24           24
0.66     -26          26           26           34           22           44
0.95      -8          26           34           10           24           36
1.22      26          22           40          -26           24           24
1.56     -26          28           26           34           24           44
1.95       4          44           24            8           40           30
2.40       6          38           24            2           32           30
2.85       6          34           22            0           30           28
3.30      26          66           20           -4           60           34
3.80      30          72           16          -10           66           38
4.25      24          62           20           -4           58           36
4.85       6          36           24            0           32           30
5.40       4          32           22            0           28           28
"""


def make_skateboarder(skeleton: Skeleton | None = None, *, fps: float = 30.0) -> Clip:
    """A skateboarder sets out along +z, pushes, glides and carves a turn of 88 degrees to the right."""
    skeleton = skeleton or skateboarder_skeleton()
    scale = stature_ratio(skeleton)
    checked("a skateboarder's stature", HUMAN_HEIGHT * scale, HUMAN_HEIGHT, (SHORTEST, TALLEST), "m")
    times = frame_times(END, fps)
    ride = _roll(times, scale)
    poser = Poser(skeleton, np.zeros((len(times), 3)))
    _pose_body(poser, ride, scale)
    rear = _rear_foot(human_feet(skeleton, DECK_TOP)["Right"], ride, scale)
    stand_leg(poser, "Left", _front_foot(skeleton, ride))
    stand_leg(poser, "Right", rear)
    _pose_board(poser, ride)
    return poser.clip("skateboarder", fps, Contacts(rear.joints, rear.planted), _labels(fps, len(times)))


def _labels(fps: float, frames: int) -> list[Label]:
    edges = [*(round(start * fps) for start in STAGES.values()), frames]
    return [Label(name, *edge) for name, edge in zip(STAGES, pairwise(edges), strict=True)]


@dataclass(frozen=True)
class _Ride:
    """The rolling board: a frame at the front bolts, on the ground, in which the rider is keyed.

    times: (F,) [s] of the clip's frames. heading: degrees at a time. path: where the frame is (..., 3) [m] then.
    lean: (F,) degrees to the right by which the rider leans into the turn.
    """

    times: Array
    heading: Curve
    path: Curve
    lean: Array

    def rotation(self, times: ArrayLike) -> Array:
        """Where the board points (..., 4)."""
        return turned(turn=self.heading(times))

    def deck(self) -> Array:
        """Rotation (F, 4) of the deck, which follows the lean as far as the trucks let it."""
        return multiply(self.rotation(self.times), turned(lean=DECK_TILT * self.lean))

    def to_world(self, times: ArrayLike, points: ArrayLike) -> Array:
        """Points (..., 3) [m] of the board's frame in the world."""
        return self.path(times) + rotate(self.rotation(times), points)

    def to_board(self, times: ArrayLike, points: ArrayLike) -> Array:
        """Points (..., 3) [m] of the world in the board's frame."""
        return rotate(conjugate(self.rotation(times)), np.asarray(points) - self.path(times))


def _roll(times: Array, scale: float) -> _Ride:
    """Integrate speed and heading of the board's middle, from the origin at time 0; shorter legs push less far."""
    heading, speed = sequence(HEADING), sequence({time: scale * value for time, value in SPEED.items()})
    fine = np.linspace(PUSHES[0][0] - 0.1, END + 0.1, 1001)
    angle = CubicSpline(fine, np.radians(heading(fine)))
    velocity = speed(fine)[:, None] * np.stack([np.sin(angle(fine)), 0.0 * fine, np.cos(angle(fine))], axis=1)
    travelled = CubicSpline(fine, velocity).antiderivative()
    nose = rotate(turned(turn=heading(fine)), np.array([0.0, 0.0, WHEELBASE / 2]))
    path = CubicSpline(fine, travelled(fine) - travelled(0.0) + nose)
    lean = -np.degrees(np.arctan(speed(times) * angle(times, 1) / GRAVITY))
    return _Ride(times, heading, path, lean)


def _pose_body(poser: Poser, ride: _Ride, scale: float) -> None:
    times = ride.times
    body = sequence_channels(BODY, times)
    # The feet stay where they are: the body tips about the deck.
    deck = np.array([0.0, DECK_TOP, 0.0])
    above = np.stack([body["side"], body["height"] - DECK_TOP, body["ahead"]], axis=1) * scale
    poser.root_positions[:] = ride.to_world(times, deck + rotate(turned(lean=ride.lean), above))
    pelvis = multiply(turned(lean=ride.lean), turned(body["tilt"], body["facing"]))
    pose_trunk(poser, multiply(ride.rotation(times), pelvis), body["bend"], body["twist"], 0.0)
    # The eyes go where the board will be.
    ahead = 0.5 * (ride.heading(times + 0.4) - ride.heading(times))
    gaze = turned(body["gaze"], 0.25 * body["facing"] + ahead, 0.3 * ride.lean)
    look(poser, multiply(ride.rotation(times), gaze))
    arms = sequence_channels(ARMS, times)
    for side in SIDES:
        swing, spread, elbow = (arms[f"{side.lower()}_{what}"] for what in ("swing", "spread", "elbow"))
        pose_arm(poser, side, swing, spread=spread, inward=12.0, elbow=elbow)


def _front_foot(skeleton: Skeleton, ride: _Ride) -> Track:
    """The foot whose arch is over the front bolts."""
    rotations = multiply(ride.deck(), turned(turn=sequence_channels(BODY, ride.times)["front_foot"]))
    bolts = ride.to_world(ride.times, np.array([0.0, DECK_HEIGHT, 0.0]))
    ankles = bolts - rotate(rotations, skeleton.offsets[skeleton.index("Board")])
    return Track(ankles, rotations, turned(), (), np.zeros((len(rotations), 0), dtype=bool))


def _rear_foot(foot: Foot, ride: _Ride, scale: float) -> Track:
    """The foot that pushes, then stands on the rear bolts; worked out in the frame of the board."""
    times = ride.times
    pitch, ankles = sequence(FOOT_PITCH), np.empty((len(times), 3))
    supports = _supports(foot, ride, pitch, scale)
    for start, stop, place in supports:
        here = (times >= start) & (times <= stop)
        ankles[here] = place(times[here])
    for (_, leave, off), (arrive, _, onto) in pairwise(supports):
        away = (times > leave) & (times < arrive)
        lift, forward = (STEP_LIFT, STEP_AHEAD) if arrive == STEPPED_ON else (SWING_LIFT, SWING_AHEAD)
        heights = {fraction: foot.height + scale * up for fraction, up in lift.items()}
        ankles[away] = travel(
            leave, arrive, off, onto, (None, heights, {s: scale * z for s, z in forward.items()})
        )(times[away])
    last_push = PUSHES[-1][1]
    toes = np.radians(REAR_FOOT[2]) * ease((times - last_push) / (STEPPED_ON - last_push))
    on_ground = np.any([(times >= start) & (times <= stop) for start, stop in PUSHES], axis=0)
    track = track_of(foot, ankles, toes, pitch(times), np.ones(len(times)), on_ground)
    bolts = np.array([0.0, DECK_HEIGHT, 0.0])
    tilted = bolts + rotate(turned(lean=DECK_TILT * ride.lean), ankles - bolts)
    rotations = multiply(ride.deck(), track.foot_rotations)
    return replace(track, ankles=ride.to_world(times, tilted), foot_rotations=rotations)


def _supports(foot: Foot, ride: _Ride, pitch: Curve, scale: float) -> list[tuple[float, float, Curve]]:
    """From when to when the right foot stands, and where its ankle is in the board's frame meanwhile."""

    def pushing(plant: Plant) -> Curve:
        return lambda time: ride.to_board(time, planted_ankle(foot, plant, pitch(time)))

    side, ahead, _ = REAR_FOOT
    on_deck = np.array([side, DECK_TOP + foot.height, ahead])
    pushes = [(start, stop, pushing(_push(ride, scale, start, stop))) for start, stop in PUSHES]
    return [*pushes, (STEPPED_ON, np.inf, lambda time: np.broadcast_to(on_deck, (*np.shape(time), 3)))]


def _push(ride: _Ride, scale: float, start: float, stop: float) -> Plant:
    x, _, z = ride.to_world(start, np.array([PUSH_SIDE, 0.0, PUSH_AHEAD * scale]))
    return Plant(start, stop, float(x), float(z), heading=float(np.radians(ride.heading(start))))


def _pose_board(poser: Poser, ride: _Ride) -> None:
    """The deck tilts under the feet; the trucks stay level, and steer."""
    poser.face("Board", ride.deck())
    for truck, steer in (("TruckFront", -0.5), ("TruckRear", 0.5)):
        steered = turned(turn=steer * DECK_TILT * ride.lean)
        poser.face(truck, multiply(ride.rotation(ride.times), steered))
