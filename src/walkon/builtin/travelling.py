"""Ways over the ground, integrated from speed and heading on a fine grid of times."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicSpline

from walkon.basics import Array
from walkon.builtin.keyframes import Curve


def grid_times(start: float, stop: float, step: float) -> Array:
    """Multiples (G,) of `step` [s] from just before `start` to just after `stop`; 0 is one of them.

    Both sides of 0 are equally fine, so that equal motions give equal ways.
    """
    return np.arange(np.floor(start / step), np.ceil(stop / step) + 1) * step


def travelled(times: Array, speed: Array | float, heading: Array) -> Curve:
    """The way (..., 3) [m] since time 0 of a body with speeds [m/s] and headings (G,) [rad] at times (G,) [s]."""
    velocity = np.reshape(speed, (-1, 1)) * np.stack([np.sin(heading), 0.0 * heading, np.cos(heading)], axis=1)
    way = CubicSpline(times, velocity).antiderivative()
    start = way(0.0)
    return lambda at: way(at) - start
