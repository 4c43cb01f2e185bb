"""Queues: whoever has somebody in front who goes the same way waits for it, and pushes nobody aside."""

from __future__ import annotations

import math

from walkon.crowd.live._kernels_people import gather
from walkon.kernels import inlined, kernel

BEHIND, IN_FRONT, SAME_WAY = 1.3, 0.6, 0.5
"""[m] How near somebody is that one queues behind; and cosines: of how far off the way ahead it may be, and of how
different a way it may go. With more distance, people queue behind others who are not in their way."""

CALM_IN_QUEUES, LONGEST_QUEUE = 1.0, 30.0
"""[s] Who queues is as calm as somebody who has waited for so long; but after the second, it is as restless as
anybody, for the others may wait for it."""


@inlined
def _way_ahead(me):
    """The direction x, z in which somebody wants to go from its boundary; 0, 0 if it does not know."""
    if me.settled or math.isnan(me.goal[0]) or me.corner_count == 0:
        return 0.0, 0.0
    x, z = me.corners[me.aim, 0] - me.end[0], me.corners[me.aim, 1] - me.end[1]
    far = math.sqrt(x * x + z * z)
    return (x / far, z / far) if far > 1e-6 else (0.0, 0.0)


@kernel
def same_way(me, other):
    """Whether two people want to go much the same way."""
    x, z = _way_ahead(me)
    other_x, other_z = _way_ahead(other)
    return x * other_x + z * other_z > SAME_WAY


@kernel
def queues(own, crowd, near):
    """Whether somebody has another in front of it who goes the same way."""
    me = crowd.crew[own]
    x, z = _way_ahead(me)
    count = gather(crowd.crew, crowd.cells, own, me.end[0], me.end[1], BEHIND, near)
    for k in range(min(count, len(near))):
        other = crowd.crew[near[k]]
        away_x, away_z = other.end[0] - me.end[0], other.end[1] - me.end[1]
        away = math.sqrt(away_x * away_x + away_z * away_z)
        if away < BEHIND and x * away_x + z * away_z > IN_FRONT * away and same_way(me, other):
            return True
    return False


@inlined
def lateness(own, late, crowd, near):
    """How long [s] somebody feels that it has not got on, having waited `late` seconds."""
    if not CALM_IN_QUEUES < late < LONGEST_QUEUE or not queues(own, crowd, near):
        return late
    return CALM_IN_QUEUES
