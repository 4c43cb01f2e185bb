"""One step at a time: which of the steps that somebody could take now leads on best, and is free?

Whoever decides looks where each step would leave it a few seconds later, in the best direction after it
(`_kernels_foresight`). The step that leaves least to go is taken if it is free; else the next best. What is taken
ends in a stop that is reserved, as every commitment does.

What a step would leave at least, with nobody around, is known at once; whom it meets is looked up only of those
that may be the best.
"""

from __future__ import annotations

import math

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
from walkon.crowd.live._kernels_costs import disturbed, is_there, mix
from walkon.crowd.live._kernels_foresight import (
    BENDING,
    CORRIDOR,
    FAN,
    FORESEEN,
    KEEP_RIGHT,
    SPARE,
    STEP_SIGHT,
    TO_START,
    TURNING,
    View,
    goes_along,
    left_along,
    left_up_to,
    see,
    whole_reach,
)
from walkon.crowd.live._kernels_people import Neighbors, look_around, on_the_way
from walkon.crowd.live._kernels_search import LONGEST_STANDING, LONGEST_WALKING
from walkon.crowd.live._kernels_sides import LEAST_ASIDE, WRONG_SIDE, on_ones_side
from walkon.crowd.live._kernels_stops import can_stop, out_of_sight
from walkon.kernels import inlined, kernel, lean

STEP_REACH = 2.5
"""[m] Around somebody: whoever comes into it may be met within a step and a stop. With less, steps are refused
that nobody is in the way of; with more, more people are looked at."""

ROUNDING = 2.0
"""[s] Whoever has its target behind it wants to be no faster than would take it there in this time, and less so
the less it has to turn. With less, people circle around their goals; with more, they dawdle at corners."""

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

CLOSE_TO_WALL, CRAMPED = 0.06, 10.0
"""[m] How much room to walls people like to have where they could stop, beyond the gap that must be kept; and what
it costs [m] for each metre that is missing. Who sets off sways by 3 cm to both sides: who stands closer to a wall
can hardly go on. With more, people go in the middle of corridors, and stand in them as if they were too narrow."""

DITHERING = 1.0
"""[m] What it costs somebody who stands to turn or step about on the spot: it takes as long as setting off, and
others come meanwhile. With less, people in a crowd turn to and fro; with more, they stand where they could have
turned aside."""

GOOD_ENOUGH = 0.3
"""[m] A step that is worse than the best one by less is taken at once; for a better one somebody looks again in
the next frames, as long as there is time: somebody who is in the way may have gone on. With more, people stop for
others who were about to go on; with less, they look more often than it is worth."""

ALONE = -2
"""Instead of a step: nobody near is on the way anywhere."""


@kernel
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


@inlined
def _minded(node, off, away, view, table):
    """What somebody minds [m] of the step to a node itself, whoever is around. off, away: by how much the target
    is off the way one faces then [rad], and how far it is [m]."""
    clip, pose = table.clips[node.clip], table.poses[node.pose]
    wanted = min(view.wanted, away / (view.fps * ROUNDING * max(abs(math.sin(0.5 * off)), 0.01)))
    if not view.passing:
        wanted = min(wanted, away / (view.fps * SLOWING_DOWN))
    aside = ASIDE * abs(clip.displacement[0]) + ASKANCE * abs(clip.displacement[2])
    return aside + SLOWNESS * view.fps * abs(wanted - pose.gait)


@kernel
def left_after(node, least, view, seen, table, around):
    """What is left [m] to the target some seconds later if somebody takes the step to a node, and goes on in the
    best direction after it; with what it minds of the step itself.

    least: whether to say what would be left at least, with nobody and no wall in the way: that is quick.
    """
    clip, pose = table.clips[node.clip], table.poses[node.pose]
    x, z, heading = node.place[0], node.place[1], node.place[2]
    span = max(FORESEEN - clip.duration - (TO_START if pose.rests else 0.0), 0.0)
    to_x, to_z = view.x - x, view.z - z
    off, away, best = short_turn(math.atan2(to_x, to_z) - heading), math.sqrt(to_x * to_x + to_z * to_z), np.inf
    # Who goes slower after the step may meet nobody for it.
    slower = 0.0 < pose.gait < 0.9 * view.speed
    for side in range(3, -3, -1):
        # First straight towards the target, after whatever turn that takes.
        turn, ready = FAN * side, span
        if side == 3:
            turn, ready = off, max(span - TURNING * max(abs(off) - 2.0 * FAN, 0.0), 0.0)
        dx, dz, bending = math.sin(heading + turn), math.cos(heading + turn), BENDING * abs(turn)
        for paces in range(2 if slower else 1):
            speed = pose.gait if paces == 1 else view.speed
            reach = whole_reach(ready, speed, view)
            left = left_up_to(to_x, to_z, dx, dz, min(reach, away)) - SPARE * max(reach - away, 0.0)
            if not least and left + bending < best:
                enough = best - bending
                left = left_along(x, z, dx, dz, clip.duration, ready, speed, enough, view, seen, around)
            best = min(best, left + bending)
    best += _minded(node, off, away, view, table)
    if not least:
        best += CRAMPED * (CLOSE_TO_WALL - _room_to_stand(node, table, around))
    return best


