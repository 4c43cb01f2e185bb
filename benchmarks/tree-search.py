"""Precomputed trees beside forward search: time, checks, solved queries, cost (Lau 2009, table 4.2).

Random queries as benchmarks/_queries.py draws them, as many as Lau's. A* and weighted A* use the straight
line, as there; `A*, routes` is our A* with the heuristic around obstacles. They tell states apart by 0.25 m and
10°, so that a tree may be cheaper now and then, and have failed if not done after 400,000 expansions. `SPST,
thesis` is Lau's algorithm 2; `SPST, ours` is what our planners use. Both are searched by our backward search, that
checks exactly what the cells leave open. Every way found is gone once more with the checks of A*.

`µs`: mean over the queries that all methods solve, each the median of several rounds, compiled before. For a tree
it is the backward search alone, as Lau's, but ours maps cells when it first comes to them, so that this is
in it; `µs begun` adds putting the tree into the world. The world's distance field is there before, for A* as for
trees; a remark says what it takes. `time %`: mean of the ratios to A*, as in Lau's, which gives easy queries
the same weight as hard ones; `means %`: ratio of the mean times. `checks`: clips checked against obstacles; for
A* these are nodes kept and clips refused. `cost %`: mean of the ratios to A*. A TreePlanner takes sub-goals where
the tree has no way to the goal, and no forward search. `thesis`: his solved %, time %, checks %, cost %.

The C is 8 m wide and 4 m deep, in the middle of a way of 12 m. It is open to the start, which is hard for a
forward search, or to the goal, which is hard for a backward one. Lau compares A* on the first with trees on
the second; how large his C is he does not say. `thesis`: his µs, checks, cost.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import numpy as np
from _queries import (
    OURS,
    Answers,
    ask_lookup,
    ask_planner,
    behavior_graph,
    box,
    builders,
    calling,
    draw_problems,
    joined,
    problem_in,
    tree_region,
    world_with,
)
from _search_rows import MANY, Grown, Row, aim_rows, c_row, crowded_row, random_row

if TYPE_CHECKING:
    from walkon.behaviors import BehaviorGraph
    from walkon.planning import Planner, Problem
    from walkon.trees.growing import Builder
    from walkon.trees.lookup import Lookup

QUERIES = 1774
AT_ONCE = 60
"""Worlds in memory at a time."""

CROWDED = 200
"""Queries with exactly MANY obstacles."""

ROUNDS = 5
SEED = 4
MOST = 400_000
"""Expansions of a forward search."""

NODES = 500_000
"""Of the tree that shall be built in AIM_BUILD seconds; what its nodes take decides how many the others have."""

MEGABYTES = (25, 50)
MEGABYTE = 1_000_000


def measure() -> list[Row]:
    """Rows for random queries, crowded ones, the C, and the aims."""
    from walkon.trees.lookup import Lookup

    begun = time.perf_counter()
    graph = behavior_graph()
    first, trees = grow_all(graph)
    _say(begun, f"{len(trees) + 1} trees grown")
    methods = _methods(graph, trees)
    random = np.random.default_rng(SEED)
    parts: dict[str, list[Answers]] = {who: [] for who in methods}
    for done in range(0, QUERIES, AT_ONCE):
        for who, answers in _ask(methods, draw_problems(graph, random, min(AT_ONCE, QUERIES - done))).items():
            parts[who].append(answers)
        _say(begun, f"{min(done + AT_ONCE, QUERIES)} queries")
    answers = {who: joined(part) for who, part in parts.items()}
    crowded, field = _ask_crowded(graph, methods, random)
    _say(begun, f"{CROWDED} queries among {MANY} obstacles")
    call = calling(Lookup(trees[-1].forest, graph), c_problem(graph, opening="start"))
    return [
        *(random_row(who, answers, trees) for who in answers),
        *(crowded_row(who, crowded, field, call) for who in crowded),
        *(
            c_row(opening, who, one, trees)
            for opening in ("start", "goal")
            for who, one in _ask(methods, [c_problem(graph, opening=opening)]).items()
        ),
        *aim_rows(first, trees, answers, crowded),
    ]


def grow_all(graph: BehaviorGraph) -> tuple[Grown, list[Grown]]:
    """Our tree of NODES nodes; and for every size Lau's tree and ours, of the nodes that take so much."""
    known = builders()
    for builder in known.values():
        _grow(graph, "compiled by this", 0, builder, 1000)
    first = _grow(graph, OURS, 0, known[OURS], NODES)
    size = first.forest.nbytes / len(first.forest)
    return first, [
        _grow(graph, f"{who}, {megabytes} MB", megabytes, builder, round(megabytes * MEGABYTE / size))
        for who, builder in known.items()
        for megabytes in MEGABYTES
    ]


