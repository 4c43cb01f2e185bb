from __future__ import annotations

import itertools

import numpy as np
import pytest

from walkon.errors import ExportError
from walkon.export import write_bvh
from walkon.export.bvh import depth_first, euler_curves
from walkon.motion import Clip
from walkon.motion.readers import read_clip
from walkon.rotations import (
    angle_between,
    from_euler,
    multiply,
    normalize,
    rotation_about_y,
    to_euler,
)
from walkon.skeleton import Skeleton

ORDERS = ["".join(axes) for axes in itertools.permutations("XYZ")]


def read_back(path, **options):
    return read_clip(path, **{"units": "m", "up": "y", "keep_t_pose": True} | options)


def largest_distance(clip: Clip, again: Clip) -> float:
    """Over every joint and frame [m]; the file lists joints depth first."""
    assert len(again) == len(clip)
    assert again.fps == pytest.approx(clip.fps, rel=1e-9)
    return float(np.abs(again.positions - clip.positions[:, depth_first(clip.skeleton)]).max())


@pytest.mark.parametrize("order", ORDERS)
def test_round_trip_in_every_order(tmp_path, clip, order):
    write_bvh(tmp_path / "a.bvh", clip, order=order)
    again = read_back(tmp_path / "a.bvh")
    assert largest_distance(clip, again) < 1e-5
    names = [clip.skeleton.names[joint] for joint in depth_first(clip.skeleton)]
    assert list(again.skeleton.names) == names
    assert again.skeleton.tips.sum() == clip.skeleton.tips.sum()
    assert again.bone_offsets is None


@pytest.mark.parametrize("units", ["m", "cm", "mm", "in", "ft"])
def test_round_trip_in_every_unit(tmp_path, clip, units):
    write_bvh(tmp_path / "a.bvh", clip, units=units)
    assert largest_distance(clip, read_back(tmp_path / "a.bvh", units=units)) < 1e-5


@pytest.mark.parametrize("units", ["m", "cm"])
def test_a_person_is_recognised_without_being_told_the_unit(tmp_path, clip, units):
    write_bvh(tmp_path / "a.bvh", clip, units=units)
    assert largest_distance(clip, read_back(tmp_path / "a.bvh", units="auto")) < 1e-5


def test_bones_that_stretch_get_position_channels(tmp_path, stretching):
    write_bvh(tmp_path / "a.bvh", stretching)
    again = read_back(tmp_path / "a.bvh")
    assert largest_distance(stretching, again) < 1e-5
    text = (tmp_path / "a.bvh").read_text()
    assert text.count("CHANNELS 6") == 2  # the root and LeftForeArm
    assert text.count("CHANNELS 3 Xposition Yposition Zposition\n") == 1  # the tip of the head
    assert "JOINT Head_end" in text
    # A bone that is merely longer says so in its OFFSET.
    leg = stretching.skeleton.index("RightLeg")
    offset = again.skeleton.offsets[again.skeleton.index("RightLeg")]
    np.testing.assert_allclose(offset, 1.1 * stretching.skeleton.offsets[leg], atol=1e-6)


def test_a_resting_place_of_the_root_is_not_counted_twice(tmp_path, clip):
    offsets = clip.skeleton.offsets.copy()
    offsets[0] = (1.0, 2.0, 3.0)
    skeleton = Skeleton(clip.skeleton.names, clip.skeleton.parents, offsets, clip.skeleton.tips)
    write_bvh(tmp_path / "a.bvh", clip.with_changes(skeleton=skeleton))
    assert (tmp_path / "a.bvh").read_text().split("\n")[3] == "\tOFFSET 0.000000 0.000000 0.000000"
    assert largest_distance(clip, read_back(tmp_path / "a.bvh")) < 1e-5


def test_awkward_hierarchies_keep_their_joints(tmp_path, swing):
    # A joint after an end site, two end sites, a leaf that is no tip, and an order that is not depth first.
    names = ["root", "end", "left arm", "bare leaf", "left arm_end", "left arm_end 2", "deep", "deep_end"]
    skeleton = Skeleton(
        names, [-1, 0, 0, 0, 2, 2, 2, 6], np.arange(24).reshape(8, 3) * 0.05, [0, 1, 0, 0, 1, 1, 0, 1]
    )
    clip = swing(skeleton)
    write_bvh(tmp_path / "a.bvh", clip)
    again = read_back(tmp_path / "a.bvh")
    assert largest_distance(clip, again) < 1e-5
    joints = depth_first(skeleton)
    assert joints == [0, 1, 2, 4, 5, 6, 7, 3]
    assert again.skeleton.tips.tolist() == skeleton.tips[joints].tolist()
    kept = [name for name, tip in zip(again.skeleton.names, again.skeleton.tips, strict=True) if not tip]
    assert kept == ["root", "left arm", "deep", "bare leaf"]


