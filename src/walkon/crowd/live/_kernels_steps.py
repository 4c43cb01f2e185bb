"""One step at a time: which of the steps that somebody could take now leads on best, and is free?

Whoever decides looks where each step would leave it a few seconds later, if everybody goes on as they do: in the
best direction after it, up to whoever or whatever is met first, and with the time that it takes to get past. The
step that leaves least to go is taken if it is free; else the next best. People choose where to walk like this in
the model of Moussaïd, Helbing and Theraulaz (2011), there among velocities, here among steps that a body can take.
What is taken ends in a stop that is reserved, as every commitment does.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from walkon.crowd.live._kernels_checks import (
    FREE,
    SOMEBODY,
    after,
    elbow_room,
    room_at,
    short_turn,
    somebody_in_way,
    stands_in_way,
    way_out,
)
from walkon.crowd.live._kernels_costs import HARDLY, disturbed, is_there, mix
from walkon.crowd.live._kernels_people import look_around
from walkon.crowd.live._kernels_queues import SAME_WAY
from walkon.crowd.live._kernels_stops import can_stop, out_of_sight
from walkon.kernels import inlined, kernel
from walkon.planning.kernels_collision import distance_at

STEP_SIGHT = 7.0
"""[m] How far around it somebody sees others: who comes head-on is met in less than three seconds. With more,
large crowds are slow; with less, people turn aside too late."""

FORESEEN = 100
"""Frames (3.3 s) after which steps are compared. With fewer, nobody goes around anybody; with more, people mind
those whom they would never have met."""

LONGEST_WALKING, LONGEST_STANDING = 30, 60
"""Frames that a step of somebody who walks takes at most, and of somebody who stands, who may have to turn round:
more can happen in that time than anybody foresees."""

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

ROUNDING = 2.0
"""[s] Whoever has its target behind it wants to be no faster than would take it there in this time, and less so
the less it has to turn. With less, people circle around their goals; with more, they dawdle at corners."""

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

BERTH, NEARLY = 0.9, 0.35
"""[m] Nearer than this nobody likes to pass, and what it costs [m] to brush past somebody at once. With more,
people keep apart where there is room; with less, streams do not part in time."""

SLOWNESS = 1.0
"""[s] What a step costs that leaves one slower than one wants to be, for each metre a second. With more, people
would rather turn aside than slow down; with less, they stroll."""

CATCHING_UP = 20
"""Frames in which somebody makes up for what it is behind or ahead of its own speed: steps have six speeds, and
whoever wants another one takes now one, now the next. With more, the mean is right only after many steps."""

SLOWING_DOWN, THERE = 0.7, 3.0
"""[s] Before its goal somebody wants to be no faster than would take it there in this time; and what it is worth
[m] to stand at the goal at last. With more of the first, people creep up to their goals."""

ASIDE, ASKANCE = 0.1, 0.1
"""What a step costs that leads a metre aside, or turns by a radian [m]: nobody weaves without a reason."""


KEEP_RIGHT, CORRIDOR = 1.0, 2.2
"""[m] What it costs to pass somebody on the wrong side who comes head-on, or stands and wants to come; and how far
off walls are at most where people mind. So streams part into two lanes. With more, people turn back to change
sides. Where there are no walls nobody keeps to one side: ways would only be longer."""

ON_THE_LEFT, ON_THE_RIGHT = 0.6, 0.8
"""[m] Who is passed this far to the left is on its right side, and who is further to the right by the second is on
the wrong one. With more, people press against the walls on their right."""

CLOSE_TO_WALL, CRAMPED = 0.06, 10.0
"""[m] How much room to walls people like to have where they could stop, beyond the gap that must be kept; and what
it costs [m] for each metre that is missing. Who sets off sways by 3 cm to both sides: who stands closer to a wall
can hardly go on. With more, people go in the middle of corridors, and stand in them as if they were too narrow."""

ALONE = -2
"""Instead of a step: nobody near is on the way anywhere."""


class View(NamedTuple):
    """What somebody sees who compares steps: target (x, z) [m]; the speed [m per frame] it likes, and the one it
    wants now to keep it in the mean; how much room [m] it needs on both sides; whether it need not stand at the
    target; frames a second; what it costs [m] to be passed on the wrong side here."""

    x: float
    z: float
    speed: float
    wanted: float
    room: float
    passing: bool
    fps: float
    keep_right: float


@inlined
def _free_ahead(around, x, z, dx, dz, most, room):
    """How far [m] one can go from a place in a direction until what stands still is nearer than `room`."""
    raster, gone = around.raster, 0.0
    while gone < most:
        free = distance_at(raster.x, raster.z, raster.cell, around.values, x + gone * dx, z + gone * dz)
        if free < room:
            return gone
        gone += max(free - room, 0.05)
    return most


@inlined
def _expected(them, dx, dz, speed):
    """The velocity [m per frame] at which somebody is expected to go on, by one who goes in a direction."""
    vx, vz = them.guess[2], them.guess[3]
    wants_x, wants_z = them.wants[0], them.wants[1]
    if vx * vx + vz * vz > HARDLY or wants_x * dx + wants_z * dz < SAME_WAY:
        return vx, vz
    return EXPECTED * speed * wants_x, EXPECTED * speed * wants_z


@kernel
def _left_along(x, z, dx, dz, frame, span, view, crew, others, around):
    """What is left [m] to the target for one who goes straight on from a place and frame for a span [frames]; and
    what it minds on the way."""
    to_x, to_z, speed = view.x - x, view.z - z, view.speed
    away, reach, minds = math.sqrt(to_x * to_x + to_z * to_z), speed * span, 0.0
    free = _free_ahead(around, x, z, dx, dz, min(reach, away), view.room)
    for k in range(others.size):
        them = crew[others.near[k]]
        late = frame - them.guess[4]
        px, pz = them.guess[0] + them.guess[2] * late - x, them.guess[1] + them.guess[3] * late - z
        squared = px * px + pz * pz
        if px * dx + pz * dz < -0.2 or squared > STEP_SIGHT * STEP_SIGHT:
            continue
        vx, vz = _expected(them, dx, dz, speed)
        rx, rz = vx - speed * dx, vz - speed * dz
        oncoming = rx * dx + rz * dz < -HEAD_ON * speed or (
            vx * vx + vz * vz < HARDLY and them.wants[0] * dx + them.wants[1] * dz < -SAME_WAY
        )
        if oncoming:
            px, pz = px + MORE_TO_THE_LEFT * dz, pz - MORE_TO_THE_LEFT * dx
        nearing, rate = -(px * rx + pz * rz), rx * rx + rz * rz
        if nearing <= 0.0 or rate < 1e-9:
            continue
        when = nearing / rate
        if oncoming and when < span:
            side = (px + rx * when) * dz - (pz + rz * when) * dx
            minds += (
                view.keep_right * (1.0 - when / FORESEEN) * min(max((ON_THE_LEFT - side) / ON_THE_RIGHT, 0.0), 1.0)
            )
        miss = math.sqrt((px + rx * when) ** 2 + (pz + rz * when) ** 2)
        if when < span and miss < BERTH:
            minds += NEARLY * (1.0 - miss / BERTH) * (1.0 - when / FORESEEN)
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
        lost *= min(max((front - MINE) / MINE_FROM, 0.0), 1.0)
        follows = min(max(vx * dx + vz * dz, 0.0), speed)
        reach = min(reach, speed * span - (speed - follows) * lost)
    far = min(reach, free)
    if free >= away:
        # Who is there before the time is up has time to spare.
        minds -= SPARE * max(reach - away, 0.0)
    return math.sqrt((to_x - far * dx) ** 2 + (to_z - far * dz) ** 2) + minds


@inlined
def _room_to_stand(node, table, around):
    """How much room [m] walls leave somebody, up to CLOSE_TO_WALL, who stops after the step to a node."""
    pose, end = node.pose, node.place.copy()
    if not table.poses[pose].rests:
        behavior = table.poses[pose].stop
        if behavior < 0:
            return CLOSE_TO_WALL
        after(end, table.clips[table.behaviors[behavior].clip_start].displacement, end)
        pose = table.behaviors[behavior].exit
        if not table.poses[pose].rests:
            return CLOSE_TO_WALL
    return elbow_room(end, pose, CLOSE_TO_WALL, table, around)


@kernel
def _left_after(node, view, table, crew, others, around):
    """What is left [m] to the target some seconds later if somebody takes the step to a node, and goes on in the
    best direction after it; with what it minds of the step itself."""
    clip, pose = table.clips[node.clip], table.poses[node.pose]
    x, z, heading = node.place[0], node.place[1], node.place[2]
    span = max(FORESEEN - clip.duration - (TO_START if pose.rests else 0.0), 0.0)
    off, best = short_turn(math.atan2(view.x - x, view.z - z) - heading), np.inf
    for side in range(-2, 4):
        # At last straight towards the target, after whatever turn that takes.
        turn, ready = FAN * side, span
        if side == 3:
            turn, ready = off, max(span - TURNING * max(abs(off) - 2.0 * FAN, 0.0), 0.0)
        dx, dz = math.sin(heading + turn), math.cos(heading + turn)
        left = _left_along(x, z, dx, dz, node.frame, ready, view, crew, others, around)
        best = min(best, left + BENDING * abs(turn))
    away = math.hypot(view.x - x, view.z - z)
    wanted = min(view.wanted, away / (view.fps * ROUNDING * max(abs(math.sin(0.5 * off)), 0.01)))
    if not view.passing:
        wanted = min(wanted, away / (view.fps * SLOWING_DOWN))
    best += ASIDE * abs(clip.displacement[0]) + ASKANCE * abs(clip.displacement[2])
    best += CRAMPED * (CLOSE_TO_WALL - _room_to_stand(node, table, around))
    return best + SLOWNESS * view.fps * abs(wanted - pose.gait)


@kernel
def _lay_out(memory, number, clip, table):
    """The node after a clip from the root."""
    node, root = memory.nodes[number], memory.nodes[0]
    after(root.place, table.clips[clip].displacement, node.place)
    node.frame, node.pose = root.frame + table.clips[clip].duration, table.clips[clip].exit
    node.parent, node.clip, node.depth, node.anchor = 0, clip, 1, -1
    node.passes = node.checked = False
    return node


@kernel
def _compare(own, view, crowd, setting, memory, others, rules):
    """Nodes for all that somebody could do next, with what would be left [m]; how many nodes there are."""
    table, crew, root = setting.table, crowd.crew, memory.nodes[0]
    me, pose, used = crew[own], table.poses[root.pose], 1
    longest = LONGEST_STANDING if pose.rests else LONGEST_WALKING
    for place in range(pose.follower_start, pose.step_stop + 1):
        if place < pose.step_stop:
            number = table.followers[place]
            behavior = table.behaviors[number]
            if behavior.waits or behavior.special >= 0 or not behavior.natural:
                continue
            first, stop, salt = behavior.clip_start, behavior.clip_stop, number
        else:
            # Or to stay where one is.
            first, stop, salt = pose.short_rests[0], pose.short_rests[1], 0
            if not pose.rests:
                continue
        clip = first + mix(own, root.frame * 64 + salt) % (stop - first)
        if table.clips[clip].duration > (
            LONGEST_STANDING if table.poses[table.clips[clip].exit].rests else longest
        ):
            continue
        node = _lay_out(memory, used, clip, table)
        node.total = _left_after(node, view, table, crew, others, setting.around)
        node.total += disturbed(node.place, own, crew, rules)
        if not me.passing and is_there(node.place, node.pose, own, table, crew):
            node.total -= THERE
        used += 1
    return used


@kernel
def _is_free(number, memory, setting, others):
    """Whether somebody may take the step to a node: nothing and nobody is in its way, nor in that of a stop."""
    table, around, node, root = setting.table, setting.around, memory.nodes[number], memory.nodes[0]
    if stands_in_way(root.place, root.frame, node.clip, root.deep, table, around):
        return False
    node.deep = way_out(root.place, node.clip, root.deep, table, around)
    if out_of_sight(root.place, node.clip, memory, table):
        return False
    if somebody_in_way(root.place, root.frame, node.clip, table, others):
        node.anchor = -SOMEBODY
        return False
    return can_stop(number, memory, table, around, others) == FREE


@inlined
def _on_the_way(others):
    """Whether any of the others wants to be elsewhere."""
    for k in range(others.size):
        them = others.crew[others.near[k]]
        if not (them.settled or math.isnan(them.goal[0])):
            return True
    return False


@kernel
def choose_step(own, crowd, setting, memory, rules, result):
    """The node of the step that somebody takes next, or -1 if none is free; ALONE if nobody near is on the way,
    and one can look further ahead.

    result: as for `look_ahead`.
    """
    table, me, root = setting.table, crowd.crew[own], memory.nodes[0]
    root.place[:] = me.end
    root.frame, root.pose, root.parent, root.depth = me.boundary, me.pose, -1, 0
    root.anchor, root.deep, root.known = -1, me.deep, STEP_SIGHT
    others = look_around(own, me.end[0], me.end[1], STEP_SIGHT, crowd, memory.near, rules.gap)
    result[1], result[2], result[3], result[5] = -1, others.size, -1, 0
    pose = table.poses[me.pose]
    if others.size > len(memory.near):
        return -1
    # Only step by step can one go at a speed of one's own.
    own_pace = not math.isnan(me.pace)
    if pose.follower_stop > pose.follower_start and not own_pace and not _on_the_way(others):
        return ALONE
    passing = me.passing or me.aim + 1 < me.corner_count
    speed = me.pace / rules.fps if own_pace else pose.usual
    wanted = max(speed + me.lag / CATCHING_UP, 0.0)
    x, z = me.corners[me.aim, 0], me.corners[me.aim, 1]
    keep_right = KEEP_RIGHT if room_at(setting.around, me.end[0], me.end[1]) < CORRIDOR else 0.0
    view = View(x, z, speed, wanted, me.broad, passing, rules.fps, keep_right)
    used = _compare(own, view, crowd, setting, memory, others, rules)
    result[4] = used
    while True:
        best, least = -1, np.inf
        for number in range(1, used):
            if not memory.nodes[number].checked and memory.nodes[number].total < least:
                best, least = number, memory.nodes[number].total
        if best < 0:
            return -1
        memory.nodes[best].checked = True
        result[0] += 1
        if _is_free(best, memory, setting, others):
            memory.nodes[best].anchor, result[3], result[5] = best, best, 1
            return best
        if result[1] < 0 and memory.nodes[best].anchor == -SOMEBODY:
            result[1] = best
