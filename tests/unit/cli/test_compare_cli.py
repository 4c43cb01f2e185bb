"""`walkon compare`: ours and rivals in one command; who fails is said to, and the others go on."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from walkon.cli.app import app
from walkon.metrics import audit, measure
from walkon.rivals import cast_benchmarks, contender_names, film_rival, is_rival, models
from walkon.rivals.orca import Orca
from walkon.take import read_take
from walkon.world import read_scene

SCENE = """
name = "two"
bounds = [-6, -6, 6, 6]
duration = 30
[[characters]]
name = "anna"
start = [-3, 0]
heading = 90
goal = [3, 0.2]
[[characters]]
name = "ben"
start = [0, 3]
heading = 180
goal = [0.3, -3]
"""


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "two.toml"
    path.write_text(SCENE)
    return path


def run(*arguments):
    return CliRunner().invoke(app, ["compare", *map(str, arguments)])


def test_ours_and_a_rival_in_one_command(scene, tmp_path):
    out = tmp_path / "takes"
    result = run(
        scene, "--planners", "auto,inflated,steering", "--html", tmp_path / "r.html", "--out", out, "--json",
        "--csv", tmp_path / "r.csv",
    )  # fmt: skip
    assert result.exit_code == 0, f"{result.output}\n{result.exception!r}"
    told = json.loads(result.stdout)["planners"]
    assert [one["planner"] for one in told] == ["auto", "inflated", "steering"]
    assert [one["rival"] for one in told] == [False, False, True]
    lines = cast_benchmarks(read_scene(scene))
    for one in told:
        take = read_take(out / f"{one['planner']}.take")
        assert one["take"] == str(out / f"{one['planner']}.take")
        assert is_rival(take) is one["rival"]
        report = audit(take)
        assert one["audit"]["clean"] == report.clean
        found = measure(take, lines, audited=report).as_dict()
        assert one["measures"] == json.loads(json.dumps(found))
    text = (tmp_path / "r.html").read_text()
    assert all(f"</span>{name}</h3>" in text for name in ("auto", "inflated", "steering"))
    assert "Ours beside the rivals" in text
    assert (tmp_path / "r.csv").read_text().startswith("figure,auto,inflated,steering\n")


def test_who_fails_is_said_to_and_the_others_go_on(scene, tmp_path, monkeypatch):
    def missing(self, walls):
        from walkon.errors import MissingExtraError

        raise MissingExtraError("pyrvo", "rivals")

    monkeypatch.setattr(Orca, "begin", missing)
    result = run(scene, "--planners", "orca,pairs", "--html", tmp_path / "r.html", "--json")
    assert result.exit_code == 0, f"{result.output}\n{result.exception!r}"
    told = json.loads(result.stdout)["planners"]
    assert "pyrvo" in told[0]["failure"]
    assert told[0]["measures"] is None
    assert told[1]["failure"] is None
    assert "<b>orca</b> made nothing: this needs pyrvo" in (tmp_path / "r.html").read_text()
    alone = run(scene, "--planners", "orca", "--html", tmp_path / "alone.html")
    assert alone.exit_code == 1
    assert "made nothing" in (tmp_path / "alone.html").read_text()


def test_live_keeps_the_goals_of_the_scene(scene):
    scene.write_text(SCENE + 'at_goal = "leave"\n')
    result = run(scene, "--planners", "live", "--json")
    assert result.exit_code == 0, f"{result.output}\n{result.exception!r}"
    told = json.loads(result.stdout)["planners"][0]
    assert told["measures"]["summary"]["arrived"] == 1.0
    assert told["measures"]["names"] == ["anna", "ben"]
    assert told["audit"]["clean"], "who leaves has arrived"


@pytest.mark.parametrize("planners", ["auto,nonsense", "", "auto,auto"])
def test_names_are_checked_first(scene, planners):
    result = run(scene, "--planners", planners)
    assert result.exit_code == 2
    assert "auto" in result.output


def test_paths_need_a_graph(scene, tmp_path):
    assert run(scene, "--fitting", "paths").exit_code == 2
    assert run(scene, "--graph", tmp_path / "x.graph").exit_code == 2
    assert run(scene, "--fitting", "nonsense").exit_code == 2


def test_every_name_is_of_one_of_us_or_a_rival():
    assert len(set(contender_names())) == len(contender_names())
    assert set(models.MODELS) < set(contender_names())


def test_a_take_says_whose_it_is(scene):
    assert is_rival(film_rival(read_scene(scene), "forces"))
