"""The command line, from the outside: what it prints, writes and returns."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from walkon import read_clip
from walkon.builtin import human_skeleton, make
from walkon.cli.app import app
from walkon.errors import ClipError
from walkon.export import write_clips
from walkon.motion import Clip, find_contacts, mirror


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two good clips and one that is no clip."""
    folder = tmp_path_factory.mktemp("clips")
    write_clips(folder / "walk.bvh", [make("walk")])
    write_clips(folder / "jump.clip", [make("jump")])
    return folder


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_clips_as_json_tells_what_is_there(folder):
    result = run("clips", folder, "--json")
    assert result.exit_code == 0, result.output
    rows = {row["name"]: row for row in json.loads(result.stdout)}
    walk = make("walk")
    assert set(rows) == {"walk", "jump"}
    assert rows["walk"]["frames"] == len(walk)
    assert rows["walk"]["fps"] == pytest.approx(walk.fps)
    assert rows["walk"]["joints"] == int(np.sum(~walk.skeleton.tips))
    assert rows["walk"]["speed"] == pytest.approx(1.35, abs=0.1)
    assert rows["walk"]["height"] == pytest.approx(1.75, abs=0.15)
    assert rows["walk"]["problems"] == []
    planted = find_contacts(read_clip(folder / "walk.bvh")).planted.astype(int)
    assert rows["walk"]["contacts"] == np.sum(np.diff(planted, axis=0, prepend=0) > 0) > 4


def test_clips_as_a_table_has_a_row_for_each(folder):
    result = run("clips", folder)
    assert result.exit_code == 0
    assert "2 clips" in result.stdout
    assert "walk" in result.stdout
    assert "jump" in result.stdout


def test_a_file_that_cannot_be_read_is_named_and_the_others_still_listed(folder, tmp_path):
    broken = tmp_path / "broken.bvh"
    broken.write_text("HIERARCHY\nROOT\n")
    result = run("clips", folder / "walk.bvh", broken, "--json")
    assert result.exit_code == 1
    assert [row["name"] for row in json.loads(result.stdout)] == ["walk"]
    assert "broken.bvh:" in result.stderr


def test_strict_does_not_accept_problems(tmp_path):
    clip = make("walk")
    spoilt = np.array(clip.root_positions)
    spoilt[:2] += [3.0, 2.0, 0.0]
    write_clips(tmp_path / "spoilt.clip", [clip.with_changes(root_positions=spoilt)])
    assert run("clips", tmp_path, "--json").exit_code == 0
    assert run("clips", tmp_path, "--json", "--strict").exit_code == 3


@pytest.mark.parametrize("suffix", ["bvh", "glb", "usda", "csv", "clip"])
def test_convert_writes_every_format(folder, tmp_path, suffix):
    result = run("convert", folder / "walk.bvh", tmp_path / f"out.{suffix}")
    assert result.exit_code == 0, result.output
    assert (tmp_path / f"out.{suffix}").stat().st_size > 100


def test_convert_edits_on_the_way(folder, tmp_path):
    out = tmp_path / "short.clip"
    result = run("convert", folder / "walk.bvh", out, "--start", 0.2, "--stop", 0.7, "--fps", 60, "--mirror")
    assert result.exit_code == 0, result.output
    clip = read_clip(out)
    assert clip.fps == 60
    assert clip.duration == pytest.approx(0.5, abs=0.02)


def test_convert_mirrors(folder, tmp_path):
    assert run("convert", folder / "jump.clip", tmp_path / "m.clip", "--mirror").exit_code == 0
    mirrored = mirror(read_clip(folder / "jump.clip"))
    np.testing.assert_array_equal(read_clip(tmp_path / "m.clip").rotations, mirrored.rotations)


def test_convert_retargets_to_the_skeleton_of_another_file(folder, tmp_path):
    small = human_skeleton(1.2)
    pose = Clip("pose", small, 30.0, np.zeros((2, 3)), np.tile([1.0, 0, 0, 0], (2, len(small), 1)))
    write_clips(tmp_path / "small.clip", [pose])
    out = tmp_path / "out.clip"
    result = run("convert", folder / "jump.clip", out, "--skeleton", tmp_path / "small.clip")
    assert result.exit_code == 0, result.output
    assert read_clip(out).skeleton.matches(small)


@pytest.mark.parametrize("command", ["clips", "convert"])
def test_units_may_be_a_factor(folder, tmp_path, command):
    out = tmp_path / "out.clip"
    last = "--json" if command == "clips" else out
    result = run(command, folder / "walk.bvh", last, "--units", "0.5")
    assert result.exit_code == 0, result.output
    if command == "clips":
        assert json.loads(result.stdout)[0]["unit"] == 0.5
    else:
        assert read_clip(out).skeleton.size == pytest.approx(0.5 * make("walk").skeleton.size, rel=1e-5)


def test_convert_a_folder_to_a_folder(folder, tmp_path):
    assert run("convert", folder, tmp_path / "all", "--to", "bvh").exit_code == 0
    assert sorted(file.name for file in (tmp_path / "all").iterdir()) == ["jump.bvh", "walk.bvh"]


def test_convert_says_which_formats_there_are(folder, tmp_path):
    result = run("convert", folder / "walk.bvh", tmp_path / "out.fbx")
    assert result.exit_code == 1
    assert ".glb" in str(result.exception)
    assert not list(tmp_path.iterdir())


def test_a_stretch_outside_the_clip_is_an_error(folder, tmp_path):
    result = run("convert", folder / "walk.bvh", tmp_path / "o.bvh", "--start", 99)
    assert result.exit_code == 1
    assert isinstance(result.exception, ClipError)


@pytest.mark.parametrize("arguments", [["--sheet", "--poses", "4"], ["--time", "0.4"]])
def test_render_a_picture(tmp_path, arguments):
    from PIL import Image

    out = tmp_path / "walk.png"
    result = run("render", "builtin:walk", out, "--size", "320x180", *arguments)
    assert result.exit_code == 0, result.output
    assert len(Image.open(out).convert("RGB").getcolors(maxcolors=1 << 20) or []) > 50


def test_render_refuses_what_it_cannot_draw(tmp_path):
    assert run("render", "builtin:walk", tmp_path / "walk.jpeg").exit_code == 2
    assert run("render", "builtin:walk", tmp_path / "walk.png", "--size", "big").exit_code == 2
    assert run("render", "builtin:walk").exit_code == 2


def test_an_unknown_builtin_lists_the_known_ones(tmp_path):
    result = run("render", "builtin:moonwalk", tmp_path / "walk.png")
    assert result.exit_code == 1
    assert "walk" in str(result.exception)


def test_bench_lists_its_names():
    result = run("bench", "--list")
    assert result.exit_code == 0
    assert "motion" in result.stdout.split()
    assert run("bench", "nothing").exit_code == 2
