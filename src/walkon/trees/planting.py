"""From a behavior graph to a forest: a tree for each pose, and the grids over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Indices, Progress
from walkon.behaviors import BehaviorGraph
from walkon.errors import PlanError
from walkon.planning.moves import Moves
from walkon.trees._kernels_planting import goal_entries, point_places, unfold
from walkon.trees.digest import graph_digest
from walkon.trees.forest import Forest
from walkon.trees.growing import Builder, Growth, prepare_soil, tree_moves
from walkon.trees.region import Region

STRETCH = 2.5
"""Environment cells between two points at which a clip is watched, at most; found by trying. With more,
fewer cells are looked at, and larger circles in them, so that more clips must be checked exactly."""

MOST_NODES = 50_000_000
"""Nodes of a forest at most: some gigabytes."""


@dataclass(frozen=True)
class GridSizes:
    """Of the grids over a forest [m].

    cell: of the environment's cells. goal_cell: of the goals' cells; overlap: how far these reach over their
    borders, which is how far goals with a larger tolerance see. Found by trying (`walkon bench tree-grid`).
    """

    cell: float = 0.2
    goal_cell: float = 0.9
    overlap: float = 0.5

    def __post_init__(self) -> None:
        if not (self.cell > 0.0 and self.goal_cell > 0.0 and self.overlap >= 0.0):
            raise PlanError(
                f"cells must have a size: cell {self.cell}, goal_cell {self.goal_cell}, overlap {self.overlap}"
            )


def plant(
    graph: BehaviorGraph,
    builder: Builder,
    *,
    nodes: int,
    region: Region,
    poses: Sequence[str] | None = None,
    seed: int = 0,
    passes: tuple[str, ...] = (),
    grids: GridSizes | None = None,
    progress: Progress | None = None,
) -> Forest:
    """A forest of at most `nodes` nodes, shared out among the poses by how much can be done in each.

    poses: to begin in, by name; all that have followers if not said. seed: the same gives the same forest. passes:
    which special behaviors take part, by what obstacles allow. grids: over it, of the usual sizes if not said.
    """
    moves = tree_moves(graph, seed=seed, passes=passes)
    planted = _planted(graph, moves, poses)
    if len(moves.numbers) >= 2**15:
        raise PlanError(f"{len(moves.numbers)} clips are too many for trees; at most {2**15 - 1} take part")
    if not len(planted) <= nodes <= MOST_NODES:
        raise PlanError(
            f"{nodes} nodes for {len(planted)} trees; there must be one each, and at most {MOST_NODES}"
        )
    growths = {}
    for pose, share in zip(planted, _shares(moves, planted, nodes), strict=True):
        before = sum(len(growth.parents) + 1 for growth in growths.values())
        report = None if progress is None else _onward(progress, before, nodes)
        random = np.random.default_rng([abs(int(seed)), int(seed < 0), pose])
        growths[pose] = builder.grow(prepare_soil(moves, pose, region), share - 1, random, report)
    return Forest(
        digest=graph_digest(graph),
        builder=builder.name,
        seed=int(seed),
        passes=tuple(passes),
        numbers=np.array(moves.numbers),
        **_over_grids(_unfolded(growths, len(graph.poses), moves), moves, grids or GridSizes()),
    )


def _planted(graph: BehaviorGraph, moves: Moves, poses: Sequence[str] | None) -> list[int]:
    """Numbers of the poses that get a tree."""
    followers = np.diff(moves.follower_starts)
    for pose in poses or ():
        if pose not in graph.poses:
            raise PlanError(f"no pose {pose!r} in {graph.library.name!r}; there are: {', '.join(graph.poses)}")
        if not followers[graph.poses.index(pose)]:
            raise PlanError(f"nothing to be done from pose {pose!r}: a tree needs behaviors that lead somewhere")
    wanted = graph.poses if poses is None else poses
    found = [index for index, pose in enumerate(graph.poses) if pose in wanted and followers[index]]
    if not found:
        raise PlanError(f"no behavior of {graph.library.name!r} leads anywhere: there is nothing to grow")
    return found


def _shares(moves: Moves, planted: list[int], nodes: int) -> list[int]:
    """Nodes of the tree of each pose: a root, and of the rest as much as its followers are of all followers. With
    even shares, poses in which one can only go on would take most of a forest."""
    followers = np.cumsum([0, *np.diff(moves.follower_starts)[planted]])
    ends = (nodes - len(planted)) * followers // followers[-1]
    return (1 + np.diff(ends)).tolist()


def _onward(progress: Progress, before: int, nodes: int) -> Progress:
    return lambda done, _: progress(before + done, nodes)


class _Grown(NamedTuple):
    """Nodes of all trees, as Forest has them, but in double precision."""

    starts: Indices
    parents: NDArray[np.int32]
    clips: NDArray[np.int16]
    behaviors: NDArray[np.int16]
    placements: Array
    costs: Array
    frames: NDArray[np.int32]


def _unfolded(growths: dict[int, Growth], poses: int, moves: Moves) -> _Grown:
    """Tree after tree, in the order in which they grew; where the nodes are, when, and what they cost."""
    starts = np.zeros(poses + 1, dtype=np.int64)
    for pose, growth in growths.items():
        starts[pose + 1] = len(growth.parents) + 1
    starts = np.cumsum(starts)
    parents = np.full(starts[-1], -1, dtype=np.int32)
    clips = np.full(starts[-1], -1, dtype=np.int16)
    for pose, growth in growths.items():
        root = int(starts[pose])
        parents[root + 1 : starts[pose + 1]] = growth.parents + np.int32(root + 1)
        clips[root + 1 : starts[pose + 1]] = growth.clips
    behavior_of = np.searchsorted(moves.clip_starts, np.arange(len(moves.numbers)), side="right") - 1
    behaviors = np.where(clips < 0, -1, behavior_of[clips]).astype(np.int16)
    placements, costs = np.empty((len(parents), 3)), np.empty(len(parents))
    frames = np.empty(len(parents), dtype=np.int32)
    unfold(
        parents, clips, behavior_of, moves.displacements, moves.durations, moves.costs, placements, costs, frames
    )
    return _Grown(starts, parents, clips, behaviors, placements, costs, frames)


def _over_grids(grown: _Grown, moves: Moves, grids: GridSizes) -> dict[str, Any]:
    """Nodes as a Forest has them, and the grids over them, by its names."""
    low = np.floor((grown.placements[:, :2].min(axis=0) - grids.overlap) / grids.goal_cell) * grids.goal_cell
    high = np.floor((grown.placements[:, :2].max(axis=0) + grids.overlap - low) / grids.goal_cell) + 1
    goal_columns, goal_rows = high.astype(np.int64).tolist()
    grown = _neighbourly(grown, low, grids.goal_cell, goal_columns)
    environment = _environment(grown, moves, grids.cell)
    stored = grown._replace(placements=grown.placements.astype(np.float32), costs=grown.costs.astype(np.float32))
    grid = (float(low[0]), float(low[1]), float(grids.goal_cell), int(goal_rows), int(goal_columns))
    entry_starts, entries = _entries(stored, grid, grids.overlap)
    return {
        **stored._asdict(), **environment, "overlap": float(grids.overlap), "goal_x": grid[0], "goal_z": grid[1],
        "goal_cell": grid[2], "goal_rows": grid[3], "goal_columns": grid[4], "entry_starts": entry_starts,
        "entries": entries,
    }  # fmt: skip


def _neighbourly(grown: _Grown, low: Array, goal_cell: float, columns: int) -> _Grown:
    """The nodes in another order, tree by tree: the root, then by goal cell and cost. A search looks at the nodes
    of few cells, and finds them side by side in memory."""
    column, row = np.floor((grown.placements[:, :2] - low) / goal_cell).astype(np.int64).T
    trees = np.searchsorted(grown.starts, np.arange(len(grown.costs)), side="right")
    order = np.lexsort((grown.costs, row * columns + column, trees))
    for root in np.unique(grown.starts[:-1][np.diff(grown.starts) > 0]).tolist():
        # A root is the first of its tree, whatever cell it is in.
        at = int(np.flatnonzero(order == root)[0])
        order[root : at + 1] = np.concatenate([[root], order[root:at]])
    moved = np.empty(len(order), dtype=np.int32)
    moved[order] = np.arange(len(order))
    parents = np.where(grown.parents[order] < 0, np.int32(-1), moved[grown.parents[order]])
    return _Grown(
        grown.starts, parents, grown.clips[order], grown.behaviors[order], grown.placements[order],
        grown.costs[order], grown.frames[order],
    )  # fmt: skip


def _environment(grown: _Grown, moves: Moves, cell: float) -> dict[str, Any]:
    """The environment's grid: at which points clips are watched, and in which cells these are for every node."""
    point_starts, points = watch_points(moves, STRETCH * cell)
    counts = np.where(grown.clips < 0, 0, np.diff(point_starts)[grown.clips])
    cell_starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)
    places = np.empty((int(cell_starts[-1]), 2))
    point_places(grown.parents, grown.clips, grown.placements, cell_starts, point_starts, points, places)
    origin = np.floor(places.min(axis=0, initial=0.0) / cell) * cell
    columns, rows = (np.floor((places.max(axis=0, initial=0.0) - origin) / cell) + 1).astype(np.int64).tolist()
    wanted = np.floor((places - origin) / cell).astype(np.int64)
    cells = (wanted[:, 1] * columns + wanted[:, 0]).astype(np.uint16 if rows * columns <= 2**16 else np.uint32)
    return {
        "cell": float(cell), "origin_x": float(origin[0]), "origin_z": float(origin[1]), "rows": int(rows),
        "columns": int(columns), "point_starts": point_starts, "points": points,
        "cell_starts": cell_starts, "cells": cells,
    }  # fmt: skip


