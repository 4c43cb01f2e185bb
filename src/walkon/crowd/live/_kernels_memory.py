"""What a search reads and remembers, and the rules it follows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.borrowing import borrowed
from walkon.crowd.live._kernels_checks import Around
from walkon.crowd.live._kernels_land import Land
from walkon.crowd.live._kernels_routes import Scouting
from walkon.crowd.live.repertoire import MoveTable
from walkon.kernels import kernel, lean

MOST_NODES, MOST_SEEN = 16384, 16384
"""Nodes of a search, and places it remembers, at most: more than anybody's budget needs."""

NODE = np.dtype(
    [
        ("place", np.float64, (3,)),
        ("frame", np.int64),
        ("pose", np.int64),
        ("parent", np.int64),
        ("clip", np.int64),
        ("depth", np.int64),
        ("anchor", np.int64),  # the node that would be committed, or -1
        ("kept", np.bool_),  # it was committed to before
        ("firm", np.bool_),  # all the way here is free of what others have committed to
        ("refined", np.bool_),  # what is left is known, not only guessed
        ("checked", np.bool_),
        ("stops", np.int64, (3,)),  # clips of the stop at an anchor
        ("stop_count", np.int64),
        ("rest", np.float64, (2,)),  # where one stands then
        ("deep", np.float64),  # how far [m] inside what stands still one may be from here on
        ("cost", np.float64),  # so far
        ("known", np.float64),  # of the root: how far around it [m] all people were looked up
        ("way", np.float64),  # still to go, along the route alone
        ("left", np.float64),  # all that is still to be done
        ("total", np.float64),
    ],
    align=True,
)


class SearchMemory(NamedTuple):
    """What one search needs; one per thread. nodes: of NODE. keys, items: the heap. near: rows of people around;
    rims: (·, 3) circles around what they have committed to; company: (·, 6) what somebody who compares steps sees
    of them. seen, stamps: places already looked at, and in which search; stamp: (1,) the number of this one."""

    nodes: NDArray[Any]
    keys: NDArray[np.float64]
    items: NDArray[np.int64]
    near: NDArray[np.int64]
    rims: NDArray[np.float64]
    company: NDArray[np.float64]
    seen: NDArray[np.int64]
    stamps: NDArray[np.int64]
    stamp: NDArray[np.int64]


@lean
def seen_before(memory, key):
    """Whether this search, or look, came upon a key before; remembers it. memory: with seen, stamps and stamp, as
    in SearchMemory. Where eight others have taken its place it is forgotten."""
    last = len(memory.seen) - 1
    slot = key & last
    for _ in range(8):
        if memory.stamps[slot] != memory.stamp[0]:
            memory.stamps[slot], memory.seen[slot] = memory.stamp[0], key
            return False
        if memory.seen[slot] == key:
            return True
        slot = (slot + 1) & last
    return False


class Setting(NamedTuple):
    """What is there beside people, for everybody: all that can be done, what is around, and the land in cells."""

    table: MoveTable
    around: Around
    land: Land


class CommonArrays(NamedTuple):
    """The arrays of a Setting, as Python hands them to kernels, beside what is around.

    Numba knows the types of a tuple of arrays by a fingerprint. What is around has a reference in it, and a tuple
    with that takes ten times as long to hand over as the tables do: so it comes by itself.
    """

    table: MoveTable
    land: Land


class Workspace(NamedTuple):
    """What one thread needs to think in: memory for searches, and for routes."""

    memory: SearchMemory
    scouting: Scouting


@kernel
def borrow(crowd, common, around, workspace):
    """A crowd, its setting and a workspace without counting who holds their arrays; whoever calls the kernel does.

    The scenery is a reference and no tuple of arrays: it is not borrowed but counted.
    """
    near = Around(borrowed(around.values), around.raster, around.solid, around.scenery)
    return borrowed(crowd), Setting(borrowed(common.table), near, borrowed(common.land)), borrowed(workspace)


class Rules(NamedTuple):
    """How to look ahead; the costs, in metres still to go, were found by trying on crowds that meet.

    gap [m] to others. effort: share of the usual number of clips that is looked at. again: frames between two
    tries. led: whether people are led through doors. horizon: frames after which a way is long enough. weight: of
    what is still to go. turning: cost of a radian off the aim. moving, standing: cost of meeting somebody who
    goes on, or stands. yielding: cost of being a metre inside a way that is asked for. deepest: clips in a way.
    room: frames a way may take. patience [s]: after which others are asked to make way. progress [m]: what a move
    must be worth to be made although nothing good follows. stopping: cost of coming to a stand on the way.
    calm [s]: for which nobody minds to wait; unrest: what each second beyond that adds to the cost of staying.
    """

    gap: float
    fps: float
    effort: float
    again: int
    led: bool = False
    horizon: int = 100
    weight: float = 1.35
    turning: float = 0.8
    moving: float = 2.0
    standing: float = 8.0
    yielding: float = 4.0
    deepest: int = 12
    room: int = 380
    patience: float = 2.5
    progress: float = 0.35
    stopping: float = 2.0
    calm: float = 3.0
    unrest: float = 3.0


def make_memory(near: int = 768) -> SearchMemory:
    """Memory for searches among at most `near` people."""
    return SearchMemory(
        np.zeros(MOST_NODES, dtype=NODE),
        np.zeros(MOST_NODES + 1),
        np.zeros(MOST_NODES + 1, dtype=np.int64),
        np.zeros(near, dtype=np.int64),
        np.zeros((near, 3)),
        np.zeros((near, 6)),
        np.zeros(MOST_SEEN, dtype=np.int64),
        np.zeros(MOST_SEEN, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )
