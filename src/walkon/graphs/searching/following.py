"""A search some seconds ahead, the first second of what it found, and the next search from there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from walkon.basics import Array, Indices
from walkon.graphs.graph import PLAIN, MotionGraph
from walkon.graphs.searching._kernels_fitting import ARC, EdgeTable, PathWish, X, Z, advance
from walkon.graphs.searching._kernels_searching import SearchDesk, look_ahead, make_desk
from walkon.graphs.searching.drawn_path import DrawnPath
from walkon.graphs.searching.styles import Styles, lengths_of_edges, lengths_of_steps
from walkon.rotations import Placement

LEAST_PROGRESS = 0.3
"""Progress [m/s] that is asked of every frame (γ): slower frames count as if they made it, so that nobody
stalls."""

EARLY = 0.6
"""Metres around the end of a style where both that one and the next will do."""

DETOUR = 0.2
"""Metres: a frame of neither style, between two, counts as much as being this far off the path."""

CHANGE = 0.1
"""Metres: a frame of a transition counts as much as being this far off the path, besides the distance of its
poses. More makes walks that change less often."""

FORESIGHT, AHEAD = 10.0, 0.3
"""Of walks of the same length a sketch prefers those that will still be close to the path when they go on as they
face. How far from it they would be AHEAD [m] farther on counts as much as the error of FORESIGHT frames."""

ENOUGH = 0.01
"""Metres: a walk that is this close to its path, root mean square, is not improved."""

DRAWN_BACK = 0.25
"""Share of its progress by which the arc length may be put right after every search.

