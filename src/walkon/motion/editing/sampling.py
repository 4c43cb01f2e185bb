"""Poses between the frames: what cropping, resampling and retiming share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.motion.clip import Clip, Contacts, Label
from walkon.motion.editing._kernels import sample_rotations

SNAP = 1e-9
"""A position this close to a frame [frames] is that frame: rates like 1/3 must not blur a pose."""


def sample_clip(clip: Clip, frame_positions: Array, fps: float) -> Clip:
    """The clip seen at `frame_positions` (G,) [frames], non-decreasing and within 0 … F − 1, played at `fps`.

    Rotations are slerped, positions and bone offsets interpolated linearly. A new frame bears the labels and
    contacts of the old frame nearest to it.
    """
    frames = np.floor(frame_positions + SNAP).astype(np.int64)
    fractions = np.where(np.abs(frame_positions - frames) <= SNAP, 0.0, frame_positions - frames)
    rotations = np.empty((len(frames), *clip.rotations.shape[1:]))
    sample_rotations(clip.rotations, frames, fractions, rotations)
    nearest = np.floor(frame_positions + 0.5 + SNAP).astype(np.int64)
    return Clip(
        name=clip.name,
        skeleton=clip.skeleton,
        fps=fps,
        root_positions=_between(clip.root_positions, frames, fractions),
        rotations=rotations,
        bone_offsets=None if clip.bone_offsets is None else _between(clip.bone_offsets, frames, fractions),
        labels=carry_labels(clip.labels, nearest),
        contacts=carry_contacts(clip.contacts, nearest),
    )


def carry_labels(labels: Sequence[Label], nearest: NDArray[np.int64]) -> tuple[Label, ...]:
    """The labels on new frames, given the old frame `nearest` (G,) to each of them, non-decreasing.

    A label shorter than a new frame keeps one; a label wholly before the first or after the last is gone.
    """
    kept = [label for label in labels if label.stop > nearest[0] and label.start <= nearest[-1]]
    starts = np.searchsorted(nearest, [label.start for label in kept]).tolist()
    stops = np.searchsorted(nearest, [label.stop for label in kept]).tolist()
    return tuple(
        Label(label.name, start, max(stop, start + 1))
        for label, start, stop in zip(kept, starts, stops, strict=True)
    )


def carry_contacts(contacts: Contacts | None, nearest: NDArray[np.int64]) -> Contacts | None:
    """The contacts on new frames, given the old frame `nearest` (G,) to each of them."""
    return None if contacts is None else Contacts(contacts.joints, contacts.planted[nearest])


def _between(values: Array, frames: NDArray[np.int64], fractions: Array) -> Array:
    """Values (F, ...) at frames + fractions (G,)."""
    after = np.minimum(frames + 1, len(values) - 1)
    weight = fractions.reshape(-1, *([1] * (values.ndim - 1)))
    return values[frames] + weight * (values[after] - values[frames])
