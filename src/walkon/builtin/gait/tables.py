"""Gait in numbers: how people step and what their bodies do meanwhile, by phase and speed.

Averages over many steps of many people (the CMU walks and runs; Winter; Perry), rounded, and continued by hand to
speeds at which nobody was measured. A phase is in cycles: 0 is the landing of the left foot, the right foot lands
at 0.5. Lengths are in leg lengths (hip to ankle). Speeds are in m/s for a leg of `REFERENCE_LEG`; others move
alike at speeds that go with the root of their leg's length.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline, PchipInterpolator

from walkon.basics import Array
from walkon.builtin.keyframes import read_table

# duty: share of the cycle that a foot is on the ground. over: phase after its landing at which the pelvis passes
# over the foot. half: distance of the foot from the middle line. toe_out [degrees].
# strike [degrees, toes up]: pitch of the foot as it lands; it is flat `flat_at` later [cycles]. push: how far the
# heel has come up [degrees] when the toes leave; it begins to rise `heel_off` before that [cycles].
WALK_STEPS = """
speed  duty   over   half   toe_out  strike  flat_at  push  heel_off
0.00   0.660  0.230  0.085  7        -4      0.07     24    0.13
1.00   0.612  0.250  0.060  7        18      0.11     63    0.26
1.25   0.600  0.255  0.056  6        20      0.11     66    0.26
1.70   0.582  0.240  0.052  6        24      0.11     72    0.30
2.20   0.565  0.232  0.048  5        25      0.11     74    0.30
"""
RUN_STEPS = """
speed  duty   over   half   toe_out  strike  flat_at  push  heel_off
1.90   0.370  0.130  0.036  6         8      0.06     50    0.24
2.90   0.300  0.103  0.028  5         4      0.05     56    0.22
3.50   0.283  0.096  0.024  4         4      0.05     58    0.21
4.60   0.245  0.084  0.020  4         2      0.03     60    0.18
"""
# By fraction of the swing, for each speed: pitch of the foot [degrees]; the ankle before the pelvis, and above
# where it is when the foot stands flat [leg lengths].
WALK_PITCH = """
at     0.00  1.00  1.25  1.70  2.20
0.125  -24   -66   -70   -76   -79
0.250  -21   -56   -62   -64   -66
0.375  -16   -39   -46   -43   -43
0.500  -11   -18   -27   -20   -17
0.625   -8     1    -8     4     7
0.750   -6    17    11    23    25
0.875   -5    26    26    34    36
"""
RUN_PITCH = """
at     1.90  2.90  3.50  4.60
0.125  -58   -69   -72   -76
0.250  -61   -80   -95  -103
0.375  -57   -85  -109  -120
0.500  -43   -72   -97  -109
0.625  -22   -42   -61   -71
0.750    0   -11   -21   -28
0.875   13     6     6     2
"""
WALK_FORWARD = """
at      0.00   1.00   1.25   1.70   2.20
0.000  -0.035 -0.440 -0.460 -0.535 -0.580
0.125  -0.035 -0.385 -0.400 -0.465 -0.500
0.250  -0.035 -0.290 -0.300 -0.355 -0.385
0.375  -0.035 -0.165 -0.175 -0.212 -0.230
0.500  -0.035 -0.015 -0.030 -0.043 -0.045
0.625  -0.035  0.140  0.125  0.148  0.160
0.750  -0.035  0.270  0.270  0.320  0.350
0.875  -0.035  0.335  0.350  0.408  0.445
1.000  -0.035  0.315  0.332  0.388  0.425
"""
RUN_FORWARD = """
at      1.90   2.90   3.50   4.60
0.000  -0.360 -0.445 -0.485 -0.525
0.125  -0.425 -0.530 -0.595 -0.645
0.250  -0.440 -0.570 -0.635 -0.690
0.375  -0.370 -0.500 -0.538 -0.580
0.500  -0.230 -0.329 -0.336 -0.360
0.625  -0.070 -0.140 -0.150 -0.160
0.750   0.090  0.065  0.060  0.070
0.875   0.195  0.200  0.218  0.245
1.000   0.175  0.170  0.185  0.210
"""
WALK_UP = """
at      0.00   1.00   1.25   1.70   2.20
0.000   0.050  0.145  0.148  0.160  0.165
0.125   0.085  0.190  0.190  0.212  0.220
0.250   0.100  0.186  0.197  0.212  0.222
0.375   0.100  0.143  0.162  0.166  0.172
0.500   0.085  0.088  0.102  0.098  0.100
0.625   0.063  0.045  0.047  0.043  0.043
0.750   0.040  0.030  0.022  0.030  0.032
0.875   0.018  0.030  0.022  0.034  0.037
1.000   0.008  0.012  0.012  0.014  0.015
"""
RUN_UP = """
at      1.90   2.90   3.50   4.60
0.000   0.105  0.114  0.116  0.122
0.125   0.165  0.195  0.230  0.250
0.250   0.215  0.274  0.370  0.415
0.375   0.225  0.314  0.462  0.525
0.500   0.192  0.285  0.430  0.495
0.625   0.130  0.188  0.295  0.345
0.750   0.075  0.095  0.148  0.175
0.875   0.050  0.066  0.080  0.090
1.000   0.010  0.010  0.010  0.010
"""
PUSH_SHAPE = {
    1.0: 0.0,
    0.88: 0.02,
    0.72: 0.07,
    0.56: 0.14,
    0.4: 0.27,
    0.28: 0.43,
    0.16: 0.66,
    0.08: 0.83,
    0.0: 1.0,
}
"""How the heel rises: share of the time left until the toes leave -> share of the final pitch."""

STRIKE_SHAPE = {0.0: 1.0, 0.33: 0.58, 0.67: 0.2, 1.0: 0.0}
"""How the sole comes down: share of the time until it is flat -> share of the pitch at landing."""


@dataclass(frozen=True, eq=False)
class StepManner:
    """How a foot steps at one speed: measures of `WALK_STEPS`, and its swing.

    swing: fractions (K,). pitch: (K,) [degrees]. forward, up: (K,) [leg lengths].
    """

    duty: float
    over: float
    half: float
    toe_out: float
    strike: float
    flat_at: float
    push: float
    heel_off: float
    swing: Array
    pitch: Array
    forward: Array
    up: Array

    @cached_property
    def path(self) -> CubicSpline:
        """The ankle's way (..., 2) by fraction of the swing: up and forward [leg lengths]."""
        return CubicSpline(self.swing, np.stack([self.up, self.forward], axis=1))


