"""Where somebody who goes straight on would be some seconds later, if everybody goes on as they do: up to whoever
or whatever is met first, and with the time that it takes to get past.

People choose where to walk like this in the model of Moussaïd, Helbing and Theraulaz (2011).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from walkon.crowd.live._kernels_costs import HARDLY
from walkon.crowd.live._kernels_queues import SAME_WAY
from walkon.kernels import inlined, lean
from walkon.planning.kernels_collision import distance_at

STEP_SIGHT = 5.0
"""[m] How far around it somebody sees others: who comes head-on is met in two seconds. With more, crowds flow no
better, and each look takes longer; with less, people turn aside too late."""

RINGS = (2.0, 4.0, np.inf)
"""[m] Around somebody: those in the first ring are looked at first, as they are most likely to be in its way. With
more rings, more time is spent on sorting than is won."""

FARTHEST_STEP = 1.5
"""[m] No step leads farther than this. With more, people are looked at who are too far away to matter; with less,
somebody who matters after a long step is overlooked."""

FORESEEN = 100
"""Frames (3.3 s) after which steps are compared. With fewer, nobody goes around anybody; with more, people mind
those whom they would never have met."""

SLOWED = 30
"""Frames (1 s) for which somebody goes slower than it likes to let others pass. With more, people would rather
turn aside than slow down; with less, they slow down for whoever is far off."""

TO_START = 15
"""Frames that it takes somebody who stands to be under way."""

SHOULDERS = 0.58
"""[m] Between the middles of two who just pass each other. With more, people walk around gaps that they fit into;
with less, they walk into ones that they do not."""

FAN, BENDING = 0.3, 0.1
"""[rad] Between the directions that somebody may go on in after a step, two to either side; and what it costs [m]
to turn by a radian then. With a wider fan, people count on turns that they do not make."""

TURNING = 25.0
"""Frames that it takes to turn by a radian beyond that. With more, people who have walked past their goals walk
on; with less, they count on turns for which there is no time."""

SPARE = 0.5
"""What a metre is worth that one could have gone on beyond the target. With less, nobody hurries who is near."""

EXPECTED = 0.3
"""What share of one's own speed somebody who stands is expected to make if it wants to go the same way: who waits
will go on. With more, queues push; with less, people leave them."""

GET_CLEAR = 1.5
"""How many times SHOULDERS somebody who crosses has to go on until it is out of the way."""

GET_AROUND = 0.35
"""[m/s] How quickly somebody gets aside to pass another. With more, people walk up to each other and then stand;
with less, they go far around."""

HEAD_ON, MORE_TO_THE_LEFT = 1.4, 0.2
"""Those who come nearer by more than so many times one's own speed come head-on, and are thought to be so far [m]
to the left of where they are, so that both turn to the right. With more, people leave their way for nothing."""

MINE, MINE_FROM = 0.1, 0.4
"""Cosine of where somebody is met, from straight ahead, up to which it is the other who gives way, and how much
more it takes for it to be all mine: who is met from the side or from behind came later. With more, nobody gives
way; with less, both do."""

GOES_ALONG = 0.5
"""Share of one's own speed: who goes the same way by more than this, and is ahead, goes first. With more, two
whose ways converge walk beside each other, each a little aside at every step, until far past their goals; with
less, people wait for whoever crosses."""

BERTH, NEARLY = 0.9, 0.35
"""[m] Nearer than this nobody likes to pass, and what it costs [m] to brush past somebody at once. With more,
people keep apart where there is room; with less, streams do not part in time."""

MINDED = max(BERTH, SHOULDERS) ** 2
"""[m²] Who is passed farther off than the root of this matters only where people keep to the right."""

KEEP_RIGHT, CORRIDOR = 1.0, 2.2
"""[m] What it costs to pass somebody on the wrong side who comes head-on, or stands and wants to come; and how far
off walls are at most where people mind. So streams part into two lanes. With more, people turn back to change
sides. Where there are no walls nobody keeps to one side: ways would only be longer."""

ON_THE_LEFT, ON_THE_RIGHT = 0.6, 0.8
"""[m] Who is passed this far to the left is on its right side, and who is further to the right by the second is on
the wrong one. With more, people press against the walls on their right."""


STREAM = 3.0
"""[m] Whoever has nobody within this distance who wants to go another way is in a stream. With more, few are in
one; with less, people hold ways that others are about to cross."""


class View(NamedTuple):
    """What somebody sees who compares steps: target (x, z) [m]; the speed [m per frame] it likes, and the one it
    wants now to keep it in the mean; how much room [m] it needs on both sides; whether it need not stand at the
    target; frames a second; what it costs [m] to be passed on the wrong side here; the direction x, z of its own
    side, where it has one, and how far [m] off that is; and how many others it sees."""

    x: float
    z: float
    speed: float
    wanted: float
    room: float
    passing: bool
    fps: float
    keep_right: float
    right_x: float
    right_z: float
    aside: float
    others: int


@inlined
def free_ahead(around, x, z, dx, dz, most, room):
    """How far [m] one can go from a place in a direction until what stands still is nearer than `room`."""
    raster, gone = around.raster, 0.0
    while gone < most:
        free = distance_at(raster.x, raster.z, raster.cell, around.values, x + gone * dx, z + gone * dz)
        if free < room:
            return gone
        gone += max(free - room, 0.05)
    return most


@inlined
def _expected(seen, dx, dz, speed):
    """The velocity [m per frame] at which somebody who is seen is expected to go on, by one who goes in a
    direction."""
    vx, vz, wants_x, wants_z = seen[2], seen[3], seen[4], seen[5]
    if vx * vx + vz * vz > HARDLY or wants_x * dx + wants_z * dz < SAME_WAY:
        return vx, vz
    return EXPECTED * speed * wants_x, EXPECTED * speed * wants_z


@lean
def see(others, frame, x, z, longest, seen):
    """Write of those who may matter where they are thought to be at a frame (x, z), their change per frame, and
    the direction that they want to go in: seen (·, 6), the nearest first, by RINGS. How many they are.

    x, z: where one is then; longest: frames that one's step may take.
    """
    count, inner = 0, 0.0
    for outer in RINGS:
        for k in range(others.size):
            them = others.crew[others.near[k]]
            guess, late = them.guess, frame - them.guess[4]
            at_x, at_z = guess[0] + guess[2] * late, guess[1] + guess[3] * late
            away = (at_x - x) ** 2 + (at_z - z) ** 2
            if away < inner * inner or away >= outer * outer:
                continue
            far = STEP_SIGHT + FARTHEST_STEP + longest * math.sqrt(guess[2] * guess[2] + guess[3] * guess[3])
            if away > far * far:
                continue
            mine = seen[count]
            mine[0], mine[1], mine[2], mine[3] = at_x, at_z, guess[2], guess[3]
            mine[4], mine[5] = them.wants[0], them.wants[1]
            count += 1
        inner = outer
    return count


@lean
def goes_along(me, seen, count):
    """Whether somebody is in a stream: of all whom it sees nearby, nobody wants to go another way."""
    for k in range(count):
        them = seen[k]
        away = (them[0] - me.end[0]) ** 2 + (them[1] - me.end[1]) ** 2
        aimless = them[4] == 0.0 and them[5] == 0.0
        alike = them[4] * me.wants[0] + them[5] * me.wants[1] > SAME_WAY
        if away < STREAM * STREAM and not (alike or aimless):
            return False
    return True


@inlined
def whole_reach(span, speed, view):
    """How far [m] one gets in a span [frames] who goes at a speed [m per frame] for SLOWED frames at most, and
    then at its own."""
    return view.speed * span + (speed - view.speed) * min(span, SLOWED)


@inlined
def left_up_to(to_x, to_z, dx, dz, far):
    """What is left [m] to a target at (to_x, to_z) at the nearest place to it that one who goes in a direction
    passes, up to `far` [m]. Whoever is held up may be nearer to it than one who goes on past it."""
    far = min(max(to_x * dx + to_z * dz, 0.0), far)
    return math.sqrt((to_x - far * dx) ** 2 + (to_z - far * dz) ** 2)


@inlined
def _minded_when_passed(miss, side, keep_right):
    """What it costs [m] to pass somebody at once who is `miss` [m] off then, `side` of it to the left; keep_right:
    what it costs on the wrong side."""
    wrong = min(max((ON_THE_LEFT - side) / ON_THE_RIGHT, 0.0), 1.0)
    return keep_right * wrong + NEARLY * max(1.0 - miss / BERTH, 0.0)


@inlined
def _whose(front, beside):
    """How much somebody has to give way to one whom it meets: from 0, not at all, to 1. front: cosine of where it
    is met, from straight ahead; beside: whether it goes the same way."""
    if beside:
        return 1.0 if front > 0.0 else 0.0
    return min(max((front - MINE) / MINE_FROM, 0.0), 1.0)


@inlined
def _comes_head_on(them, vx, vz, dx, dz, speed):
    """Whether somebody seen comes the other way at vx, vz, or stands and wants to."""
    if vx * vx + vz * vz < HARDLY and them[4] * dx + them[5] * dz < -SAME_WAY:
        return True
    return (vx - speed * dx) * dx + (vz - speed * dz) * dz < -HEAD_ON * speed


@lean
def left_along(x, z, dx, dz, late, span, speed, enough, view, seen, around):
    """What is left [m] to the target for one who goes straight on from a place for a span [frames], `late` frames
    after others were seen; and what it minds on the way. Infinite if that is no less than `enough`.

    speed: [m per frame] at which it meets others; after SLOWED frames it goes on at its own.
    """
    to_x, to_z = view.x - x, view.z - z
    away, whole, minds = math.sqrt(to_x * to_x + to_z * to_z), whole_reach(span, speed, view), 0.0
    reach = whole
    free = free_ahead(around, x, z, dx, dz, min(reach, away), view.room)
    spare = SPARE * max(reach - away, 0.0) if free >= away else 0.0
    least = left_up_to(to_x, to_z, dx, dz, free) - spare
    if least >= enough:
        return np.inf
    for k in range(view.others):
        them = seen[k]
        px, pz = them[0] + them[2] * late - x, them[1] + them[3] * late - z
        squared = px * px + pz * pz
        if px * dx + pz * dz < -0.2 or squared > STEP_SIGHT * STEP_SIGHT:
            continue
        vx, vz = _expected(them, dx, dz, speed)
        rx, rz = vx - speed * dx, vz - speed * dz
        wrong_side, oncoming = 0.0, _comes_head_on(them, vx, vz, dx, dz, speed)
        if oncoming:
            wrong_side = view.keep_right
            px, pz = px + MORE_TO_THE_LEFT * dz, pz - MORE_TO_THE_LEFT * dx
        nearing, rate = -(px * rx + pz * rz), rx * rx + rz * rz
        # Most are passed so far off that nobody minds: the square of how far, times `rate`, is told at once.
        far_off = (px * rz - pz * rx) ** 2 > MINDED * rate
        if nearing <= 0.0 or rate < 1e-9 or (far_off and wrong_side == 0.0):
            continue
        when = nearing / rate
        miss_x, miss_z = px + rx * when, pz + rz * when
        miss = math.sqrt(miss_x * miss_x + miss_z * miss_z)
        if when < span:
            side = miss_x * dz - miss_z * dx
            minds += _minded_when_passed(miss, side, wrong_side) * (1.0 - when / FORESEEN)
        body = min(SHOULDERS, 0.95 * math.sqrt(squared))
        if miss >= body:
            continue
        touch = max(when - math.sqrt((body * body - miss * miss) / rate), 0.0)
        if touch >= span:
            continue
        # Until it has crossed, or one has got around it; but not if it runs into one's side.
        across = max(abs(vx * dz - vz * dx), 1e-4)
        lost = min(span - touch, GET_CLEAR * body / across, (body - miss) / GET_AROUND * view.fps)
        front = ((px + rx * touch) * dx + (pz + rz * touch) * dz) / body
        follows = min(max(vx * dx + vz * dz, 0.0), speed)
        lost *= _whose(front, follows > GOES_ALONG * speed)
        goes = whole - (speed - follows) * lost
        if goes < reach:
            reach = goes
            least = left_up_to(to_x, to_z, dx, dz, min(reach, free)) - spare
        if least + minds >= enough:
            return np.inf
    far = min(reach, free)
    if free >= away:
        # Who is there before the time is up has time to spare.
        minds -= SPARE * max(reach - away, 0.0)
    return math.sqrt((to_x - far * dx) ** 2 + (to_z - far * dz) ** 2) + minds
