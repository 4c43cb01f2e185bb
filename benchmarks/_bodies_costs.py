"""What levels cost, for `walkon bench bodies`: the same questions at every level, in one run."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from _behavior_scenes import crowd_scene, figure_problem
from _bodies_rows import Row, aim_text, blank
from _bodies_runs import at_level

if TYPE_CHECKING:
    from walkon.behaviors import BehaviorGraph
    from walkon.planning import Problem

LEVELS = ("circle", "outline", "body")
"""Side by side. The first is what the others are compared with."""

ROUNDS = 5
EXPANSIONS = 50_000
CROWD = 100
"""People of 40 s each who are planned one after another."""

AIM_RATIO, AIM_CROWD = 1.4, 5.0
"""Most that an outline may cost of a circle for each expansion; [s] for the crowd."""


def cost_rows(seed: int) -> list[Row]:
    """Rows for the search, and for a crowd, at every level."""
    from walkon.behaviors import build_graph
    from walkon.builtin.casts import fetch_library

    graph = build_graph(fetch_library("human", 0)).customized({}, without=["gesture"])
    return [*_searches(graph), *_crowds(graph, seed)]


def levels() -> tuple[str | None, ...]:
    """Those that there are; a scene that knows none has one."""
    from walkon.world import Scene

    return LEVELS if "bodies" in Scene.__dataclass_fields__ else (None,)


def _searches(graph: BehaviorGraph) -> list[Row]:
    """Nanoseconds for an expansion, among things that stand; rounds take turns, the best counts."""
    from walkon.planning import AStar

    planner = AStar(heuristic="line", max_expansions=EXPANSIONS)
    posed = {level: _posed(graph, level) for level in levels()}
    best, plans = dict.fromkeys(posed, float("inf")), {}
    for _ in range(ROUNDS + 1):
        for level, problem in posed.items():
            begun = time.perf_counter()
            plans[level] = planner.plan(problem)
            best[level] = min(best[level], time.perf_counter() - begun)
    rows = []
    for level in posed:
        expanded = max(plans[level].statistics.expanded, 1)
        each = 1e9 * best[level] / expanded
        first = 1e9 * best[levels()[0]] / max(plans[levels()[0]].statistics.expanded, 1)
        row = _cost("an expansion", level, each, "ns", first)
        if level == "outline":
            row |= {"aim": aim_text(("of a circle's", AIM_RATIO, each <= AIM_RATIO * first))}
        rows.append(row | {"remark": f"{expanded / best[level]:.0f} expansions a second; {plans[level].status}"})
    return rows


def _posed(graph: BehaviorGraph, level: str | None) -> Problem:
    """A search in a world that nobody can leave."""
    from walkon.world import build_world

    problem = figure_problem(graph)
    scene = problem.world.scene
    walls = tuple(replace(thing, passes=()) for thing in scene.obstacles)
    return replace(problem, world=build_world(at_level(replace(scene, obstacles=walls), level)))


def _crowds(graph: BehaviorGraph, seed: int) -> list[Row]:
    """Seconds to plan many people on long ways."""
    from walkon.crowd import plan_crowd
    from walkon.directing import default_planner
    from walkon.world import build_world

    rows, first = [], None
    for level in levels():
        world, graphs = build_world(at_level(crowd_scene(CROWD), level)), [graph] * CROWD
        tries = [plan_crowd(world, graphs, default_planner(CROWD), seed=seed) for _ in range(2)]
        found = min(tries, key=lambda crowd: crowd.seconds)
        first = first or found.seconds
        plans = [plan for plan in found.plans if plan is not None]
        motion = sum(int(plan.frames[-1] - plan.frames[0]) for plan in plans) / graph.fps
        met = len(plans) == CROWD and found.seconds <= AIM_CROWD
        rows.append(
            _cost(f"a crowd of {CROWD}", level, found.seconds, "s", first)
            | {"people": CROWD, "done": len(plans), "aim": aim_text(("s", AIM_CROWD, met))}
            | {"remark": f"{motion / max(len(plans), 1):.0f} s each; {found.expanded} expansions"}
        )
    return rows


def _cost(what: str, level: str | None, value: float, unit: str, first: float) -> Row:
    return blank("costs", what) | {
        "level": level or "circle",
        "value": round(value, 2),
        "unit": unit,
        "measured": round(first, 2),
        "%": round(100.0 * value / first, 1),
    }
