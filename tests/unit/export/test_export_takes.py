"""Whole takes in files: everybody at their time, and the scene around them."""

from __future__ import annotations

import json
import struct
from dataclasses import replace

import numpy as np
import pytest

from walkon.errors import ExportError
from walkon.export import export_take, write_glb, write_trajectories
from walkon.export.scenery import build_props
from walkon.motion import read_clip
from walkon.synthesis import perform_all
from walkon.take import Take


@pytest.fixture(scope="module")
def performances(little_take: Take):
    return perform_all(little_take)


def read_glb(path) -> tuple[dict, bytes]:
    data = path.read_bytes()
    length = struct.unpack("<I", data[12:16])[0]
    return json.loads(data[20 : 20 + length]), data[28 + length :]


def accessor(document: dict, binary: bytes, index: int) -> np.ndarray:
    entry = document["accessors"][index]
    view = document["bufferViews"][entry["bufferView"]]
    first = view["byteOffset"] + entry.get("byteOffset", 0)
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[entry["type"]]
    return np.frombuffer(binary, "<f4", entry["count"] * width, first).reshape(entry["count"], width)


def channel(document: dict, binary: bytes, name: str, path: str) -> tuple[np.ndarray, np.ndarray, str] | None:
    """Times, values and interpolation of what moves the node with that name."""
    animation = document["animations"][0]
    for one in animation["channels"]:
        if document["nodes"][one["target"]["node"]]["name"] == name and one["target"]["path"] == path:
            sampler = animation["samplers"][one["sampler"]]
            times = accessor(document, binary, sampler["input"])[:, 0]
            return times, accessor(document, binary, sampler["output"]), sampler.get("interpolation", "LINEAR")
    return None


def test_a_glb_shows_people_only_while_they_are_there(little_take, performances, tmp_path) -> None:
    export_take(little_take, tmp_path / "a.glb", performances=performances)
    document, binary = read_glb(tmp_path / "a.glb")
    fps, length = little_take.fps, len(performances[2].clip)
    assert channel(document, binary, "anna", "scale") is None
    times, values, kind = channel(document, binary, "ben", "scale")
    assert kind == "STEP"
    assert times * fps == pytest.approx([0, 12])
    assert values.tolist() == [[0, 0, 0], [1, 1, 1]]
    times, values, kind = channel(document, binary, "cleo", "scale")
    assert times * fps == pytest.approx([0, length])
    assert values.tolist() == [[1, 1, 1], [0, 0, 0]]


def test_tracks_in_a_glb_line_up_in_time(little_take, performances, tmp_path) -> None:
    export_take(little_take, tmp_path / "a.glb", performances=performances)
    document, binary = read_glb(tmp_path / "a.glb")
    hips = performances[0].clip.skeleton.names[0]
    names = [node["name"] for node in document["nodes"]]
    roots = [index for index, name in enumerate(names) if name == hips]
    animation = document["animations"][0]
    begins = {}
    for one in animation["channels"]:
        if one["target"]["node"] in roots and one["target"]["path"] == "translation":
            times = accessor(document, binary, animation["samplers"][one["sampler"]]["input"])[:, 0]
            begins[roots.index(one["target"]["node"])] = (times[0] * little_take.fps, len(times))
    expected = {k: (one.start_frame, len(one.clip)) for k, one in enumerate(performances)}
    assert {k: (pytest.approx(start), count) for k, (start, count) in expected.items()} == begins


def test_the_scene_is_in_the_glb_and_moves(little_take, performances, tmp_path) -> None:
    export_take(little_take, tmp_path / "a.glb", performances=performances)
    document, binary = read_glb(tmp_path / "a.glb")
    named = {node["name"]: node for node in document["nodes"]}
    assert {"ground", "wall", "beam", "rolling ball", "tree"} <= set(named)
    assert named["wall"]["translation"] == [3.0, 0.0, -2.0]
    times, places, _ = channel(document, binary, "rolling ball", "translation")
    ball = little_take.scene.obstacles[2]
    assert places == pytest.approx(ball.positions, abs=1e-6)
    assert times[1] == pytest.approx(1.0 / little_take.fps)
    assert channel(document, binary, "rolling ball", "rotation") is None
    assert channel(document, binary, "tree", "rotation") is not None
    export_take(little_take, tmp_path / "b.glb", performances=performances, scenery=False)
    assert "wall" not in {node["name"] for node in read_glb(tmp_path / "b.glb")[0]["nodes"]}


