"""Precomputed trees beside forward search: time, checks, solved queries, cost (Lau's thesis, table 4.2).

Random queries as benchmarks/_queries.py draws them, as many as in the thesis. A* and weighted A* use the straight
line, as there; `A*, routes` is our A* with the heuristic around obstacles. They tell states apart by 0.25 m and
10°, so that a tree may be cheaper now and then, and have failed if not done after 400,000 expansions. `SPST by the
thesis` is its algorithm 2; `SPST, ours` is what our planners use. Both are searched by our backward search, which
checks exactly what the cells leave open. Every way found is gone once more with the checks of A*.

`µs`: mean over the queries that all methods solve, each the median of several rounds, compiled before. For a tree
it is the backward search alone, as in the thesis, but ours maps cells when it first comes to them, so that this is
in it; `µs begun` adds putting the tree into the world. The world's distance field is there before, for A* as for
trees; a remark says what it takes. `time %`: mean of the ratios to A*, as in the thesis, which gives easy queries
the same weight as hard ones; `of means %`: ratio of the mean times. `checks`: clips checked against obstacles; for
A* these are nodes kept and clips refused. `cost %`: mean of the ratios to A*. A TreePlanner takes sub-goals where
the tree has no way to the goal, and no forward search.

The C is 8 m wide and 4 m deep, in the middle of a way of 12 m. It is open to the start, which is hard for a
forward search, or to the goal, which is hard for a backward one. The thesis compares A* on the first with trees on
the second; how large its C is it does not say.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from _queries import (
    OURS,
    Answers,
    ask_lookup,
    ask_planner,
    behavior_graph,
    box,
    builders,
    draw_problems,
    joined,
    load,
    problem_in,
    tree_region,
    world_with,
)

if TYPE_CHECKING:
    from walkon.behaviors import BehaviorGraph
    from walkon.planning import Planner, Problem
    from walkon.trees.forest import Forest
    from walkon.trees.growing import Builder
    from walkon.trees.lookup import Lookup

QUERIES = 1774
AT_ONCE = 60
"""Worlds in memory at a time."""

CROWDED = 200
"""Queries with exactly MANY obstacles."""

MANY = 50
ROUNDS = 5
SEED = 4
MOST = 400_000
"""Expansions of a forward search."""

NODES = 500_000
"""Of the tree that shall be built in AIM_BUILD seconds; what its nodes take decides how many the others have."""

MEGABYTES = (25, 50)
MEGABYTE = 1_000_000
THESIS_SECONDS = {25: 199, 50: 477}
THESIS = {
    "A*": (100.0, 100.0, 97.91, 100.0),
    "weighted A*, w = 2": (79.42, 12.31, 97.91, 105.12),
    50: (0.47, 7.27, 94.76, 113.80),
    25: (0.44, 4.23, 93.63, 115.48),
}
"""Time [% of A*], checks [%], solved [%], cost [%]."""

THESIS_C = {
    "A*": "thesis: 2,411,505 µs, 2,885,740 checks, cost 786",
    "weighted A*, w = 2": "thesis: 1,276,468 µs, 1,559,632 checks, cost 846",
    25: "thesis: 461 µs, 210 checks, cost 884",
}

AIM_TIME, AIM_BEHIND, AIM_COST = 0.1, 1.0, 108.0
"""[% of A*], percent of the queries fewer than A*, [% of A*]."""

AIM_SEARCH, AIM_MAPPED, AIM_BUILD, AIM_BYTES = 20.0, 100.0, 10.0, 64.0
"""[µs], [µs] with MANY obstacles mapped, [s], a node."""

Row = dict[str, object]


class Grown(NamedTuple):
    """A tree, who it is, and how long it took [s]. megabytes: what it was to be like."""

    who: str
    megabytes: int
    forest: Forest
    seconds: float


def measure() -> list[Row]:
    """Rows for random queries, crowded ones, the C, and the aims."""
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
    rows = [_row(who, answers, trees) for who in answers]
    rows += [_crowded_row(who, crowded, field) for who in crowded]
    rows += _c_rows(graph, methods, trees)
    return rows + _aims(first, trees, answers, crowded)


def grow_all(graph: BehaviorGraph) -> tuple[Grown, list[Grown]]:
    """Our tree of NODES nodes; and for every size the thesis's tree and ours, of the nodes that take so much."""
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


