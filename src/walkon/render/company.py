"""The people of a take: dressed bodies that appear and leave when their performances begin and end."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Protocol

import numpy as np

from walkon.motion import Clip
from walkon.render._kernels_cast import pose_capsules
from walkon.render.outfits import dress
from walkon.skeleton import build_body


class Performed(Protocol):
    """What somebody does, and when: a `synthesis.Performance`, or anything like it."""

    @property
    def character(self) -> str:
        """Name in the scene."""
        ...

    @property
    def start_frame(self) -> int:
        """Frame of the take that the first frame of the clip shows."""
        ...

    @property
    def clip(self) -> Clip:
        """The motion, in the world."""
        ...


class Company:
    """Everybody who plays, posed at any moment.

    performances: in order of appearance in the scene, which decides on what each one wears.
    starts, ends: (N, 3) [m], radii (N,) [m], colours (N, 3) 0..255: capsules of those who are there, after `pose`.
    """

    def __init__(self, performances: Sequence[Performed], *, outfits: Sequence[int] | None = None) -> None:
        self.performances = list(performances)
        outfits = range(len(self.performances)) if outfits is None else outfits
        self._bodies = [build_body(performance.clip.skeleton) for performance in self.performances]
        self._outfits = [dress(body, outfit) for body, outfit in zip(self._bodies, outfits, strict=True)]
        self._make_room()

    def _make_room(self) -> None:
        count = sum(map(len, self._bodies))
        self._room = np.empty((count, 3)), np.empty((count, 3)), np.empty(count), np.empty((count, 3))
        self.starts, self.ends, self.radii, self.colours = (array[:0] for array in self._room)

    def twin(self) -> Company:
        """The same people, to be posed at another moment at the same time."""
        other = copy(self)
        other._make_room()
        return other

    def pose(self, time: float) -> None:
        """Put everybody where they are at `time` [s] of the take; those who are not there have no capsules."""
        first = 0
        starts, ends, radii, colours = self._room
        for performance, body, outfit in zip(self.performances, self._bodies, self._outfits, strict=True):
            clip = performance.clip
            at = time * clip.fps - performance.start_frame
            # A moment between two frames of the take belongs to the earlier one.
            if not -1e-6 <= at < len(clip):
                continue
            frame = int(min(max(at, 0.0), len(clip) - 1.0))
            blend = min(max(at - frame, 0.0), 1.0)
            pose_capsules(clip.positions, frame, blend, body.starts, body.ends, body.spans, first, starts, ends)
            radii[first : first + len(body)] = body.radii
            colours[first : first + len(body)] = outfit
            first += len(body)
        self.starts, self.ends, self.radii, self.colours = (array[:first] for array in self._room)
