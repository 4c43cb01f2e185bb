"""The search for a way that ends at a place, looking somewhere: best first, over nodes, places and headings."""

from __future__ import annotations

import heapq
import math
from typing import NamedTuple

import numpy as np
from numba.core import types
from numba.typed import Dict
from numpy.typing import NDArray

from walkon.kernels import kernel
from walkon.rotations.kernels import carried

CELL_SHARE = 0.5
"""Side of a cell of the ground, as a share of how near to the place one must come. States at the same node in the
same cell and heading are one; larger cells search faster and end less exactly."""

BINS = 36
"""Headings that are told apart, 10° each."""

PRECISION = 20.0
"""Frames that somebody may spend to end in the very middle of what is allowed rather than at its edge; found by
trying."""

MISSED = 30.0
"""Frames that count as much as missing the place by one tolerance more, where nothing is within it."""


class PricedEdges(NamedTuple):
    """What is searched. offsets (V + 1,), heads (E,), moves (E, 3): of the graph.

    prices: (E,) what edges cost [frames], infinite for those that may not be taken. waits: (V,) what the cheapest
    way from a node to one where it may end costs. rests: (V, 3) x, z, heading of the end of that way as seen from
    its beginning.
    """

    offsets: NDArray[np.int64]
    heads: NDArray[np.int64]
    moves: NDArray[np.float64]
    prices: NDArray[np.float64]
    waits: NDArray[np.float64]
    rests: NDArray[np.float64]


class PlaceWish(NamedTuple):
    """Where to get. x, z, near [m]; heading [rad] (nan: any) and turn, how far from it.

    pace [m per frame], spin [rad per frame]: the fastest there is. eager: how much more than the time that has
    passed the time that must still pass counts. left, behind, right, before [m]: least x and z, greatest x and z
    of where one may be.
    """

    x: float
    z: float
    near: float
    heading: float
    turn: float
    pace: float
    spin: float
    eager: float
    left: float
    behind: float
    right: float
    before: float


class FoundStates(NamedTuple):
    """States that were found: nodes (M,), where (M, 3), prices (M,) to get there, parents (M,), and the edges (M,)
    from these; for a state without a parent, the number of the source. offs, turns: (M,) how far one would be from
    the wish, and turned from it, who took the cheapest way from here to where it may end, in units of what is
    allowed."""

    nodes: NDArray[np.int64]
    where: NDArray[np.float64]
    prices: NDArray[np.float64]
    parents: NDArray[np.int64]
    edges: NDArray[np.int64]
    offs: NDArray[np.float64]
    turns: NDArray[np.float64]


def make_room(most: int) -> FoundStates:
    """Room for `most` states."""
    whole = [np.empty(most, np.int64) for _ in range(3)]
    prices, offs, turns = (np.empty(most) for _ in range(3))
    return FoundStates(whole[0], np.empty((most, 3)), prices, whole[1], whole[2], offs, turns)


@kernel
def approach(ground, wish, sources, places, ages, budget, desk):
    """The state from which the cheapest way to an end leads where one wishes, and True; else the one from which it
    leads nearest, and False.

    Who looks only at where a body is cannot tell where it will be when it has stopped; so every state is judged by
    the end of the cheapest way from it.

    sources: (S,) nodes to begin at. places: (S, 3) where they are. ages: (S,) what it costs to get to them.
    budget: states that are looked into at most.
    """
    known = Dict.empty(types.int64, types.float64)
    count = 0
    queue = [(0.0, 0)]
    queue.pop()
    for source in range(min(len(sources), len(desk.nodes))):
        desk.where[count] = places[source]
        count = _add(sources[source], ages[source], -1, source, count, known, queue, ground, wish, desk)
    best, best_price = -1, np.inf
    nearest, least = 0, np.inf
    looked = 0
    while len(queue) > 0 and looked < budget:
        promise, state = heapq.heappop(queue)
        if promise >= best_price:
            break
        if desk.prices[state] > known[_key(desk.nodes[state], desk.where[state], wish)]:
            continue
        looked += 1
        price, off, turn = (
            desk.prices[state] + ground.waits[desk.nodes[state]],
            desk.offs[state],
            desk.turns[state],
        )
        if max(off, turn) <= 1.0 and price + PRECISION * (off + turn) < best_price:
            best, best_price = state, price + PRECISION * (off + turn)
        if price + MISSED * (off + turn) < least:
            nearest, least = state, price + MISSED * (off + turn)
        count = _expand(state, count, known, queue, ground, wish, desk)
    return (best, True) if best >= 0 else (nearest, False)


