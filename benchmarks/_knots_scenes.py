"""Knots built on purpose, for `walkon bench knots`: people placed so that everybody is in somebody's way.

Each kind is a function of a random generator: sizes, places and who wants to be where are drawn from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from _live_scenes import Array, Post, people_at, post_obstacle

if TYPE_CHECKING:
    from walkon.world import Scene

Random = np.random.Generator

APART = 0.85
"""[m] Least distance between two people at the start: they just do not touch, whichever way they face."""

GOALS_APART = 1.1
"""[m] Between two goals in the open: one gets past those who have arrived."""

BESIDE = 0.45
"""[m] Least distance of starts to walls."""

WALL = 0.2
"""[m] Thickness of walls with doors."""

EAST, WEST = 0.5 * math.pi, -0.5 * math.pi
"""Headings [rad] along x, and against it."""


def dead_end(random: Random) -> Scene:
    """People in a dead end who want out, and as many before it who want to where these stand."""
    people, width = int(random.integers(1, 5)), float(random.uniform(0.9, 1.4))
    deep = 1.0 * people + 0.4
    block, half = 3.0, 0.5 * width
    side = 0.5 * block
    walls = [
        Post(-0.5 * deep, half + side, 0.5 * deep, side, False),
        Post(-0.5 * deep, -half - side, 0.5 * deep, side, False),
        Post(-deep - 0.25, 0.0, 0.25, half + block, False),
    ]
    inside = np.column_stack([-0.55 - 1.0 * np.arange(people), np.zeros(people)])
    before = np.column_stack([0.45 + 0.9 * np.arange(people), random.uniform(-0.3, 0.3, people)])
    faces = random.uniform(-math.pi, math.pi, 2 * people)
    starts = np.column_stack([np.concatenate([inside, before]), faces]).astype(np.float64)
    outside = _lattice((3.5, -2.5, 6.5, 2.5), GOALS_APART)
    goals = np.concatenate([random.permutation(outside)[:people], random.permutation(inside)])
    return _scene("dead end", (-deep - 1.0, -half - block, 8.0, half + block), walls, starts, goals)


def door(random: Random) -> Scene:
    """Equal crowds on both sides of a door, each of which wants to where the other is."""
    people, width = int(random.integers(2, 11)), float(random.uniform(0.8, 1.2))
    half, depth = 4.0, 7.0
    side = 0.5 * (half - 0.5 * width)
    walls = [Post(0.0, sign * (0.5 * width + side), 0.5 * WALL, side, False) for sign in (1.0, -1.0)]
    here = _around_door(random, people)
    there = _around_door(random, people) * (-1.0, 1.0)
    starts = np.column_stack([np.concatenate([here, there]), np.repeat([EAST, WEST], people)])
    beyond = _lattice((3.5, -3.0, 6.2, 3.0), GOALS_APART)
    goals = np.concatenate(
        [random.permutation(beyond)[:people], random.permutation(beyond)[:people] * (-1.0, 1.0)]
    )
    return _scene("door", (-depth, -half, depth, half), walls, starts, goals)


def ring(random: Random) -> Scene:
    """People shoulder to shoulder in a ring, each of whom wants to be where the one across is."""
    people = int(random.integers(6, 25))
    apart = float(random.uniform(APART, 1.1))
    radius = apart / (2.0 * math.sin(math.pi / people))
    angles = 2.0 * math.pi * (np.arange(people) + random.uniform()) / people
    places = radius * np.column_stack([np.sin(angles), np.cos(angles)])
    # Some are not even: who wants across goes to the place of the one across, or of the next one.
    goals = -places if people % 2 == 0 else np.roll(places, people // 2, axis=0)
    starts = np.column_stack([places, np.arctan2(-places[:, 0], -places[:, 1])])
    half = radius + 3.0
    return _scene("ring", (-half, -half, half, half), [], starts, goals)


def narrow_files(random: Random) -> Scene:
    """Two files that have met head-on in a corridor of 1 m to 1.2 m, where hardly anybody can pass."""
    return _files(random, "narrow files", float(random.uniform(1.0, 1.2)), int(random.integers(1, 5)))


def wide_files(random: Random) -> Scene:
    """Two crowds that have met head-on in a corridor of 3 m."""
    return _files(random, "wide files", 3.0, int(random.integers(4, 11)))


def _files(random: Random, name: str, width: float, people: int) -> Scene:
    """So many people from either side, face to face in the middle of a corridor."""
    abreast = max(int((width - 2.0 * BESIDE) / APART + 1.0 + 1e-9), 1)
    rows, columns = np.divmod(np.arange(people), abreast)
    length = 1.0 * (rows.max() + 1) + float(random.uniform(2.0, 4.0))
    half, side = 4.0, 0.5 * (4.0 - 0.5 * width)
    walls = [Post(0.0, sign * (0.5 * width + side), length, side, False) for sign in (1.0, -1.0)]
    across = APART * (columns - 0.5 * (abreast - 1))
    here = np.column_stack([-0.5 - 0.95 * rows, across + random.uniform(-0.05, 0.05, people)])
    there = np.column_stack([0.5 + 0.95 * rows, across + random.uniform(-0.05, 0.05, people)])
    starts = np.column_stack([np.concatenate([here, there]), np.repeat([EAST, WEST], people)])
    ends = _lattice((length + 1.5, -3.2, length + 4.5, 3.2), GOALS_APART)
    goals = np.concatenate([random.permutation(ends)[:people], random.permutation(ends)[:people] * (-1.0, 1.0)])
    return _scene(name, (-length - 6.0, -half, length + 6.0, half), walls, starts, goals)


def _around_door(random: Random, people: int) -> Array:
    """Places (N, 2) close before a door at the origin, on the side of negative x."""
    found: list[tuple[float, float]] = [(-0.5, float(random.uniform(-0.1, 0.1)))]
    reach = 1.0
    while len(found) < people:
        reach += 0.01
        angle, far = random.uniform(-0.5 * math.pi, 0.5 * math.pi), random.uniform(0.6, reach)
        x, z = -far * math.cos(angle) - BESIDE, far * math.sin(angle)
        if all(math.hypot(x - a, z - b) >= APART for a, b in found):
            found.append((float(x), float(z)))
    return np.array(found)


def _lattice(area: tuple[float, float, float, float], apart: float) -> Array:
    """Places (N, 2) so far [m] apart in an area left, near, right, far."""
    left, near, right, far = area
    x, z = np.meshgrid(np.arange(left, right, apart), np.arange(near, far, apart))
    return np.column_stack([x.ravel(), z.ravel()])


def _scene(name: str, bounds: tuple[float, ...], walls: list[Post], starts: Array, goals: Array) -> Scene:
    from walkon.world import Scene, flat_terrain

    left, near, right, far = bounds
    things = tuple(post_obstacle(f"wall {number}", wall) for number, wall in enumerate(walls))
    inside = (left, near, right, far)
    return Scene(name, inside, flat_terrain(inside), things, tuple(people_at(starts, goals)), duration=3600.0)


KNOTS: dict[str, Callable[[Random], Scene]] = {
    "dead end": dead_end,
    "door": door,
    "ring": ring,
    "narrow files": narrow_files,
    "wide files": wide_files,
}
"""Kind -> a knot of it."""


def make_knot(kind: str, number: int, seed: int) -> Scene:
    """The knot of a kind with a number."""
    return KNOTS[kind](np.random.default_rng([seed, number, *kind.encode()]))
