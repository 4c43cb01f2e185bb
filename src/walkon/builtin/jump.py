"""A person jumps forward from standing: crouch, swing, push off, fly, land, rise.

From the last touch of the toes to the first of the heels the centre of mass is in free fall: the pelvis goes
wherever the swinging arms and tucking legs need it to be for that.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline

from walkon.basics import Array
from walkon.builtin.falling import falling
from walkon.builtin.footwork import OUTWARDS, SIDES, FootTrack, Plant, Swing, follow_plants, join_contacts
from walkon.builtin.human import human_feet, look, pose_arm, pose_trunk, stand_leg
from walkon.builtin.keyframes import Curve, clamped_spline, read_table, scaled, sequence, sequence_channels
from walkon.builtin.posing import Poser, turned
from walkon.builtin.skeletons import human_skeleton, stature_ratio
from walkon.builtin.timing import checked, frame_times
from walkon.motion import Clip, Label, center_of_mass
from walkon.skeleton import Skeleton, build_body

DEEPEST, TAKE_OFF, LANDING, END = 0.78, 1.10, 1.64, 3.00
"""When the crouch turns into the push, the toes leave, the heels land and the clip ends [s]."""

JUMP_ROUNDS = 6
"""Each round leaves about a fifth of the pelvis' error, which starts at some centimetres."""

DISTANCE, SHORTEST, LONGEST = 1.7, 0.8, 2.3
"""How far a person of 1.75 m jumps when not told, and may be asked to [m]."""

STANCE, STAGGER = 0.11, 0.015
"""Distance of each foot from the middle, and of the right one ahead of it [m], for a stature of 1.75."""

RIGHT_ARM_LATE = 0.02
"""Nobody throws up both arms at once [s]."""

# Pelvis in metres, `forward` of where the ankles stand, before take-off and after landing.
BEFORE = """
time  height  forward
0.00  0.958    0.030
0.18  0.958    0.030
0.50  0.820   -0.060
0.78  0.600   -0.070   # deepest
0.86  0.620   -0.010
1.10  0.970    0.400   # toes leave
"""
AFTER = """
time  height  forward
1.64  0.780  -0.350    # heels land
1.76  0.570  -0.200
1.92  0.480  -0.090    # deepest
2.10  0.520  -0.030
2.50  0.870   0.000
2.80  0.958   0.030
3.00  0.958   0.030
"""
# Degrees.
JUMP_BODY = """
time  tilt  bend  gaze  swing  elbow  spread
0.00    4     0     4     2     15     9
0.20    4     0     4    14     25     9
0.48   20    12     9   -34     14    10
0.66   37    17    12   -58     10    12   # arms far back, before the crouch is deepest
0.78   42    17    10   -38     12    13
0.91   37    11     2    14     20    14
1.03   25     2    -5    82     32    16
1.16   18    -4    -8   138     32    18   # arms thrown up, body one line
1.30   22     8     2   138     34    20
1.46   36    22    14   130     30    20   # tucked
1.64   40    22    16   122     22    16   # arms reach with the legs
1.80   44    20    10   106     24    18
1.96   44    18     6    84     30    20
2.20   34    14     6    20     30    20
2.50   14     5     4   -10     22    12
2.85    4     0     4     2     15     9
"""
FOOT_PITCH = {
    0.86: 0, 0.98: -16, 1.10: -70, 1.16: -82, 1.36: -34, 1.54: 18, 1.64: 20, 1.71: 0,
}  # fmt: skip
# Fraction of the flight -> where the ankles are from the pelvis [m]: legs trail, tuck, then reach forward.
ANKLE_HEIGHT = {0.12: -0.80, 0.35: -0.64, 0.60: -0.47, 0.84: -0.58}
ANKLE_FORWARD = {0.12: -0.30, 0.35: -0.24, 0.60: 0.08, 0.84: 0.34}


def make_jump(skeleton: Skeleton | None = None, *, distance: float | None = None, fps: float = 30.0) -> Clip:
    """A person jumps `distance` [m] along +z from standing with both feet, lands and rises."""
    skeleton = skeleton or human_skeleton()
    scale = stature_ratio(skeleton)
    distance = checked("jumping distance", distance, DISTANCE * scale, (SHORTEST * scale, LONGEST * scale), "m")
    times = frame_times(END, fps)
    poser, tracks = _pose(skeleton, times, _pelvis_path(skeleton, scale, distance)(times), scale, distance)
    contacts = join_contacts(list(tracks.values()))
    airborne = np.flatnonzero(~contacts.planted.any(axis=1))
    take_off, landing = int(airborne[0]), int(airborne[-1]) + 1
    labels = [
        Label("jump", 0, len(times)),
        Label("push-off", int(DEEPEST * fps), take_off),
        Label("flight", take_off, landing),
        Label("landing", landing, len(times)),
    ]
    return poser.clip("jump", fps, contacts, labels)


