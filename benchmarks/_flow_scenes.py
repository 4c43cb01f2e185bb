"""The scenes of `walkon bench flow`: a corridor one way and both ways, single file, a corner, and two streams that
become one. All are loops: see `_flow_loop.py`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from _flow_loop import NEAREST, SPREAD, Stream
from _flow_watch import Area, Array

if TYPE_CHECKING:
    from walkon.world import Obstacle, Scene

MEASURED = 12.0
"""[m] Length of the part of a corridor in which people are measured, around x = 0."""

BEFORE, BEHIND = 6.0, 2.0
"""[m] Of a corridor before the measured part, where newcomers appear and get into step, and behind it, before they
may go."""

ENTRY, OUTRUN = 4.0, 12.0
"""[m] Length of the entry, and of the corridor behind the exit, to where everybody wants. With a short entry there
is rarely room in it for somebody who walks. People slow down on the last metres to a goal: with a short outrun
they would where they are measured."""

BESIDE = 0.36
"""[m] Least distance of starts and newcomers to walls: the broadest of our people need 0.34 m."""

JITTER = 0.06
"""[m] Most that a start is moved from its place on the lattice, along and across. More, and people touch at
2.5."""

NARROW = 0.8
"""[m] Width of the corridor in which nobody can pass anybody."""

WALL = 0.2
"""[m] Thickness of walls."""

ARM = 10.0
"""[m] Length of the arms of a corner and of a junction, from their middle."""

BEND = 2.4
"""[m] Width of the corridors that bend and meet: four people abreast."""

EAST, WEST = 0.5 * math.pi, -0.5 * math.pi
"""Headings [rad] along x, and against it."""


def walls_scene(name: str, bounds: Area, walls: Sequence[Area]) -> Scene:
    """A scene without people, with walls that are rectangles on the ground."""
    from walkon.world import Scene, flat_terrain

    things = tuple(block(f"wall {number}", wall) for number, wall in enumerate(walls, start=1))
    return Scene(name, bounds, flat_terrain(bounds), things, duration=3600.0)


def block(name: str, area: Area) -> Obstacle:
    """A wall that covers an area of the ground."""
    from walkon.world import Box, Obstacle

    left, near, right, far = area
    middle = np.array([[0.5 * (left + right), 0.0, 0.5 * (near + far)]])
    return Obstacle(name, Box(right - left, 2.5, far - near), middle, np.array([[1.0, 0.0, 0.0, 0.0]]))


def lattice(area: Area, density: float, seed: int) -> Array:
    """Places (N, 2) [m] in an area, people for each square metre of it: rows a little out of line."""
    rng, (left, near, right, far) = np.random.default_rng(seed), area
    count = max(round(density * (right - left) * (far - near)), 1)
    across = far - near - 2.0 * BESIDE
    lanes = min(max(round(math.sqrt(count * max(across, 0.1) / (right - left))), 1), 1 + int(across / 0.6), count)
    lane = np.arange(count) % lanes
    spacing = (right - left) / math.ceil(count / lanes)
    x = left + spacing * (np.arange(count) // lanes + np.where(lane % 2, 0.75, 0.25))
    z = 0.5 * (near + far) + ((lane + 0.5) / lanes - 0.5) * across * (
        lanes / max(lanes - 1, 1) if lanes > 1 else 0.0
    )
    z = np.clip(z, near + BESIDE, far - BESIDE)
    moved = np.column_stack([x, z]) + rng.uniform(-JITTER, JITTER, (count, 2))
    return np.column_stack([moved[:, 0], np.clip(moved[:, 1], near + BESIDE, far - BESIDE)])


def spread(density: float) -> float:
    """[m] How far newcomers keep from everybody at a density [1/m²]."""
    return max(SPREAD / math.sqrt(density), NEAREST)


def corridor(width: float, density: float, seed: int, *, both: bool = False) -> tuple[Scene, list[Stream], Area]:
    """A corridor along x, its streams, and the measured area; `density` [1/m²]."""
    half, inner = 0.5 * width, 0.5 * MEASURED
    left, right = -inner - BEFORE, inner + BEHIND
    if both:
        left, right = -inner - max(BEFORE, BEHIND), inner + max(BEFORE, BEHIND)
    begin, end = (left - OUTRUN if both else left), right + OUTRUN
    bounds = (begin - 0.8, -half - WALL, end + 1.2, half + WALL)
    walls = [(bounds[0], -half - WALL, bounds[2], -half), (bounds[0], half, bounds[2], half + WALL)]
    starts = lattice((left, -half, right, half), density, seed)
    side, apart, entry, halts = max(half - BESIDE, 0.02), spread(density), ENTRY, True
    if width <= NARROW:
        # Nobody can be let in between two who follow each other, and nobody could get past somebody who stops.
        apart, entry, halts = max(SPREAD / (density * width), NEAREST), 0.3, False
    ways = np.arange(len(starts)) % 2 if both else np.zeros(len(starts), dtype=int)
    if both:
        ways = np.random.default_rng(seed).permutation(ways)
    streams = [
        Stream((left, -side, left + entry, side), EAST, (right, -half, end + 1.2, half),
               lambda x, z: (end + 0.4, z), starts[ways == 0], apart, not both, halts)
    ]  # fmt: skip
    if both:
        streams.append(
            Stream((right - entry, -side, right, side), WEST, (begin - 1.2, -half, left, half),
                   lambda x, z: (begin - 0.2, z), starts[ways == 1], apart, False, halts)
        )  # fmt: skip
    name = f"corridor of {width:g} m, {'both ways' if both else 'one way'}"
    return walls_scene(name, bounds, walls), streams, (-inner, -half, inner, half)


def corner(density: float, seed: int) -> tuple[Scene, list[Stream]]:
    """A corridor along x that turns by 90° to z; its inner corner is at (-BEND / 2, BEND / 2)."""
    half, end = 0.5 * BEND, ARM + OUTRUN
    bounds = (-ARM - 0.8, -half - WALL, half + WALL, end + 1.2)
    walls = [
        (bounds[0], bounds[1], bounds[2], -half), (half, -half, bounds[2], bounds[3]),
        (bounds[0], half, -half, bounds[3]),
    ]  # fmt: skip
    first, second = (
        lattice((-ARM, -half, half, half), density, seed),
        lattice((half, -half, ARM, half), density, seed),
    )
    # The second arm is laid out along x, and turned.
    starts = np.concatenate([first, second[:, ::-1]])
    stream = _branch(-1.0, half, end, lambda x, z: (-z, end + 0.4), starts, spread(density))
    return walls_scene("corner", bounds, walls), [stream]


def junction(density: float, seed: int) -> tuple[Scene, list[Stream]]:
    """Two corridors along x that meet and go on together along z, as wide as one of them."""
    half, end = 0.5 * BEND, ARM + OUTRUN
    bounds = (-ARM - 0.8, -half - WALL, ARM + 0.8, end + 1.2)
    walls = [
        (bounds[0], bounds[1], bounds[2], -half), (bounds[0], half, -half, bounds[3]),
        (half, half, bounds[2], bounds[3]),
    ]  # fmt: skip
    ahead = lattice((half, -half, ARM, half), 2.0 * density, seed)[:, ::-1]
    streams = []
    for side in (-1.0, 1.0):
        branch = lattice((-ARM, -half, -half, half), density, seed) * (-side, 1.0)
        starts = np.concatenate([branch, ahead[ahead[:, 0] * side > 0.0]])
        streams.append(
            _branch(side, half, end, _own_half(side, half - BESIDE, end + 0.4), starts, spread(density))
        )
    return walls_scene("junction", bounds, walls), streams


def _own_half(side: float, most: float, end: float) -> Callable[[float, float], tuple[float, float]]:
    """Goals of those from one side: who walks near the inner corner ends at the wall, others further in."""
    return lambda x, z: (side * 0.5 * (min(max(z, -most), most) + most), end)


def _branch(
    side: float,
    half: float,
    end: float,
    goal: Callable[[float, float], tuple[float, float]],
    starts: Array,
    apart: float,
) -> Stream:
    """People from an arm along x, at the left (-1) or the right (1), to the end of the arm along z."""
    left, right = sorted((side * ARM, side * (ARM - ENTRY)))
    inner = half - BESIDE
    entry, leaving = (left, -inner, right, inner), (-half, ARM, half, end + 1.2)
    return Stream(entry, EAST if side < 0.0 else WEST, leaving, goal, starts, apart)
