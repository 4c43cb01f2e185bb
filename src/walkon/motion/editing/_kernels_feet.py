"""Kernels of feet that are held: how far a joint is from where it is pinned, where ankles go, how legs bend.

P pins lie in one table, those of a joint by their first frame: joints, starts, stops (P,), and begins (P,), where
their paths begin in `paths` (·, 2), which holds x and z [m] of every frame of one pin after another.
"""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel
from walkon.motion.editing._kernels import turn_in_world, turns_between
from walkon.skeleton.kernels import bend_poles, turn_limb, two_bone_batch

RIGID = 1e-6
"""[m] A toe no farther than this from its ankle has no direction."""


@kernel
def smooth_step(value):
    """0 up to 0, 1 from 1 on, and a curve without corners in between."""
    t = min(max(value, 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@kernel
def fade(total, hold, first, way, count, sx, sz):
    """Add a shift to `count` frames from `first` on, or backwards, with weights that rise."""
    for k in range(count):
        f = first + way * k
        if 0 <= f < len(hold):
            weight = smooth_step((k + 1) / (count + 1))
            total[f, 0] += weight * sx
            total[f, 2] += weight * sz
            hold[f] += weight


@kernel
def shift_curve(positions, joint, joints, starts, stops, begins, paths, ease, total, hold):
    """Fill total (F, 3) [m], how far a joint is from its pins, and hold (F,), how firmly it is held, 0 to 1.

    While pinned the shift is exact and the hold 1. Outside, the shift of the nearest pins lingers while the hold
    fades over `ease` frames, or over the whole gap to the next pin if that is shorter.
    """
    total[:] = 0.0
    hold[:] = 0.0
    mine = np.flatnonzero(joints == joint)
    for i in range(len(mine)):
        pin = mine[i]
        start, stop = starts[pin], stops[pin]
        for f in range(start, stop):
            total[f, 0] = paths[begins[pin] + f - start, 0] - positions[f, joint, 0]
            total[f, 1] = 0.0
            total[f, 2] = paths[begins[pin] + f - start, 1] - positions[f, joint, 2]
            hold[f] = 1.0
        before = ease if i == 0 else min(ease, start - stops[mine[i - 1]])
        after = ease if i + 1 == len(mine) else min(ease, starts[mine[i + 1]] - stop)
        fade(total, hold, start - before, 1, before, total[start, 0], total[start, 2])
        fade(total, hold, stop + after - 1, -1, after, total[stop - 1, 0], total[stop - 1, 2])
    for f in range(len(hold)):
        for k in range(3):
            total[f, k] = total[f, k] / max(hold[f], 1e-12) if hold[f] > 0.0 else 0.0


@kernel
def foot_goal(positions, ankle, heel, toe, tip, joints, starts, stops, begins, paths, lift, ease, goal, turns):
    """Fill where an ankle goes (F, 3) [m], and how its foot turns in the world (F, 4), to meet the pins.

    positions: (F, J, 3) [m]. lift: (F,) [m] by which the foot is raised. A pinned heel carries the ankle to its
    place; a pinned toe is then aimed at by turning the foot, and once the heel is free it carries the ankle along.
    """
    frames = len(positions)
    front = tip if (not (joints == toe).any()) and (joints == tip).any() else toe
    heel_shift, heel_hold = np.empty((frames, 3)), np.empty(frames)
    shift_curve(positions, heel, joints, starts, stops, begins, paths, ease, heel_shift, heel_hold)
    farthest = 0.0
    for f in range(frames):
        for k in range(3):
            farthest = max(farthest, abs(positions[f, front, k] - positions[f, ankle, k]))
    if farthest <= RIGID:
        for f in range(frames):
            for k in range(3):
                up = lift[f] if k == 1 else 0.0
                goal[f, k] = positions[f, ankle, k] + up + heel_hold[f] * heel_shift[f, k]
            turns[f] = (1.0, 0.0, 0.0, 0.0)
        return
    toe_shift, toe_hold = np.empty((frames, 3)), np.empty(frames)
    shift_curve(positions, front, joints, starts, stops, begins, paths, ease, toe_shift, toe_hold)
    bones, aims = np.empty((frames, 3)), np.empty((frames, 3))
    toe_goal = np.empty(3)
    for f in range(frames):
        length, apart = 0.0, 0.0
        held = (1.0 - heel_hold[f]) * toe_hold[f]
        for k in range(3):
            up = lift[f] if k == 1 else 0.0
            there = positions[f, ankle, k] + up
            bones[f, k] = positions[f, front, k] + up - there
            length += bones[f, k] * bones[f, k]
            goal[f, k] = there + heel_hold[f] * heel_shift[f, k] + held * toe_shift[f, k]
            toe_goal[k] = positions[f, front, k] + up + toe_shift[f, k]
            apart += (toe_goal[k] - goal[f, k]) * (toe_goal[k] - goal[f, k])
        # The foot is rigid: with its toe held, the ankle can only be on the sphere around it.
        share = math.sqrt(length) / max(math.sqrt(apart), 1e-9)
        for k in range(3):
            on_sphere = toe_goal[k] - (toe_goal[k] - goal[f, k]) * share
            goal[f, k] = goal[f, k] + toe_hold[f] * (on_sphere - goal[f, k])
            aims[f, k] = bones[f, k] + toe_hold[f] * (toe_goal[k] - goal[f, k] - bones[f, k])
    turns_between(bones, aims, turns)


@kernel
def bend_leg(parents, hip, knee, ankle, positions, world, goal, turns, softness, rotations):
    """Change rotations (F, J, 4) so that the ankle comes to goal (F, 3) [m] and the foot turns in the world by
    turns (F, 4), given where joints were before: positions (F, J, 3) and world rotations (F, J, 4)."""
    frames = len(positions)
    hips, knees, ankles, poles = np.empty((4, frames, 3))
    thighs, above, below, foot, turned = np.empty((5, frames, 4))
    hips[:], knees[:], ankles[:] = positions[:, hip], positions[:, knee], positions[:, ankle]
    thighs[:], foot[:] = world[:, hip], world[:, ankle]
    bend_poles(hips, knees, ankles, thighs, poles)
    two_bone_batch(hips, knees, ankles, goal, poles, softness, above, below)
    turn_limb(parents, (hip, knee, ankle), above, below, True, world, rotations)
    turned[:] = rotations[:, ankle]
    turn_in_world(turns, foot, turned)
    rotations[:, ankle] = turned
