"""Scenes of Chen (2014) with things to walk around: two corners, cluttered spaces, a concourse."""

from __future__ import annotations

import math
import random

from walkon.world.classics.layout import Layout, Person, Point, box, dice

CELL = 1.8
"""From the middle of one box of the cluttered space to that of the next [m]."""

COLUMNS, ROWS = 4, 3
REGION = COLUMNS * CELL, ROWS * CELL
BOX, BOX_HEIGHT = 0.45, 0.9
SHIFT = 0.6
"""How far at most a box is moved along x and z [m]."""

SIDES = 0.3, 0.9
"""Least and largest side of a box of another size [m]."""

FREE = 0.9
"""Room [m] that the boxes of cluttered spaces leave around start and goal."""

JOGGER = 8
"""Every so manieth person of the concourse jogs."""


def two_corners(seed: int) -> Layout:
    """One person through a corridor with two turns between two large blocks."""
    blocks = [
        box("block on the left", (-3.45, 0.9), 5.1, 6.2),
        box("block on the right", (3.45, -0.9), 5.1, 6.2),
    ]
    return Layout((-6.0, -4.0, 6.0, 4.0), [Person((-5.0, -3.1), (5.0, 3.1))], blocks)


def cluttered_grid(seed: int) -> Layout:
    """One person from corner to corner of a grid of boxes."""
    boxes = [box(name, at, BOX, BOX, height=BOX_HEIGHT) for name, at in _grid()]
    return _cluttered(boxes)


def cluttered_random(number: int, seed: int) -> Layout:
    """The same boxes moved about, of other sizes and turned."""
    rng = dice(f"cluttered-{number}", seed)
    boxes: list[dict] = []
    for name, at in _grid():
        boxes.append(_shuffled(name, at, rng, boxes))
    return _cluttered(boxes)


def _cluttered(boxes: list[dict]) -> Layout:
    x, z = 0.5 * REGION[0], 0.5 * REGION[1]
    # Room to walk around everything: there is always a way.
    return Layout((-x - 1.5, -z - 1.5, x + 1.5, z + 1.5), [Person((-x, -z), (x, z))], boxes)


def _grid() -> list[tuple[str, Point]]:
    places = [
        (CELL * (column - 0.5 * (COLUMNS - 1)), CELL * (row - 0.5 * (ROWS - 1)))
        for row in range(ROWS)
        for column in range(COLUMNS)
    ]
    return [(f"box {number}", place) for number, place in enumerate(places, start=1)]


def _shuffled(name: str, at: Point, rng: random.Random, others: list[dict]) -> dict:
    """A box that is near neither start nor goal and overlaps no other."""
    corner = 0.5 * REGION[0], 0.5 * REGION[1]
    while True:
        place = at[0] + rng.uniform(-SHIFT, SHIFT), at[1] + rng.uniform(-SHIFT, SHIFT)
        width, depth, height = rng.uniform(*SIDES), rng.uniform(*SIDES), rng.uniform(0.6, 1.2)
        made = box(name, place, width, depth, height=height, heading=round(rng.uniform(1.0, 90.0)))
        free = math.dist(corner, (abs(place[0]), abs(place[1]))) >= FREE + _reach(made)
        if free and all(math.dist(place, other["at"]) >= _reach(made) + _reach(other) for other in others):
            return made


def _reach(made: dict) -> float:
    """From the middle of a box to its corners [m]."""
    return 0.5 * math.hypot(made["width"], made["depth"])


def station_concourse(seed: int) -> Layout:
    """Forty people cross a hall to the other side, among things of all shapes; some of them jog."""
    rng = dice("concourse", seed)
    pillars = ((-4.0, -3.5), (-4.0, 3.5), (4.0, -3.5), (4.0, 3.5))
    obstacles = [
        {"name": f"pillar {number}", "shape": "cylinder", "at": at, "radius": 0.4, "height": 4.0}
        for number, at in enumerate(pillars, start=1)
    ]
    obstacles += [
        box("kiosk", (0.0, 0.0), 1.6, 1.6, height=2.3),
        box("bench", (0.0, -5.5), 2.4, 0.6, height=0.45),
        {"name": "globe", "shape": "sphere", "at": (0.0, 5.2), "radius": 0.7},
    ]
    people = [_passenger(number, rng) for number in range(40)]
    return Layout((-12.0, -7.5, 12.0, 7.5), people, obstacles)


def _passenger(number: int, rng: random.Random) -> Person:
    """From left and right in turn, in two waves of twenty."""
    side, row, wave = (1.0 if number % 2 else -1.0), number // 2 % 10, number // 20
    start = side * (11.0 - 0.6 * (row % 2)), -6.3 + 1.4 * row
    goal = -side * 9.0, -6.3 + 1.4 * rng.randrange(10)
    more = {"start_time": round(5.0 * wave + rng.uniform(0.0, 2.0), 1), "at_goal": "leave"}
    jogs = {"pose": "jog", "weights": {"walk*": 2}} if number % JOGGER == JOGGER - 1 else {}
    return Person(start, goal, {**more, **jogs})
