"""The search itself: A* over whole clips, all of its state in arrays.

The loop runs for a number of expansions and returns, so that Python can look at the clock, give it more room and
call it again.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walkon.kernels import inlined, kernel
from walkon.planning.kernels_collision import (
    clearance_at,
    height_at,
    hits_ground,
    hits_people,
    hits_solids,
    maybe_passable,
    near_passable,
    near_solids,
    rests_apart,
)
from walkon.planning.kernels_tracks import others_at

RUNNING, FOUND, EXHAUSTED, FULL = 0, 1, 2, 3
"""What a call of the search ends with: more to do, a goal, nothing left, no room."""

NODES, QUEUED, EXPANDED, GENERATED, BLOCKED, OCCUPIED, VISITED, BEYOND, GOAL, STORED = range(10)
"""Counters of a search; GOAL is a node, or -1."""

FOREVER = 1e8
"""An estimate from here on says that there is no way."""

FRAME, PARENT, CLIP, BEHAVIOR, LEG = range(5)
"""Columns of the links of a node."""


class Quest(NamedTuple):
    """What is searched for. G goals, the last of which counts; the others are to be passed in order.

    goals: (G, 5) x, z, tolerance, heading, heading tolerance; a heading of nan does not matter.
    rate: least cost of a metre between two nodes. beyond: (G,) least cost from each goal to the last one.
    fields: (G, Nz, Nx) least cost to each goal from the vertices of a grid; unused without `routed`.
    root_pose: of the start. horizon: last frame. stays: must be able to remain. climb: cost per metre of height.
    crowded: whether there are people. seed: for picking clips.
    """

    goals: NDArray[np.float64]
    rate: float
    beyond: NDArray[np.float64]
    routed: bool
    fields: NDArray[np.float32]
    field_beyond: NDArray[np.float64]
    field_x: float
    field_z: float
    field_cell: float
    root_pose: int
    horizon: int
    stays: bool
    climb: float
    crowded: bool
    seed: int
    inflation: float
    truncated: bool


class Buckets(NamedTuple):
    """How finely states are told apart: cells and headings, and frames per bin of time (0: time does not
    matter). settled: from this frame on nothing moves any more, and time does not matter either."""

    origin_x: float
    origin_z: float
    cell: float
    columns: int
    rows: int
    headings: int
    poses: int
    legs: int
    frames: int
    settled: int


class Memory(NamedTuple):
    """The state of a search. N nodes fit, T slots in the table of what was visited (a power of two).

    states: (N, 4) x, z, heading, cost. links: (N, 5) frame, parent, clip, behavior, leg. closed: (N,) superseded.
    queue_costs, queue_nodes: (N,) a heap with four children each. table: (T, 2) the state kept in a slot and its
    node, or -1; kept: (T,) the cost of that node.
    drafts, places: room for the followers of one node.
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


