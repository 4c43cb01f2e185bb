"""Choosing diverse paths among all of a tree, greedily; each measure with what makes it fast and changes nothing.

In common: a path that is taken brings its beginnings along, which are paths of the tree as well. Ties go to the
candidate with the lower number, which is the shallower one.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.kernels import kernel


class Candidates(NamedTuple):
    """n nodes to choose from, and those that were chosen. parents: (n,). kept: (n,) whether a node was chosen.
    order: (room,) the chosen nodes, one after another, as far as they go."""

    parents: NDArray[np.int32]
    kept: NDArray[np.bool_]
    order: NDArray[np.int64]


class Crossings(NamedTuple):
    """Cells that each node's edge adds to its path: starts (n + 1,), cells. sizes: (n,) cells of whole paths."""

    starts: NDArray[np.int64]
    cells: NDArray[np.int32]
    sizes: NDArray[np.int64]


class Courses(NamedTuple):
    """Paths as points at even steps: starts (n + 1,), points (·, 2) of each node's own edge, sizes (n,) of whole
    paths. places: (n, 3) of the nodes. unrolled: (room + 1, longest, 2) the points of those taken, and in the last
    row those of the candidate looked at."""

    starts: NDArray[np.int64]
    points: NDArray[np.float64]
    sizes: NDArray[np.int64]
    places: NDArray[np.float64]
    unrolled: NDArray[np.float64]


class OldAreas(NamedTuple):
    """Candidates in a heap under areas that were right once. heap: (n,) the least key on top. keys: (n,) negative
    areas, as of when `fresh` (n,) paths were taken."""

    heap: NDArray[np.int64]
    keys: NDArray[np.float64]
    fresh: NDArray[np.int64]


@kernel
def _sift(heap, size, keys, place):
    """Let the candidate at a place of the heap sink to where it belongs; the least key is on top."""
    own = heap[place]
    while True:
        below = 2 * place + 1
        if below >= size:
            break
        other = heap[below]
        if below + 1 < size:
            rival = heap[below + 1]
            if keys[rival] < keys[other] or (keys[rival] == keys[other] and rival < other):
                below, other = below + 1, rival
        if keys[own] < keys[other] or (keys[own] == keys[other] and own < other):
            break
        heap[place] = other
        place = below
    heap[place] = own


@kernel
def _take(node, candidates, taken):
    """Add the missing nodes of a path to the tree, from its root on while there is room; how many there are."""
    parents, kept, order = candidates
    first, missing = taken, 0
    above = node
    while above >= 0 and not kept[above]:
        missing += 1
        above = parents[above]
    while missing > len(order) - first:
        node = parents[node]
        missing -= 1
    for place in range(first + missing - 1, first - 1, -1):
        order[place] = node
        kept[node] = True
        node = parents[node]
    return first + missing


@kernel
def choose_by_product(candidates, taken, stop, crossings, crossed, products):
    """Take paths by their inner product with all taken, the least first, until there are `stop` nodes.

    A path is a vector of zeros and ones, one for each cell. Inner products with many paths are one with their sum:
    `crossed`, how many paths taken cross each cell. Going on never makes a product less, so that only children of
    nodes in the tree need be looked at, and they add their own cells to what their parents have.
    """
    parents, kept, _ = candidates
    starts, cells, _ = crossings
    while taken < stop:
        best = -1
        for node in range(len(parents)):
            parent = parents[node]
            if parent >= 0 and not kept[parent]:
                continue
            product = products[parent] if parent >= 0 else 0
            for index in range(starts[node], starts[node + 1]):
                product += crossed[cells[index]]
            products[node] = product
            if not kept[node] and (best < 0 or product < products[best]):
                best = node
        if best < 0:
            break
        taken = _take(best, candidates, taken)
        while best >= 0:
            for index in range(starts[best], starts[best + 1]):
                crossed[cells[index]] += 1
            best = parents[best]
    return taken


