"""What only live crowds do: planners and trees never see it, and all that they see has the same numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.behaviors import BehaviorLibrary, build_graph
from walkon.errors import LibraryError
from walkon.planning import Problem
from walkon.planning.moves import compile_moves
from walkon.rotations import Placement
from walkon.trees.digest import graph_digest
from walkon.trees.growing import tree_moves


@pytest.fixture(scope="module")
def live(human_cast):
    return build_graph(human_cast, live=True)


def test_planners_get_no_live_steps(human_cast):
    graph = build_graph(human_cast)
    assert any(behavior.kind == "step" for behavior in human_cast)
    assert not graph.which(lambda kind: kind.live).any()
    assert {behavior.kind for behavior in graph.library} == {behavior.kind for behavior in human_cast} - {"step"}
    assert not [pose for pose in graph.poses if pose.startswith(("stroll", "amble", "brisk"))]
    assert np.array_equal(tree_moves(graph).numbers, np.arange(len(graph.durations)))


def test_the_planned_part_of_a_live_graph_is_the_planners_graph(human_cast, live):
    graph = build_graph(human_cast)
    assert graph_digest(live.planned) == graph_digest(graph)
    assert live.planned is live.planned
    assert graph.planned is graph
    tastes = {"walk*": 2.0}, ("jog_*", "close_up")
    assert graph_digest(live.customized(*tastes).planned) == graph_digest(graph.customized(*tastes))
    some = compile_moves(graph, 0, "circle")
    cut = compile_moves(live.planned, 0, "circle")
    assert all(np.array_equal(*pair) for pair in zip(some[:-1], cut[:-1], strict=True))


def test_what_planners_know_has_the_same_numbers_in_a_live_graph(live):
    planned = live.planned
    assert live.names[: len(planned.names)] == planned.names
    assert live.poses[: len(planned.poses)] == planned.poses
    assert live.which(lambda kind: kind.live)[len(planned.names) :].all()
    assert all(live.clip(number) is planned.clip(number) for number in range(len(planned.durations)))
    assert len(live.poses) > len(planned.poses)


def test_live_steps_may_be_anywhere_in_a_library(human_cast):
    steps = tuple(behavior for behavior in human_cast if behavior.kind == "step")
    others = tuple(behavior for behavior in human_cast if behavior.kind != "step")
    mixed = build_graph(BehaviorLibrary("human", (*steps, *others)), live=True)
    assert graph_digest(mixed.planned) == graph_digest(build_graph(human_cast))


def test_a_library_of_live_steps_alone_is_not_for_planners(human_cast):
    steps = BehaviorLibrary("legs", tuple(behavior for behavior in human_cast if behavior.kind == "step"))
    for live in (False, True):
        with pytest.raises(LibraryError, match="'legs' has nothing but behaviors that only live crowds use"):
            build_graph(steps, live=live)


def test_a_library_without_live_steps_is_one_graph(human_cast):
    walk = next(behavior for behavior in human_cast if behavior.name == "walk_forward")
    library = BehaviorLibrary("walk", (walk, replace(walk, name="again")))
    graph = build_graph(library, live=True)
    assert graph.library is library
    assert graph.planned is graph


def test_a_problem_is_about_what_planners_know(live):
    problem = Problem(live, None, Placement(0.0, 0.0, 0.0), 0, (), 100)
    assert problem.graph is live.planned
    assert replace(problem, seed=1).graph is live.planned
