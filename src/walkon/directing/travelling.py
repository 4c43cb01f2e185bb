"""Ways to perform a leg: along its line at once, after setting out for it, or from place to place."""

from __future__ import annotations

import math

import numpy as np

from walkon.basics import Array
from walkon.directing.acting import Actor
from walkon.directing.actions import Action
from walkon.directing.approaching import Aim, Where
from walkon.directing.arriving import LooseEnd, arrive, set_out
from walkon.directing.courses import lay_course, length_of, point_at
from walkon.directing.legs import ScriptLeg, end_of
from walkon.errors import GraphError
from walkon.graphs.performing.walks import Walk
from walkon.graphs.searching.fitting import fit_path
from walkon.rotations import Placement
from walkon.world import Follow, goals_of_script

AIMED = 0.6
"""Share of a tolerance that is aimed at: a body sways about its track."""

SHORT = 3.0
"""[m] Ways to one place that are no longer are searched for as a whole."""

LAST = 4.0
"""[s] of a way that are searched for anew, so that it ends where it should."""

CHOICE = 2
"""Walks along a drawn line of which the best is taken, where the first leaves it by much of what is allowed."""

LOYAL = 0.7
"""How much time on the line counts, beside time on the way to its end: the line is left late."""

LINE_END = 2.0
"""[m] of a drawn line that are searched for anew."""

TURN_ROOM = 1.0
"""Metres of ground that somebody who turns on the spot may need for it."""

ASTRAY = 0.5
"""Metres: a walk that is farther than this from its line on average does not follow it, and somebody goes from
place to place instead."""

TURN_FIRST = math.radians(50.0)
"""Somebody who looks farther aside than this [rad] from the way to go turns on the spot first; 50°, chosen by
eye."""

TURNED, UNDER_WAY = 1.5, 3.0
"""[m] along the way where somebody has turned to it, and where they have got into another style."""

TURNED_WITHIN = math.radians(25.0)
"""How far aside [rad] they may still look after turning; 25°, chosen by eye."""


def follow_line(actor: Actor, leg: ScriptLeg, aim: Aim, following: Action | None, before: str | None) -> bool:
    """Go along the line of a leg, having turned to it where that is needed; whether it could be followed.

    before: the style so far.
    """
    if _is_aside(actor, leg, aim):
        _set_out(actor, leg, aim, before, TURNED)
    walk = _fit(actor, leg, aim)
    if walk is not None:
        arrive(actor, aim, following, _loose_end(leg, walk))
    return walk is not None


def set_out_first(actor: Actor, leg: ScriptLeg, aim: Aim, following: Action | None, before: str | None) -> bool:
    """Get into the style on the first metres of the line, then go along it; whether it could be followed."""
    _set_out(actor, leg, aim, before, UNDER_WAY)
    walk = _fit(actor, leg, aim)
    if walk is not None:
        arrive(actor, aim, following, _loose_end(leg, walk))
    return walk is not None


def hop(actor: Actor, leg: ScriptLeg, aim: Aim, following: Action | None, before: str | None) -> bool:
    """Go from place to place, wherever the way in between leads."""
    for x, z, near in _hops(leg)[:-1]:
        arrive(actor, Aim(x, z, AIMED * near), None)
    arrive(actor, aim, following)
    return True


def is_short(actor: Actor, leg: ScriptLeg, aim: Aim) -> bool:
    """Whether a leg is so short and plain that there is no line to follow."""
    course = _course(actor, leg, aim)
    return len(course) < 2 or (len(leg.corners()) == 1 and length_of(course) <= SHORT)


def _course(actor: Actor, leg: ScriptLeg, aim: Aim) -> Array:
    """The line (P, 2) of a leg, from where somebody is now."""
    return lay_course((actor.place.x, actor.place.z), leg.corners(), aim.heading)


def _is_aside(actor: Actor, leg: ScriptLeg, aim: Aim) -> bool:
    """Whether the way leads far aside from where somebody looks."""
    ahead = point_at(_course(actor, leg, aim), 0.5)
    leads = math.atan2(ahead[0] - actor.place.x, ahead[1] - actor.place.z)
    return abs(math.remainder(leads - actor.place.heading, 2.0 * math.pi)) > TURN_FIRST


def _set_out(actor: Actor, leg: ScriptLeg, aim: Aim, before: str | None, reach: float) -> None:
    """Turn to where the way leads and get into its style, within `reach` metres."""
    course, first, near = _course(actor, leg, aim), leg.corners()[0], TURN_ROOM
    to_first = math.dist((actor.place.x, actor.place.z), first.point)
    if first.sharp:
        reach, near = 0.5 * reach, AIMED * first.slack
    elif to_first < reach:
        reach, near = max(0.8 * to_first, 0.3), AIMED * first.slack
    reach = min(reach, 0.5 * length_of(course))
    here, further = point_at(course, reach), point_at(course, reach + 0.3)
    heading = math.atan2(further[0] - here[0], further[1] - here[1])
    set_out(actor, Aim(*here, near, heading, TURNED_WITHIN), before)


def _fit(actor: Actor, leg: ScriptLeg, aim: Aim) -> Walk | None:
    """A walk from here along a leg; None where the style does not allow one, or it goes astray."""
    course, seed = _course(actor, leg, aim), int(actor.rng.integers(1 << 31))
    if len(course) < 2:
        return None
    how = {"styles": actor.style, "start": actor.node, "placement": actor.place, "seed": seed}
    drawn = [corner.slack for corner in leg.corners() if corner.sharp]
    try:
        fit = fit_path(actor.graph, course, **how)
        if drawn and fit.deviations.max() > AIMED * min(drawn):
            fits = fit_path(actor.graph, course, answers=CHOICE, **how)
            fit = min((fit, fits, *fits.others), key=lambda one: float(one.deviations.max()))
    except GraphError:
        return None
    return fit.walk if fit.mean_deviation <= ASTRAY else None


def _hops(leg: ScriptLeg) -> list[tuple[float, float, float]]:
    """x, z and how near [m]: places on the way of a leg, some metres apart, with those of its steps."""
    goals = [goal for _, step in leg.places for goal in goals_of_script((step,), Placement())]
    return [(goal.x, goal.z, goal.tolerance) for goal in goals]


def _loose_end(leg: ScriptLeg, walk: Walk) -> LooseEnd:
    """A walk whose end may be searched for anew: not before the last place but one is passed, nor while a line is
    followed."""
    graph, track = walk.graph, walk.path()
    frames = np.concatenate([[0], np.cumsum(graph.frames[walk.edges])])
    earliest = int(frames[-1]) - round(LAST * graph.fps)
    if isinstance(leg.places[-1][1], Follow):
        outside = np.flatnonzero(_distances(track, end_of(leg.places[-1][1])) > LINE_END)
        earliest = max(earliest, int(outside[-1]) + 1 if len(outside) else 0)
    if len(leg.places) > 1:
        earliest = max(earliest, int(np.argmin(_distances(track, end_of(leg.places[-2][1])))))
    first = min(int(np.searchsorted(frames, earliest)), len(frames) - 1)
    places, nodes = walk.placements(), [walk.start, *graph.heads[walk.edges].tolist()]
    sources = [
        Where(nodes[k], Placement(*places[k]), LOYAL * float(frames[k] - frames[first]))
        for k in range(first, len(frames))
    ]
    return LooseEnd(sources, walk.edges.tolist(), first)


def _distances(track: Array, point: tuple[float, float]) -> Array:
    return np.hypot(track[:, 0] - point[0], track[:, 1] - point[1])
