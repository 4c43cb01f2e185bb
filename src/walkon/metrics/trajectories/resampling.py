"""Trajectories at another rate, on one clock for everybody."""

from __future__ import annotations

import math

import numpy as np

from walkon.basics import Array
from walkon.errors import TrajectoryError
from walkon.metrics.trajectories.model import HIGHEST_RATE, Trajectories

MEASURED_RATE = 10.0
"""Rate [Hz] of Chen (2014), at which plausibility is measured."""

FRAME_SLACK = 1e-6
"""Share of a frame by which rounding may miss one."""

MOST_GROWTH = 100.0
"""Largest factor by which resampling may make trajectories grow; it bounds memory."""


def resample(trajectories: Trajectories, fps: float = MEASURED_RATE) -> Trajectories:
    """The same people at `fps` [Hz]: frame k is at time k / fps, for everybody.

    Where the old rate is a multiple of the new one, rows are picked as they are. Else they lie on cubic splines
    through the old ones, whose acceleration has no jumps. Who is there at no such time has one row at the nearest.
    """
    if not 0.0 < fps <= min(HIGHEST_RATE, MOST_GROWTH * trajectories.fps):
        raise TrajectoryError(
            f"trajectories at {trajectories.fps:g} Hz cannot be brought to {fps} Hz: choose a positive rate of at "
            f"most {min(HIGHEST_RATE, MOST_GROWTH * trajectories.fps):g} Hz"
        )
    ratio = trajectories.fps / fps
    if abs(ratio - 1.0) < 1e-12:
        return trajectories
    paths, starts = [], []
    for person in range(len(trajectories)):
        start, count = int(trajectories.starts[person]), int(trajectories.counts[person])
        first, last = math.ceil(start / ratio - FRAME_SLACK), math.floor((start + count - 1) / ratio + FRAME_SLACK)
        if first > last:
            first = last = round(start / ratio)
        starts.append(first)
        at = np.clip(np.arange(first, last + 1, dtype=np.float64) * ratio - start, 0.0, count - 1.0)
        paths.append(_sampled(trajectories.path(person), at))
    return trajectories.with_paths(paths, fps=fps, starts=np.array(starts, dtype=np.int64))


def _sampled(path: Array, at: Array) -> Array:
    """Places (K, 2) of a path (F, 2) at fractional rows (K,)."""
    nearest = np.rint(at)
    if np.abs(at - nearest).max() < FRAME_SLACK:
        return path[nearest.astype(np.int64)]
    if len(path) < 4:
        rows = np.arange(len(path))
        return np.stack([np.interp(at, rows, axis) for axis in path.T], axis=1)
    from scipy.interpolate import CubicSpline

    return CubicSpline(np.arange(len(path)), path)(at)
