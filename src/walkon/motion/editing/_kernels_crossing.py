"""Kernels of two clips that cross over: poses mixed, feet as level and as high as the mix, contacts pinned.

F frames of the first clip and S of the second, of which W overlap, give N = F + S - W. In these, the overlap lasts
from `start` = F - W to `stop` = F. Of two clips, `both` has the joints' positions (F, J, 3) and (S, J, 3) [m].
`crossing` is (settled, weights, ease): the frame by which feet are back on the second clip's paths, the weights
(W,) of the second clip in the overlap, and the frames in which a foot returns.
"""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel
from walkon.motion.feet.kernels import bend_leg, foot_goal, smooth_step
from walkon.rotations.kernels import quaternion_product, slerp_into
from walkon.skeleton.kernels import pose_chain


@kernel
def end_to_end(first, second, overlap, result):
    """Fill result (N, ...) with what both have outside the overlap."""
    result[: len(first) - overlap] = first[: len(first) - overlap]
    result[len(first) :] = second[overlap:]


@kernel
def mix_poses(roots, rotations, next_roots, next_rotations, weights, mixed_roots, mixed):
    """Fill mixed_roots (N, 3) and mixed (N, J, 4): one clip, then the other, crossing over by weights (W,)."""
    start = len(roots) - len(weights)
    end_to_end(roots, next_roots, len(weights), mixed_roots)
    end_to_end(rotations, next_rotations, len(weights), mixed)
    for w in range(len(weights)):
        f = start + w
        for k in range(3):
            mixed_roots[f, k] = roots[f, k] + weights[w] * (next_roots[w, k] - roots[f, k])
        for j in range(rotations.shape[1]):
            slerp_into(rotations[f, j], next_rotations[w, j], weights[w], mixed[f, j])


@kernel
def level_feet(parents, feet, worlds, start, weights, pose_world, rotations):
    """Turn ankles in rotations (N, J, 4) so that feet are turned in the world as the mix of both clips' feet.

    Blending every joint of a leg in its parent's frame does not ensure that, however alike the feet: flat stays
    flat. worlds: world rotations (F, J, 4), (S, J, 4) of both clips; pose_world: (W, J, 4) of the mix.
    """
    foot = np.empty(4)
    for q in range(len(feet)):
        ankle = feet[q, 0]
        for w in range(len(weights)):
            slerp_into(worlds[0][start + w, ankle], worlds[1][w, ankle], weights[w], foot)
            above = pose_world[w, parents[ankle]]
            rotations[start + w, ankle] = quaternion_product(
                above[0], -above[1], -above[2], -above[3], foot[0], foot[1], foot[2], foot[3]
            )


@kernel
def clearance(positions, joints, heights):
    """How far [m] the lowest of a foot's joints (M,), -1 for none, is above its height (M,) in a flat foot."""
    least = math.inf
    for m in range(len(joints)):
        if joints[m] >= 0:
            least = min(least, positions[joints[m], 1] - heights[m])
    return least


