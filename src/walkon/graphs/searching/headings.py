"""Which way to take at every choice point to go in a given direction: worked out beforehand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from walkon.basics import Indices
from walkon.errors import GraphError
from walkon.graphs.graph import MotionGraph
from walkon.graphs.performing.walks import Walk
from walkon.graphs.searching._kernels_headings import best_edges, sweep_values, weigh_edges
from walkon.graphs.searching._kernels_reaching import NEVER
from walkon.graphs.searching.styles import Style, arrange_styles
from walkon.rotations import Placement

HEADINGS = 12
"""Directions that are told apart, as many as the hours of a clock."""

FINE_HEADINGS = 72
"""Directions for which the cost of going on is worked out, 5° each: finer than those that can be asked for."""

SIGHT = 2.0
"""Seconds ahead after which what comes counts less by a factor e."""

COST_TOLERANCE = 1e-3
"""Metres by which that cost may be wrong when the iteration stops."""

DETOUR = 0.02
"""Metres that a frame costs which is not of the style that is wanted."""


@dataclass(frozen=True, eq=False)
class HeadingTable:
    """For V nodes and n directions, the edge that begins the best walk that way.

    edges: (V, n); column i is for a direction of i / n of a turn from where the body faces, towards +x from +z.
    -1 where the style cannot be reached.
    """

    edges: Indices

    def choose(self, node: int, heading: float, wanted: float) -> int:
        """The edge to take at a node for somebody whose track heads one way, and who wants to go another [rad]."""
        count = self.edges.shape[1]
        return int(self.edges[node, round((wanted - heading) / (2.0 * np.pi) * count) % count])


def tabulate_headings(
    graph: MotionGraph,
    *,
    headings: int = HEADINGS,
    sight: float = SIGHT,
    style: Style | None = None,
    transition_weight: float = 1.0,
) -> HeadingTable:
    """The best first edge from every node, for each of `headings` directions.

    The best walk along a straight line wastes least: it makes most of its steps good in the wanted direction.
    What is wasted is a sum over edges, so that the best walks from all nodes are found together, by value
    iteration, and for ever ahead; sight: seconds after which what is wasted counts less by a factor e. Frames
    that are slower than is usual in the style count as if they wasted the difference. transition_weight: what the
    distance [m] of a transition's poses counts beside that. Nodes outside the style take the shortest way into
    it.
    """
    if not (1 <= headings <= 360 and 0.0 < sight <= 60.0 and transition_weight >= 0.0):
        raise GraphError("there are 1 to 360 headings, seen up to 60 seconds ahead")
    styles = arrange_styles(graph, [(0.0, style)])
    own, reach = styles.edges[0], styles.reach[0]
    here, there = reach[graph.tails], reach[graph.heads]
    outside = ~own & (here > 0) & (here < NEVER) & ((there == 0) | (graph.frames + there == here))
    discount = float(np.exp(-1.0 / (sight * graph.fps)))
    surcharges = transition_weight * graph.costs + np.where(outside, DETOUR * graph.frames, 0.0)
    paces = np.hypot(*graph.moves[own, :2].T) / graph.frames[own]
    wasted = weigh_edges(graph.trail_offsets, graph.trails, float(np.median(paces)), discount, surcharges)
    ways = (graph.offsets, own | outside, wasted, graph.heads, graph.moves[:, 2].copy(), discount**graph.frames)
    values = np.zeros((graph.node_count, FINE_HEADINGS))
    sweep_values(*ways, COST_TOLERANCE * (1.0 - discount), values)
    table = np.full((graph.node_count, headings), -1, np.int64)
    best_edges(*ways, values, table)
    table.flags.writeable = False
    return HeadingTable(table)


def steer(
    graph: MotionGraph,
    table: HeadingTable,
    wanted: Callable[[float], float],
    seconds: float,
    *,
    start: int,
    placement: Placement | None = None,
) -> Walk:
    """The walk of somebody who at every choice point goes where `wanted` says, given the seconds gone by [rad]."""
    node, place, frame, edges = start, placement or Placement(), 0, []
    if not 0 <= start < graph.node_count or table.edges[start, 0] < 0:
        raise GraphError(f"the table does not know the way from node {start}")
    while frame < seconds * graph.fps:
        edge = table.choose(node, place.heading, wanted(frame / graph.fps))
        edges.append(edge)
        place = place @ Placement(*graph.moves[edge])
        frame += int(graph.frames[edge])
        node = int(graph.heads[edge])
    return Walk(graph, start, np.array(edges, dtype=np.int64), placement or Placement())
