"""Pixar's own validators read our USD files and find nothing to say."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.export import write_usd
from walkon.motion import Clip
from walkon.motion.readers import read_clip
from walkon.rotations import exponential
from walkon.skeleton import Skeleton

pytest.importorskip("pxr", reason="needs the extra usd: pip install 'walkon[usd]'")
from pxr import Sdf, Usd, UsdSkel, UsdValidation


def faults(path_or_stage) -> list[str]:
    """What any validator in the registry says about a file or stage."""
    stage = path_or_stage if isinstance(path_or_stage, Usd.Stage) else Usd.Stage.Open(str(path_or_stage))
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    assert {"usdSkelValidators:SkelBindingApiValidator", "usdGeomValidators:StageMetadataChecker"} <= {
        validator.GetMetadata().name for validator in validators
    }
    errors = UsdValidation.ValidationContext(validators).Validate(stage)
    return [f"{error.GetName()}: {error.GetMessage()}" for error in errors]


def swinging(seed: int, scale: float = 1.0) -> Clip:
    rng = np.random.default_rng(seed)
    skeleton = Skeleton(["hips", "left hip", "left knee"], [-1, 0, 1], [[0, 0, 0], [0.1, 0, 0], [0, -0.5, 0]])
    vectors = np.cumsum(rng.normal(0, 0.1, (12, 3, 3)), axis=0)
    root = np.cumsum(rng.normal(0, 0.02, (12, 3)), axis=0)
    return Clip.build("some one", skeleton.scaled(scale), 30.0, root, exponential(vectors))


@pytest.mark.parametrize("suffix", [".usda", ".usdc"])
def test_one_and_many_characters_are_valid(tmp_path, suffix):
    write_usd(tmp_path / f"one{suffix}", swinging(0))
    write_usd(tmp_path / f"many{suffix}", [swinging(seed, 1 + seed % 2) for seed in range(40)])
    write_usd(tmp_path / f"bare{suffix}", swinging(0), body=False)
    for name in ("one", "many", "bare"):
        assert faults(tmp_path / f"{name}{suffix}") == []


def test_the_validators_do_find_faults(tmp_path):
    write_usd(tmp_path / "a.usda", swinging(0))
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    stage.GetRootLayer().ClearDefaultPrim()
    stage.OverridePrim("/World/some_one/Body").CreateRelationship("material:binding").SetTargets(
        [Sdf.Path("/World")]
    )
    found = " ".join(faults(stage))
    assert "defaultPrim" in found
    assert "MaterialBinding" in found


def test_recordings_are_valid_and_move_as_recorded(mocap, tmp_path):
    clips = [read_clip(mocap / "cmu" / "bvh" / f"{name}.bvh") for name in ("16_12", "07_01")]
    write_usd(tmp_path / "a.usdc", clips)
    assert faults(tmp_path / "a.usdc") == []
    stage = Usd.Stage.Open(str(tmp_path / "a.usdc"))
    cache = UsdSkel.Cache()
    for prim, clip in zip(stage.GetDefaultPrim().GetChildren(), clips, strict=True):
        cache.Populate(UsdSkel.Root(prim), Usd.PrimDefaultPredicate)
        query = cache.GetSkelQuery(UsdSkel.Skeleton(prim.GetChild("Skeleton")))
        for frame in (0, 100, len(clip) - 1):
            found = np.array(query.ComputeJointSkelTransforms(frame))[:, 3, :3]
            np.testing.assert_allclose(found, clip.positions[frame], atol=1e-5)
