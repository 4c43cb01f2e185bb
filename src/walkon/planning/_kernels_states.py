"""Which states of a search count as the same."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from walkon.kernels import inlined


class Buckets(NamedTuple):
    """How finely states are told apart: cells and headings, and frames per bin of time (0: time does not
    matter). settled: from this frame on nothing moves any more, and time does not matter either."""

    origin_x: float
    origin_z: float
    cell: float
    columns: int
    rows: int
    headings: int
    poses: int
    legs: int
    frames: int
    settled: int


@inlined
def state_key(x, z, heading, pose, leg, frame, buckets):
    """One number for all states that count as the same."""
    column = math.floor((x - buckets.origin_x) / buckets.cell)
    row = math.floor((z - buckets.origin_z) / buckets.cell)
    column, row = min(max(column, 0), buckets.columns - 1), min(max(row, 0), buckets.rows - 1)
    # Half a bin on, so that a heading of 0 with a rounding error stays in its bin.
    bin_of = math.floor((heading + math.pi) * (buckets.headings / (2.0 * math.pi)) + 0.5) % buckets.headings
    key = np.int64(row)
    key = key * buckets.columns + column
    key = key * buckets.headings + bin_of
    key = key * buckets.poses + pose
    key = key * buckets.legs + leg
    if buckets.frames > 0:
        key += (min(frame, buckets.settled) // buckets.frames) * (
            np.int64(buckets.rows) * buckets.columns * buckets.headings * buckets.poses * buckets.legs
        )
    return key
