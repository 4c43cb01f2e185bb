"""Short forms of `walkon bench flow` and `walkon bench rimea`, and what they measure with."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from walkon.cli.bench import _load
from walkon.metrics.trajectories import Trajectories

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


def load(name):
    return _load(FOLDER / f"{name}.py")


@pytest.fixture
def made_up_crowds(monkeypatch, tmp_path):
    """A folder of measured crowds with round numbers."""
    load("flow")
    data = sys.modules["_bodies_data"]
    for name, text in {
        "bottleneck/a.txt": "1.0 2.0\n2.0 4.0\n", "bottleneck/b.txt": "1.0 1.0\n2.0 3.0\n",
        "one_way_open/a.dat": "0.3 1.5\n", "single_file/a.dat": "0.5 1.0\n",
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    kept = (data.door_flow, data.walking_speed, data.walking_points)
    monkeypatch.setattr(data, "CROWDS", tmp_path)
    for one in kept:
        one.cache_clear()
    yield
    for one in kept:
        one.cache_clear()


def test_flow_in_short(monkeypatch, capsys, tmp_path, made_up_crowds):
    module = load("flow")
    questions, loop = sys.modules["_flow_questions"], sys.modules["_flow_loop"]
    monkeypatch.setattr(module, "ASKED", {"one_way": (0.3,), "single_file": (0.3,), "doors": (1.5,)})
    monkeypatch.setattr(module, "HOW", questions.How(loop.Span(4.0, 2.0, 0.5), crowd=2))
    monkeypatch.setattr(module, "OUT", tmp_path / "pictures")
    rows = module.measure()
    assert "one_way" in capsys.readouterr().err
    assert all(list(row) == list(rows[0]) for row in rows)
    found = {row["question"]: row for row in rows}
    assert found["one_way"]["people"] == 24
    assert 0.2 < found["one_way"]["density"] < 0.4
    assert 0.9 < found["one_way"]["value"] < 1.6
    assert found["one_way"]["measured"] == pytest.approx(1.33, abs=0.01)
    assert (found["doors"]["measured"], found["doors"]["least"], found["doors"]["most"]) == (2.5, 2.0, 3.0)
    assert found["doors"]["%"] == pytest.approx(100.0 * found["doors"]["value"] / 2.5, abs=0.1)
    assert "violations in all takes: 0 (aim 0): met" in [row["remark"] for row in rows if row["question"] == "aim"]
    drawn = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert drawn == ["doors.png", "flow.png", "single-file.png", "speed.png"]
    json.dumps(rows, allow_nan=False)


def test_a_question_that_nobody_knows_is_refused(monkeypatch):
    module = load("flow")
    monkeypatch.setenv("WALKON_FLOW", "two_way")
    with pytest.raises(SystemExit, match=r"'two_way'; there are: one_way, both_ways"):
        module.measure()


def test_a_loop_keeps_its_people():
    load("flow")
    loop, scenes = sys.modules["_flow_loop"], sys.modules["_flow_scenes"]
    for both in (False, True):
        scene, streams, area = scenes.corridor(4.0, 0.4, 0, both=both)
        run = loop.run_loop(scene, streams, loop.Span(6.0, 3.0, 0.5))
        assert run.placed == run.wanted
        assert run.came > 1
        last = run.paths.first + run.paths.frames
        here = [path[-1] for path, stop in _ends(run.paths) if stop == last]
        # Who is renewed in the last look is seen no more, and its newcomer not yet.
        assert run.wanted - 3 <= len(here) <= run.wanted
        assert not run.verdict.violations
        # Everybody begins inside, and newcomers at an entry.
        for path, _ in _ends(run.paths):
            assert area[0] - scenes.BEFORE - 0.5 <= path[0, 0] <= area[2] + scenes.BEFORE + 0.5


def _ends(paths):
    return [(paths.path(person), int(paths.stops[person])) for person in range(len(paths))]


def test_who_cannot_come_anew_does_not_go(monkeypatch):
    """Where the entry is full, people stand in the exit: none gets lost."""
    load("flow")
    loop, scenes = sys.modules["_flow_loop"], sys.modules["_flow_scenes"]
    monkeypatch.setattr(loop._Loop, "_renew", lambda self, stream: False)
    scene, streams, _ = scenes.corridor(4.0, 0.2, 0)
    run = loop.run_loop(scene, streams, loop.Span(6.0, 1.0, 0.5))
    assert run.came == 0
    assert (run.paths.stops == run.paths.stops.max()).all()


def test_densities_and_speeds_of_made_up_paths():
    load("flow")
    watch = sys.modules["_flow_watch"]
    seconds = np.arange(0, 101) / 10.0
    # One walks at 1.2 m/s to the right, one at 0.6 m/s to the left, one stands aside, one is elsewhere.
    paths = [
        np.column_stack([-6.0 + 1.2 * seconds, np.zeros(101)]),
        np.column_stack([3.0 - 0.6 * seconds, np.ones(101)]),
        np.full((101, 2), (0.0, -1.0)),
        np.full((101, 2), (50.0, 0.0)),
    ]
    tracks = Trajectories.build(10.0, paths)
    area = (-20.0, -2.0, 20.0, 2.0)
    dense, speed = watch.measure_within(tracks, area, axis=0)
    assert dense == pytest.approx(3.0 / 160.0, rel=0.02)
    assert speed == pytest.approx(0.6, rel=0.01)
    later = watch.measure_within(tracks, (-20.0, -0.5, 20.0, 0.5), since=8.0)
    assert later == (pytest.approx(1.0 / 40.0, rel=0.05), pytest.approx(1.2))
    assert watch.flow_across(tracks, [(0.0, -2.0), (0.0, 2.0)]) == pytest.approx(2 / 10.1)
    assert watch.flow_across(tracks, [(0.0, -2.0), (0.0, 2.0)], since=5.0) == pytest.approx(1 / 5.1 + 1 / 5.1)
    assert np.isnan(watch.measure_within(tracks, (30.0, 0.0, 31.0, 1.0))[1])


def test_people_on_a_lattice_are_as_many_as_asked_for_and_apart():
    load("flow")
    scenes = sys.modules["_flow_scenes"]
    for density in (0.25, 1.0, 2.5):
        places = scenes.lattice((-9.0, -2.0, 9.0, 2.0), density, 0)
        assert len(places) == round(density * 72.0)
        apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) + 9.0 * np.eye(len(places))
        assert apart.min() > 0.35
        assert np.abs(places[:, 1]).max() <= 2.0 - scenes.BESIDE + 1e-9


def test_aims_of_flow_are_computed():
    load("flow")
    rows = sys.modules["_flow_rows"]

    def row(question, scene, **figures):
        return rows.blank(question, scene) | {"violations": 0} | figures

    said = rows.aim_rows(
        [
            row("one_way", "0.5 per m²", density=0.5, value=1.2, flow=0.6, **{"%": 90.0}),
            row("one_way", "1.75 per m²", density=1.7, value=0.5, flow=0.9, **{"%": 70.0}),
            row("both_ways", "0.5 per m²", density=0.5, value=1.0),
            row("single_file", "1 per m", density=1.0, value=0.5, **{"%": 74.0}),
            row("doors", "1 m", value=1.8, measured=2.4, least=1.7, **{"%": 75.0}),
            row("doors", "2 m", value=1.8, measured=2.4, least=1.9, violations=1, **{"%": 75.0}),
        ]
    )
    assert [one["remark"].rpartition(": ")[2] for one in said] == [
        "met", "missed", "missed", "met", "missed", "met", "missed", "missed",
    ]  # fmt: skip
    assert "83 % of one way" in said[3]["remark"]


def test_real_crowds_are_as_the_design_says():
    data = load("_bodies_data")
    if not data.is_there():
        pytest.skip("no crowd-data folder: it is no part of the checkout")
    assert data.walking_speed(1.0) == pytest.approx(1.25, abs=0.01)
    assert data.walking_speed(1.0, "one_way_1.8m") == pytest.approx(0.80, abs=0.01)
    assert data.walking_speed(0.5, "single_file") == pytest.approx(0.97, abs=0.01)
    least, most = data.door_band(1.2)
    assert least < data.door_flow(1.2)[0] < most


def rimea_scenes():
    load("rimea")
    scenes = sys.modules["_rimea_scenes"]
    return {
        "1": scenes.free_corridor(), "5": scenes.waiting_room(), "6": scenes.around_corner(),
        "8": scenes.simple_room(40), "9": scenes.four_exits(150, 4), "9, two": scenes.four_exits(150, 2),
        "10": scenes.cabins(), "12": scenes.two_rooms(150), "14": scenes.two_routes(60),
        **{f"15, {shape}": scenes.crowd_corner(60, shape) for shape in ("corner", "short", "long")},
    }  # fmt: skip


def test_everybody_has_room_in_the_scenes_of_rimea():
    from walkon.crowd.live import Live

    for name, scene in rimea_scenes().items():
        live = Live(scene)
        try:
            assert len(live.people) == len(scene.characters), f"test {name}"
        finally:
            live.close()


def test_rooms_are_open_at_their_doors_alone():
    load("rimea")
    scenes = sys.modules["_rimea_scenes"]
    walls = scenes.room_walls((0.0, 0.0, 8.0, 5.0), [("right", 2.5, 1.0), ("near", 4.0, 2.0)])

    def solid(x, z):
        return any(a <= x <= c and b <= z <= d for a, b, c, d in walls)

    right = [solid(8.1, z) for z in np.arange(0.05, 5.0, 0.1)]
    near = [solid(x, -0.1) for x in np.arange(0.05, 8.0, 0.1)]
    assert right.count(False) == 10
    assert near.count(False) == 20
    assert all(solid(-0.1, z) for z in np.arange(0.05, 5.0, 0.1))
    assert all(solid(x, 5.1) for x in np.arange(0.05, 8.0, 0.1))


def test_rimea_in_short(capsys, tmp_path):
    module = load("rimea")
    limits = replace(module.QUICK, out=tmp_path / "rimea")
    rows = [result.row() for result in module.run_tests([1, 2], limits)]
    assert "test 2" in capsys.readouterr().err
    assert all(list(row) == list(rows[0]) for row in rows)
    free, stairs = rows
    assert (free["verdict"], free["violations"]) == ("pass", 0)
    assert 26.0 <= free["value"] <= 34.0
    # What people do on stairs is for the test of the crowd to say.
    assert stairs["verdict"] in ("not available", "pass", "fail")
    page = (tmp_path / "rimea" / "report.html").read_text()
    assert 'src="test-01.png"' in page
    assert (tmp_path / "rimea" / "test-01.png").stat().st_size > 1000
    assert page.count("<section") == 2
    json.dumps(rows, allow_nan=False)


def test_people_of_rimea_set_off_at_their_times(tmp_path):
    load("rimea")
    alone, runs, scenes = (sys.modules[f"_rimea_{name}"] for name in ("alone", "runs", "scenes"))
    scene, tell = alone._late(scenes.waiting_room(), np.array([*[60.0] * 4, 1.0, *[60.0] * 4, 2.0]))
    run = runs.evacuate(scene, runs.Limits(patience=5.0, out=tmp_path), tell=tell)
    moved = {name: float(np.hypot(*(run.path(name)[1][-1] - run.path(name)[1][0]))) for name in run.paths.names}
    assert moved["p4"] > moved["p9"] > 1.0
    assert max(moved[f"p{number}"] for number in (0, 1, 2, 5, 6, 7)) < 0.3


def test_runs_are_bounded_and_violations_fail(tmp_path):
    load("rimea")
    runs, results, scenes = (sys.modules[f"_rimea_{name}"] for name in ("runs", "results", "scenes"))
    limits = runs.Limits(quick=True, patience=2.0, out=tmp_path)
    run = runs.evacuate(scenes.simple_room(3), limits)
    assert run.last is None
    assert run.when.startswith("never: 0 of 3 are (ended after 2 s")
    case = results.Case(1, "a <b>", "scene", "wanted")
    assert case.judge(True, [run], "found").verdict == "pass"
    assert case.judge(None, [run], "found").verdict == "shown"
    wrong = replace(run, verdict=run.verdict._replace(violations=["bodies"]))
    assert case.judge(True, [run, wrong], "found").verdict == "fail"
    reports = sys.modules["_rimea_report"]
    reports.write_page([case.absent("no <stairs>")], tmp_path / "page.html", "")
    page = (tmp_path / "page.html").read_text()
    assert "a &lt;b&gt;" in page
    assert "<stairs>" not in page


def test_tests_that_nobody_knows_are_refused(monkeypatch):
    module = load("rimea")
    monkeypatch.setenv("WALKON_RIMEA", "quick 17")
    with pytest.raises(SystemExit, match="no test '17'"):
        module.measure()
