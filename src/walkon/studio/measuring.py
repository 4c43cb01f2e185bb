"""Figures about the studio itself: how long an edit takes to show, how much goes over the wire."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
from numpy.typing import NDArray

MEASUREMENTS = 1000
"""The latest latencies that percentiles are taken over. More would let an old slow moment count for longer."""

FORGOTTEN = 2.0
"""[s] An edit that changed nobody's way by then is not waited for any longer."""


class Latencies:
    """From the moment an edit arrived to the moment the first commit that it changed was sent [s]."""

    def __init__(self) -> None:
        self._open: list[tuple[float, frozenset[int] | None]] = []
        self._measured: deque[float] = deque(maxlen=MEASUREMENTS)

    def edited(self, received: float, who: frozenset[int] | None) -> None:
        """An edit was applied. who: whose way it changes; None: anybody's."""
        self._open.append((received, who))

    def sent(self, who: NDArray, now: float) -> None:
        """Commits of these people went out."""
        if not self._open or not len(who):
            return
        present = set(who.tolist())
        still = []
        for received, meant in self._open:
            if meant is None or meant & present:
                self._measured.append(now - received)
            elif now - received < FORGOTTEN:
                still.append((received, meant))
        self._open = still

    def forget(self) -> None:
        """Nothing that is open will be measured: time stands still."""
        self._open.clear()

    def percentiles(self) -> dict[str, float | None]:
        """[ms]."""
        return milliseconds(np.array(self._measured))


class Rate:
    """How fast a total grows that only grows, per second, over the latest `window` seconds."""

    def __init__(self, window: float = 2.0) -> None:
        self._window = window
        self._seen: deque[tuple[float, float]] = deque()

    def __call__(self, total: float, now: float) -> float:
        """The rate now."""
        if self._seen and total < self._seen[-1][1]:  # counted anew: another scene
            self._seen.clear()
        self._seen.append((now, total))
        while len(self._seen) > 2 and now - self._seen[0][0] > self._window:
            self._seen.popleft()
        (then, before), span = self._seen[0], now - self._seen[0][0]
        return (total - before) / span if span > 0.0 and now > then else 0.0


def milliseconds(seconds: NDArray) -> dict[str, float | None]:
    """Median, 95th and 99th percentile [ms]; None where nothing was measured."""
    known = seconds[np.isfinite(seconds)] if len(seconds) else seconds
    if not len(known):
        return {"p50": None, "p95": None, "p99": None}
    values: Any = np.percentile(known, (50, 95, 99)) * 1000.0
    return dict(zip(("p50", "p95", "p99"), (round(float(value), 3) for value in values), strict=True))
