"""Growing a scalable and diverse tree, one node at a time (Lau 2009, algorithm 2).

Density (equation 4.1) is Σc² − (Σc)²/n over the n cells of the region, so that a candidate costs no more than its
own trace: with c the counts on the way and L their number, Σc² grows by Σ(2c + 1) and Σc by L.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.borrowing import borrowed
from walkon.kernels import inlined, kernel
from walkon.rotations.kernels_ground import laid, standing
from walkon.trees._kernels_tracing import below, drawn_clip, trace_cells, uniform

PARENT, CLIP, POSE = range(3)
"""Columns of the links of a node."""

NODES, TRACED = range(2)
"""Counters: nodes so far, and the sum of all counts."""

BUCKET = 0.1
"""Side [m] of the buckets in which near nodes are looked for."""

MOST_TRACED = 1024
"""Cells that one clip's path may cross."""


class Tree(NamedTuple):
    """A tree while it grows. N nodes fit.

    states: (N, 4) x, z, heading, cost. links: (N, 3) parent, clip, pose. tried: (N, W) a bit for every follower of
    the node's pose that it has, or cannot have. exhausted: (N,) no follower is left. nexts: (N,), heads: buckets
    of nodes as linked lists; corner: (2,) x, z of the first bucket. counts: how often each cell of the region was
    crossed. counters: (2,) see above. random: (1,) state of the random numbers.
    """

    states: NDArray[np.float64]
    links: NDArray[np.int32]
    tried: NDArray[np.uint64]
    exhausted: NDArray[np.bool_]
    nexts: NDArray[np.int32]
    heads: NDArray[np.int32]
    corner: NDArray[np.float64]
    counts: NDArray[np.int64]
    counters: NDArray[np.int64]
    random: NDArray[np.uint64]


class Taste(NamedTuple):
    """Which ways a tree prefers. thrift: weight of what a way costs beside how empty the cells are that it
    crosses; 0 for the thesis's algorithm. detour, slack: no way costs more than `detour` times its distance from
    the root [m] and `slack`."""

    thrift: float
    detour: float
    slack: float


@kernel
def seed_tree(tree, state, pose, seed):
    """Put a root at a state (4,) x, z, heading, cost into a tree, and nothing else."""
    tree.tried[:] = np.uint64(0)
    tree.exhausted[:] = False
    tree.heads[:] = -1
    tree.counts[:] = 0
    tree.counters[:] = 0
    tree.random[0] = np.uint64(seed)
    tree.states[0] = state
    tree.links[0, PARENT], tree.links[0, CLIP], tree.links[0, POSE] = -1, -1, pose
    tree.counters[NODES] = 1
    _shelve(tree, 0)


@kernel
def graft(tree, stem, family):
    """Put all nodes of a family into a tree; its root is a node of the tree already, `stem`."""
    base = tree.counters[NODES] - 1
    for node in range(1, family.counters[NODES]):
        to = base + node
        tree.states[to], tree.links[to], tree.tried[to] = (
            family.states[node],
            family.links[node],
            family.tried[node],
        )
        parent = family.links[node, PARENT]
        tree.links[to, PARENT] = stem if parent == 0 else base + parent
        _shelve(tree, to)
    tree.tried[stem] |= family.tried[0]
    tree.counts[:] += family.counts
    tree.counters[NODES] += family.counters[NODES] - 1
    tree.counters[TRACED] += family.counters[TRACED]


