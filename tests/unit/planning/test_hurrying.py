"""Somebody in a hurry does the same things, but no slow ones to save effort, and nobody runs."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.behaviors import build_graph
from walkon.builtin.casts import fetch_library
from walkon.planning import AStar
from walkon.planning.hurrying import TIME_IS_DEAR, hurried
from walkon.world import Goal


@pytest.fixture(scope="module")
def graph():
    return build_graph(fetch_library("human", 0)).customized({}, ["gesture"])


def seconds_of(graph):
    spans = zip(graph.clip_starts[:-1], graph.clip_starts[1:], strict=True)
    return np.array([graph.durations[first:last].mean() for first, last in spans]) / graph.fps


def test_no_second_is_cheaper_than_one_of_walking_and_nobody_runs(graph):
    quick = hurried(graph)
    names = graph.names
    walk = names.index("walk_forward")
    usual = graph.costs[walk] / seconds_of(graph)[walk]
    assert (quick.costs / seconds_of(graph) >= TIME_IS_DEAR * usual * 0.999).all()
    assert (quick.costs >= graph.costs).all()
    allowed = {name for name, may in zip(names, quick.allowed, strict=True) if may}
    assert not {name for name in allowed if "jog" in name}
    assert "walk_forward" in allowed
    assert "wave" not in allowed
    assert set(quick.followers.tolist()) == set(np.flatnonzero(quick.allowed).tolist())


def test_whoever_only_stands_is_left_as_it_is(graph):
    still = graph.customized({}, ["gesture", "locomotion", "walk_wait", "*_over*", "*_under*"])
    assert hurried(still) is still


def test_who_hurries_arrives_earlier_by_steps_that_anybody_can_do(graph, toys):
    scene = toys.make_scene([(-2.4, 0.0, 3.8, 0.2), (2.4, 0.0, 3.8, 0.2)], duration=40.0, fps=30.0)
    problem = toys.make_problem(graph, scene, (1.5, -3.0, 1.0), [Goal(-1.0, 3.0, 0.3)])
    calm = AStar(inflation=1.2).plan(problem)
    quick = AStar(inflation=1.2).plan(toys.make_problem(hurried(graph), scene, (1.5, -3.0, 1.0), problem.goals))
    assert quick.status == calm.status == "found"
    assert quick.frames[-1] < calm.frames[-1]
    assert graph.entry[quick.behaviors[1:]].tolist() == graph.exit[quick.behaviors[:-1]].tolist()
