"""`walkon compare` with people who were recorded: of files as ETH and UCY have them, alone or beside a scene."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from typer.testing import CliRunner

from walkon.cli.app import app
from walkon.metrics import measure, read_trajectories
from walkon.metrics.trajectories import recorded_in, scene_of
from walkon.take import read_take

WALL = """
[[obstacles]]
name = "wall"
shape = "box"
at = [5, 5]
width = 4
depth = 0.3
height = 2
"""


def walks():
    """Who, the first row, and places (F, 2) [m] every 0.4 s: two walk towards each other, one stands."""
    share = np.linspace(0.0, 1.0, 17)[:, None]
    yield 1, 10, np.array([0.0, 0.0]) + share * np.array([8.0, 0.4])
    yield 2, 12, np.array([8.0, 1.2]) + share * np.array([-8.0, 0.0])
    yield 3, 10, np.repeat([[4.0, 4.0]], 15, 0)


@pytest.fixture
def eth(tmp_path):
    """As ETH's `obsmat.txt`: frame, who, x, 0, z, and velocities, every tenth frame of 25 a second."""
    rows = []
    for who, first, path in walks():
        speeds = np.gradient(path, 0.4, axis=0)
        rows += [
            (10 * (first + k), who, x, 0.0, z, *(speed[0], 0.0, speed[1]))
            for k, ((x, z), speed) in enumerate(zip(path, speeds, strict=True))
        ]
    path = tmp_path / "obsmat.txt"
    path.write_text("".join("   ".join(f"{value:.7e}" for value in row) + "\n" for row in sorted(rows)))
    return path


@pytest.fixture
def ucy(tmp_path):
    """As UCY's splines: pixels of 2 cm and frames of 25 a second, with comments."""
    lines = ["3 - the number of splines"]
    for _, first, path in walks():
        lines.append(f"{len(path)} - Num of control points")
        rows = enumerate(path.tolist())
        lines += [f"{50 * x:.4f} {50 * z:.4f} {10 * (first + k)} 90.0 - (2D point, m_id)" for k, (x, z) in rows]
    path = tmp_path / "crossing.vsp"
    path.write_text("\n".join(lines) + "\n")
    return path


def run(*arguments):
    return CliRunner().invoke(app, ["compare", *map(str, arguments)])


def test_a_recording_is_played_and_its_people_are_beside_ours(eth, tmp_path):
    result = run(
        eth, "--planners", "live,steering", "--html", tmp_path / "r.html", "--csv", tmp_path / "r", "--json",
        "--out", tmp_path,
    )  # fmt: skip
    assert result.exit_code == 0, f"{result.output}\n{result.exception!r}"
    told = json.loads(result.stdout)
    paths = read_trajectories(eth)
    scene = scene_of(paths, "obsmat").scene
    recorded = measure(recorded_in(scene, paths).paths, area=scene.bounds)
    assert told["recorded"]["measures"] == json.loads(json.dumps(recorded.as_dict()))
    assert (told["recorded"]["fps"], told["recorded"]["standing"]) == (2.5, ["3"])
    assert [one["planner"] for one in told["planners"]] == ["live", "steering"]
    for one in told["planners"]:
        assert read_take(tmp_path / f"{one['planner']}.take").scene.characters == scene.characters
        assert one["beside"]["travel_time"]["people"] == 2
        took = np.array(one["measures"]["per_person"]["travel_time"])
        names = one["measures"]["names"]
        ours = [took[names.index(name)] for name in ("1", "2")]
        theirs = [recorded.per_person()["travel_time"][recorded.names.index(name)] for name in ("1", "2")]
        assert one["beside"]["travel_time"]["played"] == pytest.approx(np.median(ours))
        assert one["beside"]["travel_time"]["recorded"] == pytest.approx(np.median(theirs))
    figures = list(csv.reader((tmp_path / "r" / "figures.csv").open()))
    assert figures[0] == ["figure", "recorded", "live", "steering"]
    assert {"resistance", "proximity", "travel_time", "speed"} < {row[0] for row in figures}
    people = list(csv.DictReader((tmp_path / "r" / "people.csv").open()))
    assert [row["who"] for row in people if row["of"] == "recorded"] == ["1", "3", "2"]


def test_the_report_shows_them_and_says_what_they_lack(eth, tmp_path):
    result = run(eth, "--planners", "steering", "--html", tmp_path / "r.html")
    assert result.exit_code == 0, f"{result.output}\n{result.exception!r}"
    text = (tmp_path / "r.html").read_text()
    for told in (text, result.stdout):
        assert "neither bodies nor poses" in told
        assert "2.5 Hz" in told
        assert "1 person only stands there" in told
        assert "Travel time" in told
    assert 'id="beside-list"' in text
    assert "People who were recorded" in text
    # They compete with nobody: neither are they ours, nor is anything theirs the best.
    assert "Ours beside the rivals" not in text
    assert "Collisions unknown" not in text


def test_a_scene_of_pixels_with_walls_is_compared_with_the_recording_that_it_is_of(ucy, tmp_path):
    scene = tmp_path / "crossing.toml"
    made = CliRunner().invoke(app, ["scene", "from", str(ucy), "-o", str(scene), "--unit", "0.02"])
    assert made.exit_code == 0, made.output
    scene.write_text(scene.read_text() + WALL)
    arguments = (scene, "--recorded", ucy, "--unit", "0.02", "--planners", "steering")
    result = run(*arguments, "--json", "--html", tmp_path / "r.html")
    assert result.exit_code == 0, f"{result.output}\n{result.exception!r}"
    told = json.loads(result.stdout)
    assert told["recorded"]["file"] == str(ucy)
    assert told["recorded"]["missing"] == []
    beside = told["planners"][0]["beside"]
    assert beside["travel_distance"]["recorded"] == pytest.approx(7.5, abs=0.2)
    assert beside["speed"]["recorded"] == pytest.approx(1.25, abs=0.02)
    # The wall is on both maps of paths and on both of density.
    assert (tmp_path / "r.html").read_text().count('class="thing"') == 4


def test_a_part_of_a_recording_is_chosen_as_for_scenes(eth):
    result = run(eth, "--planners", "steering", "--json", "--since", "0.5")
    assert result.exit_code == 0, f"{result.output}\n{result.exception!r}"
    assert json.loads(result.stdout)["recorded"]["measures"]["names"] == ["2"]


def test_another_recording_is_refused(eth, ucy, tmp_path):
    scene = tmp_path / "other.toml"
    CliRunner().invoke(app, ["scene", "from", str(eth), "-o", str(scene)])
    result = run(scene, "--recorded", ucy, "--unit", "1", "--planners", "steering")
    assert result.exit_code == 1
    assert "made from this recording" in f"{result.output}{result.exception}"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["obsmat.txt", "--recorded", "obsmat.txt"], "is a recording itself"),
        (["hall.toml", "--fps", "10"], "go with a recording"),
        (["hall.toml", "--recorded", "obsmat.txt", "--since", "3"], "are chosen already"),
        (["hall.toml", "--until", "3"], "are chosen already"),
    ],
)
def test_options_that_nothing_would_heed_are_refused(arguments, said):
    result = run(*arguments, "--planners", "steering")
    assert result.exit_code == 2
    assert said in " ".join(result.output.replace("│", " ").split())
