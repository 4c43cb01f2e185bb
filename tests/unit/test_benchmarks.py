"""Short forms of the benchmarks: they run, and what they print has the promised shape."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

from walkon.builtin import make
from walkon.cli.app import app
from walkon.cli.bench import _load
from walkon.motion import crop, resample
from walkon.planning import AStar
from walkon.trees.lookup import Lookup
from walkon.trees.region import Region

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


def load(name):
    return _load(FOLDER / f"{name}.py")


def test_motion_in_short(monkeypatch, tmp_path):
    module = load("motion")
    monkeypatch.setattr(module, "MEGABYTES", 0.05)
    monkeypatch.setattr(module, "ROUNDS", 1)
    monkeypatch.setattr(module, "RECORDINGS", tmp_path)
    rows = module.measure()
    ours = [row for row in rows if row["who"] == "walkon"]
    assert len(ours) == 2
    for row in ours:
        assert row["remark"] == ""
        assert row["ms"] > 0
        assert row["ours is faster by"] == 1.0
    assert all(set(row) == set(rows[0]) for row in rows)


def test_classics_in_short(monkeypatch):
    module = load("classics")
    monkeypatch.setattr(module, "WARMING", "oncoming")
    monkeypatch.setattr("walkon.world.classics.classic_names", lambda: ("oncoming", "two-corners"))
    rows = module.measure()
    assert [(row["scene"], row["people"], row["arrived"], row["violations"]) for row in rows] == [
        ("oncoming", 2, 2, 0),
        ("two-corners", 1, 1, 0),
    ]


def test_behavior_in_short(monkeypatch):
    module = load("behavior")
    for name, value in {
        "ROUNDS": 1,
        "EXPANSIONS": 300,
        "TIMES": 3,
        "PEOPLE": 4,
        "CROWD": 4,
        "SECONDS": 20,
    }.items():
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(sys.modules["_behavior_scenes"], "SECONDS", 20)
    rows = module.measure()
    assert all(set(row) == set(rows[0]) for row in rows)
    assert next(row for row in rows if row["what"].startswith("A*, line"))["paper"] == "2241 nodes, < 0.4 s"
    assert rows[-1]["status"] == "4 planned"
    assert all(row["ms"] > 0 for row in rows)


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_the_command_prints_what_was_measured(monkeypatch, arguments):
    class Stub:
        __doc__ = "How fast is nothing?\n\nExplained here."

        @staticmethod
        def measure():
            return [
                {"who": "walkon", "ms": 0.125, "remark": None},
                {"who": "peer", "ms": 1.0, "remark": "said below"},
            ]

    monkeypatch.setattr("walkon.cli.bench._load", lambda file: Stub)
    result = CliRunner().invoke(app, ["bench", "motion", *arguments])
    assert result.exit_code == 0, result.output
    if arguments:
        assert json.loads(result.stdout)["rows"] == Stub.measure()
    else:
        assert "How fast is nothing?" in " ".join(result.stdout.split())
        assert "0.125" in result.stdout
        assert "peer, 1.0: said below" in result.stdout
        assert "Explained here." in result.stdout


def test_every_benchmark_says_what_it_measures():
    for file in FOLDER.glob("[a-z]*.py"):
        module = load(file.stem)
        assert module.__doc__
        assert callable(module.measure)


def test_trees_in_short(monkeypatch, capsys):
    module = load("trees")
    for name, value in {"QUERIES": 30, "SEEDS": 1, "DEPTH": 3, "SIZES": (10, 5), "COMPARED": 10}.items():
        monkeypatch.setattr(module, name, value)
    rows = module.measure()
    assert "Green & Kelly" in capsys.readouterr().err
    assert all(set(row) == set(rows[0]) for row in rows)
    assert rows[0]["method"] == "exhaustive"
    assert rows[0]["remark"].startswith("2002 nodes")
    large = [row for row in rows if row["obstacles"] == "large" and row["KB"] == 10]
    assert sorted(row["method"] for row in large[:-1]) == sorted(module.THESIS)
    assert large[-1]["method"] == "ranking"
    assert module.PRINTED not in large[-1]["remark"]
    assert large[0]["thesis solved %"] == 54.55
    assert large[0]["thesis of all %"] == 76.7
    for row in large[:-1]:
        assert 0 < row["solved %"] <= 100.0
        # An exhaustive tree is optimal, and what the others find costs no less; trees of one seed have its clips.
        assert float(row["cost"].split(" ")[0]) > 99.0
        assert row["s"] > 0
        assert row["density"] > 0


def test_density_of_trees_is_that_of_the_thesis():
    """Equation 4.1, for two edges of which one shares a cell with the other."""
    module = load("trees")
    traces = np.array([[0.05, 0.1], [0.05, 0.3], [0.05, 0.35]])
    moves = SimpleNamespace(displacements=np.array([[0.05, 0.35, 0.0]]))
    region = Region(-0.2, 0.0, 0.2, np.ones((4, 2), dtype=bool))
    soil = SimpleNamespace(moves=moves, region=region, traces=traces, trace_starts=np.array([0, 3]))
    growth = SimpleNamespace(parents=np.array([-1, 0]), clips=np.array([0, 0]))
    # The first crosses rows 0 and 1 of its column, the second rows 2 and 3.
    assert module.density_of(soil, growth) == pytest.approx(4 * 0.5**2 + 4 * 0.5**2)
    growth = SimpleNamespace(parents=np.array([-1, -1]), clips=np.array([0, 0]))
    assert module.density_of(soil, growth) == pytest.approx(2 * 1.5**2 + 6 * 0.5**2)


def test_benchmarks_import_what_they_share_and_nobody_else_does(tmp_path):
    (tmp_path / "_shared_by_two.py").write_text("ANSWER = 42\n")
    (tmp_path / "one.py").write_text("from _shared_by_two import ANSWER\n")
    (tmp_path / "broken.py").write_text("raise ValueError('broken')\n")
    before = list(sys.path)
    assert _load(tmp_path / "one.py").ANSWER == 42
    with pytest.raises(ValueError, match="broken"):
        _load(tmp_path / "broken.py")
    assert sys.path == before
    listed = CliRunner().invoke(app, ["bench", "--list"]).stdout.split()
    assert "tree-search" in listed
    assert not [name for name in listed if name.startswith("_")]


def test_tree_search_in_short(monkeypatch, capsys):
    module = load("tree-search")
    for name, value in {
        "QUERIES": 8, "AT_ONCE": 5, "CROWDED": 2, "ROUNDS": 1, "MOST": 3000, "NODES": 2000, "MEGABYTE": 5000,
    }.items():  # fmt: skip
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(sys.modules["_queries"], "FURTHEST", 8.0)
    rows = module.measure()
    assert "8 queries" in capsys.readouterr().err
    assert all(list(row) == list(rows[0]) for row in rows)
    found = {(row["queries"], row["who"]): row for row in rows}
    base = found["random", "A*"]
    assert (base["time %"], base["means %"], base["checks %"], base["cost %"]) == (100.0,) * 4
    assert base["thesis"].startswith("97.91")
    small, large = (found["random", f"SPST, ours, {size} MB"] for size in (25, 50))
    assert 0 < small["solved %"] <= 100.0
    assert small["cost %"] > 99.0
    assert (small["thesis"], large["thesis"]) == ("93.63 / 0.44 / 4.23 / 115.48", "94.76 / 0.47 / 7.27 / 113.80")
    assert small["µs begun"] > small["µs"] > 0
    assert small["checks %"] < 100.0
    assert "nodes, 0.2 MB" in small["remark"]
    # Open to the start, the C is a trap for A*.
    trap, other = found["C to start", "A*"], found["C to goal", "A*"]
    assert trap["checks"] > other["checks"] > 0
    assert (trap["thesis"], other["thesis"]) == ("2,411,505 / 2,885,740 / 786", "")
    assert found["C to goal", "SPST, ours, 25 MB"]["thesis"] == "461 / 210 / 884"
    aims = [row["remark"] for row in rows if row["queries"] == "aim"]
    assert len(aims) == 14
    assert all(aim.endswith("met") for aim in aims)


def test_aims_are_computed():
    module = load("_search_rows")
    assert module.aim_row("a tree", "µs", 20.0, 20.0)["remark"] == "20 µs: aim 20 met"
    assert module.aim_row("a tree", "µs", 20.1, 20.0)["remark"] == "20.1 µs: aim 20 not met"


def test_tree_grid_in_short(monkeypatch, capsys):
    module = load("tree-grid")
    for name, value in {"QUERIES": 8, "AT_ONCE": 5, "ROUNDS": 1, "MOST": 3000, "NODES": 5000}.items():
        monkeypatch.setattr(module, name, value)
    rows = module.measure()
    assert "8 queries" in capsys.readouterr().err
    assert all(list(row) == list(rows[0]) for row in rows)
    assert [row["thesis µs"] for row in rows[:6]] == [104880, 151770, 340195, 333, 690, 2652]
    cells = [row for row in rows if row["checks by"] == "cells only"]
    exact = [row for row in rows if row["checks by"] == "cells, then exact"]
    for coarse, fine in zip(cells, exact, strict=True):
        assert coarse["solved %"] <= fine["solved %"]
    assert sum(row["solved %"] for row in cells) < sum(row["solved %"] for row in exact)
    # Exact checks do not depend on the cells.
    assert len({row["solved %"] for row in exact if row["who"] == "SPST, ours"}) == 1
    assert cells[0]["cells mapped"] < cells[2]["cells mapped"]


def test_a_way_that_is_not_free_is_noticed():
    """What a tree finds in an empty world is no way where a wall was built since."""
    module = load("tree-search")
    queries = sys.modules["_queries"]
    graph = queries.behavior_graph()
    tree = module._grow(graph, "a tree", 0, queries.builders()[queries.OURS], 3000)
    lookup = Lookup(tree.forest, graph)
    empty = queries.problem_in(graph, queries.world_with([]), 0.0, 6.0)
    walled = queries.problem_in(graph, queries.world_with([queries.box("wall", 0.0, 3.0, 30.0, 0.4)]), 0.0, 6.0)
    queries._begin(lookup, empty)
    node = lookup.reach(empty.goals[0])
    assert node >= 0
    queries.check_way(lookup, empty, node)
    with pytest.raises(AssertionError, match="not free"):
        queries.check_way(lookup, walled, node)


def test_queries_are_seeded_and_checks_counted():
    queries = load("_queries")
    graph = queries.behavior_graph()
    first, again = (queries.draw_problems(graph, np.random.default_rng(2), 3, (20, 20)) for _ in range(2))
    assert [problem.goals for problem in first] == [problem.goals for problem in again]
    assert all(len(problem.world.scene.obstacles) == 20 for problem in first)
    for problem in first:
        goal = problem.goals[0]
        assert queries.NEAREST < np.hypot(goal.x, goal.z) < queries.FURTHEST
        assert goal.z > 0.0
        statistics = AStar(heuristic="line", max_expansions=5000).plan(problem).statistics
        # Nothing takes longer than the horizon here: what was not visited before was checked.
        assert queries._checks(SimpleNamespace(statistics=statistics)) == statistics.generated - statistics.visited


def test_live_in_short(monkeypatch, capsys):
    module = load("live")
    for name, value in {
        "CROWDS": (20, 30), "LARGER": (35,), "SECONDS": 3, "AUDITED_WHOLE": 20, "LAST": 1, "CIRCLES": (6,),
        "CORRIDORS": ((1, 3.0),), "PATIENCE": 60,
    }.items():  # fmt: skip
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(sys.modules["_live_scenes"], "PERFORMERS", 1)
    rows = module.measure()
    assert "20 discs" in capsys.readouterr().err
    assert all(list(row) == list(rows[0]) for row in rows)
    found = {(row["scene"], row["who"], row["people"]): row for row in rows}
    small, large = found["plaza", "walkon", 20], found["plaza", "walkon", 30]
    assert "everything audited: clean" in small["remark"]
    assert "1 s of 3 audited: clean" in large["remark"]
    assert small["ms p50"] <= small["ms p95"] <= small["ms p99"] <= small["ms max"]
    assert small["real time"] > 0
    assert 0.0 < small["speed"] < 2.0
    peer = found["plaza", "pyrvo", 20]
    assert peer["µs"] > 0 if importlib.util.find_spec("pyrvo") else peer["remark"] == "not installed"
    assert found["circle of 6", "walkon", 6]["finish"] > 3.0
    assert found["corridor of 3 m", "walkon", 2]["finish"] > 10.0
    aims = [row["remark"] for row in rows if row["scene"] == "aim"]
    assert "violations in all takes: 0 (aim 0): met" in aims
    assert "circle of 6: all arrived after" in " ".join(aims)
    assert any(aim.endswith("10000): not met") for aim in aims)


def test_plazas_are_seeded_and_as_crowded_as_they_should_be():
    scenes = load("_live_scenes")
    one, again, other = (scenes.make_plaza(300, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.starts, again.starts)
    assert not np.array_equal(one.starts, other.starts)
    assert len(one.starts) / one.side**2 == pytest.approx(scenes.DENSITY)
    across = np.hypot(*(one.starts[:, None, :2] - one.starts[None, :, :2]).T) + 10.0 * np.eye(300)
    assert across.min() >= scenes.APART
    covered = sum(4.0 * post.half_width * post.half_depth for post in one.posts)
    assert 0.018 < covered / one.side**2 < 0.04
    goals = one.goals(np.random.default_rng(0), one.starts)
    assert np.hypot(*(goals - one.starts[:, :2]).T).min() >= scenes.NEAREST
    for post in one.posts:
        inside = np.abs(goals - (post.x, post.z)) < (post.half_width + 0.9, post.half_depth + 0.9)
        assert not inside.all(axis=1).any()


def test_discs_that_overlap_are_counted_once_for_as_long_as_they_do():
    orca = load("_live_orca")
    counter = orca._Overlaps(np.array([0.5, 0.5, 0.3]))
    for gap in (1.2, 0.9, 0.8, 1.1, 0.95):
        counter.look(np.array([[0.0, 0.0], [gap, 0.0], [0.0, 5.0]]))
    assert (counter.events, counter.frames) == (2, 3)
    assert counter.deepest == pytest.approx(0.2)


def test_the_end_of_a_live_take_is_audited_as_in_the_whole():
    from dataclasses import replace

    from walkon.directing import plan_scene
    from walkon.metrics import audit

    load("live")
    audits, scenes = sys.modules["_live_audit"], sys.modules["_live_scenes"]
    take = plan_scene(scenes.circle_swap(5), seed=1)
    assert not audits.audit_live(take).violations
    # One walks through another for a while: it plays the other's part, but too late.
    first, second, *others = take.roles
    late = replace(second, character=first.character, frames=second.frames + 40)
    wrong = replace(take, roles=[late, second, *others])
    whole = [one for one in audit(wrong).violations if one.kind in ("bodies", "bounds")]
    assert whole
    begun = whole[0].first_frame
    for start in (0, begun, begun + 1):
        found = audits.audit_live(wrong, start)
        assert found.frames == (start, wrong.frames)
        assert [one for one in found.violations if one.first_frame > begun] == [
            one for one in whole if one.first_frame > max(begun, start - 1)
        ]
        assert any(one.first_frame == begun for one in found.violations) == (start <= begun)


def test_graph_in_short(monkeypatch, capsys, tmp_path, session_of):
    from walkon.graphs.searching import shapes
    from walkon.motion import crop

    module = load("graph")
    surface, search, quality = (sys.modules[f"_graph_{name}"] for name in ("surface", "search", "quality"))
    stretches = {"walk_about_1": (0, 150), "walk_in_loops": (0, 240), "walk_and_run_1": (60, 330)}
    short = [crop(session_of(7)[name], *stretch) for name, stretch in stretches.items()]
    for group, settings in {
        surface: {"FRAMES": 300, "MANY": 600, "ROUNDS": 1, "PAIRS": 5, "RECORDINGS": tmp_path / "none"},
        search: {
            "ROUNDS": 1,
            "WALKS": 5,
            "SECONDS": 4.0,
            "SEEDS": 2,
            "STEERED": 1,
            "RECORDINGS": tmp_path / "none",
        },
        quality: {"WALKS": 5, "SECONDS": 4.0, "PERFORMED": 2, "CHANGE": 4.0, "RECORDINGS": tmp_path / "none"},
    }.items():
        for name, value in settings.items():
            monkeypatch.setattr(group, name, value)
    monkeypatch.setattr("walkon.builtin.session.make_session", lambda *_: short)
    paths = {
        "line": shapes.line,
        "circle": shapes.circle,
        "s": shapes.letter_s,
        "hello": lambda: shapes.hello()[:300],
    }
    monkeypatch.setattr(shapes, "SHAPES", paths)
    rows = module.measure()
    assert "quality" in capsys.readouterr().err
    assert all(list(row) == list(rows[0]) for row in rows)
    assert list(rows[0])[:3] == ["what", "who", "s"]
    assert list(rows[0])[-1] == "remark"
    found = {row["what"]: row for row in rows if row["who"] == "built-in session"}
    assert found["5 random walks of 4 s, dead ends"]["value"] == 0
    assert found["one piece"]["value"] == "yes"
    assert found["slide a contact frame of 2 of these walks"]["value"] < 2.0
    assert 0.0 < found["jumps at seams of 2 of these walks"]["value"] < 1.5
    assert found["walk along circle, off it"]["value"] < 40.0
    assert found["walk along hello, off it"]["paper"].startswith("54.9 s")
    assert found["walk to run at 4 m, off by"]["value"] < 2.0
    assert any("surface and minima" in str(row["what"]) for row in rows)


def test_plausibility_in_short(monkeypatch, capsys):
    module = load("plausibility")
    for name, value in {
        "SCENES": ("crossing-4",), "PLANNERS": ("auto", "live"), "RIVALS": ("forces", "pairs"), "SEEDS": (0,),
        "FOLLOWED": False, "PEOPLE": 12, "SECONDS": 4.0, "FEW": 4,
    }.items():  # fmt: skip
        monkeypatch.setattr(module, name, value)
    rows = module.measure()
    assert "crossing-4, pairs" in capsys.readouterr().err
    assert all(list(row) == list(rows[0]) for row in rows)
    found = {row["who"]: row for row in rows if row["scene"] == "crossing-4"}
    assert list(found) == ["auto", "live", "forces", "pairs"]
    for row in found.values():
        assert 13.0 < row["m"] < 20.0
        assert row["arrived"] == 100.0
    assert found["auto"]["touching"] == found["live"]["touching"] == "0"
    # Who begins standing, and who is slow, has more resistance than who walks already at a good pace.
    assert found["auto"]["stand"] > found["auto"]["res."] == found["auto"]["body"]
    assert found["pairs"]["slow"] > found["pairs"]["res."]
    assert found["pairs"]["touching"] == "- -> 0"
    assert found["forces"]["touching"] != "- -> 0"
    assert "thinnest body" in found["forces"]["remark"]
    aims = {row["who"]: [] for row in rows if row["scene"] == "aim"}
    for row in rows:
        if row["scene"] == "aim":
            aims[row["who"]].append(row["remark"])
    assert aims["crossing-4, auto live"] == ["frames in which bodies touch 0: at most 0: met"]
    assert len(aims["crossing-4, auto"]) >= 5
    assert "(that of pairs): not met" in aims["crossing-4, auto"][0]
    assert all(aim.endswith("(the library's line): met") for aim in aims["crossing-4, auto"][-2:])
    assert [row["who"] for row in rows[-2:]] == ["trajectories", "take, not audited"]
    assert "pairs of clips" in rows[-1]["remark"]


def test_the_plain_twin_of_pairs_measures_the_same():
    """What the benchmark times is what the kernels compute, but for the moments between two frames."""
    crowd = load("_plausibility_crowd")
    from walkon.metrics import measure, of_take

    take = crowd.wandering(5, 6.0)
    trajectories = of_take(take)
    nearest, means = crowd.plain_pairs(trajectories)
    found = measure(trajectories)
    everybody = [min(near for pair, near in nearest.items() if person in pair) for person in range(5)]
    assert np.allclose(everybody, found.proximity.nearest, atol=0.02)
    assert np.mean(list(means.values())) == pytest.approx(np.mean(found.synchronicity.means), abs=1e-9)
    again = crowd.wandering(5, 6.0)
    assert all(np.array_equal(one.clips, other.clips) for one, other in zip(take.roles, again.roles, strict=True))


def test_variation_in_short(monkeypatch, tmp_path):
    module = load("variation")
    walks = [crop(resample(make("walk", speed=speed), 30.0), 0, 45) for speed in (1.1, 1.2, 1.3, 1.15, 1.25)]
    walks = [clip.with_changes(name=f"walk {number}") for number, clip in enumerate(walks)]
    motions = sys.modules["_variation_motions"]
    monkeypatch.setattr(module, "motions", lambda: [motions.Motion("walk", walks[:3], walks[3:], False)])
    models = sys.modules["_variation_models"]
    short = {"ROUNDS": 1, "RESTARTS": 1, "VARIANTS": 3, "MAKING_ROUNDS": 1, "STREAM": 20.0, "PERMUTATIONS": 9}
    for name, value in short.items():
        monkeypatch.setattr(models, name, value)
    monkeypatch.setattr(module, "crowd_rows", list)
    rows = module.measure()
    assert all(set(row) == set(rows[0]) for row in rows)
    by_name = {row["what"]: row for row in rows}
    assert by_name["learning"]["value"] > 0.0
    assert by_name["making a second of motion"]["thesis"] == "200"
    assert by_name["nearest frame, least, variants"]["value"] > 0.0
    assert 0 <= by_name["likeness better than naive noise"]["value"] <= 8
    json.dumps(rows, allow_nan=False)


def test_bodies_in_short(monkeypatch, capsys, tmp_path):
    module = load("bodies")
    data = sys.modules["_bodies_data"]
    (tmp_path / "bottleneck").mkdir()
    (tmp_path / "bottleneck" / "one.txt").write_text("0.8 1.0\n1.2 2.0\n1.2 2.4\n")
    (tmp_path / "bottleneck" / "other.txt").write_text("1.4 2.0\n1.8 3.0\n")
    monkeypatch.setattr(data, "CROWDS", tmp_path)
    for name, value in {
        "WIDTHS": (1.6,), "CROWD": 4, "GATED": 6, "DENSITIES": (0.05,), "OPENINGS": (1.4, 0.25), "HALLWAY": 3.0,
        "CLUTTER": ("cluttered-6",), "ALONE": 0, "PLAYERS": ("auto",), "OFFICE_PLAYERS": (),
    }.items():  # fmt: skip
        monkeypatch.setattr(module, name, value)
    for name, value in {
        "ROUNDS": 1,
        "EXPANSIONS": 300,
        "CROWD": 4,
        "NODES": 2000,
        "QUERIES": 5,
        "UNSEEN": 1,
    }.items():
        monkeypatch.setattr(sys.modules["_bodies_costs"], name, value)
    rows = module.measure()
    assert "corridor" in capsys.readouterr().err
    assert all(list(row) == list(rows[0]) for row in rows)
    found = {(row["question"], row["scene"]): row for row in rows}
    assert found["hallway", "3 m"]["aim"].endswith(": met")
    assert found["opening", "1.40 m"]["done"] == 1
    assert found["opening", "0.25 m"]["aim"] == "no way: met"
    door = found["door", "1.6 m"]
    assert (door["done"], door["measured"], door["violations"]) == (4, 2.5, 0)
    assert door["%"] == pytest.approx(100.0 * door["value"] / 2.5, abs=0.1)
    assert 0.9 < found["corridor", "0.05 per m², one way"]["value"] < 1.8
    assert found["clutter", "cluttered-6"]["measured"] == 9.0
    assert found["gates", "three of 2 m"]["done"] == 6
    costs = [row for row in rows if row["question"] == "costs"]
    assert {row["unit"] for row in costs} == {"ns", "µs", "s", "MB"}
    assert found["costs", "outlines of a library, made"]["aim"].startswith("s 2: ")
    assert all(row["value"] > 0.0 for row in costs)
    json.dumps(rows, allow_nan=False)


def test_measured_flows_are_means_over_experiments(monkeypatch, tmp_path):
    data = load("_bodies_data")
    monkeypatch.setattr(data, "CROWDS", tmp_path)
    assert not data.is_there()
    assert data.door_flow(3.0) is None
    assert data.walking_speed(0.9) is None
    for kept in (data.door_flow, data.walking_speed, data.walking_points):
        kept.cache_clear()
    for name, text in {
        "bottleneck/a.txt": "0.8 1.0\n1.2 2.0\n1.2 2.4\n",
        "bottleneck/b.txt": "1.0 3.0\n2.0 5.0\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "one_way_open").mkdir()
    (tmp_path / "one_way_open" / "a.dat").write_text("#density speed\n1.0 1.2\n1.1 1.0\n2.0 0.5\n")
    assert data.is_there()
    # Half way between 1.0 and the mean of 2.0 and 2.4; the other one tried nothing so narrow.
    assert data.door_flow(1.0) == (pytest.approx((1.6 + 3.0) / 2), 2)
    assert data.door_flow(0.9) == (pytest.approx(1.3), 1)
    assert data.door_flow(3.0) is None
    assert data.door_band(1.0) == (pytest.approx(1.6), 3.0)
    assert len(data.door_points()) == 5
    assert data.walking_speed(1.0) == pytest.approx(1.1)
    assert data.walking_speed(3.0) is None
    assert data.weidmann(1.0) == pytest.approx(1.06, abs=0.01)


def test_speeds_and_meetings_of_made_up_paths():
    load("bodies")
    runs = sys.modules["_bodies_runs"]
    from walkon.metrics.trajectories import Trajectories

    seconds = np.arange(0, 301) / 30.0
    right = np.column_stack([-6.0 + 1.2 * seconds, np.zeros(301)])
    # The second stands for two seconds.
    left = np.column_stack(
        [6.0 - 1.2 * np.where(seconds < 4.0, seconds, np.maximum(seconds - 2.0, 4.0)), np.ones(301)]
    )
    people = [SimpleNamespace(start=SimpleNamespace(x=x), goals=[SimpleNamespace(x=-x)]) for x in (-6.0, 6.0)]
    run = SimpleNamespace(
        paths=Trajectories.build(30.0, [right, left]),
        take=SimpleNamespace(fps=30.0, frames=301),
        scene=SimpleNamespace(bounds=(-8.0, -2.0, 8.0, 2.0), characters=people),
    )
    assert runs.meeting(run) == pytest.approx(1.2, abs=0.05)
    assert runs.slowest_within(run, -3.0, 3.0) == pytest.approx(0.0, abs=1e-9)
    assert runs.slowest_within(run, -3.0, 0.0) == pytest.approx(1.2)
    speed, density = runs.speed_within(run, -1.0, 1.0)
    assert 0.5 < speed < 1.2
    assert density > 0.0
    assert runs.through_doors(run).times == pytest.approx([5.0, 7.0], abs=0.04)
