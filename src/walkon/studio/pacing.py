"""When the next step is due: real time, times a factor. What was missed is let go, never caught up with."""

from __future__ import annotations

import math
from collections import deque

LATENESS = 0.1
"""[s] A little lateness is made up for; more than this is given up."""

LATE_MEMORY = 1.0
"""[s] for which having been late counts."""

SPEED_WINDOW = 2.0
"""[s] over which the speed that was reached is measured."""


class Pacer:
    """The clock of fixed steps. All times [s] are those of one steady clock."""

    def __init__(self, fps: float, now: float, *, running: bool = True) -> None:
        self.fps = fps
        self.running = running
        self.speed = 1.0
        self._next = now
        self._early = False
        self._gave_up = -math.inf
        self._steps: deque[float] = deque(maxlen=4096)

    @property
    def period(self) -> float:
        """[s] from one step to the next."""
        return 1.0 / (self.fps * self.speed)

    def resume(self, now: float, *, running: bool | None = None, speed: float | None = None) -> None:
        """Go on, or stop, from now on."""
        self.running = self.running if running is None else running
        self.speed = self.speed if speed is None else speed
        self._next, self._early = now + self.period, False
        self._steps.clear()

    def hasten(self, now: float) -> None:
        """The next step is due at once, but for one that would come before its turn already: those after it come
        when they would have, so that time passes no faster for it."""
        self._early = self._next - now <= self.period

    def wait(self, now: float) -> float:
        """[s] until something is due; infinite while paused."""
        if not self.running:
            return math.inf
        return 0.0 if self._early else max(0.0, self._next - now)

    def is_due(self, now: float) -> bool:
        """Whether to step."""
        return self.running and (self._early or now >= self._next)

    def stepped(self, now: float) -> None:
        """A step was made; now: when it was done."""
        self._steps.append(now)
        self._next, self._early = self._next + self.period, False
        if self._next < now - LATENESS:
            self._next, self._gave_up = now, now

    def is_late(self, now: float) -> bool:
        """Whether steps had to be given up lately."""
        return self.running and now - self._gave_up < LATE_MEMORY

    def realtime(self, now: float) -> float:
        """Simulated time over time that passed, lately; 0 while paused."""
        while self._steps and now - self._steps[0] > SPEED_WINDOW:
            self._steps.popleft()
        if not self.running or len(self._steps) < 2:
            return 0.0
        return (len(self._steps) - 1) / self.fps / max(now - self._steps[0], 1e-9)
