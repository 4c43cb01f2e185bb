"""Styles of motion: which edges show one, where one can go on in it for ever, and how to get there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from walkon.basics import Array, Flags, Indices
from walkon.errors import GraphError
from walkon.graphs.graph import PLAIN, MotionGraph
from walkon.graphs.reachability import edges_on_cycles, nodes_behind, touched
from walkon.graphs.searching._kernels_reaching import NEVER, edges_into, frames_to, lengths_to

Style = str | Collection[str]
"""A label that all rows must have, or a set of labels that all rows must have and no others."""


class Styles(NamedTuple):
    """K styles, one after another.

    ends: (K,) [m] arc length at which each is over; infinite for the last. shown: (K, E) edges that show a style.
    edges: (K, E) those after which one can go on in it for ever, and get to all later ones.
    reach: (K, V) fewest frames from a node to one where such an edge begins; NEVER if there is no way. ways: (K,
    V) metres of that way.
    """

    ends: Array
    shown: Flags
    edges: Flags
    reach: Indices
    ways: Array


def edges_of_style(graph: MotionGraph, style: Style | None) -> Flags:
    """Edges (E,) of which every row shown or mixed is of the style; all edges for None."""
    if style is None:
        return np.ones(graph.edge_count, dtype=np.bool_)
    corpus, transitions = graph.corpus, graph.transitions
    if isinstance(style, str):
        fits = np.array([style in own for own in corpus.label_sets])
    else:
        fits = np.array([own == frozenset(style) for own in corpus.label_sets])
    if not fits.any():
        there = ", ".join(sorted(" + ".join(sorted(own)) or "no label" for own in corpus.label_sets))
        wanted = style if isinstance(style, str) else " + ".join(sorted(style))
        raise GraphError(f"nothing in the graph is called {wanted!r}; there are: {there}")
    rows = fits[corpus.labels]
    steps = np.arange(transitions.window)
    mixed = rows[transitions.sources[:, None] + 1 + steps] & rows[transitions.targets[:, None] - steps]
    # A piece has one label set, that of its last row.
    return np.where(
        graph.carries == PLAIN, rows[graph.nodes[graph.heads]], np.append(mixed.all(axis=1), True)[graph.carries]
    )


def endless_edges(graph: MotionGraph, allowed: Flags) -> Flags:
    """Those of the allowed edges (E,) after which one can go on along allowed edges for ever."""
    count, tails, heads = graph.node_count, graph.tails[allowed], graph.heads[allowed]
    turning = edges_on_cycles(count, tails, heads)
    return allowed & nodes_behind(count, tails, heads, touched(count, tails[turning]))[graph.heads]


def arrange_styles(graph: MotionGraph, styles: Sequence[tuple[float, Style | None]] | None) -> Styles:
    """Styles, each with the arc length [m] from which it is wanted, in order; the first from 0 on.

    From wherever one can be in a style, all later ones can be reached.
    """
    wanted = list(styles) if styles else [(0.0, None)]
    arcs = np.array([begin for begin, _ in wanted], dtype=np.float64)
    if not np.isfinite(arcs).all() or arcs[0] != 0.0 or (np.diff(arcs) <= 0.0).any():
        raise GraphError("styles must begin at rising arc lengths, the first at 0")
    into = edges_into(graph.heads, graph.node_count)
    lengths = lengths_of_edges(graph)
    count, nodes = len(wanted), graph.node_count
    shown = np.array([edges_of_style(graph, style) for _, style in wanted])
    edges, reach, ways = np.zeros_like(shown), np.zeros((count, nodes), np.int64), np.zeros((count, nodes))
    reached = np.ones(nodes, dtype=np.bool_)
    for number in reversed(range(count)):
        edges[number] = endless_edges(graph, shown[number] & reached[graph.heads])
        if not edges[number].any():
            raise GraphError(f"one cannot go on in the style {wanted[number][1]!r} for ever; is the graph pruned?")
        begins = touched(nodes, graph.tails[edges[number]])
        reach[number], first = frames_to(graph.tails, graph.frames, *into, begins)
        ways[number] = lengths_to(graph.heads, lengths, reach[number], first)
        reached = reach[number] < NEVER
    return Styles(np.append(arcs[1:], np.inf), shown, edges, reach, ways)


def lengths_of_edges(graph: MotionGraph) -> Array:
    """Metres (E,) that the track goes on every edge."""
    return np.add.reduceat(lengths_of_steps(graph), graph.trail_offsets[:-1]) if graph.edge_count else np.zeros(0)


def lengths_of_steps(graph: MotionGraph) -> Array:
    """Metres (sum of frames,) that the track goes in every frame of every edge."""
    steps = np.diff(graph.trails, axis=0, prepend=np.zeros((1, 2)))
    firsts = graph.trail_offsets[:-1]
    steps[firsts] = graph.trails[firsts]
    return np.hypot(*steps.T)
