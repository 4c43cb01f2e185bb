"""The scenes of RiMEA's tests (Guideline for Microscopic Evacuation Analysis), for `walkon bench rimea`.

Scenes and sizes are modelled on the guideline's, from descriptions of it: they were not compared with its text.
People leave at goals behind exits. What scenes cannot say yet
(speeds, stairs, choices of exits) is written as a scene file, so that a test that needs it says so until it is
known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from _flow_scenes import EAST, WALL, lattice, walls_scene
from _flow_watch import Area, Array

if TYPE_CHECKING:
    from walkon.world import Character, Scene

PERFORMERS = 6
"""Different people of the built-in cast."""

STEADY = 1
"""The performer of the cast who walks at 1.36 m/s, nearest to the 1.33 m/s that the guideline wants."""

BEHIND = 3.0
"""[m] From an exit to where people are gone. Nearer, and those who go would stand in the door."""

Door = tuple[str, float, float]
"""A side of a room ("left" and "right" along x, "near" and "far" along z), the middle of the door on it, its width
[m]."""


def room_walls(room: Area, doors: Sequence[Door]) -> list[Area]:
    """Walls around a room, open at its doors."""
    left, near, right, far = room
    sides = {
        "left": (left - WALL, left, near - WALL, far + WALL),
        "right": (right, right + WALL, near - WALL, far + WALL),
        "near": (near - WALL, near, left, right),
        "far": (far, far + WALL, left, right),
    }
    walls: list[Area] = []
    for side, (low, high, begin, end) in sides.items():
        edges = [begin]
        for _, middle, width in sorted(door for door in doors if door[0] == side):
            edges += [middle - 0.5 * width, middle + 0.5 * width]
        edges.append(end)
        for one, other in zip(edges[::2], edges[1::2], strict=True):
            if other - one > 0.02:
                along_z = side in ("left", "right")
                walls.append((low, one, high, other) if along_z else (one, low, other, high))
    return walls


def somebody(
    number: int,
    start: Sequence[float],
    goals: Sequence[tuple[float, float]],
    *,
    heading: float = EAST,
    performer: int | None = None,
    **more: object,
) -> Character:
    """Who walks from a start (x, z) to goals, and leaves at the last; `more`: further fields of a character."""
    from walkon.rotations import Placement
    from walkon.world import Character, Goal

    return Character(
        f"p{number}",
        Placement(float(start[0]), float(start[1]), heading),
        tuple(Goal(float(x), float(z)) for x, z in goals),
        performer=number % PERFORMERS if performer is None else performer,
        at_goal="leave",
        **more,  # type: ignore[arg-type]
    )


def with_people(scene: Scene, people: Sequence[Character]) -> Scene:
    """The scene with people in it."""
    from dataclasses import replace

    return replace(scene, characters=tuple(people))


def crowd_in(area: Area, count: int, seed: int) -> Array:
    """Places (N, 2) for so many people, spread over an area."""
    left, near, right, far = area
    size = (right - left) * (far - near)
    places = lattice(area, (count + 0.5) / size, seed)
    return places[np.random.default_rng(seed).permutation(len(places))[:count]]


def free_corridor() -> Scene:
    """Test 1: a corridor of 2 m by 40 m, and one person who begins at its end."""
    from walkon.world import Character

    known = {"speed": 1.33} if "speed" in Character.__dataclass_fields__ else {}
    bounds = (-1.0, -1.0 - WALL, 44.0, 1.0 + WALL)
    walls = [(-1.0, -1.0 - WALL, 44.0, -1.0), (-1.0, 1.0, 44.0, 1.0 + WALL)]
    one = somebody(0, (0.0, 0.0), [(43.0, 0.0)], performer=STEADY, **known)
    return with_people(walls_scene("test 1", bounds, walls), [one])


def waiting_room() -> Scene:
    """Test 5: a room of 8 m by 5 m with an exit of 1 m, and ten people."""
    room, door = (0.0, 0.0, 8.0, 5.0), ("right", 2.5, 1.0)
    starts = np.array([(1.0 + 1.2 * k, z) for z in (1.2, 3.8) for k in range(5)])
    people = [somebody(k, start, [(8.0 + BEHIND, 2.5)]) for k, start in enumerate(starts)]
    scene = walls_scene("test 5", (-0.2, -0.2, 8.0 + BEHIND + 1.2, 5.2), room_walls(room, [door]))
    return with_people(scene, people)


def around_corner(count: int = 20) -> Scene:
    """Test 6: a corridor of 2 m that turns to the left, arms of 12 m, and twenty people in its first 6 m."""
    bounds = (-12.2, -1.2, 1.2, 12.2)
    walls = [(-12.2, -1.2, 1.2, -1.0), (1.0, -1.0, 1.2, 12.2), (-12.2, 1.0, -1.0, 12.2)]
    starts = crowd_in((-11.6, -1.0, -5.6, 1.0), count, 0)
    people = [somebody(k, (x, z), [(-0.6 * z, 11.4)]) for k, (x, z) in enumerate(starts)]
    return with_people(walls_scene("test 6", bounds, walls), people)


def lanes(speeds: Array) -> Scene:
    """Test 7: people side by side, each with room for itself, with speeds [m/s]."""
    wide = 1.5 * len(speeds)
    people = [somebody(k, (0.0, 1.5 * k), [(22.0, 1.5 * k)], speed=float(v)) for k, v in enumerate(speeds)]
    return with_people(walls_scene("test 7", (-1.5, -1.5, 24.0, wide + 1.5), []), people)


def simple_room(count: int, door: float = 1.2, clearance: float = 0.05) -> Scene:
    """Test 8: a room of 10 m by 8 m with a door, and people in its left half."""
    from dataclasses import replace

    room = (0.0, 0.0, 10.0, 8.0)
    starts = crowd_in((0.2, 0.2, 7.0, 7.8), count, 0)
    people = [somebody(k, start, [(10.0 + BEHIND, 4.0)]) for k, start in enumerate(starts)]
    scene = walls_scene("test 8", (-0.2, -0.2, 10.0 + BEHIND + 1.2, 8.2), room_walls(room, [("right", 4.0, door)]))
    return replace(with_people(scene, people), clearance=clearance)


def four_exits(count: int, opened: int) -> Scene:
    """Test 9: a hall with four exits of 1 m, two on each long side, of which the first `opened` are open.

    1000 people are in a hall of 30 m by 20 m; fewer have a smaller one, as full. Everybody goes to the nearest
    exit that is open.
    """
    size = math.sqrt(count / 1000.0)
    long, deep = 30.0 * size, 20.0 * size
    doors: list[Door] = [("far", 0.25 * long, 1.0), ("far", 0.75 * long, 1.0), ("near", 0.25 * long, 1.0),
                         ("near", 0.75 * long, 1.0)][:opened]  # fmt: skip
    bounds = (-0.2, -BEHIND - 1.2, long + 0.2, deep + BEHIND + 1.2)
    exits = [(door[1], deep if door[0] == "far" else 0.0) for door in doors]
    people = []
    for k, (x, z) in enumerate(crowd_in((0.2, 0.2, long - 0.2, deep - 0.2), count, 0)):
        at_x, at_z = min(exits, key=lambda place: math.hypot(place[0] - x, place[1] - z))
        people.append(somebody(k, (x, z), [(at_x, at_z + (BEHIND if at_z > 0.0 else -BEHIND))]))
    walls = room_walls((0.0, 0.0, long, deep), doors)
    return with_people(walls_scene(f"test 9, {opened} exits", bounds, walls), people)


CABIN, DEEP, CABINS = 2.5, 3.0, 6
"""Test 10: width and depth of a cabin [m], and how many are on either side of the corridor."""

SECOND_FROM = 4
"""Test 10: people of cabins from this one on leave by the second exit."""


def cabins() -> Scene:
    """Test 10: a corridor of 2 m between two rows of cabins, an exit at either end, and 23 people, each with an
    exit."""
    long, walls, people = CABIN * CABINS, [], []
    for side in (-1.0, 1.0):
        for k in range(CABINS):
            left, middle = CABIN * k, CABIN * (k + 0.5)
            near, far = sorted((side * (1.0 + WALL), side * (1.0 + WALL + DEEP)))
            door = ("far" if side < 0 else "near", middle, 0.9)
            walls += room_walls((left + 0.1, near, left + CABIN - 0.1, far), [door])
            for aside in (-0.6, 0.6):
                if len(people) < 23:
                    goal = (long + BEHIND, 0.0) if k >= SECOND_FROM else (-BEHIND, 0.0)
                    start = (middle + aside, side * (1.0 + WALL + 0.6 * DEEP))
                    people.append(somebody(len(people), start, [goal], heading=0.0 if side < 0 else math.pi))
    half = 1.0 + 2 * WALL + DEEP + 0.2
    return with_people(walls_scene("test 10", (-BEHIND - 1.2, -half, long + BEHIND + 1.2, half), walls), people)


def two_rooms(count: int) -> Scene:
    """Test 12: two rooms of 10 m by 10 m, joined by a corridor of 1 m by 5 m, and an exit of 1 m at the end."""
    middle = 5.0
    walls = [
        *room_walls((0.0, 0.0, 10.0, 10.0), [("right", middle, 1.0)]),
        (10.0 + WALL, middle - 0.5 - WALL, 15.0 - WALL, middle - 0.5),
        (10.0 + WALL, middle + 0.5, 15.0 - WALL, middle + 0.5 + WALL),
        *room_walls((15.0, 0.0, 25.0, 10.0), [("left", middle, 1.0), ("right", middle, 1.0)]),
    ]
    starts = crowd_in((0.2, 0.2, 7.7, 9.8), count, 0)
    people = [somebody(k, start, [(25.0 + BEHIND, middle)]) for k, start in enumerate(starts)]
    return with_people(walls_scene("test 12", (-0.2, -0.2, 25.0 + BEHIND + 1.2, 10.2), walls), people)


def two_routes(count: int) -> Scene:
    """Test 14: a wall with a door of 1 m on the straight way, and one of 3 m that is a detour of about 8 m."""
    walls = [(-0.1, -6.0, 0.1, -0.5), (-0.1, 0.5, 0.1, 9.0)]
    starts = crowd_in((-9.0, -3.0, -3.0, 3.0), count, 0)
    people = [somebody(k, (x, z), [(9.0, 0.3 * z)]) for k, (x, z) in enumerate(starts)]
    return with_people(walls_scene("test 14", (-10.0, -6.0, 10.5, 12.0), walls), people)


WIDE, ARM_15 = 2.4, 8.0
"""Test 15: width of the corridor [m], and length of its arms, from the inner corner on."""


def crowd_corner(count: int, shape: str) -> Scene:
    """Test 15: people from a room of 6 m by 6 m through a corridor.

    shape: "corner"; or straight, as long as the inner side of the corner, "short", or as its outer side, "long".
    """
    room, half = (-6.2, -3.0, -0.2, 3.0), 0.5 * WIDE
    starts = crowd_in((-6.0, -2.8, -0.8, 2.8), count, 0)
    door = room_walls(room, [("right", 0.0, WIDE)])
    if shape == "corner":
        end, far = ARM_15 + WIDE, half + ARM_15
        bounds = (-6.4, -3.2, end + WALL, far + 1.6)
        walls = [
            *door, (0.0, -half - WALL, end + WALL, -half), (end, -half, end + WALL, far + 1.6),
            (0.0, half, ARM_15, half + WALL), (ARM_15 - WALL, half + WALL, ARM_15, far + 1.6),
        ]  # fmt: skip
        people = [somebody(k, (x, z), [(end - half - 0.3 * z, far)]) for k, (x, z) in enumerate(starts)]
        return with_people(walls_scene("test 15, corner", bounds, walls), people)
    long = 2.0 * ARM_15 + (0.0 if shape == "short" else 2.0 * WIDE)
    bounds = (-6.4, -3.2, long + 1.6, 3.2)
    walls = [*door, (0.0, -half - WALL, long + 1.6, -half), (0.0, half, long + 1.6, half + WALL)]
    people = [somebody(k, (x, z), [(long, 0.3 * z)]) for k, (x, z) in enumerate(starts)]
    return with_people(walls_scene(f"test 15, {shape}", bounds, walls), people)
