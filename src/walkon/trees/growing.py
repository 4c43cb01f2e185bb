"""What every builder of trees is given, and what it returns.

A builder decides which clip follows which, and nothing else: a growth is two columns of numbers. Where the nodes
are, what they cost and which cells they cover follows from that, and is worked out once for all builders.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Progress
from walkon.behaviors import BehaviorGraph
from walkon.planning.moves import Moves, compile_moves
from walkon.trees._kernels_tracing import ClipPaths, Plot
from walkon.trees.region import Region


class Soil(NamedTuple):
    """What a tree grows from.

    moves: the clips, and which behaviors follow which pose; only those that trees use. behavior_of: (C,) of the
    clips. pose: of the root. region: where paths may go.
    trace_starts (C + 1,), traces (T, 2) [m]: points along each clip's path, as its entry sees them, no further
    apart than half a cell of the region; the entry itself is left out, the exit is the last.
    """

    moves: Moves
    behavior_of: NDArray[np.int64]
    pose: int
    region: Region
    trace_starts: NDArray[np.int64]
    traces: Array


class Growth(NamedTuple):
    """n nodes besides the root, parents before children. parents: (n,) numbers of nodes, -1 for the root.
    clips: (n,) as Moves numbers them."""

    parents: NDArray[np.int32]
    clips: NDArray[np.int32]


class Builder(Protocol):
    """A way to choose the nodes of a tree."""

    @property
    def name(self) -> str:
        """As the command line calls it."""
        ...

    def grow(
        self, soil: Soil, nodes: int, random: np.random.Generator, progress: Progress | None = None
    ) -> Growth:
        """At most `nodes` nodes. The same generator gives the same tree; progress is called with (so far, all)."""
        ...


def prepare_soil(moves: Moves, pose: int, region: Region) -> Soil:
    """Everything a builder needs for one root."""
    clips = len(moves.numbers)
    behavior_of = np.searchsorted(moves.clip_starts, np.arange(clips), side="right") - 1
    traces = [_trace(moves, clip, 0.5 * region.cell) for clip in range(clips)]
    starts = np.concatenate([[0], np.cumsum([len(trace) for trace in traces])])
    return Soil(moves, behavior_of, pose, region, starts, np.concatenate(traces))


def clip_paths(soil: Soil) -> ClipPaths:
    """What kernels of builders read about the clips."""
    moves = soil.moves
    return ClipPaths(
        moves.clip_starts, moves.exit, moves.displacements, soil.behavior_of, soil.trace_starts, soil.traces
    )


def region_plot(region: Region) -> Plot:
    """What kernels of builders read about a region."""
    return Plot(region.origin_x, region.origin_z, region.cell, region.mask, np.flatnonzero(region.mask))


def tree_moves(graph: BehaviorGraph, *, seed: int = 0, passes: tuple[str, ...] = ()) -> Moves:
    """The clips a tree is made of: all that are allowed, but none that lead nowhere, since planners put in waits
    where they are needed; and of those that pass over or under something only what `passes` names."""
    # Trees know no bodies, and serve every level; circles are compiled soonest.
    moves = compile_moves(graph, seed, "circle")
    used = graph.which(lambda kind: kind.leads_on and (not kind.special or kind.passes in passes))
    rows = [own[used[own]] for own in np.split(moves.followers, moves.follower_starts[1:-1])]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    return moves._replace(follower_starts=starts, followers=np.concatenate(rows))


def _trace(moves: Moves, clip: int, step: float) -> Array:
    """Points (T, 2) along a clip's path, no further apart than `step` unless one frame goes further."""
    path = moves.paths[moves.frame_starts[clip] : moves.frame_starts[clip + 1]]
    points, last = [], path[0]
    for before, point in pairwise(path):
        if np.hypot(*(point - last)) > step:
            points.append(before)
            last = before
    return np.array([*points, moves.displacements[clip, :2]])
