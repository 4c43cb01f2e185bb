"""Kernels of the distance surface: clouds compared in tiles, the turn that aligns two of them found on the way."""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel
from walkon.rotations.kernels import turned

PACKED_COLUMNS = 48
"""Columns that are packed together: with all their coordinates they fit into the first cache."""


@kernel(fastmath={"contract"})
def fill_products(points, weights, rows, columns, products):
    """Fill products (3, R, C) of frames from `rows` on with frames from `columns` on.

    points: (N, 3, P) [m], weights: (P,). Σ w (x x' + z z'), Σ w (x z' − z x') and Σ w y y' over the points.
    """
    count = len(weights)
    # Two points at a time, in chunks of one size: that is what the compiler turns into vector instructions.
    padded = (count + 1) // 2 * 2
    packed, own, sums = np.zeros((3 * padded, PACKED_COLUMNS)), np.zeros(3 * padded), np.zeros((3, PACKED_COLUMNS))
    for chunk in range(0, products.shape[2], PACKED_COLUMNS):
        size = min(PACKED_COLUMNS, products.shape[2] - chunk)
        for c in range(size):
            for j in range(count):
                for axis in range(3):
                    packed[3 * j + axis, c] = points[columns + chunk + c, axis, j]
        for row in range(products.shape[1]):
            for j in range(count):
                for axis in range(3):
                    own[3 * j + axis] = weights[j] * points[rows + row, axis, j]
            sums[:] = 0.0
            for j in range(0, 3 * padded, 6):
                x, y, z, u, v, w = own[j], own[j + 1], own[j + 2], own[j + 3], own[j + 4], own[j + 5]
                for c in range(PACKED_COLUMNS):
                    sums[0, c] += (
                        x * packed[j, c] + z * packed[j + 2, c] + u * packed[j + 3, c] + w * packed[j + 5, c]
                    )
                    sums[1, c] += (
                        x * packed[j + 2, c] - z * packed[j, c] + u * packed[j + 5, c] - w * packed[j + 3, c]
                    )
                    sums[2, c] += y * packed[j + 1, c] + v * packed[j + 4, c]
            for kind in range(3):
                for c in range(size):
                    products[kind, row, chunk + c] = sums[kind, c]


@kernel(fastmath={"contract"})
def fill_cloud_squares(points, weights, taper, energies, centers, rows, columns, squares):
    """Fill squares (R, C) [m²] of the distances of windows from `rows` on to windows from `columns` on.

    points: (N, 3, P) [m], weights: (P,), taper: (k,). energies: (N,) [m²] mean square of a window's points from
    the axis through its middle and from the ground; centers: (N, 2) x, z [m] of that middle.
    """
    height, width = squares.shape
    reach = len(taper)
    products = np.empty((3, height + reach - 1, width + reach - 1))
    fill_products(points, weights, rows, columns, products)
    along, across, upward = np.empty(width), np.empty(width), np.empty(width)
    for i in range(height):
        along[:] = 0.0
        across[:] = 0.0
        upward[:] = 0.0
        for p in range(reach):
            share = taper[p]
            row = i + p
            for c in range(width):
                along[c] += share * products[0, row, p + c]
                across[c] += share * products[1, row, p + c]
                upward[c] += share * products[2, row, p + c]
        x, z, energy = centers[rows + i, 0], centers[rows + i, 1], energies[rows + i]
        for c in range(width):
            a = along[c] - x * centers[columns + c, 0] - z * centers[columns + c, 1]
            b = across[c] - x * centers[columns + c, 1] + z * centers[columns + c, 0]
            square = energy + energies[columns + c] - 2.0 * (upward[c] + math.sqrt(a * a + b * b))
            squares[i, c] = max(square, 0.0)


@kernel
def align_pairs(points, weights, taper, starts, others, found):
    """Fill found (T, 4): x, z [m], heading [rad] of what carries window `others` onto `starts`; squared distance.

    points: (N, 3, P) [m], weights: (P,), taper: (k,), each adding up to 1; starts, others: (T,).
    """
    for t in range(len(starts)):
        a, b = starts[t], others[t]
        ax, az, bx, bz = 0.0, 0.0, 0.0, 0.0
        for p in range(len(taper)):
            for j in range(len(weights)):
                w = taper[p] * weights[j]
                ax += w * points[a + p, 0, j]
                az += w * points[a + p, 2, j]
                bx += w * points[b + p, 0, j]
                bz += w * points[b + p, 2, j]
        along, across = 0.0, 0.0
        for p in range(len(taper)):
            for j in range(len(weights)):
                w = taper[p] * weights[j]
                x, z = points[a + p, 0, j] - ax, points[a + p, 2, j] - az
                u, v = points[b + p, 0, j] - bx, points[b + p, 2, j] - bz
                along += w * (x * u + z * v)
                across += w * (x * v - z * u)
        heading = math.atan2(across, along)
        sine, cosine = math.sin(heading), math.cos(heading)
        square = 0.0
        for p in range(len(taper)):
            for j in range(len(weights)):
                u, v = turned(points[b + p, 0, j] - bx, points[b + p, 2, j] - bz, sine, cosine)
                x = points[a + p, 0, j] - ax - u
                y = points[a + p, 1, j] - points[b + p, 1, j]
                z = points[a + p, 2, j] - az - v
                square += taper[p] * weights[j] * (x * x + y * y + z * z)
        x, z = turned(bx, bz, sine, cosine)
        found[t, 0], found[t, 1] = ax - x, az - z
        found[t, 2] = heading
        found[t, 3] = square
