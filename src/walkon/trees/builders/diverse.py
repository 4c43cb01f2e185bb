"""Earlier ways to choose diverse paths, which Lau (2009) compares his trees with (sections 2.3 and 4.7.2).

All three take a set of paths that is there already, here all of the exhaustive tree down to a depth, and choose
some of them one by one, each time the best by a measure of their own; that is why they cannot make large trees.
Lau gives no formulas. Ours follow the ideas of the papers as we understand them, and agree with what he
says of the trees:

- Inner product (Branicky, Knepper, Kuffner 2008): paths as vectors of the cells they cross; the path with the
  least sum of inner products with those chosen. The beginning of a path has never more than the path: short paths
  first, as Lau found.
- Inclusion and exclusion (the same authors): the chance that at least one of the paths is free, if every cell is
  free with the same chance by itself, is a sum over single paths, minus one over pairs, plus one over threes, and
  so on. Broken off after the pairs, the path that adds most. After a few paths the pairs outweigh the paths
  themselves, everything counts as a loss, and the longest path loses least: long paths, as Lau found.
- Separation (Green and Kelly 2007): the path furthest from those chosen, the distance of two paths being the area
  between them.

Every node of a tree is a path; one that is chosen brings its beginnings along, and they count as chosen too. The
last path is cut where the nodes run out. What a smaller tree has, a larger one of the same seed has as well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Progress
from walkon.errors import PlanError
from walkon.trees import _kernels_diverse as kernels
from walkon.trees._kernels_builders import even_points, new_cells
from walkon.trees.builders.exhaustive import Levels
from walkon.trees.growing import Growth, Soil, clip_paths, region_plot
from walkon.trees.region import Region

MOST_CANDIDATES = 200_000
"""Nodes of the exhaustive tree that are candidates at most; of a larger tree the last level is drawn at random.
More candidates take more time, in proportion, for every node that is chosen."""

FINEST_STEP = 0.01
"""[m] Paths are not compared more finely than this: it would take memory and tell nothing more."""

REPORTED = 64
"""Nodes chosen between two reports of progress."""


@dataclass(frozen=True)
class InnerProduct:
    """Branicky's inner product. cell [m]: of the grid in which paths are compared; about as wide as a person with
    some room, since what blocks one path blocks another that is nearer than that."""

    depth: int = 5
    cell: float = 0.8

    def __post_init__(self) -> None:
        _check_size("cell", self.cell)

    @property
    def name(self) -> str:
        """As the command line calls it."""
        return "branicky-ip"

    def grow(
        self, soil: Soil, nodes: int, random: np.random.Generator, progress: Progress | None = None
    ) -> Growth:
        """At most `nodes` nodes."""
        chosen = _Chosen(soil, self.depth, nodes, random)
        crossings, cells = _crossings(soil, chosen, self.cell)
        crossed, products = np.zeros(cells, dtype=np.int64), np.zeros(len(chosen.parents), dtype=np.int64)
        for stop in chosen.stops(progress):
            chosen.taken = kernels.choose_by_product(
                chosen.candidates, chosen.taken, stop, crossings, crossed, products
            )
        return chosen.growth()


@dataclass(frozen=True)
class InclusionExclusion:
    """Branicky's inclusion and exclusion. free: chance that nothing stands in a cell, `cell` [m] wide."""

    depth: int = 5
    cell: float = 0.8
    free: float = 0.9

    def __post_init__(self) -> None:
        _check_size("cell", self.cell)
        if not 0.0 < self.free < 1.0:
            raise PlanError(f"the chance that a cell is free lies between 0 and 1, not {self.free}")

    @property
    def name(self) -> str:
        """As the command line calls it."""
        return "branicky-ie"

    def grow(
        self, soil: Soil, nodes: int, random: np.random.Generator, progress: Progress | None = None
    ) -> Growth:
        """At most `nodes` nodes."""
        chosen = _Chosen(soil, self.depth, nodes, random)
        crossings, cells = _crossings(soil, chosen, self.cell)
        powers = self.free ** np.arange(int(crossings.sizes.max(initial=0)) + 1)
        marks = np.full(cells, -1, dtype=np.int64)
        shared, sums = np.zeros(len(chosen.parents), dtype=np.int64), np.zeros(len(chosen.parents))
        for stop in chosen.stops(progress):
            chosen.taken = kernels.choose_by_survival(
                chosen.candidates, chosen.taken, stop, crossings, powers, marks, shared, sums
            )
        return chosen.growth()


