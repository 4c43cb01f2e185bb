"""What a forest is like: how large, deep, wide and even its trees are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.trees.forest import Forest


@dataclass(frozen=True)
class TreeSurvey:
    """One tree in numbers.

    pose: of its root, by number. leaves: nodes without children. reach: distance of the furthest node from the
    root [m]. longest_path [m], from node to node; longest_frames: of the way that takes longest. density: see
    `path_density`. goal_cells: how many hold nodes; mean_entries, max_entries: how many they hold.
    behaviors: (number, nodes), the most frequent first.
    """

    pose: int
    nodes: int
    leaves: int
    mean_depth: float
    max_depth: int
    reach: float
    longest_path: float
    longest_frames: int
    max_cost: float
    density: float
    goal_cells: int
    mean_entries: float
    max_entries: int
    behaviors: tuple[tuple[int, int], ...]


def planted_poses(forest: Forest) -> list[int]:
    """The poses that have a tree, by number."""
    return np.flatnonzero(np.diff(forest.starts) > 0).tolist()


def survey_forest(forest: Forest) -> list[TreeSurvey]:
    """The trees of a forest in numbers, in the order of their poses."""
    places = forest.placements[:, :2].astype(np.float64)
    parents = np.where(forest.parents < 0, np.arange(len(forest)), forest.parents)
    steps = np.hypot(*(places - places[parents]).T)
    depths, lengths = _along(parents, (forest.parents >= 0).astype(np.int64)), _along(parents, steps)
    found = []
    for pose in planted_poses(forest):
        tree = slice(int(forest.starts[pose]), int(forest.starts[pose + 1]))
        entries = np.diff(forest.entry_starts[pose])
        counts = np.bincount(forest.behaviors[tree][1:], minlength=1)
        order = np.argsort(-counts, kind="stable")
        nodes = tree.stop - tree.start
        found.append(
            TreeSurvey(
                pose=pose,
                nodes=nodes,
                leaves=nodes - len(np.unique(forest.parents[tree][1:])),
                mean_depth=float(depths[tree].mean()),
                max_depth=int(depths[tree].max()),
                reach=float(np.hypot(*places[tree].T).max()),
                longest_path=float(lengths[tree].max()),
                longest_frames=int(forest.frames[tree].max()),
                max_cost=float(forest.costs[tree].max()),
                density=path_density(forest, pose),
                goal_cells=int((entries > 0).sum()),
                mean_entries=float(entries[entries > 0].mean()) if entries.any() else 0.0,
                max_entries=int(entries.max()),
                behaviors=tuple((int(b), int(counts[b])) for b in order if counts[b]),
            )
        )
    return found


def path_density(forest: Forest, pose: int) -> float:
    """How unevenly the paths of a tree fill its environment's grid (Lau 2009, equation 4.1): the sum over all
    cells of (mean - c)², where c paths of single clips cross a cell. Less is more even.

    To be compared among trees in the same grid only: corners that no path may reach count as well.
    """
    cells = forest.rows * forest.columns
    nodes = np.arange(forest.starts[pose], forest.starts[pose + 1])
    owners = np.repeat(nodes, np.diff(forest.cell_starts)[nodes])
    crossed = forest.cells[forest.cell_starts[nodes[0]] : forest.cell_starts[nodes[-1] + 1]].astype(np.int64)
    # A path that has several points in a cell crosses it once.
    counts = np.bincount(np.unique(owners * cells + crossed) % cells, minlength=cells).astype(np.float64)
    return float((counts**2).sum() - counts.sum() ** 2 / cells)


def _along(parents: NDArray, values: NDArray) -> NDArray:
    """Sums of the values along every node's way from its root; a root is its own parent, and has value 0."""
    sums, above = values.copy(), parents
    # Every round doubles how far up a node has looked.
    while not np.array_equal(above, parents[above]):
        sums += sums[above]
        above = above[above]
    return sums
