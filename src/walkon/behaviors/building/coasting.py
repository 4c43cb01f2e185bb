"""Time to come to rest in a pose, for a glide that was recorded only up to the moment before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from walkon.behaviors.building.matching import RecordedStretch
from walkon.behaviors.building.sources import Source
from walkon.motion import Clip, Contacts

NEAR_END = 0.3
"""A glide whose last moment is this close [s] to the end of its recording goes on a little."""

COAST = 0.2
"""Seconds it goes on for, at the speed and in the attitude it had."""


def let_coast(source: Source, segment: RecordedStretch) -> tuple[Source, RecordedStretch]:
    """A loose segment at the end of a recording, with time after it in which the body just glides on.

    Without that time the fading into the pose would take away what was recorded last: the landing of a jump.
    """
    clip = source.clip
    if len(clip) - 1 - segment.stop.frame > NEAR_END * clip.fps:
        return source, segment
    frames = round(COAST * clip.fps)
    longer = Source(_coasting(clip, source.velocities[-1], frames), source.mirrored)
    return longer, replace(segment, stop=replace(segment.stop, frame=segment.stop.frame + frames))


def _coasting(clip: Clip, velocity: np.ndarray, frames: int) -> Clip:
    """The clip with `frames` more, moving on over the ground at `velocity` (2,) [m/s]."""
    steps = np.arange(1, frames + 1)[:, None] / clip.fps
    roots = np.repeat(clip.root_positions[-1:], frames, axis=0)
    roots[:, [0, 2]] += steps * velocity
    contacts = clip.contacts
    if contacts is not None:
        planted = np.concatenate([contacts.planted, np.zeros((frames, len(contacts.joints)), dtype=bool)])
        contacts = Contacts(contacts.joints, planted)
    return replace(
        clip,
        root_positions=np.concatenate([clip.root_positions, roots]),
        rotations=np.concatenate([clip.rotations, np.repeat(clip.rotations[-1:], frames, axis=0)]),
        bone_offsets=None,
        labels=(),
        contacts=contacts,
    )
