"""The table of kinds, and a kind of one's own in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.behaviors import BEHAVIOR_KINDS, BehaviorKind, BehaviorLibrary, build_graph
from walkon.planning.moves import compile_moves, passes_of
from walkon.render.behavior_graphs import draw_behavior_graph
from walkon.trees.growing import tree_moves
from walkon.world import PASSES


def test_what_obstacles_allow_is_what_special_kinds_ask_for():
    assert {kind.passes for kind in BEHAVIOR_KINDS.values()} == {"", *PASSES}


def test_kinds_are_what_they_were():
    """Numbers of kinds are in digests of graphs; what they mean decides what planners do."""
    assert list(BEHAVIOR_KINDS)[:4] == ["locomotion", "transition", "wait", "gesture"]
    assert list(BEHAVIOR_KINDS)[4:] == ["step_over", "jump_over", "duck_under", "crawl_under", "step"]
    for asked, named in {
        "gets_about": {"locomotion", "transition", "step"},
        "everyday": {"locomotion", "transition", "wait", "step"},
        "waits": {"wait"},
        "special": set(PASSES),
        "leads_on": {"locomotion", "transition", "step", *PASSES},
        "live": {"step"},
    }.items():
        assert {name for name, kind in BEHAVIOR_KINDS.items() if getattr(kind, asked)} == named, asked


@pytest.mark.parametrize(
    ("kind", "special", "in_trees"),
    [
        (BehaviorKind("vault", "#123456", 2.0, passes="jump_over"), PASSES.index("jump_over"), False),
        (BehaviorKind("stroll", "#123456", 1.0), -1, True),
        (BehaviorKind("bow", "#123456", 3.0, leads_on=False), -1, False),
    ],
)
def test_a_kind_is_added_in_one_line(monkeypatch, human_cast, kind, special, in_trees):
    monkeypatch.setitem(BEHAVIOR_KINDS, kind.name, kind)
    walk = next(b for b in human_cast if b.kind == "locomotion" and b.entry == b.exit)
    waits = next(b for b in human_cast if b.kind == "wait" and b.entry == b.exit)
    graph = build_graph(BehaviorLibrary("toy", (walk, waits, replace(walk, name="new", kind=kind.name))))
    assert compile_moves(graph, 0, "circle").special[2] == special
    assert (len(graph.capsules) > 0) == kind.special
    assert passes_of(graph) == ({kind.passes} - {""})
    assert (2 in tree_moves(graph).followers) == in_trees
    assert f'fill="{kind.color}"' in draw_behavior_graph(graph)
    assert np.array_equal(graph.which(lambda asked: asked == kind), [False, False, True])
