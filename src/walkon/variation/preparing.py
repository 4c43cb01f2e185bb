"""Clips made ready to learn from: enough of them, long enough, of one body, at one rate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from walkon.errors import VariationError
from walkon.motion import Clip, resample

LEAST_FRAMES = 5
"""Least frames that a clip must have at the rate of the model: two to begin with, and some to go on to."""

MOST_LEARNED_FRAMES = 6_000
"""Most frames of all clips together. While learning, each is compared with each: this many take 144 MB."""


def prepare(clips: Sequence[Clip], fps: float, least: int = 2) -> list[Clip]:
    """The clips at one rate, or an error that says which cannot be used and why."""
    if len(clips) < least:
        raise VariationError(
            f"{len(clips) or 'no'} clip{'s' if len(clips) != 1 else ''}: variation is what differs between clips, "
            f"so at least {least} are needed, better four; a model learned from others can vary a single clip"
        )
    if not (np.isfinite(fps) and fps > 0.0):
        raise VariationError(f"models have a rate above 0 Hz, not {fps:g}")
    frames = sum(clip.duration * fps + 1.0 for clip in clips)
    if frames > MOST_LEARNED_FRAMES:
        raise VariationError(
            f"the clips have {frames:.0f} frames at {fps:g} Hz, more than {MOST_LEARNED_FRAMES}; "
            "four clips of a motion are enough"
        )
    ready = [clip if clip.fps == fps else resample(clip, fps) for clip in clips]
    for clip in ready:
        if len(clip) < LEAST_FRAMES:
            raise VariationError(
                f"clip {clip.name!r} has {len(clip)} frames at {fps:g} Hz; at least {LEAST_FRAMES} are needed"
            )
    return ready
