"""Turns: who of those who want through a door goes next."""

from __future__ import annotations

import math

import numpy as np

from walkon.crowd.live._kernels_doors import LANE, THRESHOLD, door_near
from walkon.kernels import inlined, kernel

QUEUE_HEAD, HEADS, LONGEST_TURN = 6.0, 6, 4.0
"""[m] How far from a door its queue ends; how many of it may set out through a door that is wide enough for two,
half as many through others; and [s] for how long they come first. With more people, they get into each other's
way; with fewer, the door stands empty between two of them."""

DOORS_SEEN = 4
"""Corners before the one that somebody goes to among which there may be a door that it sees through: two for each
door. With more, doors count that were passed long ago."""

ON_ONES_OWN = 60.0
"""[s] Whoever has not got on for this long before a door, and is the next, goes step by step if nobody leads it.
With less, people go into doors who meet others there; with more, knots that leading cannot undo last longer."""

QUEUE = 5
"""This many people near a door who want through it are a queue, and keep it free for each other. With fewer, two
who meet in a corridor wait for each other; with more, small crowds jam at doors."""


@inlined
def _ahead(me, corner, x, z):
    """How far [m] a place is behind the middle of the door at a corner, as somebody goes through it."""
    axis = me.axes[corner]
    return (x - me.corners[corner, 0]) * math.sin(axis) + (z - me.corners[corner, 1]) * math.cos(axis) - THRESHOLD


@kernel
def next_door(me, land):
    """The number of the door that somebody comes to next on its route, or -1 if it is not near one. That may be
    one through which it sees the corner it goes to."""
    for corner in range(max(me.aim - DOORS_SEEN, 0), min(me.aim + 2, me.corner_count)):
        if math.isnan(me.axes[corner]) or _ahead(me, corner, me.end[0], me.end[1]) > 0.0:
            continue
        if corner < me.aim and _ahead(me, corner, me.corners[me.aim, 0], me.corners[me.aim, 1]) < 0.0:
            continue
        x, z = me.corners[corner, 0], me.corners[corner, 1]
        if math.hypot(x - me.end[0], z - me.end[1]) > QUEUE_HEAD:
            return -1
        return door_near(land, x, z)
    return -1


@kernel
def know_door(me, land, led):
    """Tell somebody which door it comes to next. Where people are led, whoever comes to one waits for that."""
    me.door = -1
    if not (me.settled or math.isnan(me.goal[0]) or me.corner_count == 0):
        me.door = next_door(me, land)
    if led and me.door >= 0 and not me.queues:
        me.queues, me.turn = True, False


@kernel
def give_turns(now, rules, crew, land):
    """Who queues at a door, and who of them is to go through next: those who are nearest, if they do not take too
    long."""
    counts, heads = (
        np.zeros(len(land.doors), dtype=np.int64),
        np.full((len(land.doors), HEADS), -1, dtype=np.int64),
    )
    keys = np.full((len(land.doors), HEADS), np.inf)
    for own in range(len(crew)):
        me = crew[own]
        know_door(me, land, rules.led)
        if me.here and me.door >= 0:
            counts[me.door] += 1
            _line_up(own, me, now, rules.fps, land.doors[me.door, 4], heads[me.door], keys[me.door])
    land.busy[:] = counts >= QUEUE
    for own in range(len(crew)):
        me = crew[own]
        me.queues = me.door >= 0 and (rules.led or land.busy[me.door])
        turn, ripe = not me.queues, not rules.led or (now - me.since) / rules.fps > ON_ONES_OWN
        for place in range(HEADS):
            turn = turn or (ripe and heads[me.door, place] == own)
        if turn and not me.turn:
            me.turned = now
        me.turn = turn


@kernel
def _line_up(own, me, now, fps, room, heads, keys):
    """Put somebody in its place among the first HEADS people of a queue, if it belongs there: rows, and what each
    has left to go."""
    key = me.still_left
    if me.turn:
        key += max((now - me.turned) / fps - LONGEST_TURN, 0.0)
    place = HEADS - 1 if room >= 1.5 * LANE else HEADS // 2 - 1
    if key >= keys[place]:
        return
    while place > 0 and keys[place - 1] > key:
        keys[place], heads[place] = keys[place - 1], heads[place - 1]
        place -= 1
    keys[place], heads[place] = key, own
