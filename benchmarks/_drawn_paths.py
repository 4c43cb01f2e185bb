"""Paths that a person can walk: a line, a circle, an S, and a word in cursive letters as high as a house."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

Array = NDArray[np.float64]

HELLO = (
    *((0.0, 0.1), (0.35, 0.7), (0.72, 1.6), (0.78, 2.12), (0.56, 2.35), (0.35, 2.05), (0.32, 1.2), (0.35, 0.4)),
    *((0.52, 0.03), (0.7, 0.35), (0.84, 0.85), (1.1, 1.07), (1.34, 0.8), (1.37, 0.35), (1.6, 0.03), (1.95, 0.25)),
    *((2.32, 0.6), (2.42, 0.95), (2.2, 1.17), (1.93, 0.9), (1.9, 0.42), (2.2, 0.02), (2.55, 0.2)),
    *((2.85, 0.7), (3.15, 1.6), (3.2, 2.1), (2.97, 2.35), (2.75, 2.0), (2.71, 1.2), (2.77, 0.4), (3.05, 0.02)),
    *((3.4, 0.2), (3.7, 0.7), (4.0, 1.6), (4.05, 2.1), (3.82, 2.35), (3.6, 2.0), (3.56, 1.2), (3.62, 0.4)),
    *((3.9, 0.02), (4.25, 0.2), (4.62, 0.65), (4.95, 1.0), (4.95, 1.3), (4.66, 1.3), (4.45, 0.92)),
    *((4.48, 0.35), (4.8, 0.02), (5.16, 0.28), (5.18, 0.75), (5.02, 1.2), (5.2, 1.55), (5.6, 1.5), (6.0, 1.25)),
)
"""Points that the pen passes, where a small letter is 1 high."""

SIZE = (2.5, 2.0)
"""Width and height [m] of that unit: an l is 4.7 m high."""

SPACING, ROUNDED = 0.05, 0.3
"""Metres between points, and over which corners are rounded: nobody walks round a point."""


def drawn_paths() -> dict[str, Array]:
    """By name, points (P, 2) [m]."""
    around = np.linspace(0.0, 2.0 * np.pi, 241)
    half = np.linspace(0.0, np.pi, 121)
    circle = 3.0 * np.stack([1.0 - np.cos(around), np.sin(around)], axis=1)
    first = 2.5 * np.stack([1.0 - np.cos(half), np.sin(half)], axis=1)
    second = 2.5 * np.stack([3.0 - np.cos(half), -np.sin(half)], axis=1)
    return {
        "line": np.array([[0.0, 0.0], [0.0, 10.0]]),
        "circle": circle,
        "S": np.concatenate([first, second[1:]]),
        "hello": hello(),
    }


def hello() -> Array:
    """The word as a smooth curve (P, 2) [m]."""
    # The page is seen from above, with x to the left of somebody who looks along +z.
    points = np.array(HELLO) * SIZE * (-1.0, 1.0)
    chords = np.concatenate([[0.0], np.cumsum(np.sqrt(np.hypot(*np.diff(points, axis=0).T)))])
    curve = CubicSpline(chords, points)(np.linspace(0.0, chords[-1], 4000))
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(curve, axis=0).T))])
    places = np.arange(0.0, arc[-1], SPACING)
    even = np.stack([np.interp(places, arc, column) for column in curve.T], axis=1)
    return gaussian_filter1d(even, ROUNDED / SPACING, axis=0, mode="nearest")
