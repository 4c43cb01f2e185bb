"""Looking for a way among people who stand: to a place ahead, or out of the way of somebody else.

People who stand and may be moved are not in the way, but each of them costs: somebody has to ask it to step aside.
A rough map says how far it is from everywhere around to where one wants; a search over clips, best first, finds
how a body gets there.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.crowd.live._kernels_checks import (
    FOREVER,
    after,
    elbow_room,
    lay_rest,
    stands_in_way,
    stays_clear,
)
from walkon.crowd.live._kernels_costs import mix
from walkon.crowd.live._kernels_going import find_route
from walkon.crowd.live._kernels_heap import pop, push
from walkon.crowd.live._kernels_memory import MOST_SEEN, borrow, seen_before
from walkon.crowd.live._kernels_people import bodies_gap
from walkon.crowd.live._kernels_plots import PER_METRE, PUSHED, left_at
from walkon.crowd.live._kernels_routes import along_route
from walkon.crowd.live._kernels_stops import WALL_ROOM
from walkon.crowd.live._kernels_tracks import lay_track
from walkon.crowd.live.crew import BODY, SEGMENTS
from walkon.kernels import inlined, kernel
from walkon.planning.kernels_bodies import outlines_gap
from walkon.rotations.kernels_ground import laid, standing

MOST_CLIPS = 2**15
"""Clips that a look remembers at most: forty for each that is looked at. With more, it takes more memory."""

SPARE = 0.05
"""[m] Besides the gap, how far from others people stay who step aside. Who sets off sways by 3 cm: with less, two
who stand beside each other in a corridor cannot move any more, either of them; with more, fewer places are
found."""

KNOT_NODE = np.dtype(
    [
        ("place", np.float64, (3,)),
        ("frame", np.int64),
        ("pose", np.int64),
        ("parent", np.int64),
        ("clip", np.int64),
        ("depth", np.int64),
        ("pushes", np.int64),  # a bit for each who has to step aside
        ("checked", np.bool_),
        ("ends", np.bool_),  # one may stay there
        ("cost", np.float64),
        ("left", np.float64),
    ],
    align=True,
)


class KnotMemory(NamedTuple):
    """What one look needs. nodes: of KNOT_NODE. keys, items: the heap. seen, stamps: places that were looked at,
    and in which look; stamp: (1,) the number of this one."""

    nodes: NDArray[Any]
    keys: NDArray[np.float64]
    items: NDArray[np.int64]
    seen: NDArray[np.int64]
    stamps: NDArray[np.int64]
    stamp: NDArray[np.int64]


def make_knot_memory() -> KnotMemory:
    """Memory for looks."""
    return KnotMemory(
        np.zeros(MOST_CLIPS, dtype=KNOT_NODE),
        np.zeros(MOST_CLIPS + 1),
        np.zeros(MOST_CLIPS + 1, dtype=np.int64),
        np.zeros(MOST_SEEN, dtype=np.int64),
        np.zeros(MOST_SEEN, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


@kernel
def clip_hits(stand, clip, body, table, gap):
    """Whether a clip begun at a stand comes nearer than the gap to a body (BODY,) that stays where it is."""
    mine = table.clips[clip]
    x, z = laid(stand, mine.bound[0], mine.bound[1])
    apart = mine.bound[2] + body[2] + gap
    if (x - body[0]) ** 2 + (z - body[1]) ** 2 > apart * apart:
        return False
    frame, high = 0, mine.duration - 1 if table.outlined else mine.duration
    heading = math.atan2(stand.sine, stand.cosine)
    while frame <= high:
        own = mine.first + frame
        x, z = laid(stand, table.circles[own, 0], table.circles[own, 1])
        away_x, away_z = body[0] - x, body[1] - z
        left = math.sqrt(away_x * away_x + away_z * away_z) - table.circles[own, 2] - body[2] - gap
        if left < 0.0:
            if not table.outlined or body[4] < 0.0:
                return True
            theirs = table.supports[int(body[4])]
            left = outlines_gap(away_x, away_z, heading, table.supports[own], body[3], theirs, gap) - gap
            if left < 0.0:
                return True
        frame += 1 + int(left / mine.speed)
    return False


@kernel
def whom_it_meets(place, clip, people, table):
    """Bits of those whom a clip from a place (3,) meets who may step aside; -1 if it meets somebody who does
    not."""
    stand, bits = standing(place[0], place[1], place[2]), 0
    for k in range(len(people.bodies)):
        if (people.bits[k] == 0 or bits & people.bits[k] == 0) and clip_hits(
            stand, clip, people.bodies[k], table, people.gap
        ):
            if people.bits[k] == 0:
                return -1
            bits |= people.bits[k]
    return bits


@kernel
def who_stands_there(resting, people, table):
    """Bits of those who have to step aside for a body (BODY,) that stays; -1 if there is somebody who does not,
    or if it is in a tube."""
    bits = 0
    for k in range(len(people.bodies)):
        if bodies_gap(resting, people.bodies[k], table, people.gap + SPARE) < 0.0:
            if people.bits[k] == 0:
                return -1
            bits |= people.bits[k]
    for k in range(len(people.tubes)):
        if bodies_gap(resting, people.tubes[k], table, people.gap + SPARE) < 0.0:
            return -1
    return bits


@inlined
def _count_bits(bits):
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@kernel
def _been_there(memory, node):
    """Whether this look was at much the same place and pose before; remembers it."""
    a = np.int64(math.floor(node.place[0] * 8.0)) * 8192 + np.int64(math.floor(node.place[1] * 8.0))
    b = np.int64(math.floor(node.place[2] * 3.2)) + 64
    return seen_before(memory, mix(a, b * 64 + node.pose))


@kernel
def _check(node, memory, people, setting):
    """Look at the clip that leads to a node, once: whether it is free of all but those who may step aside. What
    these cost is added."""
    table, around = setting.table, setting.around
    before = memory.nodes[node.parent]
    node.checked, node.ends = True, False
    if stands_in_way(before.place, before.frame, node.clip, 0.0, table, around):
        return False
    met = whom_it_meets(before.place, node.clip, people, table)
    if met < 0:
        return False
    if table.poses[node.pose].rests:
        resting = np.empty(BODY)
        lay_rest(node.place, node.pose, table, resting)
        roomy = elbow_room(node.place, node.pose, WALL_ROOM, table, around) >= WALL_ROOM
        if roomy and stays_clear(resting, node.frame, node.frame + FOREVER, table, around):
            there = who_stands_there(resting, people, table)
            node.ends = there >= 0
            met |= max(there, 0)
    node.cost += PUSHED * _count_bits(met & ~before.pushes)
    node.pushes = before.pushes | met
    return True


@kernel
def _add_all(number, used, count, plot, setting, memory):
    """Nodes for all that may follow a node; how many nodes there are, and how many on the heap."""
    table, here = setting.table, memory.nodes[number]
    pose = table.poses[here.pose]
    for place in range(pose.follower_start, pose.step_stop):
        behavior = table.behaviors[table.followers[place]]
        if behavior.waits or behavior.special >= 0 or used == len(memory.nodes):
            continue
        clip = behavior.clip_start + mix(number, here.frame) % (behavior.clip_stop - behavior.clip_start)
        node, moved = memory.nodes[used], table.clips[clip]
        after(here.place, moved.displacement, node.place)
        node.left = left_at(plot, node.place[0], node.place[1])
        if math.isinf(node.left):
            continue
        node.frame, node.pose = here.frame + moved.duration, moved.exit
        node.parent, node.clip, node.depth, node.checked = number, clip, here.depth + 1, False
        node.pushes, node.cost = here.pushes, here.cost + moved.cost
        count = push(memory.keys, memory.items, count, node.cost + PER_METRE * node.left, used)
        used += 1
    return used, count


@kernel
def look(start, pose, frame, near, plot, people, setting, most, memory):
    """The node of a place where somebody may stay who stands at `start` (3,) in a pose from a frame on: the first
    with no more than `near` [m] left; else, the one that leads on furthest for what it costs. -1 if there is
    none. And how many clips were looked at, up to `most`."""
    root = memory.nodes[0]
    root.place[:] = start
    root.frame, root.pose, root.parent, root.depth, root.pushes, root.cost = frame, pose, -1, 0, 0, 0.0
    root.left = left_at(plot, start[0], start[1])
    memory.stamp[0] += 1
    used, count = _add_all(0, 1, 0, plot, setting, memory)
    best, least, looked = -1, np.inf, 0
    while count > 0 and looked < most:
        number = memory.items[0]
        count = pop(memory.keys, memory.items, count)
        node = memory.nodes[number]
        if not node.checked:
            if node.depth + 8 > SEGMENTS or _been_there(memory, node):
                continue
            looked += 1
            before = node.cost
            if not _check(node, memory, people, setting):
                continue
            if node.cost > before:
                count = push(memory.keys, memory.items, count, node.cost + PER_METRE * node.left, number)
                continue
        if node.ends:
            if node.left <= near:
                return number, looked
            if near < np.inf and node.left + 0.1 * node.cost < least:
                best, least = number, node.left + 0.1 * node.cost
        used, count = _add_all(number, used, count, plot, setting, memory)
    return best, looked


@kernel
def read_way(number, memory, clips):
    """The clips that lead to a node, into `clips`; how many."""
    count = memory.nodes[number].depth
    for place in range(count - 1, -1, -1):
        clips[place] = memory.nodes[number].clip
        number = memory.nodes[number].parent
    return count


@kernel
def lay_tube(start, clips, table, track):
    """All bodies of clips (K,) that begin at a place (3,), and the one that stays at their end, into `track`; how
    many, or -1 if there is no room for them."""
    places, frames = np.empty((len(clips), 3)), np.empty(len(clips), dtype=np.int64)
    place, frame = start.copy(), 0
    for k in range(len(clips)):
        places[k] = place
        frames[k] = frame
        after(place, table.clips[clips[k]].displacement, place)
        frame += table.clips[clips[k]].duration
    length, _ = lay_track(clips, frames, places, len(clips), 0, table, track)
    return length


@kernel
def stays_from_boundary(me, table):
    """Whether somebody has committed to nothing after what it plays but to stand where that ends."""
    if me.count == 0 or me.ends or not table.poses[me.pose].rests or me.deep > 0.0 or me.struck or me.hurry:
        return False
    waits = True
    for segment in range(1, me.count):
        waits = waits and table.behaviors[table.clips[me.clips[segment]].behavior].waits
    return waits


@kernel
def stands_by(own, now, crew, table):
    """Whether somebody stands, or will when what it plays is over, with nothing else to do: it may be asked to
    step aside."""
    me = crew[own]
    return me.here and me.boundary > now and stays_from_boundary(me, table)


@kernel
def next_stretch(own, now, far, crowd, common, around, rules, workspace):
    """The place x, z so far [m] along the way that somebody wants to go, as if nobody stood in it; and all that
    is left of that way [m]."""
    crowd, setting, workspace = borrow(crowd, common, around, workspace)
    me = crowd.crew[own]
    me.corner_count, me.retreating = 0, 0
    find_route(own, now, 0.0, crowd.crew, setting, workspace.scouting)
    x, z = along_route(me, far)
    return x, z, way_ahead(own, crowd.crew)


@kernel
def way_ahead(own, crew):
    """What is left [m] of somebody's route."""
    me = crew[own]
    away = math.hypot(me.corners[me.aim, 0] - me.end[0], me.corners[me.aim, 1] - me.end[1])
    return me.lengths[me.aim] + away
