"""What a way is worth: what is left of it, whom it meets, how it compares with others."""

from __future__ import annotations

import math

import numpy as np

from walkon.crowd.live._kernels_checks import room_at, short_turn
from walkon.crowd.live._kernels_people import guess_meets
from walkon.crowd.live._kernels_routes import sees
from walkon.crowd.live.repertoire import PACE
from walkon.kernels import inlined, lean

TUBE_RADIUS = 0.65
"""[m] How far somebody keeps from the middle of a way that it was asked to leave: about two bodies. With less,
nobody gets past; with more, people leave who were not in the way."""

GUESSED_BODY = 0.28
"""[m] Radius of somebody whose way is only guessed: less than that of any body in motion, as guesses are rough."""

HARDLY = 1e-5
"""[m² per frame²] Who is guessed to move by less than the root of this, 0.1 m/s at 30 Hz, counts as standing."""

AT_LAST = 3.0
"""[m] What it is worth to stand at the goal, in metres still to go, whichever way one faces. With less, whoever
walks on to turn may walk in circles."""

CORNERS_AHEAD = 3
"""Corners of a route that somebody looks out for. With more, more time is spent; with fewer, people walk up to
each of them before they turn."""

LOOKED_AHEAD = 3.0
"""[m] How far towards the next corner of its route somebody looks for what may hide it. With more, more time is
spent; with less, ways end behind things that have to be gone around."""

HIDDEN = 1.5
"""[m] What it costs to be where no next corner is seen: about the way back around what hides it."""

EASY_TURN, HARD_TURN = 0.5, 0.35
"""A small turn is walked in passing, a large one takes a stop: what a radian off the aim costs, as a share of the
rule's, and what each radian more adds to that. With less for hard ones, people walk past doors that they should
have stopped at."""

AT_CORNER = 0.5
"""[m] Whoever is this near to a corner turns towards the next one."""

ASKEW, AT_DOOR = 2.5, 0.1
"""[m] What it costs to come to a door a radian askew, from further off than the second. Whoever is nearer to the
door than the first [m] rather lines up in front of it than goes straight up to it. With more, people walk around
those who stand before a door; with less, they come to it along the wall and have to turn in it."""

ELSEWHERE = 1.5
"""[m] How far off somebody has to get for it to be elsewhere, if it has stood in the same place for too long."""


@lean
def mix(a, b):
    """A number from two, well mixed."""
    value = np.uint64(a) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(b) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0x94D049BB133111EB)
    return np.int64((value ^ (value >> np.uint64(31))) >> np.uint64(2))


@lean
def turn_to(angle):
    """Size [rad] of a turn, the short way round."""
    return abs(short_turn(angle))


@inlined
def _corners_ahead(me):
    """The last corner of somebody's route that it looks out for, and one more; around a crowd every corner counts,
    as straight on would lead into it."""
    return me.aim + 1 if me.around else min(me.aim + CORNERS_AHEAD, me.corner_count)


@inlined
def _from_corner(x, z, corner, me):
    """The length [m] of the route from (x, z) straight to a corner and on."""
    dx, dz = me.corners[corner, 0] - x, me.corners[corner, 1] - z
    return math.sqrt(dx * dx + dz * dz) + me.lengths[corner]


@inlined
def _askew(x, z, corner, me):
    """What it costs to come askew to a door that many want through: there is no room to turn in it."""
    dx, dz = me.corners[corner, 0] - x, me.corners[corner, 1] - z
    if not me.queues or math.isnan(me.axes[corner]) or dx * dx + dz * dz < AT_DOOR * AT_DOOR:
        return 0.0
    return ASKEW * turn_to(math.atan2(dx, dz) - me.axes[corner])


@lean
def next_corner(x, z, me, around):
    """The farthest corner of somebody's route that is seen from (x, z), among the next ones; and what is left [m]
    over it."""
    raster, values, corners, best = around.raster, around.values, me.corners, me.aim
    dx, dz = corners[best, 0] - x, corners[best, 1] - z
    # What hides the next corner hides it from close by: it was seen from where the search begins.
    near = min(1.0, LOOKED_AHEAD / max(math.sqrt(dx * dx + dz * dz), 1e-9))
    hidden = 0.0 if sees(raster, values, x, z, x + near * dx, z + near * dz, me.broad, me.slim) else HIDDEN
    for corner in range(me.aim + 1, _corners_ahead(me)):
        if not sees(raster, values, x, z, corners[corner, 0], corners[corner, 1], me.broad, me.slim):
            break
        best, hidden = corner, 0.0
    return best, _from_corner(x, z, best, me) + hidden


