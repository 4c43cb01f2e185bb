"""`walkon audit`, from the outside."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from walkon.builtin import make
from walkon.cli.app import app
from walkon.motion import ground_placements
from walkon.rotations import Placement
from walkon.take import Role, Take, TakeClip, write_take
from walkon.world import Character, Goal, Scene, flat_terrain

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
    assert "circle sticks out" in done.output
    done = run("audit", tmp_path / "bad.take", "--json")
    assert done.exit_code == 1
    assert json.loads(done.output)["violations"][0]["kind"] == "bounds"


def test_what_cannot_be_read_exits_with_2(tmp_path):
    (tmp_path / "no.take").write_bytes(np.arange(40, dtype=np.uint8).tobytes())
    assert run("audit", tmp_path / "no.take").exit_code == 2
    assert run("audit", tmp_path / "missing.take").exit_code == 2
