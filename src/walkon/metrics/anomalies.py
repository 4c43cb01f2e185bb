"""Anomalies: who, when, what, how much, and how much would be fine; the worst of each kind for everybody."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from walkon.metrics.plausibility import (
    HYPER_SYNCHRONICITY,
    Benchmarks,
    Jerkiness,
    Proximity,
    Resistance,
    Synchronicity,
)
from walkon.metrics.quality import Quality, Travel
from walkon.metrics.trajectories import Trajectories

STRANGE_RESISTANCE = 1.0
"""Resistance beyond which a way is strange: 1 is twice the energy of the straight way. Chen (2014) gives no limit;
with less, everybody who waits stands out."""

VISIBLE_SLIDE = 0.1
"""Speed [m/s] beyond which a planted foot slides visibly. Chosen by eye."""

VISIBLE_JUMP = 0.6
"""A joint jumps visibly if its velocity changes in one frame by this much more [m/s] than it ever does in its
clips. Chosen by eye."""

NOTICED_REPETITION = 6.0
"""How often a minute [1/min] somebody may be another one's double before it is noticed: every ten seconds."""

JERK_SLACK = 1.01
"""Jerk beyond the library's most is anomalous from this factor on; less is rounding."""


class Anomaly(NamedTuple):
    """Something that people do not do.

    who: the character. when: [s], nan if it is about all of the path. what: which measure. value, limit: what was
    measured, and what would be fine, in the unit of the measure. other: the other character, or empty.
    """

    who: str
    when: float
    what: str
    value: float
    limit: float
    other: str = ""

    @property
    def severity(self) -> float:
        """How many times the limit it is, or is below it."""
        value, limit = abs(self.value), abs(self.limit)
        if min(value, limit) <= 0.0:
            return math.inf
        return max(value / limit, limit / value)


def find_anomalies(
    trajectories: Trajectories,
    resistance: Resistance,
    jerkiness: Jerkiness,
    proximity: Proximity,
    synchronicity: Synchronicity,
    travel: Travel,
    quality: Quality | None,
    benchmarks: Benchmarks | None,
) -> tuple[Anomaly, ...]:
    """All that is beyond a limit, the worst first; without benchmarks, jerk and room have none."""
    names = trajectories.names
    found = [*_ways(trajectories, resistance, travel), *_synchronised(names, synchronicity)]
    if benchmarks is not None:
        found += [*_jerks(names, jerkiness, benchmarks), *_near(names, proximity, benchmarks)]
    if quality is not None:
        found += _poses(names, quality, trajectories)
    return tuple(sorted(found, key=lambda one: (-one.severity, one.what, one.who)))


def _ways(trajectories: Trajectories, resistance: Resistance, travel: Travel) -> Iterator[Anomaly]:
    for person in np.flatnonzero(resistance.values > STRANGE_RESISTANCE):
        yield Anomaly(
            trajectories.names[person],
            math.nan,
            "resistance",
            float(resistance.values[person]),
            STRANGE_RESISTANCE,
        )
    for person in np.flatnonzero(~travel.arrived & (travel.deviations > trajectories.tolerances)):
        last = float(trajectories.stops[person] - 1) / trajectories.fps
        limit = float(trajectories.tolerances[person])
        yield Anomaly(trajectories.names[person], last, "goal deviation", float(travel.deviations[person]), limit)


def _synchronised(names: tuple[str, ...], synchronicity: Synchronicity) -> Iterator[Anomaly]:
    told = set()
    for person in np.flatnonzero(synchronicity.best > HYPER_SYNCHRONICITY):
        other = int(synchronicity.whom[person])
        pair = (min(person, other), max(person, other))
        if pair not in told:
            told.add(pair)
            value = float(synchronicity.best[person])
            yield Anomaly(names[person], math.nan, "synchronicity", value, HYPER_SYNCHRONICITY, names[other])


def _jerks(names: tuple[str, ...], jerkiness: Jerkiness, benchmarks: Benchmarks) -> Iterator[Anomaly]:
    whole = benchmarks.whole
    peaks = (
        ("normal jerk", jerkiness.normal_peaks, jerkiness.normal_times, whole.normal_limits),
        ("tangential jerk", jerkiness.tangential_peaks, jerkiness.tangential_times, whole.tangential_limits),
    )
    for what, values, times, (low, high) in peaks:
        for person in np.flatnonzero((values > JERK_SLACK * high) | (values < JERK_SLACK * low)):
            value = float(values[person])
            yield Anomaly(names[person], float(times[person]), what, value, high if value > 0.0 else low)
    spreads = (
        ("normal jerkiness", jerkiness.normal, benchmarks.normal_jerkiness),
        ("tangential jerkiness", jerkiness.tangential, benchmarks.tangential_jerkiness),
    )
    for what, values, limit in spreads:
        for person in np.flatnonzero(values > limit):
            yield Anomaly(names[person], math.nan, what, float(values[person]), limit)


def _near(names: tuple[str, ...], proximity: Proximity, benchmarks: Benchmarks) -> Iterator[Anomaly]:
    limit = (benchmarks.walking or benchmarks.whole).smallest_radius
    for person in np.flatnonzero(proximity.halves < limit):
        other = int(proximity.whom[person])
        if person < other or int(proximity.whom[other]) != person:
            value, when = float(proximity.halves[person]), float(proximity.times[person])
            yield Anomaly(names[person], when, "proximity", value, limit, names[other])


def _poses(names: tuple[str, ...], quality: Quality, trajectories: Trajectories) -> Iterator[Anomaly]:
    fps = trajectories.fps
    for name, slide, seam in zip(names, quality.slides, quality.seams, strict=True):
        if slide.worst * fps > VISIBLE_SLIDE:
            yield Anomaly(name, slide.time, "foot slide", slide.worst, VISIBLE_SLIDE / fps)
        if seam.excess > VISIBLE_JUMP:
            yield Anomaly(name, seam.time, "seam jump", seam.excess, VISIBLE_JUMP)
    repetition = quality.repetition
    for person in np.flatnonzero(repetition.rates > NOTICED_REPETITION):
        other, when = names[int(repetition.others[person])], float(repetition.times[person])
        yield Anomaly(
            names[person], when, "repetition", float(repetition.rates[person]), NOTICED_REPETITION, other
        )
    if quality.collisions is not None:
        for person in np.flatnonzero(quality.collisions.seconds > 0.0):
            value, when = float(quality.collisions.seconds[person]), float(quality.collisions.times[person])
            yield Anomaly(names[person], when, "collision", value, 0.0)
