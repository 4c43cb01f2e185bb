"""Precomputed search trees: for every pose one tree of ways that begin in it, and the grids to look them up in."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Forest:
    """One tree for each pose that has followers; all in flat arrays, as seen from the root at (0, 0), looking
    along +z. P poses, N nodes, C clips, K points, E entries.

    digest: of the behavior graph it was grown from. builder: by name. seed: of the draw of clips and of the
    growth. passes: kinds of special behaviors in it.
    starts: (P + 1,) tree p has the nodes starts[p] to starts[p + 1]; the first is its root, which has no clip. A
        pose without followers has no nodes.
    numbers: (C,) clips of the graph that take part.
    parents: (N,) -1 for a root. placements: (N, 3) x, z, heading. costs: (N,). frames: (N,) since the root.
    behaviors: (N,) and clips (N,), an index into numbers: what led there; -1 for a root.

    Environment cells, `cell` [m] wide, (rows, columns) of them from corner (origin_x, origin_z) on:
    point_starts: (C + 1,) clip c is watched at the points point_starts[c] to point_starts[c + 1]; points: (K, 2)
        x, z as its entry sees them. How much room is needed around them, `watching` tells.
    cell_starts: (N + 1,), cells: the cell of every point of the clip that led to the node, row by row.

    Goal cells, `goal_cell` [m] wide, (goal_rows, goal_columns) from corner (goal_x, goal_z) on; each reaches
    `overlap` [m] over its borders:
    entry_starts: (P, goal_rows * goal_columns + 1), entries: (E,) the nodes in each, the cheapest first.
    """

    digest: str
    builder: str
    seed: int
    passes: tuple[str, ...]
    cell: float
    origin_x: float
    origin_z: float
    rows: int
    columns: int
    goal_cell: float
    overlap: float
    goal_x: float
    goal_z: float
    goal_rows: int
    goal_columns: int
    starts: NDArray[np.int64]
    numbers: NDArray[np.int64]
    point_starts: NDArray[np.int64]
    points: NDArray[np.float64]
    parents: NDArray[np.int32]
    placements: NDArray[np.float32]
    costs: NDArray[np.float32]
    frames: NDArray[np.int32]
    behaviors: NDArray[np.int16]
    clips: NDArray[np.int16]
    cell_starts: NDArray[np.uint32]
    cells: NDArray[np.uint16] | NDArray[np.uint32]
    entry_starts: NDArray[np.int64]
    entries: NDArray[np.int32]

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def __len__(self) -> int:
        return len(self.parents)

    @cached_property
    def depth(self) -> int:
        """Clips on the longest way."""
        at, depth = np.flatnonzero(self.parents >= 0), 0
        while len(at):
            at = self.parents[at]
            at = at[self.parents[at] >= 0]
            depth += 1
        return depth

    @property
    def nbytes(self) -> int:
        """Of all arrays."""
        return sum(array.nbytes for array in self.arrays().values())

    def arrays(self) -> dict[str, NDArray]:
        """The arrays by name, in the order of the fields."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in values if isinstance(value, np.ndarray)}

    def settings(self) -> dict[str, object]:
        """Everything else by name."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in values if not isinstance(value, np.ndarray)}
