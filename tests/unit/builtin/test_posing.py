"""The poser: what it is told to reach, it reaches, and joints fold their own way only."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walkon.builtin import dog_skeleton, human_skeleton
from walkon.builtin.posing import Poser, mirrored, turned
from walkon.rotations import angle_between, logarithm, rotate
from walkon.skeleton import forward_kinematics

KNEE = np.array([1.0, 0.0, 0.0])


def test_degrees_turn_the_way_the_names_say():
    up, left, ahead = np.eye(3)[1], np.eye(3)[0], np.eye(3)[2]
    np.testing.assert_allclose(rotate(turned(bend=90), up), ahead, atol=1e-12)
    np.testing.assert_allclose(rotate(turned(turn=90), ahead), left, atol=1e-12)
    np.testing.assert_allclose(rotate(turned(lean=90), up), -left, atol=1e-12)


def test_mirroring_keeps_bends_and_reverses_turns_and_leans():
    np.testing.assert_allclose(mirrored(turned(10, 20, 30)), turned(10, -20, -30), atol=1e-12)


def test_frame_agrees_with_forward_kinematics():
    skeleton = human_skeleton()
    rng = np.random.default_rng(3)
    poser = Poser(skeleton, rng.normal(size=(4, 3)))
    for joint in skeleton.names:
        poser.turn(joint, turned(*rng.uniform(-60, 60, (3, 4))))
    positions, rotations = forward_kinematics(skeleton, poser.root_positions, poser.rotations)
    for joint in ("Hips", "HeadTip", "RightToeTip"):
        at, facing = poser.frame(joint)
        np.testing.assert_allclose(at, positions[:, skeleton.index(joint)], atol=1e-12)
        np.testing.assert_allclose(angle_between(facing, rotations[:, skeleton.index(joint)]), 0.0, atol=1e-6)


def test_face_sets_the_rotation_in_the_world():
    poser = Poser(human_skeleton(), np.zeros((2, 3)))
    poser.turn("Hips", turned(20, 30, 40))
    poser.turn("LeftUpLeg", turned(-50))
    poser.face("LeftLeg", turned(5, 6, 7))
    np.testing.assert_allclose(angle_between(poser.frame("LeftLeg")[1], turned(5, 6, 7)), 0.0, atol=1e-6)


@given(st.tuples(*[st.floats(-0.4, 0.4)] * 2), st.floats(-0.8, -0.25), st.floats(-50, 50))
@settings(max_examples=60, deadline=None)
def test_a_leg_reaches_any_target_within_its_length_by_a_hinge(across, down, turn):
    poser = Poser(human_skeleton(), np.zeros((1, 3)))
    poser.turn("Hips", turned(turn=turn))
    target = poser.frame("LeftUpLeg")[0] + [across[0], down, across[1]]
    if np.linalg.norm([*across, down]) > 0.85:
        return
    poser.reach("LeftUpLeg", "LeftLeg", "LeftFoot", target, KNEE, KNEE)
    np.testing.assert_allclose(poser.frame("LeftFoot")[0], target, atol=1e-9)
    flexion, sideways, twist = logarithm(poser.rotations[0, poser.skeleton.index("LeftLeg")])
    assert flexion >= 0
    assert sideways == pytest.approx(0, abs=1e-9)
    assert twist == pytest.approx(0, abs=1e-9)


def test_a_target_out_of_reach_is_approached():
    poser = Poser(human_skeleton(), np.zeros((1, 3)))
    hip, _ = poser.frame("LeftUpLeg")
    poser.reach("LeftUpLeg", "LeftLeg", "LeftFoot", hip + np.array([0.0, -1.0, 2.0]), KNEE, KNEE)
    direction = poser.frame("LeftFoot")[0] - hip
    np.testing.assert_allclose(direction[0] / np.linalg.norm(direction), [0, -1 / 5**0.5, 2 / 5**0.5], atol=1e-6)


@pytest.mark.parametrize(
    ("limb", "hinge"), [(("Arm", "ForeArm", "Hand"), -KNEE), (("UpLeg", "Leg", "Foot"), KNEE)]
)
def test_a_limb_bent_at_rest_reaches_too(limb, hinge):
    poser = Poser(dog_skeleton(), np.zeros((1, 3)))
    upper, lower, end = (f"Left{part}" for part in limb)
    target = poser.frame(end)[0] + [0.02, 0.05, 0.03]
    poser.reach(upper, lower, end, target, hinge, hinge)
    np.testing.assert_allclose(poser.frame(end)[0], target, atol=1e-9)


def test_reaching_the_rest_pose_changes_nothing():
    poser = Poser(dog_skeleton(), np.zeros((1, 3)))
    poser.reach("LeftUpLeg", "LeftLeg", "LeftFoot", poser.frame("LeftFoot")[0], KNEE, KNEE)
    np.testing.assert_allclose(logarithm(poser.rotations), 0.0, atol=1e-9)