@kernel
def choose_by_survival(candidates, taken, stop, crossings, powers, marks, shared, sums):
    """Take paths by what they add to the chance that one is free, to second order, until there are `stop` nodes.

    powers: (most + 1,) chance that 0, 1, 2 ... cells are all free. sums: (n,) for each path, the chances that
    those taken are free given that it is. shared: (n,) cells in common with a path just taken, counted down the
    tree: those of the path to the parent, and the node's own. marks: of cells, by the last path that crosses them.
    """
    parents, kept, order = candidates
    starts, cells, sizes = crossings
    while taken < stop:
        best, most = -1, -math.inf
        for node in range(len(parents)):
            if not kept[node]:
                gain = powers[sizes[node]] * (1.0 - sums[node])
                if gain > most:
                    best, most = node, gain
        if best < 0:
            break
        before, taken = taken, _take(best, candidates, taken)
        for place in range(before, taken):
            above = order[place]
            while above >= 0:
                for index in range(starts[above], starts[above + 1]):
                    marks[cells[index]] = place
                above = parents[above]
            _share(parents, starts, cells, marks, place, shared)
            for node in range(len(parents)):
                sums[node] += powers[sizes[order[place]] - shared[node]]
    return taken


@kernel
def _share(parents, starts, cells, marks, mark, shared):
    """How many cells of every path bear a mark."""
    for node in range(len(parents)):
        count = shared[parents[node]] if parents[node] >= 0 else 0
        for index in range(starts[node], starts[node + 1]):
            if marks[cells[index]] == mark:
                count += 1
        shared[node] = count


@kernel
def choose_by_separation(candidates, taken, stop, courses, areas, size):
    """Take paths by the area between them and the nearest taken, the largest first, until there are `stop` nodes:
    taken, and the size of the heap, which is `size` before.

    The area is the sum of distances, step by step, where a path that ends earlier waits at its end. Whatever is
    taken can only come nearer, so that an area once computed is a bound: candidates wait in a heap under old
    areas, and only the one on top is brought up to date.
    """
    heap, keys, fresh = areas
    mine, kept = courses.unrolled[len(candidates.order)], candidates.kept
    while taken < stop and size > 0:
        node = heap[0]
        if not kept[node] and fresh[node] != taken:
            _unroll(node, candidates.parents, courses, mine)
            nearest = -keys[node]
            for other in range(fresh[node], taken):
                steps = max(courses.sizes[node], courses.sizes[candidates.order[other]])
                nearest = min(nearest, _area(mine, courses.unrolled[other], steps, nearest))
            keys[node], fresh[node] = -nearest, taken
            _sift(heap, size, keys, 0)
            continue
        size -= 1
        heap[0] = heap[size]
        _sift(heap, size, keys, 0)
        if kept[node]:
            continue
        before, taken = taken, _take(node, candidates, taken)
        for place in range(before, taken):
            _unroll(candidates.order[place], candidates.parents, courses, courses.unrolled[place])
    return taken, size


@kernel
def _area(mine, other, steps, enough):
    """The sum of distances between two paths, step by step; or, where that becomes `enough`, no less than it."""
    area = 0.0
    for step in range(steps):
        away_x, away_z = mine[step, 0] - other[step, 0], mine[step, 1] - other[step, 1]
        area += math.sqrt(away_x * away_x + away_z * away_z)
        if area >= enough:
            break
    return area


@kernel
def _unroll(node, parents, courses, path):
    """Write the points of a whole path, and its end for all steps after them."""
    starts, points, places, place = courses.starts, courses.points, courses.places, courses.sizes[node]
    path[place:, 0], path[place:, 1] = places[node, 0], places[node, 1]
    while node >= 0:
        for index in range(starts[node + 1] - 1, starts[node] - 1, -1):
            place -= 1
            path[place, 0], path[place, 1] = points[index, 0], points[index, 1]
        node = parents[node]
