"""The places that a script names, as goals: for planners, and for whoever asks whether somebody got there."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

from walkon.rotations import Placement
from walkon.world.scene import Character, Goal
from walkon.world.script import Do, Face, Follow, Go, ScriptStep, Via

PLACES = (Go, Via, Follow)
"""Steps that lead somewhere."""

POINTS_APART = 2.0
"""Least distance [m] between the points of a drawn line that planners are given, besides its end. With more, they
cut corners; with less, they search longer."""


def goals_of_script(
    script: tuple[ScriptStep, ...], start: Placement, tolerance: float = Goal.tolerance
) -> tuple[Goal, ...]:
    """The places of a script as way-points and a goal, in order; where it starts, if it names none.

    A facing belongs to the place before it, unless something is done in between. Soft steps are wishes, not
    goals; but the last place is the goal in any case. tolerance [m]: of a goal at the start.
    """
    goals: list[Goal] = []
    settled = False  # whether the body still is where the last of the goals is
    last = max((number for number, step in enumerate(script) if isinstance(step, PLACES)), default=-1)
    for number, step in enumerate(script):
        if isinstance(step, PLACES):
            settled = not step.soft or number == last
            goals += _goals_of(step) if settled else []
        elif isinstance(step, Face) and settled and not step.soft:
            goals[-1] = replace(goals[-1], heading=step.heading, heading_tolerance=step.tolerance)
        elif isinstance(step, Do):
            settled = False
    return tuple(goals) or (Goal(start.x, start.z, tolerance),)


def follows_script(character: Character) -> bool:
    """Whether the goals are the places of the script, so that a file need not say them."""
    if not (character.script and character.goals):
        return False
    return character.goals == goals_of_script(character.script, character.start, character.goals[-1].tolerance)


def ends_at_a_place(script: tuple[ScriptStep, ...]) -> bool:
    """Whether nothing is done after the last place that would take the body somewhere else."""
    last = max((number for number, step in enumerate(script) if isinstance(step, PLACES)), default=-1)
    return last >= 0 and not any(isinstance(step, Do) for step in script[last + 1 :])


def _goals_of(step: Go | Via | Follow) -> list[Goal]:
    places = _few(step.points) if isinstance(step, Follow) else [(step.x, step.z)]
    return [Goal(x, z, step.tolerance) for x, z in places]


def _few(points: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
    """Some of the points, see POINTS_APART."""
    few, gone = [], POINTS_APART
    for before, here in pairwise((points[0], *points[:-1])):
        gone += math.dist(before, here)
        if gone >= POINTS_APART:
            few.append(here)
            gone = 0.0
    return [*few, points[-1]]
