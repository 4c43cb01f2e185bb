"""Who asks a precomputed tree for a way, and for which: a place further along its route is the sub-goal."""

from __future__ import annotations

import math

import numpy as np

from walkon.crowd.live._kernels_checks import after, invites
from walkon.crowd.live._kernels_clock import cycles
from walkon.crowd.live._kernels_costs import is_there, turn_to, way_left
from walkon.crowd.live._kernels_going import find_route, waited
from walkon.crowd.live._kernels_lookup import WantedPlace, look_up
from walkon.crowd.live._kernels_memory import borrow
from walkon.crowd.live._kernels_people import look_around
from walkon.crowd.live._kernels_propose import depth_inside
from walkon.crowd.live._kernels_routes import along_route
from walkon.crowd.live._kernels_search import SIGHT
from walkon.kernels import kernel
from walkon.rotations.kernels_ground import standing
from walkon.trees.kernels_bundle import Viewpoint

SUB_GOAL, BEYOND = 9.0, 4.0
"""[m] How far along a route the sub-goal is: about as far as trees reach. And how far beyond it the place is by
which ways to it are compared, so that those are preferred that lead on."""

NEAR_ENOUGH = 1.0
"""[m] How close to a sub-goal a way has to come. With less, fewer nodes of a tree fit; with more, ways stray."""

KEPT_WAY = 75
"""Frames (2.5 s) that must be left of a way for somebody to keep to it. With fewer, people come to its end
before they ask for another; with more, they ask often, and turn to and fro."""

SAME_PLACE = 1e-6
"""[m, rad] Nobody is that near to where its way leads by chance."""


@kernel
def wanted_by(me, rules, around):
    """What somebody is to look for: its goal if that is near, else a place on its route."""
    left = way_left(me.end, me, around)
    off = turn_to(math.atan2(me.corners[me.aim, 0] - me.end[0], me.corners[me.aim, 1] - me.end[1]) - me.end[2])
    least = rules.weight * (min(left, SUB_GOAL + BEYOND) + rules.turning * off)
    if left <= SUB_GOAL:
        x, z = me.goal[0], me.goal[1]
        return WantedPlace(
            x, z, me.goal[2] - 1e-3, x, z, True, not me.passing, me.goal[3], me.spread - 1e-3, least
        )
    x, z = along_route(me, SUB_GOAL)
    to_x, to_z = along_route(me, SUB_GOAL + BEYOND)
    return WantedPlace(x, z, NEAR_ENOUGH, to_x, to_z, False, False, math.nan, math.pi, least)


@kernel
def advise(whose, bundle, span, now, crowd, common, around, rules, workspace, proposals):
    """Write a way of the tree to the slots span[0] to span[1] - 1 of a batch, for those whose performer it is of.

    Who was asked to make way, has not got on for long, stands in an obstacle or could jump over one is left to
    search.
    """
    crowd, setting, workspace = borrow(crowd, common, around, workspace)
    crew, table = crowd.crew, setting.table
    for slot in range(span[0], span[1]):
        mine = proposals[slot]
        own, me = mine.row, crew[mine.row]
        if not whose.first_pose <= me.pose < whose.stop_pose:
            continue
        if me.settled or math.isnan(me.goal[0]) or is_there(me.end, me.pose, own, table, crew):
            continue
        if me.asked_by >= 0 or invites(around, me.end[0], me.end[1]):
            continue
        begun = cycles()
        late = waited(crew, own, now, rules.fps)
        if late < rules.patience and depth_inside(own, table, crowd, around) == 0.0:
            find_route(own, now, late, crew, setting, workspace.scouting)
            if not _goes_on(me, table):
                _ask_tree(own, whose, bundle, crowd, setting, rules, workspace.memory)
            mine.hint_count = me.chain_count
            mine.hint[:] = me.chain
        mine.cycles += cycles() - begun


@kernel
def _goes_on(me, table):
    """Whether somebody is on a way that was looked up, and has enough of it left; what is done of it is dropped.

    Who asked a tree at every boundary would turn to and fro: seen from another place, another way looks better.
    """
    place, frame, done = me.chain_place.copy(), me.chain_frame, 0
    while done < me.chain_count and frame < me.boundary:
        clip = table.clips[me.chain[done]]
        after(place, clip.displacement, place)
        frame, done = frame + clip.duration, done + 1
    away = abs(place[0] - me.end[0]) + abs(place[1] - me.end[1]) + turn_to(place[2] - me.end[2])
    if done in (0, me.chain_count) or frame != me.boundary or away > SAME_PLACE:
        return False
    left = 0
    for step in range(done, me.chain_count):
        left += table.clips[me.chain[step]].duration
    if left < KEPT_WAY and not me.chain_ends:
        return False
    me.chain_count -= done
    for step in range(me.chain_count):
        me.chain[step] = me.chain[step + done]
    me.chain_place[:] = place
    me.chain_frame = frame
    return True


@kernel
def _ask_tree(own, whose, bundle, crowd, setting, rules, memory):
    """Look a way up for somebody."""
    me = crowd.crew[own]
    me.chain_count = 0
    x, z, heading = me.end[0], me.end[1], me.end[2]
    others = look_around(own, x, z, SIGHT, crowd, memory, rules.gap)
    if others.size > len(memory.near):
        return
    bundle.viewpoint = Viewpoint(
        bundle.viewpoint.number + 1, standing(x, z, heading), heading, me.boundary,
        me.pose - whose.first_pose, 2**40, True, False, 0,
    )  # fmt: skip
    wanted = wanted_by(me, rules, setting.around)
    node = look_up(bundle, wanted, own, whose, setting, others, rules)
    if node >= 0:
        _write_chain(me, node, bundle.nodes, whose.first_clip, wanted.final)


@kernel
def _write_chain(me, node, nodes, first_clip, final):
    """The clips from the root of a tree to a node become what somebody follows."""
    parents, clips = nodes.parents, nodes.clips
    length, at = 0, node
    while parents[at] >= 0:
        at, length = np.int64(parents[at]), length + 1
    me.chain_count = min(length, len(me.chain))
    me.chain_ends = final and length == me.chain_count
    me.chain_place[:] = me.end
    me.chain_frame = me.boundary
    at = node
    for step in range(length - 1, -1, -1):
        if step < me.chain_count:
            me.chain[step] = first_clip + clips[at]
        at = np.int64(parents[at])
