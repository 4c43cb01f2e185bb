from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from walkon.motion import Clip
from walkon.rotations import rotate
from walkon.skeleton import Skeleton, find_roles
from walkon.skeleton.stance import limb_segments, stance_rotations


def bone(skeleton: Skeleton, joint: str, end: str) -> np.ndarray:
    """Direction of a bone in the stance, by role."""
    roles = find_roles(skeleton).joints
    offset = skeleton.rest_positions[roles[end]] - skeleton.rest_positions[roles[joint]]
    return rotate(stance_rotations(skeleton)[roles[joint]], offset / np.linalg.norm(offset))


def check_stance(skeleton: Skeleton) -> None:
    for side, x in (("left", 1.0), ("right", -1.0)):
        np.testing.assert_allclose(bone(skeleton, f"{side}_hip", f"{side}_knee"), [0, -1, 0], atol=1e-9)
        np.testing.assert_allclose(bone(skeleton, f"{side}_knee", f"{side}_ankle"), [0, -1, 0], atol=1e-9)
        np.testing.assert_allclose(bone(skeleton, f"{side}_shoulder", f"{side}_elbow"), [x, 0, 0], atol=1e-9)
        np.testing.assert_allclose(bone(skeleton, f"{side}_elbow", f"{side}_wrist"), [x, 0, 0], atol=1e-9)
        assert bone(skeleton, f"{side}_ankle", f"{side}_toe_tip")[2] > 0.6
    assert bone(skeleton, "neck", "head")[1] > 0.6


def test_a_t_pose_is_already_in_it(human: Skeleton) -> None:
    np.testing.assert_allclose(np.abs(stance_rotations(human)[:, 0]), 1.0, atol=1e-9)
    check_stance(human)


def test_hanging_arms_are_raised(stranger: Skeleton) -> None:
    check_stance(stranger)


@pytest.mark.parametrize("seed", range(8))
def test_rigs_whose_rest_is_no_pose_are_straightened(oddly_framed: Callable[[int], Clip], seed: int) -> None:
    check_stance(oddly_framed(seed).skeleton)


def test_a_rig_lying_on_its_back_is_stood_up(human: Skeleton) -> None:
    back = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    lying = Skeleton(human.names, human.parents, human.offsets @ back, human.tips)
    check_stance(lying)


def test_toes_keep_their_slope_but_not_their_turnout(human: Skeleton) -> None:
    offsets = human.offsets.copy()
    offsets[human.index("LeftToe")] = [0.05, -0.07, 0.13]
    splayed = Skeleton(human.names, human.parents, offsets, human.tips)
    direction = bone(splayed, "left_ankle", "left_toe_tip")
    assert abs(direction[0]) < 1e-9
    ankle, end = splayed.index("LeftFoot"), splayed.index("LeftToeEnd")
    slope = splayed.rest_positions[end] - splayed.rest_positions[ankle]
    assert direction[1] == pytest.approx(slope[1] / np.linalg.norm(slope))


def test_a_thigh_is_twisted_until_its_toes_point_ahead(human: Skeleton) -> None:
    # Legs rest along +x with toes along -y: swung straight down, the toes would point aside.
    offsets = human.offsets.copy()
    for side in ("Left", "Right"):
        for part in ("Leg", "Foot"):
            offsets[human.index(side + part)] = [0.43, 0.0, 0.0]
        for part in ("Toe", "ToeEnd"):
            offsets[human.index(side + part)] = [0.0, -0.14, 0.0]
    rig = Skeleton(human.names, human.parents, offsets, human.tips)
    check_stance(rig)
    thigh = stance_rotations(rig)[rig.index("LeftUpLeg")]
    np.testing.assert_allclose(rotate(thigh, [0.0, -1.0, 0.0]), [0.0, 0.0, 1.0], atol=1e-9)


def test_an_upper_arm_is_twisted_until_its_thumb_points_ahead(human: Skeleton) -> None:
    names = (*human.names, "LeftThumb", "RightThumb")
    hands = [human.index("LeftHand"), human.index("RightHand")]
    offsets = np.vstack([human.offsets, [[0.05, -0.06, 0.0], [-0.05, 0.06, 0.0]]])
    rig = Skeleton(names, [*human.parents, *hands], offsets, [*human.tips, True, True])
    for name, thumb in (("LeftArm", [0.0, -1.0, 0.0]), ("RightArm", [0.0, 1.0, 0.0])):
        np.testing.assert_allclose(rotate(stance_rotations(rig)[rig.index(name)], thumb), [0, 0, 1], atol=1e-9)


def test_a_body_without_parts_rests_as_it_is() -> None:
    stick = Skeleton(("a", "b"), (-1, 0), [(0, 0, 0), (0, 1, 0)])
    np.testing.assert_array_equal(stance_rotations(stick), [[1, 0, 0, 0], [1, 0, 0, 0]])


def test_limb_segments_are_the_eight_long_bones(human: Skeleton) -> None:
    names = {(human.names[a], human.names[b]) for a, b in limb_segments(find_roles(human))}
    assert ("LeftUpLeg", "LeftLeg") in names
    assert ("RightForeArm", "RightHand") in names
    assert len(names) == 8
