"""Where people come close: doors, gaps, a narrow hallway, gates, and a corridor full of people."""

from __future__ import annotations

from walkon.world.classics.layout import Layout, Person, box
from walkon.world.classics.scattering import numbers, scatter
from walkon.world.placing import Rectangle

WALL = 0.2
"""How thick walls with doors and gates are [m]."""

CROWDED = 1.25
"""People for each square metre of a waiting area. Experiments with doors begin at one to three; denser than two
is for people who touch."""

APART = 0.75
"""[m] Least distance of two people at the start: standing bodies are 0.51 m broad."""

ROOM = 0.4
"""[m] Least distance of starts and goals to walls."""

BESIDE = 0.45
"""[m] The same in a corridor that is to be full: at 0.4 m the broadest of our people starts in the wall. With
more, people would keep to the middle."""

LEAVING = {"at_goal": "leave", "tolerance": 0.5}
"""People who have somewhere else to go: who is through is gone."""

BLOCK = 24.0
"""[m] How long the part of the corridor is in which people start; with a width of 4 m, 96 people are one for each
square metre."""

HALLWAY_LENGTH = 8.0
"""[m] Of the hallway in which two people meet."""

CORRIDOR = 4.0
"""[m] Width of the corridor full of people."""


def hallway(width: float) -> Layout:
    """Two people towards each other through a hallway."""
    thick = 0.5 * (4.0 - width)
    walls = [
        box(f"wall, {side}", (0.0, sign * 0.5 * (width + thick)), HALLWAY_LENGTH, thick)
        for side, sign in (("near", -1.0), ("far", 1.0))
    ]
    people = [Person((-6.0, 0.0), (6.0, 0.0)), Person((6.0, 0.0), (-6.0, 0.0))]
    return Layout((-7.5, -2.0, 7.5, 2.0), people, walls)


def opening(width: float) -> Layout:
    """One person, and a wall with an opening in it; there is no way around."""
    return Layout((-5.0, -3.0, 5.0, 3.0), [Person((-3.5, 0.5), (3.5, -0.5))], wall(6.0, (0.0,), width))


def door_crowd(width: float, seed: int, count: int = 60) -> Layout:
    """A crowd that waits in front of a door, and leaves 6 m behind it."""
    deep = count / (CROWDED * 8.0)
    return _through((-1.0 - deep, -4.0, -1.0, 4.0), wall(10.0, (0.0,), width), 6.0, seed, count)


def gates(seed: int, count: int = 300, width: float = 2.0) -> Layout:
    """A crowd in front of three gates, 8 m from one to the next, that leaves 8 m behind them."""
    deep = count / (CROWDED * 24.0)
    return _through((-1.5 - deep, -12.0, -1.5, 12.0), wall(26.0, (-8.0, 0.0, 8.0), width), 8.0, seed, count)


def _through(waiting: Rectangle, walls: list[dict], behind: float, seed: int, count: int) -> Layout:
    """People from a waiting area through what is open in a wall at x = 0."""
    left, near, _, far = waiting
    bounds = (left - 1.0, near - 1.0, behind + 2.0, far + 1.0)
    rng = numbers("door", seed)
    starts = scatter(rng, bounds, walls, waiting, count, spacing=APART, room=ROOM)
    ends = scatter(rng, bounds, walls, (behind, near, behind + 1.0, far), count, spacing=0.0, room=ROOM)
    people = [Person(start, end, LEAVING) for start, end in zip(starts, ends, strict=True)]
    return Layout(bounds, people, walls, 180.0, drawn=True)


def stream(density: float, seed: int, *, both: bool = False) -> Layout:
    """A corridor full of people who all go the same way, or half of them each way; `density` [1/m²]."""
    half, far = 0.5 * CORRIDOR, 0.5 * BLOCK
    end = far + 12.0
    bounds = (-end - 2.0, -half - 0.2, end + 2.0, half + 0.2)
    walls = [
        box(f"wall, {side}", (0.0, sign * (half + 0.1)), 2.0 * end + 4.0, 0.2)
        for side, sign in (("near", -1.0), ("far", 1.0))
    ]
    rng = numbers("stream", seed)
    count = round(density * BLOCK * CORRIDOR)
    starts = scatter(rng, bounds, walls, (-far, -half, far, half), count, spacing=APART, room=BESIDE)
    people = []
    for number, (x, z) in enumerate(starts):
        way = -1.0 if both and number % 2 else 1.0
        people.append(Person((x, z), (way * end, z), LEAVING))
    return Layout(bounds, people, walls, 120.0, drawn=True)


def wall(length: float, middles: tuple[float, ...], width: float) -> list[dict]:
    """A wall along z at x = 0, at least `length` [m] long, with openings of a width [m] around these z.

    Scene files have centimetres: openings are shifted by at most one, so that they are as wide as they say.
    """
    edges = [-0.5 * length]
    for middle in middles:
        near = 0.02 * round(50.0 * (middle - 0.5 * width))
        edges += [near, near + width]
    # The middle of the last piece is on a centimetre only if both of its ends are, or neither.
    odd = round(100.0 * edges[-1]) % 2 != round(50.0 * length) % 2
    edges.append(0.5 * length + (0.01 if odd else 0.0))
    return [
        box(f"wall {number}", (0.0, 0.5 * (near + far)), WALL, far - near)
        for number, (near, far) in enumerate(zip(edges[::2], edges[1::2], strict=True), start=1)
    ]
