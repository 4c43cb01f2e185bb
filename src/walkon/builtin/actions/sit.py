"""Sitting down on a chair, sitting, and rising from it.

Who sits down keeps the weight over the feet as long as possible: hips back, trunk forward, then the seat takes
over and the trunk comes up. Who rises does the reverse, with a swing of the trunk before the legs push.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from walkon.basics import Array
from walkon.behaviors import MARGIN, BehaviorClip
from walkon.builtin.actions.layers import PLAIN, Manner, layer, standing_frames, table_curves
from walkon.builtin.actions.reach import within_reach_of_core
from walkon.builtin.actions.shown import show, wander
from walkon.builtin.gait.standing import stand
from walkon.builtin.keyframes import read_table
from walkon.builtin.performer import Performer
from walkon.builtin.posing import turned
from walkon.builtin.score import Score
from walkon.rotations import rotate
from walkon.skeleton import build_body

SEAT_HEIGHT = 0.45
"""Height of an ordinary chair [m], whoever sits on it."""

CUSHION = 0.008
"""How far the seat gives way [m]."""

SHIN_BACK = 0.09
"""How far the seated knees are before the ankles [m]."""

CALM = 0.5
"""How much of the usual differences between clips hands on thighs allow."""

SEATED = 2.50
"""When the keys have brought a person to sit at rest [s]."""

# `down` and `back` are shares of the pelvis' way from standing to the seat; degrees otherwise. The last line is
# how people sit, in changes from how they stand.
SIT_DOWN = """
time   down   back  tilt  bend  gaze  look  knees
0.00      0      0     0     0     0     0      0
0.28      .      .     .     .    10   -24      .
0.42   0.03   0.09    10     6     .     .      .
0.62      .      .     .     .     .   -18      2
0.95   0.56   0.67    42    27    12     0      5
1.30   0.93   0.95    46    29    12     .      8
1.46      1      1    40    27     8     .      8
1.75  1.004      1    10    18     2     .      9
2.10      1      1   -15    14     0     0      9
2.50      1      1   -13    12     0     0      9
"""
SIT_DOWN_ARMS = """
time  both.swing  both.spread  both.inward  both.elbow  both.wrist
0.00           0            0            0           0           0
0.28          -4            0            .           .           .
0.42           .            .            .           8           .
0.95          56            8           -4          34           6
1.30          62            9           -6          34          12
1.46          56            .            .          38           .
1.75          32            9           -4          42          12
2.10          13            6            6          30          10
2.50          14            6            6          28          10
"""
RISE = """
time    down   back  tilt  bend  gaze  look  knees
0.00       1      1   -13    12     0     0      9
0.22       1      1   -15     8     0     .      9
0.62       1   0.99    28    25     8     0      9
0.82   0.955   0.92    42    27     6     .      8
1.12    0.56   0.58    34    19     2     .      5
1.52    0.06   0.08     8     2    -2     .      1
1.80  -0.004  -0.04    -1    -2    -2     0      0
2.20       0      0     0     0     0     0      0
"""
RISE_ARMS = """
time  both.swing  both.spread  both.inward  both.elbow  both.wrist
0.00          14            6            6          28          10
0.22          15            .            .          40           .
0.62          48            9           -4          50          14
0.82          58            .            .          36           .
1.12          34            7            0          20           6
1.52          -5            3            0           2           .
1.80          -4            1            .           .           0
2.20           0            0            0           0           0
"""
# Changes while sitting: a look around, the weight from one side to the other.
SEATED_SHIFT = """
time   aside   rise  tilt  bend  lean  twist  gaze  look
0.00       0      0     0     0     0      0     0     0
0.60       .      .   1.5    -2     .      .    -2     5
1.10   0.012  0.003     .     .  -2.5      3     .    22
1.90   0.012  0.003    -1     1  -2.5      3    -1    20
2.60       .      .     .     .     .      .     3   -10
3.10  -0.004  0.001     1    -1     1     -1     2    -8
4.00       0      0     0     0     0      0     0     0
"""
SEATED_SHIFT_ARMS = """
time  lead.swing  lead.elbow  other.swing  other.elbow
0.00           0           0            0            0
1.10           2           4            .            .
1.90           2           4           -1           -2
3.10           1          -2            1            3
4.00           0           0            0            0
"""


def sit_down(
    performer: Performer,
    manner: Manner = PLAIN,
    *,
    rng: np.random.Generator | None = None,
    margin: int = MARGIN,
    fps: float = 30.0,
) -> BehaviorClip:
    """Somebody who stands sits down on a chair behind them."""
    return show(
        wander(_on_chair(performer, (SIT_DOWN, SIT_DOWN_ARMS), manner, margin, fps), rng, margin, CALM),
        "sit_down",
        margin,
    )


def rise(
    performer: Performer,
    manner: Manner = PLAIN,
    *,
    rng: np.random.Generator | None = None,
    margin: int = MARGIN,
    fps: float = 30.0,
) -> BehaviorClip:
    """Somebody who sits rises from the chair."""
    return show(
        wander(_on_chair(performer, (RISE, RISE_ARMS), manner, margin, fps), rng, margin, CALM), "rise", margin
    )


def sit(
    performer: Performer,
    manner: Manner = PLAIN,
    *,
    rng: np.random.Generator | None = None,
    margin: int = MARGIN,
    fps: float = 30.0,
) -> BehaviorClip:
    """Somebody who sits shifts on the chair and looks around."""
    frames, start = standing_frames(SEATED_SHIFT, SEATED_SHIFT_ARMS, manner=manner, margin=margin, fps=fps)
    seated = _layer_seat(
        stand(performer, (frames - 1) / fps, fps),
        performer,
        (SIT_DOWN, SIT_DOWN_ARMS),
        Manner(start=-SEATED - 1.0),
    )
    score = layer(seated, SEATED_SHIFT, SEATED_SHIFT_ARMS, scale=performer.scale, manner=manner.starting(start))
    return show(wander(score, rng, margin, CALM), "sit", margin)


def _on_chair(performer: Performer, tables: tuple[str, str], manner: Manner, margin: int, fps: float) -> Score:
    frames, start = standing_frames(*tables, manner=manner, margin=margin, fps=fps)
    plain = stand(performer, (frames - 1) / fps, fps)
    return within_reach_of_core(_layer_seat(plain, performer, tables, manner.starting(start)), margin)


def _layer_seat(standing: Score, performer: Performer, tables: tuple[str, str], manner: Manner) -> Score:
    """Layer tables; the pelvis goes where its own shares say between standing and the seat.

    How people sit is fixed by the chair, so the size of the manner plays no part.
    """
    when = (standing.times - manner.start) * manner.pace
    down, back = (table_curves(tables[0])[name](when) for name in ("down", "back"))
    to_seat = _seated_pelvis(standing) - standing.pelvis
    score = layer(standing, *tables, scale=performer.scale, manner=replace(manner, size=1.0))
    return score.plus(pelvis=to_seat * np.stack([back, down, back], axis=1))


def _seated_pelvis(standing: Score) -> Array:
    """Where the pelvis is (3,) [m] when the thighs lie on the seat and the feet stand where they stand."""
    skeleton = standing.skeleton
    body = build_body(skeleton)
    hip, knee = skeleton.index("LeftUpLeg"), skeleton.index("LeftLeg")
    across = (body.starts == hip) & (body.ends == skeleton.index("RightUpLeg"))
    tilt = standing.tilt[0] + read_table(SIT_DOWN)["tilt"][SEATED]
    to_hip = rotate(turned(bend=tilt), skeleton.offsets[hip])
    height = SEAT_HEIGHT - CUSHION + float(body.radii[across][0])
    ankle = 0.5 * (standing.feet["Left"].ankles[0] + standing.feet["Right"].ankles[0])
    thigh = skeleton.lengths[knee]
    return np.array([ankle[0], height - to_hip[1], ankle[2] + SHIN_BACK - thigh - to_hip[2]])
