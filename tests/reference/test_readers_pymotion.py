"""upc-pymotion as an oracle: on files both read, rotations and joint positions agree."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from walkon.motion.readers import read_bvh
from walkon.rotations import angle_between

bvh = pytest.importorskip("pymotion.io.bvh")
skeleton_ops = pytest.importorskip("pymotion.ops.skeleton")

FILES = [
    "cmu/bvh/02_01.bvh",
    "cmu/bvh/16_12.bvh",
    "cmu/bvh/111_03.bvh",
    "other/anim_utils_mit/custom_skeleton_walk_example.bvh",
    "other/anim_utils_mit/mh_cmu_skeleton_pose.bvh",
    "other/bvh11_cmu_3dsmax/131_01.bvh",
    "other/pybvh_mit/bvh_test1.bvh",
    "other/pybvh_mit/bvh_test2.bvh",
    "other/pybvh_mit/bvh_test3.bvh",
    "other/pybvh_mit/full_precision_frame_time.bvh",
    "other/pybvh_mit/standard_skeleton.bvh",
    "other/pymo_mit/AV_8Walk_Meredith_HVHA_Rep1.bvh",
]


@pytest.mark.parametrize("name", FILES)
def test_rotations_and_positions_agree(mocap: Path, name: str):
    theirs = bvh.BVH()
    theirs.load(str(mocap / name))
    rotations, positions, parents, offsets, *_ = theirs.get_data()
    clip = read_bvh(mocap / name, units=1.0, up="y", keep_t_pose=True).clip
    joints = ~clip.skeleton.tips
    names = np.array(clip.skeleton.names)
    assert [str(joint) for joint in theirs.data["names"]] == names[joints].tolist()
    assert [names[p] if p >= 0 else "" for p in clip.skeleton.parents[joints][1:]] == [
        str(theirs.data["names"][p]) for p in parents[1:]
    ]
    assert angle_between(clip.rotations[:, joints], rotations).max() < 1e-5

    world, _ = skeleton_ops.fk(rotations, positions[:, 0], offsets, parents)
    ours = clip.positions[:, joints]
    scale = clip.skeleton.size
    # Where the root's channels are meant as displacements the whole figure stands elsewhere, by its OFFSET.
    np.testing.assert_allclose(ours - ours[:, :1], world - world[:, :1], atol=2e-6 * scale)
    if "anim_utils" not in name:
        np.testing.assert_allclose(ours[:, 0], world[:, 0], atol=2e-6 * scale)
