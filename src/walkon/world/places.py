"""What a place is for, beside being there: exits, waiting places, service points, doors with hours, stairs.

Planners know goals, obstacles and paces; this is what these come from.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from walkon.basics import Array, Flags
from walkon.errors import SceneError

Rectangle = tuple[float, float, float, float]
"""x and z of the least corner, x and z of the greatest [m]."""

PlaceKind = Literal["exit", "waiting", "service"]
Choice = Literal["nearest", "least_crowded", "first"]

INSIDE = 0.4
"""[m] From the edge of a region to a goal in it, if the region is wide enough: about half of a body."""


@dataclass(frozen=True)
class NamedPlace:
    """An area that people go to by its name.

    regions: rectangles. time: least and most seconds that somebody spends here. servers: people who are served at
    once. queue: line (K, 2) along which people wait to be served, from its head on; `service` places have one.
    """

    name: str
    kind: PlaceKind
    regions: tuple[Rectangle, ...]
    time: tuple[float, float] = (0.0, 0.0)
    servers: int = 1
    queue: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        if not self.regions:
            raise SceneError(f"place {self.name!r}: has no region")

    @property
    def width(self) -> float:
        """[m] How wide it is for whoever walks into it: the longest side of all."""
        return max(max(x1 - x0, z1 - z0) for x0, z0, x1, z1 in self.regions)

    def nearest(self, x: float, z: float) -> tuple[float, float]:
        """The point of it that is nearest to (x, z), a little inside."""
        points = [(_inner(x, x0, x1), _inner(z, z0, z1)) for x0, z0, x1, z1 in self.regions]
        return min(points, key=lambda point: math.hypot(point[0] - x, point[1] - z))

    def holds(self, x: float, z: float) -> bool:
        """Whether (x, z) is in it."""
        return any(x0 <= x <= x1 and z0 <= z <= z1 for x0, z0, x1, z1 in self.regions)


def _inner(value: float, low: float, high: float) -> float:
    inset = min(INSIDE, 0.5 * (high - low))
    return min(max(value, low + inset), high - inset)


@dataclass(frozen=True)
class TimedDoor:
    """A leaf between two points [m] that is shut but for some hours: pairs of seconds, from and to, in order."""

    name: str
    start: tuple[float, float]
    end: tuple[float, float]
    hours: tuple[tuple[float, float], ...] = ()

    def is_open(self, time: float) -> bool:
        """Whether one can pass at a time [s]."""
        return any(first <= time < last for first, last in self.hours)


@dataclass(frozen=True)
class Stairs:
    """A part of the ground on which people are slower: up, along `heading` [rad], and down."""

    name: str
    regions: tuple[Rectangle, ...]
    heading: float
    speed_up: float = 0.61
    speed_down: float = 0.69

    def hold(self, places: Array) -> Flags:
        """Which of places (N, 2) are on them."""
        inside = np.zeros(len(places), dtype=bool)
        for x0, z0, x1, z1 in self.regions:
            inside |= (places[:, 0] >= x0) & (places[:, 0] <= x1) & (places[:, 1] >= z0) & (places[:, 1] <= z1)
        return inside
