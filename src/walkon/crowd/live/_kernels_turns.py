"""Turns: who of those who want through a door goes next."""

from __future__ import annotations

import math

import numpy as np

from walkon.crowd.live._kernels_doors import LANE, THRESHOLD, door_near
from walkon.kernels import kernel

QUEUE_HEAD, HEADS, LONGEST_TURN = 4.0, 6, 4.0
"""[m] How far from a door its queue ends; how many of it may set out through a door that is wide enough for two,
half as many through others; and [s] for how long they come first. With more people, they get into each other's
way; with fewer, the door stands empty between two of them."""

QUEUE = 5
"""This many people near a door who want through it are a queue, and keep it free for each other. With fewer, two
who meet in a corridor wait for each other; with more, small crowds jam at doors."""


@kernel
def next_door(me, land):
    """The number of the door that somebody comes to next on its route, or -1 if it is not near one."""
    for corner in range(me.aim, min(me.aim + 2, me.corner_count)):
        before = corner if not math.isnan(me.axes[corner]) else corner - 1
        if before >= 0 and not math.isnan(me.axes[before]):
            x, z, axis = me.corners[before, 0], me.corners[before, 1], me.axes[before]
            dx, dz = x - me.end[0], z - me.end[1]
            # Who is past the middle of the door has been through.
            if dx * math.sin(axis) + dz * math.cos(axis) < -THRESHOLD or math.hypot(dx, dz) > QUEUE_HEAD:
                return -1
            return door_near(land, x, z)
    return -1


@kernel
def give_turns(now, fps, crew, land):
    """Who queues at a door, and who of them is to go through next: those who are nearest, if they do not take too
    long."""
    counts, heads = (
        np.zeros(len(land.doors), dtype=np.int64),
        np.full((len(land.doors), HEADS), -1, dtype=np.int64),
    )
    keys = np.full((len(land.doors), HEADS), np.inf)
    for own in range(len(crew)):
        me = crew[own]
        me.door = -1
        if not me.here or me.settled or math.isnan(me.goal[0]) or me.corner_count == 0:
            continue
        me.door = next_door(me, land)
        if me.door >= 0:
            counts[me.door] += 1
            _line_up(own, me, now, fps, land.doors[me.door, 4], heads[me.door], keys[me.door])
    land.busy[:] = counts >= QUEUE
    for own in range(len(crew)):
        me = crew[own]
        me.queues = me.door >= 0 and land.busy[me.door]
        turn = not me.queues
        for place in range(HEADS):
            turn = turn or heads[me.door, place] == own
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
