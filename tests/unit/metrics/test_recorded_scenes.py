"""Recordings become scenes with the same people: where and when they start, where they go, how fast they are."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from typer.testing import CliRunner

from walkon.cli.app import app
from walkon.errors import TrajectoryError
from walkon.metrics import Trajectories
from walkon.metrics.trajectories import scene_of
from walkon.world import read_scene, scene_text


def line(start, goal, speed, fps=25.0, stands=0.0):
    """Somebody who stands, then walks straight."""
    start, goal = np.array(start, float), np.array(goal, float)
    walk = np.arange(0.0, 1.0, speed / fps / np.hypot(*(goal - start)))
    return np.concatenate([np.repeat(start[None], round(stands * fps), 0), start + walk[:, None] * (goal - start)])


def test_people_start_and_go_where_and_when_they_did_and_as_fast():
    paths = [line((0, 0), (8, 0), 1.5), line((8, 3), (0, 3), 0.8, stands=4.0)]
    recorded = Trajectories.build(25.0, paths, names=["7", "8"], starts=[100, 150])
    found = scene_of(recorded, margin=2.0)
    first, second = found.scene.characters
    assert (first.name, second.name) == ("7", "8")
    assert (first.start_time, second.start_time) == (0.0, pytest.approx(2.0, abs=0.1))
    assert (first.start.x, first.start.z) == (0.0, 0.0)
    assert math.degrees(first.start.heading) == pytest.approx(90.0)
    assert math.degrees(second.start.heading) == pytest.approx(-90.0)
    assert first.goals[0].x == pytest.approx(8.0, abs=0.2)
    assert first.speed == pytest.approx(1.5, abs=0.03)
    assert second.speed == pytest.approx(0.8, abs=0.03)
    assert (first.premovement, second.premovement) == (0.0, pytest.approx(4.0, abs=0.4))
    assert {one.at_goal for one in found.scene.characters} == {"leave"}
    assert found.scene.bounds == pytest.approx((-2.0, -2.0, 10.0, 5.0), abs=0.11)
    assert not found.delayed
    again = read_scene(scene_text(found.scene))
    assert [one.goals for one in again.characters] == [one.goals for one in found.scene.characters]


def test_whoever_would_start_in_somebody_is_delayed_until_that_one_has_gone_on():
    together = [line((0, 0), (8, 0), 1.0), line((0, 0.3), (8, 0.3), 1.0), line((5, 0.2), (5, 6), 1.0)]
    found = scene_of(Trajectories.build(25.0, together, starts=[0, 0, 125]))
    late = dict(found.delayed)
    assert 1.0 <= late["1"] < 1.3  # they start within a second of each other otherwise
    assert 0.5 <= late["2"] < 2.5  # both come by where it starts, at 5 s and later
    read_scene(scene_text(found.scene))


def test_who_only_stands_does_so_for_its_time_and_in_whose_place_nobody_can_start_is_left_out():
    still = np.repeat([[2.0, 2.0]], 3000, 0) + 0.02 * np.sin(np.arange(3000))[:, None]
    found = scene_of(Trajectories.build(25.0, [still, line((2, 2.1), (7, 2), 1.0)], starts=[0, 50]))
    (stander,) = found.scene.characters
    assert (found.standing, found.left_out) == (("0",), ("1",))
    assert stander.premovement == pytest.approx(120.0, abs=0.2)
    assert stander.speed is None


def test_a_part_of_a_recording():
    paths = [line((0, z), (8, z), 1.0) for z in range(5)]
    recorded = Trajectories.build(25.0, paths, starts=[0, 250, 500, 750, 1000])
    found = scene_of(recorded, since=10.0, until=30.0)
    assert [one.name for one in found.scene.characters] == ["1", "2"]
    assert found.scene.characters[0].start_time == 0.0
    for wrong in ({"since": 100.0}, {"since": 5.0, "until": 4.0}, {"margin": -1.0}):
        with pytest.raises(TrajectoryError):
            scene_of(recorded, **wrong)
    with pytest.raises(TrajectoryError, match="is the unit metres"):
        scene_of(Trajectories.build(25.0, [line((0, 0), (5000, 0), 100.0)]))


def test_names_that_no_scene_may_have_are_made_so_that_it_may():
    recorded = Trajectories.build(25.0, [line((0, z), (8, z), 1.0) for z in range(3)], names=["a/b", "ab", "\x00"])
    found = scene_of(recorded).scene
    assert len({one.name for one in found.characters}) == 3
    read_scene(scene_text(found))


def test_the_command_writes_a_scene_and_says_what_it_did(tmp_path):
    rows = [(who, frame, 100.0 * frame / 10, 100.0 * z) for who, z in ((1, 0.0), (2, 0.2)) for frame in range(60)]
    (tmp_path / "walk.txt").write_text(
        "# framerate: 10\n" + "".join(f"{who} {frame} {x:.1f} {z:.1f}\n" for who, frame, x, z in rows)
    )
    command = ["scene", "from", str(tmp_path / "walk.txt"), "-o", str(tmp_path / "walk.toml"), "--unit", "cm"]
    result = CliRunner().invoke(app, [*command, "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["characters"] == 2
    assert list(found["delayed"]) == ["2"]
    assert len(read_scene(tmp_path / "walk.toml").characters) == 2
    assert CliRunner().invoke(app, command).exit_code == 1  # it is there
    result = CliRunner().invoke(app, [*command, "--force"])
    assert "1 appear later than recorded" in result.output
    (tmp_path / "h.txt").write_text("1 0\n0 1\n")
    assert CliRunner().invoke(app, [*command, "--force", "--homography", str(tmp_path / "h.txt")]).exit_code == 2