def _grow(graph: BehaviorGraph, who: str, megabytes: int, builder: Builder, nodes: int) -> Grown:
    from walkon.trees.planting import plant

    region = tree_region()
    begun = time.perf_counter()
    forest = plant(graph, builder, nodes=nodes, region=region, poses=["walk"])
    return Grown(who, megabytes, forest, time.perf_counter() - begun)


def _methods(graph: BehaviorGraph, trees: list[Grown]) -> dict[str, Planner | Lookup]:
    from walkon.planning import AStar
    from walkon.trees.lookup import Lookup
    from walkon.trees.planner import TreePlanner

    return {
        "A*": AStar(heuristic="line", max_expansions=MOST),
        "weighted A*, w = 2": AStar(heuristic="line", inflation=2.0, max_expansions=MOST),
        "A*, routes": AStar(max_expansions=MOST),
        **{tree.who: Lookup(tree.forest, graph) for tree in trees},
        f"TreePlanner, {trees[-1].megabytes} MB": TreePlanner(forests=(trees[-1].forest,), forward=None),
    }


def _ask(methods: dict[str, Planner | Lookup], problems: list[Problem]) -> dict[str, Answers]:
    from walkon.trees.lookup import Lookup

    return {
        who: ask_lookup(method, problems, ROUNDS)
        if isinstance(method, Lookup)
        else ask_planner(method, problems, ROUNDS)
        for who, method in methods.items()
    }


def _ask_crowded(
    graph: BehaviorGraph, methods: dict[str, Planner | Lookup], random: np.random.Generator
) -> tuple[dict[str, Answers], float]:
    """A* and our trees among exactly MANY obstacles; and seconds to make the distance field of such a world."""
    from walkon.world import build_world

    asked = {who: method for who, method in methods.items() if who == "A*" or who.startswith(OURS)}
    parts: dict[str, list[Answers]] = {who: [] for who in asked}
    fields = []
    for done in range(0, CROWDED, AT_ONCE):
        problems = draw_problems(graph, random, min(AT_ONCE, CROWDED - done), (MANY, MANY))
        for who, answers in _ask(asked, problems).items():
            parts[who].append(answers)
        begun = time.perf_counter()
        build_world(problems[0].world.scene)
        fields.append(time.perf_counter() - begun)
    return {who: joined(part) for who, part in parts.items()}, float(np.median(fields))


def c_problem(graph: BehaviorGraph, *, opening: str) -> Problem:
    """Through the middle of a C to the other side. opening: to the start, or to the goal."""
    near, far = 4.0, 8.0
    back, arms = (far, near + 2.0) if opening == "start" else (near, near + 2.0)
    walls = [
        box("back", 0.0, back, 8.0, 0.4),
        box("left arm", 3.8, arms, 0.4, far - near),
        box("right arm", -3.8, arms, 0.4, far - near),
    ]
    return problem_in(graph, world_with(walls), 0.0, 12.0)


def _say(begun: float, text: str) -> None:
    print(f"{time.perf_counter() - begun:5.0f} s  {text}", file=sys.stderr, flush=True)
