"""Names of joints: sides, words, noise."""

from __future__ import annotations

import pytest

from walkon.skeleton.naming import is_end_name, is_helper_name, name_words, named_sides, spelled_side


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("LeftFoot", "RightFoot"),
        ("mixamorig:LeftFoot", "mixamorig:RightFoot"),
        ("lfemur", "rfemur"),
        ("L_upLeg_jnt", "R_upLeg_jnt"),
        ("LThumb", "RThumb"),
        ("foot.L", "foot.R"),
        ("thigh_l", "thigh_r"),
        ("Bip01 L Calf", "Bip01 R Calf"),
        ("left_hip", "right_hip"),
        ("FemurL", "FemurR"),
        ("FL_hip", "FR_hip"),
        ("RL_hip", "RR_hip"),
        ("LF_paw", "RF_paw"),
        ("lower_leg_l", "lower_leg_r"),
        ("LEFT_HAND", "RIGHT_HAND"),
    ],
)
def test_twins_find_each_other(left, right):
    sides = named_sides(["root", right, left])
    assert sides == {1: (2, "right"), 2: (1, "left")}


def test_names_without_a_twin_have_no_side():
    assert named_sides(["root", "lowerback", "Upright", "rib", "LeftFoot"]) == {}


def test_a_spelled_out_side_needs_no_twin():
    assert spelled_side("LeftFoot") == "left"
    assert spelled_side("foot_RIGHT") == "right"
    assert spelled_side("lfoot") is None


def test_words_lose_namespace_side_digits_and_noise():
    assert name_words("mixamorig:LeftUpLeg") == ("up", "leg")
    assert name_words("L_lowArm_jnt") == ("low", "arm")
    assert name_words("FK_back1_jnt") == ("back",)
    assert name_words("LHipJoint") == ("hip",)
    assert name_words("Bip01 R UpperArm") == ("upper", "arm")


def test_ends_and_helpers_are_told_from_joints():
    assert is_end_name("head_end_jnt")
    assert is_end_name("LeftToeTip")
    assert not is_end_name("LeftToeBase")
    assert is_helper_name("upperarm_twist_01_l")
    assert not is_helper_name("upperarm_l")