def _entries(
    grown: _Grown, grid: tuple[float, float, float, int, int], overlap: float
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Where the entries of each tree's goal cells begin, and the entries; roots are not among them."""
    found, begins, before = [], [], 0
    for first, stop in pairwise(grown.starts):
        order = first + 1 + np.argsort(grown.costs[first + 1 : stop], kind="stable")
        own = np.zeros(grid[3] * grid[4] + 1, dtype=np.int64)
        goal_entries(order, grown.placements, grid, float(overlap), own, np.empty(0, dtype=np.int32), True)
        own = np.cumsum(own)
        entries = np.empty(own[-1], dtype=np.int32)
        goal_entries(order, grown.placements, grid, float(overlap), own, entries, False)
        begins.append(own + before)
        found.append(entries)
        before += len(entries)
    return np.stack(begins), np.concatenate(found)


def watch_points(moves: Moves, spacing: float) -> tuple[NDArray[np.int64], Array]:
    """Points along every clip: where each clip's begin (C + 1,), and x, z (K, 2) [m].

    A point is the middle of the body's circle at some frame, in the middle of a stretch of the clip's way. The
    first point of a special clip is where the action happens.
    """
    starts, points = [0], []
    for clip in range(len(moves.numbers)):
        circles = moves.circles[moves.frame_starts[clip] : moves.frame_starts[clip + 1]]
        chosen = _chosen_frames(circles, spacing)
        behavior = int(np.searchsorted(moves.clip_starts, clip, side="right")) - 1
        if moves.special[behavior] >= 0:
            action = int(moves.action_frames[clip])
            chosen = [action, *(frame for frame in chosen if frame != action)]
        points += [(circles[frame, 0], circles[frame, 1]) for frame in chosen]
        starts.append(len(points))
    return np.array(starts, dtype=np.int64), np.array(points)


def _chosen_frames(circles: Array, spacing: float) -> list[int]:
    """Frames at which a clip is watched: in the middle of stretches of equal length along its way."""
    moved = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(circles[:, :2], axis=0).T))])
    count = max(1, int(np.ceil(moved[-1] / spacing)))
    middles = (np.arange(count) + 0.5) * (moved[-1] / count)
    return sorted(set(np.searchsorted(moved, middles).tolist()))
