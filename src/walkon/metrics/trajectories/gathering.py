"""From rows in any order to one steady path for each person: sorted, at the rate they have, gaps bridged."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from walkon.basics import Array, Indices
from walkon.errors import TrajectoryError
from walkon.metrics.trajectories.model import FARTHEST_PLACE, HIGHEST_RATE, Trajectories

LONGEST_GAP = 1.0
"""Somebody who is not seen for longer than this [s] comes back as another person."""

SLOWEST_RATE = 1.0
"""Least rate [Hz] at which rows may come. Frame numbers that are farther apart than that are not taken for every
n-th frame of a video."""

MOST_ROWS_PER_BYTE = 4
"""Most rows that a byte of a file may unfold into. If all frames are written, a row takes ten bytes and more."""

ALLOWED_ROWS = 100_000
"""Rows that any file may unfold into, however small it is: 1.6 MB."""

LARGEST_WHOLE = 2.0**48
"""Limit of the numbers of people and frames: floats hold all whole numbers below it."""


def gather(
    ids: Array, frames: Array, places: Array, fps: float, *, size: int, names: Mapping[int, str] | None = None
) -> Trajectories:
    """Trajectories of rows: whose (R,), at which frame (R,), where (R, 2) [m].

    fps [Hz]: rate of the frame numbers. If all of them are a multiple of some step apart, as in annotations of
    every tenth frame, that is the rate. size: bytes they were read from. names: of the ids.
    """
    if not len(ids):
        raise TrajectoryError("nobody is in it")
    if not 0.0 < fps <= HIGHEST_RATE:
        raise TrajectoryError(f"a rate is positive and at most {HIGHEST_RATE:g} frames a second, not {fps}")
    who, when = _whole(ids, "numbers of people"), _whole(frames, "frame numbers")
    order = np.lexsort((when, who))
    who, when, where = who[order], when[order], places[order]
    twice = np.flatnonzero((np.diff(who) == 0) & (np.diff(when) == 0))
    if len(twice):
        raise TrajectoryError(f"person {who[twice[0]]} has two places at frame {when[twice[0]]}")
    if not (np.abs(where) <= FARTHEST_PLACE).all():
        raise TrajectoryError(f"places must be finite and within {FARTHEST_PLACE:g} m")
    step = max(int(np.gcd.reduce(when - when.min())), 1)
    step = step if fps / step >= SLOWEST_RATE else 1
    when = (when - when.min() % step) // step
    rate = fps / step
    cuts = np.flatnonzero((np.diff(who) != 0) | (np.diff(when) > max(LONGEST_GAP * rate, 1.0))) + 1
    edges = np.concatenate([[0], cuts, [len(who)]])
    check_unfolding(int((when[edges[1:] - 1] - when[edges[:-1]] + 1).sum()), size)
    paths = [fill(when[a:b], where[a:b]) for a, b in pairwise(edges.tolist())]
    return Trajectories.build(rate, paths, names=_called(who[edges[:-1]], names or {}), starts=when[edges[:-1]])


def fill(frames: Indices, places: Array) -> Array:
    """Places (F, 2) at every frame from the first to the last of rising frames (K,) with places (K, 2).

    In between they move along curves that keep to the way: no overshoot, even after a long stand.
    """
    count = int(frames[-1] - frames[0]) + 1
    if count == len(frames):
        return places
    from scipy.interpolate import PchipInterpolator

    since = (frames - frames[0]).astype(np.float64)
    with np.errstate(over="ignore"):  # who moves by 1e-310 m stands: one over that may be infinite
        return PchipInterpolator(since, places)(np.arange(count))


def check_unfolding(rows: int, size: int) -> None:
    """Refuse a file of `size` bytes that would unfold into absurdly many rows."""
    if rows > MOST_ROWS_PER_BYTE * size + ALLOWED_ROWS:
        raise TrajectoryError(f"{rows} rows from only {size} bytes: frame numbers are too far apart")


def _whole(values: Array, what: str) -> Indices:
    values = np.asarray(values, dtype=np.float64)
    if not ((np.abs(values) < LARGEST_WHOLE) & (values == np.rint(values))).all():
        raise TrajectoryError(f"{what} must be whole numbers below 2^48")
    return values.astype(np.int64)


def _called(ids: Indices, names: Mapping[int, str]) -> list[str]:
    """A name for every stretch: of its person, with a number from the second on."""
    seen: dict[int, int] = {}
    called = []
    for number in ids.tolist():
        seen[number] = seen.get(number, 0) + 1
        name = names.get(number, str(number))
        called.append(name if seen[number] == 1 else f"{name} ({seen[number]})")
    return called
