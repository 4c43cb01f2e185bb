"""How somebody performs a leg: of several ways to do it, the first that is good, else the best."""

from __future__ import annotations

import math

import numpy as np

from walkon.directing.acting import Actor
from walkon.directing.actions import Action
from walkon.directing.approaching import Aim, fastest
from walkon.directing.arriving import arrive
from walkon.directing.legs import ScriptLeg
from walkon.directing.reports import CHANGE, STAND, Span
from walkon.directing.travelling import AIMED, TURN_ROOM, follow_line, hop, is_short, set_out_first
from walkon.world import Face, Style

MISSED = 10.0
"""[s] that it counts to miss a place by a whole tolerance more than is allowed."""

STRANGE = 3.0
"""How many times a second counts that somebody is in another style for too long."""

LONG, START = 1.8, 4.0
"""A way is long if it takes more than 1.8 times as long as at the usual pace, and 4 s on top of that for setting
off; found by trying."""


def go(actor: Actor, leg: ScriptLeg, following: Action | None) -> None:
    """Perform a leg that ends, if it can, where what follows can begin."""
    began, corners, before = actor.frame, leg.corners(), actor.style
    _restyle(actor, leg)
    face = leg.faces[-1][1] if leg.faces else None
    heading, turn = (face.heading, AIMED * face.tolerance) if isinstance(face, Face) else (None, math.pi)
    if corners:
        aim = Aim(corners[-1].x, corners[-1].z, AIMED * corners[-1].slack, heading, turn)
        _travel(actor, leg, aim, following, before)
        actor.spot = aim.x, aim.z, aim.near
    elif heading is not None:
        x, z, near = actor.spot or (actor.place.x, actor.place.z, TURN_ROOM)
        arrive(actor, Aim(x, z, near, heading, turn), following)
    for number, _ in (*leg.places, *leg.faces):
        actor.spans[number] = Span(began, actor.frame)


def _travel(actor: Actor, leg: ScriptLeg, aim: Aim, following: Action | None, before: str | None) -> None:
    """Get by all places of a leg to the aim. before: the style so far."""
    short = is_short(actor, leg, aim)
    best, least = None, math.inf
    for way in (hop, follow_line) if short else (follow_line, set_out_first, hop):
        trial = actor.copy()
        if not way(trial, leg, aim, following, before):
            continue
        seconds = (trial.frame - actor.frame) / actor.graph.fps
        worth = seconds + _faults(actor, trial, leg)
        if best is None or worth < least:
            best, least = trial, worth
        if worth <= START + LONG * _usual_time(actor, leg):
            break
    if best is not None:
        actor.adopt(best)


def _usual_time(actor: Actor, leg: ScriptLeg) -> float:
    """Seconds from place to place in a straight line, at about the fastest there is in the style."""
    pace = fastest(actor.graph, actor.stage.prices(actor.style))[0]
    points = np.array([(actor.place.x, actor.place.z), *(corner.point for corner in leg.corners())])
    return float(np.hypot(*np.diff(points, axis=0).T).sum()) / pace / actor.graph.fps


def _faults(actor: Actor, trial: Actor, leg: ScriptLeg) -> float:
    """What is wrong [s] with a way to perform a leg: places that it misses, and another style for too long."""
    track = trial.walk.path()[actor.frame :]
    missed = 0.0
    for corner in leg.corners():
        off = float(np.hypot(track[:, 0] - corner.x, track[:, 1] - corner.z).min())
        missed = max(missed, off / corner.slack - 1.0)
    change = CHANGE + _frames_into_style(actor) / actor.graph.fps
    return MISSED * missed + STRANGE * max(_seconds_astray(actor, trial) - change, 0.0)


def _seconds_astray(actor: Actor, trial: Actor) -> float:
    """The longest time [s] that somebody is in another style on a way, and does not stand."""
    graph = actor.graph
    fits = np.array([actor.style is None or actor.style in own or STAND in own for own in graph.label_sets])
    longest = run = 0
    for edge in trial.edges[len(actor.edges) :]:
        run = 0 if fits[graph.labels[edge]] else run + int(graph.frames[edge])
        longest = max(longest, run)
    return longest / graph.fps


def _restyle(actor: Actor, leg: ScriptLeg) -> None:
    """Get about in the style of a leg from here on; one that the graph does not have changes nothing."""
    for number, step in leg.styles:
        if isinstance(step, Style):
            known = step.label in actor.stage.names
            actor.style = step.label if known else actor.style
            note = "" if known else actor.stage.lacks(step.label)
            actor.spans[number] = Span(actor.frame, actor.frame, _frames_into_style(actor), note)


def _frames_into_style(actor: Actor) -> int:
    """Frames that it takes at least to get into the style that somebody is to get about in."""
    far = float(actor.stage.frames_into(actor.style)[actor.node])
    return int(far) if math.isfinite(far) else 0
