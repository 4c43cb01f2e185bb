"""`walkon plan`: a scene file becomes a take, and whatever is wrong is said with name and place."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from walkon.cli.app import app
from walkon.errors import WalkonError
from walkon.metrics import audit
from walkon.take import read_take
from walkon.trees import planner
from walkon.world import BODY_LEVELS, read_scene

ROOM = """
bounds = [-6, -6, 6, 6]
duration = 40
[[obstacles]]
name = "table"
shape = "box"
at = [0, 0]
width = 1.5
depth = 1.0
height = 0.8
[[characters]]
name = "anna"
start = [-4, 0]
goal = [4, 0.5]
"""
BEN = """
[[characters]]
name = "ben"
start = [4, -3]
goal = [-4, -3]
"""
EVE = """
[[characters]]
name = "eve"
start = [-4, 0.2]
goal = [4, 3]
"""
PEN = "".join(
    f"""
[[obstacles]]
name = "fence {number}"
shape = "box"
at = [{x}, {z}]
width = {width}
depth = {depth}
height = 1.5
"""
    for number, (x, z, width, depth) in enumerate(
        [(4, 2.4, 3.4, 0.4), (4, -1.4, 3.4, 0.4), (2.5, 0.5, 0.4, 4), (5.5, 0.5, 0.4, 4)]
    )
)


def run(*arguments: object):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def complaint(scene: Path, out: Path) -> str:
    """What the command says when it gives up."""
    result = run("plan", scene, "-o", out)
    assert result.exit_code != 0
    assert isinstance(result.exception, WalkonError), result.exception
    return str(result.exception)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "scene.toml"
    path.write_text(text)
    return path


def test_bodies_are_seen_at_the_level_that_was_asked_for(tmp_path):
    scene, out = written(tmp_path, 'bodies = "one-circle"\n' + ROOM), tmp_path / "room.take"
    for asked, level in ((["--bodies", "circle"], "circle"), ([], "one-circle")):
        result = run("plan", scene, "-o", out, "--json", *asked)
        assert result.exit_code == 0, result.output
        assert json.loads(result.stdout)["bodies"] == read_take(out).scene.bodies == level
    assert audit(read_take(out), scene=replace(read_scene(scene), bodies="body")).clean, "no other scene"
    wrong = run("plan", scene, "-o", out, "--bodies", "disc")
    assert wrong.exit_code == 2
    assert "there are: one-circle, circle, outline, body" in " ".join(wrong.stderr.split())
    listed = run("plan", "--bodies", "list")
    assert listed.exit_code == 0
    assert [line.split()[0] for line in listed.stdout.splitlines()] == list(BODY_LEVELS)


def test_a_scene_becomes_a_take_the_audit_accepts(tmp_path):
    scene, out = written(tmp_path, ROOM + BEN), tmp_path / "room.take"
    result = run("plan", scene, "-o", out, "--overview", tmp_path / "room.png", "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["planned"], told["characters"], told["unplanned"]) == (2, 2, {})
    take = read_take(out)
    assert [role.character for role in take.roles] == ["anna", "ben"]
    assert audit(take).clean
    assert (tmp_path / "room.png").stat().st_size > 10_000


def test_the_same_seed_gives_the_same_bytes_and_another_another_take(tmp_path):
    scene = written(tmp_path, ROOM + BEN)
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        assert run("plan", scene, "-o", tmp_path / f"{name}.take", "--seed", seed).exit_code == 0
    a, b, c = ((tmp_path / f"{name}.take").read_bytes() for name in "abc")
    assert a == b
    assert a != c


@pytest.mark.parametrize("name", ["astar", "inflated", "truncated", "anytime"])
def test_every_planner_gets_there(tmp_path, name):
    scene = written(tmp_path, ROOM)
    result = run("plan", scene, "-o", tmp_path / "x.take", "--planner", name, "--budget", 0.5)
    assert result.exit_code == 0, result.output
    assert "1 of 1 planned" in result.stdout


def test_trees_are_grown_and_asked_and_what_they_did_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(planner, "fetch_forest", partial(planner.fetch_forest, nodes=6000))
    scene, out = written(tmp_path, ROOM + BEN), tmp_path / "room.take"
    result = run("plan", scene, "-o", out, "--planner", "tree")
    assert result.exit_code == 0, result.output
    assert re.search(
        r"trees: [1-9]\d* lookups; other sub-goals \d+, waits \d+, forward searches \d+", result.stdout
    )
    assert audit(read_take(out)).clean
    told = json.loads(run("plan", scene, "-o", out, "--planner", "tree", "--json").stdout)
    assert told["trees"]["lookups"] > 0
    assert json.loads(run("plan", scene, "-o", out, "--json").stdout)["trees"] is None


def test_the_search_tree_is_drawn(tmp_path):
    scene = written(tmp_path, ROOM)
    assert run("plan", scene, "-o", tmp_path / "x.take", "--tree", tmp_path / "tree.png").exit_code == 0
    assert (tmp_path / "tree.png").stat().st_size > 10_000


def test_who_cannot_be_planned_is_named_and_the_others_are_kept(tmp_path):
    """The goal of anna lies in a pen without a gate."""
    scene, out = written(tmp_path, ROOM + BEN + PEN), tmp_path / "pen.take"
    result = run("plan", scene, "-o", out)
    assert result.exit_code == 1
    assert "no plan for anna" in result.output
    take = read_take(out)
    assert [role.character for role in take.roles] == ["ben"]
    assert take.unplanned[0][0] == "anna"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("goal = [4, 0.5]", "goal = [0.2, 0.1]"), ("anna", "goal", "table", "(0.2")),
        (("start = [-4, 0]", "start = [0, 0]"), ("anna", "start", "table")),
        (("goal = [4, 0.5]", "goal = [40, 0.5]"), ("anna", "goal", "bounds")),
        (('name = "anna"', 'name = "anna"\nweights = { fly = 2.0 }'), ("anna", "fly", "walk_forward")),
        (('name = "anna"', 'name = "anna"\nlibrary = "nobody"'), ("anna", "nobody", "human")),
        (('name = "anna"', 'name = "anna"\npose = "hover"'), ("anna", "hover", "stand")),
        (("goal = [4, 0.5]", "goal = [4, 0.5]" + EVE), ("anna", "eve")),
        (("[[characters]]", '[[crowds]]\nkind = "pairs"\ncount = 900\nregion = [-5, -5, 5, 5]\n[[characters]]'),
         ("900", "region")),
        (("duration = 40", "duration = 40\nbounce = 1"), ("bounce",)),
    ],
    ids=["goal in a wall", "start in a wall", "goal outside", "no such behavior", "no such library",
         "no such pose", "overlapping starts", "crowd larger than the space", "unknown key"],
)  # fmt: skip
def test_mistakes_are_told_with_name_and_place(tmp_path, change, said):
    scene, out = written(tmp_path, ROOM.replace(*change)), tmp_path / "x.take"
    out.write_text("the take of yesterday")
    message = complaint(scene, out)
    for word in said:
        assert word in message, message
    assert out.read_text() == "the take of yesterday"


def test_an_empty_library_is_told(tmp_path):
    (tmp_path / "nobody").mkdir()
    (tmp_path / "nobody" / "library.toml").write_text('version = 1\nname = "nobody"\nbehavior = []\n')
    scene = written(tmp_path, ROOM.replace('name = "anna"', 'name = "anna"\nlibrary = "nobody/"'))
    message = complaint(scene, tmp_path / "x.take")
    assert "anna" in message
    assert "has no behaviors" in message


def test_it_says_when_a_live_crowd_was_asked_to_step_in(tmp_path, monkeypatch):
    from walkon.directing import planning

    def nobody(*given, **more):
        return planning.CrowdPlan((None,), {"anna": "crowded out by others"}, 0, 0.1)

    monkeypatch.setattr(planning, "plan_crowd", nobody)
    scene, out = written(tmp_path, ROOM), tmp_path / "room.take"
    result = run("plan", scene, "-o", out, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["planned"], told["live"]["plays"]) == (1, True)
    assert told["live"]["unplanned_before"] == {"anna": "crowded out by others"}
    assert told["planner"] == read_take(out).planner
    assert "left out 0, where planning left out 1" in run("plan", scene, "-o", out).stdout
    refused = run("plan", scene, "-o", out, "--no-live")
    assert refused.exit_code == 1
    assert "live crowd" not in refused.stdout
