"""How much room a body needs around the points at which its clips are watched, and how much it surely takes there.

Both follow from how bodies are seen. A forest holds only the points, so that it serves every level.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from walkon.basics import Array
from walkon.planning.moves import Moves
from walkon.trees._kernels_watching import watch_circles, watch_outlines
from walkon.trees.forest import Forest


class WatchedRoom(NamedTuple):
    """Of the K points of a forest. radii: (K,) [m] every frame of a clip is held by the circle around one of its
    points. cores: (K,) [m] in some frame of the clip a circle of this radius around the point is inside of what is
    seen of the body, both below and above the split; 0 if none is."""

    radii: Array
    cores: Array


def watched_room(forest: Forest, moves: Moves) -> WatchedRoom:
    """The room around the points of a forest for bodies as these moves see them."""
    points, starts = np.array(forest.points), np.array(forest.point_starts)
    room = WatchedRoom(np.zeros(len(points)), np.zeros(len(points)))
    if moves.outlined:
        watch_outlines(points, starts, moves.circles, moves.supports, moves.frame_starts, *room)
    else:
        watch_circles(points, starts, moves.circles, moves.frame_starts, *room)
    return room
