"""Out of what was dropped onto somebody, and into nothing else: the kernel against a plain twin."""

from __future__ import annotations

import math

import numpy as np

from walkon.crowd.live._kernels_checks import FREE, LEEWAY, STANDING, can_rest, stands_in_way, way_out
from walkon.crowd.live._kernels_people import Neighbors
from walkon.crowd.live.crew import BODY, TRACK_ROOM, empty_crew
from walkon.planning.kernels_collision import room_at
from walkon.rotations import Placement


def _depths(place, clip, live):
    """How far inside the nearest thing a body is, frame by frame of a clip."""
    table, around = live.repertoire.table, live._engine.surroundings.around
    first, duration = int(table.clips["first"][clip]), int(table.clips["duration"][clip])
    x, z, heading = place
    for px, pz, radius in table.circles[first : first + duration + 1]:
        at_x = x + px * math.cos(heading) + pz * math.sin(heading)
        at_z = z - px * math.sin(heading) + pz * math.cos(heading)
        yield radius - room_at(at_x, at_z, around.raster, around.values)


def _slow_way_out(depths, deep):
    for depth in depths:
        if depth > deep:
            return -1.0
        if depth <= 0.0:
            deep = 0.0
        elif depth + LEEWAY < deep:
            deep = depth + LEEWAY
    return deep


def test_what_somebody_may_still_be_in_shrinks_as_it_gets_out(stage):
    """Two boxes with a gap: whoever has come into the gap may not go on into the other box."""
    live = stage.live([], [stage.box("one", -1.0, 0.0, 1.2, 3.0), stage.box("other", 1.0, 0.0, 1.0, 3.0)])
    table, around = live.repertoire.table, live._engine.surroundings.around
    random = np.random.default_rng(4)
    seen = set()
    for _ in range(400):
        place = np.array([*random.uniform(-2.5, 2.5, 2), random.uniform(-math.pi, math.pi)])
        clip = int(random.integers(len(table.clips)))
        depths = list(_depths(place, clip, live))
        deep = depths[0] + 0.02
        if deep <= 0.02:
            continue
        found = way_out(place, clip, deep, table, around)
        assert math.isclose(found, _slow_way_out(depths, deep), abs_tol=1e-9)
        in_way = stands_in_way(place, 0, clip, deep, table, around)
        assert in_way == (found < 0.0 or table.clips["special"][clip] >= 0)
        again = max(depths) <= deep and found < 0.0
        seen.add("further in" if max(depths) > deep else "into another" if again else "out" if not found else "in")
    assert seen == {"further in", "into another", "out", "in"}


def test_nobody_rests_where_its_outline_is_in_a_wall(stage):
    """The outline of a pose holds all short rests: it may reach further than the clip that led there."""
    live = stage.live([], [stage.box("wall", 0.0, 0.0, 1.0, 3.0)])
    table, around = live.repertoire.table, live._engine.surroundings.around
    tracks, near = np.zeros((1, TRACK_ROOM + 1, BODY)), np.zeros(1, dtype=np.int64)
    nobody = Neighbors(empty_crew(1), tracks, near, np.zeros((1, 3)), 0, 0.05)
    angles = np.radians(np.arange(360))
    box = 0.5 * np.abs(np.sin(angles)) + 1.5 * np.abs(np.cos(angles))
    random = np.random.default_rng(5)
    found = set()
    for _ in range(300):
        x, z, heading = *random.uniform(-2.5, 2.5, 2), random.uniform(-math.pi, math.pi)
        pose = int(random.choice(np.flatnonzero(table.poses["rests"])))
        px, pz, radius = table.poses["rest_circle"][pose]
        at_x, at_z = Placement(x, z, heading).point(px, pz)
        reach = stage.reach(np.array([at_x, at_z, radius, heading, table.resting + pose]), table)
        gap = -(reach + box).min()
        if abs(gap - 0.05) < 0.002:
            continue  # as near as a table of directions can tell
        expected = FREE if gap > 0.05 else STANDING
        assert can_rest(np.array([x, z, heading]), pose, 0, 0.0, table, around, nobody) == expected
        found.add((expected, bool(room_at(at_x, at_z, around.raster, around.values) >= radius)))
    assert found == {(FREE, True), (FREE, False), (STANDING, False)}, "some fit although their circles do not"