@dataclass(frozen=True)
class Separation:
    """Green and Kelly's mutual separation. step [m]: along the paths, at which their distances are added up; two
    paths are compared where they have come equally far, and one that ends earlier waits at its end. The first path
    is a single step, drawn at random."""

    depth: int = 5
    step: float = 0.4

    def __post_init__(self) -> None:
        _check_size("step", self.step)

    @property
    def name(self) -> str:
        """As the command line calls it."""
        return "green-kelly"

    def grow(
        self, soil: Soil, nodes: int, random: np.random.Generator, progress: Progress | None = None
    ) -> Growth:
        """At most `nodes` nodes."""
        chosen = _Chosen(soil, self.depth, nodes, random)
        size = len(chosen.parents)
        starts, points, sizes = even_points(
            chosen.parents, chosen.clips, chosen.places, clip_paths(soil), float(self.step)
        )
        unrolled = np.empty((chosen.room + 1, int(sizes.max(initial=0)) + 1, 2))
        courses = kernels.Courses(starts, points, sizes, chosen.places, unrolled)
        areas = kernels.OldAreas(np.arange(size), np.full(size, -math.inf), np.zeros(size, dtype=np.int64))
        for stop in chosen.stops(progress):
            chosen.taken, size = kernels.choose_by_separation(
                chosen.candidates, chosen.taken, stop, courses, areas, size
            )
        return chosen.growth()


def _check_size(name: str, value: float) -> None:
    if not FINEST_STEP <= value < math.inf:
        raise PlanError(f"paths are compared with a {name} of {FINEST_STEP} m or more, not {value}")


class _Chosen:
    """The nodes of the exhaustive tree, and which of them were chosen so far, in this order."""

    def __init__(self, soil: Soil, depth: int, nodes: int, random: np.random.Generator) -> None:
        levels = Levels(soil, max(nodes, MOST_CANDIDATES), random)
        for _ in range(depth):
            if not levels.add():
                break
        self.parents, self.clips = levels.growth()
        self.places: Array = levels.places
        self.room, self.taken = min(nodes, len(self.parents)), 0
        kept = np.zeros(len(self.parents), dtype=np.bool_)
        self.candidates = kernels.Candidates(self.parents, kept, np.empty(self.room, dtype=np.int64))

    def stops(self, progress: Progress | None):
        """Numbers of nodes to go on to, one after another, until there is nothing more to choose."""
        while self.taken < self.room:
            yield min(self.taken + REPORTED, self.room)
            if progress is not None:
                progress(self.taken, self.room)

    def growth(self) -> Growth:
        numbers = np.full(len(self.parents) + 1, -1, dtype=np.int32)  # the last is what -1 points to
        order = self.candidates.order
        numbers[order] = np.arange(len(order), dtype=np.int32)
        return Growth(numbers[self.parents[order]], self.clips[order])


def _crossings(soil: Soil, chosen: _Chosen, cell: float) -> tuple[kernels.Crossings, int]:
    """In a grid of cells of their own size over the whole region; and how many cells it has."""
    region = soil.region
    rows, columns = (math.ceil(side * region.cell / cell) for side in region.mask.shape)
    mask = np.ones((rows + 1, columns + 1), dtype=np.bool_)
    everywhere = Region(region.origin_x, region.origin_z, float(cell), mask)
    found = new_cells(chosen.parents, chosen.clips, chosen.places, clip_paths(soil), region_plot(everywhere))
    return kernels.Crossings(*found), mask.size
