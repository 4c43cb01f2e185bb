"""The short while around a pose: the motion that every clip shows where it begins or ends in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.behaviors.building.cuts import Cut
from walkon.behaviors.building.planting import plant_between
from walkon.behaviors.building.sources import Source
from walkon.motion import Clip, Contacts, place, placement_at
from walkon.motion.editing.sampling import sample_clip
from walkon.motion.features.clouds import align, watched_joints
from walkon.rotations import continuous, normalize

POSE_REACH = 10
"""Frames before and after its moment that a pose knows: the margin of clips, and what they fade into it with."""

ALIGNED = 6
"""Frames before and after a moment over which a window is laid on another, or on a recording."""

MOST_MEANT = 24
"""Most moments that a pose is the mean of: those nearest to the one in the middle. More take longer and change
nothing that one sees."""


def pose_window(sources: Sequence[Source], center: Cut, like: Sequence[Cut], fps: float) -> Clip:
    """2 · POSE_REACH + 1 frames around a moment, at `fps` [Hz]; the body then stands at the origin and looks along
    +z.

    With moments `like` it, nearest first, it is their mean: that leans and turns to neither side, whatever each of
    them does, and is nearer to all of them than any one of them is.
    """
    window = _recorded(sources[center.source], center, fps)
    whole = [cut for cut in like if _is_whole(sources[cut.source], cut, fps)][:MOST_MEANT]
    if len(whole) > 1:
        window = _mean(window, [_recorded(sources[cut.source], cut, fps) for cut in whole])
        if window.contacts is not None:
            window = plant_between(window, window.contacts, (POSE_REACH,))
    return place(window, placement_at(window, POSE_REACH).inverse())


def lay_on(window: Clip, positions: Array, offsets: NDArray[np.int64]) -> Clip:
    """The window placed so that it lies best on recorded positions (K, J, 3) at `offsets` (K,) from its moment."""
    joints, weights = watched_joints(window.skeleton)
    nearness = 1.0 - np.abs(offsets) / (np.abs(offsets).max() + 1.0)
    fixed, moving = positions[:, joints], window.positions[POSE_REACH + offsets][:, joints]
    return place(window, align(fixed, moving, nearness[:, None] * weights))


def _recorded(source: Source, cut: Cut, fps: float) -> Clip:
    """The recorded frames around a moment, held where nothing was recorded."""
    steps = cut.frame + np.arange(-POSE_REACH, POSE_REACH + 1, dtype=np.float64) * source.clip.fps / fps
    return sample_clip(source.clip, np.clip(steps, 0, len(source.clip) - 1), fps)


def _is_whole(source: Source, cut: Cut, fps: float) -> bool:
    reach = POSE_REACH * source.clip.fps / fps
    return reach <= cut.frame <= len(source.clip) - 1 - reach


def _mean(window: Clip, others: Sequence[Clip]) -> Clip:
    """The mean of windows, each laid on the first."""
    offsets = np.arange(-ALIGNED, ALIGNED + 1)
    laid = [lay_on(other, window.positions[POSE_REACH + offsets], offsets) for other in others]
    rotations = np.stack([clip.rotations for clip in laid])
    same_sign = np.where(np.sum(rotations * window.rotations, axis=-1, keepdims=True) < 0, -1.0, 1.0)
    contacts = window.contacts
    if contacts is not None:
        planted = np.mean([clip.contacts.planted for clip in laid if clip.contacts is not None], axis=0)
        contacts = Contacts(contacts.joints, planted >= 0.5)
    return window.with_changes(
        root_positions=np.mean([clip.root_positions for clip in laid], axis=0),
        rotations=continuous(normalize((same_sign * rotations).mean(axis=0))),
        bone_offsets=None,
        labels=(),
        contacts=contacts,
    )
