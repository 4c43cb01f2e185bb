"""Who meets whom in a live crowd, seen from outside: a spot check of what the engine promises."""

from __future__ import annotations

import numpy as np

from walkon.crowd.live.views import State

TOUCHING = 1e-3
"""[m] Circles that overlap by less than this only touch: rounding."""


class Meetings:
    """Pairs of people whose circles on the ground overlap, whenever somebody looks.

    It shares nothing with the engine but where people are. The audit of a take sees every frame.
    """

    def __init__(self) -> None:
        self.total = 0
        self._now: set[tuple[int, int]] = set()

    def look(self, state: State) -> int:
        """How many pairs have met so far; a pair counts once for as long as it overlaps."""
        from scipy.spatial import cKDTree  # pyright: ignore[reportAttributeAccessIssue]

        now: set[tuple[int, int]] = set()
        who, circles = state.who[state.there], state.circles[state.there]
        if len(who) > 1:
            tree = cKDTree(circles[:, :2])
            first, second = tree.query_pairs(2.0 * float(circles[:, 2].max()), output_type="ndarray").T
            apart = np.hypot(*(circles[first, :2] - circles[second, :2]).T)
            met = apart < circles[first, 2] + circles[second, 2] - TOUCHING
            now = set(zip(who[first[met]].tolist(), who[second[met]].tolist(), strict=True))
        self.total += len(now - self._now)
        self._now = now
        return self.total
