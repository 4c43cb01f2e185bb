"""Scenes with one difficulty each: doors, corridors, squeezes and meetings, as SteerBench and others have them."""

from __future__ import annotations

import math

from walkon.world.classics.crossings import ring
from walkon.world.classics.layout import Layout, Person, Point, box, dice

LEAVE = {"at_goal": "leave"}
DOOR = 1.2
"""Width of a door [m]: for one at a time."""

WALL = 0.3
"""How thick walls are [m]."""


def evacuation(seed: int) -> Layout:
    """Twenty-four people leave a room through one door."""
    rng = dice("evacuation", seed)
    places = [(-6.9 + 1.3 * column, -3.0 + 1.2 * row) for column in range(4) for row in range(6)]
    starts = [(x + rng.uniform(-0.1, 0.1), z + rng.uniform(-0.1, 0.1)) for x, z in places]
    starts.sort(key=lambda start: math.hypot(*start))
    people = [
        Person(start, (4.0, 0.6 * start[1]), LEAVE | _first(len(starts) - number))
        for number, start in enumerate(starts)
    ]
    return Layout((-8.0, -4.0, 5.5, 4.0), people, _door_in_wall(0.0, 4.0))


def counterflow(seed: int) -> Layout:
    """Twelve people each way along a corridor."""
    people = []
    for column in range(4):
        for z in (-1.2, 0.0, 1.2):
            x = -10.0 + 1.3 * column
            more = LEAVE | _first(column)
            people += [Person((x, z), (10.5, z), more), Person((-x, -z), (-10.5, -z), more)]
    return Layout((-12.0, -2.5, 12.0, 2.5), people, _hallway(24.0, 4.2))


def oncoming(seed: int) -> Layout:
    """Two people meet head on."""
    return Layout((-7.0, -3.0, 7.0, 3.0), _both_ways((-5.5, 0.0)))


def right_angle(seed: int) -> Layout:
    """Two people cross at a right angle and would be in the middle at the same time."""
    return Layout((-6.0, -6.0, 6.0, 6.0), [Person((-4.5, 0.0), (4.5, 0.0)), Person((0.0, -4.5), (0.0, 4.5))])


def crossing_groups(seed: int) -> Layout:
    """Two groups of nine cross at a right angle."""
    people = []
    for column in range(3):
        for row in range(3):
            along, aside = -7.5 + 1.2 * column, -1.2 + 1.2 * row
            people.append(Person((along, aside), (along + 13.0, aside), _first(column)))
            people.append(Person((aside, along), (aside, along + 13.0), _first(column)))
    return Layout((-9.0, -9.0, 9.0, 9.0), people)


def hallway_squeeze(seed: int) -> Layout:
    """Two people meet in a hallway with just room for both."""
    return Layout((-7.0, -2.0, 7.0, 2.0), _both_ways((-5.5, 0.0)), _hallway(8.0, 2.6, outer=4.0))


def double_squeeze(seed: int) -> Layout:
    """Two pairs, side by side, meet in a hallway that is wide enough for three."""
    people = [*_both_ways((-6.0, 0.6)), *_both_ways((-6.0, -0.6))]
    return Layout((-7.5, -2.5, 7.5, 2.5), people, _hallway(8.0, 3.2, outer=5.0))


def wall_squeeze(seed: int) -> Layout:
    """Two people meet where a block leaves a gap for one between itself and the wall."""
    blocks = [*_hallway(12.0, 3.0, outer=4.0), box("block", (0.0, -0.6), 1.6, 1.8)]
    return Layout((-7.5, -2.0, 7.5, 2.0), _both_ways((-6.5, 0.0)), blocks)


def doorway_one_way(seed: int) -> Layout:
    """Six people go through a door one after another."""
    people = []
    for column in range(2):
        for z in (-1.2, 0.0, 1.2):
            x = -5.0 + 1.5 * column
            people.append(Person((x, z), (x + 8.5, z), _first(column)))
    return Layout((-6.5, -3.0, 6.5, 3.0), people, _door_in_wall(0.0, 3.0))


def doorway_two_ways(seed: int) -> Layout:
    """Two people from either side want through the same door at the same time."""
    people = [*_both_ways((-4.5, -0.8)), *_both_ways((-4.5, 0.8))]
    return Layout((-6.0, -3.0, 6.0, 3.0), people, _door_in_wall(0.0, 3.0))


def confusion(ways: int) -> Layout:
    """Groups of four from three or four sides meet in the middle and go straight on."""
    people = []
    for way in range(ways):
        angle = 2.0 * math.pi * way / ways
        for back in (5.0, 6.2):
            for aside in (-0.6, 0.6):
                start, goal = _turned((aside, -back), angle), _turned((aside, 11.2 - back), angle)
                people.append(Person(start, goal, LEAVE))
    return Layout((-7.5, -7.5, 7.5, 7.5), people)


def concentric_circles(seed: int) -> Layout:
    """An inner circle of eight goes out and an outer one of sixteen goes in, each to the opposite side."""
    inner = [Person(place, (-2.0 * place[0], -2.0 * place[1])) for place in ring(8, 3.5)]
    outer = [Person(place, (-0.5 * place[0], -0.5 * place[1])) for place in ring(16, 7.0)]
    return Layout((-9.0, -9.0, 9.0, 9.0), [*inner, *outer])


def frogger(seed: int) -> Layout:
    """Two people cross three rows of others, who go to the right, to the left, and to the right."""
    rows = [
        Person((side * (-8.0 + 2.2 * number), z), (side * (3.0 + 2.2 * number), z), LEAVE)
        for side, z in ((1.0, -2.0), (-1.0, 0.0), (1.0, 2.0))
        for number in range(3)
    ]
    crossers = [Person((x, -4.5), (x, 4.5)) for x in (-0.8, 0.8)]
    return Layout((-9.0, -6.0, 9.0, 6.0), [*crossers, *rows])


def _first(priority: int) -> dict:
    """Who stands in front goes first: they are planned in that order."""
    return {"priority": priority}


def _both_ways(start: Point) -> list[Person]:
    """Someone from there to the mirror image, and someone back."""
    x, z = start
    return [Person((x, z), (-x, z)), Person((-x, z), (x, z))]


def _turned(place: Point, angle: float) -> Point:
    sine, cosine = math.sin(angle), math.cos(angle)
    return cosine * place[0] + sine * place[1], cosine * place[1] - sine * place[0]


def _door_in_wall(x: float, half: float) -> list[dict]:
    """A wall across the scene, from z = -half to half [m], with a door in its middle."""
    length = half - 0.5 * DOOR
    middle = 0.5 * (half + 0.5 * DOOR)
    return [box("wall, near", (x, -middle), WALL, length), box("wall, far", (x, middle), WALL, length)]


def _hallway(length: float, width: float, *, outer: float | None = None) -> list[dict]:
    """Two walls along x; they reach to z = ±outer/2 [m] where that is given."""
    thick = WALL if outer is None else 0.5 * (outer - width)
    middle = 0.5 * (width + thick)
    return [box("wall, near", (0.0, -middle), length, thick), box("wall, far", (0.0, middle), length, thick)]
