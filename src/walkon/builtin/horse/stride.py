"""The gallop stride, by phase: which hoof carries when, how the body rises, what back, neck, tail and legs do.

A transverse gallop on the right lead at 9 m/s. Phase 0 is the middle of the gathered suspension, all hooves under
the belly. Then come the trailing (left) hind, the leading (right) hind, the trailing (left) fore, the leading
(right) fore, and flight again. Orders, overlaps, shares of weight and angles are those gait studies report for
horses at this speed: a quarter of the stride on each hoof, a little more weight on the forehand.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.interpolate import CubicSpline

from walkon.basics import Array
from walkon.builtin.falling import GRAVITY
from walkon.builtin.horse.limbs import LegKind
from walkon.builtin.keyframes import read_table

GALLOP_PERIOD = 13 / 30
"""Seconds a stride takes: 2.3 strides a second, and a whole number of frames at 30 Hz."""

SPEED = 9.0 / 1.6
"""Metres a second for every metre of height at the withers."""

GALLOP_DUTY = {"fore": 0.26, "hind": 0.25}
"""Share of a stride that a hoof is on the ground."""

FOOTFALLS = {("hind", "Left"): 0.10, ("hind", "Right"): 0.23, ("fore", "Left"): 0.44, ("fore", "Right"): 0.64}
"""Phase at which each hoof lands."""

WEIGHT = {("hind", "Left"): 0.22, ("hind", "Right"): 0.21, ("fore", "Left"): 0.30, ("fore", "Right"): 0.27}
"""Share of the body's weight that each leg carries over a stride."""

AHEAD = {"fore": -0.02, "hind": 0.0}
"""How far before where it rests a hoof stands when its leg is in mid-stance, in shares of the height."""

NARROW = {"fore": 0.75, "hind": 0.85}
"""Hooves come down nearer to the middle than they stand, by this factor."""

SINK = 0.028
"""How much lower than at rest a galloping body is carried, in shares of the height."""

FORE = LegKind(
    joints=("Arm", "ForeArm", "Hand", "ForeFetlock", "ForeHoof", "ForeHoofTip"),
    fold=-1.0,
    coupled=False,
    swing="""
    phase  upper  fold
    0.35    -14    -12     # folding behind
    0.48     -6     14
    0.60     10     30     # knee comes through
    0.73     24     42     # farthest up and forward
    0.87     30     24     # reaches out
    """,
    angles="""
    phase  pastern  hoof  knee  blade
    0.00      16       2     0     14
    0.05      22       0     0      .
    0.13      30       0     0      0
    0.20      10      -4     0      .
    0.26     -40     -48     6    -14
    0.35    -105    -118    52      .
    0.48    -150    -172   104     -4
    0.60    -118    -146   104      .
    0.73     -42     -62    56     14
    0.87      28      12    10     18
    """,
)
HIND = LegKind(
    joints=("UpLeg", "Leg", "Foot", "HindFetlock", "HindHoof", "HindHoofTip"),
    fold=1.0,
    coupled=True,
    swing="""
    phase  upper  fold
    0.35    -20     10     # trails
    0.48     -4     48     # folds
    0.61     26     58     # knee to the belly
    0.75     44     36
    0.88     44     10     # reaches under
    """,
    angles="""
    phase  pastern  hoof  knee  blade
    0.00      14       2     0      0
    0.05      22       0     .      .
    0.12      30       0     .      .
    0.19       8      -6     .      .
    0.25     -42     -50     .      .
    0.34    -100    -124     .      .
    0.48     -92    -124     .      .
    0.61     -44     -76     .      .
    0.75       8     -14     .      .
    0.88      28       8     .      .
    """,
)
LEG_KINDS = {"fore": FORE, "hind": HIND}

# Degrees. `pitch`: the trunk nose down; `tuck`: the pelvis under the trunk; `neck`: lowered from where it rests;
# `face`: the nose poked forward; `list`: rolled to the right; `yaw`: turned to the left; `tail`: raised; `whip`:
# the wave that runs down it.
GALLOP_BODY = """
phase  pitch  tuck  neck  face  list   yaw  tail  whip
0.00    3.0    12     8     8    0.0   0.0    48    -6
0.12    0.0    13     4     5   -1.5   1.0    52     2
0.27   -3.5     4     2     3    0.5   1.5    54     9
0.42   -4.0    -7     8     6    1.5   0.0    50     7
0.56    0.0    -9    14    12    0.5  -1.5    46     0
0.72    4.0    -3    17    16   -1.0  -1.0    43    -6
0.87    5.0     6    13    13   -0.5   0.0    45    -9
"""

CHANNELS = tuple(read_table(GALLOP_BODY))


def body_channels(phase: Array) -> dict[str, Array]:
    """Every channel of the body's table at phases (...)."""
    values = _body_curve()(np.mod(phase, 1.0))
    return {channel: values[..., k] for k, channel in enumerate(CHANNELS)}


@cache
def _body_curve() -> CubicSpline:
    table = read_table(GALLOP_BODY)
    phases = sorted(table[CHANNELS[0]])
    values = np.array([[table[channel][phase] for channel in CHANNELS] for phase in phases])
    return CubicSpline([*phases, 1.0], [*values, values[0]], bc_type="periodic")


def bearing(phase: Array) -> Array:
    """What the ground pushes up with at a phase (...), in body weights; it averages 1 and is 0 in flight."""
    push = np.zeros(np.shape(phase))
    for (kind, side), landing in FOOTFALLS.items():
        s = np.clip(np.mod(np.asarray(phase) - landing, 1.0) / GALLOP_DUTY[kind], 0.0, 1.0)
        push += WEIGHT[kind, side] / GALLOP_DUTY[kind] * 30.0 * (s * (1.0 - s)) ** 2
    return push


@cache
def rise() -> CubicSpline:
    """Height [m] of the centre of mass above its mean by phase in [0, 1]: what `bearing` and gravity make it."""
    count = 1024
    phases = np.arange(count) / count
    force = np.fft.rfft((bearing(phases) - 1.0) * GRAVITY * GALLOP_PERIOD**2)
    harmonics = 2 * np.pi * np.arange(len(force))
    harmonics[0] = np.inf
    heights = np.fft.irfft(-force / harmonics**2, count)
    return CubicSpline(np.append(phases, 1.0), np.append(heights, heights[0]), bc_type="periodic")
