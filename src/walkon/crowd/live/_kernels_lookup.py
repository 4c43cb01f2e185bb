"""Looking ways up in precomputed trees, for people among people (Lau 2009, section 4.7.1).

The root of the tree is put to where somebody's clip ends. Among the nodes at the place that is wanted, the one
is taken that costs least by the measures of the search, and to which the way is free of all that stands and moves,
and at first also of what others have committed to: later they will be elsewhere.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.borrowing import borrowed
from walkon.crowd.live._kernels_checks import somebody_in_way, stands_in_way
from walkon.crowd.live._kernels_costs import GUESSED_BODY, meeting_cost, turn_to, way_left
from walkon.crowd.live._kernels_people import guess_meets
from walkon.crowd.live.repertoire import EFFORT, PACE
from walkon.kernels import inlined, kernel
from walkon.trees.kernels_backward import clip_is_free, goal_cell, in_world, seen_from, unknown_way
from walkon.trees.kernels_bundle import CHECKED

MOST_CHECKS = 60
"""Clips of a tree that are checked for one way at most. Found by trying: with more, lookups among many people take
longer than a search; with fewer, they find nothing there."""

FINE_LOSS = 0.2
"""A way that loses no more than this share of the time it takes is taken without looking for a better one. With
more, lookups are quicker and people take poorer ways."""


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


class WantedPlace(NamedTuple):
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


class PlacedTree(NamedTuple):
    """A tree with its root where somebody's clip ends: parts of a `trees` bundle, and where it was put."""

    nodes: Any
    scratch: Any
    moves: Any
    viewpoint: Any
    grids: Any


@kernel
def _is_free(node, own, whose, tree, setting, others, rules):
    """Whether the clip that leads to a node is free; and what it costs to meet those who go on as they do.

    The first clips of all ways are few, and are checked against what everybody has committed to. So is what comes
    after a turn on the spot: nobody commits to a turn alone, nor to two (see `_leads_on`).
    """
    nodes, view, around = tree.nodes, tree.viewpoint, setting.around
    if not clip_is_free(node, nodes, tree.scratch, tree.moves, view, tree.grids, around.scenery.ground, None):
        return False, 0.0
    parent = np.int64(nodes.parents[node])
    x, z, heading = in_world(nodes.placements, parent, view)
    frame = view.frame + nodes.frames[parent]
    clip, place = whose.first_clip + np.int64(nodes.clips[node]), np.array([x, z, heading])
    if around.solid and stands_in_way(place, frame, clip, 0.0, setting.table, around):
        return False, 0.0
    first, me = nodes.parents[parent] < 0, others.crew[own]
    if not first and nodes.parents[nodes.parents[parent]] < 0:
        first = _on_the_spot(parent, tree, me, rules, around)
        if first and _on_the_spot(node, tree, me, rules, around):
            return False, 0.0
    if first:
        return not somebody_in_way(place, frame, clip, setting.table, others), 0.0
    to_x, to_z, _ = in_world(nodes.placements, node, view)
    cost, span = 0.0, np.int64(nodes.frames[node] - nodes.frames[parent])
    if frame - view.frame < rules.horizon:
        for k in range(others.size):
            if guess_meets(x, z, to_x, to_z, frame, span, others.crew, others.near[k], GUESSED_BODY):
                cost += meeting_cost(others.crew[others.near[k]].guess, rules)
    return True, cost


@inlined
def _on_the_spot(node, tree, me, rules, around):
    """Whether somebody stands at a node of the tree, and has not got on."""
    if not tree.moves.rests[tree.moves.exit[tree.nodes.behaviors[node]]]:
        return False
    x, z, _ = in_world(tree.nodes.placements, node, tree.viewpoint)
    if math.hypot(x - me.goal[0], z - me.goal[1]) <= me.goal[2]:
        return False
    here, there = (me.end[0], me.end[1], me.end[2]), (x, z, 0.0)
    return way_left(here, me, around) - way_left(there, me, around) < rules.progress


