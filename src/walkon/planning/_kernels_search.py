"""The search itself: A* over whole clips, all of its state in arrays.

The loop runs for a number of expansions and returns, so that Python can look at the clock, give it more room and
call it again.
"""

from __future__ import annotations

import numpy as np

from walkon.borrowing import borrowed
from walkon.kernels import inlined, kernel
from walkon.planning._kernels_goals import FOREVER, at_goal, can_stay, estimate, next_leg
from walkon.planning._kernels_memory import (
    BEHAVIOR,
    BEYOND,
    BLOCKED,
    CLIP,
    EXHAUSTED,
    EXPANDED,
    FOUND,
    FRAME,
    FULL,
    GENERATED,
    GOAL,
    LEG,
    NODES,
    OCCUPIED,
    RUNNING,
    STORED,
    VISITED,
    find_slot,
    first_slot,
    keep_node,
    pop,
    push,
)
from walkon.planning._kernels_states import state_key
from walkon.planning.kernels_collision import (
    climbed,
    hits_ground,
    hits_people,
    hits_solids,
    maybe_passable,
    near_passable,
    near_solids,
)
from walkon.rotations.kernels import wrapped
from walkon.rotations.kernels_ground import laid, standing


@kernel
def plant(memory, x, z, heading, frame, situation, quest, buckets):
    """Put the root into an empty search. FOUND if it is a goal already, else RUNNING."""
    leg = next_leg(x, z, heading, 0, quest.goals)
    key = state_key(x, z, heading, quest.root_pose, leg, frame, buckets)
    slot = find_slot(key, memory.table)
    node = keep_node(memory, slot, key, (x, z, heading, 0.0), (frame, -1, -1, -1, leg))
    push(memory, 0.0, node)
    if quest.truncated and _is_goal(memory, node, situation, quest):
        memory.counters[GOAL] = node
        return FOUND
    return RUNNING


@kernel
def search(memory, limit, room, situation, quest, buckets):
    """Expand up to `limit` nodes; `room` is how many nodes one expansion may add."""
    memory, situation, quest = borrowed(memory), borrowed(situation), borrowed(quest)
    counters = memory.counters
    for _ in range(limit):
        if counters[NODES] + room > len(memory.states) or 2 * (counters[STORED] + room) > len(memory.table):
            return FULL
        node = pop(memory)
        if node < 0:
            return EXHAUSTED
        if not quest.truncated and _is_goal(memory, node, situation, quest):
            counters[GOAL] = node
            return FOUND
        counters[EXPANDED] += 1
        goal = _expand(memory, node, situation, quest, buckets)
        if goal >= 0:
            counters[GOAL] = goal
            return FOUND
    return RUNNING


@inlined
def _expand(memory, node, situation, quest, buckets):
    """Add what may follow a node to the search; a goal among it if the first is to be taken, else -1."""
    moves, counters, drafts, places = situation.moves, memory.counters, memory.drafts, memory.places
    stand = standing(memory.states[node, 0], memory.states[node, 1], memory.states[node, 2])
    frame = np.int64(memory.links[node, FRAME])
    for index in range(_draft(memory, node, stand, situation, quest, buckets)):
        follower, clip, after = drafts[index, 0], drafts[index, 1], drafts[index, 2]
        to_leg, key = drafts[index, 3], drafts[index, 4]
        slot = find_slot(key, memory.table)
        known = memory.table[slot, 1] >= 0
        total = memory.states[node, 3] + moves.costs[follower]
        if known and memory.kept[slot] <= total:
            counters[VISITED] += 1
            continue
        refused = _refused(stand, frame, clip, moves.special[follower], situation, quest.crowded)
        if refused >= 0:
            counters[refused] += 1
            continue
        if not situation.ground.flat:
            total += quest.climb * climbed(stand, clip, moves, situation.ground)
            if known and memory.kept[slot] <= total:
                counters[VISITED] += 1
                continue
        x, z, heading = places[index, 0], places[index, 1], places[index, 2]
        ahead = estimate(x, z, to_leg, quest)
        if ahead >= FOREVER:
            counters[BLOCKED] += 1
            continue
        if after + quest.haste * ahead > quest.horizon + 1.0:
            counters[BEYOND] += 1
            continue
        child = keep_node(memory, slot, key, (x, z, heading, total), (after, node, clip, follower, to_leg))
        push(memory, total + quest.inflation * ahead, child)
        if quest.truncated and _is_goal(memory, child, situation, quest):
            return child
    return np.int64(-1)


@inlined
def _draft(memory, node, stand, situation, quest, buckets):
    """Write down what may follow a node, and where it leads; how many there are.

    This goes before the rest so that the table's memory is on its way for all followers at once.
    """
    moves, solids, links = situation.moves, situation.solids, memory.links
    heading, drafts, places = memory.states[node, 2], memory.drafts, memory.places
    frame, leg, previous = np.int64(links[node, FRAME]), np.int64(links[node, LEG]), np.int64(links[node, CLIP])
    pose = _pose(links[node, BEHAVIOR], moves, quest)
    count, touched = 0, np.int64(0)
    mask = len(memory.table) - 1
    for index in range(moves.follower_starts[pose], moves.follower_starts[pose + 1]):
        follower = moves.followers[index]
        clip = pick_clip(moves.clip_starts, quest.seed, follower, frame, leg, previous)
        kind = moves.special[follower]
        if kind >= 0 and not (
            maybe_passable(stand.x, stand.z, kind, solids)
            and near_passable(stand.x, stand.z, frame + moves.action_frames[clip], kind, solids)
        ):
            continue
        memory.counters[GENERATED] += 1
        after = frame + moves.durations[clip]
        if after > quest.horizon:
            memory.counters[BEYOND] += 1
            continue
        x, z = laid(stand, moves.displacements[clip, 0], moves.displacements[clip, 1])
        to_heading = wrapped(heading + moves.displacements[clip, 2])
        to_leg = next_leg(x, z, to_heading, leg, quest.goals)
        key = state_key(x, z, to_heading, moves.exit[follower], to_leg, after, buckets)
        drafts[count, 0], drafts[count, 1], drafts[count, 2], drafts[count, 3] = follower, clip, after, to_leg
        drafts[count, 4] = key
        places[count, 0], places[count, 1], places[count, 2] = x, z, to_heading
        touched += memory.table[first_slot(key, mask), 1]
        count += 1
    drafts[count, 0] = touched  # in use, so that the compiler does not leave the reading out
    return count


@inlined
def _pose(behavior, moves, quest):
    """The pose in which a behavior ends; that of the start for -1."""
    return quest.root_pose if behavior < 0 else moves.exit[behavior]


@inlined
def _refused(stand, frame, clip, kind, situation, crowded):
    """The counter of what a clip begun at a stand meets, or -1. kind: special or -1."""
    moves, ground, solids, people = situation
    if hits_ground(stand, clip, moves, ground):
        return BLOCKED
    if (kind >= 0 or near_solids(stand, clip, moves, solids)) and hits_solids(
        stand, frame, clip, kind, moves, ground, solids
    ):
        return BLOCKED
    if crowded and hits_people(stand, frame, clip, moves, people):
        return OCCUPIED
    return -1


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


@inlined
def _is_goal(memory, node, situation, quest):
    """Whether the last goal is reached, and can be kept if it must."""
    x, z, heading, leg = (
        memory.states[node, 0],
        memory.states[node, 1],
        memory.states[node, 2],
        memory.links[node, LEG],
    )
    if leg < len(quest.goals) - 1 or not at_goal(x, z, heading, leg, quest.goals):
        return False
    return _may_stop(memory, node, situation, quest)


@inlined
def _may_stop(memory, node, situation, quest):
    """Whether one can remain at a node if one must."""
    if not quest.stays:
        return True
    stand = standing(memory.states[node, 0], memory.states[node, 1], memory.states[node, 2])
    pose = _pose(memory.links[node, BEHAVIOR], situation.moves, quest)
    return can_stay(stand, pose, memory.links[node, FRAME], situation, quest)


@kernel
def best_stop(memory, situation, quest):
    """The node nearest to the goal where one may stop, or -1."""
    count = memory.counters[NODES]
    ahead = np.empty(count)
    for node in range(count):
        ahead[node] = estimate(memory.states[node, 0], memory.states[node, 1], memory.links[node, LEG], quest)
    for node in np.argsort(ahead):
        if _may_stop(memory, node, situation, quest):
            return node
    return -1
