"""One's own side: in a corridor in which others come, everybody gets to the right half of it; elsewhere nobody."""

from __future__ import annotations

import math

import numpy as np
import pytest

EAST, WEST = 0.5 * math.pi, -0.5 * math.pi


def corridor(stage, people, width):
    """A live crowd between two walls along x."""
    middle = 0.5 * width + 0.1
    walls = [stage.box(f"wall {side}", 0.0, side * middle, 30.0, 0.2) for side in (-1, 1)]
    return stage.live(people, walls, (-15.0, -middle - 0.1, 15.0, middle + 0.1))


def stream(stage, name, heading, z, count=3):
    """Some who walk one behind another along x, beside the middle; they are 2 m apart, and the first is at 5 m."""
    ahead = math.sin(heading)
    return [
        stage.walker(f"{name}{k}", -ahead * (5.0 + 2.0 * k), z, heading, (ahead * 13.0, z), pose="walk")
        for k in range(count)
    ]


def sides(live, name):
    """How far [m] the people of a stream are to the right of somebody who goes east in the middle."""
    return np.array([live._engine.place_of(p.row)[1] for p in live.people.values() if p.name[0] == name])


@pytest.mark.parametrize("width", [2.4, 4.0])
def test_who_comes_on_the_wrong_side_changes_to_the_right_one(stage, width):
    """The first of both hold their ways already when they see each other; the last see in time who comes."""
    z = 0.25 * width
    live = corridor(stage, [*stream(stage, "e", EAST, -z), *stream(stage, "w", WEST, z)], width)
    for _ in range(12):
        live.step(0.5)
        stage.assert_sound(live)
    assert sides(live, "e")[-1] > 0.15
    assert sides(live, "w")[-1] < -0.15


def test_nobody_changes_sides_for_nobody(stage):
    live = corridor(stage, stream(stage, "e", EAST, -1.0), 4.0)
    live.step(5.0)
    assert (sides(live, "e") < -0.5).all()


def test_nobody_changes_sides_in_a_hall(stage):
    live = corridor(stage, [*stream(stage, "e", EAST, -1.5), *stream(stage, "w", WEST, 1.5)], 9.0)
    live.step(4.0)
    assert (sides(live, "e") < -0.7).all()
    assert (sides(live, "w") > 0.7).all()
