"""When the people of a flow come: at a rate that may change over time, at random or evenly."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array
from walkon.errors import SceneError
from walkon.world.document_characters import FlowTable

GRID = 0.05
"""[s] Between the times at which the number of people so far is known; straight in between. With more, arrivals
after a jump of the rate are spread wrongly; with less, an hour takes more than its 72 000 numbers."""


def arrival_times(table: FlowTable, most: int, rng: np.random.Generator) -> Array:
    """Times (count,) [s] at which people of a flow with a rate come, in order; raises SceneError for more than
    `most` people, or nobody at all."""
    rates = _rates(table)
    end = float(rates[-1, 0]) if table.until is None else table.until
    grid = np.linspace(table.start_time, end, max(int((end - table.start_time) / GRID), 1) + 1)
    # Before the first time and after the last the rate is what it is there.
    each = np.interp(grid, rates[:, 0], rates[:, 1])
    so_far = np.concatenate([[0.0], np.cumsum(0.5 * (each[1:] + each[:-1]) * np.diff(grid))])
    expected = float(so_far[-1])
    if expected > most:
        raise SceneError(
            f"rate: about {expected:.0f} people would come, and {most} at most can: use several crowds"
        )
    count = round(expected) if table.regular else min(int(rng.poisson(expected)), most)
    if count == 0:
        raise SceneError(f"rate: nobody comes from {table.start_time:g} s to {end:g} s ({expected:.2g} expected)")
    shares = (np.arange(count) + 0.5) / count if table.regular else np.sort(rng.random(count))
    # Where nobody comes the number of people stays the same: times lie where it rises.
    rising = np.concatenate([[True], np.diff(so_far) > 0.0])
    rising[:-1] |= rising[1:]
    return np.round(np.interp(shares * expected, so_far[rising], grid[rising]), 3)


def _rates(table: FlowTable) -> Array:
    """Times [s] and rates [people a second] (K, 2)."""
    if isinstance(table.rate, tuple):
        return np.array(table.rate)
    return np.array([[table.start_time, table.rate]])