@kernel
def search(memory, limit, room, moves, ground, solids, people, quest, buckets):  # noqa: C901, PLR0912, PLR0915
    """Expand up to `limit` nodes; `room` is how many nodes one expansion may add."""
    # Arrays are taken out of their tuples here, once: each time costs two atomic operations, which adds up.
    counters, states, links, closed = memory.counters, memory.states, memory.links, memory.closed
    table, kept, queue_costs, queue_nodes = memory.table, memory.kept, memory.queue_costs, memory.queue_nodes
    drafts, places = memory.drafts, memory.places
    follower_starts, followers, costs, exits = moves.follower_starts, moves.followers, moves.costs, moves.exit
    clip_starts, durations, displacements = moves.clip_starts, moves.durations, moves.displacements
    special, action_frames = moves.special, moves.action_frames
    frame_starts, circles, speeds, bounds = moves.frame_starts, moves.circles, moves.speeds, moves.bounds
    chunk_starts, chunks = moves.chunk_starts, moves.chunks
    goals, beyond, fields, field_beyond = quest.goals, quest.beyond, quest.fields, quest.field_beyond
    clearance, heads, rest_heads, owners, nexts = (
        ground.clearance, people.heads, people.rest_heads, people.owners, people.nexts,
    )  # fmt: skip
    begins, firsts, lengths, track_speeds = people.begins, people.firsts, people.lengths, people.speeds
    alive, others = people.alive, people.circles
    spans, passes, nears = solids.spans, solids.passes, solids.near
    grid = (ground.clearance_x, ground.clearance_z, ground.clearance_cell, ground.margin)
    crowd = (people.origin_x, people.origin_z, people.cell, people.reach, people.gap)
    routes = (quest.routed, quest.field_x, quest.field_z, quest.field_cell)
    for _ in range(limit):
        if counters[NODES] + room > len(states) or 2 * (counters[STORED] + room) > len(table):
            return FULL
        node = _pop(counters, queue_costs, queue_nodes, closed)
        if node < 0:
            return EXHAUSTED
        # Passing tuples of arrays copies them to the stack: what is asked of every node is asked here first.
        last_leg = len(goals) - 1
        if (
            not quest.truncated
            and links[node, LEG] == last_leg
            and at_goal(states[node, 0], states[node, 1], states[node, 2], last_leg, goals)
            and is_goal(memory, node, moves, ground, solids, people, quest)
        ):
            counters[GOAL] = node
            return FOUND
        counters[EXPANDED] += 1
        x, z, heading, cost = states[node, 0], states[node, 1], states[node, 2], states[node, 3]
        frame, behavior = np.int64(links[node, FRAME]), np.int64(links[node, BEHAVIOR])
        pose = quest.root_pose if behavior < 0 else exits[behavior]
        sine, cosine = math.sin(heading), math.cos(heading)
        state = (x, z, heading, sine, cosine, frame, np.int64(links[node, LEG]), np.int64(links[node, CLIP]))
        drafted = _draft(
            state, follower_starts[pose], follower_starts[pose + 1], followers, special, action_frames, solids,
            spans, passes, nears,
            clip_starts, durations, displacements, exits, goals, table, quest.seed, quest.horizon, buckets,
            counters, drafts, places,
        )  # fmt: skip
        for index in range(drafted):
            follower, clip, after = drafts[index, 0], drafts[index, 1], drafts[index, 2]
            to_leg, key, kind = drafts[index, 3], drafts[index, 4], special[drafts[index, 0]]
            slot = _find(table, key)
            known = table[slot, 1] >= 0
            total = cost + costs[follower]
            if known and kept[slot] <= total:
                counters[VISITED] += 1
                continue
            bound = (bounds[clip, 0], bounds[clip, 1], bounds[clip, 2])
            first, last, speed = frame_starts[clip], frame_starts[clip + 1] - 1, speeds[clip]
            if hits_ground(x, z, sine, cosine, first, last, bound, speed, circles, grid, clearance):
                counters[BLOCKED] += 1
                continue
            if (kind >= 0 or near_solids(x, z, sine, cosine, bound, spans, solids.gap)) and hits_solids(
                x, z, sine, cosine, frame, clip, kind, moves, ground, solids
            ):
                counters[BLOCKED] += 1
                continue
            if quest.crowded:
                own = (first, last - first, speed, chunk_starts[clip], chunk_starts[clip + 1])
                if hits_people(
                    x, z, sine, cosine, frame, own, circles, chunks, crowd, heads, rest_heads, owners, nexts,
                    begins, firsts, lengths, track_speeds, alive, others,
                ):  # fmt: skip
                    counters[OCCUPIED] += 1
                    continue
            if not ground.flat:
                total += quest.climb * climbed(x, z, sine, cosine, clip, moves, ground)
                if known and kept[slot] <= total:
                    counters[VISITED] += 1
                    continue
            to_x, to_z = places[index, 0], places[index, 1]
            ahead = estimate(to_x, to_z, to_leg, quest.rate, goals, beyond, routes, fields, field_beyond)
            if ahead >= FOREVER:
                counters[BLOCKED] += 1
                continue
            child = _keep(
                counters, states, links, closed, table, kept, slot, key, (to_x, to_z, places[index, 2], total),
                (after, node, clip, follower, to_leg),
            )  # fmt: skip
            _push(counters, queue_costs, queue_nodes, total + quest.inflation * ahead, child)
            hasty = quest.truncated and to_leg == last_leg
            if hasty and is_goal(memory, child, moves, ground, solids, people, quest):
                counters[GOAL] = child
                return FOUND
    return RUNNING


