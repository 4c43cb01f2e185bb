"""Space and time that belong to others: the circles of everybody already planned."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.basics import Array
from walkon.errors import PlanError
from walkon.planning.kernels_moves import CHUNK, clip_chunks, pad_track, track_speed
from walkon.planning.kernels_tracks import Tracks, enter_track, others_along, others_at

MOST_LISTS = 16_000_000
"""Lists of entries at most, one for each cell and bin of time: 64 MB. On a larger ground, or for longer, the cells
grow, and more entries are looked at in each."""


class Reservations:
    """Tracks of circles on the ground, found again by place and time.

    bounds (4,) [m]: x, z of the least corner and of the greatest. horizon: last frame anybody asks about.
    clearance [m]: gap between two circles. cell [m]: of the grid. reach [m]: how large a body usually is, with
    what it moves in a quarter of a second; larger ones are found as well, a little slower.
    """

    def __init__(
        self,
        bounds: tuple[float, float, float, float],
        horizon: int,
        *,
        clearance: float = 0.05,
        cell: float = 1.0,
        reach: float = 1.25,
    ) -> None:
        left, near, right, far = bounds
        if not (left < right and near < far) or horizon < 0 or not (cell > 0.0 and reach >= 0.0 <= clearance):
            raise PlanError(f"reservations need an area and a time: bounds {bounds}, horizon {horizon}")
        bins = horizon // CHUNK + 1
        cell = max(cell, float(np.sqrt((right - left) * (far - near) * bins / MOST_LISTS)))
        self._grid = (left, near, cell, reach, clearance)
        self._shape = (bins, int((far - near) / cell) + 1, int((right - left) / cell) + 1)
        self._keys: list[Hashable] = []
        self._tracks: dict[Hashable, int] = {}
        self._count = self._entries = self._circles = 0
        self._arrays = _empty(self._shape)
        self._view: Tracks | None = None

    def __len__(self) -> int:
        return len(self._tracks)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._tracks

    def __iter__(self):
        return iter(self._tracks)

    @property
    def clearance(self) -> float:
        """Gap [m] kept between two circles."""
        return self._grid[4]

    @property
    def settled(self) -> int:
        """The frame from which on nobody moves, comes or goes."""
        arrays = self._arrays
        return max((int(arrays["firsts"][t] + arrays["lengths"][t]) for t in self._tracks.values()), default=0)

    @property
    def nbytes(self) -> int:
        """Memory held by the arrays."""
        return sum(array.nbytes for array in self._arrays.values())

    def add(self, key: Hashable, start_frame: int, circles: ArrayLike, stays: bool) -> None:
        """Reserve circles (F, 3) x, z, radius [m], one a frame from start_frame on; the last one for good if it
        stays. Raises PlanError for a key that is already there, and for circles that make no sense."""
        if key in self._tracks:
            raise PlanError(f"{key!r} has a reservation already; remove it first")
        self._enter(key, start_frame, _padded(circles), stays)

    def _enter(self, key: Hashable, start_frame: int, padded: Array, stays: bool) -> None:
        self._grow("circles", self._circles + len(padded))
        for name in ("begins", "firsts", "lengths", "speeds", "stays", "alive"):
            self._grow(name, self._count + 1)
        arrays, track = self._arrays, self._count
        arrays["circles"][self._circles : self._circles + len(padded)] = padded
        arrays["begins"][track], arrays["firsts"][track] = self._circles, start_frame
        arrays["lengths"][track], arrays["speeds"][track] = len(padded), track_speed(padded)
        arrays["stays"][track], arrays["alive"][track] = stays, True
        self._view = None
        used = enter_track(self.tracks, track, self._entries, True)
        self._grow("owners", used)
        self._grow("nexts", used)
        self._view = None
        self._entries = enter_track(self.tracks, track, self._entries, False)
        self._circles += len(padded)
        self._count += 1
        self._keys.append(key)
        self._tracks[key] = track

    def remove(self, key: Hashable) -> None:
        """Give back what was reserved. Raises PlanError if nothing was."""
        if key not in self._tracks:
            raise PlanError(f"{key!r} has no reservation")
        self._arrays["alive"][self._tracks.pop(key)] = False
        # Dead entries are stepped over; when they are most of it, the lists are made anew.
        if self._count > 8 and len(self._tracks) * 2 < self._count:
            self._rebuild()

    def conflicts(self, start_frame: int, circles: ArrayLike, stays: bool) -> list[Hashable]:
        """Keys of the reserved tracks that a track of these circles (F, 3) would come too near to."""
        padded = _padded(circles)
        found = np.zeros(max(self._count, 1), dtype=bool)
        _, around = clip_chunks(padded, np.array([0, len(padded)]))
        others_along(padded, around, start_frame, self.tracks, found)
        if stays:
            x, z, radius = padded[-1]
            last = max(self._shape[0] * CHUNK - 1, start_frame + len(padded) - 1)
            others_at(x, z, radius, start_frame + len(padded) - 1, last, self.tracks, found, False)
        return [self._keys[track] for track in np.flatnonzero(found)]

    def resting(self) -> tuple[list[Hashable], Array]:
        """Who stays for good in the end, and the circles (N, 3) where."""
        keys = [key for key, track in self._tracks.items() if self._arrays["stays"][track]]
        last = [
            self._arrays["begins"][self._tracks[key]] + self._arrays["lengths"][self._tracks[key]] - 1
            for key in keys
        ]
        return keys, self._arrays["circles"][last] if last else np.zeros((0, 3))

    @property
    def tracks(self) -> Tracks:
        """The arrays, for kernels; valid until the next change."""
        if self._view is None:
            self._view = Tracks(*self._grid, **self._arrays)
        return self._view

    def _grow(self, name: str, needed: int) -> None:
        """Room for `needed` rows, by doubling."""
        old = self._arrays[name]
        if needed > len(old):
            self._arrays[name] = np.empty((max(needed, 2 * len(old)), *old.shape[1:]), dtype=old.dtype)
            self._arrays[name][: len(old)] = old
            self._view = None

    def _rebuild(self) -> None:
        old, kept = self._arrays, [(key, self._tracks[key]) for key in self._tracks]
        self._arrays, self._view = _empty(self._shape), None
        self._keys, self._tracks = [], {}
        self._count = self._entries = self._circles = 0
        for key, track in kept:
            begin = old["begins"][track]
            circles = old["circles"][begin : begin + old["lengths"][track]]
            self._enter(key, int(old["firsts"][track]), circles, bool(old["stays"][track]))


def _padded(circles: ArrayLike) -> Array:
    padded = np.array(circles, dtype=np.float64, order="C")
    if padded.ndim != 2 or padded.shape[1] != 3 or not len(padded) or not np.isfinite(padded).all():
        raise PlanError(f"a track is one or more finite circles (F, 3), not an array {padded.shape}")
    pad_track(padded, np.empty(len(padded)))
    return padded


def _empty(shape: tuple[int, int, int]) -> dict[str, NDArray]:
    return {
        "heads": np.full(shape, -1, dtype=np.int32),
        "rest_heads": np.full(shape[1:], -1, dtype=np.int32),
        "owners": np.empty(1024, dtype=np.int32),
        "nexts": np.empty(1024, dtype=np.int32),
        "begins": np.zeros(16, dtype=np.int64),
        "firsts": np.zeros(16, dtype=np.int64),
        "lengths": np.zeros(16, dtype=np.int64),
        "speeds": np.zeros(16),
        "stays": np.zeros(16, dtype=np.bool_),
        "alive": np.zeros(16, dtype=np.bool_),
        "circles": np.empty((1024, 3)),
    }
