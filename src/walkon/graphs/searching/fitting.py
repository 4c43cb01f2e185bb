"""Walks along a path drawn on the ground: the best that can be seen some seconds ahead, again and again."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.errors import GraphError
from walkon.graphs.graph import MotionGraph
from walkon.graphs.performing.walks import Walk
from walkon.graphs.searching._kernels_reaching import NEVER
from walkon.graphs.searching.drawn_path import DrawnPath, draw_path
from walkon.graphs.searching.following import Followed, Follower, LookAhead
from walkon.graphs.searching.styles import Style, Styles, arrange_styles
from walkon.graphs.searching.variety import pick_different
from walkon.rotations import Placement

LOOK_AHEAD = LookAhead()
"""How the search looks ahead unless told otherwise: some four seconds at 30 Hz, found by trying."""

ATTEMPTS = 3
"""Walks that are tried for every answer that is wanted, where several are."""


@dataclass(frozen=True, eq=False)
class Fit:
    """A walk along a path.

    deviations: (F,) [m] from the walk's track to the nearest point of the path.
    lags: (F,) [m] from there to the point of the path at the same arc length, which is what the search minimises.
    searched_nodes: edges that were looked at. seconds: that the search took. others: further answers, best first.
    """

    walk: Walk
    deviations: Array
    lags: Array
    searched_nodes: int
    seconds: float
    others: tuple[Fit, ...] = ()

    @property
    def mean_deviation(self) -> float:
        """Mean over frames [m]."""
        return float(self.deviations.mean())


def fit_path(
    graph: MotionGraph,
    path: ArrayLike,
    *,
    styles: Sequence[tuple[float, Style | None]] | Style | None = None,
    seed: int = 0,
    answers: int = 1,
    start: int | None = None,
    placement: Placement | None = None,
    look: LookAhead = LOOK_AHEAD,
) -> Fit:
    """A walk whose track follows the lines between points (P, 2) [m], from the first to the last.

    styles: one for the whole path, or several with the arc lengths [m] from which they are wanted, the first 0;
    where no transition leads from one straight to the next, the walk makes the shortest detour through what is
    there. answers: how many different walks are wanted. start, placement: where to begin; chosen well if not
    given. look: how far and how carefully the search looks ahead.
    """
    begun = time.perf_counter()
    if not 1 <= look.keep <= look.horizon <= 1000 or answers < 1 or look.budget < 1:
        raise GraphError("keep, answers and budget must be at least 1, horizon between keep and 1000 frames")
    drawn = draw_path(path)
    arranged = _arrange(graph, styles, drawn)
    follower = Follower(graph, drawn, arranged, look)
    rng = np.random.default_rng(seed)
    place = placement or drawn.placement()
    if start is None:
        starts, looked = follower.rank_starts(place, rng)
    else:
        starts, looked = np.array([_checked(graph, arranged, start)]), 0
    ways: list[tuple[int, Followed]] = []
    for attempt in range(1 if answers == 1 else ATTEMPTS * answers):
        ways.append(
            (int(starts[attempt % len(starts)]), follower.follow(int(starts[attempt % len(starts)]), place))
        )
        follower.remember(ways[-1][1].edges)
    fits = [_judge(graph, drawn, node, place, way, looked, begun) for node, way in ways]
    fits.sort(key=lambda fit: float(np.mean(fit.lags**2)))
    chosen = [fits[number] for number in pick_different([fit.walk for fit in fits], answers)]
    return replace(chosen[0], others=tuple(chosen[1:]))


def _arrange(
    graph: MotionGraph, styles: Sequence[tuple[float, Style | None]] | Style | None, path: DrawnPath
) -> Styles:
    if styles is None or isinstance(styles, str | set | frozenset):
        return arrange_styles(graph, [(0.0, styles)])
    segments = [(float(begin), style) for begin, style in styles]
    if segments and segments[-1][0] >= path.length:
        raise GraphError(f"a style begins at {segments[-1][0]:g} m of a path of {path.length:g} m")
    return arrange_styles(graph, segments)


def _checked(graph: MotionGraph, styles: Styles, start: int) -> int:
    if not 0 <= start < graph.node_count:
        raise GraphError(f"a walk starts at one of {graph.node_count} nodes, not at {start}")
    if styles.reach[0, start] >= NEVER:
        raise GraphError(f"no way leads from node {start} to the style that is wanted first")
    return start


def _judge(
    graph: MotionGraph, path: DrawnPath, node: int, place: Placement, way: Followed, looked: int, begun: float
) -> Fit:
    walk = Walk(graph, node, way.edges, place)
    track = walk.path()
    lags = np.hypot(*(track - path.at(way.arcs)).T)
    seconds = time.perf_counter() - begun
    return Fit(walk, path.distances(track), lags, looked + way.looked, seconds)
