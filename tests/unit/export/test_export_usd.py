from __future__ import annotations

import sys

import numpy as np
import pytest

from walkon.errors import ExportError, MissingExtraError
from walkon.export import build_skin, write_usd
from walkon.rotations import to_matrix
from walkon.skeleton import Skeleton

pxr = pytest.importorskip("pxr", reason="needs the extra usd: pip install 'walkon[usd]'")
from pxr import Usd, UsdGeom, UsdShade, UsdSkel  # noqa: E402

from walkon.export import usd_stage  # noqa: E402


def skeletons(stage):
    """The skeleton queries of all characters, in order."""
    cache = UsdSkel.Cache()
    queries = []
    for prim in stage.GetDefaultPrim().GetChildren():
        root = UsdSkel.Root(prim)
        assert root
        cache.Populate(root, Usd.PrimDefaultPredicate)
        (skeleton,) = [UsdSkel.Skeleton(p) for p in Usd.PrimRange(prim) if p.IsA(UsdSkel.Skeleton)]
        queries.append(cache.GetSkelQuery(skeleton))
    return queries


def joint_positions(query, frames):
    transforms = [np.array(query.ComputeJointSkelTransforms(Usd.TimeCode(frame))) for frame in frames]
    return np.array(transforms)[:, :, 3, :3]


@pytest.mark.parametrize("suffix", [".usd", ".usda", ".usdc"])
def test_joints_move_as_in_the_clip(tmp_path, clip, suffix):
    write_usd(tmp_path / f"a{suffix}", clip)
    stage = Usd.Stage.Open(str(tmp_path / f"a{suffix}"))
    (query,) = skeletons(stage)
    np.testing.assert_allclose(joint_positions(query, range(len(clip))), clip.positions, atol=2e-6)
    assert UsdGeom.GetStageUpAxis(stage) == "Y"
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert stage.GetTimeCodesPerSecond() == clip.fps
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, len(clip) - 1)


def test_text_is_text_and_crate_is_binary(tmp_path, clip):
    for suffix, start in {".usda": b"#usda 1.0", ".usdc": b"PXR-USDC", ".usd": b"PXR-USDC"}.items():
        write_usd(tmp_path / f"a{suffix}", clip)
        assert (tmp_path / f"a{suffix}").read_bytes().startswith(start)


def test_bones_that_stretch(tmp_path, stretching):
    write_usd(tmp_path / "a.usdc", stretching)
    stage = Usd.Stage.Open(str(tmp_path / "a.usdc"))
    (query,) = skeletons(stage)
    found = joint_positions(query, range(len(stretching)))
    np.testing.assert_allclose(found, stretching.positions, atol=2e-6)


def test_characters_share_skeleton_and_body_but_not_motion(tmp_path, clip, swing):
    cast = [clip, swing(clip.skeleton, frames=25, seed=5), swing(clip.skeleton.scaled(0.8), seed=6)]
    write_usd(tmp_path / "a.usda", cast)
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    for query, expected in zip(skeletons(stage), cast, strict=True):
        frames = np.minimum(np.arange(len(clip)), len(expected) - 1)
        found = joint_positions(query, range(len(clip)))
        np.testing.assert_allclose(found, expected.positions[frames], atol=2e-6)
    text = (tmp_path / "a.usda").read_text()
    assert text.count("point3f[] points") == 2
    assert text.count("bindTransforms") == 2
    materials = [
        UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()[0].GetPath()
        for prim in stage.Traverse()
        if prim.IsA(UsdGeom.Mesh)
    ]
    assert len(materials) == len(set(materials)) == 3


def test_the_body_is_bound_to_the_skeleton(tmp_path, clip):
    write_usd(tmp_path / "a.usdc", clip)
    stage, skin = Usd.Stage.Open(str(tmp_path / "a.usdc")), build_skin(clip)
    (mesh,) = [UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)]
    np.testing.assert_array_equal(np.array(mesh.GetPointsAttr().Get()), skin.positions)
    binding = UsdSkel.BindingAPI(mesh.GetPrim())
    assert binding.GetInheritedSkeleton()
    assert binding.GetJointWeightsPrimvar().GetElementSize() == 2
    np.testing.assert_array_equal(np.array(binding.GetJointIndicesPrimvar().Get()).reshape(-1, 2), skin.joints)
    (query,) = skeletons(stage)
    bind = np.array(query.GetJointWorldBindTransforms())
    np.testing.assert_allclose(bind[:, 3, :3], skin.bind_positions, atol=1e-12)
    np.testing.assert_allclose(bind[:, :3, :3], to_matrix(skin.bind_rotations), atol=1e-12)


