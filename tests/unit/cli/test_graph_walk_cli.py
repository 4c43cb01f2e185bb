"""`walkon graph`: walks through a graph become takes, at random, along paths and by scripts."""

from __future__ import annotations

import json
from math import hypot

import numpy as np
from PIL import Image
from typer.testing import CliRunner

from walkon.cli.app import app
from walkon.errors import WalkonError
from walkon.motion import ground_placements
from walkon.synthesis import perform
from walkon.take import read_take


def run(*arguments: object):
    return CliRunner().invoke(app, ["graph", *map(str, arguments)])


def fine(*arguments: object):
    result = run(*arguments)
    assert result.exit_code == 0, f"{result.output}\n{result.exception!r}"
    return result


def told_by(*arguments: object):
    """What a command prints as JSON."""
    return json.loads(fine(*arguments, "--json").stdout)


def complaint(*arguments: object) -> str:
    """What a command says when it gives up."""
    result = run(*arguments)
    assert result.exit_code != 0
    if isinstance(result.exception, SystemExit):
        return " ".join(result.output.split())
    assert isinstance(result.exception, WalkonError), result.exception
    return str(result.exception)


def test_a_random_walk_is_a_take(graph_file, tmp_path):
    out = tmp_path / "a.take"
    random = ["--random", "--seconds", 8, "--seed", 3]
    told = told_by("walk", graph_file, "-o", out, *random, "--picture", tmp_path / "a.png")["walks"]
    assert 8.0 <= told[0]["seconds"] < 9.0
    assert told[0]["mean_deviation"] is None
    assert told[0]["mean_slide"] < 0.002
    take = read_take(out)
    assert take.frames == round(told[0]["seconds"] * take.fps) + 1
    assert (tmp_path / "a.png").exists()
    again = tmp_path / "b.take"
    fine("walk", graph_file, "-o", again, *random)
    np.testing.assert_array_equal(take.clips[0].clip.rotations, read_take(again).clips[0].clip.rotations)


def test_a_path_is_followed_in_the_styles_asked_for(graph_file, tmp_path):
    out = tmp_path / "a.take"
    told = told_by("walk", graph_file, "-o", out, "--path", "line", "--style", "walk@0 run@5")["walks"][0]
    assert told["mean_deviation"] < 0.3
    assert told["labels"]["run"] > 0.5
    assert told["labels"]["walk"] > 1.0
    drawn = tmp_path / "way.csv"
    drawn.write_text("x,z\n0,0\n3,0\n5,2\n")
    shown = fine(
        "walk", graph_file, "-o", out, "--path", drawn, "--style", "walk", "--picture", tmp_path / "a.png"
    )
    assert "off the path cm" in shown.stdout


def test_several_answers_are_several_takes(graph_file, tmp_path):
    told = told_by("walk", graph_file, "-o", tmp_path / "a.take", "--seconds", 4, "--answers", 2)
    assert [walk["take"] for walk in told["walks"]] == [str(tmp_path / "a.take"), str(tmp_path / "a-2.take")]
    assert read_take(tmp_path / "a-2.take").frames > 100


SCENE = """
name = "errand"
bounds = [-3, -3, 8, 6]
[[characters]]
name = "ben"
start = [0, 0]
[[characters.script]]
go = [{x}, 0]
[[characters.script]]
wait = 0.5
[[characters]]
name = "cleo"
start = [0, 3]
goal = [4, 3]
"""


def test_scripts_are_acted_and_reported(graph_file, tmp_path):
    scene = tmp_path / "scene.toml"
    scene.write_text(SCENE.format(x=4))
    act = ["walk", graph_file, "-o", tmp_path / "a.take", "--script", scene]
    told = told_by(*act)["walks"]
    assert [step["step"] for step in told[0]["steps"]] == ["go", "wait"]
    assert all(step["met"] for step in told[0]["steps"])
    take = read_take(tmp_path / "a.take")
    assert [role.character for role in take.roles] == ["ben"]
    assert "ben" in fine("walk", graph_file, "-o", tmp_path / "a.take", "--script", scene, "--of", "ben").stdout
    assert "'cleo' has no script" in complaint(
        "walk", graph_file, "-o", tmp_path / "a.take", "--script", scene, "--of", "cleo"
    )


def test_a_script_that_cannot_be_met_is_said_with_an_exit_code(graph_file, tmp_path):
    scene = tmp_path / "scene.toml"
    scene.write_text(SCENE.format(x=4).replace("wait = 0.5", 'do = "somersault"'))
    result = run("walk", graph_file, "-o", tmp_path / "a.take", "--script", scene)
    assert result.exit_code == 1
    assert "somersault" in result.output
    assert (tmp_path / "a.take").exists()


def test_what_cannot_be_walked_is_said(graph_file, tmp_path):
    walk = ["walk", graph_file, "-o", tmp_path / "a.take"]
    assert "exclude each other" in complaint(*walk, "--random", "--path", "line")
    assert "no such shape" in complaint(*walk, "--path", "spiral")
    assert "nothing in the graph is called 'fly'" in complaint(*walk, "--style", "fly")
    assert "only a walk along a path" in complaint(*walk, "--style", "walk@0 run@3")


def test_a_walk_ends_where_it_should(graph_file, tmp_path):
    out, picture = tmp_path / "a.take", tmp_path / "a.png"
    asked = ["walk", graph_file, "-o", out, "--to", "1,4", "--via", "0,2", "--seconds", 15]
    (told,) = told_by(*asked, "--picture", picture)["walks"]
    assert told["off_goal"] < 0.5
    assert told["seconds"] <= 15.0
    x, z = read_take(out).scene.characters[0].goals[-1].x, read_take(out).scene.characters[0].goals[-1].z
    assert hypot(x - 1.0, z - 4.0) < 0.7
    assert Image.open(picture).width > 100
    assert "cm from where it should" in fine(*asked, "--facing", 0).stdout
    assert "a place is x,z" in complaint("walk", graph_file, "-o", out, "--to", "4")
    assert "go with --to" in complaint("walk", graph_file, "-o", out, "--facing", 90)


def test_a_walk_is_steered(graph_file, tmp_path):
    out = tmp_path / "a.take"
    (told,) = told_by("walk", graph_file, "-o", out, "--steer", "90,-90@12", "--seconds", 24)["walks"]
    assert told["seconds"] >= 24.0
    synthesised = perform(read_take(out), "walker").clip
    x = ground_placements(synthesised)[:, 0]
    turned = round(12 * synthesised.fps)
    assert x[turned] > x[0] + 3.0
    assert x[-1] < x[turned] - 3.0
    assert "which direction to begin with" in complaint("walk", graph_file, "-o", out, "--steer", "90@5")
    assert "DEGREES@SECONDS" in complaint("walk", graph_file, "-o", out, "--steer", "left")
    assert "exclude each other" in complaint("walk", graph_file, "-o", out, "--steer", "0", "--random")
    run_later = ["--steer", "0", "--style", "run@3"]
    assert "only a walk along a path" in complaint("walk", graph_file, "-o", out, *run_later)