def _row(who: str, answers: dict[str, Answers], trees: list[Grown]) -> Row:
    own, base = answers[who], answers["A*"]
    common = np.all([one.solved for one in answers.values()], axis=0)
    tree = next((tree for tree in trees if tree.who == who), None)
    theirs = THESIS.get(who if tree is None else tree.megabytes, (None,) * 4)
    ratio = _ratios(own.seconds, base.seconds, common)
    return {
        "queries": f"random, {int(common.sum())} of {len(common)}",
        "who": who,
        "solved %": round(100.0 * float(own.solved.mean()), 2),
        "thesis solved %": theirs[2],
        "µs": round(1e6 * float(own.seconds[common].mean()), 1),
        "µs begun": round(1e6 * float(own.whole[common].mean()), 1),
        "time %": round(ratio, 3),
        "thesis time %": theirs[0],
        "of means %": round(100.0 * float(own.seconds[common].mean() / base.seconds[common].mean()), 3),
        "checks": round(float(own.checks[common].mean()), 1),
        "checks %": round(_ratios(own.checks, base.checks, common), 2),
        "thesis checks %": theirs[1],
        "cost": round(float(own.costs[common].mean()), 2),
        "cost %": round(_ratios(own.costs, base.costs, common), 2),
        "thesis cost %": theirs[3],
        "remark": _remark(own, base, tree),
    }


def _ratios(own: np.ndarray, base: np.ndarray, common: np.ndarray) -> float:
    """Mean of the ratios of two (Q,) where both have an answer [%]."""
    return 100.0 * float(np.mean(own[common] / np.maximum(base[common], 1e-12)))


def _remark(own: Answers, base: Answers, tree: Grown | None) -> str:
    if own is base:
        failed, stopped = int((~own.solved).sum()), int(own.stopped.sum())
        return f"{failed} not solved, {stopped} of these given up after {MOST} expansions; {load()}"
    lost, won = int((base.solved & ~own.solved).sum()), int((own.solved & ~base.solved).sum())
    said = [f"{lost} that A* solves are not, {won} more are"]
    if tree is None:
        return said[0]
    solved = own.solved
    said.append(
        f"median {1e6 * float(np.median(own.seconds[solved])):.0f} µs" if solved.any() else "nothing solved"
    )
    if not solved.all():
        said.append(f"{1e6 * float(own.seconds[~solved].mean()):.0f} µs to find nothing")
    forest = tree.forest
    took = f"{len(forest)} nodes, {forest.nbytes / 1e6:.1f} MB, {forest.nbytes / len(forest):.0f} bytes each"
    return "; ".join([*said, f"{took}, grown in {tree.seconds:.1f} s (thesis: {THESIS_SECONDS[tree.megabytes]})"])


def _blank(queries: str, who: str) -> Row:
    names = ("solved %", "µs", "µs begun", "time %", "of means %", "checks", "checks %", "cost", "cost %")
    row: Row = {"queries": queries, "who": who}
    for name in names:
        row[name] = None
        if name in ("solved %", "time %", "checks %", "cost %"):
            row[f"thesis {name}"] = None
    return row | {"remark": ""}


