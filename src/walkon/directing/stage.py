"""A motion graph as whoever acts a script on it sees it: what may be taken, what it costs, where things begin."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array, Flags
from walkon.directing.actions import Action, doing, staying
from walkon.directing.approaching import ANYWHERE, Bounds, Ends, find_ends
from walkon.directing.reports import STAND
from walkon.directing.ways import frames_to
from walkon.graphs import MotionGraph
from walkon.graphs.graph import PLAIN
from walkon.graphs.searching.styles import edges_of_style, endless_edges
from walkon.world import Do, ScriptStep, Wait

WALK = "walk"
"""The label of motion to get about in unless a style is said."""

MOMENT = 0.3
"""[s] that somebody stands who stops to turn, or at the end."""

STRANGE = 4.0
"""How many times longer than they are edges count that are of another style."""

BREADTH = 0.7
"""[m] from a body's track that its limbs reach."""

PATCHED = 100.0
"""[frames] that a blend of poses a metre apart counts more than it lasts."""


class ActingStage:
    """A graph made ready for acting; kept between attempts. bounds [m]: of where the tracks of bodies may be."""

    def __init__(self, graph: MotionGraph, bounds: Bounds | None = None) -> None:
        self.graph = graph
        self.bounds = ANYWHERE if bounds is None else narrowed(bounds)
        self.names = frozenset().union(*graph.corpus.label_sets)
        self.alive = endless_edges(graph, np.ones(graph.edge_count, dtype=np.bool_))
        if not self.alive.any():
            # A graph that ends everywhere is acted on as far as it goes.
            self.alive = np.ones(graph.edge_count, dtype=np.bool_)
        self._prices: dict[str | None, Array] = {}
        self._ends: dict[tuple[str | None, int | None], Ends] = {}
        self._beginnings: dict[tuple[str | None, str | None], Ends] = {}
        self._frames_into: dict[str | None, Array] = {}
        self._styles: dict[str | None, Flags] = {}
        self._actions: dict[tuple[str, int | None], Action] = {}

    @property
    def usual(self) -> str | None:
        """The label to get about in unless told otherwise; None for anything."""
        return WALK if WALK in self.names else None

    @property
    def rest(self) -> Action | None:
        """Standing for a moment; None if the graph has no standing."""
        return self.action(Wait(MOMENT))

    @property
    def alive_nodes(self) -> Flags:
        """Nodes (V,) from which one can go on."""
        nodes = np.zeros(self.graph.node_count, dtype=np.bool_)
        nodes[self.graph.tails[self.alive]] = True
        return nodes

    def lacks(self, label: str) -> str:
        """What to say where the graph has nothing that is called so, or nothing that can be done."""
        there = ", ".join(sorted(self.names)) or "no labels"
        return f"nothing in the graph can be done that is called {label!r}; there are: {there}"

    def prices(self, style: str | None) -> Array:
        """What edges (E,) count [frames] for somebody who gets about in a style, or stands."""
        if style not in self._prices:
            graph = self.graph
            prices = graph.frames * (1.0 if style is None else np.where(self._fits(style), 1.0, STRANGE))
            prices = prices + PATCHED * graph.costs
            self._prices[style] = np.where(self.alive, prices, np.inf)
        return self._prices[style]

    def ends(self, style: str | None, action: Action | None) -> Ends:
        """Where somebody who gets about in a style may end who has then something to do, or nothing."""
        key = style, None if action is None else id(action)
        if key not in self._ends:
            entries = self.alive_nodes if action is None else action.entries
            self._ends[key] = find_ends(self.graph, entries, self.prices(style))
        return self._ends[key]

    def beginnings(self, before: str | None, style: str | None) -> Ends:
        """Where somebody who got about in one style so far may end who is to go on in another."""
        key = before, style
        if key not in self._beginnings:
            self._beginnings[key] = find_ends(self.graph, self.nodes_in(style), self.prices(before))
        return self._beginnings[key]

    def frames_into(self, style: str | None) -> Array:
        """Fewest frames (V,) from every node to where one can go on in a style."""
        if style not in self._frames_into:
            prices = np.where(self.alive, self.graph.frames, np.inf)
            self._frames_into[style] = frames_to(self.graph, self.nodes_in(style), prices)
        return self._frames_into[style]

    def nodes_in(self, style: str | None) -> Flags:
        """Nodes (V,) from which one can go on in a style for ever; all alive ones if none can be kept up."""
        if style not in self._styles:
            nodes = np.zeros(self.graph.node_count, dtype=np.bool_)
            lasting = endless_edges(self.graph, edges_of_style(self.graph, style) & self.alive)
            nodes[self.graph.tails[lasting]] = True
            self._styles[style] = nodes if nodes.any() else self.alive_nodes
        return self._styles[style]

    def action(self, step: ScriptStep) -> Action | None:
        """What a step asks to be done; None if the graph has nothing that is called so."""
        label, frames = STAND, None
        if isinstance(step, Wait):
            frames = _frames(step.seconds, self.graph.fps)
        elif isinstance(step, Do):
            label = step.label
            frames = None if step.seconds is None else _frames(step.seconds, self.graph.fps)
        if label not in self.names:
            return None
        if (label, frames) not in self._actions:
            made = doing(self.graph, label, self.alive) if frames is None else self._staying(label, frames)
            self._actions[label, frames] = made
        action = self._actions[label, frames]
        return action if action.entries.any() else None

    def _staying(self, label: str, frames: int) -> Action:
        return staying(self.graph, label, frames, self.alive)

    def _fits(self, style: str) -> Flags:
        """Edges (E,) all of whose rows show the style, or standing."""
        graph, corpus = self.graph, self.graph.corpus
        rows = np.array([style in own or STAND in own for own in corpus.label_sets])[corpus.labels]
        steps = np.arange(graph.window)
        transitions = graph.transitions
        mixed = rows[transitions.sources[:, None] + 1 + steps] & rows[transitions.targets[:, None] - steps]
        blends = np.append(mixed.all(axis=1), True)[graph.carries]
        return np.where(graph.carries == PLAIN, rows[graph.nodes[graph.heads]], blends)


def narrowed(bounds: Bounds) -> Bounds:
    """Where the track of a body may be whose limbs are not to leave the bounds."""
    left, behind, right, before = bounds
    return left + BREADTH, behind + BREADTH, right - BREADTH, before - BREADTH


def _frames(seconds: float, fps: float) -> int:
    """Frames after the first such that all of them last these seconds."""
    return max(int(np.ceil(seconds * fps - 1e-9)) - 1, 1)
