"""Takes of graph walks: one clip each, in a scene that fits, for everything that reads takes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.directing import act_script, take_of_walks
from walkon.directing.clip_takes import arrival_frame, main_label
from walkon.errors import GraphError, SceneError
from walkon.graphs.performing.walks import Walk
from walkon.metrics import audit
from walkon.motion import ground_placements
from walkon.rotations import Placement
from walkon.synthesis import perform
from walkon.take import read_take, write_take
from walkon.world import Character, Go, Goal, Scene, flat_terrain, goals_of_script

BOUNDS = (-20.0, -20.0, 20.0, 20.0)


def stroll(graph, seed: int, seconds: float, place: Placement) -> Walk:
    """A walk along random edges."""
    rng = np.random.default_rng(seed)
    start = node = int(rng.integers(graph.node_count))
    edges: list[int] = []
    while graph.frames[edges].sum() < seconds * graph.fps:
        edges.append(int(rng.choice(graph.leaving(node))))
        node = int(graph.heads[edges[-1]])
    return Walk(graph, start, np.array(edges), place)


@pytest.fixture(scope="module")
def pair(session_graph):
    """Two walks far from each other, of different lengths."""
    return {
        "ann": stroll(session_graph, 1, 4.0, Placement(0.0, 0.0, 1.0)),
        "bob": stroll(session_graph, 2, 6.0, Placement(100.0, 0.0, 2.0)),
    }


def test_a_scene_is_made_around_walks(pair):
    take = take_of_walks(None, pair)
    assert [role.character for role in take.roles] == ["ann", "bob"]
    assert take.frames == max(walk.frame_count for walk in pair.values())
    assert all(len(role) == 1 and role.arrival is not None for role in take.roles)
    assert take.fps == 30.0
    report = audit(take)
    # Whoever is done holds the last pose; that of a random walk may be one in full stride.
    assert {found.kind for found in report.violations} <= {"jump", "slide", "floating"}, report.summary()


def test_one_walk_alone_passes_the_audit(pair):
    assert audit(take_of_walks(None, {"bob": pair["bob"]})).clean


def test_what_is_performed_is_the_walk(pair):
    take = take_of_walks(None, pair)
    shown = perform(take, "ann").clip
    walk = pair["ann"]
    track = walk.path()
    places = ground_placements(shown)[: len(track), :2]
    assert np.hypot(*(places - track).T).max() < 0.25


def test_takes_of_walks_are_files_like_others(pair, tmp_path):
    take = take_of_walks(None, pair, seed=7)
    write_take(take, tmp_path / "a.take")
    again = read_take(tmp_path / "a.take")
    assert (again.seed, again.planner) == (7, "motion graph")
    np.testing.assert_array_equal(again.clips[0].clip.rotations, take.clips[0].clip.rotations)


def test_a_scene_says_when_and_at_which_rate(session_graph):
    script = (Go(0.0, 4.0),)
    start = Placement()
    late = Character("ben", start, goals_of_script(script, start), script=script, start_time=2.0, library="mine")
    other = Character("ann", Placement(5.0, 5.0), (Goal(6.0, 6.0),))
    scene = Scene("x", BOUNDS, flat_terrain(BOUNDS), characters=(other, late), fps=60.0)
    take = take_of_walks(scene, {"ben": act_script(session_graph, late)})
    assert take.fps == 60.0
    assert take.role("ben").start_frame == 120
    assert take.clips[0].library == "mine"
    assert take.unplanned == (("ann", "has no walk"),)
    assert audit(take).clean


def test_nobody_but_the_scenes_people_walks(pair):
    scene = Scene("x", BOUNDS, flat_terrain(BOUNDS))
    with pytest.raises(SceneError, match="nobody called ann, bob"):
        take_of_walks(scene, pair)
    with pytest.raises(GraphError, match="somebody who walks"):
        take_of_walks(None, {})


def test_arrival_is_when_somebody_stays():
    places = np.zeros((10, 3))
    places[:, 1] = [0, 1, 2, 3, 2, 2.9, 3, 3, 3, 3]
    goal = Goal(0.0, 3.0, 0.5)
    assert arrival_frame((goal,), places) == 5
    assert arrival_frame((), places) == 9
    assert arrival_frame((Goal(0.0, 9.0),), places) is None
    assert arrival_frame((Goal(0.0, 3.0, 0.05), goal), places) == 5
    assert arrival_frame((replace(goal, heading=1.0),), places) is None
    places[7:, 2] = 1.0
    assert arrival_frame((replace(goal, heading=1.0, heading_tolerance=0.1),), places) == 9


def test_the_main_label_is_that_of_most_frames(pair):
    clip = take_of_walks(None, pair).clips[0].clip
    counts: dict[str, int] = {}
    for label in clip.labels:
        counts[label.name] = counts.get(label.name, 0) + label.stop - label.start
    assert counts[main_label(clip)] == max(counts.values())
    assert main_label(clip.with_changes(labels=())) == "motion"
