"""Knots come undone: who has waited longest gets on, those in its way step aside, and nothing depends on
threads."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from walkon.cli.bench import _load
from walkon.crowd.live import _kernels_knots as kernels
from walkon.crowd.live import _kernels_plots as plots
from walkon.crowd.live._kernels_checks import lay_body
from walkon.crowd.live.heads import STUCK
from walkon.crowd.live.knots import Knots
from walkon.metrics import audit
from walkon.rotations.kernels_ground import standing

FOLDER = Path(__file__).resolve().parents[4] / "benchmarks"


@pytest.fixture
def corridor(stage):
    """Two people face to face in a corridor of 1 m, 10 m long, in which they cannot pass each other."""
    walls = [stage.box(f"wall {side}", 0.0, side * 2.25, 10.0, 3.5) for side in (-1, 1)]
    people = [
        stage.walker("from the left", -0.5, 0.0, 1.57, (7.0, 1.0, 0.4)),
        stage.walker("from the right", 0.5, 0.0, -1.57, (-7.0, 1.0, 0.4)),
    ]
    return lambda **more: stage.live(people, walls, (-9.0, -4.0, 9.0, 4.0), **more)


def has_moved(live):
    """Whether somebody has stepped aside for another."""
    return bool(live._engine.knots.heads._pushed)


def test_two_who_cannot_pass_each_other_get_out_and_nobody_meets_anybody(stage, corridor):
    live = corridor()
    assert stage.until(live, lambda: has_moved(live), 15.0), "nobody stands for longer than some seconds"
    assert live.time > STUCK, "and nobody pushes before"
    stage.assert_sound(live)
    assert stage.until(live, lambda: bool(live.state().arrived.all()), 90.0)
    assert audit(live.take()).counts() == {}


def test_whoever_steps_aside_sets_out_first_and_stays_until_the_other_has_passed(stage, corridor):
    live = corridor()
    heads, crew = live._engine.knots.heads, live._engine.crew
    assert stage.until(live, lambda: has_moved(live), 15.0)
    (head,) = heads._heads
    ((pushed, (for_whom, _)),) = heads._pushed.items()
    assert for_whom == head != pushed
    assert crew.led[pushed] >= crew.led[head], "it holds its place until the other is where it wants to be"
    # Out of the way of all that the other does: it might stand there all the time.
    end = live._engine.tracks[pushed, crew.length[pushed] - 1]
    for body in live._engine.tracks[head, : crew.length[head]]:
        gap = np.hypot(*(body - end)[:2])
        assert gap > 0.3


def test_a_head_stays_the_head_until_it_is_free(stage, corridor):
    live = corridor()
    heads = live._engine.knots.heads
    assert stage.until(live, lambda: has_moved(live), 15.0)
    (head,), first = heads._heads, way_left(live)
    assert stage.until(live, lambda: head not in heads._heads, 60.0)
    assert way_left(live).get(head, 0.0) < first[head] - 1.0


def way_left(live):
    crew = live._engine.crew
    return {
        int(row): float(np.hypot(*(crew.goal[row, :2] - crew.end[row, :2])))
        for row in np.flatnonzero(crew.here & ~crew.settled)
    }


def test_a_run_with_knots_is_the_same_on_any_number_of_threads(stage, corridor):
    takes = []
    for workers in (1, 2):
        live = corridor(workers=workers)
        for _ in range(500):
            live.step()
        assert has_moved(live)
        takes.append(live.history())
        live.close()
    for name in ("who", "clips", "frames", "placements"):
        np.testing.assert_array_equal(getattr(takes[0], name), getattr(takes[1], name))


def test_nobody_pushes_whoever_it_makes_way_for_and_what_is_found_is_bounded(stage, corridor, monkeypatch):
    """Conditions of what docs/live.md says is proved."""
    solved = []
    solve = Knots._solve

    def noted(self, row, engine):
        solved.append((row, solve(self, row, engine)))
        return solved[-1][1]

    monkeypatch.setattr(Knots, "_solve", noted)
    live = corridor()
    assert stage.until(live, lambda: has_moved(live), 15.0)
    head, knot = solved[-1]
    rows = [move.row for move in knot.moves]
    assert rows[-1] == head, "the head goes last"
    assert len(set(rows)) == len(rows), "and nobody goes twice"
    # One after another, they are free: whoever goes meets nobody who has gone, and nobody who is yet to go.
    engine, table = live._engine, live.repertoire.table
    for number, move in enumerate(knot.moves):
        later = [one.tube[0] for one in knot.moves[number + 1 :]]
        for body in [one.tube[-1] for one in knot.moves[:number]] + later:
            for own in move.tube:
                assert kernels.bodies_gap(own, body, table, engine.gap) >= 0.0


def test_a_clip_meets_a_body_where_one_of_its_frames_does(table):
    random = np.random.default_rng(4)
    stand = standing(0.3, -0.2, 0.7)
    found = []
    for clip in random.choice(len(table.clips), 60, replace=False).tolist():
        body = np.array([*random.uniform(-0.8, 1.0, 2), 0.0, random.uniform(-3.0, 3.0), table.resting + 2.0])
        body[2] = table.poses["rest_circle"][2][2]
        first, frames = int(table.clips["first"][clip]), int(table.clips["duration"][clip])
        own = np.empty(5)
        naive = False
        for row in range(first, first + frames):
            lay_body(stand, 0.7, table.circles[row], row, table, own)
            naive |= kernels.bodies_gap(own, body, table, 0.05) < 0.0
        found.append(naive)
        assert kernels.clip_hits(stand, clip, body, table, 0.05) == naive
    assert 5 < sum(found) < 55


def test_the_map_knows_how_far_it_is_around_a_wall():
    memory, shape = kernels.make_knot_memory(), (plots.PLOT, plots.PLOT)
    plot = plots.Plot(0.0, 0.0, np.ones(shape), np.empty(shape))
    plot.toll[: plots.PLOT - 5, 36] = np.inf
    plots.mark_place(plot, 5.0, 1.0)
    plots.spread(plot, memory)
    straight = plots.left_at(plot, 7.0, 1.0)
    around = plots.left_at(plot, 6.0, 1.0)
    assert straight > around > 15.0
    assert plots.left_at(plot, 4.0, 1.0) == pytest.approx(1.0, abs=0.2)
    assert plots.left_at(plot, -1.0, 1.0) == np.inf


@pytest.mark.parametrize(("kind", "number"), [("dead end", 0), ("door", 2), ("ring", 6)])
def test_some_of_the_knots_of_the_benchmark_come_undone(kind, number):
    found = _load(FOLDER / "knots.py").undo(kind, number)
    assert found.finished is not None
    assert not found.violations
    assert sys.modules["_knots_scenes"].make_knot(kind, number, 1).characters


def test_nobody_pushes_where_all_go_the_same_way(stage):
    """A crowd before an opening of 2.4 m: on both sides of it people face each other, but nobody is in a knot."""
    walls = [stage.box("left", 3.0, 4.2, 0.2, 6.0), stage.box("right", 3.0, -4.2, 0.2, 6.0)]
    places = [(x, z) for x in (-0.6, 0.4, 1.4, 2.2) for z in np.linspace(-3.0, 3.0, 7)]
    people = [
        stage.walker(f"p{k}", x, z, 0.5 * np.pi, (9.0, 0.3 * z), at_goal="leave")
        for k, (x, z) in enumerate(places)
    ]
    live = stage.live(people, walls, bounds=(-2.0, -4.0, 10.0, 4.0))
    for _ in range(24):
        live.step(0.5)
        assert not live._engine.knots.heads._heads
    assert len(live.people) < len(people)
