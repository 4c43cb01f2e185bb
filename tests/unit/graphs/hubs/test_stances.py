"""Stances: a foot on the ground is carried as one, without sliding, to where the hubs want it."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import make
from walkon.graphs.hubs.stances import Sole, carry_at, end_of_stance, resting_paths, roll_of, soles_of, stance_pins
from walkon.motion import Clip, place
from walkon.rotations import Placement
from walkon.skeleton import find_roles

FPS = 30.0
NEVER = (False, False)


@pytest.fixture(scope="module")
def walk() -> Clip:
    return make("walk", cycles=2)


@pytest.fixture(scope="module")
def sole(walk: Clip) -> Sole:
    assert walk.contacts is not None
    joints = [walk.skeleton.index(name) for name in walk.contacts.joints]
    return soles_of(find_roles(walk.skeleton).feet, joints)[0]


def planted(walk: Clip, sole: Sole) -> np.ndarray:
    assert walk.contacts is not None
    return walk.contacts.planted[:, sole.columns]


def test_a_joint_rolls_onto_its_spot_and_off_it() -> None:
    steps = np.array([0.03, 0.02, 0.001, 0.001, 0.001, 0.02, 0.04])
    places = np.stack([np.concatenate([[0.0], np.cumsum(steps)]), np.zeros(8)], axis=1)
    roll = roll_of(places, 0, 8, NEVER, FPS)
    still = np.flatnonzero(~roll.any(axis=1))
    assert still[0] > 0
    assert still[-1] < 7
    assert np.allclose(np.diff(roll[still[-1] :, 0]), steps[still[-1] :])
    assert np.allclose(np.diff(roll[: still[0] + 1, 0]), steps[: still[0]])
    held = roll_of(places, 0, 8, (True, False), FPS)
    assert not held[: still[-1] + 1].any()


def test_what_was_recorded_is_carried_as_it_was(walk: Clip, sole: Sole) -> None:
    """Led somewhere else as a whole, a foot stands there as it stood: nothing is left to pin."""
    spot = Placement(2.0, 1.0, 0.9)
    moved = place(walk, spot)
    own = planted(walk, sole)
    nobody = np.zeros(own.shape[1], dtype=bool)
    pins = stance_pins(sole, walk.positions, moved.positions, own, (nobody, nobody), (True, True), FPS)
    assert pins
    for pin in pins:
        there = moved.positions[pin.start : pin.stop, pin.joint][:, [0, 2]]
        assert np.abs(pin.path - there).max() < 1e-4


def test_the_carry_is_that_of_the_recording(walk: Clip, sole: Sole) -> None:
    spot = Placement(-1.0, 3.0, -2.0)
    own = planted(walk, sole)
    frame = int(np.flatnonzero(own.any(axis=1))[0])
    paths = resting_paths(sole, walk.positions, own, (own[0] & False, own[0] & False), FPS)
    one = slice(frame, frame + 1)
    found = carry_at(sole, walk.positions[one], place(walk, spot).positions[one], paths[one])
    assert np.allclose([found.x, found.z], [spot.x, spot.z], atol=1e-4)
    assert np.isclose(found.heading, spot.heading, atol=1e-6)


def test_locked_ends_are_left_where_they_are(walk: Clip, sole: Sole) -> None:
    rng = np.random.default_rng(0)
    drift = np.cumsum(0.002 * rng.normal(size=(len(walk), 1, 3)), axis=0)
    led = walk.positions + drift
    own = planted(walk, sole)
    nobody = np.zeros(own.shape[1], dtype=bool)
    pins = stance_pins(sole, walk.positions, led, own, (nobody, nobody), (True, True), FPS)
    for end in (0, len(walk) - 1):
        holding = {pin.joint: pin.path[end - pin.start] for pin in pins if pin.start <= end < pin.stop}
        assert holding.keys() == set(sole.joints)
        for joint, place_there in holding.items():
            assert np.allclose(place_there, led[end, joint][[0, 2]], atol=1e-12)


def test_the_toe_goes_along_while_only_the_heel_stands(walk: Clip, sole: Sole) -> None:
    own = planted(walk, sole)
    toe = sole.joints.index(sole.foot.toe)
    alone = own.any(axis=1) & ~own[:, toe]
    assert alone.any()
    nobody = np.zeros(own.shape[1], dtype=bool)
    pins = stance_pins(sole, walk.positions, walk.positions, own, (nobody, nobody), (False, False), FPS)
    held = np.zeros(len(walk), dtype=bool)
    for pin in pins:
        if pin.joint == sole.foot.toe:
            held[pin.start : pin.stop] = True
    assert held[alone].all()


def test_a_foot_that_stays_tells_where_the_end_is(walk: Clip, sole: Sole) -> None:
    own = planted(walk, sole)
    frames = np.flatnonzero(own.any(axis=1))
    # A stance in the middle of the clip.
    breaks = np.flatnonzero(np.diff(frames) > 1) + 1
    stance = max(np.split(frames, breaks), key=len)
    part = slice(int(stance[0]), int(stance[-1]) + 1)
    spot = Placement(0.5, -0.2, 0.3)
    first = place(walk, spot).positions[part.start]
    nobody = np.zeros(own.shape[1], dtype=bool)
    firm, places, joints = end_of_stance(sole, walk.positions[part], first, own[part], (nobody, nobody), FPS)
    assert firm == 1.0
    expected = place(walk, spot).positions[part.stop - 1, joints][:, [0, 2]]
    assert np.abs(places - expected).max() < 0.002
    away = own[part].copy()
    away[len(away) // 2] = False
    assert end_of_stance(sole, walk.positions[part], first, away, (nobody, nobody), FPS)[0] == 0.0