A body that sways goes farther than its path is long, and one that cuts corners less far; without this it would be
behind its point of the path, or ahead of it, ever after. Who stands still is put right only in part, and must go
on.
"""

STARTS, GLANCE, CLOSER = 96, 1500, 6
"""Nodes tried as starts, edges looked at from each, and how many of them are looked at closely."""

WIDEST = 64
"""Walks that a sketch goes on with at every frame, at most."""

MEMORY = 0.1
"""Metres: what an earlier answer showed counts, in the next one, as much as being this far off the path."""


class LookAhead(NamedTuple):
    """How far and how carefully a search looks ahead.

    horizon: frames that are looked ahead, of which the first `keep` are kept before it looks again. A longer
    horizon sees more of the path and finds less good walks in the same time. budget: edges looked at each time, at
    most. transition_weight: how much the distance of a transition's poses counts beside that from the path.
    """

    horizon: int = 110
    keep: int = 28
    budget: int = 20_000
    transition_weight: float = 1.0


class Followed(NamedTuple):
    """edges: (S,). arcs: (F,) [m] arc length at every frame. looked: edges looked at."""

    edges: Indices
    arcs: Array
    looked: int


def ground_of(graph: MotionGraph, transition_weight: float) -> EdgeTable:
    """The graph as the search sees it."""
    blends = graph.carries != PLAIN
    return EdgeTable(
        offsets=graph.offsets,
        heads=graph.heads,
        frames=graph.frames,
        moves=graph.moves,
        trail_offsets=graph.trail_offsets,
        trails=np.column_stack([graph.trails, lengths_of_steps(graph)]),
        lengths=lengths_of_edges(graph),
        surcharges=transition_weight * graph.frames * np.where(blends, CHANGE**2 + graph.costs**2, 0.0),
    )


def width_of(graph: MotionGraph, horizon: int, budget: int) -> int:
    """Walks that a sketch can go on with at every frame for half of a budget."""
    ways = graph.edge_count / max(graph.node_count, 1)
    return int(np.clip(0.5 * budget / (horizon * max(ways, 1.0)), 1, WIDEST))


class Follower:
    """Follows a path through a graph, from wherever it is asked to."""

    def __init__(self, graph: MotionGraph, path: DrawnPath, styles: Styles, settings: LookAhead) -> None:
        self._graph, self._path, self._reach, self._settings = graph, path, styles.reach[0], settings
        self._ground = ground_of(graph, settings.transition_weight)
        self._wish = PathWish(
            path.points,
            path.spacing,
            path.length,
            *styles,
            least=LEAST_PROGRESS / graph.fps,
            early=EARLY,
            detour=DETOUR**2,
            foresight=FORESIGHT,
            ahead=AHEAD,
        )

    def rank_starts(self, begin: Placement, rng: np.random.Generator) -> tuple[Indices, int]:
        """Nodes to begin at, the most promising first; and how many edges were looked at."""
        nodes = np.flatnonzero(self._reach == 0)
        if len(nodes) > STARTS:
            nodes = rng.choice(nodes, STARTS, replace=False)
        ranked, glanced = self._rank(nodes, begin, min(GLANCE, self._settings.budget))
        best, looked = self._rank(ranked[:CLOSER], begin, self._settings.budget)
        return np.concatenate([best, ranked[CLOSER:]]), glanced + looked

    def follow(self, node: int, begin: Placement) -> Followed:
        """Goes from a node to the end of the path."""
        settings, frames = self._settings, self._graph.frames
        desk = self._desk(settings.budget)
        place, state = self._begin(node, begin)
        walked, arcs, all_looked = [], [np.zeros(1)], 0
        while place[ARC] < self._path.length:
            length, _, looked = self._look_ahead(place, state, settings.budget, desk)
            all_looked += looked
            edges = desk.answer[:length]
            kept = edges[: int(np.searchsorted(np.cumsum(frames[edges]), settings.keep)) + 1].copy()
            passed = np.empty(int(frames[kept].sum()))
            before = float(place[ARC])
            advance(kept, place, state, self._ground, self._wish, passed)
            self._put_right(place, float(place[ARC]) - before)
            walked.append(kept)
            arcs.append(passed)
        return Followed(np.concatenate(walked), np.concatenate(arcs), all_looked)

    def remember(self, edges: Indices) -> None:
        """From now on goes elsewhere where that is nearly as good."""
        shown = np.unique(edges)
        self._ground.surcharges[shown] += MEMORY**2 * self._graph.frames[shown]

    def _rank(self, nodes: Indices, begin: Placement, budget: int) -> tuple[Indices, int]:
        desk = self._desk(budget)
        errors, all_looked = np.empty(len(nodes)), 0
        for number, node in enumerate(nodes):
            _, errors[number], looked = self._look_ahead(*self._begin(int(node), begin), budget, desk)
            all_looked += looked
        return nodes[np.argsort(errors, kind="stable")], all_looked

    def _desk(self, budget: int) -> SearchDesk:
        most = int(np.diff(self._graph.offsets).max())
        horizon = self._settings.horizon
        return make_desk(horizon, most, width_of(self._graph, horizon, budget))

    def _begin(self, node: int, begin: Placement) -> tuple[Array, Indices]:
        place = np.array([begin.x, begin.z, np.sin(begin.heading), np.cos(begin.heading), 0.0])
        return place, np.array([node, 0, self._reach[node] > 0, 0], dtype=np.int64)

    def _look_ahead(self, place: Array, state: Indices, budget: int, desk: SearchDesk) -> tuple[int, float, int]:
        horizon = self._settings.horizon
        return look_ahead(place, state, horizon, budget, ENOUGH**2 * horizon, self._ground, self._wish, desk)

    def _put_right(self, place: Array, progress: float) -> None:
        """Sets the arc length to that of the nearest point of the path, among those close to where it is."""
        arc, reach = float(place[ARC]), DRAWN_BACK * progress
        if arc >= self._path.length:
            return
        arcs = np.linspace(max(arc - reach, 0.0), arc + reach, 2 + round(2.0 * reach / self._path.spacing))
        points = self._path.at(arcs)
        place[ARC] = arcs[np.argmin((points[:, 0] - place[X]) ** 2 + (points[:, 1] - place[Z]) ** 2)]