@inlined
def _draft(
    state, begin, end, followers, special, action_frames, solids, spans, passes, nears, clip_starts, durations,
    displacements, exits, goals, table, seed, horizon, buckets, counters, drafts, places,
):  # fmt: skip
    """Write down what may follow a node: behavior, clip, frame, leg, key (R, 5), and where it leads (R, 3).

    This goes before the rest so that the table's memory is on its way for all followers at once.
    """
    x, z, heading, sine, cosine, frame, leg, previous = state
    count, touched = 0, np.int64(0)
    mask = len(table) - 1
    for index in range(begin, end):
        follower = followers[index]
        clip = pick_clip(clip_starts, seed, follower, frame, leg, previous)
        kind = special[follower]
        if kind >= 0 and not (
            maybe_passable(x, z, kind, spans, passes, nears)
            and near_passable(x, z, frame + action_frames[clip], kind, solids)
        ):
            continue
        counters[GENERATED] += 1
        after = frame + durations[clip]
        if after > horizon:
            counters[BEYOND] += 1
            continue
        dx, dz = displacements[clip, 0], displacements[clip, 1]
        to_x, to_z = x + dx * cosine + dz * sine, z - dx * sine + dz * cosine
        to_heading = wrapped(heading + displacements[clip, 2])
        to_leg = _next_leg(to_x, to_z, to_heading, leg, goals)
        key = state_key(to_x, to_z, to_heading, exits[follower], to_leg, after, buckets)
        drafts[count, 0], drafts[count, 1], drafts[count, 2], drafts[count, 3] = follower, clip, after, to_leg
        drafts[count, 4] = key
        places[count, 0], places[count, 1], places[count, 2] = to_x, to_z, to_heading
        touched += table[_slot(key, mask), 1]
        count += 1
    drafts[count, 0] = touched  # in use, so that the compiler does not leave the reading out
    return count


@kernel
def plant(memory, x, z, heading, frame, moves, ground, solids, people, quest, buckets):
    """Put the root into an empty search. FOUND if it is a goal already, else RUNNING."""
    leg = _next_leg(x, z, heading, 0, quest.goals)
    key = state_key(x, z, heading, quest.root_pose, leg, frame, buckets)
    slot = _find(memory.table, key)
    state, link = (x, z, heading, 0.0), (frame, -1, -1, -1, leg)
    node = _keep(
        memory.counters,
        memory.states,
        memory.links,
        memory.closed,
        memory.table,
        memory.kept,
        slot,
        key,
        state,
        link,
    )
    _push(memory.counters, memory.queue_costs, memory.queue_nodes, 0.0, node)
    if quest.truncated and is_goal(memory, node, moves, ground, solids, people, quest):
        memory.counters[GOAL] = node
        return FOUND
    return RUNNING


@inlined
def wrapped(angle):
    """An angle within a turn of it brought into (-π, π]."""
    if angle > math.pi:
        return angle - 2.0 * math.pi
    if angle <= -math.pi:
        return angle + 2.0 * math.pi
    return angle


@inlined
def pick_clip(clip_starts, seed, behavior, frame, leg, previous):
    """The clip that shows a behavior here and now: by a hash of the state, so the order of the search is no
    matter."""
    count = clip_starts[behavior + 1] - clip_starts[behavior]
    if count == 1:
        return clip_starts[behavior]
    mixed = np.uint64(seed)
    for value in (behavior, frame, leg, previous + 1):
        mixed = (mixed ^ np.uint64(value)) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = mixed ^ (mixed >> np.uint64(32))
    return clip_starts[behavior] + np.int64((mixed >> np.uint64(16)) % np.uint64(count))


