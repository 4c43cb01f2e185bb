"""Kernels of the candidate search: valleys of a rough surface, and the true surface in patches along them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from walkon.graphs.comparing._kernels_minima import is_lower
from walkon.kernels import kernel

BOX = 32
"""Consecutive windows that lie in one box."""


@kernel
def fill_boxes(places, lows, highs):
    """Fill the corners (B, D) of the boxes around every BOX windows of places (D, N), ends not counted."""
    for box in range(len(lows)):
        lows[box] = np.inf
        highs[box] = -np.inf
        for d in range(places.shape[0]):
            for c in range(box * BOX, min((box + 1) * BOX, places.shape[1])):
                if places[d, c] < np.inf:
                    lows[box, d] = min(lows[box, d], places[d, c])
                    highs[box, d] = max(highs[box, d], places[d, c])


@kernel(fastmath={"contract"})
def find_valleys(places, lows, highs, rows, radius, starts, others):
    """Write where the rough surface has valleys below `radius` [m] in `rows`, and return how many there are.

    places: (D, N) [m] of the windows. A valley is not higher than the entries to its left and right; only those to
    the right of the diagonal count. Boxes that are farther away than `radius` are not visited.
    starts, others: half as many as there are columns, for every row.
    """
    dimensions, width = places.shape
    square = np.float32(radius * radius)
    own = np.empty(dimensions, np.float32)
    near = np.empty(BOX + 2, np.float32)
    count = 0
    for row in rows:
        for d in range(dimensions):
            own[d] = places[d, row]
        for box in range((row + 1) // BOX, len(lows)):
            gap = np.float32(0.0)
            for d in range(dimensions):
                apart = max(lows[box, d] - own[d], own[d] - highs[box, d], np.float32(0.0))
                gap += apart * apart
            if not gap < square:
                continue
            first = max(box * BOX - 1, 0)
            size = min((box + 1) * BOX + 1, width) - first
            near[:] = np.float32(0.0)
            for d in range(dimensions):
                mine = own[d]
                for c in range(size):
                    apart = places[d, first + c] - mine
                    near[c] += apart * apart
            for c in range(max(box * BOX, row + 1) - first, min((box + 1) * BOX, width) - first):
                here = near[c]
                if here < square and (c == 0 or here <= near[c - 1]) and (c == size - 1 or here < near[c + 1]):
                    starts[count] = row
                    others[count] = first + c
                    count += 1
    return count


@kernel
def link_valleys(starts, others, stride, longest, broadest, patches):
    """Join valleys that go on from one searched row to the next into patches, and return how many there are.

    starts, others: (M,) as `find_valleys` writes them. patches: (M, 4) first and last row, first and last
    diagonal. A patch has at most `longest` valleys, on diagonals at most `broadest` apart.
    """
    owner = np.empty(len(starts), np.int64)
    count, before, begin = 0, 0, 0
    for m in range(len(starts)):
        if m > 0 and starts[m] != starts[m - 1]:
            # Valleys of the row before, which are sorted by their columns as well, wait to be gone on with.
            before = begin if starts[m] - starts[m - 1] == stride else m
            begin = m
        while before < begin and others[before] + stride < others[m] - 1:
            before += 1
        diagonal = others[m] - starts[m]
        owner[m] = count
        if before < begin and others[before] + stride <= others[m] + 1:
            own = owner[before]
            low, high = min(patches[own, 2], diagonal), max(patches[own, 3], diagonal)
            if high - low <= broadest and starts[m] - patches[own, 0] < longest * stride:
                patches[own, 1], patches[own, 2], patches[own, 3] = starts[m], low, high
                owner[m] = own
            before += 1
        if owner[m] == count:
            patches[count, 0], patches[count, 1] = starts[m], starts[m]
            patches[count, 2], patches[count, 3] = diagonal, diagonal
            count += 1
    return count


@kernel(fastmath={"contract", "reassoc"})
def fill_patch_products(points, weights, row, column, products):
    """Fill products (3, S, T) of frames row + t and column + s + t, zero outside of points (N, 3, P) [m].

    As `fill_products`, but along diagonals.
    """
    rows = points.shape[0]
    for s in range(products.shape[1]):
        for t in range(products.shape[2]):
            i, c = row + t, column + s + t
            along, across, upward = 0.0, 0.0, 0.0
            if 0 <= i < rows and 0 <= c < rows:
                for j in range(len(weights)):
                    x, z = weights[j] * points[i, 0, j], weights[j] * points[i, 2, j]
                    along += x * points[c, 0, j] + z * points[c, 2, j]
                    across += x * points[c, 2, j] - z * points[c, 0, j]
                    upward += weights[j] * points[i, 1, j] * points[c, 1, j]
            products[0, s, t], products[1, s, t], products[2, s, t] = along, across, upward


class Clouds(NamedTuple):
    """Arrays of `PointClouds`; points (N, 3, P) [m], weights (P,), taper (k,) and so on."""

    points: np.ndarray
    weights: np.ndarray
    taper: np.ndarray
    energies: np.ndarray
    centers: np.ndarray
    valid: np.ndarray


class Around(NamedTuple):
    """How far around patches one looks, and for what: `limit` [m²], below which minima count; `step`, by how much
    [m²] entries must differ; `reach` rows and `sway` diagonals on either side."""

    limit: float
    step: float
    reach: int
    sway: int


@kernel
def fill_patch(clouds, row, column, products, squares):
    """Fill squares (S, T) [m²]: of the windows at row + t and column + s + t; infinite if there are none.

    products: (3, S, T + k - 1), room to work in.
    """
    fill_patch_products(clouds.points, clouds.weights, row, column, products)
    taper, energies, centers, valid = clouds.taper, clouds.energies, clouds.centers, clouds.valid
    rows = len(valid)
    for s in range(squares.shape[0]):
        for t in range(squares.shape[1]):
            i, c = row + t, column + s + t
            squares[s, t] = np.inf
            if not (0 <= i < rows and 0 <= c < rows and valid[i] and valid[c]):
                continue
            along, across, upward = 0.0, 0.0, 0.0
            for p in range(len(taper)):
                along += taper[p] * products[0, s, t + p]
                across += taper[p] * products[1, s, t + p]
                upward += taper[p] * products[2, s, t + p]
            along -= centers[i, 0] * centers[c, 0] + centers[i, 1] * centers[c, 1]
            across -= centers[i, 0] * centers[c, 1] - centers[i, 1] * centers[c, 0]
            square = energies[i] + energies[c] - 2.0 * (upward + math.sqrt(along * along + across * across))
            squares[s, t] = max(square, 0.0)


@kernel
def search_patches(clouds, remote, patches, around, starts, others, lowest):
    """Write the local minima in patches (M, 4), some more than once; return how many there are.

    Patches are those of `link_valleys`, seen with what is `around` them. Minima are those of `find_local_minima`.
    """
    count = 0
    limit, step, reach, sway = around
    for m in range(len(patches)):
        # A neighbour lies one row off, and as many as two diagonals.
        row, diagonal = patches[m, 0] - reach - 1, patches[m, 2] - sway - 2
        long, broad = patches[m, 1] + reach + 2 - row, patches[m, 3] + sway + 3 - diagonal
        products = np.empty((3, broad, long + len(clouds.taper) - 1))
        squares = np.empty((broad, long))
        fill_patch(clouds, row, row + diagonal, products, squares)
        for s in range(2, broad - 2):
            for t in range(1, long - 1):
                i, c = row + t, row + diagonal + s + t
                if i < c and squares[s, t] < limit and _is_least(squares, s, t, step, remote, i, c):
                    starts[count], others[count], lowest[count] = i, c, squares[s, t]
                    count += 1
    return count


@kernel
def _is_least(squares, s, t, step, remote, i, c):
    """Whether no neighbour of squares[s, t], which is entry (i, c) of the surface, is lower."""
    for di in range(-1, 2):
        for dc in range(-1, 2):
            if di == dc == 0:
                continue
            if is_lower(squares[s + dc - di, t + di], squares[s, t], step, remote, i, c, di, dc):
                return False
    return True
