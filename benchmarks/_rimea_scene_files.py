"""Scenes of RiMEA's tests that need what scenes may not be able to say yet: stairs, speeds, choices of exits.

They are written as scene files, so that a test says what is missing until it is known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from _flow_watch import Area
from _rimea_scenes import BEHIND, PERFORMERS, crowd_in, room_walls


def stairs_text(up: bool) -> str:
    """Tests 2 and 3: a corridor of 2 m with stairs from x = 0 to x = 10, as a scene file."""
    start, end = (-4.0, 14.0) if up else (14.0, -4.0)
    return _text(
        "stairs", (-6.0, -1.2, 16.0, 1.2), [(-6.0, -1.2, 16.0, -1.0), (-6.0, 1.0, 16.0, 1.2)],
        [f"{{ name = 'p0', start = [{start}, 0.0], goal = [{end}, 0.0], at_goal = 'leave', speed = 1.33 }}"],
        ["stairs = [{ region = [0.0, -1.0, 10.0, 1.0], up = 90.0, speed_up = 0.61, speed_down = 0.69 }]"],
    )  # fmt: skip


NEAR_EXIT, OTHER_EXIT, TO_HERE = 0.25, 0.9, 0.6
"""Test 11: where the exits are along the hall, and how far people start, as shares of its length."""


def hall_size(count: int) -> tuple[float, float]:
    """Test 11: length and depth [m] of a hall for so many people, 1.4 for each square metre where they are."""
    size = math.sqrt(count / 500.0)
    return 30.0 * size, 20.0 * size


def two_exits_text(count: int) -> str:
    """Test 11: a hall with two exits, and people nearer to the first of them, as a scene file."""
    long, deep = hall_size(count)
    walls = room_walls((0.0, 0.0, long, deep), [("far", NEAR_EXIT * long, 1.0), ("far", OTHER_EXIT * long, 1.0)])
    people = [
        f"{{ name = 'p{k}', start = [{x:.2f}, {z:.2f}], to = ['near exit', 'other exit'], "
        f"choose = 'least_crowded', performer = {k % PERFORMERS} }}"
        for k, (x, z) in enumerate(crowd_in((0.2, 0.2, TO_HERE * long, deep - 0.2), count, 0))
    ]
    places = [
        f"{{ name = '{name}', kind = 'exit', region = [{share * long - 0.5:.2f}, {deep + 2.5:.2f}, "
        f"{share * long + 0.5:.2f}, {deep + 3.5:.2f}] }}"
        for name, share in (("near exit", NEAR_EXIT), ("other exit", OTHER_EXIT))
    ]
    return _text(
        "test 11",
        (-0.2, -0.2, long + 0.2, deep + BEHIND + 1.2),
        walls,
        people,
        [f"places = [{', '.join(places)}]"],
    )


def stairs_crowd_text(count: int, stairs: str) -> str:
    """Test 13: a room of 8 m by 5 m, a corridor of 2 m, and stairs in it: "up", "down" or "level" for none."""
    walls = [
        *room_walls((0.0, 0.0, 8.0, 5.0), [("right", 2.5, 2.0)]), (8.2, 1.3, 24.0, 1.5), (8.2, 3.5, 24.0, 3.7)
    ]  # fmt: skip
    people = [
        f"{{ name = 'p{k}', start = [{x:.2f}, {z:.2f}], goal = [22.5, {1.9 + 1.2 * (k % 3) / 2:.2f}], "
        f"at_goal = 'leave', performer = {k % PERFORMERS} }}"
        for k, (x, z) in enumerate(crowd_in((0.2, 0.2, 7.0, 4.8), count, 0))
    ]
    way = 90.0 if stairs == "up" else 270.0
    more = f"stairs = [{{ region = [12.0, 1.5, 18.0, 3.5], up = {way}, speed_up = 0.61, speed_down = 0.69 }}]"
    return _text("test 13", (-0.2, -0.2, 24.0, 5.2), walls, people, [] if stairs == "level" else [more])


def _text(name: str, bounds: Area, walls: Sequence[Area], people: Sequence[str], more: Sequence[str]) -> str:
    """A scene file."""
    boxes = [
        f"{{ name = 'wall {k}', shape = 'box', at = [{0.5 * (x0 + x1):.3f}, {0.5 * (z0 + z1):.3f}], "
        f"width = {x1 - x0:.3f}, depth = {z1 - z0:.3f}, height = 2.5 }}"
        for k, (x0, z0, x1, z1) in enumerate(walls)
    ]
    lines = [f"name = '{name}'", f"bounds = {[float(value) for value in bounds]}", "duration = 3600.0", *more]
    lines += [f"obstacles = [{', '.join(boxes)}]", f"characters = [{', '.join(people)}]"]
    return "\n".join(lines) + "\n"
