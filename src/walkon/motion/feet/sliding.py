"""How far planted feet slide: the one definition that every report of the house uses (the audit has its own).

A *slide* is how far a joint gets over the ground from one frame to the next, if it is planted in both [m]. A
*drift* is how far it gets, in a whole contact, from where it was first planted [m]: a slow drift has small slides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Flags, Indices, runs
from walkon.motion.clip import Clip, Contacts
from walkon.motion.feet.contacts import find_contacts
from walkon.motion.feet.standing import without_lifting, without_rolling


@dataclass(frozen=True, eq=False)
class Slides:
    """What planted joints do over the ground.

    steps: (M,) [m] the slide of every planted joint in every frame; frames: (M,) the first of its two frames.
    drifts: (C,) [m] of every contact. All are empty where nothing is ever planted.
    """

    steps: Array
    frames: Indices
    drifts: Array

    @property
    def mean(self) -> float:
        """Mean slide [m]; nan where nothing is planted."""
        return float(self.steps.mean()) if len(self.steps) else float("nan")

    @property
    def worst(self) -> float:
        """Greatest slide [m]; nan where nothing is planted."""
        return float(self.steps.max()) if len(self.steps) else float("nan")

    @property
    def worst_frame(self) -> int:
        """The first of the two frames of the greatest slide."""
        return int(self.frames[self.steps.argmax()])

    @property
    def worst_drift(self) -> float:
        """Greatest drift [m]; nan where nothing is planted."""
        return float(self.drifts.max()) if len(self.drifts) else float("nan")


def measure_slides(positions: Array, joints: Sequence[int], planted: Flags) -> Slides:
    """The slides of `joints` (K,), planted (F, K), in a motion with joints at positions (F, J, 3) [m]."""
    places = positions[:, list(joints)][..., [0, 2]]
    ways = np.diff(places, axis=0)
    stays = planted[1:] & planted[:-1]
    drifts = [
        float(np.hypot(*(places[start:stop, k] - places[start, k]).T).max())
        for k in range(planted.shape[1])
        for start, stop in runs(planted[:, k])
    ]
    return Slides(np.hypot(ways[..., 0], ways[..., 1])[stays], np.nonzero(stays)[0], np.array(drifts))


def stands_of(clip: Clip, positions: Array) -> Contacts:
    """Who should not slide when, in a clip with joints at positions (F, J, 3) [m]: as its contacts say, less where
    joints lift off already; or as found, without rolling, where it has none."""
    if clip.contacts is not None:
        return without_lifting(clip.skeleton, positions, clip.contacts)
    return without_rolling(clip, find_contacts(clip))


def slides_of(clips: Sequence[Clip]) -> Slides:
    """The slides of all clips together: planted as their contacts say, or as found where they have none."""
    found = []
    for clip in clips:
        contacts = stands_of(clip, clip.positions)
        joints = [clip.skeleton.index(name) for name in contacts.joints]
        found.append(measure_slides(clip.positions, joints, contacts.planted))
    return Slides(
        np.concatenate([np.zeros(0), *(one.steps for one in found)]),
        np.concatenate([np.zeros(0, dtype=np.int64), *(one.frames for one in found)]),
        np.concatenate([np.zeros(0), *(one.drifts for one in found)]),
    )
