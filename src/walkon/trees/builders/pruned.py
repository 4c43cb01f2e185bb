"""The pruned tree of Lau and Kuffner's first system (2006; Lau 2009, section 4.2.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Progress
from walkon.errors import PlanError
from walkon.trees.builders.exhaustive import Levels
from walkon.trees.growing import Growth, Soil


@dataclass(frozen=True)
class PrunedTree:
    """Level by level, the children of a whole level in random order, and each kept only if fewer than `per_cell`
    nodes end in its cell of the region."""

    per_cell: int = 100
    depth: int = 6

    def __post_init__(self) -> None:
        if self.per_cell < 1:
            raise PlanError(f"a pruned tree keeps at least one node in a cell, not {self.per_cell}")

    @property
    def name(self) -> str:
        """As the command line calls it."""
        return "pruned"

    def grow(
        self, soil: Soil, nodes: int, random: np.random.Generator, progress: Progress | None = None
    ) -> Growth:
        """At most `nodes` nodes."""
        levels = Levels(soil, nodes, random, progress, per_cell=self.per_cell)
        for _ in range(self.depth):
            if not levels.add():
                break
        return levels.growth()
