"""Which moments of two clips belong together, whatever the timing of either: dynamic time warping."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array, Indices
from walkon.errors import ClipError
from walkon.motion.features.smoothing import smooth_over_time
from walkon.variation import _kernels_warping as _kernels

MOST_WARPED_PAIRS = 400_000_000
"""Most pairs of rows that are compared at once, a byte each: 2 hours against a minute at 30 Hz."""

PATH_SMOOTHING = 0.15
"""Standard deviation [s] of the smoothing of paths before timing is compared. With less, a path that goes to and
fro by a frame would count as a difference."""


def warp(a: Array, b: Array, *, loose: int | tuple[int, int] = 0) -> Indices:
    """Rows (P, 2) of a (F, n) and b (G, n) that belong together, from the first to the last, none going back.

    The path with the least sum of squared distances. loose: how many rows of either, or of a and of b, may be left
    out at each end, for motion that begins in different phases; at one end, rows of one of the two only.
    """
    a, b = (np.ascontiguousarray(values, dtype=np.float64) for values in (a, b))
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[1] or not (len(a) and len(b)):
        raise ClipError(f"only rows of as many values can be warped to each other, not {a.shape} and {b.shape}")
    if len(a) * len(b) > MOST_WARPED_PAIRS:
        raise ClipError(f"{len(a)} and {len(b)} frames are too many to warp to each other: cut them first")
    path = np.empty((len(a) + len(b), 2), dtype=np.int64)
    loose_a, loose_b = (loose, loose) if isinstance(loose, int) else loose
    steps = np.empty((len(a), len(b)), dtype=np.uint8)
    count = _kernels.warp(a, b, min(loose_a, len(a) - 1), min(loose_b, len(b) - 1), steps, path)
    return path[:count]


def rows_along(path: Indices, frames: int) -> Array:
    """For every row 0 … frames - 1 of the first sequence, where it is in the second (frames,), in parts of rows.

    Rows that pair with several others take their mean; rows left out at the ends those of the outermost pairs.
    """
    sums = np.bincount(path[:, 0], path[:, 1], minlength=frames)
    counts = np.bincount(path[:, 0], minlength=frames)
    known = np.flatnonzero(counts)
    return np.interp(np.arange(frames), known, sums[known] / counts[known])


def timing_difference(path: Indices, fps: float) -> float:
    """How differently timed two sequences are [s]: how far the path is from the diagonal, on average.

    Measured from the median distance, so that the same motion begun at another moment counts as the same; and
    smoothed, for a path goes to and fro by a frame or two wherever poses differ, whatever the timing.
    """
    ahead = (path[:, 1] - path[:, 0]) / fps
    # A moment is the mean of both rows of a pair; there are two of these to a frame.
    moments = np.arange(path[0].sum(), path[-1].sum() + 1)
    even = np.interp(moments, path.sum(axis=1), ahead)
    smooth = smooth_over_time(even[:, None], 2.0 * fps, PATH_SMOOTHING)[:, 0]
    return float(np.abs(smooth - np.median(smooth)).mean())
