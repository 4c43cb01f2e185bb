"""Kernels that find the local minima of a tile of a surface."""

from __future__ import annotations

import numpy as np

from walkon.kernels import kernel


@kernel
def is_lower(other, own, step, remote, i, c, di, dc):
    """Whether the square of entry (i + di, c + dc) of the surface counts as lower than the own one of (i, c).

    Squares that round to the same multiple of `step` are equal. Of equal neighbours the one nearer to the middle
    of its clips is the lower one, and of equally near ones the first in reading order: level ground has one
    minimum, not none or a hundred. remote: (N,) rows from a row to the middle of its clip.
    """
    if abs(other - own) > 2.0 * step:
        return other < own
    theirs, mine = np.rint(other / step), np.rint(own / step)
    if theirs != mine:
        return theirs < mine
    nearer = remote[i + di] + remote[c + dc] - remote[i] - remote[c]
    return nearer < 0 or (nearer == 0 and (di < 0 or (di == 0 and dc < 0)))


@kernel
def find_local_minima(squares, limit, step, remote, first_row, first_column, inner, starts, others, lowest):
    """Write the local minima of squares (R, C) below `limit`, and return how many there are.

    squares[0, 0] is at the first row and column of the surface. Minima are looked for only in `inner`, rows (0, 1)
    and columns (2, 3) of the array, and only to the right of the diagonal of the surface. Neighbours outside of
    the array do not count. step, remote: see `is_lower`.
    starts, others, lowest: at least half as many as there are rows, times half as many as there are columns.
    """
    count = 0
    for r in range(inner[0], inner[1]):
        i = first_row + r
        for k in range(max(inner[2], i + 1 - first_column), inner[3]):
            c = first_column + k
            if squares[r, k] < limit and _is_least(squares, r, k, step, remote, i, c):
                starts[count], others[count], lowest[count] = i, c, squares[r, k]
                count += 1
    return count


@kernel
def _is_least(squares, r, k, step, remote, i, c):
    """Whether no neighbour of squares[r, k], which is entry (i, c) of the surface, is lower."""
    for di in range(-1, 2):
        for dc in range(-1, 2):
            if di == dc == 0 or not (0 <= r + di < squares.shape[0] and 0 <= k + dc < squares.shape[1]):
                continue
            if is_lower(squares[r + di, k + dc], squares[r, k], step, remote, i, c, di, dc):
                return False
    return True
