"""How far feet slide while they are planted, contact by contact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.motion import Clip, find_contacts


@dataclass(frozen=True, eq=False)
class Slides:
    """Of K contacts of all clips: slides (K,) [m], the farthest that the joint is over the ground from where it
    was first planted; durations (K,) [s]."""

    slides: Array
    durations: Array

    @property
    def worst(self) -> float:
        """[m]; nan where nothing is ever planted."""
        return float(self.slides.max()) if len(self.slides) else float("nan")

    @property
    def mean(self) -> float:
        """[m]; nan where nothing is ever planted."""
        return float(self.slides.mean()) if len(self.slides) else float("nan")


def measure_slides(clips: Sequence[Clip]) -> Slides:
    """Slides of everything planted: as the clips' contacts say, or by sight where they have none."""
    slides, durations = [], []
    for clip in clips:
        contacts = clip.contacts or find_contacts(clip)
        for name, planted in zip(contacts.joints, contacts.planted.T, strict=True):
            places = clip.positions[:, clip.skeleton.index(name)][:, [0, 2]]
            edges = np.flatnonzero(np.diff(planted.astype(np.int8), prepend=0, append=0))
            for start, stop in edges.reshape(-1, 2):
                slides.append(float(np.hypot(*(places[start:stop] - places[start]).T).max()))
                durations.append((stop - start) / clip.fps)
    return Slides(np.array(slides), np.array(durations))
