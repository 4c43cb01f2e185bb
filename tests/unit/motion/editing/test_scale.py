from __future__ import annotations

import numpy as np
import pytest

from walkon.basics import runs
from walkon.errors import ClipError
from walkon.motion import Clip, Contacts
from walkon.motion.editing import scale
from walkon.motion.feet.holding import hold_feet
from walkon.motion.feet.soles import sole_clearances
from walkon.skeleton import Skeleton


def test_a_body_grown_all_over_moves_the_same_only_larger(walk: Clip) -> None:
    grown = scale(walk, walk.skeleton.scaled(1.3))
    np.testing.assert_allclose(grown.positions, 1.3 * walk.positions, atol=3e-3)


def test_steps_grow_with_the_legs_and_feet_stay_put(walk: Clip, long_legged: Skeleton) -> None:
    longer = scale(walk, long_legged)
    travelled = np.ptp(longer.root_positions[:, 2]) / np.ptp(walk.root_positions[:, 2])
    assert travelled == pytest.approx(1.25, rel=1e-3)
    for column, name in enumerate(longer.contacts.joints):
        joint = longer.skeleton.index(name)
        for start, stop in runs(longer.contacts.planted[:, column]):
            assert np.ptp(longer.positions[start:stop, joint][:, [0, 2]], axis=0).max() < 2e-3
    toe = longer.skeleton.index("LeftToe")
    resting = longer.contacts.planted[:, 1]
    np.testing.assert_allclose(longer.positions[resting, toe, 1], 1.25 * walk.positions[0, toe, 1], atol=5e-3)


def reshaped(skeleton: Skeleton, **factors: float) -> Skeleton:
    """The skeleton with the offsets of both sides' joints multiplied."""
    offsets = skeleton.offsets.copy()
    for part, factor in factors.items():
        for side in ("Left", "Right"):
            offsets[skeleton.index(side + part)] *= factor
    return Skeleton(skeleton.names, skeleton.parents, offsets, skeleton.tips)


def test_uneven_legs_do_not_slide_either(walk: Clip) -> None:
    uneven = scale(walk, reshaped(walk.skeleton, Leg=1.25, Foot=0.8))
    strayed = []
    for column, name in enumerate(uneven.contacts.joints):
        joint = uneven.skeleton.index(name)
        for start, stop in runs(uneven.contacts.planted[:, column]):
            strayed.append(np.ptp(uneven.positions[start:stop, joint][:, [0, 2]], axis=0).max())
    assert max(strayed) < 3e-3


def test_in_the_air_the_legs_are_left_alone(walk: Clip) -> None:
    rise = np.zeros((len(walk), 3))
    rise[60:120, 1] = 0.6 * np.sin(np.linspace(0.0, np.pi, 60))
    planted = walk.contacts.planted & (rise[:, 1:2] == 0)
    contacts = Contacts(walk.contacts.joints, planted)
    leap = walk.with_changes(root_positions=walk.root_positions + rise, contacts=contacts)
    uneven = scale(leap, reshaped(walk.skeleton, Leg=1.25, Foot=0.8))
    knee = walk.skeleton.index("LeftLeg")
    np.testing.assert_allclose(uneven.rotations[80:100, knee], walk.rotations[80:100, knee], atol=1e-9)


def test_a_higher_ankle_raises_the_body_and_not_the_knees(walk: Clip) -> None:
    booted = scale(walk, reshaped(walk.skeleton, Toe=1.8))
    rise = (booted.root_positions - walk.root_positions)[:, 1]
    np.testing.assert_allclose(rise, 0.8 * 0.07, atol=5e-3)
    knee = walk.skeleton.index("LeftLeg")
    same = np.abs(np.sum(booted.rotations[:, knee] * walk.rotations[:, knee], axis=-1))
    assert same.min() > np.cos(np.radians(1.0))


def test_hips_come_down_where_a_leg_would_have_to_be_pulled_straight(walk: Clip) -> None:
    tall = walk.with_changes(root_positions=walk.root_positions + np.array([0.0, 0.095, 0.0]))
    upright = hold_feet(tall, [], lifts=np.full((len(walk), 2), -0.095))
    short = walk.skeleton.offsets.copy()
    for name in ("LeftLeg", "LeftFoot"):
        short[walk.skeleton.index(name)] *= 0.94
    limping = scale(upright, Skeleton(walk.skeleton.names, walk.skeleton.parents, short, walk.skeleton.tips))
    heights = sole_clearances(limping.skeleton, limping.positions)[limping.contacts.planted[:, ::2]]
    assert np.ptp(heights) < 4e-3


def test_labels_and_rotations_above_the_legs_stay(walk: Clip, long_legged: Skeleton) -> None:
    longer = scale(walk, long_legged)
    arm = walk.skeleton.index("LeftArm")
    assert longer.labels == walk.labels
    np.testing.assert_array_equal(longer.rotations[:, arm], walk.rotations[:, arm])


def test_stretch_grows_in_proportion(walk: Clip) -> None:
    stretching = np.tile(walk.skeleton.offsets, (len(walk), 1, 1))
    hand = walk.skeleton.index("LeftHand")
    stretching[:, hand, 0] *= 1.2
    grown = scale(walk.with_changes(bone_offsets=stretching), walk.skeleton.scaled(2.0))
    np.testing.assert_allclose(grown.bone_offsets[:, hand, 0], 2.4 * walk.skeleton.offsets[hand, 0])


def test_other_joints_are_a_matter_for_retarget(walk: Clip, stranger: Skeleton) -> None:
    with pytest.raises(ClipError, match=r"use retarget\(\)"):
        scale(walk, stranger)


def test_a_body_without_legs_scales_by_its_size() -> None:
    snake = Skeleton(("a", "b", "c"), (-1, 0, 1), [(0, 0, 0), (0, 0, 1), (0, 0, 1)])
    rotations = np.zeros((4, 3, 4))
    rotations[..., 0] = 1
    clip = Clip("slither", snake, 30.0, np.arange(12.0).reshape(4, 3), rotations)
    np.testing.assert_allclose(scale(clip, snake.scaled(3.0)).root_positions, 3 * clip.root_positions)
