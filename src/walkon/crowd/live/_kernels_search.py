"""Looking ahead: what to do from the next boundary on, such that one can always come to a stand.

A best-first search over clips. The part of a way that will be committed is checked against what others have
committed to, exactly; it ends at an *anchor*, a place from which a stop is free as well, for good. Beyond the
anchor, others are only guessed to go on as they do, and meeting them costs. So a crowd that flows is not taken
for one that stands, and yet nothing is ever committed that somebody else could be met in.
"""

from __future__ import annotations

import math

import numpy as np

from walkon.crowd.live._kernels_checks import (
    FREE,
    SOMEBODY,
    STANDING,
    after,
    can_rest,
    invites,
    somebody_in_way,
    stands_in_way,
    way_out,
)
from walkon.crowd.live._kernels_costs import company, is_there, mix, score_of, still_to_go, way_left
from walkon.crowd.live._kernels_memory import NODES, SEEN
from walkon.crowd.live._kernels_people import gather
from walkon.crowd.live._kernels_routes import pop, push
from walkon.crowd.live.repertoire import PACE
from walkon.kernels import kernel

SIGHT, FAR_SIGHT = 8.0, 20.0
"""[m] How far around its boundary somebody knows all others; farther if there is something to jump over."""

BARELY = 3
"""A clip is free, but somebody is in the way of any stop after it."""

GOOD = 0.85
"""A way is good that loses no more than so much of the time it takes."""


@kernel
def _out_of_sight(place, clip, memory, table):
    """Whether a clip from a place (3,) leads to where others were not looked up."""
    root, bound = memory.nodes[0], table.clips[clip].bound
    sine, cosine = math.sin(place[2]), math.cos(place[2])
    x, z = place[0] + bound[0] * cosine + bound[1] * sine, place[1] - bound[0] * sine + bound[1] * cosine
    # Half a metre for what somebody does who rests in the end.
    return math.hypot(x - root.place[0], z - root.place[1]) + bound[2] + 0.5 > root.known


@kernel
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


@kernel
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


@kernel
def add_node(memory, used, heap, parent, clip, own, table, crew, rules, around):
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


@kernel
def _expand(memory, used, heap, parent, own, sporty, impatience, table, crew, rules, around):
    """All that may follow a node, onto the heap; how many nodes there are then, and how many on the heap."""
    pose, frame = memory.nodes[parent].pose, memory.nodes[parent].frame
    for place in range(table.poses[pose].follower_start, table.poses[pose].follower_stop):
        number = table.followers[place]
        behavior = table.behaviors[number]
        if behavior.waits or not (behavior.natural or sporty) or (behavior.special >= 0 and not sporty):
            continue
        clip = behavior.clip_start + mix(own, frame * 64 + number) % (behavior.clip_stop - behavior.clip_start)
        heap = add_node(memory, used, heap, parent, clip, own, table, crew, rules, around)
        used += 1
    if table.poses[pose].rests:
        first, stop = table.poses[pose].short_rests[0], table.poses[pose].short_rests[1]
        clip = first + mix(own, frame) % (stop - first)
        heap = add_node(memory, used, heap, parent, clip, own, table, crew, rules, around)
        # Who has waited for long does not put things off any more.
        memory.nodes[used].cost += impatience * table.clips[clip].cost
        memory.nodes[used].total += impatience * table.clips[clip].cost
        used += 1
    return used, heap


@kernel
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


@kernel
def check_node(  # noqa: PLR0911 - one question after another
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


@kernel
def begin_search(own, memory, crew, rules, around):
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


@kernel
def look_ahead(  # noqa: C901, PLR0912, PLR0915 - one loop, read from top to bottom
    own, budget, impatience, memory, table, crew, tracks, cells, around, rules, result
):
    """Search for what to do from somebody's boundary on. The node to commit to, or -1.

    result: (6,) clips looked at; the first node that somebody was in the way of, or -1; people around; the node
    the way leads to, or -1; nodes; 1 if it is a good way. Clips and nodes are those so far: 0, unless a way that
    was looked up is there to go on from.
    """
    heap = begin_search(own, memory, crew, rules, around)
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
        score = score_of(number, own, memory, table, crew, rules)
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
            verdict = check_node(number, own, memory, table, crew, tracks, around, count, rules)
            if node.depth == 1 and result[1] < 0 and verdict >= SOMEBODY:
                result[1] = number
            if verdict in (STANDING, SOMEBODY):
                continue
            node.checked = True
            score = score_of(number, own, memory, table, crew, rules)
            if node.anchor >= 0 and score < least:
                best, least = number, score
            extra = company(number, memory, table, crew, count, rules)
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
                if score_of(number, own, memory, table, crew, rules) <= least:
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
