"""One clip after another, blended where they meet."""

from __future__ import annotations

import numpy as np

from walkon.errors import ClipError
from walkon.motion.clip import Clip
from walkon.motion.editing.crossing import cross_over
from walkon.motion.editing.place import place
from walkon.motion.editing.resample import resample
from walkon.motion.features.placement import ground_placements
from walkon.rotations import Placement


def join(first: Clip, second: Clip, blend: float = 0.3) -> Clip:
    """`first`, then `second` moved to where `first` ends, overlapping by `blend` [s].

    The second clip is aligned so that over the overlap both stand, on average, at the same place with the same
    heading; it is brought to the first one's rate if need be. Poses cross over with weights that start and end
    gently. Where both clips know their contacts, feet that are planted stay where they are through the blend, and
    on to the end of their step. The first clip is untouched before the overlap.
    """
    second = second if second.fps == first.fps else resample(second, first.fps)
    overlap = _overlap_frames(first, second, blend)
    return cross_over(first, place(second, _alignment(first, second, overlap)), overlap)


def _overlap_frames(first: Clip, second: Clip, blend: float) -> int:
    """Number of frames of the overlap, at least one."""
    if not first.skeleton.matches(second.skeleton):
        raise ClipError(
            f"clips {first.name!r} and {second.name!r} have different skeletons; scale() or retarget() one first"
        )
    if not (np.isfinite(blend) and blend >= 0):
        raise ClipError(f"blend is a time of at least 0 s, not {blend}")
    overlap = max(1, round(blend * first.fps))
    shorter = min(first, second, key=len)
    if overlap > len(shorter):
        raise ClipError(
            f"a blend of {blend:g} s is {overlap} frames, but clip {shorter.name!r} has only {len(shorter)}"
        )
    return overlap


def _alignment(first: Clip, second: Clip, overlap: int) -> Placement:
    """The placement that carries the start of `second` onto the end of `first`, on average over the overlap."""
    ours, theirs = ground_placements(first)[-overlap:], ground_placements(second)[:overlap]
    turns = ours[:, 2] - theirs[:, 2]
    turn = Placement(0.0, 0.0, float(np.arctan2(np.sin(turns).mean(), np.cos(turns).mean())))
    x, z = turn.point(theirs[:, 0], theirs[:, 1])
    return Placement(float(np.mean(ours[:, 0] - x)), float(np.mean(ours[:, 1] - z)), turn.heading)
