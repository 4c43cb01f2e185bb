"""Looking ahead: what to do from the next boundary on, such that one can always come to a stand.

A best-first search over clips. What others do until they come to a stand is certain, and nobody gets in the way
of it. Where they would stand is reserved, but they will have gone on by then: a way may lead over it, and is
committed to up to the last *anchor* before, a place from which a stop is free for good. Beyond what is known,
others are only guessed to go on as they do, and meeting them costs. So a crowd that flows is not taken for one
that stands, and yet nothing is ever committed that somebody else could be met in.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from walkon.crowd.live._kernels_checks import (
    FREE,
    SOMEBODY,
    STANDING,
    after,
    invites,
    met_by,
    room_at,
    stands_in_way,
    way_out,
)
from walkon.crowd.live._kernels_costs import company, is_there, mix, score_of, still_to_go
from walkon.crowd.live._kernels_doors import LANE, door_near
from walkon.crowd.live._kernels_heap import pop, push
from walkon.crowd.live._kernels_memory import MOST_NODES, seen_before
from walkon.crowd.live._kernels_people import NOTHING_MET, STOP_MET, look_around, on_the_way
from walkon.crowd.live._kernels_stops import can_stop, out_of_sight
from walkon.crowd.live.repertoire import PACE
from walkon.kernels import inlined, kernel, lean

SIGHT, FAR_SIGHT = 8.0, 20.0
"""[m] How far around its boundary somebody knows all others; farther if there is something to jump over, which
takes longer clips. With less, ways end where others were not looked up; with more, more people are looked at."""

LONGEST_WALKING, LONGEST_STANDING = 30, 60
"""Frames that a step of somebody who walks takes at most, and of somebody who stands, who may have to turn round:
more can happen in that time than anybody foresees."""

NEAR_GOAL = 1.5
"""[m] Whoever stands this near to its goal looks for a whole way there, with turns and steps on the spot. With
more, crowds are slower to think; with less, people circle around their goals."""

FARTHEST_AHEAD = 105
"""Frames (3.5 s) ahead that somebody commits to at most. With more, others have to go around ways that are changed
before they are walked; with less, people stop who could have gone on."""

DEEPEST_WITHOUT = 7
"""Clips of a way, at most, after which one could not stop without being in somebody's way. With fewer, nobody
crosses a stream of others; with more, searches are lost in ways that cannot be committed to."""

BARELY = 3
"""A clip is free, but somebody is in the way of any stop after it."""

SHUFFLES = 2
"""Turns and steps on the spot, one after another, with which a way may begin or go on after a stop. With more, a
search is lost in them; with fewer, whoever has gone past a door walks on and on rather than turn back."""

TIGHT_SPOT, STUCK_LONG = 0.4, 0.26
"""[m] Who has less room than the first on both sides may sidle, or is as impatient as the second. With more room,
people sidle in the open; with less, they do not get out of where they have squeezed in."""

GOOD_LOSS = 0.85
"""A way is good that loses no more than this share of the time it takes. With more, people take poor ways at once
instead of looking again."""


@lean
def _been_there(memory, node):
    """Whether this search was at much the same place, pose and time before; remembers it."""
    a = np.int64(math.floor(node.place[0] * 4.0)) * 8192 + np.int64(math.floor(node.place[1] * 4.0))
    b = (np.int64(math.floor(node.place[2] * 3.2)) + 64) * 4096 + node.frame // 12
    return seen_before(memory, mix(a, b * 64 + node.pose))


@lean
def add_node(memory, used, heap, parent, clip, own, table, crew, rules, around):
    """A node after a clip from its parent, onto the heap; how many are on it."""
    node = _lay_node(memory, used, parent, clip, own, table, crew, rules, around)
    return push(memory.keys, memory.items, heap, node.total, used)


@lean
def _lay_node(memory, used, parent, clip, own, table, crew, rules, around):
    """A node after a clip from its parent."""
    node, before = memory.nodes[used], memory.nodes[parent]
    after(before.place, table.clips[clip].displacement, node.place)
    node.frame, node.pose = before.frame + table.clips[clip].duration, table.clips[clip].exit
    node.parent, node.clip, node.depth = parent, clip, before.depth + 1
    node.anchor, node.checked, node.firm, node.kept = -1, False, False, False
    node.cost = before.cost + table.clips[clip].cost
    node.way, node.left = still_to_go(node.place, False, own, crew, rules, around)
    node.refined = False
    node.total = node.cost + rules.weight * node.left
    return node


@kernel
def _remember(own, memory, table, crew, rules, around):
    """Nodes for what somebody has committed to already, which is free still; how many nodes there are."""
    me, used = crew[own], 1
    if me.hurry or me.deep > 0.0 or me.count < 2:
        return used
    for segment in range(1, me.count):
        node = _lay_node(memory, used, used - 1, me.clips[segment], own, table, crew, rules, around)
        refine(node, own, crew, rules, around)
        node.checked = node.firm = node.kept = True
        node.stop_count, node.deep = 0, 0.0
        used += 1
    memory.nodes[used - 1].anchor = used - 1
    return used


@lean
def refine(node, own, crew, rules, around):
    """Look what is really left from a node, which was only guessed before; whether it is more."""
    guessed = node.left
    node.way, node.left = still_to_go(node.place, True, own, crew, rules, around)
    node.refined = True
    node.total += rules.weight * (node.left - guessed)
    return node.left > guessed


class Urge(NamedTuple):
    """Who searches, and in which mood. own: its row. sporty: whether there is something to jump over or duck
    under. squeezed: whether it is too narrow to walk as one likes. among: whether others near are on the way, so
    that single steps are looked at. impatience: by what share more a wait costs."""

    own: int
    sporty: bool
    squeezed: bool
    among: bool
    impatience: float


@inlined
def _urge(own, place, impatience, among, crew, setting):
    """The mood of somebody at a place (3,)."""
    around, door = setting.around, crew[own].door
    squeezed = room_at(around, place[0], place[1]) < TIGHT_SPOT or impatience > STUCK_LONG
    squeezed |= door >= 0 and setting.land.doors[door, 4] < LANE
    return Urge(own, invites(around, place[0], place[1]), squeezed, among, impatience)


@lean
def _expand(memory, used, heap, parent, urge, table, crew, rules, around):
    """All that may follow a node, onto the heap; how many nodes there are then, and how many on the heap."""
    own, pose, frame = urge.own, memory.nodes[parent].pose, memory.nodes[parent].frame
    among = urge.among or table.poses[pose].follower_start == table.poses[pose].follower_stop
    last = table.poses[pose].step_stop if among else table.poses[pose].follower_stop
    # Who walks among others decides anew at every step; who stands may have to turn round.
    single = among and not (table.poses[pose].rests or urge.squeezed)
    for place in range(table.poses[pose].follower_start, last):
        number = table.followers[place]
        behavior = table.behaviors[number]
        if behavior.waits or (behavior.special >= 0 and not urge.sporty):
            continue
        if not (behavior.natural or urge.sporty or urge.squeezed):
            continue
        clip = behavior.clip_start + mix(own, frame * 64 + number) % (behavior.clip_stop - behavior.clip_start)
        if single and table.clips[clip].duration > LONGEST_WALKING:
            continue
        heap = add_node(memory, used, heap, parent, clip, own, table, crew, rules, around)
        used += 1
    if table.poses[pose].rests:
        first, stop = table.poses[pose].short_rests[0], table.poses[pose].short_rests[1]
        clip = first + mix(own, frame) % (stop - first)
        heap = add_node(memory, used, heap, parent, clip, own, table, crew, rules, around)
        # Who has waited for long does not put things off any more.
        memory.nodes[used].cost += urge.impatience * table.clips[clip].cost
        memory.nodes[used].total += urge.impatience * table.clips[clip].cost
        used += 1
    return used, heap


@lean
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


@lean
def _shuffles(number, memory, table):
    """How many clips in a row, up to a node, begin and end at rest."""
    count = 0
    while number > 0:
        node = memory.nodes[number]
        if not (table.poses[node.pose].rests and table.poses[memory.nodes[node.parent].pose].rests):
            break
        count, number = count + 1, node.parent
    return count


@lean
def _in_doorway(number, own, memory, table, land, crew):
    """Whether somebody would stop before or behind a door that many want through. Who stands there already, or
    wants to, may."""
    node, root, me = memory.nodes[number], memory.nodes[0], crew[own]
    door = door_near(land, node.rest[0], node.rest[1])
    if door < 0 or not land.busy[door] or me.deep > 0.0 or me.hurry:
        return False
    if door == door_near(land, me.goal[0], me.goal[1]):
        return False
    return not (table.poses[root.pose].rests and door == door_near(land, root.place[0], root.place[1]))


@lean
def _cuts_in(node, own, crew, land):
    """Whether somebody gets in front of its door before it is its turn."""
    me = crew[own]
    return me.queues and not me.turn and door_near(land, node.place[0], node.place[1]) == me.door


@kernel
def check_node(number, own, memory, setting, others, rules):  # noqa: PLR0911 - one question after another
    """Look at the clip that leads to a node. FREE, STANDING or SOMEBODY; a node that is free may have an
    anchor."""
    table, around = setting.table, setting.around
    node = memory.nodes[number]
    before = memory.nodes[node.parent]
    if stands_in_way(before.place, before.frame, node.clip, before.deep, table, around):
        return STANDING
    node.deep = way_out(before.place, node.clip, before.deep, table, around)
    node.anchor, node.firm = before.anchor, False
    if not before.firm:
        return FREE
    met, soon = STOP_MET, node.frame - memory.nodes[0].frame <= FARTHEST_AHEAD
    if soon and not out_of_sight(before.place, node.clip, memory, table):
        met = met_by(before.place, before.frame, node.clip, table, others)
    if met == STOP_MET and node.anchor >= 0:
        return FREE
    if met != NOTHING_MET:
        return SOMEBODY
    node.firm = True
    if _cuts_in(node, own, others.crew, setting.land):
        return SOMEBODY
    if not _leads_on(number, own, memory, table, others.crew, rules):
        return FREE if _shuffles(number, memory, table) <= SHUFFLES else SOMEBODY
    stop = can_stop(number, memory, table, around, others)
    if stop == FREE:
        if _in_doorway(number, own, memory, table, setting.land, others.crew):
            return FREE
        node.anchor = number
    # Without a stop one may still go on, to where there is one: across a lane, or over an obstacle.
    if stop != SOMEBODY or node.anchor >= 0:
        return FREE
    return BARELY if node.depth < DEEPEST_WITHOUT else SOMEBODY


@kernel
def begin_search(own, memory, crew, rules, around):
    """The root of a search, alone on the heap."""
    memory.stamp[0] += 1
    root, me = memory.nodes[0], crew[own]
    root.place[:] = me.end
    root.frame, root.pose, root.parent, root.depth = me.boundary, me.pose, -1, 0
    root.anchor, root.checked, root.cost, root.total = -1, True, 0.0, 0.0
    root.firm = True
    root.deep = me.deep
    root.refined = True
    root.way, root.left = still_to_go(root.place, True, own, crew, rules, around)
    me.still_left = root.left
    return push(memory.keys, memory.items, 0, 0.0, 0)


@inlined
def goes_step_by_step(me, pose):
    """Whether somebody decides anew at every step: it can, and wants to be somewhere that is not here."""
    if pose.step_stop == pose.follower_stop or math.isnan(me.goal[0]) or me.deep > 0.0:
        return False
    if me.passing or not pose.rests:
        return True
    return math.hypot(me.goal[0] - me.end[0], me.goal[1] - me.end[1]) > NEAR_GOAL


@kernel
def look_ahead(  # noqa: C901, PLR0912 - one loop, read from top to bottom
    own, budget, impatience, crowd, setting, memory, rules, result
):
    """Search for what to do from somebody's boundary on. The node to commit to, or -1.

    result: (6,) clips looked at; the first node that somebody was in the way of, or -1; people around; the node
    the way leads to, or -1; nodes; 1 if it is a good way. Clips and nodes are those so far: 0, unless a way that
    was looked up is there to go on from.
    """
    table, around, crew = setting.table, setting.around, crowd.crew
    heap, root = begin_search(own, memory, crew, rules, around), memory.nodes[0]
    root.known = FAR_SIGHT if invites(around, root.place[0], root.place[1]) else SIGHT
    others = look_around(own, root.place[0], root.place[1], root.known, crowd, memory, rules.gap)
    among = goes_step_by_step(crew[own], table.poses[root.pose]) and on_the_way(others)
    urge = _urge(own, root.place, impatience, among, crew, setting)
    result[1], result[2], result[3], result[5] = -1, others.size, -1, 0
    if others.size > len(memory.near):
        return -1
    used = result[4] if result[4] > 1 else _remember(own, memory, table, crew, rules, around)
    heap, best, least = _recall(used, heap, own, memory, table, crew, rules)
    while heap > 0 and result[0] < budget:
        number = memory.items[0]
        heap = pop(memory.keys, memory.items, heap)
        node = memory.nodes[number]
        if not node.refined and refine(node, own, crew, rules, around):
            heap = push(memory.keys, memory.items, heap, node.total, number)
            continue
        if not node.checked:
            result[0] += 1
            if _been_there(memory, node):
                continue
            verdict = check_node(number, own, memory, setting, others, rules)
            if node.depth == 1 and result[1] < 0 and verdict >= SOMEBODY:
                result[1] = number
            if verdict in (STANDING, SOMEBODY):
                continue
            node.checked = True
            score = score_of(number, own, memory, table, crew, rules)
            if node.anchor >= 0 and score < least:
                best, least = number, score
            extra = company(number, memory, table, others, rules)
            if extra > 0.0:
                node.cost += extra
                node.total += extra
                heap = push(memory.keys, memory.items, heap, node.total, number)
                continue
        if number > 0 and node.anchor >= 0:
            ends, good = _ends_search(number, own, least, memory, table, crew, rules)
            if ends:
                if good >= 0:
                    best, result[5] = number, good
                break
        # Nothing comes after a rest: whoever waits looks again when it is over.
        rested = number > 0 and table.behaviors[table.clips[node.clip].behavior].waits
        if rested or node.depth >= rules.deepest or node.frame - root.frame > rules.room:
            continue
        if used + len(table.behaviors) >= MOST_NODES:
            break
        used, heap = _expand(memory, used, heap, number, urge, table, crew, rules, around)
    result[3], result[4] = best, used
    return memory.nodes[best].anchor if best >= 0 else -1


@inlined
def _recall(used, heap, own, memory, table, crew, rules):
    """Nodes that are known already, onto the heap (see `follow`): its length, the best one or -1, its score."""
    best, least = -1, np.inf
    for number in range(1, used):
        heap = push(memory.keys, memory.items, heap, memory.nodes[number].total, number)
        score = score_of(number, own, memory, table, crew, rules)
        if memory.nodes[number].anchor >= 0 and score < least:
            best, least = number, score
    return heap, best, least


@inlined
def _ends_search(number, own, least, memory, table, crew, rules):
    """Whether a search ends at an anchored node; and if this is the way to take, whether it is good (1 or 0), else
    -1. least: the best score of a way so far."""
    node, root = memory.nodes[number], memory.nodes[0]
    if crew[own].asked_by < 0 and is_there(node.place, node.pose, own, table, crew):
        return True, 1
    if node.frame - root.frame < rules.horizon:
        return False, -1
    # The cheapest way that is long enough; but waiting may be better still.
    if score_of(number, own, memory, table, crew, rules) > least:
        return True, -1
    lost = node.total - rules.weight * root.left
    return True, (1 if lost < GOOD_LOSS * PACE * (node.frame - root.frame) / rules.fps else 0)
