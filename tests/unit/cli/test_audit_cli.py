"""`walkon audit`, from the outside."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from walkon.builtin import make
from walkon.cli.app import app
from walkon.motion import ground_placements
from walkon.render.palette import ALARM
from walkon.render.violation_pictures import PICTURE_SIZE
from walkon.rotations import Placement
from walkon.take import Role, Take, TakeClip, write_take
from walkon.world import Character, Goal, Scene, flat_terrain, write_scene

BOUNDS = (-9.0, -9.0, 9.0, 9.0)


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def take():
    """Somebody who walks one clip and leaves."""
    clip = make("walk")
    shown = TakeClip(clip, 8, "walk", "locomotion", "walk", "walk", "human")
    places = ground_placements(clip)
    start, end = Placement(*places[8]), places[len(clip) - 9]
    person = Character("Ann", start, (Goal(float(end[0]), float(end[1])),), at_goal="leave")
    scene = Scene("street", BOUNDS, flat_terrain(BOUNDS), (), (person,))
    role = Role("Ann", [0], [0], [[start.x, start.z, start.heading]], shown.duration, leaves=True)
    return Take(scene, clip.fps, shown.duration + 1, (shown,), (role,))


def test_a_clean_take(take, tmp_path):
    write_take(take, tmp_path / "good.take")
    done = run("audit", tmp_path / "good.take")
    assert done.exit_code == 0, done.output
    assert "clean: no violations" in done.output
    assert json.loads(run("audit", tmp_path / "good.take", "--json").output)["clean"] is True


def test_a_take_with_violations_exits_with_1(take, tmp_path):
    narrow = replace(take, scene=replace(take.scene, bounds=(-0.1, -9.0, 0.1, 9.0)))
    write_take(narrow, tmp_path / "bad.take")
    done = run("audit", tmp_path / "bad.take")
    assert done.exit_code == 1
    assert "the body sticks out" in done.output
    done = run("audit", tmp_path / "bad.take", "--json")
    assert done.exit_code == 1
    assert json.loads(done.output)["violations"][0]["kind"] == "bounds"


def test_what_cannot_be_read_exits_with_2(tmp_path):
    (tmp_path / "no.take").write_bytes(np.arange(40, dtype=np.uint8).tobytes())
    assert run("audit", tmp_path / "no.take").exit_code == 2
    assert run("audit", tmp_path / "missing.take").exit_code == 2


def test_a_take_in_which_nobody_is_exits_with_1(take, tmp_path):
    empty = replace(take, clips=(), roles=(), unplanned=(("Ann", "the goal lies behind a wall"),))
    write_take(empty, tmp_path / "empty.take")
    done = run("audit", tmp_path / "empty.take")
    assert done.exit_code == 1
    assert "the goal lies behind a wall" in done.output
    assert "0 of 1 person are in it; not Ann" in done.output
    assert "clean" not in done.output


def test_who_is_missing_is_named_and_no_violation(take, tmp_path):
    ben = replace(take.scene.characters[0], name="Ben")
    scene = replace(take.scene, characters=(*take.scene.characters, ben))
    write_take(replace(take, scene=scene, unplanned=(("Ben", "no way"),)), tmp_path / "some.take")
    done = run("audit", tmp_path / "some.take")
    assert done.exit_code == 0
    assert "1 of 2 people are in it; not Ben" in done.output


def test_every_kind_has_a_verdict_and_a_picture_of_its_worst_moment(take, tmp_path):
    narrow = replace(take, scene=replace(take.scene, bounds=(-0.1, -9.0, 0.1, 9.0)))
    write_take(narrow, tmp_path / "bad.take")
    done = run("audit", tmp_path / "bad.take", "--pictures", tmp_path / "pictures")
    assert done.exit_code == 1
    assert "1 × bounds: part of somebody's body leaves the scene" in done.output
    assert "it is: Ann at " in done.output
    assert [path.name for path in (tmp_path / "pictures").iterdir()] == ["bounds.png"]
    with Image.open(tmp_path / "pictures" / "bounds.png") as image:
        assert image.width == PICTURE_SIZE[0]
        assert image.height > PICTURE_SIZE[1]
        drawn = np.asarray(image)[-PICTURE_SIZE[1] :]
    assert (drawn == ALARM).all(axis=2).sum() > 200, "somebody is marked"


def test_the_scene_that_was_asked_for(take, tmp_path):
    write_take(take, tmp_path / "good.take")
    write_scene(take.scene, tmp_path / "asked.toml")
    assert run("audit", tmp_path / "good.take", "--scene", tmp_path / "asked.toml").exit_code == 0
    write_scene(replace(take.scene, bounds=(-5.0, -5.0, 5.0, 5.0)), tmp_path / "other.toml")
    done = run("audit", tmp_path / "good.take", "--scene", tmp_path / "other.toml")
    assert done.exit_code == 1
    assert "the bounds of the scene are not those that were asked for" in done.output
    assert run("audit", tmp_path / "good.take", "--scene", tmp_path / "none.toml").exit_code == 2
