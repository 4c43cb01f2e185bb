"""The second opinion on GLB files: honest takes pass, and whatever is done to their files is found."""

from __future__ import annotations

import ast
import json
import struct
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from walkon.directing import plan_scene
from walkon.export import export_take
from walkon.world import read_scene

TOOLS = Path(__file__).resolve().parents[3] / "tools"
SCENE = """bounds = [-4, -3, 4, 3]
[terrain]
hills = [{{ at = [0, 0], height = {height}, radius = 4 }}]
[[characters]]
name = "ann"
start = [-2, -0.9]
goal = [1.5, -0.9]
[[characters]]
name = "bob"
start = [2, 0.9]
goal = [-1.5, 0.9]
"""


@pytest.fixture(scope="module")
def checking():
    """The tool, and the path as it was afterwards."""
    before = list(sys.path)
    sys.path.insert(0, str(TOOLS))
    try:
        import check_glb
    finally:
        sys.path[:] = before
    return check_glb


def export_scene(folder: Path, height: float) -> Path:
    """Two people who pass each other, over a hill of this height."""
    take = plan_scene(read_scene(SCENE.format(height=height)))
    assert len(take.roles) == 2
    export_take(take, folder / "honest.glb")
    return folder / "honest.glb"


@pytest.fixture(scope="module")
def honest(tmp_path_factory) -> Path:
    """On level ground."""
    return export_scene(tmp_path_factory.mktemp("glb"), 0.0)


def forged(path: Path, change: Callable[[dict, bytearray], None]) -> Path:
    """The file with its document, or its numbers, changed."""
    data = path.read_bytes()
    (length,) = struct.unpack("<I", data[12:16])
    document, binary = json.loads(data[20 : 20 + length]), bytearray(data[20 + length + 8 :])
    change(document, binary)
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    out = path.with_name("forged.glb")
    out.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    return out


def moved(name: str, x: float, y: float, z: float):
    def change(document: dict, _: bytearray) -> None:
        next(node for node in document["nodes"] if node["name"] == name)["translation"] = [x, y, z]

    return change


def hips_of(document: dict, binary: bytearray, name: str) -> np.ndarray:
    """Somebody's root positions (F, 3), to be written to."""
    joint = next(node for node in document["nodes"] if node["name"] == name)["children"][0]
    animation = document["animations"][0]
    (channel,) = (one for one in animation["channels"] if one["target"] == {"node": joint, "path": "translation"})
    accessor = document["accessors"][animation["samplers"][channel["sampler"]]["output"]]
    view = document["bufferViews"][accessor["bufferView"]]
    begin, stride = view.get("byteOffset", 0) + accessor.get("byteOffset", 0), view.get("byteStride", 12)
    return np.ndarray((accessor["count"], 3), "<f4", binary, begin, (stride, 4))


def teleported(document: dict, binary: bytearray) -> None:
    hips_of(document, binary, "ann")[60:, 0] += 0.3


def skating(document: dict, binary: bytearray) -> None:
    hips = hips_of(document, binary, "bob")
    hips[:, 0] += 0.006 * np.arange(len(hips))  # 0.18 m/s


def shaking(document: dict, binary: bytearray) -> None:
    hips_of(document, binary, "bob")[50, 1] += 0.25


def kinds(checking, path: Path) -> set[str]:
    return {finding.kind for finding in checking.check(path)}


def test_an_honest_take_is_clean(checking, honest, capsys):
    assert checking.check(honest) == []
    assert checking.main([str(honest)]) == 0
    assert "0 findings" in capsys.readouterr().out


def test_so_is_one_on_a_hill_unless_somebody_wades_in_it(checking, tmp_path):
    path = export_scene(tmp_path, 0.5)
    assert checking.check(path) == []
    assert kinds(checking, forged(path, moved("ann", 0.0, -0.05, 0.0))) == {"sunk"}


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (moved("ann", 0.0, -0.05, 0.0), "sunk"),
        (moved("ann", 0.0, 0.0, 1.8), "touch"),
        (moved("bob", 0.0, 0.0, -1.5), "touch"),
        (teleported, "jerk"),
        (shaking, "jerk"),
        (skating, "slide"),
    ],
)
def test_what_is_done_to_a_file_is_found(checking, honest, change, kind, capsys):
    path = forged(honest, change)
    assert kind in kinds(checking, path)
    assert checking.main([str(path), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)[str(path)]
    assert any(one["kind"] == kind and one["amount"] > 0.0 for one in told)


def test_a_forgery_that_changes_nothing_is_clean(checking, honest):
    assert checking.check(forged(honest, moved("ann", 0.0, 0.0, 0.0))) == []


def test_distances_of_segments_are_those_of_a_fine_search(checking):
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=(2, 40, 2, 3))
    shares = np.linspace(0.0, 1.0, 201)[:, None]
    for one, other, found in zip(a, b, checking._distances(a, b), strict=True):
        points = [ends[0] + shares * (ends[1] - ends[0]) for ends in (one, other)]
        fine = np.linalg.norm(points[0][:, None] - points[1][None], axis=2).min()
        assert found == pytest.approx(fine, abs=0.02)
        assert found <= fine + 1e-9


@pytest.mark.parametrize("cut", [0, 11, 40, 4000])
def test_half_a_file_is_one_line_of_error(checking, honest, tmp_path, cut, capsys):
    path = tmp_path / "half.glb"
    path.write_bytes(honest.read_bytes()[:cut])
    assert checking.main([str(path)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_it_reads_nothing_of_ours():
    for file in ("check_glb.py", "glb_motion.py"):
        imports = [node for node in ast.walk(ast.parse((TOOLS / file).read_text())) if hasattr(node, "names")]
        names = {getattr(node, "module", None) or node.names[0].name for node in imports}
        assert not {name for name in names if name.startswith("walkon")}
