"""Precomputed trees: which way of building them solves most, by memory (Lau 2009, table 4.1).

Eight ways of walking from pose `walk` to itself; five of them in a row make 37,448 nodes, which is Lau's
exhaustive tree of about 2 MB. Region R is what that tree covers. Budgets are Lau's, too: 50 KB are 826 nodes.
Queries start at the root and lead to places in R among rectangles of random number, place, heading and size, each
of which overlaps R; start and goal are free, and a circle of 1.18 m around the goal counts as there, which is as
large as Lau's largest goal cells. All trees answer the same queries by the same backward search. What is
random about a tree is averaged over several seeds. Lau does not say how large his obstacles are, and that
decides how much small trees lose: `large`, `huge` and `small` ones in numbers that let the exhaustive tree solve
about as many as Lau's, 71 %.

`of all %`: solved, relative to the exhaustive tree. `s`: to choose the nodes. Density: equation 4.1, over R. Cost:
mean and deviation relative to the exhaustive tree, which is optimal, over the queries that all methods solve. A
ranking is against Lau where a method solves more than one that is before it there, by more than twice the
standard error of the difference. builders/diverse.py says how we read the methods, which Lau only names.

Inclusion and exclusion is Lau's worst method and one of our best. We do not know why. One conjecture: its
gains are tiny beside the sum they are added to, and whoever compares sums instead of gains compares equal numbers
and takes the first path of a list. Of six settings we tried, one made the worst tree of all that way (single
precision, cells of 0.2 m, each free with chance 0.5), but of short paths, where Lau has long ones.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from walkon.behaviors import BehaviorGraph
    from walkon.trees.forest import Forest
    from walkon.trees.growing import Builder, Soil
    from walkon.trees.region import Region
    from walkon.world import Goal, World

QUERIES = 1186
SEEDS = 3
DEPTH = 5
SIZES = (250, 100, 50, 25, 10, 5)
"""[KB], by Lau's bytes per node."""

COMPARED = 50
"""[KB] for which Lau compares costs, and we the two sets of obstacles."""

NODES_PER_KB = 826 / 50
CELL = 0.2
TOLERANCE = 1.18
OBSTACLES = {"large": (10, 2.0, 12.0), "huge": (8, 4.0, 14.0), "small": (20, 0.5, 4.0)}
"""The most rectangles, and the least and greatest side [m]."""

CROWDING = 4.6
"""Nodes that a cell of the pruned tree may have, relative to the mean: Lau has 100 at a mean of 22."""

EXHAUSTIVE = 71.16
THESIS = {
    "SPST": ((73.44, 71.75, 69.48, 67.88, 54.55, 39.38), (1.2, 0.8, 0.6, 0.5, 0.4, 0.4),
             (None, None, 28752, 11403, 4162, 1650), "110.09 ± 8.80"),
    "pruned": ((60.37, 40.30, 39.12, 21.92, 21.16, 6.32), (0.043, 0.021, 0.014, 0.011, 0.009, 0.008),
               (None, None, 109039, 47976, 11098, 5542), "103.79 ± 10.40"),
    "inner product": ((65.09, 54.38, 46.04, 40.22, 23.02, 10.37), (720.0, 126.0, 38.0, 14.0, 7.0, 5.0),
                      (None, None, 66270, 23059, 6960, 3298), "102.19 ± 2.28"),
    "inclusion-exclusion": ((35.33, 26.22, 21.84, 10.79, 7.76, 4.72), (780.0, 138.0, 49.0, 21.0, 11.0, 9.0),
                            (None, None, 120155, 42329, 13347, 5309), "121.87 ± 20.13"),
    "Green & Kelly": ((68.89, 66.27, 62.48, 57.93, 48.82, 31.87), (11460.0, 1800.0, 480.0, 80.0, 19.0, 6.0),
                      (None, None, 55019, 16526, 4285, 1841), "112.02 ± 8.22"),
}  # fmt: skip
"""Solved [%], seconds, density by SIZES; cost."""

PRINTED = "SPST as printed"
"""Algorithm 2 by the letter, beside ours, which grows families apart and is thrifty (builders/scalable.py)."""

THESIS[PRINTED] = THESIS["SPST"]
THESIS_SIZES = (250, 100, 50, 25, 10, 5)

Row = dict[str, object]


class Outcome(NamedTuple):
    """What trees of one kind and size came to. costs: (seeds, queries) of the paths found, infinite if none."""

    seconds: float
    density: float
    costs: NDArray[np.float64]


