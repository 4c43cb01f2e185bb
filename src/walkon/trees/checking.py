"""Whether the arrays of a forest hold together: kernels follow its numbers without looking where they lead."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from walkon.behaviors import BehaviorGraph
from walkon.errors import TreeError
from walkon.planning.moves import drawn_clips
from walkon.trees.digest import graph_digest
from walkon.trees.forest import Forest

MOST_GRID_CELLS = 1 << 28
"""Cells of a grid at most: a file that claims more is refused before memory is asked for."""


def check_forest(forest: Forest) -> None:
    """Raise TreeError unless every number in the forest leads to something that is there."""
    _check_settings(forest)
    _check_shapes(forest)
    _check_trees(forest)
    _check_ways(forest)
    _check_cells(forest)
    _check_entries(forest)


def check_origin(forest: Forest, graph: BehaviorGraph) -> None:
    """Raise TreeError unless the forest was grown from this graph; it must hold together by itself."""
    if forest.digest != graph_digest(graph):
        raise TreeError(
            "the forest was grown from another library, performer or choice of behaviors than this one: "
            "trees can only be used with the graph they were built for"
        )
    _demand(len(forest.starts) - 1 == len(graph.poses), "it has not one tree for each pose of its graph")
    drawn = drawn_clips(graph, forest.seed)
    _demand(np.array_equal(forest.numbers, drawn), "it has other clips than its seed draws from its graph")
    behavior_of = np.searchsorted(graph.clip_starts, forest.numbers, side="right") - 1
    grown = forest.parents >= 0
    behaviors = forest.behaviors[grown]
    _demand(np.array_equal(behavior_of[forest.clips[grown]], behaviors), "clips and behaviors disagree")
    before = forest.behaviors[forest.parents[grown]]
    poses = np.where(before < 0, _tree_of(forest)[grown], graph.exit[before])
    _demand(np.array_equal(graph.entry[behaviors], poses), "behaviors follow poses they cannot begin in")


def _demand(holds: bool | np.bool_, what: str) -> None:
    if not holds:
        raise TreeError(f"the forest does not hold together: {what}")


def _check_settings(forest: Forest) -> None:
    sizes = forest.cell, forest.goal_cell
    _demand(all(0.0 < size < math.inf for size in sizes), f"cells of {sizes[0]} and {sizes[1]} m")
    others = forest.overlap, forest.origin_x, forest.origin_z, forest.goal_x, forest.goal_z
    _demand(all(map(math.isfinite, others)) and forest.overlap >= 0.0, f"grids at {others}")
    for rows, columns in ((forest.rows, forest.columns), (forest.goal_rows, forest.goal_columns)):
        _demand(
            min(rows, columns) > 0 and rows * columns <= MOST_GRID_CELLS, f"a grid of {rows} x {columns} cells"
        )


def _check_shapes(forest: Forest) -> None:
    """Every array has as many rows as those it goes with."""
    nodes, clips = len(forest.parents), len(forest.numbers)
    trees, goals = len(forest.starts) - 1, forest.goal_rows * forest.goal_columns
    expected = {
        "starts": (trees + 1,),
        "numbers": (clips,),
        "point_starts": (clips + 1,),
        "points": (len(forest.points), 2),
        "parents": (nodes,),
        "placements": (nodes, 3),
        "costs": (nodes,),
        "frames": (nodes,),
        "behaviors": (nodes,),
        "clips": (nodes,),
        "cell_starts": (nodes + 1,),
        "cells": (len(forest.cells),),
        "entry_starts": (trees, goals + 1),
        "entries": (len(forest.entries),),
    }
    _demand(trees > 0 and nodes > 0, "there are no trees")
    for name, array in forest.arrays().items():
        _demand(array.shape == expected[name], f"{name} is {array.shape}, not {expected[name]}")
        if array.dtype.kind == "f":
            _demand(np.isfinite(array).all(), f"{name} has numbers that are not finite")


def _check_trees(forest: Forest) -> None:
    """Trees follow one another, each begins with its root, and parents are in the same tree."""
    starts, parents = forest.starts, forest.parents
    _check_starts("starts", starts, len(parents))
    roots = starts[:-1][np.diff(starts) > 0]
    _demand(np.array_equal(np.flatnonzero(parents < 0), roots), "not every tree has one root, at its beginning")
    _demand(bool((parents[roots] == -1).all()), "a root has a parent other than -1")
    counts = np.diff(starts)
    inside = (parents >= np.repeat(starts[:-1], counts)) & (parents < np.repeat(starts[1:], counts))
    inside[roots] = True
    _demand(bool(inside.all()), "a parent is in another tree than its child")


def _check_ways(forest: Forest) -> None:
    """What led to a node is there, and the way to it is longer than the way to its parent: so no way runs in
    circles."""
    grown = forest.parents >= 0
    clips, behaviors, parents = forest.clips[grown], forest.behaviors[grown], forest.parents[grown]
    for name in ("clips", "behaviors"):
        _demand(bool((getattr(forest, name)[~grown] == -1).all()), f"a root has {name}")
    count = len(forest.numbers)
    _demand(bool(((clips >= 0) & (clips < count)).all()), f"a node has a clip that is none of {count}")
    _demand(bool((behaviors >= 0).all()), "a node has no behavior")
    known = np.full(count, -1, dtype=np.int64)
    known[clips] = behaviors
    _demand(np.array_equal(known[clips], behaviors), "one clip shows two behaviors")
    numbers = forest.numbers
    _demand(bool((numbers >= 0).all() and (np.diff(numbers) >= 0).all()), "clips are out of order")
    for name in ("costs", "frames"):
        _demand(not getattr(forest, name)[~grown].any(), f"{name} of a root are not 0")
    _demand(bool((forest.costs[grown] >= forest.costs[parents]).all()), "a node costs less than its parent")
    _demand(bool((forest.frames[grown] > forest.frames[parents]).all()), "a node is no later than its parent")
    _demand(not forest.placements[~grown].any(), "a root is not at (0, 0)")


def _check_cells(forest: Forest) -> None:
    """Every point of a clip has a cell of the grid for each node the clip leads to."""
    _check_starts("point_starts", forest.point_starts, len(forest.points))
    counts = np.diff(forest.point_starts)
    _demand(bool((counts > 0).all()), "a clip is watched nowhere")
    _check_starts("cell_starts", forest.cell_starts, len(forest.cells))
    expected = np.append(counts, 0)[forest.clips]  # a root's clip is -1, the last
    _demand(
        np.array_equal(np.diff(forest.cell_starts), expected), "a node has other cells than its clip has points"
    )
    cells = forest.rows * forest.columns
    _demand(int(forest.cells.max(initial=0)) < cells, f"a point is in none of the {cells} cells")


def _check_entries(forest: Forest) -> None:
    """Goal cells hold nodes of their own tree, the cheapest first."""
    starts, entries = forest.entry_starts, forest.entries
    _demand(
        np.array_equal(starts[1:, 0], starts[:-1, -1]), "entry_starts of a tree do not go on where another's end"
    )
    _check_starts("entry_starts", np.append(starts[:, :-1].ravel(), starts[-1, -1]), len(entries))
    counts = starts[:, -1] - starts[:, 0]
    low, high = np.repeat(forest.starts[:-1], counts), np.repeat(forest.starts[1:], counts)
    _demand(bool(((entries >= low) & (entries < high)).all()), "a goal cell holds a node of another tree")
    dearer = np.flatnonzero(np.diff(forest.costs[entries]) < 0.0) + 1
    _demand(np.isin(dearer, starts).all(), "the nodes of a goal cell are not sorted by cost")


def _check_starts(name: str, starts: NDArray, stop: int) -> None:
    # Compared, not subtracted: unsigned numbers wrap around.
    in_order = bool((starts[:-1] <= starts[1:]).all())
    _demand(in_order and starts[0] == 0 and starts[-1] == stop, f"{name} do not go from 0 up to {stop}")


def _tree_of(forest: Forest) -> NDArray[np.int64]:
    """The number (N,) of every node's tree, which is that of its pose."""
    return np.repeat(np.arange(len(forest.starts) - 1), np.diff(forest.starts))
