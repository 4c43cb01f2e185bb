"""Density and flow: how crowded it is, where, and how many people get through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array, Indices
from walkon.errors import TrajectoryError
from walkon.metrics.plausibility.kinematics import speeds
from walkon.metrics.quality import _kernels
from walkon.metrics.trajectories import Trajectories

Area = tuple[float, float, float, float]
"""A rectangle on the ground: x and z of the least corner, x and z of the greatest [m]."""

CLAIMED_REACH = 1.0
"""Nobody claims ground that is farther away [m]: somebody alone has a density of 1/π."""

CLAIM_CORNERS = 32
"""Corners of the polygon that stands for a circle of that radius; its area is 0.6 % too small."""

PER_SECOND = 2.0
"""Moments a second at which densities are measured. People move half a metre in between."""

AREA_MARGIN = 1.0
"""Ground [m] around all paths that counts, if no area is given."""

MOST_DENSITY_CELLS = 1_000_000
"""Most cells of a map of density; a finer one is refused."""


@dataclass(frozen=True, eq=False)
class Density:
    """Of T moments and N people in an area.

    area: x0, z0, x1, z1 [m]. times: (T,) [s]. counts: (T,) people in the area. densities: (T,) [1/m²] people by
    square metre of the area. felt: (N,) [1/m²] everybody's mean, over the moments in which they are there, of one
    by the ground that is nearer to them than to anybody else, at most 1 m away; peaks: (N,) the most of it, and
    peak_times: (N,) [s] when. flow: [1/(m s)] mean over people and moments of that density times speed.
    """

    area: Area
    times: Array
    counts: Indices
    densities: Array
    felt: Array
    peaks: Array
    peak_times: Array
    flow: float


@dataclass(frozen=True, eq=False)
class LineCrossings:
    """Who crosses a line: people (C,), times (C,) [s] rising, directions (C,) 1 to its left, -1 to its right."""

    people: Indices
    times: Array
    directions: Indices

    @property
    def flow(self) -> float:
        """People a second [1/s] between the first crossing and the last; nan if there are fewer than two."""
        span = self.times[-1] - self.times[0] if len(self.times) > 1 else 0.0
        return (len(self.times) - 1) / span if span > 0.0 else np.nan


def area_around(trajectories: Trajectories) -> Area:
    """The rectangle around all paths, with a metre to spare."""
    if not len(trajectories):
        return (-AREA_MARGIN, -AREA_MARGIN, AREA_MARGIN, AREA_MARGIN)
    low, high = trajectories.places.min(axis=0) - AREA_MARGIN, trajectories.places.max(axis=0) + AREA_MARGIN
    return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def measure_density(trajectories: Trajectories, area: Area | None = None) -> Density:
    """Density over time in an area, and as everybody there feels it."""
    area = area_around(trajectories) if area is None else area
    if not (area[0] < area[2] and area[1] < area[3] and np.isfinite(area).all()):
        raise TrajectoryError(f"an area is x0, z0, x1, z1 with x0 < x1 and z0 < z1, not {area}")
    stride = max(round(trajectories.fps / PER_SECOND), 1)
    rates = speeds(trajectories)
    frames = np.arange(trajectories.first, trajectories.first + trajectories.frames, stride)
    counts = np.zeros(len(frames), dtype=np.int64)
    sums, flows = np.zeros((len(trajectories), 2)), []
    peaks, when = np.full((2, len(trajectories)), np.nan)
    for k, frame in enumerate(frames):
        who, points, rows = _inside(trajectories, int(frame), area)
        counts[k] = len(who)
        areas = np.empty(len(who))
        _kernels.voronoi_areas(points, np.array(area), CLAIMED_REACH, CLAIM_CORNERS, areas)
        felt = 1.0 / np.maximum(areas, 1e-6)
        sums[who] += np.stack([felt, np.ones(len(who))], axis=1)
        higher = ~(felt <= peaks[who])
        peaks[who[higher]], when[who[higher]] = felt[higher], frame / trajectories.fps
        flows.append(felt * rates[rows])
    flow = np.concatenate([np.empty(0), *flows])
    flow = flow[np.isfinite(flow)]
    size = (area[2] - area[0]) * (area[3] - area[1])
    felt = np.divide(sums[:, 0], sums[:, 1], out=np.full(len(sums), np.nan), where=sums[:, 1] > 0)
    mean_flow = float(flow.mean()) if len(flow) else np.nan
    return Density(area, frames / trajectories.fps, counts, counts / size, felt, peaks, when, mean_flow)


def _inside(trajectories: Trajectories, frame: int, area: Area) -> tuple[Indices, Array, Indices]:
    """Who (P,) is in the area at a frame, where (P, 2), and in which rows (P,)."""
    here = np.flatnonzero((trajectories.starts <= frame) & (frame < trajectories.stops))
    rows = trajectories.offsets[here] + frame - trajectories.starts[here]
    x, z = trajectories.places[rows].T
    inside = (area[0] <= x) & (x <= area[2]) & (area[1] <= z) & (z <= area[3])
    return here[inside], trajectories.places[rows[inside]], rows[inside]


def map_density(trajectories: Trajectories, area: Area | None = None, cell: float = 1.0) -> Array:
    """Mean density (rows along z, columns along x) [1/m²] in the square cells of an area, over all frames."""
    x0, z0, x1, z1 = area_around(trajectories) if area is None else area
    columns, rows = (max(int(np.ceil(span / cell - 1e-9)), 1) for span in (x1 - x0, z1 - z0))
    if not cell > 0.0 or columns * rows > MOST_DENSITY_CELLS:
        raise TrajectoryError(
            f"cells of {cell} m would be {columns} x {rows}; at most {MOST_DENSITY_CELLS} are drawn"
        )
    edges = [z0 + cell * np.arange(rows + 1), x0 + cell * np.arange(columns + 1)]
    seen, _, _ = np.histogram2d(trajectories.places[:, 1], trajectories.places[:, 0], bins=edges)
    return seen / (cell * cell * max(trajectories.frames, 1))


def find_crossings(trajectories: Trajectories, line: Sequence[ArrayLike]) -> LineCrossings:
    """Everybody's first crossing of the segment between two points (x, z) [m]; later ones do not count."""
    a, b = (np.asarray(end, dtype=np.float64) for end in line)
    along = b - a
    if a.shape != (2,) or b.shape != (2,) or not np.hypot(*along) > 0.0:
        raise TrajectoryError("a line is two points (x, z) apart from each other")
    found = []
    for person in range(len(trajectories)):
        path = trajectories.path(person) - a
        # Left of the line, seen from above with y up, is where this is positive.
        side = along[1] * path[:, 0] - along[0] * path[:, 1]
        crossed = np.flatnonzero((side[:-1] < 0.0) != (side[1:] < 0.0))
        for row in crossed:
            share = side[row] / (side[row] - side[row + 1])
            where = (path[row] + share * (path[row + 1] - path[row])) @ along / (along @ along)
            if 0.0 <= where <= 1.0:
                time = (trajectories.starts[person] + row + share) / trajectories.fps
                found.append((time, person, 1 if side[row] < 0.0 else -1))
                break
    found.sort()
    return LineCrossings(
        np.array([who for _, who, _ in found], dtype=np.int64),
        np.array([time for time, _, _ in found], dtype=np.float64),
        np.array([way for _, _, way in found], dtype=np.int64),
    )
