"""Coming to a stand: whether a stop is free, for good."""

from __future__ import annotations

import math

import numpy as np

from walkon.crowd.live._kernels_checks import (
    FREE,
    SOMEBODY,
    STANDING,
    after,
    can_rest,
    elbow_room,
    somebody_in_way,
    stands_in_way,
    way_out,
)
from walkon.crowd.live._kernels_people import with_gap
from walkon.kernels import kernel
from walkon.rotations.kernels_ground import laid, standing

ELBOW_ROOM = 0.03
"""[m] Besides the gap, how far from others somebody comes to a stand. Who sets off needs 3 cm on
both sides: with less, people who stand close cannot go any more without coming too near; with more, queues are
less dense."""


WALL_ROOM = 0.02
"""[m] The same for walls. With more, people who came a little off the middle of a corridor of 0.8 m stand for
good; with less, they stop where no step leads on."""


@kernel
def out_of_sight(place, clip, memory, table):
    """Whether a clip from a place (3,) leads to where others were not looked up."""
    root, bound = memory.nodes[0], table.clips[clip].bound
    x, z = laid(standing(place[0], place[1], place[2]), bound[0], bound[1])
    # Half a metre for what somebody does who rests in the end.
    return math.hypot(x - root.place[0], z - root.place[1]) + bound[2] + 0.5 > root.known


@kernel
def can_stop(number, memory, table, around, others):
    """Whether a stop from a node is free, for good; its clips go to the node. FREE, STANDING or SOMEBODY."""
    node = memory.nodes[number]
    deep = node.deep
    place, end = node.place.copy(), np.empty(3)
    pose, frame = node.pose, node.frame
    node.stop_count = 0
    node.rest[0], node.rest[1] = place[0], place[1]
    roomy = with_gap(others, others.gap + ELBOW_ROOM)
    if table.poses[pose].rests:
        root = memory.nodes[0]
        stays = math.hypot(place[0] - root.place[0], place[1] - root.place[1]) < ELBOW_ROOM
        return can_rest(place, pose, frame, deep, table, around, others if stays else roomy)
    while not table.poses[pose].rests:
        behavior, used = table.poses[pose].stop, node.stop_count
        if behavior < 0 or used == len(node.stops):
            return STANDING
        chosen, verdict, leads_to = -1, STANDING, table.behaviors[behavior].exit
        for clip in range(table.behaviors[behavior].clip_start, table.behaviors[behavior].clip_stop):
            if stands_in_way(place, frame, clip, deep, table, around):
                continue
            if out_of_sight(place, clip, memory, table) or somebody_in_way(place, frame, clip, table, others):
                verdict = SOMEBODY
                continue
            after(place, table.clips[clip].displacement, end)
            if table.poses[leads_to].rests:
                then, depth = frame + table.clips[clip].duration, way_out(place, clip, deep, table, around)
                rest = can_rest(end, leads_to, then, depth, table, around, roomy)
                if (
                    rest == FREE
                    and depth == 0.0
                    and elbow_room(end, leads_to, WALL_ROOM, table, around) < WALL_ROOM
                ):
                    rest = STANDING
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
    node.rest[0], node.rest[1] = place[0], place[1]
    return FREE
