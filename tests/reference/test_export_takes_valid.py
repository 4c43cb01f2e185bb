"""The validators of glTF and USD read whole takes and find nothing to say."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.builtin import make
from walkon.export import write_glb
from walkon.export.scenery import build_props
from walkon.export.usd import write_usd
from walkon.rotations import from_axis_angle
from walkon.world import Box, Capsule, Cylinder, HeightField, Mesh, Obstacle, Polygon, Scene, Sphere

TOOL = Path(__file__).resolve().parents[2] / "tools" / "gltf_validator.py"
FRAMES = 90


@pytest.fixture(scope="module")
def content() -> dict:
    """A walk early, in the middle and late, among one of every shape, half of them moving."""
    walk = make("walk")
    ball = Sphere(0.5).surface(8)
    shapes = [
        Box(1.0, 1.0, 1.0),
        Cylinder(0.5, 1.0),
        Sphere(0.5),
        Capsule(0.2, 1.0),
        Polygon(np.array([(0.0, 0.0), (1.0, 0.0), (0.2, 0.2), (0.0, 1.0)]), 0.5),
        Mesh(ball.points, ball.triangles),
    ]
    obstacles = []
    for index, shape in enumerate(shapes):
        count = 1 if index % 2 else 60
        turns = from_axis_angle(np.array([0.0, 1.0, 0.0]), np.linspace(0.0, 7.0, count))
        places = np.stack([np.full(count, 2.0 * index), np.zeros(count), np.linspace(0.0, 1.0, count)], axis=1)
        obstacles.append(Obstacle(f"thing {index}", shape, places, turns))
    x, z = np.meshgrid(np.arange(20.0), np.arange(10.0))
    terrain = HeightField(-3.0, -3.0, 1.0, 0.2 * np.sin(x) * np.cos(z))
    scene = Scene("all", (-3.0, -3.0, 12.0, 5.0), terrain, tuple(obstacles))
    return {
        "clips": [walk, walk, walk],
        "starts": [0, 10, FRAMES - len(walk)],
        "frames": FRAMES,
        "props": build_props(scene, FRAMES),
    }


def test_a_take_as_glb_is_flawless(content, tmp_path) -> None:
    spec = importlib.util.spec_from_file_location("gltf_validator", TOOL)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    try:
        tool.install()
    except tool.ValidatorUnavailableError as error:
        pytest.skip(f"GLB FILES ARE NOT VALIDATED: {error}")
    write_glb(tmp_path / "a.glb", **content)
    (issues,) = tool.validate([tmp_path / "a.glb"])
    counts = [issues[f"num{kind}"] for kind in ("Errors", "Warnings", "Infos", "Hints")]
    assert counts == [0, 0, 0, 0], issues["messages"][:5]


def test_a_take_as_usd_is_valid(content, tmp_path) -> None:
    pytest.importorskip("pxr", reason="needs the extra usd: pip install 'walkon[usd]'")
    from pxr import Usd, UsdValidation

    write_usd(tmp_path / "a.usdc", **content)
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    errors = UsdValidation.ValidationContext(validators).Validate(Usd.Stage.Open(str(tmp_path / "a.usdc")))
    assert [f"{error.GetName()}: {error.GetMessage()}" for error in errors] == []
