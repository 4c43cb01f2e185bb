"""Curves without corners: from nothing to all, from one held value to the next, and over a need."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array, Flags


def smooth_step(values: Array) -> Array:
    """0 up to 0, 1 from 1 on, and a curve without corners in between."""
    t = np.clip(values, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def smooth_steps(count: int) -> Array:
    """Weights (count,) that rise from just over 0 to just under 1, flat at both ends."""
    return smooth_step(np.arange(1, count + 1) / (count + 1))


def ease_between_holds(values: Array, held: Flags, ease: int) -> Array:
    """Values (F, n) where `held` (F,); elsewhere those of the nearest held frames fade within `ease` frames.

    In a gap of at most `ease` frames one goes over into the other. None of it has a corner.
    """
    frames = np.arange(len(held))
    before = np.maximum.accumulate(np.where(held, frames, -1))
    after = np.minimum.accumulate(np.where(held, frames, len(held))[::-1])[::-1]
    inside = (before >= 0) & (after < len(held))
    span = np.where(inside, np.clip(after - before - 1, 0, ease), ease) + 1.0
    fading = np.where(before >= 0, 1.0 - smooth_step((frames - before) / span), 0.0)[:, None]
    rising = np.where(after < len(held), 1.0 - smooth_step((after - frames) / span), 0.0)[:, None]
    eased = fading * values[before] + rising * values[np.minimum(after, len(held) - 1)]
    return np.where(held[:, None], values, eased)


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
