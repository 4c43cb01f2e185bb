"""Looking ways up in precomputed trees, for people among people (Lau 2009, section 4.7.1).

The root of the tree is put to where somebody's clip ends; a place further along its route is the sub-goal. Among
the nodes there, the one is taken that costs least by the measures of the search, and to which the way is free of
all that stands and moves, and at first also of what others have committed to: later they will be elsewhere.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.borrowing import borrowed
from walkon.crowd.live._kernels_checks import after, invites, somebody_in_way, stands_in_way
from walkon.crowd.live._kernels_clock import cycles
from walkon.crowd.live._kernels_costs import is_there, turn_to, way_left
from walkon.crowd.live._kernels_people import gather, guess_meets
from walkon.crowd.live._kernels_propose import BODY, depth_inside, find_route, waited
from walkon.crowd.live._kernels_search import SIGHT
from walkon.crowd.live.repertoire import EFFORT, PACE
from walkon.kernels import inlined, kernel
from walkon.planning.kernels_collision import Raster
from walkon.rotations.kernels_ground import standing
from walkon.trees.kernels_backward import clip_is_free, goal_cell, in_world, seen_from, unknown_way
from walkon.trees.kernels_bundle import CHECKED, Viewpoint

FAR, AHEAD = 9.0, 4.0
"""[m] How far along a route the sub-goal is, and from there the place by which ways to it are compared."""

NEARBY = 1.0
"""[m] It is enough to come so close to a sub-goal."""

KEPT = 75
"""Frames that must be left of a way for somebody to keep to it."""

SAME = 1e-6
"""[m, rad] Nobody is that near to where its way leads by chance."""

CHECKS = 60
"""Clips of a tree that are checked for one way at most."""

FINE = 0.2
"""A way is taken without looking for a better one that loses no more than so much of the time it takes."""


class Whose(NamedTuple):
    """Who asks a tree: first_pose, stop_pose, first_clip of its performer in the table. usual: (N,) nodes to which
    nothing leads that people only do in need. company: (N,) scratch: what meeting people costs on the way to a
    node."""

    first_pose: int
    stop_pose: int
    first_clip: int
    usual: NDArray[np.bool_]
    company: NDArray[np.float64]

    def has(self, poses: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of these poses are its own."""
        return (poses >= self.first_pose) & (poses < self.stop_pose)


class Wanted(NamedTuple):
    """What to look for. x, z, tolerance [m] in the world; to_x, to_z: where the way goes on to. final: whether it
    is the goal itself. rests: whether one must be able to stay there. heading (nan: any), spread [rad]. least:
    what the way to (to_x, to_z) costs if nothing is lost."""

    x: float
    z: float
    tolerance: float
    to_x: float
    to_z: float
    final: bool
    rests: bool
    heading: float
    spread: float
    least: float


@kernel
def along_route(me, distance):
    """The point x, z so far [m] along somebody's route from its boundary; its last corner if it ends before."""
    x, z = me.end[0], me.end[1]
    for corner in range(me.aim, me.corner_count):
        to_x, to_z = me.corners[corner, 0], me.corners[corner, 1]
        away = math.hypot(to_x - x, to_z - z)
        if away >= distance:
            part = distance / max(away, 1e-9)
            return x + part * (to_x - x), z + part * (to_z - z)
        distance -= away
        x, z = to_x, to_z
    return x, z


@kernel
def wanted_by(me, rules):
    """What somebody is to look for: its goal if that is near, else a place on its route."""
    left = way_left(me.end, me)
    off = turn_to(math.atan2(me.corners[me.aim, 0] - me.end[0], me.corners[me.aim, 1] - me.end[1]) - me.end[2])
    least = rules.weight * (min(left, FAR + AHEAD) + rules.turning * off)
    if left <= FAR:
        x, z = me.goal[0], me.goal[1]
        return Wanted(x, z, me.goal[2] - 1e-3, x, z, True, not me.passing, me.goal[3], me.spread - 1e-3, least)
    x, z = along_route(me, FAR)
    to_x, to_z = along_route(me, FAR + AHEAD)
    return Wanted(x, z, NEARBY, to_x, to_z, False, False, math.nan, math.pi, least)


