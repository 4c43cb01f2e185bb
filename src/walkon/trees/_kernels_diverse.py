"""Choosing diverse paths among all of a tree, greedily; each measure with what makes it fast and changes nothing.

In common: a path that is taken brings its beginnings along, which are paths of the tree as well. `order` lists the
nodes in the tree, `taken` of them; `kept` marks them. Ties go to the candidate with the lower number, which is the
shallower one.
"""

from __future__ import annotations

import math

from walkon.kernels import kernel


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
def _take(node, room, parents, kept, order, taken):
    """Add the missing nodes of a path to the tree, from its root on while there is room; how many there are."""
    first, missing = taken, 0
    above = node
    while above >= 0 and not kept[above]:
        missing += 1
        above = parents[above]
    while missing > room - first:
        node = parents[node]
        missing -= 1
    for place in range(first + missing - 1, first - 1, -1):
        order[place] = node
        kept[node] = True
        node = parents[node]
    return first + missing


@kernel
def choose_by_product(parents, starts, cells, crossed, products, kept, order, taken, stop, room):
    """Take paths by their inner product with all taken, the least first, until there are `stop` nodes.

    A path is a vector of zeros and ones, one for each cell. Inner products with many paths are one with their sum:
    `crossed`, how many paths taken cross each cell. Going on never makes a product less, so that only children of
    nodes in the tree need be looked at, and they add their own cells to what their parents have.
    """
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
        taken = _take(best, room, parents, kept, order, taken)
        while best >= 0:
            for index in range(starts[best], starts[best + 1]):
                crossed[cells[index]] += 1
            best = parents[best]
    return taken


@kernel
def choose_by_survival(parents, starts, cells, sizes, powers, marks, shared, sums, kept, order, taken, stop, room):
    """Take paths by what they add to the chance that one is free, to second order, until there are `stop` nodes.

    powers: (n,) chance that so many cells are free. sizes: cells of each path. sums: for each path, the chances
    that those taken are free given that it is. Cells in common with a path just taken are counted down the tree:
    those of the path to the parent, and the node's own. marks: of cells, by the last path taken that crosses them.
    """
    while taken < stop:
        best, most = -1, -math.inf
        for node in range(len(parents)):
            if not kept[node]:
                gain = powers[sizes[node]] * (1.0 - sums[node])
                if gain > most:
                    best, most = node, gain
        if best < 0:
            break
        before, taken = taken, _take(best, room, parents, kept, order, taken)
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
def choose_by_separation(
    parents, places, starts, points, sizes, paths, keys, fresh, heap, size, kept, order, taken, stop, room
):
    """Take paths by the area between them and the nearest taken, the largest first, until there are `stop` nodes:
    taken, size.

    points: at even steps along each node's edge; sizes: how many the whole path has. The area is the sum of
    distances, step by step, where a path that ends earlier waits at its end. paths: (room + 1, longest, 2) the
    points of those taken, and in the last row those of the candidate looked at.

    Whatever is taken can only come nearer, so that an area once computed is a bound: candidates wait in a heap
    under old areas (`keys`, negative), as of when `fresh` paths were taken, and only the one on top is brought up
    to date. Adding up stops where it can make a candidate no nearer.
    """
    mine = paths[room]
    while taken < stop and size > 0:
        node = heap[0]
        if not kept[node] and fresh[node] != taken:
            _unroll(node, parents, places, starts, points, sizes, mine)
            nearest = -keys[node]
            for other in range(fresh[node], taken):
                steps = max(sizes[node], sizes[order[other]])
                area = 0.0
                for step in range(steps):
                    away_x, away_z = mine[step, 0] - paths[other, step, 0], mine[step, 1] - paths[other, step, 1]
                    area += math.sqrt(away_x * away_x + away_z * away_z)
                    if area >= nearest:
                        break
                nearest = min(nearest, area)
            keys[node], fresh[node] = -nearest, taken
            _sift(heap, size, keys, 0)
            continue
        size -= 1
        heap[0] = heap[size]
        _sift(heap, size, keys, 0)
        if kept[node]:
            continue
        before, taken = taken, _take(node, room, parents, kept, order, taken)
        for place in range(before, taken):
            _unroll(order[place], parents, places, starts, points, sizes, paths[place])
    return taken, size


@kernel
def _unroll(node, parents, places, starts, points, sizes, path):
    """Write the points of a whole path, and its end for all steps after them."""
    place = sizes[node]
    path[place:, 0], path[place:, 1] = places[node, 0], places[node, 1]
    while node >= 0:
        for index in range(starts[node + 1] - 1, starts[node] - 1, -1):
            place -= 1
            path[place, 0], path[place, 1] = points[index, 0], points[index, 1]
        node = parents[node]
