"""What a search remembers, and the rules it follows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

NODES, SEEN = 4096, 4096
"""Most nodes of a search, and places it remembers."""

NODE = np.dtype(
    [
        ("place", np.float64, (3,)),
        ("frame", np.int64),
        ("pose", np.int64),
        ("parent", np.int64),
        ("clip", np.int64),
        ("depth", np.int64),
        ("anchor", np.int64),  # the node that would be committed, or -1
        ("checked", np.bool_),
        ("stops", np.int64, (3,)),  # clips of the stop at an anchor
        ("stop_count", np.int64),
        ("deep", np.float64),  # how far [m] inside what stands still one may be from here on
        ("cost", np.float64),  # so far
        ("known", np.float64),  # of the root: how far around it [m] all people were looked up
        ("way", np.float64),  # still to go, along the route alone
        ("left", np.float64),  # all that is still to be done
        ("total", np.float64),
    ],
    align=True,
)


class Memory(NamedTuple):
    """What one search needs; one per thread. nodes: of NODE. keys, items: the heap. near: rows of people around.
    seen, stamps: places already looked at, and in which search; stamp: (1,) the number of this one."""

    nodes: NDArray[Any]
    keys: NDArray[np.float64]
    items: NDArray[np.int64]
    near: NDArray[np.int64]
    seen: NDArray[np.int64]
    stamps: NDArray[np.int64]
    stamp: NDArray[np.int64]


class Rules(NamedTuple):
    """How to look ahead. horizon: frames. gap [m] to others. fps. weight: of what is still to go. turning: cost
    of a radian off the aim. moving, standing: cost of meeting somebody who goes on, or stands. yielding: cost of
    a metre inside a way that is asked for. deepest: clips in a way. room: frames a way may take. patience [s]:
    after which others are asked to make way. progress [m]: what a move must be worth to be made although nothing
    good follows."""

    horizon: int
    gap: float
    fps: float
    weight: float
    turning: float
    moving: float
    standing: float
    yielding: float
    deepest: int
    room: int
    patience: float
    progress: float
    stopping: float
    effort: float
    again: int
    outlook: float
    calm: float
    unrest: float


def make_memory(near: int = 768) -> Memory:
    """Memory for searches among at most so many people."""
    return Memory(
        np.zeros(NODES, dtype=NODE),
        np.zeros(NODES + 1),
        np.zeros(NODES + 1, dtype=np.int64),
        np.zeros(near, dtype=np.int64),
        np.zeros(SEEN, dtype=np.int64),
        np.zeros(SEEN, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )
