"""Flaws: what is wrong with a motion by itself, whoever makes it: somebody in a take, or a clip before anybody
plays it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.metrics.audit.bodies import Bodies
from walkon.metrics.audit.events import runs, violation
from walkon.metrics.audit.report import Violation
from walkon.take import Take


@dataclass(frozen=True)
class Flaw:
    """What is wrong from frame first to last of a motion, at its worst at `worst`, where `place` (3,) [m] is.

    kind: one of VIOLATIONS. amount: how bad at worst, in the unit that the message names.
    """

    kind: str
    first: int
    last: int
    worst: int
    place: Array
    amount: float
    message: str

    def of(self, take: Take, bodies: Bodies, person: int) -> Violation:
        """The same as a violation of somebody in a take."""
        start = int(bodies.arrays.first[person])
        return violation(
            self.kind,
            bodies.names[person],
            self.message,
            fps=take.fps,
            frames=(start + self.first, start + self.last),
            worst=start + self.worst,
            place=self.place,
            amount=self.amount,
        )


def stretches(excess: Array, beyond: float = 0.0) -> Iterable[tuple[int, int, int]]:
    """First, last and worst frame of every stretch in which excess (F,) is more than `beyond`."""
    wrong: NDArray[np.bool_] = excess > beyond
    for first, last in runs(wrong):
        yield first, last, first + int(excess[first : last + 1].argmax())