@kernel
def grow_tree(tree, limit, taste, moves, paths, plot):
    """Add nodes until there are `limit`; False if no node can have further children."""
    tree, moves, paths, plot = borrowed(tree), borrowed(moves), borrowed(paths), borrowed(plot)
    trial, chosen = np.empty(MOST_TRACED, dtype=np.int64), np.empty(MOST_TRACED, dtype=np.int64)
    while tree.counters[NODES] < limit:
        sample, columns = plot.area[below(tree.random, len(plot.area))], plot.mask.shape[1]
        x = plot.origin_x + (sample % columns + uniform(tree.random)) * plot.cell
        z = plot.origin_z + (sample // columns + uniform(tree.random)) * plot.cell
        parent = _nearest(tree, x, z)
        if parent < 0:
            return False
        clip, slot, length = _emptiest(tree, parent, taste, moves, paths, plot, trial, chosen)
        if clip < 0:
            tree.exhausted[parent] = True
            continue
        _rule_out(tree, parent, slot)
        _add(tree, parent, clip, chosen[:length], moves, paths.behavior_of)
    return True


@kernel
def _emptiest(tree, parent, taste, moves, paths, plot, trial, chosen):
    """The child of a node whose path evens out best how often cells are crossed, at the least cost: its clip, its
    place among the followers of the pose, and how many cells it crosses, which are written into `chosen`; clip -1
    if there is none. Followers that cannot be are ruled out on the way. trial: room for cells."""
    stand = standing(tree.states[parent, 0], tree.states[parent, 1], tree.states[parent, 2])
    mean = tree.counters[TRACED] / len(plot.area)
    least, best_clip, best_slot, best_length = math.inf, np.int64(-1), np.int64(-1), 0
    begin = moves.follower_starts[tree.links[parent, POSE]]
    for slot in range(moves.follower_starts[tree.links[parent, POSE] + 1] - begin):
        if (tree.tried[parent, slot >> 6] >> np.uint64(slot & 63)) & np.uint64(1):
            continue
        follower = moves.followers[begin + slot]
        clip = drawn_clip(tree.random, follower, moves.clip_starts)
        length = trace_cells(stand, clip, paths, plot, trial)
        if length < 0:
            _rule_out(tree, parent, slot)
            continue
        x, z = laid(stand, moves.displacements[clip, 0], moves.displacements[clip, 1])
        away, total = math.hypot(x, z), tree.states[parent, 3] + moves.costs[follower]
        if total > taste.detour * away + taste.slack:
            _rule_out(tree, parent, slot)
            continue
        squares = 0.0
        for index in range(length):
            squares += 2.0 * tree.counts[trial[index]] + 1.0
        score = squares / length - 2.0 * mean - length / len(plot.area)
        if taste.thrift > 0.0:
            score += taste.thrift * (2.0 * mean + 1.0) * total / max(away, 1.0)
        if score < least:
            least, best_clip, best_slot, best_length = score, clip, slot, length
            chosen[:length] = trial[:length]
    return best_clip, best_slot, best_length


@inlined
def _rule_out(tree, parent, slot):
    """Note that a node has one of its followers, or cannot have it."""
    tree.tried[parent, slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)


@kernel
def spread_tree(tree, most, moves, paths, plot):
    """Give all nodes all their children, level by level, as long as a level has at most `most` nodes; where the
    last level begins."""
    trial = np.empty(MOST_TRACED, dtype=np.int64)
    begin, end = 0, 1
    while begin < end:
        children = 0
        for parent in range(begin, end):
            pose = tree.links[parent, POSE]
            children += moves.follower_starts[pose + 1] - moves.follower_starts[pose]
        if children > most or end + children > len(tree.states):
            break
        for parent in range(begin, end):
            stand = standing(tree.states[parent, 0], tree.states[parent, 1], tree.states[parent, 2])
            first = moves.follower_starts[tree.links[parent, POSE]]
            for slot in range(moves.follower_starts[tree.links[parent, POSE] + 1] - first):
                _rule_out(tree, parent, slot)
                clip = drawn_clip(tree.random, moves.followers[first + slot], moves.clip_starts)
                length = trace_cells(stand, clip, paths, plot, trial)
                if length >= 0:
                    _add(tree, parent, clip, trial[:length], moves, paths.behavior_of)
        begin, end = end, tree.counters[NODES]
    return begin


@inlined
def _add(tree, parent, clip, cells, moves, behavior_of):
    """A new node at the end of a clip that crosses some cells."""
    for cell in cells:
        tree.counts[cell] += 1
    tree.counters[TRACED] += len(cells)
    node, behavior = tree.counters[NODES], behavior_of[clip]
    tree.counters[NODES] += 1
    stand = standing(tree.states[parent, 0], tree.states[parent, 1], tree.states[parent, 2])
    x, z = laid(stand, moves.displacements[clip, 0], moves.displacements[clip, 1])
    tree.states[node, 0], tree.states[node, 1] = x, z
    tree.states[node, 2] = tree.states[parent, 2] + moves.displacements[clip, 2]
    tree.states[node, 3] = tree.states[parent, 3] + moves.costs[behavior]
    tree.links[node, PARENT], tree.links[node, CLIP], tree.links[node, POSE] = parent, clip, moves.exit[behavior]
    _shelve(tree, node)


@inlined
def _shelve(tree, node):
    """Put a node into the bucket of its place."""
    rows, columns = tree.heads.shape
    column = min(max(int((tree.states[node, 0] - tree.corner[0]) / BUCKET), 0), columns - 1)
    row = min(max(int((tree.states[node, 1] - tree.corner[1]) / BUCKET), 0), rows - 1)
    tree.nexts[node] = tree.heads[row, column]
    tree.heads[row, column] = node


@kernel
def _nearest(tree, x, z):
    """The node nearest to (x, z) that may still have children, or -1: rings of buckets, from the middle out."""
    rows, columns = tree.heads.shape
    column = min(max(int((x - tree.corner[0]) / BUCKET), 0), columns - 1)
    row = min(max(int((z - tree.corner[1]) / BUCKET), 0), rows - 1)
    best, least, ring = -1, math.inf, 0
    while ring <= max(rows, columns):
        # Everything in this ring and beyond is at least (ring - 1) buckets away.
        if best >= 0 and ((ring - 1) * BUCKET) ** 2 >= least and ring > 0:
            break
        for j in range(max(row - ring, 0), min(row + ring, rows - 1) + 1):
            whole = j in (row - ring, row + ring)
            step = 1 if whole or ring == 0 else 2 * ring
            for i in range(column - ring, column + ring + 1, step):
                if 0 <= i < columns:
                    best, least = _nearest_in(tree, j, i, x, z, best, least)
        ring += 1
    return best


@inlined
def _nearest_in(tree, row, column, x, z, best, least):
    """The same within one bucket; nodes that can have no more children are taken out on the way."""
    before, node = -1, tree.heads[row, column]
    while node >= 0:
        after = tree.nexts[node]
        if tree.exhausted[node]:
            if before < 0:
                tree.heads[row, column] = after
            else:
                tree.nexts[before] = after
        else:
            away_x, away_z = tree.states[node, 0] - x, tree.states[node, 1] - z
            away = away_x * away_x + away_z * away_z
            if away < least:
                best, least = node, away
            before = node
        node = after
    return best, least
