"""Roles of joints, in the dialects of many rigs and without any names at all."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import dog_skeleton, human_skeleton, skateboarder_skeleton
from walkon.skeleton import ROLE_NAMES, Roles, Skeleton, find_roles

# One row a dialect: pelvis, two spines (the second the chest), neck, head; then for the left side
# thigh, shin, foot, toe; clavicle, upper arm, forearm, hand. {s}, {S}, {side}, {Side} stand for the side.
DIALECTS = {
    "cmu bvh": "Hips Spine Spine1 Neck Head {Side}UpLeg {Side}Leg {Side}Foot {Side}ToeBase "
    "{Side}Shoulder {Side}Arm {Side}ForeArm {Side}Hand",
    "mixamo": "mixamorig:Hips mixamorig:Spine mixamorig:Spine2 mixamorig:Neck mixamorig:Head "
    "mixamorig:{Side}UpLeg mixamorig:{Side}Leg mixamorig:{Side}Foot mixamorig:{Side}ToeBase "
    "mixamorig:{Side}Shoulder mixamorig:{Side}Arm mixamorig:{Side}ForeArm mixamorig:{Side}Hand",
    "cmu asf": "root lowerback thorax lowerneck head {s}femur {s}tibia {s}foot {s}toes "
    "{s}clavicle {s}humerus {s}radius {s}wrist",
    "3ds max": "Hips Chest Chest2 Neck Head {Side}Hip {Side}Knee {Side}Ankle {Side}Toe "
    "{Side}Collar {Side}Shoulder {Side}Elbow {Side}Wrist",
    "anim_utils": "FK_back1_jnt FK_back2_jnt FK_back3_jnt FK_back4_jnt head_jnt {S}_upLeg_jnt {S}_lowLeg_jnt "
    "{S}_foot_jnt {S}_toe_jnt {S}_shoulder_jnt {S}_upArm_jnt {S}_lowArm_jnt {S}_hand_jnt",
    "smpl": "Pelvis Spine1 Spine3 Neck Head {S}_Hip {S}_Knee {S}_Ankle {S}_Foot {S}_Collar {S}_Shoulder {S}_Elbow "
    "{S}_Wrist",
    "unreal": "pelvis spine_01 spine_03 neck_01 head thigh_{s} calf_{s} foot_{s} ball_{s} clavicle_{s} "
    "upperarm_{s} lowerarm_{s} hand_{s}",
    "blender": "spine spine.001 spine.003 spine.004 head thigh.{S} shin.{S} foot.{S} toe.{S} shoulder.{S} "
    "upper_arm.{S} forearm.{S} hand.{S}",
    "biped": "Bip01 Bip01_Spine Bip01_Spine1 Bip01_Neck Bip01_Head Bip01_{S}_Thigh Bip01_{S}_Calf Bip01_{S}_Foot "
    "Bip01_{S}_Toe0 Bip01_{S}_Clavicle Bip01_{S}_UpperArm Bip01_{S}_Forearm Bip01_{S}_Hand",
}
PARTS = ("hip", "knee", "ankle", "toe", "clavicle", "shoulder", "elbow", "wrist")


def rig(dialect: str) -> tuple[Skeleton, dict[str, str]]:
    """A small human in that dialect, and the name it should find for every role but the tips."""
    words = DIALECTS[dialect].split()
    names, parents, offsets, tips, expected = list(words[:5]), [-1, 0, 1, 2, 3], [[0.0, 0, 0]], [False] * 5, {}
    offsets += [[0, 0.15, 0], [0, 0.2, 0], [0, 0.2, 0], [0, 0.1, 0]]
    expected = dict(zip(("pelvis", "spine", "chest", "neck", "head"), words[:5], strict=True))
    leg = [[0.1, -0.05, 0], [0, -0.42, 0], [0, -0.4, 0], [0, -0.05, 0.12], [0, 0, 0.06]]
    arm = [[0.05, 0.1, 0], [0.15, 0, 0], [0.28, 0, 0], [0.25, 0, 0], [0.15, 0, 0]]
    for side, sign in (("left", 1), ("right", -1)):
        for limb, base, bones in ((words[5:9], 0, leg), (words[9:], 2, arm)):
            parent = base
            for word, bone in zip([*limb, limb[-1] + "_end"], bones, strict=True):
                names.append(word.format(s=side[0], S=side[0].upper(), side=side, Side=side.capitalize()))
                parents.append(parent)
                offsets.append([sign * bone[0], *bone[1:]])
                tips.append(word.endswith("_end"))
                parent = len(names) - 1
        own = [w.format(s=side[0], S=side[0].upper(), side=side, Side=side.capitalize()) for w in words[5:]]
        expected |= {f"{side}_{part}": name for part, name in zip(PARTS, own, strict=True)}
    return Skeleton(names, parents, offsets, tips), expected


def named(skeleton: Skeleton, roles: Roles) -> dict[str, str]:
    return {role: skeleton.names[joint] for role, joint in roles.joints.items()}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_is_understood(dialect):
    skeleton, expected = rig(dialect)
    roles = find_roles(skeleton)
    found = named(skeleton, roles)
    assert {role: found.get(role) for role in expected} == expected
    assert roles.is_biped
    assert [foot.name for foot in roles.feet] == ["left", "right"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_shape_finds_what_names_do(dialect):
    skeleton, _ = rig(dialect)
    nameless = Skeleton([f"n{i}" for i in range(len(skeleton))], skeleton.parents, skeleton.offsets, skeleton.tips)
    by_name, by_shape = find_roles(skeleton), find_roles(nameless)
    limbs = {role: joint for role, joint in by_name.joints.items() if role.startswith(("left", "right"))}
    assert {role: by_shape.get(role) for role in limbs} == limbs
    assert by_shape.joints["chest"] == by_name.joints["chest"]
    assert by_shape.is_biped


def test_shape_tells_left_from_right_whichever_way_the_rig_faces():
    human = human_skeleton()
    turned = human.offsets * [-1, 1, -1]  # half a turn about the vertical: the left is at -x now
    roles = find_roles(Skeleton([f"n{i}" for i in range(len(human))], human.parents, turned, human.tips))
    assert roles.joints["left_hip"] == human.index("LeftUpLeg")


def test_built_in_human_has_heels_and_all_roles():
    human = human_skeleton()
    roles = find_roles(human)
    assert set(roles.joints) == set(ROLE_NAMES)
    left = roles.feet[0]
    assert [human.names[j] for j in left.joints] == ["LeftHeel", "LeftFoot", "LeftToeBase", "LeftToeTip"]
    assert roles.pair("hip") == (human.index("LeftUpLeg"), human.index("RightUpLeg"))
    assert find_roles(human) is roles


def test_a_skateboard_is_no_part_of_the_foot_that_stands_on_it():
    skater = skateboarder_skeleton()
    roles = find_roles(skater)
    assert roles.is_biped
    assert skater.names[roles.joints["left_toe_tip"]] == "LeftToeTip"


@pytest.mark.parametrize("names", ["given", "none"])
def test_a_dog_stands_on_four_feet(names):
    dog = dog_skeleton()
    if names == "none":
        dog = Skeleton([f"n{i}" for i in range(len(dog))], dog.parents, dog.offsets, dog.tips)
    roles = find_roles(dog)
    assert not roles.is_biped
    assert [foot.name for foot in roles.feet] == ["left_fore", "right_fore", "left_hind", "right_hind"]
    ends = [dog.rest_positions[foot.tip, 1] for foot in roles.feet]
    assert max(ends) - min(ends) < 0.02


def test_four_alike_legs_are_told_apart_by_shape():
    names, parents, offsets = ["trunk", "chest", "head"], [-1, 0, 1], [[0, 0, 0], [0, 0, 0.6], [0, 0.2, 0.3]]
    for end, base in (("R", 0), ("F", 1)):
        for side, x in (("L", 0.1), ("R", -0.1)):
            for part, bone in (("hip", [x, 0, 0]), ("thigh", [0, -0.25, 0]), ("calf", [0, -0.25, 0])):
                parents.append(base if part == "hip" else len(names) - 1)
                names.append(f"{end}{side}_{part}")
                offsets.append(bone)
    robot = Skeleton(names, parents, offsets)
    roles = find_roles(robot)
    feet = {foot.name: robot.names[foot.ankle] for foot in roles.feet}
    assert feet == {
        "left_fore": "FL_calf",
        "right_fore": "FR_calf",
        "left_hind": "RL_calf",
        "right_hind": "RR_calf",
    }


def test_a_humanoid_without_head_hands_or_toes():
    """The joints of DeepMimic's humanoid."""
    names = ["root", "chest", "neck"]
    parents, offsets = [-1, 0, 1], [[0, 0, 0], [0, 0.24, 0], [0, 0.22, 0]]
    for side, sign in (("right", -1), ("left", 1)):
        chains = (("hip", 0), ("knee", None), ("ankle", None), ("shoulder", 1), ("elbow", None), ("wrist", None))
        bones = [
            [0.085 * sign, 0, 0],
            [0, -0.42, 0],
            [0, -0.41, 0],
            [0.18 * sign, 0.24, 0],
            [0, -0.27, 0],
            [0, -0.26, 0],
        ]
        for (part, base), bone in zip(chains, bones, strict=True):
            parents.append(len(names) - 1 if base is None else base)
            names.append(f"{side}_{part}")
            offsets.append(bone)
    roles = find_roles(Skeleton(names, parents, offsets))
    assert roles.is_biped
    assert roles.get("head") is None
    assert roles.joints["neck"] == 2
    assert roles.feet[0].joints == (names.index("left_ankle"),)