@inlined
def _is_free(
    node, own, near, count, whose, nodes, scratch, moves, view, grids, table, crew, tracks, around, rules
):  # fmt: skip
    """Whether the clip that leads to a node is free; and what it costs to meet those who go on as they do.

    The first clips of all ways are few, and are checked against what everybody has committed to. So is what comes
    after a turn on the spot: nobody commits to a turn alone, nor to two (see `_leads_on`).
    """
    raster = Raster(around.x, around.z, around.cell, around.margin)
    if not clip_is_free(node, nodes, scratch, moves, view, grids, raster, around.values, None):
        return False, 0.0
    parent = np.int64(nodes.parents[node])
    x, z, heading = in_world(nodes.placements, parent, view)
    frame = view.frame + nodes.frames[parent]
    clip, place = whose.first_clip + np.int64(nodes.clips[node]), np.array([x, z, heading])
    if around.solid and stands_in_way(place, frame, clip, 0.0, table, around):
        return False, 0.0
    first = nodes.parents[parent] < 0
    if not first and nodes.parents[nodes.parents[parent]] < 0:
        first = _on_the_spot(parent, nodes, moves, view, crew[own], rules)
        if first and _on_the_spot(node, nodes, moves, view, crew[own], rules):
            return False, 0.0
    if first:
        met = somebody_in_way(place, frame, clip, table, crew, tracks, near, count, rules.gap)
        return not met, 0.0
    to_x, to_z, _ = in_world(nodes.placements, node, view)
    cost, span = 0.0, np.int64(nodes.frames[node] - nodes.frames[parent])
    if frame - view.frame < rules.horizon:
        for k in range(count):
            if guess_meets(x, z, to_x, to_z, frame, span, crew, near[k], BODY):
                still = crew[near[k]].guess[2] ** 2 + crew[near[k]].guess[3] ** 2 < 1e-5
                cost += rules.standing if still else rules.moving
    return True, cost


@kernel
def _on_the_spot(node, nodes, moves, view, me, rules):
    """Whether somebody stands at a node of the tree, and has not got on."""
    if not moves.rests[moves.exit[nodes.behaviors[node]]]:
        return False
    x, z, _ = in_world(nodes.placements, node, view)
    if math.hypot(x - me.goal[0], z - me.goal[1]) <= me.goal[2]:
        return False
    here, there = (me.end[0], me.end[1], me.end[2]), (x, z, 0.0)
    return way_left(here, me) - way_left(there, me) < rules.progress


