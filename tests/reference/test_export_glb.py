"""Khronos' own validator reads our GLB files and finds nothing to say."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from walkon.export import write_glb
from walkon.motion import Clip
from walkon.motion.readers import read_clip
from walkon.rotations import Placement, exponential, multiply
from walkon.skeleton import Skeleton

TOOL = Path(__file__).resolve().parents[2] / "tools" / "gltf_validator.py"


@pytest.fixture(scope="module")
def validator() -> ModuleType:
    """The tool, with the npm package installed."""
    spec = importlib.util.spec_from_file_location("gltf_validator", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        module.install()
    except module.ValidatorUnavailableError as error:
        pytest.skip(f"GLB FILES ARE NOT VALIDATED: {error}")
    return module


def swinging(seed: int, frames: int = 30) -> Clip:
    """A figure of eight joints, one of them a tip, that swings."""
    rng = np.random.default_rng(seed)
    skeleton = Skeleton(
        ["hips", "spine", "head", "head_end", "left leg", "left foot", "right leg", "right foot"],
        [-1, 0, 1, 2, 0, 4, 0, 6],
        [[0, 0, 0], [0, 0.5, 0], [0, 0.2, 0], [0, 0.2, 0], [0.1, 0, 0], [0, -0.8, 0], [-0.1, 0, 0], [0, -0.8, 0]],
        [False, False, False, True, False, False, False, False],
    )
    vectors = np.cumsum(rng.normal(0, 0.1, (frames, 8, 3)), axis=0)
    vectors[:, skeleton.tips] = 0
    root = np.cumsum(rng.normal(0, 0.02, (frames, 3)), axis=0) + rng.uniform(-9, 9, 3)
    return Clip.build(f"someone {seed}", skeleton, 30.0, root, exponential(vectors))


def assert_flawless(validator: ModuleType, *paths: Path) -> None:
    for path, issues in zip(paths, validator.validate(paths), strict=True):
        counts = [issues[f"num{kind}"] for kind in ("Errors", "Warnings", "Infos", "Hints")]
        assert counts == [0, 0, 0, 0], (path.name, issues["messages"][:5])


def test_one_character_and_a_crowd_are_flawless(validator, tmp_path):
    crowd = [swinging(seed, frames=20 + seed % 3) for seed in range(150)]
    write_glb(tmp_path / "one.glb", crowd[0])
    write_glb(tmp_path / "pose.glb", swinging(0, frames=1), floor=True)
    write_glb(tmp_path / "crowd.glb", crowd, floor=True)
    assert_flawless(validator, tmp_path / "one.glb", tmp_path / "pose.glb", tmp_path / "crowd.glb")


def test_nodes_without_bodies_are_valid(validator, tmp_path):
    write_glb(tmp_path / "bare.glb", swinging(1), body=False)
    (issues,) = validator.validate([tmp_path / "bare.glb"])
    assert (issues["numErrors"], issues["numWarnings"]) == (0, 0)


def test_the_validator_does_find_faults(validator, tmp_path):
    write_glb(tmp_path / "a.glb", swinging(1))
    data = (tmp_path / "a.glb").read_bytes()
    (tmp_path / "a.glb").write_bytes(data.replace(b'"count":30,', b'"count":31,', 1))
    (issues,) = validator.validate([tmp_path / "a.glb"])
    assert issues["numErrors"] > 0


def test_recordings_alone_and_as_a_crowd_are_flawless(validator, mocap, tmp_path):
    clip = read_clip(mocap / "cmu" / "bvh" / "16_12.bvh")
    many = read_clip(mocap / "other" / "anim_utils_mit" / "custom_skeleton_walk_example.bvh")
    write_glb(tmp_path / "one.glb", clip)
    write_glb(tmp_path / "other.glb", many)
    crowd = []
    for index in range(150):
        placement = Placement(2.0 * (index % 15), 2.0 * (index // 15), 0.1 * index)
        rotations = clip.rotations.copy()
        rotations[:, 0] = multiply(placement.quaternion(), rotations[:, 0])
        crowd.append(clip.with_changes(root_positions=placement.points(clip.root_positions), rotations=rotations))
    write_glb(tmp_path / "crowd.glb", crowd)
    assert_flawless(validator, tmp_path / "one.glb", tmp_path / "other.glb", tmp_path / "crowd.glb")
    # The crowd plays one clip, so all but the root's tracks are there once.
    assert (tmp_path / "crowd.glb").stat().st_size < 15 * (tmp_path / "one.glb").stat().st_size
