"""Space and time that belong to others: the bodies of everybody already planned."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.basics import Array
from walkon.errors import PlanError
from walkon.motion.features.outlines import DIRECTIONS
from walkon.planning.body_tracks import BodyTrack, ReadTrack, as_track, read_track
from walkon.planning.kernels_capsules import NO_CAPSULES, BodyCapsules
from walkon.planning.kernels_moves import CHUNK
from walkon.planning.kernels_tracks import Tracks, body_speed, enter_track, others_along, others_at
from walkon.planning.sheets import Sheet, spans_of

MOST_LISTS = 16_000_000
"""Lists of entries at most, one for each cell and bin of time: 64 MB. On a larger ground, or for longer, the cells
grow, and more entries are looked at in each."""


class Reservations:
    """Tracks of bodies on the ground, found again by place and time. A track is a BodyTrack, or circles (F, 3) x,
    z, radius [m].

    bounds (4,) [m]: x, z of the least corner and of the greatest. horizon: last frame anybody asks about.
    clearance [m]: gap between two bodies. cell [m]: of the grid. reach [m]: how large a body usually is, with
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
        self._count = self._entries = self._frames = self._rows = 0
        self._sheets: dict[tuple[int, bool], tuple[Sheet, int]] = {}
        self._arrays, self._capsules, self._ends = _empty(self._shape), NO_CAPSULES, 0
        self._view: Tracks | None = None

    def __len__(self) -> int:
        return len(self._tracks)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._tracks

    def __iter__(self):
        return iter(self._tracks)

    @property
    def clearance(self) -> float:
        """Gap [m] kept between two bodies."""
        return self._grid[4]

    @property
    def settled(self) -> int:
        """The frame from which on nobody moves, comes or goes."""
        arrays = self._arrays
        return max((int(arrays["firsts"][t] + arrays["lengths"][t]) for t in self._tracks.values()), default=0)

    @property
    def still(self) -> bool:
        """Whether nobody ever moves: all stand for good from the beginning."""
        tracks = list(self._tracks.values())
        arrays = self._arrays
        stands = arrays["stays"][tracks] & (arrays["firsts"][tracks] == 0) & (arrays["speeds"][tracks] <= 1e-5)
        return bool(stands.all())

    @property
    def nbytes(self) -> int:
        """Memory held by the arrays."""
        return sum(array.nbytes for array in (*self._arrays.values(), *self._capsules))

    def add(self, key: Hashable, start_frame: int, track: BodyTrack | ArrayLike, stays: bool) -> None:
        """Reserve a track, one body a frame from start_frame on; the last one for good if it stays. Raises
        PlanError for a key that is already there, and for a track that makes no sense."""
        if key in self._tracks:
            raise PlanError(f"{key!r} has a reservation already; remove it first")
        given = as_track(track)
        self._enter(key, start_frame, given.places, self._numbered(given), stays)

    def _enter(self, key: Hashable, start_frame: int, places: Array, rows: NDArray[np.int32], stays: bool) -> None:
        frames = slice(self._frames, self._frames + len(places))
        for name in ("places", "rows"):
            self._grow(name, frames.stop)
        for name in ("begins", "firsts", "lengths", "speeds", "stays", "alive"):
            self._grow(name, self._count + 1)
        arrays, track = self._arrays, self._count
        arrays["places"][frames], arrays["rows"][frames] = places, rows
        arrays["begins"][track], arrays["firsts"][track] = frames.start, start_frame
        arrays["lengths"][track] = len(places)
        arrays["speeds"][track] = body_speed(places, rows, arrays["supports"])
        arrays["stays"][track], arrays["alive"][track] = stays, True
        self._view = None
        used = enter_track(self.tracks, track, self._entries, True)
        self._grow("owners", used)
        self._grow("nexts", used)
        self._view = None
        self._entries = enter_track(self.tracks, track, self._entries, False)
        self._frames = frames.stop
        self._count += 1
        self._keys.append(key)
        self._tracks[key] = track

    def _numbered(self, given: BodyTrack) -> NDArray[np.int32]:
        """The rows (F,) of a track's bodies among ours; sheets that are new are taken over."""
        begins = []
        for sheet in given.sheets:
            if sheet.key not in self._sheets:
                rows = slice(self._rows, self._rows + len(sheet.capsules))
                self._grow("supports", rows.stop)
                self._arrays["supports"][rows] = sheet.figures.supports
                if sheet.known:
                    self._take_capsules(sheet, rows)
                self._sheets[sheet.key] = sheet, rows.start
                self._rows = rows.stop
            begins.append(self._sheets[sheet.key][1])
        return given.numbered(begins)

    def _take_capsules(self, sheet: Sheet, rows: slice) -> None:
        """Take over the capsules of a sheet for some rows."""
        capsules = sheet.capsules.reshape(-1, 7)
        stop = self._ends + len(capsules)
        ends, spans, middles = self._capsules
        self._capsules = BodyCapsules(_grown(ends, stop), _grown(spans, rows.stop), _grown(middles, rows.stop))
        self._capsules.ends[self._ends : stop] = capsules
        self._capsules.spans[rows] = spans_of(sheet, self._ends)
        self._capsules.middles[rows] = sheet.figures.circles[:, :2]
        self._ends, self._view = stop, None

    def remove(self, key: Hashable) -> None:
        """Give back what was reserved. Raises PlanError if nothing was."""
        if key not in self._tracks:
            raise PlanError(f"{key!r} has no reservation")
        self._arrays["alive"][self._tracks.pop(key)] = False
        # Dead entries are stepped over; when they are most of it, the lists are made anew.
        if self._count > 8 and len(self._tracks) * 2 < self._count:
            self._rebuild()

    def conflicts(self, start_frame: int, track: BodyTrack | ReadTrack | ArrayLike, stays: bool) -> list[Hashable]:
        """Keys of the reserved tracks that another would come too near to."""
        given = track if isinstance(track, ReadTrack) else read_track(as_track(track))
        places, rows, supports, capsules, around = given
        found = np.zeros(max(self._count, 1), dtype=bool)
        others_along(places, rows, supports, capsules, around, start_frame, self.tracks, found)
        if stays:
            row, first = int(rows[-1]), start_frame + len(rows) - 1
            last = max(self._shape[0] * CHUNK - 1, first)
            place = tuple(places[-1, :4].tolist())
            supported = supports[max(row, 0)], row >= 0
            others_at(place, *supported, row, capsules, first, last, self.tracks, found, False)
        return [self._keys[track] for track in np.flatnonzero(found)]

    def resting(self) -> tuple[list[Hashable], Array]:
        """Who stays for good in the end, and discs (N, 3) that they certainly fill there."""
        keys = [key for key, track in self._tracks.items() if self._arrays["stays"][track]]
        tracks = np.array([self._tracks[key] for key in keys], dtype=np.int64)
        last = self._arrays["begins"][tracks] + self._arrays["lengths"][tracks] - 1
        discs, rows = self._arrays["places"][last, :3], self._arrays["rows"][last]
        outlined = rows >= 0
        discs[outlined, 2] = self._arrays["supports"][rows[outlined]].max(axis=1).min(axis=1)
        return keys, discs

    @property
    def tracks(self) -> Tracks:
        """The arrays, for kernels; valid until the next change."""
        if self._view is None:
            self._view = Tracks(*self._grid, **self._arrays, capsules=self._capsules)
        return self._view

    def _grow(self, name: str, needed: int) -> None:
        """Room for `needed` rows, by doubling."""
        old = self._arrays[name]
        if needed > len(old):
            self._arrays[name], self._view = _grown(old, needed), None

    def _rebuild(self) -> None:
        """The lists anew, without those who are gone; outlines and capsules stay where they are."""
        old, kept = self._arrays, [(key, self._tracks[key]) for key in self._tracks]
        self._arrays, self._view = _empty(self._shape) | {"supports": old["supports"]}, None
        self._keys, self._tracks = [], {}
        self._count = self._entries = self._frames = 0
        for key, track in kept:
            frames = slice(old["begins"][track], old["begins"][track] + old["lengths"][track])
            stays = bool(old["stays"][track])
            self._enter(key, int(old["firsts"][track]), old["places"][frames], old["rows"][frames], stays)


def _grown(old: NDArray, needed: int) -> NDArray:
    """The array with at least `needed` rows, by doubling; new ones are 0."""
    if needed <= len(old):
        return old
    new = np.zeros((max(needed, 2 * len(old)), *old.shape[1:]), dtype=old.dtype)
    new[: len(old)] = old
    return new


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
        "places": np.empty((1024, 5)),
        "rows": np.empty(1024, dtype=np.int32),
        "supports": np.empty((256, 2, DIRECTIONS), dtype=np.float32),
    }
