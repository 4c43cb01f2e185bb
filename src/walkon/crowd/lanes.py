"""Corridors in which two can pass: everybody keeps to its right of the middle.

Ways that lead through the middle of a corridor block it for whoever comes the other way, all of its length. A rope
of thin posts along the middle, there only while one way is looked for, leads it along its own half.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from walkon.basics import Array
from walkon.planning import Plan, Problem
from walkon.planning.body_tracks import plan_track
from walkon.planning.delaying import HARD, hurried_way
from walkon.world import World
from walkon.world.kernels import bilinear

POST, APART = 0.02, 0.5
"""[m] Radius of a post, and from one to the next: nobody gets through between. With thicker ones lanes are
narrower; further apart, people change sides between them."""

LEFT = 0.2
"""[m] How far to the left of the middle a rope is, for whoever keeps to the right of it: walking bodies swing, and
half of a corridor is hardly enough. With less, most find no way in a corridor of 1.5 m (one of eleven at 0.05,
eight at 0.2); with more, people do not pass each other."""

NARROW, WIDE = 0.6, 1.25
"""[m] Half of the width of corridors with a rope: a body of 0.51 m and a gap on either side fit into a half; in
wider ones people go around each other. With less, ropes are in the way where there is one lane; with more,
people go at the side of halls."""

STRAIGHT = 0.94
"""Cosine of the most that a way may turn within twice NEAR for a rope to be there: 20 degrees. With less, ropes
bar corners; with more, sway ends them."""

NEAR = 1.0
"""[m] How far along its way one looks back and ahead to see whether it is straight. With less, ropes reach to
where one must turn, and bar the door there; with more, short corridors have none."""

LONG = 2.0
"""[m] Least length of a rope. With less, doors have one; with more, people block short corridors."""

PROBES = np.linspace(-2.0 * WIDE, 2.0 * WIDE, 101)
"""[m] How far to the right of a way walls are looked for: every 0.05 m. With fewer, thin walls are missed."""


def keep_right(problem: Problem, way: Plan) -> Plan | None:
    """A way for somebody in a hurry, apart from those for whom space is reserved, that keeps to the right of
    corridors through which another way of it leads; None if there are none, or nothing is found."""
    kept = problem.reservations
    if kept is None or way.status != "found" or not len(way):
        return None
    path = plan_track(problem.graph, way, problem.world.scene.bodies).places[:, :2]
    posts = list(_ropes(problem.world, path))
    if not posts:
        return None
    for number, (x, z) in enumerate(posts):
        kept.add(("post", number), 0, [[x, z, POST]], stays=True)
    found = hurried_way(problem, hard=way.statistics.expanded > HARD)
    for number in range(len(posts)):
        kept.remove(("post", number))
    return found if found.status == "found" else None


def _ropes(world: World, path: Array) -> Iterator[tuple[float, float]]:
    """x, z of the posts of all ropes along a path (F, 2)."""
    middles = _middles(world, _evenly(path))
    rope: list[tuple[float, float]] = []
    for middle in [*middles, None]:
        if middle is not None:
            rope.append(middle)
            continue
        if (len(rope) - 1) * APART >= LONG:
            yield from rope
        rope = []


def _evenly(path: Array) -> Array:
    """Points (P, 2) along a path (F, 2), APART from each other."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
    wanted = np.arange(0.0, along[-1], APART)
    return np.column_stack([np.interp(wanted, along, path[:, axis]) for axis in (0, 1)])


def _middles(world: World, points: Array) -> list[tuple[float, float] | None]:
    """For each point of a way (P, 2), a place LEFT of the middle of the corridor it leads straight through, or
    None."""
    near = round(NEAR / APART)
    found: list[tuple[float, float] | None] = [None] * len(points)
    for number in range(near, len(points) - near):
        back, ahead = points[number] - points[number - near], points[number + near] - points[number]
        lengths = np.hypot(*back) * np.hypot(*ahead)
        if lengths > 0.0 and back @ ahead >= STRAIGHT * lengths:
            across = np.array([-(back + ahead)[1], (back + ahead)[0]]) / np.hypot(*(back + ahead))
            middle = _middle(world, points[number], across)
            found[number] = None if middle is None else tuple((middle - LEFT * across).tolist())
    return found


def _middle(world: World, point: Array, across: Array) -> Array | None:
    """The middle (2,) of a corridor in which a point (2,) is, if it has a rope: where there is most room between
    the walls on its sides. across: (2,) direction to its right."""
    field, sides = world.clearance, point + PROBES[:, None] * across
    probed = [bilinear(field.origin_x, field.origin_z, field.cell, field.values, *side) for side in sides.tolist()]
    room, own = np.array(probed), len(PROBES) // 2
    closed = np.flatnonzero(room <= 0.0)
    left, right = closed[closed < own].max(initial=-1), closed[closed > own].min(initial=len(room))
    if left < 0 or right == len(room) or room[own] <= 0.0:
        return None
    widest = int(left) + int(np.argmax(room[left:right]))
    return sides[widest] if NARROW <= room[widest] <= WIDE else None
