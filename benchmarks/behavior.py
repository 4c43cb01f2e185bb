"""Behavior planning: how fast the search is, how large its trees are, and what a larger library costs.

The scene is one like figure 4 of Lau and Kuffner (2005): a dead end, several obstacles, and a long wall that can
be crawled under at one place and jumped over at another. Beside our nodes and times stand theirs: 2241, 1977
and 1421 nodes for A*, truncated and inflated A*, each in less than 0.4 s; and twice the time for a library a
thousand times larger. `expansions/s` counts nodes taken from the queue with all their followers generated, on one
core. Times are the best of several rounds, compilation excluded.
"""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from _behavior_scenes import SECONDS, crowd_scene, figure_problem

if TYPE_CHECKING:
    from walkon.behaviors import BehaviorGraph
    from walkon.planning import AStar, Plan, Problem, Reservations
    from walkon.world import Scene

ROUNDS = 3
EXPANSIONS = 50_000
COARSE = {"cell": 1.0, "headings": 12}
"""For the trees: Lau and Kuffner do not say how finely they told states apart. Coarse, and plans cost more."""

PEOPLE = 50
CROWD = 100
TIMES = 1200

PAPER = {"A*": 2241, "truncated A*": 1977, "inflated A*": 1421}

Row = dict[str, object]


def measure() -> list[Row]:
    """Rows for the speed of the search, its trees, a large library, and memory."""
    from walkon.behaviors import build_graph
    from walkon.builtin.casts import fetch_library

    graph = build_graph(fetch_library("human", 0)).customized({}, without=["gesture"])
    return [*_speed(graph), *_trees(graph), *_large_library(graph), *_crowd(graph)]


def _speed(graph: BehaviorGraph) -> list[Row]:
    """Expansions per second: among what stands still, with things to jump and crawl, and among people."""
    from walkon.planning import AStar
    from walkon.world import build_world

    problem = figure_problem(graph)
    scene = problem.world.scene
    walls = tuple(replace(obstacle, passes=()) for obstacle in scene.obstacles)
    closed = replace(problem, world=build_world(replace(scene, obstacles=walls)))
    still = replace(problem, world=build_world(replace(scene, obstacles=walls[::2])))
    posed = {
        "static, no way to the goal": closed,
        "static, every other obstacle": still,
        "with a wall to jump and to crawl": problem,
        f"every other obstacle, among {PEOPLE} people": replace(still, reservations=passers_by(scene, PEOPLE)),
    }
    planner = AStar(heuristic="line", max_expansions=EXPANSIONS)
    return [_row(f"search, {what}", *_best(planner, one)) for what, one in posed.items()]


def _trees(graph: BehaviorGraph) -> list[Row]:
    """The three searches of Lau and Kuffner (2005), with both heuristics."""
    from walkon.planning import AStar

    problem = figure_problem(graph)
    rows = []
    for heuristic in ("line", "routes"):
        for name, options in (
            ("A*", {}),
            ("truncated A*", {"truncated": True}),
            ("inflated A*", {"inflation": 2.0}),
        ):
            plan, seconds = _best(AStar(heuristic=heuristic, **COARSE, **options), problem)  # pyright: ignore
            rows.append(_row(f"{name}, {heuristic}", plan, seconds) | {"paper": f"{PAPER[name]} nodes, < 0.4 s"})
    plan, seconds = _best(AStar(), problem)
    return [*rows, _row("A*, routes, fine", plan, seconds)]


def _large_library(graph: BehaviorGraph) -> list[Row]:
    """The same search with every clip many times over; rounds take turns. Bodies are seen as circles, because the
    clips are there in tables only."""
    from walkon.planning import AStar

    problem = figure_problem(graph, bodies="circle")
    large = repeat_clips(graph, TIMES)
    planner = AStar(heuristic="line", max_expansions=EXPANSIONS)
    posed = {"once": problem, f"{TIMES} times": replace(problem, graph=large)}
    best = dict.fromkeys(posed, float("inf"))
    plans: dict[str, Plan] = {}
    for _ in range(ROUNDS + 1):
        for name, one in posed.items():
            begun = time.perf_counter()
            plans[name] = planner.plan(one)
            best[name] = min(best[name], time.perf_counter() - begun)
    ratio = best[f"{TIMES} times"] / best["once"]
    clips = {"once": len(graph.durations), f"{TIMES} times": len(large.durations)}
    return [
        _row(f"library {name}: {clips[name]} clips", plans[name], best[name])
        | {"remark": "" if name == "once" else f"{ratio:.2f} times the time", "paper": "2 times the time"}
        for name in posed
    ]


