"""Real recordings survive being written and read again."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.export import write_bvh
from walkon.export.bvh import depth_first
from walkon.motion.readers import read_clip

RECORDINGS = [
    "cmu/bvh/16_12.bvh",
    "cmu/bvh/111_03.bvh",
    "other/anim_utils_mit/custom_skeleton_walk_example.bvh",
    "other/anim_utils_mit/mh_cmu_skeleton_pose.bvh",
    "other/pymo_mit/AV_8Walk_Meredith_HVHA_Rep1.bvh",
    "other/pybvh_mit/bvh_test3.bvh",
    "other/pybvh_mit/rotation_first_root.bvh",
]


@pytest.mark.parametrize("name", RECORDINGS)
@pytest.mark.parametrize(("units", "order"), [("m", "ZYX"), ("cm", "YXZ")])
def test_round_trip_within_ten_micrometres(mocap, tmp_path, name, units, order):
    clip = read_clip(mocap / name)
    write_bvh(tmp_path / "a.bvh", clip, units=units, order=order)
    again = read_clip(tmp_path / "a.bvh", units=units, up="y", keep_t_pose=True)
    joints = depth_first(clip.skeleton)
    assert again.skeleton.names == tuple(clip.skeleton.names[joint] for joint in joints)
    assert again.skeleton.tips.tolist() == clip.skeleton.tips[joints].tolist()
    assert again.fps == pytest.approx(clip.fps, rel=1e-6)
    assert np.abs(again.positions - clip.positions[:, joints]).max() < 1e-5


def test_a_walk_has_curves_without_jumps(mocap, tmp_path):
    clip = read_clip(mocap / "cmu" / "bvh" / "16_12.bvh")
    write_bvh(tmp_path / "a.bvh", clip)
    text = (tmp_path / "a.bvh").read_text()
    rows = np.array([line.split() for line in text.split("Frame Time")[1].splitlines()[1:]], dtype=float)
    assert np.abs(np.diff(rows[:, 3:], axis=0)).max() < 90  # degrees; a wrap would be 360, a flip 180
