"""Random walks on arrays, many at once, each with chance of its own."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import prange

from walkon.kernels import kernel


@kernel
def draw(state):
    """A random number of 64 bits, and the state after it (splitmix64): the same on every machine."""
    state = state + np.uint64(0x9E3779B97F4A7C15)
    mixed = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state, mixed ^ (mixed >> np.uint64(31))


@kernel
def below(state, count):
    """A random whole number from 0 to count - 1, and the state after it."""
    state, bits = draw(state)
    return state, np.int64(bits >> np.uint64(11)) % count


class Wandered(NamedTuple):
    """Arrays of a `MotionGraph`, and which of its edges (E,) are allowed."""

    offsets: np.ndarray
    heads: np.ndarray
    frames: np.ndarray
    carries: np.ndarray
    allowed: np.ndarray


@kernel
def wander(state, node, frames_wanted, calm, graph, edges):
    """Goes at random along allowed edges until `frames_wanted` are shown; returns how many edges (S,) were taken.

    calm: frames after a transition during which the recording goes on, where it can.
    """
    offsets, heads, frames, carries, allowed = graph
    shown, taken, since = 0, 0, calm
    while shown < frames_wanted:
        ways = 0
        for edge in range(offsets[node], offsets[node + 1]):
            ways += allowed[edge]
        if ways == 0:
            break
        edge = offsets[node]
        if not (since < calm and carries[edge] < 0 and allowed[edge]):
            state, left = below(state, ways)
            while not allowed[edge] or left > 0:
                left -= allowed[edge]
                edge += 1
        since = since + frames[edge] if carries[edge] < 0 else 0
        edges[taken] = edge
        taken += 1
        shown += frames[edge]
        node = heads[edge]
    return taken


@kernel(parallel=True)
def wander_many(states, nodes, frames_wanted, calm, graph, edges, taken):
    """`wander` from every one of the nodes (W,): edges (W, S), taken (W,)."""
    for walk in prange(len(nodes)):
        taken[walk] = wander(states[walk], nodes[walk], frames_wanted, calm, graph, edges[walk])
