"""Keep a stretch of a clip."""

from __future__ import annotations

import numpy as np

from walkon.errors import ClipError
from walkon.motion.clip import Clip
from walkon.motion.editing.sampling import carry_contacts, carry_labels


def crop(clip: Clip, start: int = 0, stop: int | None = None) -> Clip:
    """Frames `start` to `stop`, the latter excluded; negative numbers count from the end, as in a slice.

    The poses are views of the clip's own. Labels are cut at the new ends, and dropped where nothing is left.
    """
    frames = len(clip)
    first, last, _ = slice(start, stop).indices(frames)
    if last <= first:
        raise ClipError(
            f"clip {clip.name!r}: no frame between {start} and {frames if stop is None else stop}; "
            f"it has frames 0 to {frames - 1}"
        )
    kept = slice(first, last)
    nearest = np.arange(first, last)
    return Clip(
        name=clip.name,
        skeleton=clip.skeleton,
        fps=clip.fps,
        root_positions=clip.root_positions[kept],
        rotations=clip.rotations[kept],
        bone_offsets=None if clip.bone_offsets is None else clip.bone_offsets[kept],
        labels=carry_labels(clip.labels, nearest),
        contacts=carry_contacts(clip.contacts, nearest),
    )
