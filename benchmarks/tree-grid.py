"""Precomputed trees: what finer cells of the environment cost and bring (Lau 2009, table 4.3).

The same queries as in `walkon bench tree-search`, and the same trees over three grids, each with cells half as
wide as the one before; Lau's have 270, 540 and 1080 cells on a side. With `cells only` a clip is blocked
unless its cells are certainly free, as in Lau's; otherwise what the cells leave open is checked exactly
against the world's distance field, so that cells only save time. Finer cells watch a clip at more points. Goal
cells stay as they are, because the goal's tolerance does.

`µs`: mean of putting the tree into the world and searching it, mapping included, over the queries that it solves,
as in Lau's tables; each the median of several rounds. We map only the cells that a search comes to. `time %`: mean
of the ratios to A* with the straight line over the queries that both solve. Our A* uses no cells: it is the same
for all grids.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import numpy as np
from _queries import (
    Answers,
    ask_lookup,
    ask_planner,
    behavior_graph,
    builders,
    draw_problems,
    joined,
    load,
    tree_region,
)

if TYPE_CHECKING:
    from walkon.behaviors import BehaviorGraph
    from walkon.trees.forest import Forest

QUERIES = 1774
AT_ONCE = 60
"""Worlds in memory at a time."""

ROUNDS = 3
SEED = 4
MOST = 400_000
"""Expansions of A*."""

NODES = 430_000
"""About 25 MB with the default grid."""

CELLS = (0.28, 0.14, 0.07)
"""[m] Their widths; Lau used 14 to 28 cm."""

SIDES = (270, 540, 1080)
THESIS_A = ((100.0, 104880, 97.91), (100.0, 151770, 97.91), (100.0, 340195, 97.91))
THESIS_TREE = ((0.41, 333, 93.63), (0.52, 690, 94.31), (0.80, 2652, 94.76))
"""By SIDES: time [% of A*], time [µs], solved [%]."""

Row = dict[str, object]


def measure() -> list[Row]:
    """Rows for A*, and for trees by the width of the cells, with cells only and exact, Lau's and ours."""
    from walkon.planning import AStar
    from walkon.trees.lookup import Lookup

    begun = time.perf_counter()
    graph = behavior_graph()
    forests = grow_all(graph)
    _say(begun, f"{len(forests)} trees grown")
    planner = AStar(heuristic="line", max_expansions=MOST)
    lookups = {
        (who, index, exact): Lookup(forest, graph, exact=exact)
        for exact in (False, True)
        for (who, index), forest in forests.items()
    }
    random = np.random.default_rng(SEED)
    parts: dict[tuple, list[Answers]] = {key: [] for key in ((), *lookups)}
    for done in range(0, QUERIES, AT_ONCE):
        problems = draw_problems(graph, random, min(AT_ONCE, QUERIES - done))
        parts[()].append(ask_planner(planner, problems, ROUNDS))
        for key, lookup in lookups.items():
            parts[key].append(ask_lookup(lookup, problems, ROUNDS))
        _say(begun, f"{min(done + AT_ONCE, QUERIES)} queries")
    answers = {key: joined(part) for key, part in parts.items()}
    base = answers.pop(())
    rows = [_row("A*", None, index, base, base, THESIS_A[index], load()) for index in range(len(CELLS))]
    for (who, index, exact), own in answers.items():
        theirs = (None,) * 3 if exact else THESIS_TREE[index]
        rows.append(_row(who, exact, index, own, base, theirs, _remark(own, base, forests[who, index])))
    return rows


def grow_all(graph: BehaviorGraph) -> dict[tuple[str, int], Forest]:
    """Lau's tree and ours, over every grid."""
    from walkon.trees.planting import GridSizes, plant

    region = tree_region()
    return {
        (who, index): plant(graph, builder, nodes=NODES, region=region, poses=["walk"], grids=GridSizes(cell))
        for who, builder in builders().items()
        for index, cell in enumerate(CELLS)
    }


def _row(who: str, exact: bool | None, index: int, own: Answers, base: Answers, theirs: tuple, remark: str) -> Row:
    both = own.solved & base.solved
    return {
        "who": who,
        "checks by": {None: "circles", True: "cells, then exact", False: "cells only"}[exact],
        "cell": None if exact is None else CELLS[index],
        "thesis grid": f"{SIDES[index]} x {SIDES[index]}",
        "solved %": round(100.0 * float(own.solved.mean()), 2),
        "thesis solved %": theirs[2],
        "µs": round(1e6 * float(own.whole[own.solved].mean()), 1),
        "thesis µs": theirs[1],
        "time %": round(100.0 * float(np.mean(own.whole[both] / base.whole[both])), 3),
        "thesis time %": theirs[0],
        "checks": round(float(own.checks[own.solved].mean()), 1),
        "cells mapped": round(float(own.mapped[own.solved].mean()), 1),
        "remark": remark,
    }


def _remark(own: Answers, base: Answers, forest: Forest) -> str:
    lost = int((base.solved & ~own.solved).sum())
    grid = f"{forest.rows} x {forest.columns} cells, {forest.nbytes / len(forest):.0f} bytes a node"
    return f"{lost} that A* solves are not; {grid}"


def _say(begun: float, text: str) -> None:
    print(f"{time.perf_counter() - begun:5.0f} s  {text}", file=sys.stderr, flush=True)
