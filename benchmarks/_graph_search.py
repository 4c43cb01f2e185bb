"""Rows of `walkon bench graph` about search: along drawn paths, at random, by heading, by seeds and mutations.

On graphs of a session of built-in motion and, where there are recordings, of all of CMU's subject 16, both with
their mirror images at 30 Hz. Compiling and building are not counted; of ROUNDS times the best counts. Paths are
walked along; deviation is the mean distance of the walk's track from the nearest point of the path, lag that from
the point at the same arc length. The path of Kovar, Gleicher and Pighin (2002) is a "Hello", too. How far
headings are off is told from the last 6 of 10 seconds of somebody who wants to go one of the 12 ways that the
table has.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from walkon.graphs import MotionGraph
    from walkon.graphs.searching.fitting import Fit
    from walkon.motion import Clip

ROUNDS = 3
WALKS, SECONDS = 1000, 60.0
"""Random walks, and how long each of them is."""

SEEDS = 16
STEERED = 8
"""Nodes from which every direction of the table is tried."""

RECORDINGS = (
    Path(os.environ.get("WALKON_MOCAP", Path(__file__).resolve().parents[2] / "shared" / "mocap")) / "cmu" / "bvh"
)
PAPER = "58.1 s for 54.9 s"
"""To search for the walk along a Hello, and how long that walk is (Kovar, Gleicher and Pighin 2002)."""

STYLES = [(0.0, "walk"), (8.0, "run"), (16.0, "walk")]

Row = dict[str, object]
Result = TypeVar("Result")


def search_rows(seed: int) -> list[Row]:
    """All of them; every row has the same keys."""
    from walkon.graphs.building import build_motion_graph

    rows: list[Row] = []
    for who, clips in collections(seed):
        graph = build_motion_graph(clips, mirrored=True).graph
        rows += path_rows(who, graph, seed) + style_rows(who, graph, seed)
        rows += random_rows(who, graph, seed) + heading_rows(who, graph, seed) + mutation_rows(who, graph, seed)
    return rows


def collections(seed: int) -> Iterator[tuple[str, list[Clip]]]:
    """What graphs are made of: by name, the clips."""
    from walkon.builtin.session import make_session
    from walkon.motion import read_recording

    yield "built-in session", list(make_session(seed))
    if RECORDINGS.is_dir():
        files = sorted(RECORDINGS.glob("16_*.bvh"))
        yield "CMU 16", [read_recording(file, trim="leading").clip for file in files]


def path_rows(who: str, graph: MotionGraph, seed: int) -> list[Row]:
    """How close walks come to drawn paths, and how long it takes to find them."""
    from walkon.graphs.searching.fitting import fit_path
    from walkon.graphs.searching.shapes import SHAPES

    rows = []
    for name, make in SHAPES.items():
        points = make()
        seconds, fit = best_of(lambda points=points: fit_path(graph, points, styles="walk", seed=seed))
        remark = (
            f"{fit.walk.duration:.1f} s of motion, at most {100 * fit.deviations.max():.0f} cm off, mean lag "
            f"{100 * fit.lags.mean():.1f} cm, least progress {stall(fit, points):.2f} m/s, "
            f"{transitions_per_second(fit):.1f} transitions a second"
        )
        rows.append(row(f"path: {name}", who, seconds, 100 * fit.mean_deviation, "cm off", "15 cm", remark))
        if name == "hello":
            scaled = seconds / fit.walk.duration * 55.0
            rows.append(row("path search, for 55 s", who, scaled, fit.searched_nodes, "edges", "1 s", "", PAPER))
    line = SHAPES["s"]()
    seconds, fit = best_of(lambda: fit_path(graph, line, styles="walk", seed=seed, answers=3))
    worst = max(one.mean_deviation for one in (fit, *fit.others))
    rows.append(
        row("path: S, 3 answers", who, seconds, 1 + len(fit.others), "walks", "3", f"{100 * worst:.1f} cm off")
    )
    return rows


def style_rows(who: str, graph: MotionGraph, seed: int) -> list[Row]:
    """Where styles change that should change at 8 m and 16 m of a straight line."""
    from walkon.graphs.searching.fitting import fit_path
    from walkon.graphs.searching.styles import edges_of_style

    seconds, fit = best_of(lambda: fit_path(graph, [(0.0, 0.0), (0.0, 24.0)], styles=STYLES, seed=seed))
    shown = np.repeat(edges_of_style(graph, "run")[fit.walk.edges], graph.frames[fit.walk.edges])
    first, last = np.flatnonzero(shown)[[0, -1]]
    ahead = fit.walk.path()[:, 1]
    off = max(abs(float(ahead[first]) - 8.0), abs(float(ahead[last + 1]) - 16.0))
    remark = f"runs from {ahead[first]:.1f} m to {ahead[last + 1]:.1f} m, {100 * fit.mean_deviation:.1f} cm off"
    return [row("path: walk, run, walk", who, seconds, off, "m from where asked", "", remark)]


def random_rows(who: str, graph: MotionGraph, seed: int) -> list[Row]:
    """How fast random walks are, and whether any comes to an end."""
    from walkon.graphs.searching.random_walks import random_walks

    seconds, walks = best_of(lambda: random_walks(graph, SECONDS, WALKS, seed=seed))
    ended = sum(walk.duration < SECONDS for walk in walks)
    return [
        row("random walks of 60 s", who, seconds, WALKS / seconds, "a second", "", f"{ended} dead ends of {WALKS}")
    ]


def heading_rows(who: str, graph: MotionGraph, seed: int) -> list[Row]:
    """How long the table of headings takes, and how well one is led by it."""
    from walkon.graphs.searching.headings import tabulate_headings
    from walkon.graphs.searching.random_walks import random_walks

    seconds, table = best_of(lambda: tabulate_headings(graph, style="walk"))
    starts = [walk.start for walk in random_walks(graph, 0.1, STEERED, seed=seed, labels="walk")]
    wanted = 2.0 * np.pi * np.arange(12) / 12
    off = [abs(turned_off(graph, table, start, angle)) for start in starts for angle in wanted]
    remark = f"{graph.node_count} nodes, 12 headings; worst {np.degrees(max(off)):.0f}° over {len(off)} walks"
    return [row("heading table", who, seconds, float(np.degrees(np.mean(off))), "° off after 4 s", "15°", remark)]


def mutation_rows(who: str, graph: MotionGraph, seed: int) -> list[Row]:
    """How long seeds and mutations take, and how close they come."""
    from walkon.graphs.searching.mutating import Effort, search_walks
    from walkon.graphs.searching.random_walks import random_walk
    from walkon.graphs.searching.walk_costs import WalkCost

    start = random_walk(graph, 0.1, seed=seed, labels="walk").start
    tasks = {
        "goal": WalkCost(goal=(3.0, 4.0)),
        "goal and facing": WalkCost(goal=(3.0, 4.0), facing=0.0),
        "3 way-points": WalkCost(goal=(0.0, 0.0), waypoints=[(3.0, 0.0), (3.0, 3.0), (0.0, 3.0)]),
    }
    rows = []
    for name, cost in tasks.items():
        seconds, found = best_of(
            lambda cost=cost: search_walks(graph, start, "walk", cost, effort=Effort(SEEDS), seed=seed), rounds=1
        )
        path = found[0].walk.path()
        missed = max(np.hypot(*(path - point).T).min() for point in [*cost.waypoints, path[-1]])
        missed = max(missed, float(np.hypot(*(path[-1] - np.array(cost.goal)))))
        settled = sum(one.settled for one in found)
        remark = (
            f"{len(found)} different answers of {SEEDS} seeds, {settled} of them settled; the best takes "
            f"{found[0].walk.duration:.1f} s and costs {found[0].cost:.2f}"
        )
        rows.append(row(f"mutations: {name}", who, seconds, 100 * missed, "cm missed at most", "", remark))
    return rows


def stall(fit: Fit, points: np.ndarray) -> float:
    """The least progress [m] along the path in any second, told from the nearest points in order."""
    from walkon.graphs.searching.drawn_path import draw_path

    path, arcs, arc = draw_path(points), [], 0.0
    for place in fit.walk.path():
        ahead = np.arange(arc, arc + 0.6, 0.02)
        arc = float(ahead[np.argmin(np.hypot(*(path.at(ahead) - place).T))])
        arcs.append(arc)
    made = np.array(arcs)
    made = made[: np.searchsorted(made, path.length - 0.3)]
    rate = round(fit.walk.graph.fps)
    return float((made[rate:] - made[:-rate]).min())


def turned_off(graph: MotionGraph, table: object, start: int, wanted: float) -> float:
    """By what angle [rad] somebody is off who wants to go one way for 10 s, after the first 4."""
    from walkon.graphs.searching.headings import HeadingTable, steer

    assert isinstance(table, HeadingTable)
    path = steer(graph, table, lambda _: wanted, 10.0, start=start).path()
    x, z = path[-1] - path[round(4.0 * graph.fps)]
    return float(np.angle(np.exp(1j * (np.arctan2(x, z) - wanted))))


def transitions_per_second(fit: Fit) -> float:
    """How often the walk leaves a recording."""
    graph = fit.walk.graph
    return float((graph.carries[fit.walk.edges] >= 0).sum() / fit.walk.duration)


def best_of(work: Callable[[], Result], rounds: int | None = None) -> tuple[float, Result]:
    """The least time [s] of several rounds after one that compiles, and the result."""
    result, least = work(), np.inf
    for _ in range(rounds or ROUNDS):
        begun = time.perf_counter()
        result = work()
        least = min(least, time.perf_counter() - begun)
    return least, result


def row(
    what: str, who: str, seconds: float, value: float, unit: str, aim: str, remark: str = "", paper: str = ""
) -> Row:
    """One row, with the keys that all have."""
    return {
        "what": what,
        "who": who,
        "s": round(seconds, 4),
        "value": round(float(value), 2),
        "unit": unit,
        "aim": aim,
        "paper": paper,
        "remark": remark,
    }