@kernel
def stand_of(positions, joint, first, stop):
    """The median x and z [m] of a joint over frames, each coordinate for itself."""
    x, z = np.sort(positions[first:stop, joint, 0]), np.sort(positions[first:stop, joint, 2])
    return x[len(x) // 2], z[len(z) // 2]


@kernel
def handed_over(both, joint, contact, before, crossing, path):
    """Fill path (·, 2) of a contact that one clip hands over to the other; how long it is.

    It stays where the first one stands, and takes over from the second only how it rolls; once it has left the
    ground it returns to the second one's path, or bit by bit while it stands if there is no time for that.
    """
    positions, next_positions = both
    begin, end, _, last = contact
    settled, weights, ease = crossing
    start = len(positions) - len(weights)
    middle = start + len(weights) // 2
    sx, sz = stand_of(positions, joint, begin, middle)
    tx, tz = stand_of(next_positions, joint, middle - start, end - start)
    leaves, back = middle, min(settled, last)
    if end < back:
        leaves, back = end, min(end + ease, back)
    stop = max(back, end)
    for f in range(before, stop):
        if f < start:
            x, z = positions[f, joint, 0] - sx, positions[f, joint, 2] - sz
        else:
            x, z = next_positions[f - start, joint, 0] - tx, next_positions[f - start, joint, 2] - tz
            if f < len(positions):
                ax, az = positions[f, joint, 0] - sx, positions[f, joint, 2] - sz
                weight = weights[f - start]
                x, z = ax + weight * (x - ax), az + weight * (z - az)
        returned = smooth_step((f - leaves + 1) / (back - leaves + 1))
        path[f - before, 0] = x + sx + returned * (tx - sx)
        path[f - before, 1] = z + sz + returned * (tz - sz)
    return stop - before


@kernel
def pin_contact(both, joint, contact, crossing, path):
    """Fill path (·, 2) for a contact that meets the overlap, held where the clip it begins in has it; its first
    frame and how long it is.

    A contact of one clip only keeps to that clip's path from or to the end of the overlap. contact: its first
    frame and the one after its last, then those between which no other contact of the joint lies.
    """
    positions, next_positions = both
    begin, end, free, last = contact
    weights = crossing[1]
    start, stop = len(positions) - len(weights), len(positions)
    middle = start + len(weights) // 2
    if begin >= middle:
        length = max(end, min(stop, last)) - begin
        for k in range(length):
            path[k, 0] = next_positions[begin - start + k, joint, 0]
            path[k, 1] = next_positions[begin - start + k, joint, 2]
        return begin, length
    before = max(start - 1, free, 0)
    if end <= middle:
        for k in range(end - before):
            path[k, 0], path[k, 1] = positions[before + k, joint, 0], positions[before + k, joint, 2]
        return before, end - before
    return before, handed_over(both, joint, contact, before, crossing, path)


@kernel
def find_runs(flags, runs):
    """Fill runs (·, 2) with stretches, first frame and the one after the last, in which flags (N,) stay True; how
    many there are."""
    count, open_since = 0, -1
    for f in range(len(flags) + 1):
        on = f < len(flags) and flags[f]
        if on and open_since < 0:
            open_since = f
        elif not on and open_since >= 0:
            runs[count, 0], runs[count, 1] = open_since, f
            count, open_since = count + 1, -1
    return count


@kernel
def pin_contacts(contacts, both, crossing, pins):
    """Fill the table `pins`, see `feet.kernels`, for all contacts that meet the overlap; how many they are.

    contacts: (columns, planted), joints (K,) and when they are planted (N, K).
    """
    columns, planted = contacts
    joints, starts, stops, begins, paths = pins
    start, stop = len(both[0]) - len(crossing[1]), len(both[0])
    runs = np.empty((len(planted) // 2 + 1, 2), dtype=np.int64)
    found, used = 0, 0
    for column in range(len(columns)):
        count = find_runs(planted[:, column], runs)
        for i in range(count):
            begin, end = runs[i]
            if begin >= stop or end <= start:
                continue
            free = runs[i - 1, 1] if i > 0 else 0
            last = runs[i + 1, 0] if i + 1 < count else len(planted)
            contact = (begin, end, free, last)
            first, length = pin_contact(both, columns[column], contact, crossing, paths[used:])
            joints[found], begins[found] = columns[column], used
            starts[found], stops[found] = first, first + length
            used, found = used + length, found + 1
    return found


@kernel
def hold_through(body, legs, contacts, both, worlds, crossing, pin_ease, softness, roots, rotations):
    """Change rotations (N, J, 4): feet as high as the mix of both clips', and planted where they were planted.

    body: (parents, offsets) of the skeleton. legs: (feet, soles, heights), feet (Q, 6) ankle, heel, toe, tip, hip,
    knee, the last two -1 without a leg; soles, heights (Q, M), see `clearance`. contacts: see `pin_contacts`.
    worlds: the world rotations of both clips' joints. pin_ease: frames in which a pin lets go. softness: share
    of a leg's length over which it eases into being straight.
    """
    parents, offsets = body
    feet, soles, heights = legs
    positions, next_positions = both
    settled, weights, ease = crossing
    start, stop, frames = len(positions) - len(weights), len(positions), len(roots)
    bodies, turned = np.empty((frames, rotations.shape[1], 3)), np.empty(rotations.shape)
    end_to_end(positions, next_positions, len(weights), bodies)
    end_to_end(worlds[0], worlds[1], len(weights), turned)
    bones = offsets[start:stop] if len(offsets) > 1 else offsets
    there, around = bodies[start:stop], turned[start:stop]
    pose_chain(parents, bones, roots[start:stop], rotations[start:stop], there, around)
    level_feet(parents, feet, worlds, start, weights, around, rotations)
    pose_chain(parents, bones, roots[start:stop], rotations[start:stop], there, around)
    most = len(contacts[0]) * (len(weights) // 2 + 2)
    joints, starts, stops, begins = np.empty((4, most), dtype=np.int64)
    paths = np.empty((len(contacts[0]) * (frames + len(weights)), 2))
    found = pin_contacts(contacts, both, (start + settled, weights, ease), (joints, starts, stops, begins, paths))
    pins = (joints[:found], starts[:found], stops[:found], begins[:found], paths)
    goal, turns, lift = np.empty((frames, 3)), np.empty((frames, 4)), np.zeros(frames)
    for q in range(len(feet)):
        ankle, heel, toe, tip, hip, knee = feet[q]
        if hip < 0:
            continue
        for w in range(len(weights)):
            ours = clearance(positions[start + w], soles[q], heights[q])
            theirs = clearance(next_positions[w], soles[q], heights[q])
            lift[start + w] = ours + weights[w] * (theirs - ours) - clearance(there[w], soles[q], heights[q])
        foot_goal(bodies, (ankle, heel, toe, tip), pins, lift, pin_ease, goal, turns)
        bend_leg(parents, (hip, knee, ankle), bodies, turned, goal, turns, softness, rotations)
