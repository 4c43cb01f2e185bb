"""Trajectories: where everybody is on the ground, frame by frame, and where they want to go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.basics import Array, Indices
from walkon.errors import TrajectoryError

FARTHEST_PLACE = 1e6
"""Places farther away [m] are damage: squared and summed they must stay exact enough."""

HIGHEST_RATE = 1000.0
"""Highest rate [Hz] at which people are followed; more is damage."""

GOAL_TOLERANCE = 0.5
"""How near [m] a goal counts as reached if nobody says."""


@dataclass(frozen=True, eq=False)
class Trajectories:
    """Paths of N people, M rows in all, person by person; `build` makes them from one array for each.

    fps [Hz]: rows a second. names: (N). starts: (N,) frame in which each appears, so that row k of person i shows
    frame starts[i] + k, at time (starts[i] + k) / fps. offsets: (N + 1,) person i has the rows offsets[i] to
    offsets[i + 1]. places: (M, 2) x, z [m].
    goals: (N, 2) where each wants to go, nan if nobody knows. tolerances: (N,) [m] how near is there.
    ways: (N,) [m] how far it is from the start by the way-points to the goal; nan for the straight line.
    radii: (N,) [m] of the circle each is taken for; nan if nobody knows.
    """

    fps: float
    names: tuple[str, ...]
    starts: Indices
    offsets: Indices
    places: Array
    goals: Array
    tolerances: Array
    ways: Array
    radii: Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        for name, dtype in (("starts", np.int64), ("offsets", np.int64)):
            object.__setattr__(self, name, _frozen(getattr(self, name), dtype))
        for name in ("places", "goals", "tolerances", "ways", "radii"):
            object.__setattr__(self, name, _frozen(getattr(self, name), np.float64))
        self._check_shapes()
        self._check_values()

    def _check_shapes(self) -> None:
        people, rows = len(self.names), len(self.places)
        shapes = {
            "starts": (people,), "offsets": (people + 1,), "places": (rows, 2), "goals": (people, 2),
            "tolerances": (people,), "ways": (people,), "radii": (people,),
        }  # fmt: skip
        for name, shape in shapes.items():
            if getattr(self, name).shape != shape:
                raise TrajectoryError(f"trajectories: {name} is {getattr(self, name).shape}, expected {shape}")

    def _check_values(self) -> None:
        if not 0.0 < self.fps <= HIGHEST_RATE:
            raise TrajectoryError(
                f"a rate is positive and at most {HIGHEST_RATE:g} frames a second, not {self.fps}"
            )
        if self.offsets[0] != 0 or self.offsets[-1] != len(self.places) or (np.diff(self.offsets) < 1).any():
            raise TrajectoryError("everybody in trajectories has at least one row, one after another")
        if len(self.starts) and np.abs(self.starts).max() > 2**48:
            raise TrajectoryError("frame numbers of trajectories are below 2^48")
        bad = np.flatnonzero(~(np.abs(self.places) <= FARTHEST_PLACE).all(axis=1))
        if len(bad):
            who = int(np.searchsorted(self.offsets, bad[0], side="right")) - 1
            frame = int(self.starts[who] + bad[0] - self.offsets[who])
            raise TrajectoryError(
                f"{self.names[who]!r} is at {self.places[bad[0]].tolist()} at frame {frame}: "
                f"places are finite and within {FARTHEST_PLACE:g} m"
            )

    @classmethod
    def build(
        cls,
        fps: float,
        paths: Sequence[ArrayLike],
        *,
        names: Iterable[str] | None = None,
        starts: ArrayLike | None = None,
        goals: ArrayLike | None = None,
        tolerances: ArrayLike | None = None,
        ways: ArrayLike | None = None,
        radii: ArrayLike | None = None,
    ) -> Trajectories:
        """From one path (F, 2) [m] for each person; whatever is not given is unknown, starts are frame 0."""
        tracks = [np.asarray(path, dtype=np.float64).reshape(-1, 2) for path in paths]
        people = len(tracks)
        unknown = np.full(people, np.nan)
        lengths = np.array([len(track) for track in tracks], dtype=np.int64)
        return cls(
            fps=float(fps),
            names=tuple(str(i) for i in range(people)) if names is None else tuple(names),
            starts=np.zeros(people, dtype=np.int64) if starts is None else np.asarray(starts),
            offsets=np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)]),
            places=np.concatenate([np.empty((0, 2)), *tracks]),
            goals=np.full((people, 2), np.nan) if goals is None else np.asarray(goals, float).reshape(-1, 2),
            tolerances=np.full(people, GOAL_TOLERANCE) if tolerances is None else np.asarray(tolerances),
            ways=unknown if ways is None else np.asarray(ways),
            radii=unknown if radii is None else np.asarray(radii),
        )

    def __len__(self) -> int:
        """Number of people N."""
        return len(self.names)

    def __repr__(self) -> str:
        return f"Trajectories({len(self)} people, {self.seconds:.1f} s at {self.fps:g} Hz)"

    @property
    def counts(self) -> Indices:
        """Number (N,) of everybody's rows."""
        return np.diff(self.offsets)

    @property
    def stops(self) -> Indices:
        """The frame (N,) after everybody's last."""
        return self.starts + self.counts

    @property
    def first(self) -> int:
        """The first frame in which anybody is there; 0 if nobody ever is."""
        return int(self.starts.min(initial=2**62)) if len(self) else 0

    @property
    def frames(self) -> int:
        """Number of frames from the first to the last in which anybody is there."""
        return int(self.stops.max()) - self.first if len(self) else 0

    @property
    def seconds(self) -> float:
        """Seconds [s] from the first frame to the last."""
        return max(self.frames - 1, 0) / self.fps

    def path(self, person: int) -> Array:
        """Places (F, 2) [m] of one person."""
        return self.places[self.offsets[person] : self.offsets[person + 1]]

    def times(self, person: int) -> Array:
        """Times (F,) [s] of the rows of one person."""
        return (self.starts[person] + np.arange(self.counts[person])) / self.fps

    def with_paths(self, paths: Sequence[Array], *, fps: float | None = None, starts: ArrayLike) -> Trajectories:
        """The same people with other paths."""
        return Trajectories.build(
            self.fps if fps is None else fps,
            paths,
            names=self.names,
            starts=starts,
            goals=self.goals,
            tolerances=self.tolerances,
            ways=self.ways,
            radii=self.radii,
        )

    def choose(self, people: ArrayLike) -> Trajectories:
        """Some of the people, by index or by mask, in the order given."""
        which = np.arange(len(self))[np.asarray(people)]
        return Trajectories.build(
            self.fps,
            [self.path(person) for person in which],
            names=[self.names[person] for person in which],
            starts=self.starts[which],
            goals=self.goals[which],
            tolerances=self.tolerances[which],
            ways=self.ways[which],
            radii=self.radii[which],
        )


def _frozen(values: ArrayLike, dtype: type) -> NDArray:
    array = np.array(values, dtype=dtype)
    array.flags.writeable = False
    return array
