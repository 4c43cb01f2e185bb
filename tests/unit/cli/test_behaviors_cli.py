"""`walkon behaviors`, from the outside."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from walkon.behaviors import read_library
from walkon.builtin.casts import fetch_library
from walkon.cli.app import app
from walkon.motion import Clip, place, placement_at, write_clip_file
from walkon.rotations import Placement

RIDE = "wait start glide carve_left_20 glide push glide carve_right_20 glide duck glide jump glide stop wait"


def run(*arguments):
    return CliRunner().invoke(app, ["behaviors", *(str(argument) for argument in arguments)])


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    """A folder with a rider's take, and another file that is none."""
    cast = fetch_library("skateboarder")
    here, roots, rotations = Placement(), [], []
    for name in RIDE.split():
        shown = cast[name].clips[0]
        moved = place(shown.clip, here @ placement_at(shown.clip, shown.first).inverse())
        roots.append(moved.root_positions[shown.first : shown.last])
        rotations.append(moved.rotations[shown.first : shown.last])
        here = placement_at(moved, shown.last)
    folder = tmp_path_factory.mktemp("takes")
    take = Clip.build("ride", cast.skeleton, cast.fps, np.concatenate(roots), np.concatenate(rotations))
    write_clip_file(folder / "ride.clip", take)
    write_clip_file(folder / "other.clip", take.with_changes(name="other"))
    return folder


def test_recordings_of_one_name_are_told_apart_and_named(recordings, tmp_path, capsys):
    from walkon.cli._sources import read_recordings

    for folder in "ab":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ride.clip").write_bytes((recordings / "ride.clip").read_bytes())
    clips, failures = read_recordings([tmp_path], [])
    assert ([clip.name for clip in clips], failures) == (["ride", "ride_2"], 0)
    (line,) = capsys.readouterr().err.splitlines()
    assert str(tmp_path / "b" / "ride.clip") in line
    assert str(tmp_path / "a" / "ride.clip") in line


def test_build_writes_a_library_that_show_lists_and_draws(recordings, tmp_path):
    result = run("build", recordings, "-o", tmp_path / "rider", "--only", "ride", "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    library = read_library(tmp_path / "rider")
    assert told["library"] == library.name == "rider"
    assert [row["behavior"] for row in told["behaviors"]] == [behavior.name for behavior in library]
    assert {"glide", "stand"} <= set(library.poses)
    assert {"jump_over", "duck_under", "wait", "transition"} <= {behavior.kind for behavior in library}
    assert told["report"]["recordings"] == 1
    shown = run("show", tmp_path / "rider", "--svg", tmp_path / "rider.svg")
    assert shown.exit_code == 0, shown.output
    assert all(behavior.name in shown.stdout for behavior in library)
    assert (tmp_path / "rider.svg").read_text().startswith("<svg")


def test_the_report_is_readable(recordings, tmp_path):
    result = run("build", recordings / "ride.clip", "-o", tmp_path / "rider", "--name", "tony", "--no-mirror")
    assert result.exit_code == 0, result.output
    assert "tony" in result.stdout
    assert "pose glide" in result.stdout
    assert "seams as recorded" in result.stdout
    assert "mirror" not in result.stdout


def test_show_takes_a_cast_and_prints_json():
    result = run("show", "horse", "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["poses"] == ["gallop"]
    rows = {row["behavior"]: row for row in told["behaviors"]}
    assert rows["gallop_left_35"]["turn_degrees"] == pytest.approx(35.0, abs=3.0)
    assert sorted(rows["gallop_forward"]["followers"]) == sorted(rows)


def test_unreadable_files_are_named_and_the_rest_is_used(recordings, tmp_path):
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "ride.clip").write_bytes((recordings / "ride.clip").read_bytes())
    (folder / "broken.bvh").write_text("HIERARCHY\nnonsense\n")
    result = run("build", folder, "-o", tmp_path / "rider")
    assert result.exit_code == 1
    assert "broken.bvh" in result.output
    assert (tmp_path / "rider" / "library.toml").exists()


@pytest.mark.parametrize("arguments", [("show", "nobody"), ("build", ".", "-o", "x", "--only", "no_such_*")])
def test_what_is_not_there_is_said(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 1
    assert result.exception is not None


def test_show_lists_what_only_live_crowds_do_and_draws_what_planners_know(tmp_path):
    shown = run("show", "human", "--json", "--svg", tmp_path / "human.svg")
    assert shown.exit_code == 0, shown.output
    names = {row["behavior"]: row["kind"] for row in json.loads(shown.stdout)["behaviors"]}
    assert names["amble_step_on_left"] == "step"
    assert "amble" not in (tmp_path / "human.svg").read_text()