@kernel
def _expand(state, count, known, queue, ground, wish, desk):
    """Add what can be reached from a state by one edge; returns how many states there are now."""
    node = desk.nodes[state]
    sine, cosine = math.sin(desk.where[state, 2]), math.cos(desk.where[state, 2])
    for edge in range(ground.offsets[node], ground.offsets[node + 1]):
        if count >= len(desk.nodes) or not math.isfinite(ground.prices[edge] + ground.waits[ground.heads[edge]]):
            continue
        desk.where[count, 0], desk.where[count, 1] = carried(
            desk.where[state, 0], desk.where[state, 1], sine, cosine, ground.moves[edge, 0], ground.moves[edge, 1]
        )
        desk.where[count, 2] = desk.where[state, 2] + ground.moves[edge, 2]
        if _is_outside(desk.where[count], wish) and not _is_outside(desk.where[state], wish):
            continue
        price = desk.prices[state] + ground.prices[edge]
        count = _add(ground.heads[edge], price, state, edge, count, known, queue, ground, wish, desk)
    return count


@kernel
def _is_outside(place, wish):
    return not (wish.left <= place[0] <= wish.right and wish.behind <= place[1] <= wish.before)


@kernel
def _add(node, price, parent, edge, count, known, queue, ground, wish, desk):
    """Add the state whose place is on the desk already, unless one like it is known that costs no more."""
    key = _key(node, desk.where[count], wish)
    if key in known and known[key] <= price:
        return count
    known[key] = price
    desk.nodes[count], desk.prices[count], desk.parents[count], desk.edges[count] = node, price, parent, edge
    x, z, heading = _end(desk.where[count], ground.rests[node])
    off, turn = math.hypot(x - wish.x, z - wish.z), 0.0
    if not math.isnan(wish.heading):
        turn = abs(math.atan2(math.sin(heading - wish.heading), math.cos(heading - wish.heading)))
    desk.offs[count], desk.turns[count] = off / wish.near, turn / wish.turn
    still = max(max(off - wish.near, 0.0) / wish.pace, max(turn - wish.turn, 0.0) / wish.spin)
    heapq.heappush(queue, (price + ground.waits[node] + wish.eager * still, count))
    return count + 1


@kernel
def _end(place, rest):
    """x, z, heading of what is seen as `rest` from a place."""
    x, z = carried(place[0], place[1], math.sin(place[2]), math.cos(place[2]), rest[0], rest[1])
    return x, z, place[2] + rest[2]


@kernel
def lay_rests(order, waits, offsets, heads, moves, prices, rests):
    """Fill rests (V, 3): the ends of the cheapest ways, as seen from their beginnings. order: nodes by waits."""
    for node in order:
        rests[node] = 0.0
        if waits[node] <= 0.0 or not math.isfinite(waits[node]):
            continue
        chosen, least = -1, np.inf
        for edge in range(offsets[node], offsets[node + 1]):
            price = prices[edge] + waits[heads[edge]]
            # Only what is nearer to the end, and so known already.
            if price < least and waits[heads[edge]] < waits[node]:
                chosen, least = edge, price
        if chosen >= 0:
            end = _end(moves[chosen], rests[heads[chosen]])
            rests[node, 0], rests[node, 1], rests[node, 2] = end


@kernel
def _key(node, place, wish):
    """One number for all that is told apart: a node, a cell of the ground, and a heading."""
    turn = math.floor(place[2] / (2.0 * math.pi) * BINS + 0.5) % BINS
    column, row = math.floor(place[0] / (CELL_SHARE * wish.near)), math.floor(place[1] / (CELL_SHARE * wish.near))
    return ((node * BINS + turn) * 1_000_003 + column) * 1_000_003 + row
