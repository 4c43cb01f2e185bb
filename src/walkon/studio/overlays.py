"""What can be drawn over the scene: paths, gridmaps, reserved space, search trees, density, waiting people."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from walkon.studio.live_crowd import LiveCrowd
    from walkon.world import Gridmap

MOST_PATHS = 300
"""People whose paths are shown when nobody is chosen."""

MOST_OVERLAY_CELLS = 40_000
MOST_SEGMENTS = 20_000
MOST_OUTLINES = 24
"""Outlines of somebody's reserved space that are sent: of a longer way every second or third, and the last. With
more they cannot be told apart."""

PERIODS = {"paths": 0.5, "reserved": 0.5, "density": 0.5, "waiting": 0.5, "tree": 1.0, "gridmap": 5.0}
"""[s] How often each is sent again."""


def draw_overlay(live: LiveCrowd, kind: str, who: int | None) -> dict[str, Any] | None:
    """The data of an overlay as a message; None where there is nothing to show, such as for someone who left."""
    if who is not None and who not in live.people:
        return None
    match kind:
        case "paths":
            data = _paths(live, who)
        case "gridmap":
            data = _grid(live.world.clearance)
        case "density":
            data = _grid(live.density())
        case "waiting":
            data = _waiting(live)
        case "reserved" if who is not None:
            first, outlines = live.reserved(who)
            stride = max(1, math.ceil(len(outlines) / MOST_OUTLINES))
            # Counted from the end: where somebody ends up, it stays.
            data = {"first": int(first), "outlines": _rounded(outlines[::-1][::stride][::-1])}
        case "tree" if who is not None:
            data = {"segments": _rounded(live.explored(who)[:MOST_SEGMENTS])}
        case _:
            return None
    return {"type": "overlay", "kind": kind, "who": who, "frame": int(live.frame), **data}


def _paths(live: LiveCrowd, who: int | None) -> dict[str, Any]:
    people = [who] if who is not None else list(live.people)[:MOST_PATHS]
    return {"paths": [{"who": one, "points": _rounded(live.route(one))} for one in people]}


def _grid(grid: Gridmap) -> dict[str, Any]:
    stride = max(1, math.ceil(math.sqrt(grid.values.size / MOST_OVERLAY_CELLS)))
    values = np.nan_to_num(grid.values[::stride, ::stride], nan=0.0, posinf=1e6, neginf=-1e6)
    return {
        "origin_x": float(grid.origin_x),
        "origin_z": float(grid.origin_z),
        "cell": float(grid.cell) * stride,
        "values": values.round(2).tolist(),
    }


def _waiting(live: LiveCrowd) -> dict[str, Any]:
    state = live.state()
    waiting = np.asarray(state.waiting, dtype=np.float64)
    rows = np.flatnonzero(waiting > 0.0)
    return {"people": np.asarray(state.who)[rows].tolist(), "seconds": waiting[rows].round(1).tolist()}


def _rounded(values: Any) -> list:
    return np.asarray(values, dtype=np.float64).round(3).tolist()
