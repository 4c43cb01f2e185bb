"""Who goes the same way as whom: those waits are a queue, all others are a meeting."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.crowd.live._kernels_queues import same_way
from walkon.crowd.live.crew import empty_crew

DOOR = [(0.0, -0.3), (0.0, 0.3)]
"""Corners of a route through a door along z."""


def two(one, other):
    """A crew of two, each at a place x, z with a route of corners; the last of them is the goal."""
    crew = empty_crew(2)
    for row, (place, corners) in enumerate((one, other)):
        crew.here[row], crew.end[row], crew.goal[row] = True, (*place, 0.0), (*corners[-1], 0.5, np.nan)
        crew.corners[row, : len(corners)], crew.corner_count[row] = corners, len(corners)
    return crew


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (((-1.0, -0.4), [*DOOR, (2.0, 6.0)]), ((1.0, -0.4), [*DOOR, (-2.0, 6.0)]), True),  # beside a door
        (((0.0, -1.0), [*DOOR, (2.0, 6.0)]), ((0.0, -2.0), [*DOOR, (-2.0, 6.0)]), True),  # one behind the other
        (((0.0, -0.8), [*DOOR, (0.0, 6.0)]), ((0.0, 0.8), [*DOOR[::-1], (0.0, -6.0)]), False),  # head-on
        (((0.0, 0.0), [(0.0, 6.0)]), ((1.0, 1.0), [(-6.0, 1.0)]), False),  # crossing
    ],
)
def test_who_goes_the_same_way(one, other, same):
    crew = two(one, other)
    assert same_way(crew[0], crew[1]) is same
    assert same_way(crew[1], crew[0]) is same


def test_who_goes_back_for_a_moment_still_goes_the_same_way_and_who_has_arrived_does_not():
    crew = two(((0.0, -1.0), [*DOOR, (0.0, 6.0)]), ((0.5, -1.0), [(0.5, -6.0)]))
    assert not same_way(crew[0], crew[1])
    crew.goal[1, :2], crew.retreating[1] = (1.0, 6.0), 100
    assert same_way(crew[0], crew[1])
    crew.settled[1] = True
    assert not same_way(crew[0], crew[1])
