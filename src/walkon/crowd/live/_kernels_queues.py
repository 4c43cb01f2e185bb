"""Queues: whoever has somebody in front who goes the same way waits for it, and pushes nobody aside."""

from __future__ import annotations

import math

from walkon.crowd.live._kernels_people import gather
from walkon.crowd.live._kernels_routes import along_route
from walkon.kernels import inlined, kernel

BEHIND, IN_FRONT = 1.3, 0.6
"""[m] How near somebody is that one queues behind; and the cosine of how far off the way ahead it may be. With
more distance, people queue behind others who are not in their way."""

SHARED, APART, SAME_WAY = 0.75, 0.7, 0.5
"""Routes are compared at four places that are so far [m] from each other. Where they come this near [m], and lead
on at an angle of no less than this cosine, they lead the same way."""

CALM_IN_QUEUES, LONGEST_QUEUE = 1.0, 30.0
"""[s] Who queues is as calm as somebody who has waited for so long; but after the second, it is as restless as
anybody, for the others may wait for it."""


@inlined
def _is_aimless(me):
    return me.settled or math.isnan(me.goal[0]) or me.corner_count == 0


@inlined
def _way_ahead(me):
    """The direction x, z in which somebody wants to go from its boundary; 0, 0 if it does not know."""
    if _is_aimless(me):
        return 0.0, 0.0
    x, z = me.corners[me.aim, 0] - me.end[0], me.corners[me.aim, 1] - me.end[1]
    far = math.sqrt(x * x + z * z)
    return (x / far, z / far) if far > 1e-6 else (0.0, 0.0)


@inlined
def _alike(ax, az, bx, bz):
    """Whether two ways lead in much the same direction."""
    return ax * bx + az * bz > SAME_WAY * math.sqrt((ax * ax + az * az) * (bx * bx + bz * bz))


@kernel
def same_way(me, other):
    """Whether two people near each other go the same way: side by side, or on routes that run together somewhere
    soon, through the same door for example; or would, if one of them did not go back or around at the moment."""
    if _is_aimless(me) or _is_aimless(other):
        return False
    astray = me.retreating > 0 or other.retreating > 0 or me.around or other.around
    if astray and _alike(
        me.goal[0] - me.end[0], me.goal[1] - me.end[1], other.goal[0] - other.end[0], other.goal[1] - other.end[1]
    ):
        return True
    x, z = _way_ahead(me)
    other_x, other_z = _way_ahead(other)
    if _alike(x, z, other_x, other_z):
        return True
    x, z = me.end[0], me.end[1]
    for step in range(1, 5):
        to_x, to_z = along_route(me, SHARED * step)
        if _runs_along(x, z, to_x, to_z, other):
            return True
        x, z = to_x, to_z
    return False


@kernel
def _runs_along(x, z, to_x, to_z, other):
    """Whether somebody's route runs along a piece of another's, from (x, z) to (to_x, to_z)."""
    ahead_x, ahead_z = to_x - x, to_z - z
    from_x, from_z = other.end[0], other.end[1]
    for step in range(1, 5):
        on_x, on_z = along_route(other, SHARED * step)
        way_x, way_z = on_x - from_x, on_z - from_z
        if math.hypot(on_x - to_x, on_z - to_z) < APART and _alike(way_x, way_z, ahead_x, ahead_z):
            return True
        from_x, from_z = on_x, on_z
    return False


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
        # By what all see: routes of others change while they decide.
        alike = me.wants[0] * other.wants[0] + me.wants[1] * other.wants[1] > SAME_WAY
        if alike and away < BEHIND and x * away_x + z * away_z > IN_FRONT * away:
            return True
    return False


@inlined
def lateness(own, late, crowd, near):
    """How long [s] somebody feels that it has not got on, having waited `late` seconds."""
    me = crowd.crew[own]
    if not CALM_IN_QUEUES < late < LONGEST_QUEUE or not ((me.queues and not me.turn) or queues(own, crowd, near)):
        return late
    return CALM_IN_QUEUES