@kernel
def climbed(x, z, sine, cosine, clip, moves, ground):
    """Metres of height, up and down, along a clip begun at (x, z); looked at every four frames."""
    first, last = moves.frame_starts[clip], moves.frame_starts[clip + 1] - 1
    total, before, row = 0.0, 0.0, first
    while True:
        px, pz = moves.paths[row, 0], moves.paths[row, 1]
        height = height_at(ground, x + px * cosine + pz * sine, z - px * sine + pz * cosine)
        if row > first:
            total += abs(height - before)
        before = height
        if row == last:
            return total
        row = min(row + 4, last)


@inlined
def _next_leg(x, z, heading, leg, goals):
    """Which goal is next for someone here who was on the way to `leg`."""
    while leg < len(goals) - 1 and at_goal(x, z, heading, leg, goals):
        leg += 1
    return leg


@inlined
def at_goal(x, z, heading, leg, goals):
    """Whether a placement is within the tolerances of a goal."""
    away_x, away_z, tolerance = x - goals[leg, 0], z - goals[leg, 1], goals[leg, 2]
    if away_x * away_x + away_z * away_z > tolerance * tolerance:
        return False
    wanted = goals[leg, 3]
    return math.isnan(wanted) or abs(wrapped(wrapped(heading) - wrapped(wanted))) <= goals[leg, 4]


@kernel
def is_goal(memory, node, moves, ground, solids, people, quest):
    """Whether the last goal is reached, and can be kept if it must."""
    leg = memory.links[node, LEG]
    if leg < len(quest.goals) - 1:
        return False
    x, z, heading = memory.states[node, 0], memory.states[node, 1], memory.states[node, 2]
    if not at_goal(x, z, heading, leg, quest.goals):
        return False
    behavior = memory.links[node, BEHAVIOR]
    pose = quest.root_pose if behavior < 0 else moves.exit[behavior]
    return not quest.stays or can_stay(
        x, z, heading, pose, memory.links[node, FRAME], moves, ground, solids, people, quest
    )


@kernel
def can_stay(x, z, heading, pose, frame, moves, ground, solids, people, quest):
    """Whether one can rest in a pose here from a frame to the horizon."""
    if not moves.rests[pose]:
        return False
    px, pz, radius = moves.rest_circles[pose]
    sine, cosine = math.sin(heading), math.cos(heading)
    center_x, center_z = x + px * cosine + pz * sine, z - px * sine + pz * cosine
    if clearance_at(ground, center_x, center_z) < radius:
        return False
    if not rests_apart(center_x, center_z, radius, frame, quest.horizon, solids):
        return False
    if not quest.crowded:
        return True
    found = np.zeros(len(people.alive), dtype=np.bool_)
    return not others_at(center_x, center_z, radius, frame, quest.horizon, people, found, True)


@kernel
def best_stop(memory, moves, ground, solids, people, quest, buckets):
    """The node nearest to the goal where one may stop, or -1."""
    routes = (quest.routed, quest.field_x, quest.field_z, quest.field_cell)
    count = memory.counters[NODES]
    ahead = np.empty(count)
    for node in range(count):
        x, z, leg = memory.states[node, 0], memory.states[node, 1], memory.links[node, LEG]
        ahead[node] = estimate(
            x, z, leg, quest.rate, quest.goals, quest.beyond, routes, quest.fields, quest.field_beyond
        )
    for node in np.argsort(ahead):
        behavior = memory.links[node, BEHAVIOR]
        pose = quest.root_pose if behavior < 0 else moves.exit[behavior]
        x, z, heading = memory.states[node, 0], memory.states[node, 1], memory.states[node, 2]
        frame = memory.links[node, FRAME]
        if not quest.stays or can_stay(x, z, heading, pose, frame, moves, ground, solids, people, quest):
            return node
    return -1


