"""What all builders of trees share: random numbers, and the cells of the region that a clip's path crosses."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.kernels import inlined
from walkon.rotations.kernels_ground import laid

MIX = np.uint64(0x9E3779B97F4A7C15)
"""What splitmix adds to its state for every number: 2⁶⁴ divided by the golden ratio."""


class ClipPaths(NamedTuple):
    """What builders read about clips: clip_starts (B + 1,), exits (B,), displacements (C, 3), behavior_of (C,) as
    Moves and Soil have them; trace_starts (C + 1,), traces (T, 2) [m]: points along each clip's path."""

    clip_starts: NDArray[np.int64]
    exits: NDArray[np.int64]
    displacements: NDArray[np.float64]
    behavior_of: NDArray[np.int64]
    trace_starts: NDArray[np.int64]
    traces: NDArray[np.float64]


class Plot(NamedTuple):
    """A region as kernels read it: its corner and cell [m], mask (Nz, Nx), and area (n,): its cells."""

    origin_x: float
    origin_z: float
    cell: float
    mask: NDArray[np.bool_]
    area: NDArray[np.int64]


@inlined
def _next(state):
    """A random number of 64 bits (splitmix)."""
    state[0] += MIX
    mixed = state[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@inlined
def below(state, count):
    """A random whole number below `count`; state: (1,), which moves on."""
    return np.int64((_next(state) >> np.uint64(11)) % np.uint64(count))


@inlined
def uniform(state):
    """A random number from 0 to 1; state: (1,), which moves on."""
    return (_next(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@inlined
def drawn_clip(state, behavior, clip_starts):
    """One of the clips of a behavior, at random."""
    return clip_starts[behavior] + below(state, clip_starts[behavior + 1] - clip_starts[behavior])


@inlined
def trace_cells(stand, clip, paths, plot, found):
    """Write the cells that a clip crosses, begun at a stand, into `found`, each once; how many, or -1 if it leaves
    the region."""
    rows, columns = plot.mask.shape
    count = 0
    for point in range(paths.trace_starts[clip], paths.trace_starts[clip + 1]):
        x, z = laid(stand, paths.traces[point, 0], paths.traces[point, 1])
        column = math.floor((x - plot.origin_x) / plot.cell)
        row = math.floor((z - plot.origin_z) / plot.cell)
        if not (0 <= row < rows and 0 <= column < columns) or not plot.mask[row, column]:
            return -1
        index = row * columns + column
        known = False
        for other in range(count - 1, -1, -1):
            if found[other] == index:
                known = True
                break
        if not known:
            found[count] = index
            count += 1
    return count