def measure() -> list[Row]:
    """Rows for every size and method among large obstacles, and for one size among small ones."""
    graph = walking_graph()
    soil = covered_soil(graph)
    started = time.perf_counter()
    rows: list[Row] = []
    for name in OBSTACLES:
        queries = draw_queries(soil, QUERIES, name)
        whole = _outcome(graph, soil, _exhaustive(), 10**6, queries, 1)
        rows.append(_exhaustive_row(graph, soil, name, whole))
        for size in SIZES if name == "large" else (COMPARED,):
            outcomes = {}
            for method, builder in builders(soil, size).items():
                outcomes[method] = _outcome(graph, soil, builder, round(size * NODES_PER_KB), queries, SEEDS)
                _say(f"{time.perf_counter() - started:5.0f} s  {name}, {size} KB, {method}")
            rows += _rows(name, size, outcomes, whole)
    return rows


def walking_graph() -> BehaviorGraph:
    """The built-in cast with nothing but what begins and ends in walking."""
    from walkon.behaviors import build_graph
    from walkon.builtin.casts import fetch_library

    return build_graph(fetch_library("human", 0)).customized({}, without=["gesture", "stop_walk", "walk_to_jog"])


def builders(soil: Soil, size: int) -> dict[str, Builder]:
    """The methods by the names of THESIS, for trees of `size` [KB]."""
    from walkon.trees.builders.diverse import InclusionExclusion, InnerProduct, Separation
    from walkon.trees.builders.pruned import PrunedTree
    from walkon.trees.builders.scalable import Scalable

    mean = size * NODES_PER_KB / float(soil.region.mask.sum())
    return {
        "SPST": Scalable(),
        PRINTED: Scalable(thrift=0.0, apart=0.0),
        "pruned": PrunedTree(max(1, round(CROWDING * mean))),
        "inner product": InnerProduct(DEPTH),
        "inclusion-exclusion": InclusionExclusion(DEPTH),
        "Green & Kelly": Separation(DEPTH),
    }


def _exhaustive() -> Builder:
    from walkon.trees.builders.exhaustive import Exhaustive

    return Exhaustive(DEPTH)


def covered_soil(graph: BehaviorGraph) -> Soil:
    """Soil whose region is what the exhaustive tree covers."""
    from walkon.trees.growing import prepare_soil, tree_moves
    from walkon.trees.region import covered_by, disc

    pose = graph.poses.index("walk")
    soil = prepare_soil(tree_moves(graph), pose, disc(3.5 * DEPTH, cell=CELL))
    growth = _exhaustive().grow(soil, 10**6, _random(0, pose))
    points = np.concatenate([traced for _, traced in _traces(soil, growth)])
    return prepare_soil(soil.moves, pose, covered_by(np.concatenate([np.zeros((1, 2)), points]), cell=CELL))


def _random(seed: int, pose: int) -> np.random.Generator:
    """As planting a forest draws it: the exhaustive tree that gives the region is the one that is searched."""
    return np.random.default_rng([seed, 0, pose])


def _traces(soil: Soil, growth: Any) -> list[tuple[NDArray, NDArray]]:
    """For every clip: the nodes it leads to, one for each point, and the points (·, 2) along its path [m]."""
    places = np.zeros((len(growth.parents) + 1, 3))  # the last is the root, which -1 points to
    for node, (parent, clip) in enumerate(zip(growth.parents.tolist(), growth.clips.tolist(), strict=True)):
        places[node] = _placed(places[parent], soil.moves.displacements[clip])
    found = []
    for clip in np.unique(growth.clips):
        nodes = np.flatnonzero(growth.clips == clip)
        trace = soil.traces[soil.trace_starts[clip] : soil.trace_starts[clip + 1]]
        x, z, heading = places[growth.parents[nodes]].T[:, :, None]
        sine, cosine = np.sin(heading), np.cos(heading)
        points = np.stack([x + trace[:, 0] * cosine + trace[:, 1] * sine,
                           z - trace[:, 0] * sine + trace[:, 1] * cosine], axis=-1)  # fmt: skip
        found.append((np.repeat(nodes, len(trace)), points.reshape(-1, 2)))
    return found


def _placed(place: NDArray, step: NDArray) -> tuple[float, float, float]:
    x, z, heading = place
    sine, cosine = np.sin(heading), np.cos(heading)
    return x + step[0] * cosine + step[1] * sine, z - step[0] * sine + step[1] * cosine, heading + step[2]


def density_of(soil: Soil, growth: Any) -> float:
    """Equation 4.1: every edge counts once in each cell that it crosses."""
    region = soil.region
    counts = np.zeros(region.mask.size)
    for nodes, points in _traces(soil, growth):
        columns, rows = np.floor((points - (region.origin_x, region.origin_z)) / region.cell).astype(np.int64).T
        cells = rows * region.mask.shape[1] + columns
        counts += np.bincount(np.unique(nodes * counts.size + cells) % counts.size, minlength=counts.size)
    inside = counts[region.mask.ravel()]
    return float(((inside.mean() - inside) ** 2).sum())


def draw_queries(soil: Soil, count: int, obstacles: str) -> list[tuple[World, Goal]]:
    """Random queries, always the same: worlds with obstacles, and goals in the region."""
    from walkon.world import Goal, build_world

    random, region = np.random.default_rng([7, list(OBSTACLES).index(obstacles)]), soil.region
    body = float(soil.moves.pose_circles[soil.pose, 2]) + 0.05
    most, least, greatest = OBSTACLES[obstacles]
    found = []
    while len(found) < count:
        number = int(random.integers(1, most + 1))
        boxes = [
            (*_somewhere(region, random), *random.uniform(least, greatest, 2), random.uniform(0.0, np.pi))
            for _ in range(number)
        ]
        x, z = _somewhere(region, random)
        if all(min(_distance(box, 0.0, 0.0), _distance(box, x, z)) > body for box in boxes):
            found.append((build_world(_scene(region, boxes)), Goal(x, z, TOLERANCE)))
    return found


def _somewhere(region: Region, random: np.random.Generator) -> tuple[float, float]:
    rows, columns = np.nonzero(region.mask)
    index = int(random.integers(len(rows)))
    x, z = np.array([columns[index], rows[index]]) + random.uniform(size=2)
    return region.origin_x + x * region.cell, region.origin_z + z * region.cell


def _distance(box: tuple[float, ...], x: float, z: float) -> float:
    """From a point to a rectangle x, z, width, depth, heading [m]; 0 inside."""
    middle_x, middle_z, width, depth, heading = box
    sine, cosine = np.sin(heading), np.cos(heading)
    along = (x - middle_x) * cosine - (z - middle_z) * sine
    across = (x - middle_x) * sine + (z - middle_z) * cosine
    return float(np.hypot(max(abs(along) - width / 2, 0.0), max(abs(across) - depth / 2, 0.0)))


def _scene(region: Region, boxes: list[tuple[float, ...]]) -> Any:
    from walkon.world import Box, Obstacle, Scene, flat_terrain

    height, width = (side * region.cell + 4.0 for side in region.mask.shape)
    left, near = region.origin_x - 2.0, region.origin_z - 2.0
    bounds = (left, near, left + width, near + height)
    obstacles = tuple(
        Obstacle(
            f"box {number}", Box(width, 2.0, depth), np.array([[x, 0.0, z]]),
            np.array([[np.cos(heading / 2), 0.0, np.sin(heading / 2), 0.0]]),
        )
        for number, (x, z, width, depth, heading) in enumerate(boxes)
    )  # fmt: skip
    return Scene("query", bounds, flat_terrain(bounds), obstacles)


def _outcome(
    graph: BehaviorGraph, soil: Soil, builder: Builder, nodes: int, queries: list[tuple[World, Goal]], seeds: int
) -> Outcome:
    costs, densities, seconds = [], [], float("inf")
    for seed in range(seeds):
        begun = time.perf_counter()
        growth = builder.grow(soil, nodes - 1, _random(seed, soil.pose))
        seconds = min(seconds, time.perf_counter() - begun)
        densities.append(density_of(soil, growth))
        costs.append(_search(graph, planted(graph, soil, builder, nodes, seed), queries))
    return Outcome(seconds, float(np.mean(densities)), np.array(costs))


def planted(graph: BehaviorGraph, soil: Soil, builder: Builder, nodes: int, seed: int = 0) -> Forest:
    """The forest of one tree, with goal cells that see as far as the tolerance."""
    from walkon.trees.planting import GridSizes, plant

    return plant(
        graph,
        builder,
        nodes=nodes,
        region=soil.region,
        poses=["walk"],
        seed=seed,
        grids=GridSizes(CELL, overlap=TOLERANCE),
    )  # fmt: skip


def _search(graph: BehaviorGraph, forest: Forest, queries: list[tuple[World, Goal]]) -> NDArray[np.float64]:
    from walkon.rotations import Placement
    from walkon.trees.lookup import Lookup

    lookup, pose = Lookup(forest, graph), graph.poses.index("walk")
    costs = np.full(len(queries), np.inf)
    for index, (world, goal) in enumerate(queries):
        lookup.begin(world, Placement(0.0, 0.0, 0.0), pose)
        node = lookup.reach(goal)
        if node >= 0:
            costs[index] = forest.costs[node]
    return costs


def _rows(name: str, size: int, outcomes: dict[str, Outcome], whole: Outcome) -> list[Row]:
    """One for each method, and one for their ranking."""
    everything = _solved(whole)
    common = np.isfinite(whole.costs[0]) & np.all(
        [np.isfinite(outcome.costs) for outcome in outcomes.values()], axis=0
    )
    optimal = np.broadcast_to(whole.costs[0], common.shape)
    rows = []
    for method, outcome in outcomes.items():
        success, seconds, density, cost = THESIS[method]
        place = THESIS_SIZES.index(size)
        ratios = 100.0 * outcome.costs[common] / optimal[common]
        shown = f"{ratios.mean():.2f} ± {ratios.std():.2f}" if len(ratios) else None
        share = 100.0 * _solved(outcome) / everything
        rows.append(_row(
            name, size, method,
            (_solved(outcome), success[place]), (share, 100.0 * success[place] / EXHAUSTIVE),
            (outcome.seconds, seconds[place]), (outcome.density, density[place]),
            (shown, cost) if size == COMPARED else (None, None), _remark(method, size, share),
        ))  # fmt: skip
    return [*rows, _ranking(name, size, outcomes)]


def _ranking(name: str, size: int, outcomes: dict[str, Outcome]) -> Row:
    place = THESIS_SIZES.index(size)
    outcomes = {method: outcome for method, outcome in outcomes.items() if method != PRINTED}
    theirs = sorted(outcomes, key=lambda method: -THESIS[method][0][place])
    against = []
    for index, method in enumerate(theirs):
        beaten = [before for before in theirs[:index] if _beats(outcomes[method], outcomes[before])]
        against += [f"{method} beats {', '.join(beaten)}"] if beaten else []
    ours = sorted(outcomes, key=lambda method: -_solved(outcomes[method]))
    remark = f"{', '.join(ours)}; {'against Lau: ' + '; '.join(against) if against else 'as in Lau'}"
    nothing = (None, None)
    return _row(name, size, "ranking", nothing, nothing, nothing, nothing, nothing, remark)


def _beats(one: Outcome, other: Outcome) -> bool:
    """Whether one solves more, and not by chance."""
    more = np.isfinite(one.costs).mean(axis=0) - np.isfinite(other.costs).mean(axis=0)
    return float(more.mean()) > 2.0 * float(more.std()) / len(more) ** 0.5


def _remark(method: str, size: int, share: float) -> str:
    aim = 100.0 * THESIS["SPST"][0][2] / EXHAUSTIVE
    if method != "SPST" or size != COMPARED:
        return ""
    return f"aim {aim:.1f} % of all: {'met' if share >= aim else 'missed'}"


def _exhaustive_row(graph: BehaviorGraph, soil: Soil, name: str, whole: Outcome) -> Row:
    forest = planted(graph, soil, _exhaustive(), 10**6)
    kilobytes = len(forest) / NODES_PER_KB
    remark = f"{len(forest)} nodes; ours take {forest.nbytes / len(forest):.0f} bytes each, Lau's 62"
    return _row(
        name, round(kilobytes), "exhaustive", (_solved(whole), EXHAUSTIVE), (100.0, 100.0), (whole.seconds, None),
        (whole.density, None), ("100", "100"), remark,
    )  # fmt: skip


def _solved(outcome: Outcome) -> float:
    return 100.0 * float(np.isfinite(outcome.costs).mean())


def _row(
    obstacles: str, size: int, method: str, success: tuple, share: tuple, seconds: tuple, density: tuple,
    cost: tuple, remark: str,
) -> Row:  # fmt: skip
    row: Row = {"obstacles": obstacles, "KB": size, "nodes": round(size * NODES_PER_KB), "method": method}
    for name, (ours, theirs), digits in (
        ("solved %", success, 2), ("of all %", share, 1), ("s", seconds, 4), ("density", density, 0),
        ("cost", cost, 2),
    ):  # fmt: skip
        row[name] = round(ours, digits) if isinstance(ours, float) else ours
        row[f"thesis {name}"] = round(theirs, digits) if isinstance(theirs, float) else theirs
    return row | {"remark": remark}


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
