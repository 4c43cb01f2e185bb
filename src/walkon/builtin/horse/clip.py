"""A horse gallops: straight on or round a bend, from one flight to another."""

from __future__ import annotations

from functools import cache

import numpy as np

from walkon.basics import Array
from walkon.builtin.horse.gallop import STEADY, Gallop, GallopManner, steady_gallop
from walkon.builtin.horse.stride import GALLOP_PERIOD
from walkon.builtin.skeletons import HORSE_HEIGHT, horse_skeleton, withers_height
from walkon.builtin.timing import checked, cycle_times
from walkon.motion import Clip, Label
from walkon.skeleton import Skeleton

LOWEST, HIGHEST = 1.2, 1.9
"""Heights at the withers [m] of horses, from pony to draught horse."""

SHARPEST = 9.0
"""Degrees a stride may turn: a horse that leans further slips."""


def make_horse(skeleton: Skeleton | None = None, *, turn: float = 0.0, cycles: int = 4, fps: float = 30.0) -> Clip:
    """A horse gallops along +z for `cycles` strides, turning by `turn` degrees to the left on the way.

    The clip begins and ends in the middle of a flight; when it goes straight on, it loops without a seam.
    """
    skeleton = skeleton or _default_skeleton()
    checked("a horse's height", withers_height(skeleton), HORSE_HEIGHT, (LOWEST, HIGHEST), "m")
    period, times = cycle_times(GALLOP_PERIOD, cycles, fps)
    most = SHARPEST * cycles
    turn = np.radians(checked("a horse's turn", turn, 0.0, (-most, most), "degrees"))
    return gallop_clip(steady_gallop(skeleton), "horse", turn, cycles, times * GALLOP_PERIOD / period, fps)


def gallop_clip(
    gallop: Gallop, name: str, turn: float, strides: int, times: Array, fps: float, manner: GallopManner = STEADY
) -> Clip:
    """Some `strides` that turn by `turn` [rad] to the left in all, at times (F,) [s] from where they begin."""
    poser, contacts = gallop.pose(gallop.way(turn, strides), times, manner)
    return poser.clip(name, fps, contacts, [Label("gallop", 0, len(times))])


@cache
def _default_skeleton() -> Skeleton:
    """One object for every call, for which the gallop is solved only once."""
    return horse_skeleton()
