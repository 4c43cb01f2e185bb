"""The scenes of `walkon bench live`: a plaza with random goals, people who swap sides, corridors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from walkon.world import Character, Goal, Obstacle, Scene

Array = NDArray[np.float64]

DENSITY = 0.3
"""People per square metre."""

COVERED = 0.02
"""Share of the plaza that things stand on."""

PERFORMERS = 6
"""Different people of the built-in cast; more of them have to share."""

APART = 0.95
"""[m] Least distance between two people at the start."""

EDGE = 1.0
"""[m] Nobody starts or wants to be nearer to the edge or to a thing than this."""

GAP = 1.8
"""[m] Least distance between two things: they are gone around one by one."""

TRIES = 5
"""Places for things that are tried, for each of the people."""

NEAREST = 8.0
"""[m] The next goal is at least so far away."""


class Post(NamedTuple):
    """A thing as a box on the ground: middle, half of its width and depth [m], and whether it is round."""

    x: float
    z: float
    half_width: float
    half_depth: float
    round: bool


SIZES = ((0.35, 0.35, True), (1.0, 0.3, False), (0.3, 1.0, False), (1.1, 1.1, False))
"""Half widths and depths [m] of pillars, benches either way, and kiosks."""


class Plaza(NamedTuple):
    """A square of `side` metres with posts, and where people start: (N, 3) x, z, heading."""

    side: float
    posts: tuple[Post, ...]
    starts: Array

    def free(self, random: np.random.Generator, count: int) -> Array:
        """Places (count, 2) anywhere on the free ground."""
        found = np.empty((0, 2))
        while len(found) < count:
            some = random.uniform(EDGE, self.side - EDGE, (2 * count + 8, 2))
            found = np.concatenate([found, some[_clear(some, self.posts, EDGE)]])
        return found[:count]

    def goals(self, random: np.random.Generator, places: Array) -> Array:
        """A goal (K, 2) for each of K places, some way off."""
        goals = self.free(random, len(places))
        nearest = min(NEAREST, 0.4 * self.side)
        while (near := np.hypot(*(goals - places[:, :2]).T) < nearest).any():
            goals[near] = self.free(random, int(near.sum()))
        return goals


def make_plaza(people: int, seed: int) -> Plaza:
    """A plaza for so many people."""
    random = np.random.default_rng([seed, people])
    side = math.sqrt(people / DENSITY)
    posts: list[Post] = []
    covered = 0.0
    # On a small plaza there is not room for all of it.
    for _ in range(TRIES * people):
        if covered >= COVERED * side**2:
            break
        half_width, half_depth, is_round = SIZES[random.integers(len(SIZES))]
        x, z = random.uniform(3.0, side - 3.0, 2)
        one = Post(float(x), float(z), half_width, half_depth, is_round)
        if all(_between(one, other) >= GAP for other in posts):
            posts.append(one)
            covered += 4.0 * half_width * half_depth * (math.pi / 4.0 if is_round else 1.0)
    places = _spread(Plaza(side, tuple(posts), np.empty((0, 3))), random, people)
    headings = random.uniform(-math.pi, math.pi, (people, 1))
    return Plaza(side, tuple(posts), np.concatenate([places, headings], axis=1))


def _between(one: Post, other: Post) -> float:
    return max(
        abs(one.x - other.x) - one.half_width - other.half_width,
        abs(one.z - other.z) - one.half_depth - other.half_depth,
    )


def _clear(places: Array, posts: tuple[Post, ...], room: float) -> NDArray[np.bool_]:
    """Which of the places (N, 2) have so much room [m] to all posts."""
    clear = np.ones(len(places), dtype=bool)
    for post in posts:
        across = np.abs(places - (post.x, post.z)) - (post.half_width, post.half_depth)
        clear &= (across > room).any(axis=1)
    return clear


def _spread(plaza: Plaza, random: np.random.Generator, people: int) -> Array:
    """Random places (N, 2) on the free ground that keep APART."""
    taken: dict[tuple[int, int], list[tuple[float, float]]] = {}
    places: list[tuple[float, float]] = []
    while len(places) < people:
        for x, z in plaza.free(random, people):
            cell = int(x / APART), int(z / APART)
            near = (
                place
                for dx in (-1, 0, 1)
                for dz in (-1, 0, 1)
                for place in taken.get((cell[0] + dx, cell[1] + dz), ())
            )
            if len(places) < people and all(math.hypot(x - a, z - b) >= APART for a, b in near):
                taken.setdefault(cell, []).append((float(x), float(z)))
                places.append((float(x), float(z)))
    return np.array(places)


def plaza_scene(plaza: Plaza, goals: Array) -> Scene:
    """The plaza with everybody and their first goals (N, 2)."""
    bounds = (0.0, 0.0, plaza.side, plaza.side)
    obstacles = [post_obstacle(f"post {number}", post) for number, post in enumerate(plaza.posts)]
    return _scene("plaza", bounds, obstacles, people_at(plaza.starts, goals))


def post_obstacle(name: str, post: Post) -> Obstacle:
    """The thing itself."""
    from walkon.world import Box, Cylinder, Obstacle

    shape = (
        Cylinder(post.half_width, 2.5) if post.round else Box(2.0 * post.half_width, 1.0, 2.0 * post.half_depth)
    )
    return Obstacle(name, shape, np.array([[post.x, 0.0, post.z]]), np.array([[1.0, 0.0, 0.0, 0.0]]))


def people_at(starts: Array, goals: Array) -> list[Character]:
    """Built-in people at starts (N, 3) with goals (N, 2)."""
    from walkon.rotations import Placement
    from walkon.world import Character

    return [
        Character(
            f"person {number}",
            Placement(*map(float, start)),
            (goal_at(goal),),
            performer=number % PERFORMERS,
        )
        for number, (start, goal) in enumerate(zip(starts, goals, strict=True))
    ]


def goal_at(place: Array) -> Goal:
    """A goal at x, z."""
    from walkon.world import Goal

    return Goal(float(place[0]), float(place[1]))


def circle_swap(people: int) -> Scene:
    """People in a circle, each of whom wants to be where the one across is."""
    radius = max(1.25 * people / (2.0 * math.pi), 5.0)
    angles = 2.0 * math.pi * np.arange(people) / people
    places = radius * np.stack([np.sin(angles), np.cos(angles)], axis=1)
    headings = np.arctan2(-places[:, 0], -places[:, 1])
    half = radius + 6.0
    return _scene(
        f"circle of {people}",
        (-half, -half, half, half),
        [],
        people_at(np.concatenate([places, headings[:, None]], axis=1), -places),
    )


def corridor(people: int, width: float, length: float = 20.0) -> Scene:
    """So many people at either end of a corridor along x who want to be at the other."""
    end, half = 0.5 * length, 6.0
    thick = half - 0.5 * width
    walls = [
        ("wall at the left", Post(0.0, 0.5 * width + 0.5 * thick, end, 0.5 * thick, False)),
        ("wall at the right", Post(0.0, -0.5 * width - 0.5 * thick, end, 0.5 * thick, False)),
    ]
    rows = max(1, math.ceil(people / 5))
    count = math.ceil(people / rows)
    ahead, aside = np.divmod(np.arange(people), count)
    x, z = end + 2.5 + 1.5 * ahead, 1.5 * (aside - 0.5 * (count - 1))
    room = end + 2.5 + 1.5 * rows + 2.5
    here = np.stack([-x, z, np.full(people, math.pi / 2.0)], axis=1)
    there = np.stack([x, z, np.full(people, -math.pi / 2.0)], axis=1)
    starts = np.concatenate([here, there])
    # Who stands in front has furthest to go: nobody has to get past those who have arrived.
    goals = np.concatenate([there[::-1, :2], here[::-1, :2]])
    return _scene(
        f"corridor of {width:g} m",
        (-room, -half, room, half),
        [post_obstacle(name, post) for name, post in walls],
        people_at(starts, goals),
    )


def _scene(name: str, bounds: tuple[float, float, float, float], obstacles: list, people: list) -> Scene:
    from walkon.world import Scene, flat_terrain

    return Scene(name, bounds, flat_terrain(bounds), tuple(obstacles), tuple(people), duration=3600.0)
