"""The same people twice: as they were recorded, and as somebody has them do it again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.metrics.measures import Measures
from walkon.metrics.plausibility.resistance import SHORTEST_WAY

TOLD_BY_PATHS = ("travel_time", "travel_distance", "speed", "resistance", "proximity")
"""Measures of `Measures.per_person` that paths alone tell, and that do not depend on how smooth a recording is; of
jerkiness and synchronicity a tracker's filter decides, not people."""


@dataclass(frozen=True)
class Pairing:
    """One measure of the K people who are in both, in its unit; nan where nobody is.

    recorded, played: medians. low, high: between these lies the middle half of the differences, played less
    recorded, of the same people; difference: their median. people: K.
    """

    recorded: float
    played: float
    difference: float
    low: float
    high: float
    people: int


def set_beside(recorded: Measures, played: Measures) -> dict[str, Pairing]:
    """Every measure of TOLD_BY_PATHS, of those who are in both under the same name, go somewhere, and arrive in
    both: how long somebody takes who does not arrive is not known."""
    ours, theirs = _who_counts(recorded, played)
    before, after = recorded.per_person(), played.per_person()
    return {key: _pairing(before[key][ours], after[key][theirs]) for key in TOLD_BY_PATHS}


def _who_counts(recorded: Measures, played: Measures) -> tuple[list[int], list[int]]:
    """Numbers of the same people in one and in the other."""
    numbers = {name: person for person, name in enumerate(played.names)}
    pairs = [
        (person, numbers[name])
        for person, name in enumerate(recorded.names)
        if name in numbers and _goes(recorded, person)
    ]
    pairs = [(a, b) for a, b in pairs if recorded.travel.arrived[a] and played.travel.arrived[b]]
    return [a for a, _ in pairs], [b for _, b in pairs]


def _goes(found: Measures, person: int) -> bool:
    """Whether somebody does not start where it wants to be."""
    paths = found.trajectories
    way = float(np.hypot(*(paths.goals[person] - paths.path(person)[0])))
    return way > max(float(paths.tolerances[person]), SHORTEST_WAY)


def _pairing(recorded: Array, played: Array) -> Pairing:
    # Somebody who is alone all the time has an infinite distance to others.
    both = np.isfinite(recorded) & np.isfinite(played)
    recorded, played = recorded[both], played[both]
    if not len(recorded):
        return Pairing(*[float("nan")] * 5, people=0)
    low, middle, high = np.percentile(played - recorded, [25, 50, 75]).tolist()
    return Pairing(float(np.median(recorded)), float(np.median(played)), middle, low, high, len(recorded))