def test_skeletons_that_are_no_body_have_few_roles():
    one = find_roles(Skeleton(["only"], [-1], [[0.0, 0, 0]]))
    assert dict(one.joints) == {"pelvis": 0}
    assert one.feet == ()
    chain = Skeleton(["a", "b", "c"], [-1, 0, 1], np.eye(3))
    assert not find_roles(chain).is_biped


def test_a_leg_alone_has_no_foot_and_a_foot_without_a_leg_is_none():
    lone = Skeleton(
        ["Hips", "Spine", "Head", "LeftLeg", "LeftLeg_end"],
        [-1, 0, 1, 0, 3],
        [[0, 0, 0], [0, 1, 0], [0, 0.8, 0], [0.2, -0.8, 0], [0, -0.6, 0]],
        [False, False, False, False, True],
    )
    assert find_roles(lone).joints["left_hip"] == 3
    hop = Skeleton(
        ["Hips", "Left Leg", "Foot", "End"], [-1, 0, 1, 2], [[0, 90, 0], [10, 0, 0], [0, -45, 0], [0, -45, 1]]
    )
    toy = Skeleton(
        ["Hips", "LeftFoot", "RightFoot", "Head"], [-1, 0, 0, 0], [[0, 1, 0], [1, -1, 0], [-1, -1, 0], [0, 1, 0]]
    )
    for skeleton in (lone, hop, toy):
        assert find_roles(skeleton).feet == ()
        assert not find_roles(skeleton).is_biped
