"""Asking others to make way: which way somebody wants, who is in it, and who has to listen."""

from __future__ import annotations

import math

from walkon.crowd.live._kernels_costs import TUBE_RADIUS
from walkon.crowd.live._kernels_people import NOTHING_MET, clip_meets, comes_near
from walkon.crowd.live._kernels_queues import same_way
from walkon.crowd.live.crew import BLOCKERS, NOBODY, TUBE
from walkon.kernels import kernel
from walkon.rotations.kernels_ground import laid, standing

REQUEST = 75
"""Frames (2.5 s) for which somebody keeps clear of a way it was asked to leave. With fewer it comes back before
the other has passed; with more, people stay away from where nobody goes."""


@kernel
def _draw_tube(mine, me, node, reach):
    """Outline the way somebody wants, `reach` [m] of it: along its route, or on the way it was asked to go itself.

    The third number of a place on it says how much it matters to be elsewhere: the more, the nearer it is. So
    those who cannot step aside know which way to go ahead.
    """
    step, x, z, aim = reach / (TUBE - 1), me.end[0], me.end[1], me.aim
    obeys = me.asked_by >= 0 or me.settled or math.isnan(me.goal[0])
    for row in range(TUBE):
        mine.tube[row, 0], mine.tube[row, 1], mine.tube[row, 2] = x, z, 0.35 + 0.5 * (reach - row * step)
        to_x, to_z = me.corners[aim, 0], me.corners[aim, 1]
        if obeys:
            to_x, to_z = x + node.place[0] - me.end[0], z + node.place[1] - me.end[1]
        away = math.hypot(to_x - x, to_z - z)
        if away < step and not obeys and aim + 1 < me.corner_count:
            aim += 1
        if away > 1e-6:
            x, z = x + (to_x - x) / away * step, z + (to_z - z) / away * step
    mine.tube_count = TUBE


@kernel
def wish(mine, own, number, late, memory, table, others):
    """Write down the way that somebody was in, and who."""
    node = memory.nodes[number]
    before = memory.nodes[node.parent]
    reach = min(2.0 + 0.4 * late, 10.0)
    _draw_tube(mine, others.crew[own], node, reach)
    stand = standing(before.place[0], before.place[1], before.place[2])
    bound = table.clips[node.clip].bound
    x, z = laid(stand, bound[0], bound[1])
    for k in range(others.size):
        other = others.near[k]
        last = others.crew[other].length - 1
        meets = comes_near(others, k, x, z, bound[2])
        meets = meets and clip_meets(stand, before.frame, node.clip, table, others, other) != NOTHING_MET
        for row in range(TUBE):
            if row * reach < 2.5 * TUBE and not meets:
                away_x = others.tracks[other, last, 0] - mine.tube[row, 0]
                away_z = others.tracks[other, last, 1] - mine.tube[row, 1]
                meets = away_x * away_x + away_z * away_z < TUBE_RADIUS * TUBE_RADIUS
        if meets and mine.blocker_count < BLOCKERS:
            mine.blockers[mine.blocker_count] = other
            mine.blocker_count += 1


@kernel
def ask(slot, now, crew, proposals):
    """Ask those in the way to leave it, unless they are to be let through first themselves.

    Who cannot leave asks in turn those who are in its way, as urgently as it was asked.
    """
    mine = proposals[slot]
    own, me = mine.row, crew[mine.row]
    ticket = min(me.ticket, me.asked_ticket)
    if ticket == NOBODY or mine.blocker_count == 0:
        return
    me.tube[: mine.tube_count] = mine.tube[: mine.tube_count]
    me.tube_count = mine.tube_count
    for k in range(mine.blocker_count):
        other = crew[mine.blockers[k]]
        theirs = other.ticket
        if other.asked_by != own:
            theirs = min(theirs, other.asked_ticket)
        # Who goes the same way as the one who wants to pass is in front of it, and goes on when it can.
        if same_way(crew[me.asked_by] if me.asked_by >= 0 else me, other):
            continue
        if ticket < theirs and me.asked_by != mine.blockers[k]:
            other.asked_by, other.asked_ticket, other.asked_until = own, ticket, now + REQUEST
