"""Scenes of Chen (2014) in which people get into each other's way: crossings and central locking."""

from __future__ import annotations

import math

from walkon.world.classics.layout import Layout, Person, Point

CORNER = 5.0
"""Half the side of the square that is crossed [m]."""

ASIDE = 0.75
"""How far [m] streams keep to their right: where some arrive others enter, and both need room."""

WAVES, EVERY = 6, 2.0
"""How often four people enter together, and the time [s] between: later ones meet earlier ones on their way. More
waves make a longer scene, a shorter time a denser one."""

CIRCLE = 6.0
"""Radius of the circle of central locking [m], whatever the number of people: more of them, more crowded."""


def four_person_crossing(seed: int) -> Layout:
    """Four people, each from a corner of a square to the corner opposite."""
    corners = ((-CORNER, -CORNER), (-CORNER, CORNER), (CORNER, CORNER), (CORNER, -CORNER))
    people = [Person((x, z), (-x, -z)) for x, z in corners]
    return Layout((-7.0, -7.0, 7.0, 7.0), people)


def multiple_crossing(seed: int) -> Layout:
    """Streams from all four corners: every two seconds four people enter, six times."""
    people = []
    for wave in range(WAVES):
        for quarter in range(4):
            angle = math.radians(45.0 + 90.0 * quarter)
            ahead = math.sin(angle), math.cos(angle)
            right = -ahead[1], ahead[0]
            start, goal = (
                _along(ahead, reach, right, ASIDE) for reach in (-math.sqrt(2.0) * CORNER, math.sqrt(2.0) * CORNER)
            )
            more = {"start_time": EVERY * wave, "at_goal": "leave"}
            people.append(Person(start, goal, more))
    return Layout((-7.0, -7.0, 7.0, 7.0), people)


def central_locking(count: int) -> Layout:
    """People on a circle, everybody to the opposite side."""
    people = [Person(place, (-place[0], -place[1])) for place in ring(count, CIRCLE)]
    side = CIRCLE + 2.0
    return Layout((-side, -side, side, side), people)


def ring(count: int, radius: float) -> list[Point]:
    """Places on a circle, evenly spread, the first ahead."""
    angles = [2.0 * math.pi * number / count for number in range(count)]
    return [(radius * math.sin(angle), radius * math.cos(angle)) for angle in angles]


def _along(ahead: Point, distance: float, right: Point, aside: float) -> Point:
    return ahead[0] * distance + right[0] * aside, ahead[1] * distance + right[1] * aside
