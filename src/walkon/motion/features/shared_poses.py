"""Poses that many moments share: the few moments that most others are like."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array, Flags


def find_shared_poses(distances: Array, eligible: Flags, radii: Array, least: float | Array) -> list[int]:
    """Centers, each the eligible moment with the most moments within its radius that no earlier center has.

    distances: (N, N) [m] between moments. radii: (N,) [m] how far from each a moment may be and still count as it.
    least: a center with fewer moments is none; one number for all, or one for each (N,).
    """
    near = distances <= radii[:, None]
    free = np.ones(len(distances), dtype=bool)
    centers: list[int] = []
    while True:
        counts = (near & free).sum(axis=1) * eligible
        counts[counts < np.maximum(least, 1)] = 0
        best = counts.max(initial=0)
        if not best:
            return centers
        # Among equals the one in the middle: nearest to all that it is near to.
        rivals = np.flatnonzero(counts == best)
        center = int(rivals[np.argmin([distances[i][near[i] & free].mean() for i in rivals])])
        centers.append(center)
        free &= ~near[center]
        eligible = eligible & ~near[center]
