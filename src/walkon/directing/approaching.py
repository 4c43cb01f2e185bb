"""Ways through a motion graph that end at a place, looking somewhere, where the next step can begin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Flags
from walkon.directing._kernels_approach import PlaceWish, PricedEdges, approach, lay_rests, make_room
from walkon.directing.ways import frames_to, way_down
from walkon.graphs import MotionGraph
from walkon.rotations import Placement

APPROACH_BUDGET = 60_000
"""States that a search looks into at most. More finds a way more often, and later."""

ROOM_PER_STATE = 8
"""States that there is room for, for each that is looked into: a state has several edges that lead on."""

Bounds = tuple[float, float, float, float]

ANYWHERE: Bounds = (-math.inf, -math.inf, math.inf, math.inf)

EAGER = 1.6
"""How much more the time that must still pass counts than the time that has passed. Above 1 the search hurries
towards the place and finds a way sooner, which may not be the quickest; found by trying."""

FASTEST_PERCENTILE = 95.0
"""Percentile of the speeds of edges that passes for the fastest there is; the very fastest edges are rare."""


QUICKEST_PERCENTILE = 99.0
"""The same for turns, of which most motion has few."""


@dataclass(frozen=True)
class Where:
    """A node, where its row is in the world, and how many frames it takes to get there."""

    node: int
    place: Placement
    age: float = 0.0


@dataclass(frozen=True)
class Aim:
    """Within `near` [m] of (x, z), looking along `heading` ± `turn` [rad], or anywhere."""

    x: float
    z: float
    near: float
    heading: float | None = None
    turn: float = math.pi


@dataclass(frozen=True)
class Approach:
    """A way from one of the places that were offered, its number. met: it ends within the aim, else near it."""

    source: int
    edges: tuple[int, ...]
    met: bool


@dataclass(frozen=True, eq=False)
class Ends:
    """Where ways may end, for somebody who pays `prices` (E,) for edges.

    waits: (V,) the price of the cheapest way from every node to one of them. rests: (V, 3) where that leads.
    """

    prices: Array
    waits: Array
    rests: Array


def find_ends(graph: MotionGraph, ends: Flags, prices: Array) -> Ends:
    """The cheapest ways from everywhere to the nodes `ends` (V,). prices: infinite for edges not to take."""
    waits = frames_to(graph, ends, prices)
    rests = np.zeros((graph.node_count, 3))
    lay_rests(np.argsort(waits), waits, graph.offsets, graph.heads, graph.moves, prices, rests)
    return Ends(prices, waits, rests)


def find_approach(
    graph: MotionGraph,
    sources: Sequence[Where],
    aim: Aim,
    ends: Ends,
    *,
    budget: int = APPROACH_BUDGET,
    eager: float = EAGER,
    bounds: Bounds = ANYWHERE,
) -> Approach:
    """A way that takes little time from one of the sources to the aim, and ends where it may.

    bounds: x and z of the least corner and of the greatest [m]; who is inside does not leave.
    """
    prices = ends.prices
    ground = PricedEdges(graph.offsets, graph.heads, graph.moves, prices, ends.waits, ends.rests)
    heading = math.nan if aim.heading is None else float(aim.heading)
    middle = float(aim.x), float(aim.z), float(aim.near)
    wish = PlaceWish(*middle, heading, float(aim.turn), *fastest(graph, prices), eager, *map(float, bounds))
    desk = make_room(ROOM_PER_STATE * budget)
    state, met = approach(
        ground,
        wish,
        np.array([one.node for one in sources], dtype=np.int64),
        np.array([(one.place.x, one.place.z, one.place.heading) for one in sources], dtype=np.float64),
        np.array([one.age for one in sources], dtype=np.float64),
        budget,
        desk,
    )
    node = int(desk.nodes[state])
    edges = way_down(graph, node, ends.waits, prices) if math.isfinite(ends.waits[node]) else []
    before = []
    while desk.parents[state] >= 0:
        before.append(int(desk.edges[state]))
        state = int(desk.parents[state])
    return Approach(int(desk.edges[state]), (*reversed(before), *edges), bool(met))


def fastest(graph: MotionGraph, prices: Array) -> tuple[float, float]:
    """The fastest [m per frame that is paid for] and the quickest turn [rad per frame] that edges have."""
    usable = np.isfinite(prices)
    if not usable.any():
        return 1.0, 1.0
    moves, frames = graph.moves[usable], prices[usable]
    speeds, spins = np.hypot(moves[:, 0], moves[:, 1]) / frames, np.abs(moves[:, 2]) / frames
    return max(float(np.percentile(speeds, FASTEST_PERCENTILE)), 1e-3), max(
        float(np.percentile(spins, QUICKEST_PERCENTILE)), 1e-3
    )