@inlined
def estimate(x, z, leg, rate, goals, beyond, routes, fields, field_beyond):
    """A lower bound on the cost from (x, z) through the goals from `leg` on.

    routes: whether the fields count, and their origin and cell.
    """
    away_x, away_z = x - goals[leg, 0], z - goals[leg, 1]
    ahead = rate * max(math.sqrt(away_x * away_x + away_z * away_z) - goals[leg, 2], 0.0) + beyond[leg]
    routed, origin_x, origin_z, cell = routes
    if not routed:
        return ahead
    _, rows, columns = fields.shape
    u = min(max((x - origin_x) / cell, 0.0), columns - 1.0)
    v = min(max((z - origin_z) / cell, 0.0), rows - 1.0)
    i, j = min(int(u), columns - 2), min(int(v), rows - 2)
    u, v = u - i, v - j
    near = fields[leg, j, i] * (1.0 - u) + fields[leg, j, i + 1] * u
    far = fields[leg, j + 1, i] * (1.0 - u) + fields[leg, j + 1, i + 1] * u
    return max(ahead, near * (1.0 - v) + far * v + field_beyond[leg])


@inlined
def state_key(x, z, heading, pose, leg, frame, buckets):
    """One number for all states that count as the same."""
    column = math.floor((x - buckets.origin_x) / buckets.cell)
    row = math.floor((z - buckets.origin_z) / buckets.cell)
    column, row = min(max(column, 0), buckets.columns - 1), min(max(row, 0), buckets.rows - 1)
    # Half a bin on, so that a heading of 0 with a rounding error stays in its bin.
    bin_of = math.floor((heading + math.pi) * (buckets.headings / (2.0 * math.pi)) + 0.5) % buckets.headings
    key = np.int64(row)
    key = key * buckets.columns + column
    key = key * buckets.headings + bin_of
    key = key * buckets.poses + pose
    key = key * buckets.legs + leg
    if buckets.frames > 0:
        key += (min(frame, buckets.settled) // buckets.frames) * (
            np.int64(buckets.rows) * buckets.columns * buckets.headings * buckets.poses * buckets.legs
        )
    return key


@inlined
def _slot(key, mask):
    """Where a key would like to be."""
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(mask))


@inlined
def _find(table, key):
    """The slot that holds a key, or the free one where it belongs."""
    mask = len(table) - 1
    slot = _slot(key, mask)
    while table[slot, 1] >= 0 and table[slot, 0] != key:
        slot = (slot + 1) & mask
    return slot


@inlined
def _keep(counters, states, links, closed, table, kept, slot, key, state, link):
    """A new node in a slot; the one that was there is superseded."""
    node = counters[NODES]
    counters[NODES] += 1
    states[node, 0], states[node, 1], states[node, 2], states[node, 3] = state
    links[node, 0], links[node, 1], links[node, 2], links[node, 3], links[node, 4] = link
    closed[node] = False
    if table[slot, 1] >= 0:
        closed[table[slot, 1]] = True
    else:
        counters[STORED] += 1
    table[slot, 0], table[slot, 1] = key, node
    kept[slot] = state[3]
    return node


@kernel
def rehash(table, kept, new_table, new_kept):
    """Move everything that was visited into a larger table."""
    for old in range(len(table)):
        if table[old, 1] >= 0:
            slot = _find(new_table, table[old, 0])
            new_table[slot, 0], new_table[slot, 1] = table[old, 0], table[old, 1]
            new_kept[slot] = kept[old]


@inlined
def _push(counters, costs, nodes, cost, node):
    place = counters[QUEUED]
    counters[QUEUED] += 1
    while place > 0:
        above = (place - 1) >> 2
        if costs[above] <= cost:
            break
        costs[place], nodes[place] = costs[above], nodes[above]
        place = above
    costs[place], nodes[place] = cost, node


@inlined
def _pop(counters, costs, nodes, closed):
    """The node of least cost that nothing cheaper superseded, or -1."""
    while counters[QUEUED] > 0:
        node = np.int64(nodes[0])
        counters[QUEUED] -= 1
        if counters[QUEUED] > 0:
            _sink(costs, nodes, counters[QUEUED])
        if not closed[node]:
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