@lean
def way_left(place, me, around):
    """The length [m] of the route from a place (3,) on."""
    return 0.0 if math.isnan(me.goal[0]) else next_corner(place[0], place[1], me, around)[1]


@inlined
def _turn_left(place, corner, me, rules):
    """What it costs to turn from a place (3,) towards a corner; from close by, towards what comes after."""
    dx, dz = me.corners[corner, 0] - place[0], me.corners[corner, 1] - place[1]
    if dx * dx + dz * dz < AT_CORNER * AT_CORNER:
        if corner + 1 == me.corner_count:
            if math.isnan(me.goal[3]):
                return 0.0
            return rules.turning * max(turn_to(me.goal[3] - place[2]) - me.spread, 0.0)
        dx, dz = me.corners[corner + 1, 0] - place[0], me.corners[corner + 1, 1] - place[1]
    off = turn_to(math.atan2(dx, dz) - place[2])
    return rules.turning * off * (EASY_TURN + HARD_TURN * off)


@lean
def disturbed(place, own, crew, rules):
    """What it costs to be at a place (3,) where others ask one not to be, or where one has been for too long."""
    me, left = crew[own], 0.0
    if me.asked_by >= 0:
        asker = crew[me.asked_by]
        most = 0.0
        for row in range(asker.tube_count):
            dx, dz = place[0] - asker.tube[row, 0], place[1] - asker.tube[row, 1]
            most = max(most, asker.tube[row, 2] * (1.0 - math.sqrt(dx * dx + dz * dz) / TUBE_RADIUS))
        left += rules.yielding * most
    if me.restless > 0.0:
        away = math.hypot(place[0] - me.anchor[0], place[1] - me.anchor[1])
        left += me.restless * max(1.0 - away / ELSEWHERE, 0.0)
    return left


@lean
def still_to_go(place, exact, own, crew, rules, around):
    """What is left from a place (3,): the way alone; and with the turn towards it, and the cost of standing where
    others ask not to.

    exact: whether to look which corners of the route are seen. If not, both are no more than they may turn out to
    be: all next ones are thought to be seen.
    """
    me = crew[own]
    way = left = 0.0
    if not math.isnan(me.goal[0]):
        if exact:
            corner, way = next_corner(place[0], place[1], me, around)
            left = way + _turn_left(place, corner, me, rules) + _askew(place[0], place[1], corner, me)
        else:
            last = _corners_ahead(me) - 1
            left = way = _from_corner(place[0], place[1], last, me)
            if last == me.aim:
                left += _turn_left(place, last, me, rules)
    left += disturbed(place, own, crew, rules)
    if me.deep > 0.0:
        left += 10.0 * max(0.4 - room_at(around, place[0], place[1]), 0.0)
    return way, left


@lean
def is_there(place, pose, own, table, crew):
    """Whether a place and pose are what somebody wants."""
    me = crew[own]
    if math.isnan(me.goal[0]) or not (me.passing or table.poses[pose].rests):
        return False
    if math.hypot(place[0] - me.goal[0], place[1] - me.goal[1]) > me.goal[2]:
        return False
    return math.isnan(me.goal[3]) or turn_to(me.goal[3] - place[2]) <= me.spread


@lean
def company(number, memory, table, others, rules):
    """What it costs to meet people after what they have committed to, if they go on as they do."""
    node = memory.nodes[number]
    before, cost = memory.nodes[node.parent], 0.0
    for k in range(others.size):
        if node.frame > others.crew[others.near[k]].guess[4] and guess_meets(
            before.place[0], before.place[1], node.place[0], node.place[1], before.frame,
            table.clips[node.clip].duration, others.crew, others.near[k], GUESSED_BODY,
        ):  # fmt: skip
            cost += meeting_cost(others.crew[others.near[k]].guess, rules)
    return cost


@inlined
def meeting_cost(guess, rules):
    """What it costs to meet somebody who goes on as guessed: more if it hardly moves, as it will not be gone."""
    return rules.standing if guess[2] ** 2 + guess[3] ** 2 < HARDLY else rules.moving


@lean
def score_of(number, own, memory, table, crew, rules):
    """How bad a way is: ways of different lengths are compared as if one waited after the shorter, and whoever
    walks does not like to stop, unless only a turn is left to do."""
    node, root = memory.nodes[number], memory.nodes[0]
    bad = node.total + PACE * (root.frame + rules.horizon - node.frame) / rules.fps
    if not table.poses[node.pose].rests or table.poses[root.pose].rests:
        return bad
    goal = crew[own].goal
    there = math.hypot(node.place[0] - goal[0], node.place[1] - goal[1]) <= goal[2]
    return bad - AT_LAST if there else bad + rules.stopping
