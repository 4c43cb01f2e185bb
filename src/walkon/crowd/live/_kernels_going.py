"""Where somebody goes next on the ground: along its route, around a crowd it is stuck in, or back where others can
pass."""

from __future__ import annotations

import math

from walkon.crowd.live._kernels_checks import room_at
from walkon.crowd.live._kernels_routes import Ways, retreat, route, take_aim
from walkon.crowd.live.crew import NOBODY
from walkon.kernels import kernel

STUCK, REROUTE = 6.0, 120
"""[s] How long somebody has not got on before it looks for a way around the crowd, and frames (4 s) before it
does so again. Found by trying: with less, people walk around crowds that are about to part."""

CORNERED, NARROW, RETREAT = 6.0, 0.6, 600
"""Who has not got on for this long [s], has no more room than this [m], and is asked to make way, goes back to
where there is more; for this many frames (20 s) at most. Two pass each other in a hallway 1.25 m wide."""

REROUTE_LOST = 30
"""Frames (1 s) before somebody who does not see its route looks for another again."""

OUTDATED = 300
"""Frames after which the crowd that a route leads around has moved on: whoever still follows it may walk about a
corner that is no corner any more."""

CROWDING_COST = 4.0
"""What one person per square metre adds to the length of a metre, for those who look for a way around. With more,
they walk further around."""

SCOUTED, SCOUTED_AROUND = 200_000, 4_000
"""Cells looked at for one route at most, all of a place 220 m wide; and for one around a crowd, 19 m wide. With
more of the second, a replan takes several milliseconds, and crowds flow no better."""


@kernel
def waited(crew, own, frame, fps):
    """[s] since somebody who wants to be elsewhere has got half a metre further."""
    if crew[own].settled or math.isnan(crew[own].goal[0]):
        return 0.0
    return (frame - crew[own].since) / fps


@kernel
def _ways(me, setting, scouting):
    """What it takes somebody to look for ways in a setting."""
    around = setting.around
    pose, kept = setting.table.poses[me.pose], around.raster.margin
    me.broad, me.slim = pose.broad + kept, pose.slim + kept
    return Ways(setting.land, scouting, around.raster, around.values, me.broad, me.slim)


@kernel
def retreats(own, now, late, crew, setting, scouting):
    """Whether somebody is on the way back to where others can pass: it was asked to make way where there is not
    room for two, or was so before and they have not passed yet."""
    me = crew[own]
    ways = _ways(me, setting, scouting)
    x, z = me.end[0], me.end[1]
    if me.retreating > 0:
        asker = crew[me.retreats_from]
        if now < me.retreating and asker.here and asker.ticket != NOBODY and me.corner_count > 0:
            take_aim(ways, crew, own, x, z)
            return True
        me.retreating, me.corner_count = 0, 0
    if me.asked_by < 0 or late < CORNERED or room_at(setting.around, x, z) > NARROW:
        return False
    if not retreat(ways, crew, own, x, z, SCOUTED):
        return False
    me.retreating, me.retreats_from = now + RETREAT, me.asked_by
    return True


@kernel
def find_route(own, now, late, crew, setting, scouting):
    """See to it that somebody's route leads on from where it will be."""
    if crew[own].retreating > now:
        return
    me = crew[own]
    ways = _ways(me, setting, scouting)
    x, z = me.end[0], me.end[1]
    stuck = late > STUCK and now - me.routed > REROUTE
    outdated = me.around and now - me.routed > OUTDATED
    known = me.corner_count > 0 and not stuck and not outdated
    if known and (take_aim(ways, crew, own, x, z) or now - me.routed < REROUTE_LOST):
        return
    crowding, most = (CROWDING_COST, SCOUTED_AROUND) if stuck else (0.0, SCOUTED)
    route(ways, crew, own, x, z, crowding, most)
    me.routed = now
    take_aim(ways, crew, own, x, z)
