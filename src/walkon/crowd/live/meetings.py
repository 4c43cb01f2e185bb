"""Who meets whom in a live crowd, seen from outside: a spot check of what the engine promises."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from walkon.basics import Array, Indices
from walkon.crowd.live.views import State
from walkon.motion.features.outlines import COMPASS, DIRECTIONS

TOUCHING = 1e-3
"""[m] Outlines that overlap by less than this only touch: rounding."""


class SeenCrowd(Protocol):
    """People of whom one can see where they are, and what they cover of the ground."""

    def state(self) -> State: ...
    def outlines(self, who: Indices) -> Array: ...


class Meetings:
    """Pairs of people whose outlines on the ground overlap, below the hip or above it, whenever somebody looks.

    It shares nothing with the engine but what people play and where. The audit of a take sees every frame.
    """

    def __init__(self) -> None:
        self.total = 0
        self._now: set[tuple[int, int]] = set()

    def look(self, live: SeenCrowd) -> int:
        """How many pairs have met so far; a pair counts once for as long as it overlaps."""
        state = live.state()
        first, second = _near(state.circles[state.there]).T
        who = state.who[state.there]
        people, places = np.unique(np.concatenate([first, second]), return_inverse=True)
        now: set[tuple[int, int]] = set()
        if len(people):
            reaches = _reaches(live.outlines(who[people]))
            one, other = (
                reaches[places[: len(first)]],
                np.roll(reaches, DIRECTIONS // 2, axis=2)[places[len(first) :]],
            )
            # In a direction: what is between the farthest of the one and the nearest of the other.
            met = (-(one + other)).max(axis=2).min(axis=1) < -TOUCHING
            now = set(zip(who[first[met]].tolist(), who[second[met]].tolist(), strict=True))
        self.total += len(now - self._now)
        self._now = now
        return self.total


def _near(circles: Array) -> Indices:
    """Pairs (K, 2) of circles (N, 3) that overlap: nobody else can meet."""
    from scipy.spatial import cKDTree  # pyright: ignore[reportAttributeAccessIssue]

    if len(circles) < 2:
        return np.empty((0, 2), dtype=np.int64)
    pairs = cKDTree(circles[:, :2]).query_pairs(2.0 * float(circles[:, 2].max()), output_type="ndarray")
    apart = np.hypot(*(circles[pairs[:, 0], :2] - circles[pairs[:, 1], :2]).T)
    return pairs[apart < circles[pairs, 2].sum(axis=1)]


def _reaches(corners: Array) -> Array:
    """How far [m] polygons (N, 2, K, 2) reach from the origin in all directions (N, 2, DIRECTIONS); -inf: none."""
    found = (corners @ COMPASS.T).max(axis=2)
    return np.where(np.isnan(found), -np.inf, found)
