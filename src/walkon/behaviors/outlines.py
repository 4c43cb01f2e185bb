"""The outlines of a library's bodies: what somebody covers of the ground in every frame of a clip, and at rest.

Everything is seen from the entry pose. The row of a frame holds all that the body does until the next frame: every
point goes straight from one to the other, so it reaches no further than at the farther of both. Rows of all frames
but the last therefore hold the whole clip.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, once_per_object
from walkon.behaviors.library import BehaviorClip
from walkon.motion import Clip, placement_at
from walkon.motion.features.kernels_outlines import cover_all
from walkon.motion.features.outlines import COMPASS, DIRECTIONS, outline_corners, supports_around
from walkon.skeleton import build_body

COVER = 5
"""Discs that cover an outline. With more, fewer frames need a closer look beside walls; with fewer, less memory is
taken."""

ROUNDED_UP = 1e-4
"""[m] Added to all radii, because kernels read them in single precision."""

Halves = NDArray[np.float16]
"""Lengths [m] in half precision, rounded up: by at most 0.25 mm up to half a metre, 0.5 mm up to a metre. They are
kept for every frame of every clip; with more digits they would take twice the memory."""


class Figures(NamedTuple):
    """What N bodies cover of the ground, each in the frame of its clip's entry pose.

    circles: (N, 3) x, z, radius [m] around each. reaches: (N, 2, DIRECTIONS) [m] from the middle of the circle:
    how far what is below and what is above the split reaches. discs: (N, COVER, 3) x, z from the middle of the
    circle, and radius, of discs that together cover it all. Kernels read `supports` and `covers`.
    """

    circles: Array
    reaches: Halves
    discs: Halves

    @property
    def supports(self) -> NDArray[np.float32]:
        """The reaches as kernels read them."""
        return self.reaches.astype(np.float32)

    @property
    def covers(self) -> NDArray[np.float32]:
        """The discs as kernels read them: from the entry pose."""
        found = self.discs.astype(np.float32)
        found[:, :, :2] += self.circles[:, None, :2].astype(np.float32)
        return found

    def part(self, rows: slice) -> Figures:
        """Some of them, in arrays of their own."""
        return Figures(self.circles[rows].copy(), self.reaches[rows].copy(), self.discs[rows].copy())


NO_FIGURE = Figures(
    np.zeros((1, 3)), np.zeros((1, 2, DIRECTIONS), dtype=np.float16), np.zeros((1, COVER, 3), dtype=np.float16)
)
"""A point, for poses in which nobody rests."""


def clip_figures(shown: BehaviorClip) -> Figures:
    """The figures of the core of a clip, one a frame."""
    return _figures(shown.clip, shown.first, shown.last)


def rest_figure(shown: list[BehaviorClip], more: float) -> Figures:
    """One figure that holds all that is done in these clips, and `more` [m] around it."""
    supports = np.concatenate([_supports(one.clip, one.first, one.last) for one in shown])
    return _described(supports.max(axis=0, keepdims=True) + more)


@once_per_object
def _figures(clip: Clip, first: int, last: int) -> Figures:
    supports = _supports(clip, first, last)
    supports[:-1] = np.maximum(supports[:-1], supports[1:])
    return _described(supports)


def _supports(clip: Clip, first: int, last: int) -> Array:
    """Supports (F, 2, DIRECTIONS) [m] of some frames, from the origin of the entry pose."""
    seen = placement_at(clip, first).inverse().points(clip.positions[first : last + 1])
    return supports_around(seen, build_body(clip.skeleton))


def _described(supports: Array) -> Figures:
    """Figures from supports (N, 2, DIRECTIONS) that are seen from the origin."""
    whole = supports.max(axis=1)
    half = DIRECTIONS // 2
    quarter = half // 2
    middles = 0.5 * np.stack([whole[:, quarter] - whole[:, half + quarter], whole[:, 0] - whole[:, half]], axis=1)
    corners = outline_corners(whole)
    radii = np.linalg.norm(corners - middles[:, None], axis=2).max(axis=1)
    covers = np.empty((len(whole), COVER, 3))
    cover_all(corners, covers)
    covers[:, :, :2] -= middles[:, None]
    discs = covers.astype(np.float16)
    # Discs that were moved by rounding are larger by as much.
    moved = np.linalg.norm(discs[:, :, :2].astype(np.float64) - covers[:, :, :2], axis=2)
    discs[:, :, 2] = _halved(covers[:, :, 2] + moved + ROUNDED_UP)
    reaches = _halved(supports - (middles @ COMPASS.T)[:, None])
    return Figures(np.column_stack([middles, radii + ROUNDED_UP]), reaches, discs)


def _halved(lengths: Array) -> Halves:
    """Lengths in half precision, none of them less than it was."""
    found = lengths.astype(np.float16)
    return np.where(found.astype(np.float64) < lengths, np.nextafter(found, np.float16(np.inf)), found)