def _crowded_row(who: str, crowded: dict[str, Answers], field: float) -> Row:
    own, base = crowded[who], crowded["A*"]
    common = np.all([one.solved for one in crowded.values()], axis=0)
    remark = f"the world's distance field was made before, for any number of searches, in {1e3 * field:.0f} ms"
    if own is not base:
        cells = float(own.mapped[common].mean())
        remark = f"{cells:.0f} cells mapped; {_mean(own.whole):.0f} µs begun, with those not solved"
    return _blank(f"{MANY} obstacles, {int(common.sum())} of {len(common)}", who) | {
        "solved %": round(100.0 * float(own.solved.mean()), 2),
        "µs": round(_mean(own.seconds[common]), 1),
        "µs begun": round(_mean(own.whole[common]), 1),
        "time %": round(_ratios(own.seconds, base.seconds, common), 3),
        "of means %": round(100.0 * float(own.seconds[common].mean() / base.seconds[common].mean()), 3),
        "checks": round(float(own.checks[common].mean()), 1),
        "checks %": round(_ratios(own.checks, base.checks, common), 2),
        "cost": round(float(own.costs[common].mean()), 2),
        "cost %": round(_ratios(own.costs, base.costs, common), 2),
        "remark": remark,
    }


def _mean(seconds: np.ndarray) -> float:
    """[µs]"""
    return 1e6 * float(seconds.mean())


def _c_rows(graph: BehaviorGraph, methods: dict[str, Planner | Lookup], trees: list[Grown]) -> list[Row]:
    rows = []
    sizes = {tree.who: tree.megabytes for tree in trees}
    for opening in ("start", "goal"):
        problem = c_problem(graph, opening=opening)
        for who, answers in _ask(methods, [problem]).items():
            # Each as in the thesis: into the C.
            compared = (opening == "goal") == (who in sizes)
            rows.append(_blank(f"C, open to the {opening}", who) | {
                "solved %": 100.0 * float(answers.solved[0]),
                "µs": round(1e6 * float(answers.seconds[0]), 1),
                "µs begun": round(1e6 * float(answers.whole[0]), 1),
                "checks": int(answers.checks[0]),
                "cost": round(float(answers.costs[0]), 2) if answers.solved[0] else None,
                "remark": THESIS_C.get(sizes.get(who, who), "") if compared else "",
            })  # fmt: skip
    return rows


def _aims(first: Grown, trees: list[Grown], answers: dict[str, Answers], crowded: dict[str, Answers]) -> list[Row]:
    """What the issue asks for, beside what our trees do."""
    base = answers["A*"]
    common = np.all([one.solved for one in answers.values()], axis=0)
    dense = np.all([one.solved for one in crowded.values()], axis=0)
    rows = []
    for tree in trees:
        if not tree.who.startswith(OURS):
            continue
        own = answers[tree.who]
        means = 100.0 * float(own.seconds[common].mean() / base.seconds[common].mean())
        behind = 100.0 * float(base.solved.mean() - own.solved.mean())
        for what, value, aim in (
            ("% of A*'s time, mean of ratios", _ratios(own.seconds, base.seconds, common), AIM_TIME),
            ("% of A*'s time, ratio of means", means, AIM_TIME),
            ("% of the queries fewer than A*", behind, AIM_BEHIND),
            ("% of A*'s cost", _ratios(own.costs, base.costs, common), AIM_COST),
            ("µs, mean", _mean(own.seconds[common]), AIM_SEARCH),
            (f"µs with {MANY} obstacles mapped", _mean(crowded[tree.who].whole[dense]), AIM_MAPPED),
        ):
            rows.append(_aim(tree.who, what, value, aim))
    who, size = f"{first.who}, {len(first.forest)} nodes", first.forest.nbytes / len(first.forest)
    return [*rows, _aim(who, "s to grow", first.seconds, AIM_BUILD), _aim(who, "bytes a node", size, AIM_BYTES)]


def _aim(who: str, what: str, value: float, aim: float) -> Row:
    remark = f"{value:.4g} {what}: aim {aim:g} {'met' if value <= aim else 'not met'}"
    return _blank("aim", who) | {"remark": remark}


def _say(begun: float, text: str) -> None:
    print(f"{time.perf_counter() - begun:5.0f} s  {text}", file=sys.stderr, flush=True)
