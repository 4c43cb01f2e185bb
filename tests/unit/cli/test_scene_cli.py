"""`walkon scene` from the outside."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from walkon.cli.app import app
from walkon.world import read_scene
from walkon.world.classics import classic_scene_text


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_a_new_scene_can_be_checked_and_read(tmp_path):
    path = tmp_path / "sub" / "new.toml"
    result = run("scene", "new", 'my "first" scene', "-o", path)
    assert result.exit_code == 0, result.output
    scene = read_scene(path)
    assert scene.name == 'my "first" scene'
    assert len(scene.characters) == 5
    result = run("scene", "check", path)
    assert result.exit_code == 0, result.output
    assert "2 box, sphere" in result.output
    assert "hurdle (jump_over)" in result.output
    assert "5: anna, 4 walker" in result.output
    assert "bodies      seen as the convex outline on the ground in every frame, 0.05 m apart" in result.output


def test_a_new_scene_overwrites_nothing_unless_told(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text("mine")
    assert run("scene", "new", "x", "-o", path).exit_code == 1
    assert path.read_text() == "mine"
    assert run("scene", "new", "x", "-o", path, "--force").exit_code == 0


def test_check_as_json_is_a_summary(tmp_path):
    run("scene", "new", "x", "-o", tmp_path / "a.toml")
    result = run("scene", "check", tmp_path / "a.toml", "--json")
    found = json.loads(result.stdout)
    assert found["valid"]
    assert found["characters"] == 5
    assert found["bodies"] == "outline"
    assert found["groups"] == {"anna": 1, "walker": 4}
    assert [row["moves_until"] for row in found["obstacles"]] == [None, None, 60.0]


def test_check_lists_every_problem_and_fails(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text("bounds = [0, 0, 5, 5]\nnam = 1\n[[obstacles]]\n")
    result = run("scene", "check", path)
    assert result.exit_code == 1
    assert f"{path}:2: nam: unknown key" in result.stderr
    assert f"{path}:3: obstacles[0]: shape is missing" in result.stderr
    result = run("scene", "check", path, "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert not found["valid"]
    assert [(row["place"], row["line"]) for row in found["problems"]] == [("nam", 2), ("obstacles[0]", 3)]
    assert run("scene", "check", tmp_path / "none.toml", "--json").exit_code == 1


def test_the_schema_is_json():
    schema = json.loads(run("scene", "schema").stdout)
    assert schema["title"] == "walkon scene"


def test_classic_scenes_are_listed():
    result = run("scene", "classic")
    assert result.exit_code == 0, result.output
    assert all(name in result.output for name in ("locking-24", "Evacuation through a door", "people"))
    rows = json.loads(run("scene", "classic", "--json").stdout)
    assert [row["name"] for row in rows][:2] == ["crossing-4", "crossing-multiple"]
    assert rows[1]["people"] == 24
    assert all(row["what"] and row["origin"] for row in rows)


def test_a_classic_scene_is_written_and_overwrites_nothing_unless_told(tmp_path):
    path = tmp_path / "sub" / "eight.toml"
    result = run("scene", "classic", "locking-8", "-o", path, "--seed", "3")
    assert result.exit_code == 0, result.output
    assert "Central locking" in result.output
    assert path.read_text() == classic_scene_text("locking-8", 3)
    assert len(read_scene(path).characters) == 8
    assert run("scene", "classic", "locking-4", "-o", path).exit_code == 1
    assert path.read_text() == classic_scene_text("locking-8", 3)
    assert run("scene", "classic", "locking-4", "-o", path, "--force").exit_code == 0
    assert path.read_text() == classic_scene_text("locking-4")


def test_a_classic_scene_is_printed_where_no_file_is_named():
    assert run("scene", "classic", "oncoming").stdout == classic_scene_text("oncoming")
    found = json.loads(run("scene", "classic", "oncoming", "--json", "--seed", "2").stdout)
    assert found["text"] == classic_scene_text("oncoming", 2)
    assert found["file"] is None


def test_what_cannot_be_written_is_refused(tmp_path):
    assert run("scene", "classic", "nothing", "-o", tmp_path / "a.toml").exit_code != 0
    assert run("scene", "classic", "-o", tmp_path / "a.toml").exit_code != 0
    assert not (tmp_path / "a.toml").exists()


CLOSED = """
name = "closed"
bounds = [0, 0, 12, 8]
obstacles = [{ name = "wall", shape = "box", at = [6, 4], width = 0.2, depth = 8, height = 2 }]
[[characters]]
name = "anna"
start = [2, 4]
goal = [10, 4]
[[characters]]
name = "ben"
start = [2, 2]
goal = [2, 6]
library = "humans"
[[characters]]
name = "cleo"
start = [4, 2]
goal = [4, 6]
"""


def test_check_finds_unknown_libraries_and_goals_without_a_way(tmp_path):
    path = tmp_path / "closed.toml"
    path.write_text(CLOSED)
    result = run("scene", "check", path)
    assert result.exit_code == 1
    assert "problem: character 'anna': there is no way from (2.00, 4.00)" in result.stderr
    assert "because of obstacle 'wall'" in result.stderr
    assert "problem: character 'ben': no library 'humans'" in result.stderr
    assert "cleo" not in result.stderr
    told = json.loads(run("scene", "check", path, "--json").stdout)
    assert not told["valid"]
    assert {problem["place"] for problem in told["problems"]} == {"character anna", "character ben"}
    assert told["warnings"] == []


def test_a_narrow_passage_is_a_warning_and_no_failure(tmp_path):
    path = tmp_path / "narrow.toml"
    path.write_text(CLOSED.replace("depth = 8", "depth = 7.5").replace('library = "humans"', ""))
    result = run("scene", "check", path)
    assert result.exit_code == 0, result.output
    assert "warning: character 'anna': the way from (2.00, 4.00)" in result.stderr
    told = json.loads(run("scene", "check", path, "--json").stdout)
    assert told["valid"]
    assert len(told["warnings"]) == 1
