from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import SkeletonError
from walkon.motion.editing import match_joints
from walkon.motion.editing.joint_map import resolve_carriers
from walkon.skeleton import Skeleton


def test_limbs_are_matched_by_the_part_they_play(human: Skeleton, stranger: Skeleton) -> None:
    matched = match_joints(human, stranger)
    assert matched["thigh_l"] == "LeftUpLeg"
    assert matched["foot_r"] == "RightFoot"
    assert matched["upper_arm_r"] == "RightArm"
    assert matched["hand_l"] == "LeftHand"
    assert matched["pelvis"] == "Hips"
    assert "hand_end_l" not in matched


def test_spines_are_matched_in_proportion(human: Skeleton, stranger: Skeleton) -> None:
    matched = match_joints(human, stranger)
    assert [matched[f"spine_0{i}"] for i in range(1, 5)] == ["Hips", "Spine", "Chest", "Chest"] or [
        matched[f"spine_0{i}"] for i in range(1, 5)
    ] == ["Spine", "Spine", "Spine", "Chest"]
    back = match_joints(stranger, human)
    assert back["Chest"] == "spine_04"


def test_skeletons_with_the_same_names_are_matched_by_name(human: Skeleton, long_legged: Skeleton) -> None:
    matched = match_joints(human, long_legged)
    assert all(ours == theirs for ours, theirs in matched.items())
    assert len(matched) == int(np.sum(~human.tips))


def test_joints_without_a_leader_follow_their_parents(human: Skeleton, stranger: Skeleton) -> None:
    carriers = resolve_carriers(stranger, human, "auto")
    assert carriers[human.index("LeftShoulder")] == stranger.index("spine_04")
    assert carriers[human.index("LeftHandEnd")] == stranger.index("hand_l")


def test_a_map_overrules_what_was_found(human: Skeleton, stranger: Skeleton) -> None:
    carriers = resolve_carriers(human, stranger, {"head": "LeftHand", "hand_r": None})
    assert carriers[stranger.index("head")] == human.index("LeftHand")
    assert carriers[stranger.index("hand_r")] == human.index("RightForeArm")


@pytest.mark.parametrize(
    ("joint_map", "message"),
    [
        ({"nose": "Head"}, "no joint 'nose'"),
        ({"head": "Nose"}, "no joint 'Nose'"),
        ("manual", "'auto' or a mapping"),
    ],
)
def test_names_that_are_not_there_are_errors(human: Skeleton, stranger: Skeleton, joint_map, message: str) -> None:
    with pytest.raises(SkeletonError, match=message):
        resolve_carriers(human, stranger, joint_map)


def test_joints_above_the_pelvis_follow_it(human: Skeleton, stranger: Skeleton) -> None:
    names = ("world", *human.names)
    parents = np.concatenate([[-1], human.parents + 1])
    offsets = np.vstack([[0, 0, 0], human.offsets])
    hung = Skeleton(names, parents, offsets, np.concatenate([[False], human.tips]))
    carriers = resolve_carriers(stranger, hung, "auto")
    assert carriers[0] == stranger.index("pelvis")
