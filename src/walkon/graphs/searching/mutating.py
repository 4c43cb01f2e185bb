"""Walks from here to there that cost little: random ones, changed bit by bit until no change makes them better."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from walkon.basics import Indices
from walkon.errors import GraphError
from walkon.graphs.graph import MotionGraph
from walkon.graphs.performing.walks import Walk
from walkon.graphs.searching.variety import pick_different
from walkon.graphs.searching.walk_costs import Measure, WalkCost, as_cost
from walkon.graphs.searching.workshop import Bench, Workshop
from walkon.rotations import Placement

LONGEST_WALK = 30.0
"""Seconds that a walk may take unless more are asked for; longer ones take longer to find."""


@dataclass(frozen=True)
class Effort:
    """How hard is tried.

    seeds: random walks that are bettered. mutations: of each that are looked at, at most. workers: threads; what
    is found does not depend on them.
    """

    seeds: int = 16
    mutations: int = 60_000
    workers: int = 2

    @property
    def is_possible(self) -> bool:
        """Whether anything is tried at all."""
        return self.seeds >= 1 and self.mutations >= 0 and self.workers >= 1


EFFORT = Effort()
"""How hard is tried unless said otherwise."""


@dataclass(frozen=True, eq=False)
class Found:
    """A walk and what it costs. tried: mutations that were looked at. settled: no mutation made it any better."""

    walk: Walk
    cost: float
    tried: int
    settled: bool


def search_walks(
    graph: MotionGraph,
    start: int | Collection[int] | str,
    end: int | Collection[int] | str,
    cost: WalkCost | Measure,
    *,
    effort: Effort = EFFORT,
    seed: int = 0,
    placement: Placement | None = None,
    longest: float = LONGEST_WALK,
    answers: int | None = None,
) -> list[Found]:
    """Different walks from one node, or one of several, or one with a label, to another; the cheapest first.

    cost: see `WalkCost`; or any function of a track (F, 3) and the label set (F,) of its frames that is not
    negative. placement: where the walk begins. longest: seconds that a walk may take. answers: how many are
    wanted at most; all that differ by default.
    """
    if not effort.is_possible or not 0.0 < longest <= 3600.0 or answers == 0:
        raise GraphError(
            "there is at least one seed, answer and worker; mutations are 0 or more; a walk takes up to 3600 s"
        )
    workshop = Workshop(graph, _nodes(graph, end), as_cost(cost), placement or Placement(), longest)
    starts = _nodes(graph, start)
    starts = starts[workshop.to_go[starts] <= workshop.most_frames]
    if not len(starts):
        raise GraphError(f"no walk of {longest:g} s leads from the start to the end that are wanted")

    def grow(number: int) -> Found:
        rng = np.random.default_rng([seed, number])
        bench = Bench(workshop)
        draft, tried, settled = bench.better(bench.plant(int(rng.choice(starts)), rng), effort.mutations, rng)
        return Found(workshop.walk(draft), draft.cost, tried, settled)

    with ThreadPoolExecutor(effort.workers) as pool:
        found = sorted(pool.map(grow, range(effort.seeds)), key=lambda one: one.cost)
    chosen = pick_different([one.walk for one in found], answers or effort.seeds)
    return [found[number] for number in chosen]


def _nodes(graph: MotionGraph, which: int | Collection[int] | str) -> Indices:
    if isinstance(which, str):
        bears = np.array([which in own for own in graph.corpus.label_sets])
        nodes = np.flatnonzero(bears[graph.corpus.labels[graph.nodes]])
    else:
        nodes = np.unique(
            np.array([which] if isinstance(which, int | np.integer) else list(which), dtype=np.int64)
        )
    if not len(nodes) or nodes[0] < 0 or nodes[-1] >= graph.node_count:
        raise GraphError(f"{which!r} is no node of the graph, and no label of one")
    return nodes
