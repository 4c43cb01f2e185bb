"""What a backward search reads and remembers, kept where kernels find it.

A search takes microseconds, and so does handing over its arrays: numba looks at every one of them in every call.
They are handed over once instead, and stay on the compiled side; a call then takes one reference and some numbers.
Such a reference keeps its arrays alive and does not copy them: they may be maps of files.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, cast

import numpy as np
from numba import types
from numba.core import cgutils
from numba.experimental import structref
from numba.extending import intrinsic
from numpy.typing import NDArray

from walkon.kernels import kernel
from walkon.planning.ground import Ground, Shapes
from walkon.planning.kernels_tracks import Tracks
from walkon.planning.moves import Moves

CHECKED, EXACT, MAPPED, LOOKED = range(4)
"""Counters: clips checked, clips checked exactly, cells mapped, nodes at the goal looked at."""


class Nodes(NamedTuple):
    """The arrays of a Forest that a search reads."""

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
    points: NDArray[np.float64]
    cores: NDArray[np.float64]


class Layout(NamedTuple):
    """The grids of a Forest, by its names. far [m]: the largest point's radius."""

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


class Clips(NamedTuple):
    """The arrays of Moves that a search among what stands still reads."""

    special: NDArray[np.int64]
    exit: NDArray[np.int64]
    rests: NDArray[np.bool_]
    rest_circles: NDArray[np.float64]
    frame_starts: NDArray[np.int64]
    circles: NDArray[np.float64]
    bounds: NDArray[np.float64]
    speeds: NDArray[np.float64]


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


class Stance(NamedTuple):
    """Where and when the root is in the world, and how to look.

    number: of the search. x, z, heading, sine, cosine, frame, pose: of the root. horizon: last frame. exact: what
    the grid leaves open is checked exactly; otherwise it counts as blocked. crowded: whether there are people.
    kinds: bits of the special behaviors for which there is anything to act on.
    """

    number: int
    x: float
    z: float
    heading: float
    sine: float
    cosine: float
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
    """Everything of a Lookup: nodes, layout, clips, scratch. And where it has been put: stance; grid (origin, cell
    and margin) and clearance of the ground, as `hits_ground` reads them."""


structref.define_proxy(Bundle, BundleType, ["nodes", "layout", "clips", "scratch", "stance", "grid", "clearance"])


@structref.register
class OthersType(types.StructRef):
    """Numba's type of Others."""


class Others(structref.StructRefProxy):
    """What moves or can be passed, and other people: moves, ground, solids, people."""


structref.define_proxy(Others, OthersType, ["moves", "ground", "solids", "people"])


@kernel
def bundle_up(nodes: Nodes, layout: Layout, clips: Clips, scratch: Scratch):
    """A Bundle that has not been put anywhere."""
    stance = Stance(0, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, False, False, 0)
    return Bundle(nodes, layout, clips, scratch, stance, (0.0, 0.0, 0.0, 0.0), np.zeros((2, 2)))


@kernel
def gather(moves: Moves, ground: Ground, solids: Shapes, people: Tracks):
    """These as Others."""
    return Others(moves, ground, solids, people)


@kernel
def settle(
    bundle, x, z, heading, frame, pose, horizon, exact, crowded, kinds, ground_x, ground_z, cell, margin, clearance
):
    """Put a bundle to a place in the world: what it has remembered counts no longer."""
    number = bundle.stance.number + 1
    bundle.stance = Stance(
        number, x, z, heading, math.sin(heading), math.cos(heading), frame, pose, horizon, exact, crowded, kinds
    )
    bundle.grid = (ground_x, ground_z, cell, margin)
    bundle.clearance = clearance
    bundle.scratch.counters[:] = 0


def _borrow(_, held):
    def generate(context, builder, signature, given):
        return _without_owner(context, builder, signature.args[0], given[0])

    return held(held), generate


def _without_owner(context, builder, kind, value):
    """The same value with no hint to what counts the holders of its arrays."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value=value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        for index, part in enumerate(cast("Any", kind)):
            bare = _without_owner(context, builder, part, builder.extract_value(value, index))
            value = builder.insert_value(value, bare, index)
    return value


borrowed: Any = intrinsic(_borrow)
"""In kernels: an array, or a tuple with arrays, that does not keep its memory alive; somebody else must, for now.

Elsewhere it is counted who holds an array, by two atomic operations each time it is taken out of a tuple or handed
on. In a backward search that took longer than the search itself."""
