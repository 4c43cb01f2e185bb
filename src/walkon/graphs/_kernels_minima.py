"""Kernels that find the local minima of a tile of a surface."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def find_local_minima(squares, limit, step, remote, first_row, first_column, inner, starts, others, lowest):
    """Write the minima of squares (R, C) below `limit`, return how many; squares[0, 0] is at the first row and column.

    Looked for only in `inner`, rows (0, 1) and columns (2, 3) of the array, and only to the right of the diagonal of
    the whole surface. Neighbours outside of the array do not count. Squares that round to the same multiple of
    `step` are equal; of equal neighbours the one nearer to the middle of its clips is the lower one, and the first in
    reading order of those that are equally near: level ground has one minimum, not none or a hundred.
    remote: (N,) rows from a row to the middle of its clip.
    starts, others, lowest: at least half as many as there are rows, times half as many as there are columns.
    """
    height, width = squares.shape
    count = 0
    for i in range(inner[0], inner[1]):
        for c in range(max(inner[2], first_row + i + 1 - first_column), inner[3]):
            if squares[i, c] >= limit:
                continue
            level = np.rint(squares[i, c] / step)
            least = True
            for di in range(-1, 2):
                for dc in range(-1, 2):
                    row, column = i + di, c + dc
                    if (di == 0 and dc == 0) or not (0 <= row < height and 0 <= column < width):
                        continue
                    other = np.rint(squares[row, column] / step)
                    if other == level:
                        nearer = (
                            remote[first_row + row] + remote[first_column + column]
                            - remote[first_row + i] - remote[first_column + c]
                        )  # fmt: skip
                        lower = nearer < 0 or (nearer == 0 and (di < 0 or (di == 0 and dc < 0)))
                    else:
                        lower = other < level
                    if lower:
                        least = False
                        break
                if not least:
                    break
            if least:
                starts[count] = first_row + i
                others[count] = first_column + c
                lowest[count] = squares[i, c]
                count += 1
    return count
