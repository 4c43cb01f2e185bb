"""Kernels of contacts: bare arrays in and out, no raising."""

from __future__ import annotations

import math

from walkon.kernels import kernel


@kernel
def joint_speeds(positions, joints, reach, fps, speeds):
    """Fill speeds (F, K) [m/s] of K joints: the way from `reach` frames before to as many after, over the time."""
    frames = positions.shape[0]
    for f in range(frames):
        first, last = max(f - reach, 0), min(f + reach, frames - 1)
        time = max(last - first, 1) / fps
        for k in range(len(joints)):
            total = 0.0
            for c in range(positions.shape[2]):
                total += (positions[last, joints[k], c] - positions[first, joints[k], c]) ** 2
            speeds[f, k] = math.sqrt(total) / time


@kernel
def hold_with_hysteresis(heights, speeds, low, high, slow, fast, planted):
    """Fill planted (F, K): from where a joint is below `low` and slower than `slow` to where it is above `high` or
    faster than `fast`; slow and fast are (K,)."""
    for k in range(heights.shape[1]):
        held = heights[0, k] < high and speeds[0, k] < fast[k]
        for f in range(heights.shape[0]):
            if held:
                held = heights[f, k] < high and speeds[f, k] < fast[k]
            else:
                held = heights[f, k] < low and speeds[f, k] < slow[k]
            planted[f, k] = held


@kernel
def drop_short_runs(planted, value, shortest):
    """Flip runs of `value` in planted (F, K) shorter than `shortest` frames, except at the ends of the clip."""
    frames = planted.shape[0]
    for k in range(planted.shape[1]):
        begin = 0
        for f in range(1, frames + 1):
            if f < frames and planted[f, k] == planted[begin, k]:
                continue
            if planted[begin, k] == value and begin > 0 and f < frames and f - begin < shortest:
                for g in range(begin, f):
                    planted[g, k] = not value
            begin = f