@inlined
def _fits(node, wanted, tree, x, z):
    """Whether a node is at the place (x, z) that is wanted, as the tree sees it, and one could end there."""
    placements, moves = tree.nodes.placements, tree.moves
    away_x, away_z = placements[node, 0] - x, placements[node, 1] - z
    if away_x * away_x + away_z * away_z > wanted.tolerance * wanted.tolerance:
        return False
    if wanted.rests and not moves.rests[moves.exit[tree.nodes.behaviors[node]]]:
        return False
    heading = np.float64(placements[node, 2])
    return (
        math.isnan(wanted.heading) or turn_to(tree.viewpoint.heading + heading - wanted.heading) <= wanted.spread
    )


@inlined
def _total(node, wanted, tree, to_x, to_z, rules):
    """What a node costs without meeting anybody: the way there, and what is left to (to_x, to_z)."""
    nodes = tree.nodes
    total = EFFORT * nodes.costs[node] + PACE * nodes.frames[node] / rules.fps
    left_x, left_z = to_x - nodes.placements[node, 0], to_z - nodes.placements[node, 1]
    total += rules.weight * math.sqrt(left_x * left_x + left_z * left_z)
    if not wanted.final:
        heading = np.float64(nodes.placements[node, 2])
        total += rules.weight * rules.turning * turn_to(math.atan2(left_x, left_z) - heading)
    return total


@inlined
def _check_way(node, own, whose, tree, setting, others, rules):
    """Whether the way to a node is free, as far as that is not known yet; and how many clips were looked at. What
    it costs to meet people on the way goes to whose.company."""
    parents, marks = tree.nodes.parents, tree.scratch.marks
    free, blocked = 2 * tree.viewpoint.number + 1, 2 * tree.viewpoint.number
    at, depth = unknown_way(node, parents, tree.scratch, tree.viewpoint)
    fate = free if parents[at] < 0 else marks[at]
    company, checked = 0.0 if parents[at] < 0 else whose.company[at], 0
    for index in range(depth - 1, -1, -1):
        at = np.int64(tree.scratch.chain[index])
        if fate == free:
            checked += 1
            tree.scratch.counters[CHECKED] += 1
            is_free, cost = _is_free(at, own, whose, tree, setting, others, rules)
            company += cost
            whose.company[at] = company
            if not is_free:
                fate = blocked
        marks[at] = fate
    return fate == free, checked


@kernel
def look_up(bundle, wanted, own, whose, setting, others, rules):
    """The node of the tree with the least cost of the way there and of what is left from there; or -1."""
    tree = PlacedTree(
        borrowed(bundle.nodes), borrowed(bundle.scratch), borrowed(bundle.moves), bundle.viewpoint, bundle.grids
    )
    nodes, view = tree.nodes, tree.viewpoint
    x, z = seen_from(view, wanted.x, wanted.z)
    to_x, to_z = seen_from(view, wanted.to_x, wanted.to_z)
    cell = goal_cell(x, z, tree.grids)
    if cell < 0:
        return np.int64(-1)
    best, least, checked = np.int64(-1), math.inf, 0
    nearest = rules.weight * max(math.hypot(to_x - x, to_z - z) - wanted.tolerance, 0.0)
    for entry in range(nodes.entry_starts[view.pose, cell], nodes.entry_starts[view.pose, cell + 1]):
        node = np.int64(nodes.entries[entry])
        if not whose.usual[node]:
            continue
        if EFFORT * nodes.costs[node] + nearest >= least or checked > MOST_CHECKS:
            break
        if tree.scratch.marks[node] == 2 * view.number or not _fits(node, wanted, tree, x, z):
            continue
        total = _total(node, wanted, tree, to_x, to_z, rules)
        if total >= least:
            continue
        free, looked = _check_way(node, own, whose, tree, setting, others, rules)
        checked += looked
        if free and total + whose.company[node] < least:
            best, least = node, total + whose.company[node]
            if least - wanted.least < FINE_LOSS * PACE * nodes.frames[node] / rules.fps:
                break
    return best