def test_a_turned_bind_pose_is_written_as_it_is(tmp_path, clip, monkeypatch):
    turned = build_skin(clip)
    object.__setattr__(turned, "bind_rotations", clip.world_rotations[7])
    monkeypatch.setattr(usd_stage, "build_skin", lambda clip: turned)
    write_usd(tmp_path / "a.usdc", clip)
    stage = Usd.Stage.Open(str(tmp_path / "a.usdc"))
    bind = np.array(skeletons(stage)[0].GetJointWorldBindTransforms())
    # USD multiplies row vectors, so a rotation stands transposed.
    expected = np.swapaxes(to_matrix(clip.world_rotations[7]), 1, 2)
    np.testing.assert_allclose(bind[:, :3, :3], expected, atol=1e-12)


def test_boxes_hold_the_moving_body(tmp_path, clip):
    write_usd(tmp_path / "a.usdc", clip)
    stage = Usd.Stage.Open(str(tmp_path / "a.usdc"))
    root = UsdSkel.Root(stage.GetDefaultPrim().GetChildren()[0])
    assert UsdSkel.BakeSkinning(Usd.PrimRange.Stage(stage))
    (mesh,) = [UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)]
    for frame in (0, 11, 39):
        points = np.array(mesh.GetPointsAttr().Get(frame))
        low, high = np.array(root.GetExtentAttr().Get(frame))
        assert (low - points).max() < 1e-4
        assert (points - high).max() < 1e-4
        np.testing.assert_allclose((low + high) / 2, np.median(points, axis=0), atol=1.0)


def test_names_become_valid_identifiers(tmp_path, swing):
    skeleton = Skeleton(["left hip", "left_hip", "1st", "", "Ünï"], [-1, 0, 1, 2, 3], np.full((5, 3), 0.1))
    cast = [swing(skeleton, name="16_12"), swing(skeleton, name="a walk"), swing(skeleton, name="")]
    write_usd(tmp_path / "a.usda", cast)
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    assert [prim.GetName() for prim in stage.GetDefaultPrim().GetChildren()] == ["_16_12", "a_walk", "character"]
    path = "left_hip/left_hip_2/_1st/_/_n_"
    assert skeletons(stage)[0].GetJointOrder()[-1] == path


def test_a_single_pose_is_a_motion_that_stands_still(tmp_path, person, swing):
    pose = swing(person, frames=1)
    write_usd(tmp_path / "a.usda", pose)
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    (query,) = skeletons(stage)
    np.testing.assert_allclose(joint_positions(query, [0, 1, 9]), np.repeat(pose.positions, 3, axis=0), atol=2e-6)
    assert query.GetAnimQuery().JointTransformsMightBeTimeVarying()  # or Blender overlooks it


def test_without_bodies_there_are_no_meshes(tmp_path, clip):
    write_usd(tmp_path / "a.usda", clip, body=False)
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    assert not [prim for prim in stage.TraverseAll() if prim.IsA(UsdGeom.Mesh)]
    (query,) = skeletons(stage)
    np.testing.assert_allclose(joint_positions(query, [5])[0], clip.positions[5], atol=2e-6)


def test_another_suffix_is_refused(tmp_path, clip):
    with pytest.raises(ExportError, match=r"\.usdc"):
        write_usd(tmp_path / "a.usdz", clip)


def test_without_usd_core_the_extra_is_named(tmp_path, clip, monkeypatch):
    monkeypatch.setitem(sys.modules, "pxr", None)
    with pytest.raises(MissingExtraError, match=r"walkon\[usd\]"):
        write_usd(tmp_path / "a.usda", clip)