def test_names_that_would_break_the_file_are_mended(tmp_path, swing):
    skeleton = Skeleton(["a{b}", "a\nJOINT c", "", "a b", "Ünïcode hip"], [-1, 0, 1, 2, 3], np.full((5, 3), 0.1))
    clip = swing(skeleton)
    write_bvh(tmp_path / "a.bvh", clip)
    again = read_back(tmp_path / "a.bvh")
    assert largest_distance(clip, again) < 1e-5
    assert again.skeleton.names == ("a b", "a JOINT c", "joint", "a b_2", "Ünïcode hip")


def test_one_joint_and_one_frame(tmp_path, swing):
    clip = swing(Skeleton(["only"], [-1], np.zeros((1, 3))), frames=1)
    write_bvh(tmp_path / "a.bvh", [clip])
    assert largest_distance(clip, read_back(tmp_path / "a.bvh")) < 1e-5


def test_angles_are_the_rotations():
    rotations = normalize(np.random.default_rng(3).normal(size=(50, 6, 4)))
    for order in ORDERS:
        assert angle_between(from_euler(euler_curves(rotations, order), order), rotations).max() < 1e-12


def test_angles_are_exact_in_and_next_to_gimbal_lock():
    rng = np.random.default_rng(4)
    angles = rng.uniform(-3, 3, (200, 5, 3))
    angles[..., 1] = rng.choice([-0.5, 0.5], (200, 5)) * np.pi + rng.choice([0, 1e-14, 1e-9, 1e-5], (200, 5))
    for order in ORDERS:
        rotations = from_euler(angles, order)
        assert angle_between(from_euler(euler_curves(rotations, order), order), rotations).max() < 1e-11


def nearest_angles(rotations, order):
    """The same as the kernel, slowly: of all sets of angles for each rotation, the nearest to the one before."""
    previous, curve = np.zeros(3), []
    for rotation in rotations:
        angles = to_euler(rotation, order)
        others = np.pi + angles * (1, -1, 1)
        turns = 2 * np.pi * np.array(list(itertools.product(range(-3, 4), repeat=3)))
        candidates = np.concatenate([turns + angles, turns + others])
        previous = candidates[np.abs(candidates - previous).sum(axis=1).argmin()]
        curve.append(previous)
    return np.array(curve)


@pytest.mark.parametrize("order", ["ZYX", "XYZ", "YXZ"])
def test_angles_agree_with_their_slow_twin(order, clip):
    joint = clip.skeleton.index("LeftArm")
    rotations = multiply(rotation_about_y(np.linspace(0, 9, len(clip))), clip.rotations[:, joint])
    fast = euler_curves(np.ascontiguousarray(rotations[:, None]), order)[:, 0]
    np.testing.assert_allclose(fast, nearest_angles(rotations, order), atol=1e-9)


def test_turning_on_the_spot_gives_a_curve_without_jumps():
    turning = rotation_about_y(np.linspace(0, 6 * np.pi, 200))[:, None]
    for order in ("ZYX", "ZXY", "XYZ", "YXZ"):
        curves = euler_curves(turning, order)[:, 0]
        assert np.abs(np.diff(curves, axis=0)).max() < 0.1
        assert np.abs(curves[-1]).max() == pytest.approx(6 * np.pi)


def test_the_file_itself(tmp_path, clip):
    write_bvh(tmp_path / "a.bvh", clip, precision=3)
    lines = (tmp_path / "a.bvh").read_text().split("\n")
    assert lines[:5] == [
        "HIERARCHY",
        "ROOT Hips",
        "{",
        "\tOFFSET 0.000 0.000 0.000",
        "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation",
    ]
    motion = lines.index("MOTION")
    assert lines[motion + 1] == "Frames: 40"
    assert 1 / float(lines[motion + 2].removeprefix("Frame Time: ")) == pytest.approx(30, rel=1e-15)
    assert len(lines) == motion + 3 + 40 + 1
    assert all(len(line.split()) == 3 + 3 * 15 for line in lines[motion + 3 : -1])
    assert "-0.000 " not in " ".join(lines[motion + 3 :])


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"units": "parsec"}, "cm"),
        ({"order": "ZZX"}, "ZYX"),
        ({"order": "ZY"}, "ZYX"),
        ({"precision": 0}, "15"),
    ],
)
def test_wrong_options_are_refused_with_the_valid_ones(tmp_path, clip, options, hint):
    with pytest.raises(ExportError, match=hint):
        write_bvh(tmp_path / "a.bvh", clip, **options)
    assert list(tmp_path.iterdir()) == []


def test_two_characters_are_refused(tmp_path, clip):
    with pytest.raises(ExportError, match="one character"):
        write_bvh(tmp_path / "a.bvh", [clip, clip])


def test_a_deep_chain_does_not_exhaust_the_stack(tmp_path, swing):
    count = 3000
    skeleton = Skeleton([f"j{i}" for i in range(count)], np.arange(-1, count - 1), np.full((count, 3), 1e-3))
    write_bvh(tmp_path / "a.bvh", swing(skeleton, frames=1))
    assert (tmp_path / "a.bvh").read_text().count("}") == count
