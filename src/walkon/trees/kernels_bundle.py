"""What a backward search reads and remembers, kept where kernels find it.

Everywhere else kernels are given NamedTuples. Here these are kept in numba's structures, for one reason: to begin
and to find a way takes some forty microseconds, and handing over an array from Python takes 0.14 of one, so that
the 43 arrays of a lookup would add six to each of the two calls. They are handed over once instead, and stay on
the compiled side; a call then takes one reference and some numbers. Such a reference keeps its arrays alive and
does not copy them: they may be maps of files.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types
from numba.experimental import structref
from numpy.typing import NDArray

from walkon.kernels import kernel
from walkon.planning.ground import Ground, Shapes
from walkon.planning.kernels_tracks import Tracks
from walkon.planning.moves import Moves
from walkon.rotations.kernels_ground import Stand, standing

CHECKED, EXACT, MAPPED, LOOKED = range(4)
"""Counters: clips checked, clips checked exactly, cells mapped, nodes at the goal looked at."""


class Nodes(NamedTuple):
    """The arrays of a Forest that a search reads; radii and cores (K,) [m]: the room around its points, see
    `watching.WatchedRoom`."""

    parents: NDArray[np.int32]
    placements: NDArray[np.float32]
    costs: NDArray[np.float32]
    frames: NDArray[np.int32]
    behaviors: NDArray[np.int16]
    clips: NDArray[np.int16]
    cell_starts: NDArray[np.uint32]
    cells: NDArray[np.uint16]
    entry_starts: NDArray[np.int64]
    entries: NDArray[np.int32]
    point_starts: NDArray[np.int64]
    radii: NDArray[np.float64]
    cores: NDArray[np.float64]


class ForestGrids(NamedTuple):
    """The grids of a Forest, by its names. far [m]: the largest radius."""

    cell: float
    origin_x: float
    origin_z: float
    columns: int
    goal_cell: float
    goal_x: float
    goal_z: float
    goal_rows: int
    goal_columns: int
    far: float


class Scratch(NamedTuple):
    """What a search remembers. marks: (N,) twice the search's number, and one more if free. mapped: (cells,) the
    number of the search that mapped a cell; room: (cells,) [m] from its middle to what stands still, less the
    margin; bits: (cells,) which solids are near. chain: (depth,) nodes on the way to the root."""

    marks: NDArray[np.int64]
    mapped: NDArray[np.int64]
    room: NDArray[np.float32]
    bits: NDArray[np.uint8]
    chain: NDArray[np.int32]
    counters: NDArray[np.int64]


class Viewpoint(NamedTuple):
    """Where and when the root is in the world, and how to look.

    number: of the search. stand, heading, frame, pose: of the root. horizon: last frame. exact: what the grid
    leaves open is checked exactly; otherwise it counts as blocked. crowded: whether there are people. kinds: bits
    of the special behaviors for which there is anything to act on.
    """

    number: int
    stand: Stand
    heading: float
    frame: int
    pose: int
    horizon: int
    exact: bool
    crowded: bool
    kinds: int


@structref.register
class BundleType(types.StructRef):
    """Numba's type of a Bundle."""

    def preprocess_fields(self, fields):
        """Types of fields that may be written: not those of literals."""
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


class Bundle(structref.StructRefProxy):
    """Everything of a Lookup: nodes, grids, moves, scratch, the ground. And where it has been put: viewpoint."""


structref.define_proxy(Bundle, BundleType, ["nodes", "grids", "moves", "scratch", "viewpoint", "ground"])


@structref.register
class OthersType(types.StructRef):
    """Numba's type of Others."""


class Others(structref.StructRefProxy):
    """What moves or can be passed, and other people: ground, solids, people."""


structref.define_proxy(Others, OthersType, ["ground", "solids", "people"])


@kernel
def bundle_up(nodes: Nodes, grids: ForestGrids, moves: Moves, scratch: Scratch, ground: Ground):
    """A Bundle that has not been put anywhere on the ground."""
    view = Viewpoint(0, Stand(0.0, 0.0, 0.0, 0.0), 0.0, 0, 0, 0, False, False, 0)
    return Bundle(nodes, grids, moves, scratch, view, ground)


@kernel
def surround(bundle, ground):
    """Give a bundle another ground."""
    bundle.ground = ground


@kernel
def gather(ground: Ground, solids: Shapes, people: Tracks):
    """These as Others."""
    return Others(ground, solids, people)


@kernel
def settle(bundle, place, when, how):
    """Put a bundle to a place in the world: what it has remembered counts no longer.

    place: x, z, heading and pose of the root. when: its frame, and the horizon. how: exact, crowded and kinds of a
    Viewpoint.
    """
    x, z, heading, pose = place
    frame, horizon = when
    exact, crowded, kinds = how
    number = bundle.viewpoint.number + 1
    bundle.viewpoint = Viewpoint(
        number, standing(x, z, heading), heading, frame, pose, horizon, exact, crowded, kinds
    )
    bundle.scratch.counters[:] = 0
