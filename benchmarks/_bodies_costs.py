"""What levels cost, for `walkon bench bodies`: the same questions at every level, in one run."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from _behavior_scenes import crowd_scene, figure_problem
from _bodies_rows import Row, aim_text, blank
from _bodies_runs import at_level
from _queries import OURS, ask_lookup, builders, draw_problems, tree_region

if TYPE_CHECKING:
    from walkon.behaviors import BehaviorGraph
    from walkon.planning import Problem, Reservations

LEVELS = ("circle", "outline", "body")
"""Side by side. The first is what the others are compared with."""

ROUNDS = 5
EXPANSIONS = 50_000
WALKERS = 30
"""People among whom somebody searches: about one for every 20 m²."""

CROWD = 100
"""People of 40 s each who are planned one after another."""

NODES, QUERIES = 250_000, 200
"""Of the tree that is looked up, and how often."""

UNSEEN = 5
"""A performer of the cast whose outlines nothing else here needs."""

AIM_RATIO, AIM_CROWD, AIM_LOOKUP = 1.4, 5.0, 20.0
"""Most that an outline may cost of a circle for each expansion; [s] for the crowd; [µs] for a lookup."""

AIM_MADE, AIM_KEPT = 2.0, 3.0
"""[s] and [MB] for the outlines of a library."""


def cost_rows(seed: int) -> list[Row]:
    """Rows for searches, tree lookups and a crowd at every level, and for the tables of outlines."""
    from walkon.behaviors import build_graph
    from walkon.builtin.casts import fetch_library

    graph = build_graph(fetch_library("human", 0)).customized({}, without=["gesture"])
    return [
        *_searches(graph, 0), *_searches(graph, WALKERS), *_lookups(graph, seed), *_crowds(graph, seed), *_tables()
    ]  # fmt: skip


def levels() -> tuple[str | None, ...]:
    """Those that there are; a scene that knows none has one."""
    from walkon.world import Scene

    return LEVELS if "bodies" in Scene.__dataclass_fields__ else (None,)


def _searches(graph: BehaviorGraph, people: int) -> list[Row]:
    """Nanoseconds for an expansion, among things that stand and people who walk; rounds take turns, the best
    counts."""
    from walkon.planning import AStar

    planner = AStar(heuristic="line", max_expansions=EXPANSIONS)
    posed = {level: _posed(graph, level, people) for level in levels()}
    best, plans = dict.fromkeys(posed, float("inf")), {}
    for _ in range(ROUNDS + 1):
        for level, problem in posed.items():
            begun = time.process_time()
            plans[level] = planner.plan(problem)
            best[level] = min(best[level], time.process_time() - begun)
    rows = []
    for level in posed:
        expanded = max(plans[level].statistics.expanded, 1)
        each = 1e9 * best[level] / expanded
        first = 1e9 * best[levels()[0]] / max(plans[levels()[0]].statistics.expanded, 1)
        row = _cost(f"an expansion among {people} people" if people else "an expansion", level, each, "ns", first)
        if level == "outline" and not people:
            row |= {"aim": aim_text(("of a circle's", AIM_RATIO, each <= AIM_RATIO * first))}
        rows.append(row | {"remark": f"{expanded / best[level]:.0f} expansions a second; {plans[level].status}"})
    return rows


def _posed(graph: BehaviorGraph, level: str | None, people: int) -> Problem:
    """A search in a world that nobody can leave, with so many people who walk about in it for good."""
    from walkon.world import build_world

    problem = figure_problem(graph)
    scene = problem.world.scene
    walls = tuple(replace(thing, passes=()) for thing in scene.obstacles)
    problem = replace(problem, world=build_world(at_level(replace(scene, obstacles=walls), level)))
    return replace(problem, reservations=_walkers(problem, people)) if people else problem


def _walkers(problem: Problem, people: int) -> Reservations:
    """People who walk straight on from wherever they are, through walls and each other, until nobody looks."""
    from walkon.planning import Reservations
    from walkon.planning.body_tracks import clip_track, join_tracks
    from walkon.rotations import Placement

    graph, scene = problem.graph, problem.world.scene
    random, (left, near, right, far) = np.random.default_rng(0), scene.bounds
    kept = Reservations(scene.bounds, problem.horizon, clearance=scene.clearance)
    clip = int(graph.clip_starts[graph.names.index("walk_forward")])
    for number in range(people):
        place, parts, frame = Placement(*random.uniform((left, near, -3.1), (right, far, 3.1)).tolist()), [], 0
        while frame < problem.horizon:
            parts.append(clip_track(graph, clip, place, scene.bodies))
            place, frame = place @ Placement(*graph.displacements[clip]), frame + int(graph.durations[clip])
            # Who leaves the scene comes in again from the other side.
            x, z = (place.x - left) % (right - left) + left, (place.z - near) % (far - near) + near
            place = Placement(x, z, place.heading)
        kept.add(number, 0, join_tracks(parts), stays=False)
    return kept


def _lookups(graph: BehaviorGraph, seed: int) -> list[Row]:
    """Microseconds to search a tree, of the queries that are solved at all levels, and how many are solved."""
    from walkon.trees.lookup import Lookup
    from walkon.trees.planting import plant
    from walkon.world import build_world

    forest = plant(graph, builders()[OURS], nodes=NODES, region=tree_region(), poses=["walk"])
    problems = draw_problems(graph, np.random.default_rng(seed), QUERIES)
    answers = {}
    for level in levels():
        posed = [replace(one, world=build_world(at_level(one.world.scene, level))) for one in problems]
        answers[level] = ask_lookup(Lookup(forest, graph), posed, ROUNDS)
    common = np.all([found.solved for found in answers.values()], axis=0)
    first, rows = answers[levels()[0]], []
    for level, found in answers.items():
        mean = 1e6 * float(found.seconds[common].mean())
        met = mean < AIM_LOOKUP and found.solved.sum() >= first.solved.sum()
        row = _cost("a tree lookup", level, mean, "µs", 1e6 * float(first.seconds[common].mean()))
        row |= {"people": QUERIES, "done": int(found.solved.sum()), "aim": aim_text(("µs", AIM_LOOKUP, met))}
        whole = 1e6 * float(found.whole[common].mean())
        rows.append(row | {"remark": f"{NODES} nodes; {whole:.1f} µs with putting the tree into the world"})
    return rows


def _tables() -> list[Row]:
    """Size and time of the outlines of a library that nobody has asked for yet."""
    from walkon.behaviors.outlines import clip_figures
    from walkon.builtin.casts import fetch_library

    clip_figures(next(iter(fetch_library("human", 0).behaviors)).clips[0])  # compiles
    library = fetch_library("human", UNSEEN)
    shown = [clip for behavior in library.behaviors for clip in behavior.clips]
    begun = time.perf_counter()
    tables = [clip_figures(one) for one in shown]
    seconds = time.perf_counter() - begun
    megabytes = sum(part.nbytes for table in tables for part in table) / 1e6
    made = aim_text(("s", AIM_MADE, seconds <= AIM_MADE))
    kept = aim_text(("MB", AIM_KEPT, megabytes <= AIM_KEPT))
    return [
        _cost("outlines of a library, made", "outline", seconds, "s", AIM_MADE) | {"aim": made},
        _cost("outlines of a library, kept", "outline", megabytes, "MB", AIM_KEPT)
        | {"aim": kept, "remark": f"{sum(len(table.circles) for table in tables)} frames of {len(shown)} clips"},
    ]


def _crowds(graph: BehaviorGraph, seed: int) -> list[Row]:
    """Seconds to plan many people on long ways."""
    from walkon.crowd import plan_crowd
    from walkon.directing import default_planner
    from walkon.world import build_world

    rows, first = [], None
    for level in levels():
        world, graphs = build_world(at_level(crowd_scene(CROWD), level)), [graph] * CROWD
        plan_crowd(world, graphs, default_planner(CROWD), seed=seed)  # compiles
        begun = time.process_time()
        found = plan_crowd(world, graphs, default_planner(CROWD), seed=seed)
        seconds = time.process_time() - begun
        first = first or seconds
        plans = [plan for plan in found.plans if plan is not None]
        motion = sum(int(plan.frames[-1] - plan.frames[0]) for plan in plans) / graph.fps
        met = len(plans) == CROWD and seconds <= AIM_CROWD
        rows.append(
            _cost(f"a crowd of {CROWD}", level, seconds, "s", first)
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
