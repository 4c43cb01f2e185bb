"""Reservations: found again by place and time, like everyone with everyone, frame by frame."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import PlanError
from walkon.planning import Reservations

BOUNDS = (-10.0, -10.0, 10.0, 10.0)
HORIZON = 300


def wander(random, frames, radius=0.3):
    """A track (F, 3) of somebody who walks about."""
    heading = random.uniform(0, 2 * np.pi) + np.cumsum(random.normal(0, 0.1, frames))
    steps = 0.06 * np.stack([np.sin(heading), np.cos(heading)], axis=1)
    return np.column_stack(
        [np.clip(random.uniform(-9, 9, 2) + np.cumsum(steps, axis=0), -9.5, 9.5), np.full(frames, radius)]
    )


def least_gap(a, b, horizon):
    """Least gap of two tracks (first frame, circles, stays) at any time both are there, between frames as well."""
    least = np.inf
    times = np.arange(0.0, horizon, 0.125)
    there = np.ones(len(times), dtype=bool)
    placed = []
    for first, circles, stays in (a, b):
        frames = first + np.arange(len(circles))
        there &= (times >= first) & (stays | (times <= frames[-1]))
        placed.append([np.interp(times, frames, circles[:, k]) for k in range(3)])
    gap = np.hypot(placed[0][0] - placed[1][0], placed[0][1] - placed[1][1]) - placed[0][2] - placed[1][2]
    return min(least, gap[there].min(initial=np.inf))


@pytest.mark.parametrize("radius", [0.3, 1.6])
def test_conflicts_are_those_of_everyone_with_everyone(radius):
    random = np.random.default_rng(7)
    reserved = Reservations(BOUNDS, HORIZON, clearance=0.05)
    tracks = {}
    for key in range(40):
        tracks[key] = (int(random.integers(0, 150)), wander(random, int(random.integers(1, 120))), bool(key % 2))
        reserved.add(key, *tracks[key])
    seen = 0
    for _ in range(25):
        own = (
            int(random.integers(0, 200)),
            wander(random, int(random.integers(1, 90)), radius),
            bool(random.integers(2)),
        )
        found = set(reserved.conflicts(*own))
        gaps = {key: least_gap(own, track, HORIZON) for key, track in tracks.items()}
        assert {key for key, gap in gaps.items() if gap < 0.05 - 1e-9} <= found
        assert found <= {key for key, gap in gaps.items() if gap < 0.05 + 0.02}
        seen += len(found)
    assert seen >= 7


def test_what_is_removed_is_gone_and_lists_are_made_anew():
    reserved = Reservations(BOUNDS, HORIZON)
    here = np.array([[0.0, 0.0, 0.3]])
    for key in range(30):
        reserved.add(key, key, here + np.array([key * 0.5 - 7.0, 0.0, 0.0]), stays=True)
    for key in range(25):
        reserved.remove(key)
    assert list(reserved) == list(range(25, 30))
    assert 3 not in reserved
    everywhere = np.column_stack([np.linspace(-9, 9, 200), np.zeros(200), np.full(200, 0.3)])
    assert reserved.conflicts(100, everywhere, stays=False) == list(range(25, 30))
    reserved.add(3, 0, here, stays=False)
    assert reserved.conflicts(0, here, stays=True) == [3]
    assert reserved.conflicts(1, here, stays=True) == []


def test_nobody_is_there_before_they_come_or_after_they_leave():
    reserved = Reservations(BOUNDS, HORIZON)
    circles = np.tile([0.0, 0.0, 0.3], (50, 1))
    reserved.add("guest", 100, circles, stays=False)
    own = np.array([[0.3, 0.0, 0.3]])
    assert [bool(reserved.conflicts(frame, own, stays=False)) for frame in (99, 100, 149, 150)] == [
        False,
        True,
        True,
        False,
    ]
    assert reserved.conflicts(0, own, stays=True) == ["guest"]


def test_two_who_pass_each_other_between_frames():
    """At no frame do they touch; half a frame later they would be in the same place."""
    reserved = Reservations(BOUNDS, HORIZON, clearance=0.0)
    reserved.add("a", 0, [[-0.2, 0.0, 0.15], [0.2, 0.0, 0.15]], stays=False)
    assert reserved.conflicts(0, [[0.2, 0.1, 0.15], [-0.2, 0.1, 0.15]], stays=False) == ["a"]


def test_what_makes_no_sense():
    reserved = Reservations(BOUNDS, HORIZON)
    reserved.add("a", 0, [[0.0, 0.0, 0.3]], stays=True)
    with pytest.raises(PlanError, match="already"):
        reserved.add("a", 0, [[0.0, 0.0, 0.3]], stays=True)
    with pytest.raises(PlanError, match="no reservation"):
        reserved.remove("b")
    for wrong in (np.empty((0, 3)), np.zeros((4, 2)), [[np.nan, 0.0, 1.0]]):
        with pytest.raises(PlanError, match="circles"):
            reserved.add("c", 0, wrong, stays=True)
    with pytest.raises(PlanError, match="area"):
        Reservations((0.0, 0.0, 0.0, 1.0), 10)


def test_a_thousand_people_for_two_minutes_fit():
    reserved = Reservations((-50.0, -50.0, 50.0, 50.0), 3600)
    random = np.random.default_rng(1)
    for key in range(100):
        reserved.add(key, 0, wander(random, 3600), stays=True)
    assert reserved.nbytes * 10 < 600e6
