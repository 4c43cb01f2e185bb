"""The state of a search in arrays: its nodes, the table of what was visited, and the queue."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.kernels import inlined, kernel

RUNNING, FOUND, EXHAUSTED, FULL = 0, 1, 2, 3
"""What a call of the search ends with: more to do, a goal, nothing left, no room."""

NODES, QUEUED, EXPANDED, GENERATED, BLOCKED, OCCUPIED, VISITED, BEYOND, GOAL, STORED = range(10)
"""Counters of a search; GOAL is a node, or -1."""

FRAME, PARENT, CLIP, BEHAVIOR, LEG = range(5)
"""Columns of the links of a node."""


class SearchMemory(NamedTuple):
    """The state of a search. N nodes fit, T slots in the table of what was visited (a power of two).

    states: (N, 4) x, z, heading, cost. links: (N, 5) frame, parent, clip, behavior, leg. closed: (N,) superseded.
    queue_costs, queue_nodes: (N,) a heap with four children each. table: (T, 2) the state kept in a slot and its
    node, or -1; kept: (T,) the cost of that node. counters: (10,) see above.
    drafts: (R, 5) behavior, clip, frame, leg and key, places: (R, 3) x, z, heading of the followers of one node.
    """

    states: NDArray[np.float64]
    links: NDArray[np.int32]
    closed: NDArray[np.bool_]
    queue_costs: NDArray[np.float64]
    queue_nodes: NDArray[np.int32]
    table: NDArray[np.int64]
    kept: NDArray[np.float64]
    counters: NDArray[np.int64]
    drafts: NDArray[np.int64]
    places: NDArray[np.float64]


@inlined
def first_slot(key, mask):
    """Where in the table a key would like to be."""
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(mask))


@inlined
def find_slot(key, table):
    """The slot that holds a key, or the free one where it belongs."""
    mask = len(table) - 1
    slot = first_slot(key, mask)
    while table[slot, 1] >= 0 and table[slot, 0] != key:
        slot = (slot + 1) & mask
    return slot


@inlined
def keep_node(memory, slot, key, state, link):
    """A new node in a slot of the table; the one that was there is superseded."""
    counters, states, links, table = memory.counters, memory.states, memory.links, memory.table
    node = counters[NODES]
    counters[NODES] += 1
    states[node, 0], states[node, 1], states[node, 2], states[node, 3] = state
    links[node, 0], links[node, 1], links[node, 2], links[node, 3], links[node, 4] = link
    memory.closed[node] = False
    if table[slot, 1] >= 0:
        memory.closed[table[slot, 1]] = True
    else:
        counters[STORED] += 1
    table[slot, 0], table[slot, 1] = key, node
    memory.kept[slot] = state[3]
    return node


@kernel
def rehash(table, kept, new_table, new_kept):
    """Move everything that was visited into a larger table."""
    for old in range(len(table)):
        if table[old, 1] >= 0:
            slot = find_slot(table[old, 0], new_table)
            new_table[slot, 0], new_table[slot, 1] = table[old, 0], table[old, 1]
            new_kept[slot] = kept[old]


@inlined
def push(memory, cost, node):
    """Put a node into the queue."""
    costs, nodes, place = memory.queue_costs, memory.queue_nodes, memory.counters[QUEUED]
    memory.counters[QUEUED] += 1
    while place > 0:
        above = (place - 1) >> 2
        if costs[above] <= cost:
            break
        costs[place], nodes[place] = costs[above], nodes[above]
        place = above
    costs[place], nodes[place] = cost, node


@inlined
def pop(memory):
    """The node of least cost that nothing cheaper superseded, or -1."""
    counters, nodes = memory.counters, memory.queue_nodes
    while counters[QUEUED] > 0:
        node = np.int64(nodes[0])
        counters[QUEUED] -= 1
        if counters[QUEUED] > 0:
            _sink(memory.queue_costs, nodes, counters[QUEUED])
        if not memory.closed[node]:
            return node
    return np.int64(-1)


@inlined
def _sink(costs, nodes, count):
    """Let the last entry of the heap fill the gap at its top."""
    cost, node, place = costs[count], nodes[count], 0
    while True:
        child = 4 * place + 1
        if child >= count:
            break
        least = child
        for other in range(child + 1, min(child + 4, count)):
            if costs[other] < costs[least]:
                least = other
        if costs[least] >= cost:
            break
        costs[place], nodes[place] = costs[least], nodes[least]
        place = least
    costs[place], nodes[place] = cost, node
