"""Kernel: how many stretches of motion are nearest to their own kind."""

from __future__ import annotations

import numpy as np

from walkon.kernels import kernel


@kernel
def share_right(nearest, starts, own, other, absent):
    """Mean over the clips `own` (m,) of the share of their stretches that are nearer to another of them than to
    one of `other` (m,); a tie is half right.

    nearest: (W, C) distances from every stretch to every clip. starts: (C + 1,) first stretch of every clip.
    absent: (m,) which of `other` does not vote on each of `own`.
    """
    total = 0.0
    for place in range(len(own)):
        right = 0.0
        first, last = starts[own[place]], starts[own[place] + 1]
        for stretch in range(first, last):
            mine, theirs = np.inf, np.inf
            for k in range(len(own)):
                if k != place:
                    mine = min(mine, nearest[stretch, own[k]])
                if k != absent[place]:
                    theirs = min(theirs, nearest[stretch, other[k]])
            if mine < theirs:
                right += 1.0
            elif mine == theirs:
                right += 0.5
        total += right / (last - first)
    return total / len(own)
