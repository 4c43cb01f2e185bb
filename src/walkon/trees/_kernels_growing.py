"""Growing a scalable and diverse tree, one node at a time (Lau 2009, algorithm 2).

Density (equation 4.1) is Σc² − (Σc)²/n over the n cells of the region, so that a candidate costs no more than its
own trace: with c the counts on the way and L their number, Σc² grows by Σ(2c + 1) and Σc by L.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.kernels import inlined, kernel

MIX = np.uint64(0x9E3779B97F4A7C15)

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
    crossed. counters, random: see above.
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


@inlined
def _next(state):
    """A random number of 64 bits (splitmix)."""
    state[0] += MIX
    mixed = state[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@inlined
def _below(state, count):
    """A random whole number below `count`."""
    return np.int64((_next(state) >> np.uint64(11)) % np.uint64(count))


@inlined
def _uniform(state):
    return (_next(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@inlined
def trace_cells(x, z, sine, cosine, first, stop, traces, origin_x, origin_z, cell, mask, found):
    """Write the cells of a traced path into `found`, each once; how many, or -1 if it leaves the region."""
    rows, columns = mask.shape
    count = 0
    for point in range(first, stop):
        px, pz = traces[point, 0], traces[point, 1]
        column = math.floor((x + px * cosine + pz * sine - origin_x) / cell)
        row = math.floor((z - px * sine + pz * cosine - origin_z) / cell)
        if not (0 <= row < rows and 0 <= column < columns) or not mask[row, column]:
            return -1
        index = row * columns + column
        known = False
        for other in range(count - 1, -1, -1):
            if found[other] == index:
                known = True
                break
        if not known:
            found[count] = index
            count += 1
    return count


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
def grow_tree(
    tree,
    limit,
    thrift,
    detour,
    slack,
    moves,
    behavior_of,
    trace_starts,
    traces,
    area,
    origin_x,
    origin_z,
    cell,
    mask,
):
    """Add nodes until there are `limit`; False if no node can have further children.

    area: (n,) cells of the region. thrift: weight of what a way costs beside how empty the cells are that it
    crosses; 0 for Lau's algorithm. detour, slack: no way costs more than `detour` times its distance from
    the root [m] and `slack`.
    """
    columns = mask.shape[1]
    trial, chosen = np.empty(MOST_TRACED, dtype=np.int64), np.empty(MOST_TRACED, dtype=np.int64)
    while tree.counters[NODES] < limit:
        sample = area[_below(tree.random, len(area))]
        x = origin_x + (sample % columns + _uniform(tree.random)) * cell
        z = origin_z + (sample // columns + _uniform(tree.random)) * cell
        parent = _nearest(tree, x, z)
        if parent < 0:
            return False
        at_x, at_z, heading, cost = tree.states[parent]
        sine, cosine = math.sin(heading), math.cos(heading)
        mean = tree.counters[TRACED] / len(area)
        best, best_clip, best_slot, best_length = math.inf, -1, -1, 0
        pose = tree.links[parent, POSE]
        for slot in range(moves.follower_starts[pose], moves.follower_starts[pose + 1]):
            word, bit = divmod(slot - moves.follower_starts[pose], 64)
            if (tree.tried[parent, word] >> np.uint64(bit)) & np.uint64(1):
                continue
            follower = moves.followers[slot]
            begin, end = moves.clip_starts[follower], moves.clip_starts[follower + 1]
            clip = begin + _below(tree.random, end - begin)
            first, stop = trace_starts[clip], trace_starts[clip + 1]
            length = trace_cells(
                at_x, at_z, sine, cosine, first, stop, traces, origin_x, origin_z, cell, mask, trial
            )
            if length < 0:
                tree.tried[parent, word] |= np.uint64(1) << np.uint64(bit)
                continue
            dx, dz = moves.displacements[clip, 0], moves.displacements[clip, 1]
            away = math.hypot(at_x + dx * cosine + dz * sine, at_z - dx * sine + dz * cosine)
            total = cost + moves.costs[follower]
            if total > detour * away + slack:
                tree.tried[parent, word] |= np.uint64(1) << np.uint64(bit)
                continue
            squares = 0.0
            for index in range(length):
                squares += 2.0 * tree.counts[trial[index]] + 1.0
            score = squares / length - 2.0 * mean - length / len(area)
            if thrift > 0.0:
                score += thrift * (2.0 * mean + 1.0) * total / max(away, 1.0)
            if score < best:
                best, best_clip, best_slot, best_length = score, clip, slot, length
                chosen[:length] = trial[:length]
        if best_clip < 0:
            tree.exhausted[parent] = True
            continue
        word, bit = divmod(best_slot - moves.follower_starts[pose], 64)
        tree.tried[parent, word] |= np.uint64(1) << np.uint64(bit)
        for index in range(best_length):
            tree.counts[chosen[index]] += 1
        tree.counters[TRACED] += best_length
        _add(tree, parent, best_clip, behavior_of[best_clip], moves, sine, cosine)
    return True


@kernel
def spread_tree(tree, most, moves, behavior_of, trace_starts, traces, origin_x, origin_z, cell, mask):
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
            at_x, at_z, heading, _ = tree.states[parent]
            sine, cosine = math.sin(heading), math.cos(heading)
            pose = tree.links[parent, POSE]
            for slot in range(moves.follower_starts[pose], moves.follower_starts[pose + 1]):
                word, bit = divmod(slot - moves.follower_starts[pose], 64)
                tree.tried[parent, word] |= np.uint64(1) << np.uint64(bit)
                follower = moves.followers[slot]
                first_clip, end_clip = moves.clip_starts[follower], moves.clip_starts[follower + 1]
                clip = first_clip + _below(tree.random, end_clip - first_clip)
                first, stop = trace_starts[clip], trace_starts[clip + 1]
                length = trace_cells(
                    at_x, at_z, sine, cosine, first, stop, traces, origin_x, origin_z, cell, mask, trial
                )
                if length >= 0:
                    for index in range(length):
                        tree.counts[trial[index]] += 1
                    tree.counters[TRACED] += length
                    _add(tree, parent, clip, behavior_of[clip], moves, sine, cosine)
        begin, end = end, tree.counters[NODES]
    return begin


@inlined
def _add(tree, parent, clip, behavior, moves, sine, cosine):
    node = tree.counters[NODES]
    tree.counters[NODES] += 1
    dx, dz, turn = moves.displacements[clip]
    tree.states[node, 0] = tree.states[parent, 0] + dx * cosine + dz * sine
    tree.states[node, 1] = tree.states[parent, 1] - dx * sine + dz * cosine
    tree.states[node, 2] = tree.states[parent, 2] + turn
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
        # Everything in this ring and beyond is at least so far away.
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
