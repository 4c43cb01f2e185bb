"""Resistance: how much more energy people spend than the straight way at the best speed would take.

Equations 5.1 and 5.2 of Chen (2014), with the least-effort model of Guy et al. (2010). The mass cancels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.metrics.trajectories import Trajectories

STANDING_POWER = 2.23
"""e_s [J/(kg s)]: what it takes to stand (Guy et al. 2010)."""

MOVING_POWER = 1.26
"""e_w [J s/(kg m²)]: what it takes to move, times the square of the speed (Guy et al. 2010)."""

BEST_SPEED = math.sqrt(STANDING_POWER / MOVING_POWER)
"""Speed [m/s] at which a way takes least energy: 1.33."""

LEAST_ENERGY = 2.0 * math.sqrt(STANDING_POWER * MOVING_POWER)
"""Energy [J/(kg m)] that a metre takes at that speed."""

SHORTEST_WAY = 0.5
"""Somebody whose goal is nearer than this [m] goes nowhere, and has no resistance: it would be divided by next to
nothing."""


@dataclass(frozen=True, eq=False)
class Resistance:
    """Of N people; nan for those who go nowhere.

    values: (N,) the ratio of equation 5.1. deviations: (N,) the share of it that is due to ending away from the
    goal. energies, ideals: (N,) [J/kg] of the path, and of the straight way.
    """

    values: Array
    deviations: Array
    energies: Array
    ideals: Array


def measure_resistance(trajectories: Trajectories) -> Resistance:
    """Resistance of everybody, over the whole of their paths.

    Whose goal nobody knows is taken to want to go where it ends.
    """
    energies = energies_of(trajectories)
    starts, ends = (
        trajectories.places[trajectories.offsets[:-1]],
        trajectories.places[trajectories.offsets[1:] - 1],
    )
    goals = np.where(np.isfinite(trajectories.goals), trajectories.goals, ends)
    straight = np.hypot(*(goals - starts).T)
    lengths = np.where(np.isfinite(trajectories.ways), trajectories.ways, straight)
    ideals = LEAST_ENERGY * np.where(lengths >= SHORTEST_WAY, lengths, np.nan)
    deviations = LEAST_ENERGY * np.hypot(*(goals - ends).T) / ideals
    return Resistance((energies - ideals) / ideals + deviations, deviations, energies, ideals)


def energies_of(trajectories: Trajectories) -> Array:
    """Energy (N,) [J/kg] that everybody spends: people go straight from row to row at a steady speed."""
    steps = np.diff(trajectories.places, axis=0, append=np.nan)
    power = MOVING_POWER * (steps**2).sum(axis=1) * trajectories.fps**2 + STANDING_POWER
    # A last row begins no step.
    power[trajectories.offsets[1:] - 1] = 0.0
    if not len(trajectories):
        return np.empty(0)
    return np.add.reduceat(power, trajectories.offsets[:-1]) / trajectories.fps
