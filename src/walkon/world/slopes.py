"""Where the ground is too steep to walk, and how much more room a body needs where it is not level."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.world.scene import HeightField

STANCE = 0.6
"""[m] How far from the middle of its circle a body feels the ground: half a long stride. With less, a foot on a
slope would be missed; with more, people would keep off slopes that they do not touch."""

FADE = 0.1
"""[m/m] How fast the room for slopes fades beside them. Distances that planners read change by that much faster
than one goes; with more they could skip a frame in which somebody is too near, with less the room spreads
further."""

SLOPES, FELT = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4), (0.0, 0.05, 0.082, 0.127, 0.199, 0.263)
"""How the room that a body needs grows with slopes: on one of 0.2 it is as if the room of a gentle slope grew on
in proportion up to 0.127. Measured on clips of seven built-in people, who need 0.027, 0.045, 0.069, 0.109 and
0.144 m on these slopes. With less, bodies may touch; with more, people keep further apart."""


@dataclass(frozen=True)
class Footing:
    """What the bodies of a scene can do on slopes; the defaults are those of an adult who walks.

    steepest: the rise over run that all of them can walk. sway: [m] by how much a body as performed may leave the
    outline that it has on level ground, for each unit of slope where that is gentle: knees bend, and heels swing
    out.
    """

    steepest: float = 0.4
    sway: float = 0.56

    def room(self, slope: ArrayLike) -> Array:
        """How much room [m] bodies may need besides their outlines on slopes (...)."""
        return self.sway * np.interp(np.asarray(slope, dtype=np.float64), SLOPES, FELT)


ADULT = Footing()
"""What is taken for granted where nobody says who is there."""


@dataclass(frozen=True, eq=False)
class Slopes:
    """A terrain on the vertices of a clearance grid.

    steep (Nz, Nx): signed distance [m] to ground that is too steep, at least; inf if there is
    none. room (Nz, Nx): [m] that bodies may need there besides their outlines.
    """

    steep: Array
    room: Array

    def lower(self, values: Array, rows: slice = slice(None), columns: slice = slice(None)) -> None:
        """Take what slopes close or need from clearances [m] at some rows and columns of the grid, in place."""
        np.minimum(values, self.steep[rows, columns], out=values)
        values -= self.room[rows, columns]


def measure_slopes(terrain: HeightField, footing: Footing, x: Array, z: Array) -> Slopes | None:
    """The slopes of a terrain on a grid with vertices at x (Nx,) and z (Nz,) [m]; None if it is level."""
    from scipy.ndimage import distance_transform_edt, maximum_filter

    from walkon.world.kernels import fade_out

    slopes = cell_slopes(terrain)
    if not slopes.any():
        return None
    cell = float(x[1] - x[0])
    around = _most_around(terrain, slopes, x, z, cell)
    closed = around > footing.steepest
    steep = np.full(around.shape, np.inf)
    if closed.any():
        # Every point of a steep cell has a closed vertex within half a diagonal.
        outside, inside = (np.asarray(distance_transform_edt(part)) for part in (~closed, closed))
        inside = np.minimum(inside, max(around.shape))  # where all is closed, there is nothing to measure to
        steep = cell * (outside - inside - np.sqrt(0.5))
    room = footing.room(np.minimum(around, footing.steepest))
    room = maximum_filter(room, 2 * int(np.ceil(STANCE / cell)) + 1, mode="nearest")
    fade_out(room, FADE * cell)
    for grid in (steep, room):
        grid.flags.writeable = False
    return Slopes(steep, room)


def cell_slopes(terrain: HeightField) -> Array:
    """The greatest slope (Nz - 1, Nx - 1), rise over run, within each cell of a terrain."""
    along_x, along_z = (np.abs(np.diff(terrain.heights, axis=axis)) / terrain.cell for axis in (1, 0))
    return np.hypot(np.maximum(along_x[:-1], along_x[1:]), np.maximum(along_z[:, :-1], along_z[:, 1:]))


def _most_around(terrain: HeightField, slopes: Array, x: Array, z: Array, reach: float) -> Array:
    """The greatest slope (Nz, Nx) within `reach` [m] to either side of each vertex, along x and along z; beyond
    its edge a terrain is level."""
    found = np.pad(slopes, 1)
    for axis, (places, origin) in enumerate(((z, terrain.origin_z), (x, terrain.origin_x))):
        first, last = (
            np.floor((places + side * reach - origin) / terrain.cell).astype(np.int64) + 1 for side in (-1.0, 1.0)
        )
        limit = found.shape[axis] - 1
        rows = [np.clip(np.minimum(first + k, last), 0, limit) for k in range(int((last - first).max()) + 1)]
        most = np.take(found, rows[0], axis=axis)
        for row in rows[1:]:
            np.maximum(most, np.take(found, row, axis=axis), out=most)
        found = most
    return found