def test_props_keep_within_the_take(hilly_take) -> None:
    props = {prop.name: prop for prop in build_props(hilly_take.scene, 10)}
    assert len(props["rolling ball"].positions) == 10
    assert len(props["wall"].positions) == 1
    assert np.ptp(props["ground"].surface.points[:, 1]) > 1.0
    assert props["beam"].colour != props["wall"].colour


def test_usd_visibility_and_scenery(little_take, performances, tmp_path) -> None:
    pytest.importorskip("pxr", reason="needs the extra usd")
    from pxr import Usd, UsdGeom

    export_take(little_take, tmp_path / "a.usda", performances=performances)
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    assert stage.GetEndTimeCode() == little_take.frames - 1

    def shown(name: str, frame: float) -> bool:
        imageable = UsdGeom.Imageable(stage.GetPrimAtPath(f"/World/{name}"))
        return imageable.ComputeVisibility(frame) == "inherited"

    length = len(performances[2].clip)
    assert [shown("anna", t) for t in (0, 50)] == [True, True]
    assert [shown("ben", t) for t in (0, 11, 12, 60)] == [False, False, True, True]
    assert [shown("cleo", t) for t in (0, length - 1, length, length + 9)] == [True, True, False, False]
    times = stage.GetPrimAtPath("/World/ben/Motion").GetAttribute("rotations").GetTimeSamples()
    assert times[0] == 12.0
    ball = UsdGeom.Xformable(stage.GetPrimAtPath("/World/Scenery/rolling_ball"))
    for frame in (0, 17, 39):
        place = ball.ComputeLocalToWorldTransform(frame).ExtractTranslation()
        assert tuple(place) == pytest.approx(tuple(little_take.scene.obstacles[2].positions[frame]), abs=1e-6)


def test_rows_only_while_somebody_is_there(little_take, performances, tmp_path) -> None:
    export_take(little_take, tmp_path / "a.csv", performances=performances)
    rows = np.loadtxt(tmp_path / "a.csv", comments="#")
    for index, one in enumerate(performances):
        frames = rows[rows[:, 0] == index][:, 1]
        assert frames.tolist() == list(range(one.start_frame, one.start_frame + len(one.clip)))
    assert "# character 1: ben" in (tmp_path / "a.csv").read_text()


def test_rows_at_another_rate_stay_in_step(performances, tmp_path) -> None:
    clips, starts = [one.clip for one in performances], [one.start_frame for one in performances]
    write_trajectories(tmp_path / "a.csv", clips, starts=starts, fps=12.0)
    rows = np.loadtxt(tmp_path / "a.csv", comments="#")
    ben = rows[rows[:, 0] == 1]
    assert ben[0, 1] == 5  # frame 12 of 30 Hz is 0.4 s: row 4.8 of 12 Hz
    at = ben[0, 1] / 12.0 * 30.0 - 12
    track = clips[1].root_positions
    assert ben[0, 2] == pytest.approx(np.interp(at, np.arange(len(track)), track[:, 0]), abs=1e-4)


def test_each_character_has_a_bvh_of_its_own(little_take, performances, tmp_path) -> None:
    files = export_take(little_take, tmp_path / "out.bvh", performances=performances)
    assert [file.relative_to(tmp_path).as_posix() for file in files] == [
        "out/anna.bvh",
        "out/ben.bvh",
        "out/cleo.bvh",
    ]
    assert len(read_clip(files[1])) == len(performances[1].clip)
    alone = replace(little_take, roles=little_take.roles[:1])
    assert export_take(alone, tmp_path / "one.clip") == [tmp_path / "one.clip"]


def test_names_that_are_no_file_names_stay_in_the_folder(little_take, performances, tmp_path) -> None:
    odd = [replace(one, character=name) for one, name in zip(performances, ("../a", "a", "//"), strict=True)]
    files = export_take(little_take, tmp_path / "out.clip", performances=odd)
    assert {file.parent for file in files} == {tmp_path / "out"}
    assert len(set(files)) == 3


def test_refusals(little_take, performances, tmp_path) -> None:
    with pytest.raises(ExportError, match="valid suffixes"):
        export_take(little_take, tmp_path / "a.doc")
    with pytest.raises(ExportError, match="nobody"):
        export_take(replace(little_take, roles=()), tmp_path / "a.glb")
    with pytest.raises(ExportError, match="start frames"):
        write_glb(tmp_path / "a.glb", [performances[0].clip], starts=[0, 1])
    assert not list(tmp_path.iterdir())
