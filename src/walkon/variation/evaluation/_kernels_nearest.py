"""Kernels: how near the nearest row is, exactly, also where that is nothing at all."""

from __future__ import annotations

import numpy as np

from walkon.kernels import kernel


@kernel
def nearest_squares(rows, others, out):
    """Fill out (F,) with the least squared distance of every row (F, n) to any of the others (G, n)."""
    for i in range(len(rows)):
        best = np.inf
        for j in range(len(others)):
            total = 0.0
            for k in range(rows.shape[1]):
                difference = rows[i, k] - others[j, k]
                total += difference * difference
                if total >= best:
                    break
            best = min(best, total)
        out[i] = best


@kernel
def nearest_chords(rows, others, out):
    """The same for rotations (F, J, 4) and (G, J, 4): the sum over joints of squared distances of quaternions, of
    which q and -q are the same."""
    for i in range(len(rows)):
        best = np.inf
        for j in range(len(others)):
            total = 0.0
            for joint in range(rows.shape[1]):
                near, far = 0.0, 0.0
                for c in range(4):
                    near += (rows[i, joint, c] - others[j, joint, c]) ** 2
                    far += (rows[i, joint, c] + others[j, joint, c]) ** 2
                total += min(near, far)
                if total >= best:
                    break
            best = min(best, total)
        out[i] = best
