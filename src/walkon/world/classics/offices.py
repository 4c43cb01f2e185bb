"""An office: furnished rooms on both sides of a corridor, and people who go from room to room."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from walkon.world.classics.layout import Layout, Person, Point, box
from walkon.world.classics.scattering import numbers, scatter
from walkon.world.placing import match_goals

SIDE_ROOMS = 5
"""Rooms on either side of the corridor."""

IN_A_ROOM = 3
"""People who start in each room, and people who come to each."""

CORRIDOR, DOOR, WALL = 1.5, 0.9, 0.15
"""[m] Widths of the corridor and of doors, and how thick walls are."""

ROOM_WIDTH, ROOM_DEPTH = 4.5, 5.0
"""[m] Along the corridor and away from it."""

DOOR_MARGIN = 0.6
"""[m] Least length of wall beside a door."""

DOORSTEP = 1.2
"""[m] Nobody starts or stays nearer to the corridor than this: who stands in a door keeps others in."""

STAYING = 3.4
"""[m] Nobody stays further from the corridor than this: between desks, one who stays locks another in or out."""

PASSABLE = 1.3
"""[m] Least distance of two who stay: another passes between them."""

APART, FREE = 0.9, 0.45
"""[m] Least distance of two who start, and of everybody's start and goal to furniture and walls."""

Furniture = tuple[str, float, float, float, float, float]
"""What it is; from the left wall and from the door's wall to its middle; width, depth, height [m]."""

DESK, CHAIR, CABINET = (1.6, 0.8, 0.74), (0.5, 0.5, 0.9), (0.9, 0.45, 1.9)
"""Ordinary sizes [m]: width, depth, height."""

FURNISHINGS: tuple[tuple[Furniture, ...], ...] = (
    (
        ("desk", 0.9, 4.55, *DESK),
        ("desk", 3.6, 4.55, *DESK),
        ("chair", 0.9, 3.85, *CHAIR),
        ("chair", 3.6, 3.85, *CHAIR),
        ("cabinet", 0.25, 2.0, 0.45, 0.9, 1.9),
    ),
    (
        ("desk", 2.25, 3.7, *DESK),
        ("chair", 2.25, 4.45, *CHAIR),
        ("cabinet", 0.5, 4.75, *CABINET),
        ("cabinet", 4.0, 4.75, *CABINET),
        ("side table", 0.4, 1.8, 0.6, 0.6, 0.55),
    ),
    (
        ("table", 0.6, 2.8, 1.0, 2.0, 0.74),
        ("chair", 1.4, 2.3, *CHAIR),
        ("chair", 1.4, 3.3, *CHAIR),
        ("chair", 0.6, 4.15, *CHAIR),
        ("cabinet", 4.0, 4.75, *CABINET),
    ),
    (
        *(("cabinet", 0.5 + 0.95 * number, 4.75, *CABINET) for number in range(4)),
        ("printer", 0.35, 2.0, 0.6, 0.6, 1.1),
        ("table", 4.1, 2.6, 0.7, 1.4, 0.74),
    ),
)
"""An office for two, one for one, a meeting room, an archive. What stands in a room leaves its middle free."""


def office(seed: int) -> Layout:
    """Ten furnished rooms along a corridor, and thirty people who go from one room to another."""
    rng = numbers("office", seed)
    length = SIDE_ROOMS * ROOM_WIDTH + (SIDE_ROOMS - 1) * WALL
    deep = 0.5 * CORRIDOR + WALL + ROOM_DEPTH
    bounds = (0.0, -deep, length, deep)
    things: list[dict] = []
    for side in (-1.0, 1.0):
        things += _walls(side, length, rng)
        for number in range(SIDE_ROOMS):
            things += _furnish(side, number, rng)
    starts, goals = [], []
    for side in (-1.0, 1.0):
        for number in range(SIDE_ROOMS):
            for places, depth, apart in ((starts, ROOM_DEPTH, APART), (goals, STAYING, PASSABLE)):
                region = _region(side, number, depth)
                places.extend(scatter(rng, bounds, things, region, IN_A_ROOM, spacing=apart, room=FREE))
    rooms = np.arange(len(starts)) // IN_A_ROOM
    order = rng.permutation(len(starts))
    chosen = order[match_goals(rooms[:, None] != rooms[order])]
    people = [Person(start, goals[goal], {"tolerance": 0.3}) for start, goal in zip(starts, chosen, strict=True)]
    return Layout(bounds, people, things, 120.0, drawn=True)


def _corner(side: float, number: int) -> Point:
    """Where a room begins: at its left wall, at the wall of the corridor."""
    return number * (ROOM_WIDTH + WALL), side * (0.5 * CORRIDOR + WALL)


def _region(side: float, number: int, depth: float) -> tuple[float, float, float, float]:
    """A room, from the doorstep on as deep as that [m]."""
    x, z = _corner(side, number)
    near, far = sorted((z + side * DOORSTEP, z + side * depth))
    return x, near, x + ROOM_WIDTH, far


def _walls(side: float, length: float, rng: np.random.Generator) -> list[dict]:
    """The walls of the rooms on one side: that of the corridor with a door for each, and those between rooms."""
    name = "left" if side < 0.0 else "right"
    edges = [0.0]
    for number in range(SIDE_ROOMS):
        x = _corner(side, number)[0]
        door = x + float(rng.uniform(DOOR_MARGIN, ROOM_WIDTH - DOOR_MARGIN - DOOR))
        door = 0.02 * round(50.0 * door)  # so that walls, written in centimetres, leave exactly the door
        edges += [door, door + DOOR]
    edges.append(length)
    middle = side * 0.5 * (CORRIDOR + WALL)
    made = [
        box(f"{name} wall {number}", (0.5 * (begin + end), middle), end - begin, WALL)
        for number, (begin, end) in enumerate(list(pairwise(edges))[::2], start=1)
    ]
    for number in range(1, SIDE_ROOMS):
        x, z = _corner(side, number)
        at = x - 0.5 * WALL, z + side * 0.5 * ROOM_DEPTH
        made.append(box(f"{name} partition {number}", at, WALL, ROOM_DEPTH))
    return made


def _furnish(side: float, number: int, rng: np.random.Generator) -> list[dict]:
    """What stands in a room: one of the furnishings, as it is or mirrored."""
    corner_x, corner_z = _corner(side, number)
    mirrored = bool(rng.integers(2))
    made = []
    label = f"{'left' if side < 0.0 else 'right'} room {number + 1}"
    for count, (what, along, away, width, depth, height) in enumerate(
        FURNISHINGS[int(rng.integers(len(FURNISHINGS)))], start=1
    ):
        x = corner_x + (ROOM_WIDTH - along if mirrored else along)
        made.append(box(f"{label}, {what} {count}", (x, corner_z + side * away), width, depth, height=height))
    return made
