"""What a way is worth: what is left of it, whom it meets, how it compares with others."""

from __future__ import annotations

import math

import numpy as np

from walkon.crowd.live._kernels_checks import room_at, short_turn
from walkon.crowd.live._kernels_people import guess_meets
from walkon.crowd.live.repertoire import PACE
from walkon.kernels import inlined, kernel
from walkon.rotations.kernels import turned_back

TUBE_RADIUS = 0.85
"""[m] How far somebody keeps from the middle of a way that it was asked to leave: about two bodies. With less,
nobody gets past; with more, people leave who were not in the way."""

FORESIGHT, BERTH, TO_THE_RIGHT = 90, 1.1, 0.2
"""Frames for which people are thought to go straight on, how far [m] from their middle nobody minds them, and by
how much [m] those who come head-on are thought to be further to the left."""

GUESSED_BODY = 0.36
"""[m] Radius of somebody whose way is only guessed: less than that of any body in motion, as guesses are rough."""

HARDLY = 1e-5
"""[m² per frame²] Who is guessed to move by less than the root of this, 0.1 m/s at 30 Hz, counts as standing."""

AT_LAST = 3.0
"""[m] What it is worth to stand at the goal, in metres still to go, whichever way one faces. With less, whoever
walks on to turn may walk in circles."""

ELSEWHERE = 1.5
"""[m] How far off somebody has to get for it to be elsewhere, if it has stood in the same place for too long."""


@kernel
def mix(a, b):
    """A number from two, well mixed."""
    value = np.uint64(a) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(b) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0x94D049BB133111EB)
    return np.int64((value ^ (value >> np.uint64(31))) >> np.uint64(2))


@kernel
def turn_to(angle):
    """Size [rad] of a turn, the short way round."""
    return abs(short_turn(angle))


@kernel
def way_left(place, me):
    """The length [m] of the route from a place (3,) on."""
    if math.isnan(me.goal[0]):
        return 0.0
    return math.hypot(me.corners[me.aim, 0] - place[0], me.corners[me.aim, 1] - place[1]) + me.lengths[me.aim]


@kernel
def still_to_go(place, own, crew, rules, around):
    """What is left from a place (3,): the way, the turn towards it, and the cost of standing where others ask not
    to."""
    me = crew[own]
    left = 0.0
    if not math.isnan(me.goal[0]):
        dx, dz = me.corners[me.aim, 0] - place[0], me.corners[me.aim, 1] - place[1]
        away = math.sqrt(dx * dx + dz * dz)
        left = away + me.lengths[me.aim]
        if away > 0.5:
            left += rules.turning * turn_to(math.atan2(dx, dz) - place[2])
        elif not math.isnan(me.goal[3]):
            left += rules.turning * max(turn_to(me.goal[3] - place[2]) - me.spread, 0.0)
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
    if me.deep > 0.0:
        left += 10.0 * max(0.4 - room_at(around, place[0], place[1]), 0.0)
    return left


@kernel
def is_there(place, pose, own, table, crew):
    """Whether a place and pose are what somebody wants."""
    me = crew[own]
    if math.isnan(me.goal[0]) or not (me.passing or table.poses[pose].rests):
        return False
    if math.hypot(place[0] - me.goal[0], place[1] - me.goal[1]) > me.goal[2]:
        return False
    return math.isnan(me.goal[3]) or turn_to(me.goal[3] - place[2]) <= me.spread


@kernel
def outlook(node, memory, table, others, rules):
    """What it costs to be about to meet people after an anchor, if everybody goes straight on.

    A way may turn aside after its anchor, but that is not promised, and the others do not know: by then they may
    have come where it would have turned. So it pays to turn aside at once, and to the right if somebody comes
    head-on.
    """
    if table.poses[node.pose].rests:
        return 0.0
    before, cost = memory.nodes[node.parent], 0.0
    sine, cosine = math.sin(node.place[2]), math.cos(node.place[2])
    pace = math.hypot(node.place[0] - before.place[0], node.place[1] - before.place[1])
    pace /= table.clips[node.clip].duration
    for k in range(others.size):
        guess = others.crew[others.near[k]].guess
        x = guess[0] + guess[2] * (node.frame - guess[4]) - node.place[0]
        z = guess[1] + guess[3] * (node.frame - guess[4]) - node.place[1]
        # As whoever walks sees it: ahead and to the left, and how fast that changes.
        aside, ahead = turned_back(x, z, sine, cosine)
        passing, coming = turned_back(guess[2], guess[3], sine, cosine)
        coming -= pace
        if coming < -1.4 * pace:
            aside += TO_THE_RIGHT
        speed = coming * coming + passing * passing
        if speed < 1e-9:
            continue
        when = -(ahead * coming + aside * passing) / speed
        if 0.0 < when < FORESIGHT:
            miss = math.hypot(ahead + coming * when, aside + passing * when)
            cost += rules.outlook * max(1.0 - miss / BERTH, 0.0) * (1.0 - when / FORESIGHT)
    return cost


@kernel
def company(number, memory, table, others, rules):
    """What it costs to meet people beyond the anchor, if they go on as they do."""
    node = memory.nodes[number]
    if node.anchor < 0:
        return 0.0
    if node.anchor == number:
        return outlook(node, memory, table, others, rules)
    before, cost = memory.nodes[node.parent], 0.0
    for k in range(others.size):
        if guess_meets(
            before.place[0], before.place[1], node.place[0], node.place[1], before.frame,
            table.clips[node.clip].duration, others.crew, others.near[k], GUESSED_BODY,
        ):  # fmt: skip
            cost += meeting_cost(others.crew[others.near[k]].guess, rules)
    return cost


@inlined
def meeting_cost(guess, rules):
    """What it costs to meet somebody who goes on as guessed: more if it hardly moves, as it will not be gone."""
    return rules.standing if guess[2] ** 2 + guess[3] ** 2 < HARDLY else rules.moving


@kernel
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