def cycle_period(speed: ArrayLike, running: ArrayLike) -> Array:
    """Seconds that two steps take people at a `speed` [m/s]; running is 0 or 1, or between while they change."""
    speed, running = np.asarray(speed), np.asarray(running)
    walk = 1.27 * np.maximum(speed, 0.4) ** -0.46
    run = 0.805 - 0.065 * (speed - 2.73)
    return (1.0 - running) * walk + running * run


@lru_cache(maxsize=4096)
def manner_at(speed: float, running: float) -> StepManner:
    """How people step at a `speed` [m/s]; running is 0 to 1."""
    walk, run = (
        _step_numbers(WALK_STEPS, WALK_PITCH, WALK_FORWARD, WALK_UP),
        _step_numbers(RUN_STEPS, RUN_PITCH, RUN_FORWARD, RUN_UP),
    )
    numbers = (1.0 - running) * _between(walk, speed) + running * _between(run, speed)
    swing = np.array(sorted(read_table(WALK_FORWARD)["1.25"]))
    names = [*read_table(WALK_STEPS)]
    measures = {name: float(value) for name, value in zip(names, numbers, strict=False)}
    pitch, forward, up = numbers[len(names) :].reshape(3, -1)
    return StepManner(**measures, swing=swing, pitch=pitch, forward=forward, up=up)


def duty_at(speed: ArrayLike) -> Array:
    """Share of the cycle that a runner's foot is on the ground, as a smooth function of speed [m/s]."""
    duties = read_table(RUN_STEPS)["duty"]
    speeds = sorted(duties)
    return PchipInterpolator(speeds, [duties[speed] for speed in speeds])(np.clip(speed, speeds[0], speeds[-1]))


@cache
def _step_numbers(steps: str, pitch: str, forward: str, up: str) -> tuple[Array, Array]:
    """Speeds (N,), and for each all numbers of a manner (N, M)."""
    measures = read_table(steps)
    speeds = np.array(sorted(measures["duty"]))
    rows = []
    for speed in speeds:
        row = [keys[speed] for keys in measures.values()]
        ends = {0.0: -measures["push"][speed], 1.0: measures["strike"][speed]}
        for table in (pitch, forward, up):
            keys = {**read_table(table)[f"{speed:.2f}"], **(ends if table is pitch else {})}
            row += [keys[fraction] for fraction in sorted(keys)]
        rows.append(row)
    return speeds, np.array(rows)


def _between(table: tuple[Array, Array], speed: float) -> Array:
    speeds, rows = table
    place = float(np.interp(speed, speeds, np.arange(len(speeds))))
    below = min(int(place), len(speeds) - 2)
    return rows[below] + (place - below) * (rows[below + 1] - rows[below])