@lean
def lay_out(memory, number, parent, clip, table):
    """The node after a clip from its parent."""
    node, before = memory.nodes[number], memory.nodes[parent]
    after(before.place, table.clips[clip].displacement, node.place)
    node.frame, node.pose = before.frame + table.clips[clip].duration, table.clips[clip].exit
    node.parent, node.clip, node.depth, node.anchor = parent, clip, before.depth + 1, -1
    node.refined = node.checked = node.kept = False
    return node


@lean
def _lay_out_all(own, view, crowd, setting, memory, rules):
    """Nodes for all that somebody could do next, with what would be left [m] at least; how many there are."""
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
        node = lay_out(memory, used, 0, clip, table)
        # What it costs whoever is around.
        node.cost = disturbed(node.place, own, crew, rules)
        gone_x, gone_z = node.place[0] - root.place[0], node.place[1] - root.place[1]
        aside = view.right_x * gone_x + view.right_z * gone_z
        node.cost += WRONG_SIDE * max(view.aside - aside, 0.0)
        to_its_side = aside > LEAST_ASIDE and view.aside > LEAST_ASIDE
        if pose.rests and place < pose.step_stop and table.poses[node.pose].rests and not to_its_side:
            node.cost += DITHERING
        if not me.passing and is_there(node.place, node.pose, own, table, crew):
            node.cost -= THERE
        node.total = node.cost + left_after(node, True, view, memory.company, table, setting.around)
        used += 1
    return used


@kernel
def is_free(number, memory, setting, others):
    """Whether somebody may take the step to a node: nothing and nobody is in its way, nor in that of a stop."""
    table, around, node = setting.table, setting.around, memory.nodes[number]
    before = memory.nodes[node.parent]
    if stands_in_way(before.place, before.frame, node.clip, before.deep, table, around):
        return False
    node.deep = way_out(before.place, node.clip, before.deep, table, around)
    if out_of_sight(before.place, node.clip, memory, table):
        return False
    if somebody_in_way(before.place, before.frame, node.clip, table, others):
        node.anchor = -SOMEBODY
        return False
    return can_stop(number, memory, table, around, others) == FREE


@kernel
def _closest(others, x, z):
    """Those of the others who come within STEP_REACH of a place; they are put first among `near`."""
    near, rims, count = others.near, others.rims, 0
    for k in range(others.size):
        apart = STEP_REACH + rims[k, 2]
        if (rims[k, 0] - x) ** 2 + (rims[k, 1] - z) ** 2 <= apart * apart:
            near[count], near[k] = near[k], near[count]
            for axis in range(3):
                rims[count, axis], rims[k, axis] = rims[k, axis], rims[count, axis]
            count += 1
    return Neighbors(others.crew, others.tracks, near, rims, count, others.gap)


@inlined
def own_view(me, pose, seen, around, rules):
    """The View of somebody in a pose who sees so many others."""
    passing = me.passing or me.aim + 1 < me.corner_count
    speed = pose.usual if math.isnan(me.pace) else me.pace / rules.fps
    wanted = max(speed + me.lag / CATCHING_UP, 0.0)
    x, z = me.corners[me.aim, 0], me.corners[me.aim, 1]
    keep_right = KEEP_RIGHT if room_at(around, me.end[0], me.end[1]) < CORRIDOR else 0.0
    return View(x, z, speed, wanted, me.broad, passing, rules.fps, keep_right, 0.0, 0.0, 0.0, seen)


@kernel
def choose_step(own, crowd, setting, memory, rules, result):
    """The node of the step that somebody takes next, or -1 if none is free; ALONE if nobody near is on the way,
    and one can look further ahead.

    result: as for `look_ahead`.
    """
    table, me, root = setting.table, crowd.crew[own], memory.nodes[0]
    root.place[:] = me.end
    root.frame, root.pose, root.parent, root.depth = me.boundary, me.pose, -1, 0
    root.anchor, root.deep, root.known = -1, me.deep, STEP_REACH
    others = look_around(own, me.end[0], me.end[1], STEP_SIGHT, crowd, memory, rules.gap)
    result[1], result[2], result[3], result[5] = -1, others.size, -1, 0
    pose = table.poses[me.pose]
    if others.size > len(memory.near):
        return -1
    # Only step by step can one go at a speed of one's own.
    if pose.follower_stop > pose.follower_start and math.isnan(me.pace) and not on_the_way(others):
        return ALONE
    seen = see(others, root.frame, me.end[0], me.end[1], LONGEST_STANDING, memory.company)
    me.streams = goes_along(me, memory.company, seen)
    view = on_ones_side(me, own_view(me, pose, seen, setting.around, rules), memory.company, setting.around)
    me.astray = view.aside
    used = _lay_out_all(own, view, crowd, setting, memory, rules)
    result[4] = used
    close = _closest(others, me.end[0], me.end[1])
    at_best = np.inf
    while True:
        best, least = -1, np.inf
        for number in range(1, used):
            if not memory.nodes[number].checked and memory.nodes[number].total < least:
                best, least = number, memory.nodes[number].total
        if best < 0:
            return -1
        node = memory.nodes[best]
        if not node.refined:
            # Only of those that may be the best is it looked up whom they meet.
            node.refined = True
            node.total = node.cost + left_after(node, False, view, memory.company, table, setting.around)
            continue
        node.checked = True
        at_best = min(at_best, least)
        result[0] += 1
        if is_free(best, memory, setting, close):
            node.anchor, result[3], result[5] = best, best, int(least < at_best + GOOD_ENOUGH)
            return best
        if result[1] < 0 and node.anchor == -SOMEBODY:
            result[1] = best
