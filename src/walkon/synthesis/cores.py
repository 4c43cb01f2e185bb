"""Clips made ready to be stitched: seen from where they begin and from where they end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.motion import Clip, Contacts, find_contacts, ground_placements, place
from walkon.motion.features.outlines import body_supports
from walkon.rotations import Placement
from walkon.take import TakeClip


@dataclass(frozen=True, eq=False)
class ClipCore:
    """A take's clip, its entry pose at frame `first` and its exit pose at frame `last`.

    entering: the clip placed so that its entry pose stands at the origin and looks along +z.
    leaving: the same for its exit pose. displacement: the exit pose as the entry pose sees it.
    """

    entering: Clip
    leaving: Clip
    first: int
    last: int
    displacement: Placement

    @property
    def planted(self) -> NDArray[np.bool_]:
        """Which joints (F, K) are planted; the take's clips of one skeleton have the same K."""
        contacts = self.entering.contacts
        return np.zeros((len(self.entering), 0), dtype=np.bool_) if contacts is None else contacts.planted

    @cached_property
    def entering_outlines(self) -> Array:
        """How far (F, DIRECTIONS) [m] the body reaches on the ground, as the entry pose sees it."""
        return body_supports(self.entering).max(axis=1)

    @cached_property
    def leaving_outlines(self) -> Array:
        """The same as the exit pose sees it."""
        return body_supports(self.leaving).max(axis=1)

    @property
    def duration(self) -> int:
        """Frames from the entry pose to the exit pose."""
        return self.last - self.first

    def half_window(self, blend: int) -> int:
        """Most frames to either side of a seam that can be blended: a margin, and half the clip at most."""
        return min(blend, self.first, len(self.entering) - 1 - self.last, self.duration // 2)


def build_core(shown: TakeClip, joints: tuple[str, ...]) -> ClipCore:
    """The clip of a take with contacts of these joints: its own, or those found in it; others never touch."""
    clip = shown.clip.with_changes(contacts=_contacts(shown.clip, joints))
    placements = ground_placements(clip)
    entry, leave = Placement(*placements[shown.first]), Placement(*placements[shown.last])
    return ClipCore(
        entering=place(clip, entry.inverse()),
        leaving=place(clip, leave.inverse()),
        first=shown.first,
        last=shown.last,
        displacement=entry.inverse() @ leave,
    )


def contact_joints(clips: Iterable[Clip]) -> tuple[str, ...]:
    """Names of all joints that some of the clips, of one skeleton, rest on."""
    known = (clip.contacts if clip.contacts is not None else find_contacts(clip) for clip in clips)
    return tuple(dict.fromkeys(name for contacts in known for name in contacts.joints))


def _contacts(clip: Clip, joints: tuple[str, ...]) -> Contacts:
    own = clip.contacts if clip.contacts is not None else find_contacts(clip)
    planted = np.zeros((len(clip), len(joints)), dtype=np.bool_)
    for column, name in enumerate(joints):
        if name in own.joints:
            planted[:, column] = own.planted[:, own.joints.index(name)]
    return Contacts(joints, planted)
