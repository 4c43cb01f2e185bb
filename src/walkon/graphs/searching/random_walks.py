"""Walks that go on at random, and for ever if one lets them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.errors import GraphError
from walkon.graphs.graph import MotionGraph
from walkon.graphs.performing.walks import Walk
from walkon.graphs.searching._kernels_wandering import Wandered, wander_many
from walkon.graphs.searching.styles import Style, edges_of_style, endless_edges
from walkon.rotations import Placement

CALM = 0.5
"""Seconds after a transition in which the recording goes on, where it can: who always changes fidgets."""

EDGES_AT_ONCE = 4_000_000
"""Edges of walks that are held in memory at once: 32 MB. More would only need more memory."""


def random_walk(
    graph: MotionGraph,
    seconds: float,
    *,
    seed: int,
    start: int | None = None,
    labels: Style | None = None,
    placement: Placement | None = None,
    calm: float = CALM,
) -> Walk:
    """A random walk of these seconds, or a few frames more; see `random_walks`."""
    return random_walks(graph, seconds, 1, seed=seed, start=start, labels=labels, placement=placement, calm=calm)[
        0
    ]


def random_walks(
    graph: MotionGraph,
    seconds: float,
    count: int,
    *,
    seed: int,
    start: int | None = None,
    labels: Style | None = None,
    placement: Placement | None = None,
    calm: float = CALM,
) -> list[Walk]:
    """`count` random walks of `seconds` each, from a node or from nodes chosen at random.

    labels: the style that they keep to. No walk comes to a dead end: edges after which one could not go on for
    ever are not taken. calm: seconds after a transition in which the recording goes on, where it can.
    """
    if not 0 <= seconds <= 86_400 or count < 0 or not calm >= 0.0:
        raise GraphError("a random walk takes 0 to 86400 seconds; neither number nor calm can be negative")
    frames = int(np.ceil(seconds * graph.fps))
    allowed = endless_edges(graph, edges_of_style(graph, labels))
    nodes = _starts(graph, allowed, start, count, np.random.default_rng(seed))
    chance = np.random.SeedSequence(seed).generate_state(count, np.uint64)
    together = max(1, EDGES_AT_ONCE // max(frames, 1))
    where = placement or Placement()
    walks: list[Walk] = []
    for first in range(0, count, together):
        some = slice(first, min(first + together, count))
        edges, taken = _wander(graph, allowed, nodes[some], chance[some], frames, round(calm * graph.fps))
        walks += [
            Walk(graph, int(node), own[:number].copy(), where)
            for node, own, number in zip(nodes[some], edges, taken, strict=True)
        ]
    return walks


def _wander(
    graph: MotionGraph, allowed: NDArray, nodes: NDArray, chance: NDArray, frames: int, calm: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    edges = np.zeros((len(nodes), max(frames, 1)), np.int64)
    taken = np.zeros(len(nodes), np.int64)
    wandered = Wandered(graph.offsets, graph.heads, graph.frames, graph.carries, allowed)
    wander_many(chance, nodes, frames, calm, wandered, edges, taken)
    return edges, taken


def _starts(
    graph: MotionGraph, allowed: NDArray, start: int | None, count: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    begins = np.unique(graph.tails[allowed])
    if not len(begins):
        raise GraphError("there is nowhere to go on for ever; is the graph pruned?")
    if start is None:
        return rng.choice(begins, count)
    if start not in begins:
        raise GraphError(f"one cannot go on for ever from node {start}")
    return np.full(count, start)
