"""Waves: how pelvis, trunk and arms move with the steps, by phase and speed.

Averages over many steps of many people, as in `tables`, rounded and simplified: a mean and a few harmonics of
the step cycle. Phase 0 is the landing of the left foot; an arm's phase is that of the leg on its side.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import PchipInterpolator

from walkon.basics import Array

HARMONICS = 5
"""The mean, and four waves that come once to four times a cycle."""

# One wave a line: channel, harmonic of the cycle (0: the mean), its size at each speed, and the phase of its peak
# at each speed. Degrees, and leg lengths for `hips` (walking, their height above the ankle of a flat foot),
# `mass` (running, the height of its centre at landing against standing), `sway` (to the left), `surge` (forward).
WALK_SPEEDS = (0.0, 1.0, 1.25, 1.7, 2.2)
WALK_HEIGHT = """
hips   0  0.985 0.960 0.960 0.950 0.938
hips   2  0.004 0.016 0.021 0.025 0.028  0.27 0.28 0.27 0.29 0.29
hips   4  0.000 0.003 0.003 0.004 0.004  0.17 0.17 0.17 0.17 0.17
"""
WALK_BODY = """
sway   1  0.055 0.036 0.027 0.022 0.020  0.32 0.31 0.29 0.29 0.29
surge  2  0.000 0.008 0.007 0.006 0.006  0.15 0.15 0.16 0.14 0.14
tilt   0  4.0   4.0   4.5   5.5   6.5
tilt   2  0.0   0.5   0.6   0.8   1.0    0.42 0.42 0.42 0.42 0.42
list   1  2.0   4.2   4.6   5.4   6.0    0.38 0.40 0.40 0.40 0.40
list   3  0.0   0.9   0.9   1.3   1.6    0.16 0.16 0.16 0.15 0.15
turn   1  1.0   4.3   4.2   5.6   7.0    0.54 0.54 0.53 0.54 0.54
bend   0 -2.0  -1.5  -1.0   0.5   2.0
bend   2  0.0   0.5   0.7   0.6   0.6    0.42 0.40 0.42 0.38 0.38
twist  1  1.0   8.0   8.4  10.6  13.0    0.02 0.01 0.02 0.03 0.03
lean   1  1.6   3.2   3.5   4.1   4.5    0.88 0.90 0.90 0.90 0.90
gaze   0  4.0   4.0   4.0   3.5   3.0
"""
WALK_ARM = """
swing  0  3.0   1.0   1.0   0.0  -1.0
swing  1  2.0  10.0  12.5  18.5  25.0    0.48 0.48 0.50 0.52 0.52
swing  2  0.0   0.8   0.8   0.8   0.8    0.40 0.40 0.43 0.43 0.43
elbow  0 18.0  24.0  26.0  31.0  40.0
elbow  1  1.0   5.5   7.0  12.0  15.0    0.54 0.54 0.56 0.58 0.58
elbow  2  0.0   1.6   1.7   1.8   1.8    0.42 0.42 0.44 0.42 0.42
spread 0  8.0   7.5   7.5   8.0   9.0
inward 0 16.0  17.0  18.0  20.0  24.0
inward 1  0.5   4.0   5.0   7.0   9.0    0.52 0.52 0.52 0.52 0.52
wrist  0  6.0   6.0   6.0   5.0   4.0
"""
RUN_SPEEDS = (1.9, 2.9, 3.5, 4.6)
RUN_HEIGHT = """
mass   0 -0.018 -0.018 -0.016 -0.018
"""
RUN_BODY = """
sway   1  0.008 0.005 0.004 0.003  0.20 0.20 0.20 0.20
surge  2  0.013 0.017 0.018 0.019  0.45 0.45 0.45 0.45
tilt   0  6.0   7.0   8.0   9.5
tilt   2  1.0   1.4   1.4   1.4    0.17 0.17 0.17 0.17
list   1  3.6   4.0   4.6   5.0    0.31 0.31 0.31 0.31
list   3  1.0   1.3   1.5   1.6    0.14 0.14 0.13 0.13
turn   1  3.5   5.0   5.0   6.0    0.02 0.02 0.05 0.05
bend   0  3.0   4.5   6.0   8.0
bend   2  0.6   0.9   0.8   0.8    0.17 0.17 0.17 0.17
twist  1  7.0   9.0   10.0  12.0   0.93 0.92 0.89 0.88
lean   1  2.8   3.1   3.5   3.8    0.81 0.81 0.81 0.81
gaze   0  3.0   3.0   3.0   3.0
"""
RUN_ARM = """
swing  0 -6.0  -11.0 -12.0 -10.0
swing  1  14.0  19.0  23.0  30.0   0.42 0.39 0.36 0.36
swing  2  1.5   1.9   2.1   2.5    0.18 0.18 0.20 0.20
elbow  0  92.0  102.0 103.0 100.0
elbow  1  6.0   9.0   11.0  14.0   0.34 0.34 0.34 0.34
elbow  2  2.5   3.3   4.0   5.0    0.37 0.37 0.34 0.34
spread 0  11.0  12.0  12.0  11.0
inward 0  7.0   6.0   6.0   5.0
inward 1  4.0   5.0   6.0   6.0    0.40 0.40 0.36 0.36
wrist  0  0.0   0.0   0.0   0.0
"""


@dataclass(frozen=True)
class Wave:
    """A channel over F frames: what it is on average, and how it moves about that with the steps."""

    mean: Array
    motion: Array

    def scaled(self, amount: ArrayLike) -> Array:
        """The channel (F,) with `amount` times its motion."""
        return self.mean + np.asarray(amount) * self.motion


def waves(text: str, speeds: tuple[float, ...], phase: Array, speed: Array) -> dict[str, Wave]:
    """Every channel of a table of waves, at phases (F,) [cycles] and speeds (F,) [m/s]."""
    channels, curves = _wave_curves(text, speeds)
    sizes = curves(np.clip(speed, speeds[0], speeds[-1]))
    angles = 2.0 * np.pi * np.arange(1, HARMONICS) * phase[:, None]
    motion = np.einsum("fch,fh->cf", sizes[:, 0, :, 1:], np.cos(angles))
    motion += np.einsum("fch,fh->cf", sizes[:, 1, :, 1:], np.sin(angles))
    return {name: Wave(sizes[:, 0, k, 0], motion[k]) for k, name in enumerate(channels)}


def gait_waves(walk: str, run: str, phase: Array, speed: Array, running: Array) -> dict[str, Wave]:
    """The channels of a walk's and a run's tables, mixed by the share of running (F,)."""
    walked = waves(walk, WALK_SPEEDS, phase, speed)
    if not running.any():
        return walked
    ran = waves(run, RUN_SPEEDS, phase, speed)
    return {
        name: Wave(*((1.0 - running) * a + running * b for a, b in ((w.mean, r.mean), (w.motion, r.motion))))
        for name, w, r in ((name, walked[name], ran[name]) for name in walked)
    }


@cache
def _wave_curves(text: str, speeds: tuple[float, ...]) -> tuple[tuple[str, ...], PchipInterpolator]:
    """Names of C channels, and for any speed the sizes (2, C, HARMONICS) of their cosines and sines."""
    lines = [line.split() for line in text.split("\n") if line]
    channels = tuple(dict.fromkeys(name for name, *_ in lines))
    sizes = np.zeros((len(speeds), 2, len(channels), HARMONICS))
    for name, harmonic, *numbers in lines:
        values = np.array(numbers, dtype=np.float64)
        peaks = np.concatenate([values, np.zeros(len(speeds))])[len(speeds) : 2 * len(speeds)]
        angle = 2.0 * np.pi * int(harmonic) * peaks
        wave = values[: len(speeds), None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        sizes[:, :, channels.index(name), int(harmonic)] += wave
    return channels, PchipInterpolator(speeds, sizes)
