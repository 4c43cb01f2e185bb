"""Curves without corners: from nothing to all, from one held value to the next, and over a need."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array


def smooth_step(values: Array) -> Array:
    """0 up to 0, 1 from 1 on, and a curve without corners in between."""
    t = np.clip(values, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def smooth_steps(count: int) -> Array:
    """Weights (count,) that rise from just over 0 to just under 1, flat at both ends."""
    return smooth_step(np.arange(1, count + 1) / (count + 1))


def covering(need: Array, reach: int, *, rounds: int = 1) -> Array:
    """A smooth curve (F,) that is nowhere below `need` (F,), averaged over `reach` frames to either side.

    rounds: how often it is averaged; after one the curve has no jumps, after two no corners.
    """
    from scipy.ndimage import maximum_filter1d, uniform_filter1d

    # The mean of a running maximum over the same window never falls below the need it smooths.
    covered = maximum_filter1d(need, 2 * rounds * reach + 1)
    for _ in range(rounds):
        covered = uniform_filter1d(covered, 2 * reach + 1)
    return covered
