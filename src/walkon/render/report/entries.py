"""What a report is about: takes or trajectories that were measured, side by side."""

from __future__ import annotations

import math
from dataclasses import dataclass

from walkon.metrics import AuditReport, Measures
from walkon.metrics.trajectories import RecordedPeople
from walkon.take import Take
from walkon.world import Scene

MOST_ENTRIES = 12
"""Entries shown side by side at most: there are no more colours that can be told apart."""


@dataclass(frozen=True, eq=False)
class Entry:
    """One thing that was measured.

    name: as it is called in the report. measures: what was found. take: with which pictures can be made; None for
    trajectories alone. audited: what the audit says; None if it was not asked. rival: whether a rival's model made
    it. seconds: [s] that planning took; nan if nobody knows. recorded: whom it shows, if they are people who were
    recorded: the others are set beside them, and they compete with nobody.
    """

    name: str
    measures: Measures
    take: Take | None = None
    audited: AuditReport | None = None
    rival: bool = False
    seconds: float = math.nan
    recorded: RecordedPeople | None = None

    @property
    def scene(self) -> Scene | None:
        """Where it happens; None if nobody knows."""
        if self.take is not None:
            return self.take.scene
        return None if self.recorded is None else self.recorded.scene


@dataclass(frozen=True)
class Failure:
    """Somebody who was asked and made nothing: name, and why."""

    name: str
    reason: str
