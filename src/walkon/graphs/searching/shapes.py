"""Paths that a person can walk: a line, a circle, an S, and a word in cursive letters as high as a house.

They are laid out as plans are drawn, with x to the right and z down the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from scipy.interpolate import CubicSpline

from walkon.basics import Array

HELLO = (
    *((0.0, 0.1), (0.35, 0.7), (0.72, 1.6), (0.78, 2.12), (0.56, 2.35), (0.35, 2.05), (0.32, 1.2), (0.35, 0.4)),
    *((0.52, 0.03), (0.7, 0.35), (0.84, 0.85), (1.1, 1.07), (1.34, 0.8), (1.37, 0.35), (1.6, 0.03), (1.95, 0.25)),
    *((2.32, 0.6), (2.42, 0.95), (2.2, 1.17), (1.93, 0.9), (1.9, 0.42), (2.2, 0.02), (2.55, 0.2)),
    *((2.85, 0.7), (3.15, 1.6), (3.2, 2.1), (2.97, 2.35), (2.75, 2.0), (2.71, 1.2), (2.77, 0.4), (3.05, 0.02)),
    *((3.4, 0.2), (3.7, 0.7), (4.0, 1.6), (4.05, 2.1), (3.82, 2.35), (3.6, 2.0), (3.56, 1.2), (3.62, 0.4)),
    *((3.9, 0.02), (4.25, 0.2), (4.62, 0.65), (4.95, 1.0), (4.95, 1.3), (4.66, 1.3), (4.45, 0.92)),
    *((4.48, 0.35), (4.8, 0.02), (5.16, 0.28), (5.18, 0.75), (5.02, 1.2), (5.2, 1.55), (5.6, 1.5), (6.0, 1.25)),
)
"""Points that the pen passes, to the right and up, where a small letter is 1 high."""

LETTERS = (2.5, 2.0)
"""Width and height [m] of that unit: an l is 4.7 m high."""


def line(length: float = 10.0) -> Array:
    """Straight to the right (2, 2) [m]."""
    return np.array([[0.0, 0.0], [length, 0.0]])


def circle(radius: float = 3.0) -> Array:
    """Once around (P, 2) [m]."""
    angles = np.linspace(0.0, 2.0 * np.pi, 241)
    return radius * np.stack([np.sin(angles), np.cos(angles) - 1.0], axis=1)


def letter_s(radius: float = 2.5) -> Array:
    """Half a circle to one side, then half a circle to the other (P, 2) [m]."""
    angles = np.linspace(0.0, np.pi, 121)
    first = np.stack([np.sin(angles), np.cos(angles) - 1.0], axis=1)
    second = np.stack([-np.sin(angles), np.cos(angles) - 3.0], axis=1)
    return radius * np.concatenate([first, second[1:]])


def hello() -> Array:
    """The word as a smooth curve (P, 2) [m]."""
    points = np.array(HELLO) * LETTERS * (1.0, -1.0)
    chords = np.concatenate([[0.0], np.cumsum(np.sqrt(np.hypot(*np.diff(points, axis=0).T)))])
    return CubicSpline(chords, points)(np.linspace(0.0, chords[-1], 1500))


SHAPES: Mapping[str, Callable[[], Array]] = MappingProxyType(
    {"line": line, "circle": circle, "s": letter_s, "hello": hello}
)
"""Name -> maker of points (P, 2) x, z [m]."""
