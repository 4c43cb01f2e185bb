"""Kernels of the distance surface: clouds compared in tiles, the turn that aligns two of them found on the way."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

CHUNK = 64
"""Columns that are packed together: with all their coordinates they fit the first cache."""

UNROLLED = 4
"""Points that one pass over a chunk takes in."""


@njit(cache=True, nogil=True, fastmath={"contract"})
def fill_products(points, weights, rows, columns, height, width, products):
    """Fill products (3, height, ≥ width) of frames from `rows` on with frames from `columns` on.

    points: (N, P, 3) [m], weights: (P,). Σ w (x x' + z z'), Σ w (x z' − z x') and Σ w y y' over the points.
    """
    count = len(weights)
    padded = (count + UNROLLED - 1) // UNROLLED * UNROLLED
    packed = np.zeros((padded, 3, CHUNK))
    own = np.zeros((padded, 3))
    for chunk in range(0, width, CHUNK):
        size = min(CHUNK, width - chunk)
        for column in range(size):
            for j in range(count):
                for axis in range(3):
                    packed[j, axis, column] = points[columns + chunk + column, j, axis]
        for row in range(height):
            for j in range(count):
                for axis in range(3):
                    own[j, axis] = weights[j] * points[rows + row, j, axis]
            along = products[0, row, chunk : chunk + size]
            across = products[1, row, chunk : chunk + size]
            upward = products[2, row, chunk : chunk + size]
            along[:] = 0.0
            across[:] = 0.0
            upward[:] = 0.0
            for j in range(0, padded, UNROLLED):
                x0, y0, z0 = own[j, 0], own[j, 1], own[j, 2]
                x1, y1, z1 = own[j + 1, 0], own[j + 1, 1], own[j + 1, 2]
                x2, y2, z2 = own[j + 2, 0], own[j + 2, 1], own[j + 2, 2]
                x3, y3, z3 = own[j + 3, 0], own[j + 3, 1], own[j + 3, 2]
                first, second, third, fourth = packed[j], packed[j + 1], packed[j + 2], packed[j + 3]
                for c in range(size):
                    along[c] += (
                        x0 * first[0, c] + z0 * first[2, c] + x1 * second[0, c] + z1 * second[2, c]
                        + x2 * third[0, c] + z2 * third[2, c] + x3 * fourth[0, c] + z3 * fourth[2, c]
                    )  # fmt: skip
                    across[c] += (
                        x0 * first[2, c] - z0 * first[0, c] + x1 * second[2, c] - z1 * second[0, c]
                        + x2 * third[2, c] - z2 * third[0, c] + x3 * fourth[2, c] - z3 * fourth[0, c]
                    )  # fmt: skip
                    upward[c] += y0 * first[1, c] + y1 * second[1, c] + y2 * third[1, c] + y3 * fourth[1, c]


@njit(cache=True, nogil=True, fastmath={"contract"})
def fill_cloud_squares(points, weights, taper, energies, centers, rows, columns, squares):
    """Fill squares (R, C) [m²] of the distances of windows from `rows` on to windows from `columns` on.

    points: (N, P, 3) [m], weights: (P,), taper: (k,). energies: (N,) [m²] mean square of a window's points from the
    axis through its middle and from the ground; centers: (N, 2) x, z [m] of that middle.
    """
    height, width = squares.shape
    reach = len(taper)
    products = np.empty((3, height + reach - 1, width + reach - 1))
    fill_products(points, weights, rows, columns, height + reach - 1, width + reach - 1, products)
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


@njit(cache=True, nogil=True)
def align_pairs(points, weights, taper, starts, others, found):
    """Fill found (T, 4): x, z [m], heading [rad] of what carries window `others` onto `starts`; squared distance.

    points: (N, P, 3) [m], weights: (P,), taper: (k,), each adding up to 1; starts, others: (T,).
    """
    for t in range(len(starts)):
        a, b = starts[t], others[t]
        ax, az, bx, bz = 0.0, 0.0, 0.0, 0.0
        for p in range(len(taper)):
            for j in range(len(weights)):
                w = taper[p] * weights[j]
                ax += w * points[a + p, j, 0]
                az += w * points[a + p, j, 2]
                bx += w * points[b + p, j, 0]
                bz += w * points[b + p, j, 2]
        along, across = 0.0, 0.0
        for p in range(len(taper)):
            for j in range(len(weights)):
                w = taper[p] * weights[j]
                x, z = points[a + p, j, 0] - ax, points[a + p, j, 2] - az
                u, v = points[b + p, j, 0] - bx, points[b + p, j, 2] - bz
                along += w * (x * u + z * v)
                across += w * (x * v - z * u)
        heading = math.atan2(across, along)
        sine, cosine = math.sin(heading), math.cos(heading)
        square = 0.0
        for p in range(len(taper)):
            for j in range(len(weights)):
                u, v = points[b + p, j, 0] - bx, points[b + p, j, 2] - bz
                x = points[a + p, j, 0] - ax - (u * cosine + v * sine)
                y = points[a + p, j, 1] - points[b + p, j, 1]
                z = points[a + p, j, 2] - az - (v * cosine - u * sine)
                square += taper[p] * weights[j] * (x * x + y * y + z * z)
        found[t, 0] = ax - (bx * cosine + bz * sine)
        found[t, 1] = az - (bz * cosine - bx * sine)
        found[t, 2] = heading
        found[t, 3] = square
