"""Where the people of a live crowd are while it plays, ten times a second, and what is measured on that: without
making poses, which takes longer than to play. For `walkon bench flow` and `rimea`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from walkon.crowd.live import Live
    from walkon.metrics.trajectories import Trajectories

Array = NDArray[np.float64]
Area = tuple[float, float, float, float]
"""x and z of the least corner, x and z of the greatest [m]."""

READ = 3
"""Frames between two looks. Ten looks a second: somebody moves 0.14 m in between."""

DRAWN = 1.0
"""[s] Speeds are measured over: the length of two steps, within which everybody sways."""


class Watch:
    """Somebody who looks at a live crowd every READ frames, and remembers who was where."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._seen: dict[int, list[Array]] = {}
        self._first: dict[int, int] = {}
        self._names: dict[int, str] = {}
        self._looks = 0

    def look(self) -> tuple[list[int], Array]:
        """Everybody's number (N,) and place (N, 2) x, z [m] now."""
        state = self._live.state()
        who, places = state.who.tolist(), state.circles[:, :2]
        for number, place, there in zip(who, places, state.there, strict=True):
            if there:
                if number not in self._seen:
                    self._first[number], self._seen[number] = self._looks, []
                    self._names[number] = self._live.people[number].name
                self._seen[number].append(place.copy())
        self._looks += 1
        return who, places

    def paths(self) -> Trajectories:
        """Where everybody was, from look to look."""
        from walkon.metrics.trajectories import Trajectories

        who = sorted(self._seen)
        return Trajectories.build(
            self._live.fps / READ,
            [np.array(self._seen[number]) for number in who],
            names=[self._names[number] for number in who],
            starts=[self._first[number] for number in who],
        )


def looks_within(paths: Trajectories, area: Area, axis: int | None, since: float) -> tuple[Array, Array]:
    """Times [s] and speeds [m/s] (M,) of all looks at anybody in an area from a time on.

    axis: speeds along x (0) or z (1) towards where each of them gets in the end, or over the ground.
    """
    rows, times, speeds = round(DRAWN * paths.fps), [np.empty(0)], [np.empty(0)]
    for person in range(len(paths)):
        path = paths.path(person)
        if len(path) <= rows:
            continue
        moved = (path[rows:] - path[:-rows]) / DRAWN
        here, when = (part[rows // 2 : rows // 2 + len(moved)] for part in (path, paths.times(person)))
        inside = (here >= area[:2]).all(axis=1) & (here <= area[2:]).all(axis=1) & (when >= since)
        speed = np.hypot(*moved.T) if axis is None else np.sign(path[-1] - path[0])[axis] * moved[:, axis]
        times.append(when[inside])
        speeds.append(speed[inside])
    return np.concatenate(times), np.concatenate(speeds)


def measure_within(
    paths: Trajectories, area: Area, *, axis: int | None = None, since: float = 0.0
) -> tuple[float, float]:
    """Density [1/m²] in an area, and the mean speed [m/s] of those in it; over people and time."""
    times, speeds = looks_within(paths, area, axis, since)
    # Half of DRAWN is missing at the end of all paths, and at their beginning.
    looks = max((_end(paths) - 0.5 * DRAWN - max(since, 0.5 * DRAWN)) * paths.fps, 1.0)
    size = (area[2] - area[0]) * (area[3] - area[1])
    return len(times) / looks / size, (float(speeds.mean()) if len(speeds) else float("nan"))


def flow_across(paths: Trajectories, line: Sequence[tuple[float, float]], *, since: float = 0.0) -> float:
    """People a second [1/s] across a line between two points, from a time on."""
    from walkon.metrics.quality.density import find_crossings

    times = find_crossings(paths, line).times
    return float((times >= since).sum()) / max(_end(paths) - since, 1e-9)


def _end(paths: Trajectories) -> float:
    return (paths.first + paths.frames) / paths.fps
