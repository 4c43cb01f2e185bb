"""Windows of frames as clouds of points, compared where each pair lies best on each other on the ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.basics import Array, Indices
from walkon.errors import GraphError
from walkon.graphs.corpus import Corpus
from walkon.motion import ClipLibrary
from walkon.motion.features.clouds import watched_joints

WINDOW = 10
"""Frames that are compared and blended together: a third of a second at 30 Hz."""

ENDS = 0.5
"""Weight of the ends of a window beside its middle, where a blend shows as much of one motion as of the other."""


@dataclass(frozen=True, eq=False)
class PointClouds:
    """The metric of Kovar, Gleicher and Pighin (2002): root mean square distance [m] of points, best aligned.

    D² = min Σ w |p − T p'|² over all T that turn about the vertical and shift on the ground, over the points of
    `window` frames; weights w are a point's times a frame's, and add up to 1.

    points: (N + window, 3, P) [m], every clip around its own middle, then rows of zeros. weights: (P,).
    taper: (window,) weights of a window's frames. valid: (N,) rows at which a window may start.
    energies: (N,) [m²] of the window that starts there: mean square distance of its points from the vertical axis
    through its middle, and from the ground. centers: (N, 2) x, z [m] of that middle.
    """

    points: Array
    weights: Array
    taper: Array
    valid: NDArray[np.bool_]
    energies: Array
    centers: Array

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        window: int = WINDOW,
        *,
        joints: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        taper: ArrayLike | None = None,
    ) -> Self:
        """The metric on a corpus. joints: (P,), those that play a part in the body unless said otherwise, weights:
        (P,) how much each counts; taper: (window,) how much each frame of a window counts."""
        chosen, own = choose_joints(corpus, joints, weights)
        return cls._laid(corpus.library, corpus.library.positions[:, chosen], own, choose_taper(window, taper))

    @classmethod
    def _laid(cls, library: ClipLibrary, places: Array, weights: Array, taper: Array) -> Self:
        """From places (N, P, 3) [m] of the points."""
        window = len(taper)
        points = np.zeros((len(places) + window, 3, places.shape[1]))
        points[: len(places)] = places.swapaxes(1, 2)
        for start, stop in zip(library.starts, library.stops, strict=True):
            # Small numbers keep their digits: a recording may be made far from the origin.
            points[start:stop, ::2] -= points[start:stop, ::2].mean(axis=(0, 2))[:, None]
        middles = points[:, ::2] @ weights
        centers = np.stack([over_window(middles[:, axis], taper) for axis in (0, 1)], axis=1)
        squares = (points**2).sum(axis=1) @ weights
        energies = over_window(squares, taper) - (centers**2).sum(axis=1)
        return cls(points, weights, taper, window_starts(library, window), energies, centers)

    @property
    def window(self) -> int:
        """Frames of a window."""
        return len(self.taper)

    def squares(self, rows: slice, columns: slice) -> Array:
        """Squared distances (Ma, Mb) [m²] of windows that start at `rows` to those that start at `columns`."""
        from walkon.graphs.comparing._kernels_surface import fill_cloud_squares

        squares = np.empty((rows.stop - rows.start, columns.stop - columns.start))
        fill_cloud_squares(
            self.points, self.weights, self.taper, self.energies, self.centers, rows.start, columns.start, squares
        )
        return mask_squares(squares, self.valid, rows, columns)

    def pairs(self, starts: Indices, others: Indices) -> Array:
        """Distances (T,) [m] of windows that start at `starts` (T,) to those at `others` (T,), one by one."""
        return np.sqrt(_aligned(self.points, self.weights, self.taper, starts, others)[:, 3])


def align_windows(
    corpus: Corpus,
    starts: Indices,
    others: Indices,
    window: int = WINDOW,
    *,
    joints: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    taper: ArrayLike | None = None,
) -> Array:
    """Placements (T, 3) of x, z [m] and heading [rad] that carry windows `others` (T,) onto `starts` (T,).

    Windows are given by their first rows. Carried by its placement a recording comes as near as it can.
    """
    chosen, own = choose_joints(corpus, joints, weights)
    valid = window_starts(corpus.library, window)
    starts, others = np.asarray(starts, dtype=np.int64), np.asarray(others, dtype=np.int64)
    for rows in (starts, others):
        if np.any((rows < 0) | (rows >= len(valid))) or not np.all(valid[rows]):
            raise GraphError(f"a window of {window} frames leaves its clip")
    points = np.ascontiguousarray(corpus.library.positions[:, chosen].swapaxes(1, 2))
    return _aligned(points, own, choose_taper(window, taper), starts, others)[:, :3]


def choose_joints(corpus: Corpus, joints: ArrayLike | None, weights: ArrayLike | None) -> tuple[Indices, Array]:
    """Joints (P,) to compare and their weights (P,), which add up to 1."""
    watched, usual = watched_joints(corpus.library.skeleton)
    chosen = watched if joints is None else np.asarray(joints, dtype=np.int64)
    if weights is None:
        weights = usual if joints is None else np.ones(len(chosen))
    return chosen, _shares(weights, len(chosen), "joint")


def choose_taper(window: int, taper: ArrayLike | None = None) -> Array:
    """Weights (window,) of a window's frames, which add up to 1."""
    if window < 2:
        raise GraphError(f"a window needs at least 2 frames to tell how a body moves, not {window}")
    if taper is None:
        taper = ENDS + (1.0 - ENDS) * np.sin(np.pi * (np.arange(window) + 0.5) / window)
    return _shares(taper, window, "frame of the window")


def window_starts(library: ClipLibrary, window: int) -> NDArray[np.bool_]:
    """Whether (N,) a window may start at a row: all of its frames are in one clip."""
    valid = np.zeros(library.frame_count, dtype=bool)
    for start, stop in zip(library.starts, library.stops, strict=True):
        valid[start : max(stop - window + 1, start)] = True
    return valid


def over_window(values: Array, taper: Array) -> Array:
    """Weighted sums (N,) of values (N + window,) over the window that starts at each row."""
    return np.correlate(values, taper, "valid")[: len(values) - len(taper)]


def mask_squares(squares: Array, valid: NDArray[np.bool_], rows: slice, columns: slice) -> Array:
    """The same squares, infinite where there is no window."""
    squares[~valid[rows]] = np.inf
    squares[:, ~valid[columns]] = np.inf
    return squares


def _shares(weights: ArrayLike, count: int, what: str) -> Array:
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != (count,) or not np.all(weights >= 0.0) or not 0.0 < weights.sum() < np.inf:
        raise GraphError(f"there must be one weight for every {what}, none below 0 and not all of them 0")
    return weights / weights.sum()


def _aligned(points: Array, weights: Array, taper: Array, starts: Indices, others: Indices) -> Array:
    """Placements and squared distances (T, 4)."""
    from walkon.graphs.comparing._kernels_surface import align_pairs

    found = np.empty((len(starts), 4))
    align_pairs(points, weights, taper, starts, others, found)
    return found
