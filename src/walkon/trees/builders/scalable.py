"""Scalable and diverse trees (Lau 2009, algorithm 2): a random place, the nearest node, its emptiest way."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from walkon.basics import Progress
from walkon.errors import PlanError
from walkon.planning.heuristics import line_rate
from walkon.trees import _kernels_growing as kernels
from walkon.trees.growing import Growth, Soil, clip_paths, region_plot

REPORTED = 20_000
"""Nodes between two reports of progress."""

DETOUR_SLACK = 12.0
"""[m] What a way may cost besides `detour` times the straight way, for stopping, turning and starting; found by
trying. More lets trees waste nodes on detours near the root."""

FAMILY = 50
"""Nodes that a family of ways has at least; with fewer it could not spread over the region. More means fewer,
larger families."""


@dataclass(frozen=True)
class Scalable:
    """SPST: trees of any size in regions of any shape.

    At every step a place is drawn at random in the region; the nearest node that may still have a child gets the
    one whose path evens out best how often cells are crossed. Nodes without further children are passed over, so
    that no draw is in vain. Three things are ours; without thrift, apart and detour it is Lau's algorithm:

    apart: share of the nodes that families get before the rest grows from all of them. A family is what begins
    with the same few clips: all that can be done first, as many levels of it as there are nodes for. Each spreads
    over the whole region by itself. Otherwise the nodes at a place have most of their ways in common, and one
    obstacle near the root blocks them all.

    thrift: weight of what a way costs per metre of distance from the root, beside how empty the cells are that it
    crosses: fewer detours, at some loss of diversity.

    detour: no way costs more than `detour` times what going straight there would cost, and what DETOUR_SLACK
    metres do besides. Otherwise a tree that begins in a stand goes far by side steps.
    """

    thrift: float = 0.05
    apart: float = 0.5
    detour: float = math.inf

    @property
    def name(self) -> str:
        """As the command line calls it."""
        return "spst"

    def __post_init__(self) -> None:
        if not self.detour >= 1.0:
            raise PlanError(f"detour must be 1 or more, not {self.detour}")
        if not (0.0 <= self.thrift < math.inf and 0.0 <= self.apart <= 1.0):
            raise PlanError(f"thrift must be 0 or more and apart 0 to 1, not {self.thrift} and {self.apart}")

    def grow(
        self, soil: Soil, nodes: int, random: np.random.Generator, progress: Progress | None = None
    ) -> Growth:
        """At most `nodes` nodes besides the root: fewer only if the region has no room for more."""
        tree = _empty_tree(soil, nodes + 1)
        kernels.seed_tree(tree, np.zeros(4), soil.pose, _draw(random))
        rate = line_rate(soil.moves)
        slack = DETOUR_SLACK * rate if self.detour < math.inf else math.inf
        taste = kernels.Taste(float(self.thrift), self.detour * rate, slack)
        if self.apart > 0.0:
            _grow_families(tree, soil, taste, round(self.apart * nodes), random, progress, nodes)
        _grow_to(tree, soil, taste, nodes + 1, progress, nodes)
        links = tree.links[1 : tree.counters[kernels.NODES]]
        # The root was node 0 here and is node -1 in a growth.
        return Growth(links[:, kernels.PARENT] - np.int32(1), links[:, kernels.CLIP].copy())


def _grow_families(
    tree: kernels.Tree, soil: Soil, taste: kernels.Taste, share: int, random: np.random.Generator,
    progress: Progress | None, nodes: int,
) -> None:  # fmt: skip
    """The first levels; then an equal share of nodes for the ways through each node of the last level."""
    first = kernels.spread_tree(tree, share // FAMILY, soil.moves, clip_paths(soil), region_plot(soil.region))
    stems = np.arange(first, tree.counters[kernels.NODES])
    left = share - int(tree.counters[kernels.NODES]) + 1
    if first == 0 or left <= 0 or not len(stems):
        return
    family = _empty_tree(soil, left // len(stems) + 2)
    for number, stem in enumerate(stems.tolist()):
        own = (number + 1) * left // len(stems) - number * left // len(stems)
        kernels.seed_tree(family, tree.states[stem], int(tree.links[stem, kernels.POSE]), _draw(random))
        _grow_to(family, soil, taste, own + 1, None, nodes)
        kernels.graft(tree, stem, family)
        if progress is not None and number % 50 == 0:
            progress(int(tree.counters[kernels.NODES]) - 1, nodes)


def _grow_to(
    tree: kernels.Tree, soil: Soil, taste: kernels.Taste, limit: int, progress: Progress | None, nodes: int
) -> None:  # fmt: skip
    paths, plot, grows = clip_paths(soil), region_plot(soil.region), True
    while grows and tree.counters[kernels.NODES] < limit:
        until = min(int(tree.counters[kernels.NODES]) + REPORTED, limit)
        grows = kernels.grow_tree(tree, until, taste, soil.moves, paths, plot)
        if progress is not None:
            progress(int(tree.counters[kernels.NODES]) - 1, nodes)


def _draw(random: np.random.Generator) -> int:
    return int(random.integers(2**63))


def _empty_tree(soil: Soil, nodes: int) -> kernels.Tree:
    region = soil.region
    rows, columns = region.mask.shape
    if np.diff(soil.trace_starts).max() > kernels.MOST_TRACED:
        raise PlanError(f"cells of {region.cell} m are too small: a clip crosses more than {kernels.MOST_TRACED}")
    words = -(-int(np.diff(soil.moves.follower_starts).max()) // 64)
    buckets = int(rows * region.cell / kernels.BUCKET) + 1, int(columns * region.cell / kernels.BUCKET) + 1
    return kernels.Tree(
        states=np.zeros((nodes, 4)),
        links=np.zeros((nodes, 3), dtype=np.int32),
        tried=np.zeros((nodes, words), dtype=np.uint64),
        exhausted=np.zeros(nodes, dtype=np.bool_),
        nexts=np.full(nodes, -1, dtype=np.int32),
        heads=np.full(buckets, -1, dtype=np.int32),
        corner=np.array([region.origin_x, region.origin_z]),
        counts=np.zeros(rows * columns, dtype=np.int64),
        counters=np.zeros(2, dtype=np.int64),
        random=np.zeros(1, dtype=np.uint64),
    )
