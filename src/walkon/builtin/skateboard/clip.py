"""A skateboarder pushes twice, steps on, glides, and carves a crouched turn to the right: the showpiece."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from walkon.builtin.keyframes import scaled, sequence, sequence_channels
from walkon.builtin.skateboard.feet import Excursion, RearStep
from walkon.builtin.skateboard.ride import roll
from walkon.builtin.skateboard.rider import CHANNELS, Rider
from walkon.builtin.skeletons import HUMAN_HEIGHT, skateboarder_skeleton, stature_ratio
from walkon.builtin.timing import checked, frame_times
from walkon.motion import Clip, Label
from walkon.skeleton import Skeleton

SHORTEST, TALLEST = 1.4, 2.1
"""Statures [m] of those whose legs fit this board."""

END = 5.4
STAGES = {"push": 0.0, "glide": 2.10, "crouch turn": 2.9, "rise": 4.6}
"""When each labelled stretch begins [s]."""

PUSHES = Excursion(-1.0, (RearStep(-0.62, -0.30), RearStep(0.32, 0.63), RearStep(1.24, 1.54)), STAGES["glide"])
"""The first push is over as the clip begins."""

SPEED = {-0.7: 1.55, -0.3: 2.0, 0.32: 1.85, 0.66: 2.35, 1.24: 2.25, 1.56: 2.75, 3.0: 2.55, 5.4: 2.3}
HEADING = {2.95: 0.0, 4.55: -88.0}
"""Speed [m/s] and heading [degrees, left positive] of the board by time [s]."""

# Channels of a rider, for a stature of 1.75 m.
SHOWPIECE_BODY = """
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
SHOWPIECE_ARMS = """
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
    # Shorter legs push less far.
    speed, on_ground = sequence(scaled(SPEED, scale)), sequence({0.0: 0.0})
    ride = roll(speed, sequence(HEADING), (PUSHES.off, END + 1.0), on_ground, on_ground)
    channels = {channel: np.zeros(len(times)) for channel in CHANNELS}
    channels |= sequence_channels(SHOWPIECE_BODY, times) | sequence_channels(SHOWPIECE_ARMS, times)
    poser, contacts = Rider(skeleton, ride, times, channels, PUSHES, scale).pose()
    edges = [*(round(start * fps) for start in STAGES.values()), len(times)]
    labels = [Label(name, *edge) for name, edge in zip(STAGES, pairwise(edges), strict=True)]
    return poser.clip("skateboarder", fps, contacts, labels)