def _crowd(graph: BehaviorGraph) -> list[Row]:
    """Many people on long ways through a place where things stand and move; everyone is planned, one by one."""
    from walkon.crowd import plan_crowd
    from walkon.directing import default_planner
    from walkon.world import build_world

    scene = crowd_scene(CROWD)
    world, graphs, planner = build_world(scene), [graph] * CROWD, default_planner(CROWD)
    best = min((plan_crowd(world, graphs, planner, seed=1) for _ in range(2)), key=lambda crowd: crowd.seconds)
    plans = [plan for plan in best.plans if plan is not None]
    motion = sum(int(plan.frames[-1] - plan.frames[0]) for plan in plans) / graph.fps
    expanded = sum(plan.statistics.expanded for plan in plans)
    return [
        {
            "what": f"crowd of {CROWD}: {motion:.0f} s of motion, {motion / max(len(plans), 1):.0f} s each",
            "status": f"{len(plans)} planned",
            "cost": round(sum(plan.cost for plan in plans), 1),
            "nodes": sum(plan.statistics.nodes for plan in plans),
            "expanded": expanded,
            "ms": round(best.seconds * 1e3, 1),
            "expansions/s": round(expanded / best.seconds),
            "MB": round(max(plan.statistics.bytes for plan in plans) / 1e6, 1),
            "paper": "100 people, 4000 s: about 400 s",
            "remark": f"{best.replanned} plans changed for others; aim 5 s",
        }
    ]


def _best(planner: AStar, problem: Problem) -> tuple[Plan, float]:
    plan, seconds = planner.plan(problem), float("inf")
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        plan = planner.plan(problem)
        seconds = min(seconds, time.perf_counter() - begun)
    return plan, seconds


def _row(what: str, plan: Plan, seconds: float) -> Row:
    statistics = plan.statistics
    return {
        "what": what,
        "status": plan.status,
        "cost": round(plan.cost, 2),
        "nodes": statistics.nodes,
        "expanded": statistics.expanded,
        "ms": round(seconds * 1e3, 2),
        "expansions/s": round(statistics.expanded / seconds),
        "MB": round(statistics.bytes / 1e6, 1),
        "paper": "",
        "remark": "",
    }


def passers_by(scene: Scene, count: int) -> Reservations:
    """People who cross the scene on straight lines, whatever stands there."""
    from walkon.planning import Reservations

    frames = round(SECONDS * scene.fps)
    reserved = Reservations(scene.bounds, frames, clearance=scene.clearance)
    random = np.random.default_rng(3)
    for key in range(count):
        ends = random.uniform(-11.5, 11.5, (12, 2))
        legs = [np.linspace(a, b, max(2, int(np.hypot(*(b - a)) / 0.045))) for a, b in pairwise(ends)]
        way = np.concatenate(legs)[:frames]
        reserved.add(key, 0, np.column_stack([way, np.full(len(way), 0.3)]), stays=True)
    return reserved


def repeat_clips(graph: BehaviorGraph, times: int) -> BehaviorGraph:
    """The same graph with every clip so many times; only special ones, whose bodies would fill the memory,
    once."""
    counts = np.where(np.diff(graph.capsule_starts) > 0, 1, times)
    clips = np.repeat(np.arange(len(graph.durations)), counts)
    frames, frame_starts = _repeated(graph.frame_starts, clips)
    bodies, capsule_starts = _repeated(graph.capsule_starts, clips)
    return replace(
        graph,
        clip_starts=np.concatenate([[0], np.cumsum(counts)])[graph.clip_starts],
        durations=graph.durations[clips],
        displacements=graph.displacements[clips],
        action_frames=graph.action_frames[clips],
        frame_starts=frame_starts,
        circles=graph.circles[frames],
        paths=graph.paths[frames],
        speeds=graph.speeds[clips],
        capsule_starts=capsule_starts,
        capsules=graph.capsules[bodies],
    )


def _repeated(starts: np.ndarray, clips: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the clips, one after another, and where each begins."""
    lengths = np.diff(starts)[clips]
    begins = np.concatenate([[0], np.cumsum(lengths)])
    return np.repeat(starts[clips] - begins[:-1], lengths) + np.arange(begins[-1]), begins
