"""Kernels of feet that are held: how far a joint is from where it is pinned, where ankles go, how legs bend.

P pins are one table, a tuple (joints, starts, stops, begins, paths), those of a joint by their first frame:
joints, starts, stops (P,), and begins (P,), where a pin's path begins in `paths` (·, 2), which holds x and z [m]
of every frame of one pin after another. A foot is a tuple (ankle, heel, toe, tip), a leg (hip, knee, ankle).
"""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel
from walkon.rotations.kernels import quaternion_product
from walkon.skeleton.kernels import bend_poles, cross, scaled_to_unit, shortest_turn, turn_limb, two_bone_batch

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
def shift_curve(positions, joint, pins, ease, total, hold):
    """Fill total (F, 3) [m], how far a joint is from its pins, and hold (F,), how firmly it is held, 0 to 1.

    While pinned the shift is exact and the hold 1. Outside, the shift of the nearest pins lingers while the hold
    fades over `ease` frames, or over the whole gap to the next pin if that is shorter.
    """
    joints, starts, stops, begins, paths = pins
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
def turns_between(sources, targets, result):
    """Fill result (F, 4) with the shortest turns that take the directions sources (F, 3) to targets (F, 3)."""
    for f in range(sources.shape[0]):
        ax, ay, az, _ = scaled_to_unit(sources[f, 0], sources[f, 1], sources[f, 2])
        bx, by, bz, _ = scaled_to_unit(targets[f, 0], targets[f, 1], targets[f, 2])
        # Opposite directions leave the axis open: take any perpendicular one.
        if abs(ax) < 0.9:
            nx, ny, nz = cross(ax, ay, az, 1.0, 0.0, 0.0)
        else:
            nx, ny, nz = cross(ax, ay, az, 0.0, 1.0, 0.0)
        nx, ny, nz, _ = scaled_to_unit(nx, ny, nz)
        result[f] = shortest_turn(ax, ay, az, bx, by, bz, nx, ny, nz)


@kernel
def turn_in_world(turns, world, rotations):
    """Turn a joint in the world by turns (F, 4): change its local rotations (F, 4), given its world ones."""
    for f in range(turns.shape[0]):
        w, x, y, z = world[f, 0], world[f, 1], world[f, 2], world[f, 3]
        tw, tx, ty, tz = quaternion_product(turns[f, 0], turns[f, 1], turns[f, 2], turns[f, 3], w, x, y, z)
        tw, tx, ty, tz = quaternion_product(w, -x, -y, -z, tw, tx, ty, tz)
        tw, tx, ty, tz = quaternion_product(
            rotations[f, 0], rotations[f, 1], rotations[f, 2], rotations[f, 3], tw, tx, ty, tz
        )
        # The world rotation is there twice: without this, joining clip after clip triples every rounding error.
        length = math.sqrt(tw * tw + tx * tx + ty * ty + tz * tz)
        rotations[f, 0] = tw / length
        rotations[f, 1] = tx / length
        rotations[f, 2] = ty / length
        rotations[f, 3] = tz / length


@kernel
def foot_goal(positions, foot, pins, lift, ease, goal, turns):
    """Fill where an ankle goes (F, 3) [m], and how its foot turns in the world (F, 4), to meet the pins.

    positions: (F, J, 3) [m]. lift: (F,) [m] by which the foot is raised. A pinned heel carries the ankle to its
    place; a pinned toe is then aimed at by turning the foot, and once the heel is free it carries the ankle along.
    """
    ankle, heel, toe, tip = foot
    frames, joints = len(positions), pins[0]
    front = tip if (not (joints == toe).any()) and (joints == tip).any() else toe
    heel_shift, heel_hold = np.empty((frames, 3)), np.empty(frames)
    shift_curve(positions, heel, pins, ease, heel_shift, heel_hold)
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
    shift_curve(positions, front, pins, ease, toe_shift, toe_hold)
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
def bend_leg(parents, leg, positions, world, goal, turns, softness, rotations):
    """Change rotations (F, J, 4) so that the ankle comes to goal (F, 3) [m] and the foot turns in the world by
    turns (F, 4), given where joints were before: positions (F, J, 3) and world rotations (F, J, 4)."""
    hip, knee, ankle = leg
    frames = len(positions)
    hips, knees, ankles, poles = np.empty((4, frames, 3))
    thighs, above, below, foot, turned = np.empty((5, frames, 4))
    hips[:], knees[:], ankles[:] = positions[:, hip], positions[:, knee], positions[:, ankle]
    thighs[:], foot[:] = world[:, hip], world[:, ankle]
    bend_poles(hips, knees, ankles, thighs, poles)
    two_bone_batch(hips, knees, ankles, goal, poles, softness, above, below)
    turn_limb(parents, leg, above, below, True, world, rotations)
    turned[:] = rotations[:, ankle]
    turn_in_world(turns, foot, turned)
    rotations[:, ankle] = turned
