"""Looking ahead: what to do from the next boundary on, such that one can always come to a stand.

A best-first search over clips. The part of a way that will be committed is checked against what others have
committed to, exactly; it ends at an *anchor*, a place from which a stop is free as well, for good. Beyond the
anchor, others are only guessed to go on as they do, and meeting them costs. So a crowd that flows is not taken
for one that stands, and yet nothing is ever committed that somebody else could be met in.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from walkon.crowd.live._kernels_checks import (
    FREE,
    SOMEBODY,
    STANDING,
    after,
    can_rest,
    invites,
    room_at,
    somebody_in_way,
    stands_in_way,
    way_out,
)
from walkon.crowd.live._kernels_people import gather, guess_meets
from walkon.crowd.live._kernels_routes import pop, push
from walkon.crowd.live.repertoire import PACE

NODES, SEEN = 4096, 4096
"""Most nodes of a search, and places it remembers."""

SIGHT, FAR_SIGHT = 8.0, 20.0
"""[m] How far around its boundary somebody knows all others; farther if there is something to jump over."""

BARELY = 3
"""A clip is free, but somebody is in the way of any stop after it."""

WIDE = 0.85
"""[m] How far somebody keeps from the middle of a way that it was asked to leave."""

FORESIGHT, BERTH, TO_THE_RIGHT = 90, 1.1, 0.2
"""Frames for which people are thought to go straight on, how far [m] from their middle nobody minds them, and by
how much [m] those who come head-on are thought to be further to the left."""

AT_LAST = 3.0
"""What it is worth to stand at the goal, whichever way one faces: who walks on to turn may walk in circles."""

ELSEWHERE = 1.5
"""[m] So far off is elsewhere, for who has stood in the same place for too long."""

GOOD = 0.85
"""A way is good that loses no more than so much of the time it takes."""

NODE = np.dtype(
    [
        ("place", np.float64, (3,)),
        ("frame", np.int64),
        ("pose", np.int64),
        ("parent", np.int64),
        ("clip", np.int64),
        ("depth", np.int64),
        ("anchor", np.int64),  # the node that would be committed, or -1
        ("checked", np.bool_),
        ("stops", np.int64, (3,)),  # clips of the stop at an anchor
        ("stop_count", np.int64),
        ("deep", np.float64),  # how far [m] inside what stands still one may be from here on
        ("cost", np.float64),  # so far
        ("known", np.float64),  # of the root: how far around it [m] all people were looked up
        ("way", np.float64),  # still to go, along the route alone
        ("left", np.float64),  # all that is still to be done
        ("total", np.float64),
    ],
    align=True,
)


class Memory(NamedTuple):
    """What one search needs; one per thread. nodes: of NODE. keys, items: the heap. near: rows of people around.
    seen, stamps: places already looked at, and in which search; stamp: (1,) the number of this one."""

    nodes: NDArray[Any]
    keys: NDArray[np.float64]
    items: NDArray[np.int64]
    near: NDArray[np.int64]
    seen: NDArray[np.int64]
    stamps: NDArray[np.int64]
    stamp: NDArray[np.int64]


class Rules(NamedTuple):
    """How to look ahead. horizon: frames. gap [m] to others. fps. weight: of what is still to go. turning: cost
    of a radian off the aim. moving, standing: cost of meeting somebody who goes on, or stands. yielding: cost of
    a metre inside a way that is asked for. deepest: clips in a way. room: frames a way may take. patience [s]:
    after which others are asked to make way. progress [m]: what a move must be worth to be made although nothing
    good follows."""

    horizon: int
    gap: float
    fps: float
    weight: float
    turning: float
    moving: float
    standing: float
    yielding: float
    deepest: int
    room: int
    patience: float
    progress: float
    stopping: float
    effort: float
    again: int
    outlook: float
    calm: float
    unrest: float


def make_memory(near: int = 768) -> Memory:
    """Memory for searches among at most so many people."""
    return Memory(
        np.zeros(NODES, dtype=NODE),
        np.zeros(NODES + 1),
        np.zeros(NODES + 1, dtype=np.int64),
        np.zeros(near, dtype=np.int64),
        np.zeros(SEEN, dtype=np.int64),
        np.zeros(SEEN, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


@njit(cache=True, nogil=True)
def mix(a, b):
    """A number from two, well mixed."""
    value = np.uint64(a) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(b) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0x94D049BB133111EB)
    return np.int64((value ^ (value >> np.uint64(31))) >> np.uint64(2))


@njit(cache=True, nogil=True)
def turn_to(angle):
    """Size [rad] of a turn, the short way round."""
    return abs(angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5))


@njit(cache=True, nogil=True)
def way_left(place, me):
    """The length [m] of the route from a place (3,) on."""
    if math.isnan(me.goal[0]):
        return 0.0
    return math.hypot(me.corners[me.aim, 0] - place[0], me.corners[me.aim, 1] - place[1]) + me.lengths[me.aim]


@njit(cache=True, nogil=True)
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
            most = max(most, asker.tube[row, 2] * (1.0 - math.sqrt(dx * dx + dz * dz) / WIDE))
        left += rules.yielding * most
    if me.restless > 0.0:
        away = math.hypot(place[0] - me.anchor[0], place[1] - me.anchor[1])
        left += me.restless * max(1.0 - away / ELSEWHERE, 0.0)
    if me.deep > 0.0:
        left += 10.0 * max(0.4 - room_at(around, place[0], place[1]), 0.0)
    return left


@njit(cache=True, nogil=True)
def _out_of_sight(place, clip, memory, table):
    """Whether a clip from a place (3,) leads to where others were not looked up."""
    root, bound = memory.nodes[0], table.clips[clip].bound
    sine, cosine = math.sin(place[2]), math.cos(place[2])
    x, z = place[0] + bound[0] * cosine + bound[1] * sine, place[1] - bound[0] * sine + bound[1] * cosine
    # Half a metre for what somebody does who rests in the end.
    return math.hypot(x - root.place[0], z - root.place[1]) + bound[2] + 0.5 > root.known


@njit(cache=True, nogil=True)
def can_stop(number, own, memory, table, crew, tracks, around, count, gap):
    """Whether a stop from a node is free, for good; its clips go to the node. FREE, STANDING or SOMEBODY."""
    node = memory.nodes[number]
    deep = node.deep
    place, end = node.place.copy(), np.empty(3)
    pose, frame = node.pose, node.frame
    node.stop_count = 0
    if table.poses[pose].rests:
        return can_rest(place, pose, frame, deep, table, crew, tracks, around, memory.near, count, gap)
    while not table.poses[pose].rests:
        behavior, used = table.poses[pose].stop, node.stop_count
        if behavior < 0 or used == len(node.stops):
            return STANDING
        chosen, verdict, leads_to = -1, STANDING, table.behaviors[behavior].exit
        for clip in range(table.behaviors[behavior].clip_start, table.behaviors[behavior].clip_stop):
            if stands_in_way(place, frame, clip, deep, table, around):
                continue
            if _out_of_sight(place, clip, memory, table) or somebody_in_way(
                place, frame, clip, table, crew, tracks, memory.near, count, gap
            ):
                verdict = SOMEBODY
                continue
            after(place, table.clips[clip].displacement, end)
            if table.poses[leads_to].rests:
                rest = can_rest(
                    end, leads_to, frame + table.clips[clip].duration, way_out(place, clip, deep, table, around),
                    table, crew, tracks, around, memory.near, count, gap,
                )  # fmt: skip
                if rest != FREE:
                    verdict = max(verdict, rest)
                    continue
            chosen = clip
            break
        if chosen < 0:
            return verdict
        deep = way_out(place, chosen, deep, table, around)
        node.stops[used] = chosen
        node.stop_count = used + 1
        place[:] = end
        frame, pose = frame + table.clips[chosen].duration, leads_to
    return FREE


@njit(cache=True, nogil=True)
def _been_there(memory, node):
    """Whether this search was at much the same place, pose and time before; remembers it."""
    a = np.int64(math.floor(node.place[0] * 4.0)) * 8192 + np.int64(math.floor(node.place[1] * 4.0))
    b = (np.int64(math.floor(node.place[2] * 3.2)) + 64) * 4096 + node.frame // 12
    key = mix(a, b * 64 + node.pose)
    slot = key & (SEEN - 1)
    for _ in range(8):
        if memory.stamps[slot] != memory.stamp[0]:
            memory.stamps[slot], memory.seen[slot] = memory.stamp[0], key
            return False
        if memory.seen[slot] == key:
            return True
        slot = (slot + 1) & (SEEN - 1)
    return False


@njit(cache=True, nogil=True)
def is_there(place, pose, own, table, crew):
    """Whether a place and pose are what somebody wants."""
    me = crew[own]
    if math.isnan(me.goal[0]) or not (me.passing or table.poses[pose].rests):
        return False
    if math.hypot(place[0] - me.goal[0], place[1] - me.goal[1]) > me.goal[2]:
        return False
    return math.isnan(me.goal[3]) or turn_to(me.goal[3] - place[2]) <= me.spread


@njit(cache=True, nogil=True)
def _add(memory, used, heap, parent, clip, own, table, crew, rules, around):
    """A node after a clip from its parent, onto the heap; how many are on it."""
    node, before = memory.nodes[used], memory.nodes[parent]
    after(before.place, table.clips[clip].displacement, node.place)
    node.frame, node.pose = before.frame + table.clips[clip].duration, table.clips[clip].exit
    node.parent, node.clip, node.depth = parent, clip, before.depth + 1
    node.anchor, node.checked = -1, False
    node.cost = before.cost + table.clips[clip].cost
    node.way = way_left(node.place, crew[own])
    node.left = still_to_go(node.place, own, crew, rules, around)
    node.total = node.cost + rules.weight * node.left
    return push(memory.keys, memory.items, heap, node.total, used)


@njit(cache=True, nogil=True)
def _expand(memory, used, heap, parent, own, sporty, impatience, table, crew, rules, around):
    """All that may follow a node, onto the heap; how many nodes there are then, and how many on the heap."""
    pose, frame = memory.nodes[parent].pose, memory.nodes[parent].frame
    for place in range(table.poses[pose].follower_start, table.poses[pose].follower_stop):
        number = table.followers[place]
        behavior = table.behaviors[number]
        if behavior.waits or not (behavior.natural or sporty) or (behavior.special >= 0 and not sporty):
            continue
        clip = behavior.clip_start + mix(own, frame * 64 + number) % (behavior.clip_stop - behavior.clip_start)
        heap = _add(memory, used, heap, parent, clip, own, table, crew, rules, around)
        used += 1
    if table.poses[pose].rests:
        first, stop = table.poses[pose].short_rests[0], table.poses[pose].short_rests[1]
        clip = first + mix(own, frame) % (stop - first)
        heap = _add(memory, used, heap, parent, clip, own, table, crew, rules, around)
        # Who has waited for long does not put things off any more.
        memory.nodes[used].cost += impatience * table.clips[clip].cost
        memory.nodes[used].total += impatience * table.clips[clip].cost
        used += 1
    return used, heap


@njit(cache=True, nogil=True)
def _leads_on(number, own, memory, table, crew, rules):
    """Whether a way may be committed that ends at a node.

    Who stands does not turn or step aside in the hope that a way will open: it does so as part of a way that is
    free, or it waits. Otherwise a crowd shuffles about for ever, everybody in everybody's way.
    """
    node, root, me = memory.nodes[number], memory.nodes[0], crew[own]
    if not table.poses[node.pose].rests or me.deep > 0.0 or me.hurry:
        return True
    if table.behaviors[table.clips[node.clip].behavior].waits or root.way - node.way >= rules.progress:
        return True
    if (me.asked_by >= 0 or me.restless > 0.0) and root.left - node.left >= rules.progress:
        return True
    return is_there(node.place, node.pose, own, table, crew)


@njit(cache=True, nogil=True)
def _check(  # noqa: PLR0911 - one question after another
    number, own, memory, table, crew, tracks, around, count, rules
):
    """Look at the clip that leads to a node. FREE, STANDING or SOMEBODY; a node that is free may have an
    anchor."""
    node = memory.nodes[number]
    before = memory.nodes[node.parent]
    if stands_in_way(before.place, before.frame, node.clip, before.deep, table, around):
        return STANDING
    node.deep = way_out(before.place, node.clip, before.deep, table, around)
    if before.anchor >= 0:
        node.anchor = before.anchor
        return FREE
    if _out_of_sight(before.place, node.clip, memory, table):
        return SOMEBODY
    if somebody_in_way(before.place, before.frame, node.clip, table, crew, tracks, memory.near, count, rules.gap):
        return SOMEBODY
    if not _leads_on(number, own, memory, table, crew, rules):
        return FREE if node.depth == 1 else SOMEBODY
    stop = can_stop(number, own, memory, table, crew, tracks, around, count, rules.gap)
    if stop == FREE:
        node.anchor = number
    # Without a stop one may still go on, to where there is one: across a lane, or over an obstacle.
    if stop != SOMEBODY:
        return FREE
    return BARELY if node.depth < 2 else SOMEBODY


@njit(cache=True, nogil=True)
def _outlook(node, memory, table, crew, count, rules):
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
    for k in range(count):
        guess = crew[memory.near[k]].guess
        x = guess[0] + guess[2] * (node.frame - guess[4]) - node.place[0]
        z = guess[1] + guess[3] * (node.frame - guess[4]) - node.place[1]
        # As whoever walks sees it: ahead and to the left, and how fast that changes.
        ahead, aside = x * sine + z * cosine, x * cosine - z * sine
        coming, passing = guess[2] * sine + guess[3] * cosine - pace, guess[2] * cosine - guess[3] * sine
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


@njit(cache=True, nogil=True)
def _company(number, memory, table, crew, count, rules):
    """What it costs to meet people beyond the anchor, if they go on as they do."""
    node = memory.nodes[number]
    if node.anchor < 0:
        return 0.0
    if node.anchor == number:
        return _outlook(node, memory, table, crew, count, rules)
    before, cost = memory.nodes[node.parent], 0.0
    for k in range(count):
        other = memory.near[k]
        if guess_meets(
            before.place[0], before.place[1], node.place[0], node.place[1], before.frame,
            table.clips[node.clip].duration, crew, other, 0.36,
        ):  # fmt: skip
            still = crew[other].guess[2] ** 2 + crew[other].guess[3] ** 2 < 1e-5
            cost += rules.standing if still else rules.moving
    return cost


@njit(cache=True, nogil=True)
def _score(number, own, memory, table, crew, rules):
    """How bad a way is: ways of different lengths are compared as if one waited after the shorter, and whoever
    walks does not like to stop, unless only a turn is left to do."""
    node, root = memory.nodes[number], memory.nodes[0]
    score = node.total + PACE * (root.frame + rules.horizon - node.frame) / rules.fps
    if not table.poses[node.pose].rests or table.poses[root.pose].rests:
        return score
    goal = crew[own].goal
    there = math.hypot(node.place[0] - goal[0], node.place[1] - goal[1]) <= goal[2]
    return score - AT_LAST if there else score + rules.stopping


@njit(cache=True, nogil=True)
def _begin(own, memory, crew, rules, around):
    """The root of a search, alone on the heap."""
    memory.stamp[0] += 1
    root, me = memory.nodes[0], crew[own]
    root.place[:] = me.end
    root.frame, root.pose, root.parent, root.depth = me.boundary, me.pose, -1, 0
    root.anchor, root.checked, root.cost, root.total = -1, True, 0.0, 0.0
    root.deep = me.deep
    root.way = way_left(root.place, me)
    root.left = still_to_go(root.place, own, crew, rules, around)
    return push(memory.keys, memory.items, 0, 0.0, 0)


@njit(cache=True, nogil=True)
def look_ahead(  # noqa: C901, PLR0912, PLR0915 - one loop, read from top to bottom
    own, budget, impatience, memory, table, crew, tracks, cells, around, rules, result
):
    """Search for what to do from somebody's boundary on. The node to commit to, or -1.

    result: (6,) clips looked at; the first node that somebody was in the way of, or -1; people around; the node
    the way leads to, or -1; nodes; 1 if it is a good way. Clips and nodes are those so far: 0, unless a way that
    was looked up is there to go on from.
    """
    heap = _begin(own, memory, crew, rules, around)
    root = memory.nodes[0]
    sporty = invites(around, root.place[0], root.place[1])
    root.known = FAR_SIGHT if sporty else SIGHT
    count = gather(crew, cells, own, root.place[0], root.place[1], root.known, memory.near)
    looked, used, best, least = result[0], max(result[4], 1), -1, np.inf
    result[1], result[2], result[3], result[5] = -1, count, -1, 0
    if count > len(memory.near):
        return -1
    for number in range(1, used):
        # Known already: see `follow`.
        heap = push(memory.keys, memory.items, heap, memory.nodes[number].total, number)
        score = _score(number, own, memory, table, crew, rules)
        if memory.nodes[number].anchor >= 0 and score < least:
            best, least = number, score
    while heap > 0 and looked < budget:
        number = memory.items[0]
        heap = pop(memory.keys, memory.items, heap)
        node = memory.nodes[number]
        if not node.checked:
            looked += 1
            if _been_there(memory, node):
                continue
            verdict = _check(number, own, memory, table, crew, tracks, around, count, rules)
            if node.depth == 1 and result[1] < 0 and verdict >= SOMEBODY:
                result[1] = number
            if verdict in (STANDING, SOMEBODY):
                continue
            node.checked = True
            score = _score(number, own, memory, table, crew, rules)
            if node.anchor >= 0 and score < least:
                best, least = number, score
            extra = _company(number, memory, table, crew, count, rules)
            if extra > 0.0:
                node.cost += extra
                node.total += extra
                heap = push(memory.keys, memory.items, heap, node.total, number)
                continue
        if number > 0 and node.anchor >= 0:
            there = crew[own].asked_by < 0 and is_there(node.place, node.pose, own, table, crew)
            if there:
                best, result[5] = number, 1
                break
            if node.frame - root.frame >= rules.horizon:
                # The cheapest way that is long enough; but waiting may be better still.
                if _score(number, own, memory, table, crew, rules) <= least:
                    lost = node.total - rules.weight * root.left
                    best = number
                    result[5] = 1 if lost < GOOD * PACE * (node.frame - root.frame) / rules.fps else 0
                break
        # Nothing comes after a rest: whoever waits looks again when it is over.
        rested = number > 0 and table.behaviors[table.clips[node.clip].behavior].waits
        if rested or node.depth >= rules.deepest or node.frame - root.frame > rules.room:
            continue
        if used + len(table.behaviors) >= NODES:
            break
        used, heap = _expand(memory, used, heap, number, own, sporty, impatience, table, crew, rules, around)
    result[0], result[3], result[4] = looked, best, used
    return memory.nodes[best].anchor if best >= 0 else -1