@kernel
def _look_up(  # noqa: C901, PLR0912 - one loop, as in `trees`
    bundle, wanted, own, near, count, whose, table, crew, tracks, around, rules
):
    """The node of the tree with the least cost of the way there and of what is left from there; or -1."""
    view, grids = bundle.viewpoint, bundle.grids
    nodes, scratch, moves = borrowed(bundle.nodes), borrowed(bundle.scratch), borrowed(bundle.moves)
    parents, placements, marks, chain = nodes.parents, nodes.placements, scratch.marks, scratch.chain
    x, z = seen_from(view, wanted.x, wanted.z)
    to_x, to_z = seen_from(view, wanted.to_x, wanted.to_z)
    cell = goal_cell(x, z, grids)
    if cell < 0:
        return np.int64(-1)
    free, blocked = 2 * view.number + 1, 2 * view.number
    best, least, checked = np.int64(-1), math.inf, 0
    nearest = rules.weight * max(math.hypot(to_x - x, to_z - z) - wanted.tolerance, 0.0)
    for entry in range(nodes.entry_starts[view.pose, cell], nodes.entry_starts[view.pose, cell + 1]):
        node = np.int64(nodes.entries[entry])
        if not whose.usual[node]:
            continue
        if EFFORT * nodes.costs[node] + nearest >= least or checked > CHECKS:
            break
        away_x, away_z = placements[node, 0] - x, placements[node, 1] - z
        if away_x * away_x + away_z * away_z > wanted.tolerance * wanted.tolerance or marks[node] == blocked:
            continue
        heading = np.float64(placements[node, 2])
        if wanted.rests and not moves.rests[moves.exit[nodes.behaviors[node]]]:
            continue
        if not math.isnan(wanted.heading) and turn_to(view.heading + heading - wanted.heading) > wanted.spread:
            continue
        total = EFFORT * nodes.costs[node] + PACE * nodes.frames[node] / rules.fps
        left_x, left_z = to_x - placements[node, 0], to_z - placements[node, 1]
        total += rules.weight * math.sqrt(left_x * left_x + left_z * left_z)
        if not wanted.final:
            total += rules.weight * rules.turning * turn_to(math.atan2(left_x, left_z) - heading)
        if total >= least:
            continue
        at, depth = unknown_way(node, parents, scratch, view)
        fate = free if parents[at] < 0 else marks[at]
        company = 0.0 if parents[at] < 0 else whose.company[at]
        for index in range(depth - 1, -1, -1):
            at = np.int64(chain[index])
            if fate == free:
                checked += 1
                scratch.counters[CHECKED] += 1
                is_free, cost = _is_free(
                    at, own, near, count, whose, nodes, scratch, moves, view, grids, table, crew, tracks,
                    around, rules,
                )  # fmt: skip
                company += cost
                whose.company[at] = company
                if not is_free:
                    fate = blocked
            marks[at] = fate
        if fate == free and total + whose.company[node] < least:
            best, least = node, total + whose.company[node]
            if least - wanted.least < FINE * PACE * nodes.frames[node] / rules.fps:
                break
    return best


@kernel
def advise(
    first, stop, now, whose, bundle, crew, tracks, cells, table, around, land, rules,
    memory, scouting, proposals,
):  # fmt: skip
    """Write a way of the tree to the slots first to stop - 1 of a batch, for those whose performer it is of. Who
    was asked to make way, has not got on for long, stands in an obstacle or could jump over one is left to
    search."""
    for slot in range(first, stop):
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
        if late < rules.patience and depth_inside(own, table, crew, around) == 0.0:
            find_route(own, now, late, crew, around, land, scouting)
            if not _goes_on(me, table):
                _advise(
                    own, me, whose, bundle, crew, tracks, cells, table, around, rules, memory
                )  # fmt: skip
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
    if done in (0, me.chain_count) or frame != me.boundary or away > SAME:
        return False
    left = 0
    for step in range(done, me.chain_count):
        left += table.clips[me.chain[step]].duration
    if left < KEPT and not me.chain_ends:
        return False
    me.chain_count -= done
    for step in range(me.chain_count):
        me.chain[step] = me.chain[step + done]
    me.chain_place[:] = place
    me.chain_frame = frame
    return True


@kernel
def _advise(
    own, me, whose, bundle, crew, tracks, cells, table, around, rules, memory
):  # fmt: skip
    """Look a way up for somebody."""
    me.chain_count = 0
    x, z, heading = me.end[0], me.end[1], me.end[2]
    count = gather(crew, cells, own, x, z, SIGHT, memory.near)
    if count > len(memory.near):
        return
    bundle.viewpoint = Viewpoint(
        bundle.viewpoint.number + 1, standing(x, z, heading), heading, me.boundary,
        me.pose - whose.first_pose, 2**40, True, False, 0,
    )  # fmt: skip
    wanted = wanted_by(me, rules)
    node = _look_up(
        bundle, wanted, own, memory.near, count, whose, table, crew, tracks, around, rules
    )  # fmt: skip
    if node < 0:
        return
    parents, clips = bundle.nodes.parents, bundle.nodes.clips
    length, at = 0, node
    while parents[at] >= 0:
        at, length = np.int64(parents[at]), length + 1
    me.chain_count = min(length, len(me.chain))
    me.chain_ends = wanted.final and length == me.chain_count
    me.chain_place[:] = me.end
    me.chain_frame = me.boundary
    at = node
    for step in range(length - 1, -1, -1):
        if step < me.chain_count:
            me.chain[step] = whose.first_clip + clips[at]
        at = np.int64(parents[at])