def _pose(
    skeleton: Skeleton, times: Array, pelvis: Array, scale: float, distance: float
) -> tuple[Poser, Mapping[str, FootTrack]]:
    """The body at `times` with the pelvis at (F, 3) [m], and its feet."""
    poser = Poser(skeleton, pelvis)
    body = sequence_channels(JUMP_BODY, times)
    pose_trunk(poser, turned(bend=body["tilt"]), body["bend"], 0.0, 0.0)
    look(poser, turned(bend=body["gaze"]))
    tracks = {side: _jump_foot(skeleton, side, times, scale, distance) for side in SIDES}
    for side, track in tracks.items():
        arm = sequence_channels(JUMP_BODY, times - (RIGHT_ARM_LATE if side == "Right" else 0.0))
        pose_arm(poser, side, arm["swing"], spread=arm["spread"], inward=15.0, elbow=arm["elbow"])
        stand_leg(poser, side, track, knee_out=6.0)
    return poser, tracks


def _jump_foot(skeleton: Skeleton, side: str, times: Array, scale: float, distance: float) -> FootTrack:
    out = OUTWARDS[side]
    x, z, heading = out * STANCE * scale, -out * STAGGER * scale, np.radians(out * 7.0)
    plants = [
        Plant(-np.inf, TAKE_OFF, x, z, heading),
        Plant(LANDING, np.inf, x, z + distance, heading),
    ]
    pelvis = falling(*_flight_ends(scale, distance), TAKE_OFF, LANDING)
    swing = Swing(scaled(ANKLE_HEIGHT, scale), carrier=pelvis, forward=scaled(ANKLE_FORWARD, scale))
    return follow_plants(human_feet(skeleton)[side], plants, sequence(FOOT_PITCH), times, swing)


def _flight_ends(scale: float, distance: float) -> tuple[Array, Array]:
    """Where the pelvis is (3,) [m] when the toes leave and when the heels land."""
    before, after = read_table(BEFORE), read_table(AFTER)
    return (
        np.array([0.0, scale * before["height"][TAKE_OFF], scale * before["forward"][TAKE_OFF]]),
        np.array([0.0, scale * after["height"][LANDING], distance + scale * after["forward"][LANDING]]),
    )


def _pelvis_path(skeleton: Skeleton, scale: float, distance: float) -> Curve:
    """Pelvis (F, 3) [m] at times (F,) [s]: keyed on the ground, ruled by free fall between."""
    flight = _pelvis_flight(skeleton, scale, distance)
    before = _ground_path(BEFORE, scale, 0.0, np.zeros(3), flight(TAKE_OFF, 1))
    after = _ground_path(AFTER, scale, distance, flight(LANDING, 1), np.zeros(3))

    def path(times: ArrayLike) -> Array:
        time = np.asarray(times)
        phases = [time <= TAKE_OFF, time < LANDING]
        return np.where(phases[0][:, None], before(time), np.where(phases[1][:, None], flight(time), after(time)))

    return path


def _ground_path(text: str, scale: float, origin: float, first: Array, last: Array) -> CubicSpline:
    """Pelvis path (..., 3) [m] through a table's keys, with the speeds (3,) [m/s] it begins and ends at."""
    table = read_table(text)
    times = sorted(table["height"])
    points = [[0.0, scale * table["height"][t], origin + scale * table["forward"][t]] for t in times]
    return clamped_spline(times, points, first, last)


def _pelvis_flight(skeleton: Skeleton, scale: float, distance: float) -> CubicSpline:
    """Pelvis path (3,) [m] from take-off to landing on which the centre of mass falls freely."""
    times = np.linspace(TAKE_OFF, LANDING, 25)
    pelvis = falling(*_flight_ends(scale, distance), TAKE_OFF, LANDING)(times)
    body = build_body(skeleton)
    for _ in range(JUMP_ROUNDS):
        poser, _ = _pose(skeleton, times, pelvis, scale, distance)
        centres = center_of_mass(poser.clip("flight", fps=1.0 / (times[1] - times[0])), body)
        pelvis = pelvis + falling(centres[0], centres[-1], TAKE_OFF, LANDING)(times) - centres
    return CubicSpline(times, pelvis)
