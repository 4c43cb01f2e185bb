"""When the frames of a made clip are, and what may be asked of a maker."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array
from walkon.errors import ClipError

SLOWEST_RATE = 10.0
"""Frames a second below which steps would fall between frames [Hz]."""


def frame_times(duration: float, fps: float) -> Array:
    """Times (F,) [s] of the frames from 0 to `duration`, both included."""
    if not (np.isfinite(fps) and fps >= SLOWEST_RATE):
        raise ClipError(f"built-in motion is made at {SLOWEST_RATE:g} frames a second or more, not {fps}")
    return np.arange(round(duration * fps) + 1) / fps


def cycle_times(period: float, cycles: int, fps: float) -> tuple[float, Array]:
    """The period [s] fitted to a whole number of frames, and the times (F,) [s] of `cycles` of them.

    The last frame is the first of the next cycle, so that a clip ends where it may begin again.
    """
    if int(cycles) != cycles or cycles < 1:
        raise ClipError(f"a clip has one cycle or more, not {cycles}")
    frames = len(frame_times(period, fps)) - 1
    return frames / fps, np.arange(frames * int(cycles) + 1) / fps


def checked(what: str, value: float | None, default: float, between: tuple[float, float], unit: str) -> float:
    """The value, or the default for None, if it lies between two bounds."""
    low, high = between
    chosen = default if value is None else value
    rounding = 1e-9 * high
    if not low - rounding <= chosen <= high + rounding:
        raise ClipError(f"{what} must be {low:.2f} to {high:.2f} {unit}, not {chosen}")
    return float(chosen)
