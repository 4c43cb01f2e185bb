"""Scripts on built-in motion: every step is met and measured, and what cannot be met is said."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from walkon.builtin import make_walk
from walkon.directing import act_script, take_of_walks
from walkon.directing.reports import _off_line
from walkon.directing.scripts import whole_script
from walkon.errors import GraphError
from walkon.graphs import assemble_graph
from walkon.metrics import audit
from walkon.motion import ground_placements
from walkon.rotations import Placement
from walkon.world import (
    Character,
    Do,
    Face,
    Follow,
    Go,
    Goal,
    Scene,
    Style,
    Via,
    Wait,
    flat_terrain,
    goals_of_script,
)

BOUNDS = (-30.0, -30.0, 30.0, 30.0)
ARC = tuple((3.0 * math.sin(t), 3.0 - 3.0 * math.cos(t)) for t in np.linspace(0.0, math.pi, 20))


def actor(*script, start: Placement | None = None, **more) -> Character:
    start = start or Placement(1.0, -2.0, 0.4)
    return Character("ben", start, goals_of_script(script, start), script=script, **more)


def audited(character: Character, acted):
    return audit(take_of_walks(Scene("x", BOUNDS, flat_terrain(BOUNDS), characters=(character,)), {"ben": acted}))


@pytest.mark.parametrize(
    "script",
    [
        (Go(1.0, 4.0),),
        (Go(2.0, 3.0, 0.3), Wait(2.0), Go(-3.0, 5.0)),
        (Via(1.0, 4.0), Go(6.0, 5.0)),
        (Go(1.0, 3.0), Face(math.pi / 2, math.radians(20.0)), Wait(1.0)),
        (Go(1.0, -8.0),),
        (Do("wave"), Go(3.0, 2.0)),
        (Go(3.0, 5.0), Do("jump"), Go(7.0, 14.0)),
    ],
    ids=["go", "wait", "via", "face", "behind", "wave", "jump"],
)
def test_steps_are_met_and_the_take_passes_the_audit(session_graph, script):
    character = actor(*script)
    acted = act_script(session_graph, character, seed=1)
    assert acted.met, acted.summary()
    report = audited(character, acted)
    assert report.clean, report.summary()
    # What is reported is what can be seen.
    places = ground_placements(acted.clip)
    for step, said in zip(script, acted.reports, strict=True):
        if isinstance(step, Go):
            assert math.dist(places[said.last, :2], (step.x, step.z)) == pytest.approx(said.amount)
            assert said.amount <= step.tolerance
        assert 0 <= said.first <= said.last < len(acted.clip)
    assert [said.first for said in acted.reports] == sorted(said.first for said in acted.reports)


def test_a_drawn_line_is_followed(session_graph):
    character = actor(Follow(ARC), start=Placement(0.0, 0.0, math.pi / 2))
    acted = act_script(session_graph, character)
    assert acted.met, acted.summary()
    assert acted.reports[0].amount <= 0.5
    assert audited(character, acted).clean


def test_what_comes_after_a_line_is_not_held_against_it():
    line = Follow(((0.0, 0.0), (0.0, 4.0), (3.0, 4.0)), tolerance=0.5)
    along = [(0.1, 0.1 * k, 0.0) for k in range(41)] + [(0.1 * k, 4.0, 0.0) for k in range(2, 31)]
    beyond = [(3.0 + 0.1 * k, 4.0, 0.0) for k in range(40)]
    assert _off_line(line, np.array(along + beyond)) == pytest.approx(0.1, abs=0.03)
    assert _off_line(line, np.array(along[:50])) == pytest.approx(3.0 - along[49][0], abs=0.03)
    ring = Follow(
        tuple((math.sin(a), 1.0 - math.cos(a)) for a in np.linspace(0.0, 2.0 * np.pi, 60)), tolerance=0.5
    )
    around = np.array(
        [(1.2 * math.sin(a), 1.0 - 1.2 * math.cos(a), 0.0) for a in np.linspace(0.0, 2.0 * np.pi, 90)]
    )
    # It ends where it begins, but is not over before it was gone around.
    assert _off_line(ring, around) == pytest.approx(0.2, abs=0.02)
    assert _off_line(ring, around[:45]) > 1.5


def test_styles_change_where_they_are_said_to(session_graph):
    acted = act_script(session_graph, actor(Go(1.0, 3.0), Style("run"), Go(1.0, 16.0)))
    assert acted.met, acted.summary()
    running = [label for label in acted.clip.labels if label.name == "run"]
    assert sum(label.stop - label.start for label in running) > 60
    assert running[0].start > acted.reports[0].last - 30


def test_somebody_starts_where_the_scene_says(straight_graph):
    # A body that walks sways about its track: it is the body that starts there.
    for seed in range(6):
        character = actor(Go(-3.3, 1.6, 5.0), start=Placement(4.0, 5.0, -2.0))
        x, z, heading = ground_placements(act_script(straight_graph, character, seed=seed, attempts=1).clip)[0]
        assert (x, z) == pytest.approx((4.0, 5.0), abs=0.005)
        assert math.remainder(heading + 2.0, 2.0 * math.pi) == pytest.approx(0.0, abs=0.02)


def test_the_same_seed_gives_the_same_walk_and_others_differ(session_graph):
    walks = [act_script(session_graph, actor(Go(3.0, 4.0)), seed=seed).walk for seed in (3, 3, 4, 5, 6)]
    edges = [tuple(walk.edges.tolist()) for walk in walks]
    assert edges[0] == edges[1]
    assert len(set(edges)) > 1


def test_a_hard_step_that_cannot_be_met_is_reported(session_graph):
    acted = act_script(session_graph, actor(Do("dance"), Go(1.0, 3.0)), attempts=2)
    assert not acted.met
    (missed,) = acted.missed
    assert (missed.number, missed.amount, missed.unit) == (0, 0.0, "times")
    assert "called 'dance'; there are: cheer, jump, run, stand, walk, wave" in missed.note
    assert "NOT MET" in acted.summary()
    assert acted.reports[1].met  # the rest goes on


def test_a_tolerance_that_nobody_can_keep_is_reported_with_how_far_it_was(session_graph):
    acted = act_script(session_graph, actor(Go(1.0, 4.0, 0.001)), attempts=1)
    assert not acted.met
    assert 0.001 < acted.reports[0].amount < 1.5
    assert acted.cost > 1000.0


def test_a_soft_step_is_met_as_nearly_as_possible(session_graph):
    script = (Go(1.0, 4.0, 0.001, soft=True, weight=3.0),)
    acted = act_script(session_graph, actor(*script), attempts=2)
    assert acted.met
    assert not acted.reports[0].met
    assert acted.reports[0].amount < 1.5
    assert 0.0 < acted.cost == pytest.approx(3.0 * acted.reports[0].misfit + 10.0 * acted.stray)
    assert "nearly" in acted.summary()


def test_whoever_leaves_the_bounds_is_told(session_graph):
    character = actor(Go(1.0, 3.0), Go(1.0, -3.0))
    inside = act_script(session_graph, character, bounds=(-3.0, -5.0, 5.0, 6.0))
    assert inside.met
    assert inside.outside == 0.0
    path = inside.walk.path()
    assert (path.min(axis=0) >= (-2.3 - 1e-9, -4.3 - 1e-9)).all()
    assert (path.max(axis=0) <= (4.3 + 1e-9, 5.3 + 1e-9)).all()
    tight = act_script(session_graph, character, bounds=(-3.0, -5.0, 5.0, 2.0), attempts=1)
    assert tight.outside > 0.3
    assert "leaves the bounds by" in tight.summary()


def test_waiting_is_standing_still(session_graph):
    acted = act_script(session_graph, actor(Wait(3.0)))
    assert acted.met
    said = acted.reports[0]
    places = ground_placements(acted.clip)[said.first : said.last + 1, :2]
    assert len(places) >= 3.0 * session_graph.fps
    assert np.hypot(*(places - places[0]).T).max() < 0.4
    standing = np.zeros(len(acted.clip), dtype=bool)
    for label in acted.clip.labels:
        if label.name == "stand":
            standing[label.start : label.stop] = True
    assert standing[said.first : said.last + 1].all()


def test_things_are_done_as_often_and_as_long_as_asked(session_graph):
    acted = act_script(session_graph, actor(Do("wave", 2), Do("walk", seconds=3.0)))
    assert acted.met, acted.summary()
    waves = [label for label in acted.clip.labels if label.name == "wave"]
    assert len(waves) >= 2
    said = acted.reports[1]
    assert (said.last - said.first + 1) / session_graph.fps >= 3.0


def test_a_goal_besides_the_script_comes_last():
    start, script = Placement(), (Do("wave"),)
    given = Character("a", start, (Goal(3.0, 4.0, 0.3, 1.0, 0.5),), script=script)
    assert whole_script(given) == (*script, Go(3.0, 4.0, 0.3), Face(1.0, 0.5))
    assert whole_script(replace(given, script=(Go(3.0, 4.0, 0.3), Face(1.0, 0.5)))) == (
        Go(3.0, 4.0, 0.3),
        Face(1.0, 0.5),
    )
    assert whole_script(replace(given, goals=goals_of_script(script, start))) == script
    with pytest.raises(GraphError, match="has no script"):
        whole_script(replace(given, script=()))


def test_somebody_who_ends_doing_something_has_the_end_as_goal(session_graph):
    character = actor(Go(2.0, 3.0), Do("jump"))
    acted = act_script(session_graph, character)
    assert acted.met, acted.summary()
    take = take_of_walks(Scene("x", BOUNDS, flat_terrain(BOUNDS), characters=(character,)), {"ben": acted})
    (played,) = take.scene.characters
    assert played.goals[:-1] == character.goals
    assert audit(take).clean


@pytest.fixture(scope="module")
def straight_graph(graph_of):
    """People who walk straight ahead at three speeds, and nothing else."""
    return graph_of([make_walk(speed=v, cycles=4).with_changes(name=f"walk {v}") for v in (1.0, 1.3, 1.6)])


def test_a_graph_that_cannot_stand_says_so_and_walks_on(straight_graph):
    acted = act_script(straight_graph, actor(Go(0.0, 8.0), Wait(1.0), start=Placement()), attempts=1)
    go, wait = acted.reports
    assert go.met
    assert not wait.met
    assert "called 'stand'; there are: walk" in wait.note


def test_a_place_that_a_graph_cannot_reach_is_missed_by_as_little_as_it_can(straight_graph):
    acted = act_script(straight_graph, actor(Go(3.0, 8.0), start=Placement()), attempts=1)
    assert not acted.met
    assert 0.5 < acted.reports[0].amount < 4.0


def test_styles_that_a_graph_does_not_have_are_said_to_be_missing(straight_graph):
    acted = act_script(straight_graph, actor(Style("run"), Go(0.0, 8.0), start=Placement()), attempts=1)
    assert not acted.reports[0].met
    assert "'run'" in acted.reports[0].note
    assert acted.reports[1].met


def test_dead_ends_are_not_walked_into(session_graph):
    corpus = session_graph.corpus
    whole = assemble_graph(corpus, session_graph.transitions)  # with all the ends of its recordings
    acted = act_script(whole, actor(Go(1.0, 3.0), Wait(1.0), Go(-3.0, 4.0)), seed=1)
    assert acted.met, acted.summary()


def test_facings_are_met_one_after_another(session_graph):
    acted = act_script(session_graph, actor(Go(1.0, 3.0), Face(1.5), Face(-1.5), Wait(1.0)), seed=1)
    assert acted.met, acted.summary()
    assert acted.reports[1].last < acted.reports[2].last
    assert acted.stray == 0.0


def test_recordings_can_be_directed(recorded_graph):
    names = frozenset().union(*recorded_graph.corpus.label_sets)
    assert {"stand", "walk"} <= names
    character = actor(Via(1.0, 3.0), Go(4.0, 5.0), Wait(1.0), Go(8.0, 8.0), Do("jump"), Go(6.0, 14.0), Face(0.0))
    acted = act_script(recorded_graph, character, seed=2)
    assert acted.met, acted.summary()
    # A blend into or out of a recorded jump may hang in the air for a few frames: the audit says so, and rightly.
    report = audited(character, acted)
    assert {found.kind for found in report.violations} <= {"floating"}, report.summary()
