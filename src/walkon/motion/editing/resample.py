"""The same motion at another frame rate."""

from __future__ import annotations

import numpy as np

from walkon.errors import ClipError
from walkon.motion.clip import Clip
from walkon.motion.editing.sampling import SNAP, sample_clip

MAX_FRAMES = 100_000_000
"""More frames than any clip has; a rate that asks for more is a slip of units."""

RATE_TOLERANCE = 5e-5
"""Rates whose ratio is this close to whole are taken as whole: files write 1/120 s as .0083333."""


def resample(clip: Clip, fps: float) -> Clip:
    """The clip at `fps` [Hz], starting at the same pose and lasting as long, to within one new frame.

    Where one rate divides the other, the frames both share are the very same poses. Nothing is invented past
    the last recorded frame. Labels and contacts go along.
    """
    if not (np.isfinite(fps) and fps > 0):
        raise ClipError(f"clip {clip.name!r}: cannot resample to {fps} Hz; the rate must be positive")
    step = _old_frames_per_new(clip.fps, fps)
    count = int(min(np.floor((len(clip) - 1) / step + SNAP), MAX_FRAMES)) + 1
    if count > MAX_FRAMES:
        raise ClipError(f"clip {clip.name!r}: {fps:g} Hz would take more than {MAX_FRAMES} frames")
    positions = np.minimum(np.arange(count) * step, len(clip) - 1)
    return sample_clip(clip, positions, float(fps))


def _old_frames_per_new(old_fps: float, new_fps: float) -> float:
    """Frames of the old rate per frame of the new, made whole (or one over whole) where it nearly is."""
    ratio = old_fps / new_fps
    whole = max(1.0, np.round(max(ratio, 1 / ratio)))
    snapped = whole if ratio >= 1 else 1 / whole
    return float(snapped if abs(ratio / snapped - 1) < RATE_TOLERANCE else ratio)
