"""Kernels of blends: rows of two recordings mixed, and how well the mixture moves; bare arrays in and out."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from walkon.kernels import kernel
from walkon.rotations.kernels import quaternion_product, slerp_into, turned
from walkon.skeleton.kernels import pose_chain


@kernel
def carry_root(place, rotation, root, rotated, moved):
    """Fill rotated (4,) and moved (3,): a root's rotation and position carried by a placement (x, z, heading)."""
    sine, cosine = math.sin(place[2]), math.cos(place[2])
    x, z = turned(root[0], root[2], sine, cosine)
    moved[0], moved[1], moved[2] = x + place[0], root[1], z + place[1]
    rotated[0], rotated[1], rotated[2], rotated[3] = quaternion_product(
        math.cos(0.5 * place[2]),
        0.0,
        math.sin(0.5 * place[2]),
        0.0,
        rotation[0],
        rotation[1],
        rotation[2],
        rotation[3],
    )


@kernel
def mix_rows(rotations, roots, rows_a, rows_b, shares, places_a, places_b, mixed_rotations, mixed_roots):
    """Fill mixed_rotations (F, J, 4) and mixed_roots (F, 3): rows a and b, each carried to its place, mixed.

    rotations: (N, J, 4), roots: (N, 3); rows_a, rows_b, shares: (F,); places_a, places_b: (F, 3). Shares
    of 1 and 0 are rows a and b to the bit, but for the placement.
    """
    turned_a, turned_b = np.empty(4), np.empty(4)
    moved_a, moved_b = np.empty(3), np.empty(3)
    for f in range(len(shares)):
        a, b, share = rows_a[f], rows_b[f], shares[f]
        carry_root(places_a[f], rotations[a, 0], roots[a], turned_a, moved_a)
        if share == 1.0:
            mixed_roots[f] = moved_a
            mixed_rotations[f] = rotations[a]
            mixed_rotations[f, 0] = turned_a
            continue
        carry_root(places_b[f], rotations[b, 0], roots[b], turned_b, moved_b)
        if share == 0.0:
            mixed_roots[f] = moved_b
            mixed_rotations[f] = rotations[b]
            mixed_rotations[f, 0] = turned_b
            continue
        for c in range(3):
            mixed_roots[f, c] = share * moved_a[c] + (1.0 - share) * moved_b[c]
        slerp_into(turned_b, turned_a, share, mixed_rotations[f, 0])
        for j in range(1, rotations.shape[1]):
            slerp_into(rotations[b, j], rotations[a, j], share, mixed_rotations[f, j])


class Recorded(NamedTuple):
    """What blends are made of and measured by, for all N rows and J joints.

    rotations: (N, J, 4), roots: (N, 3), positions: (N, J, 3) [m]; parents: (J,), offsets: (1, J, 3) of the body.
    starts, stops: (N,) first row of a row's clip, and the one after its last. joints: (K,), planted: (N, K).
    references: (N, J) [m per frame²] greatest jumps in the recordings.
    """

    rotations: np.ndarray
    roots: np.ndarray
    positions: np.ndarray
    parents: np.ndarray
    offsets: np.ndarray
    starts: np.ndarray
    stops: np.ndarray
    joints: np.ndarray
    planted: np.ndarray
    references: np.ndarray


@kernel
def measure_blends(recorded, sources, targets, alignments, shares, slides, jumps):
    """Fill slides (T,) [m per frame] and jumps (T,) of blends from rows `sources` (T,) to `targets` (T,).

    alignments: (T, 3) what carries the targets' recordings there. shares: (window,) of the source. See `quality`.
    """
    rotations, roots, positions = recorded.rotations, recorded.roots, recorded.positions
    window, joint_count = len(shares), rotations.shape[1]
    rows_a, rows_b = np.empty(window, np.int64), np.empty(window, np.int64)
    places_a, places_b = np.zeros((window, 3)), np.empty((window, 3))
    mixed, mixed_roots = np.empty((window, joint_count, 4)), np.empty((window, 3))
    world = np.empty((window, joint_count, 4))
    shown = np.empty((window + 3, joint_count, 3))
    for t in range(len(sources)):
        source, target = sources[t], targets[t]
        for p in range(window):
            rows_a[p], rows_b[p] = source + 1 + p, target - window + 1 + p
            places_b[p] = alignments[t]
        mix_rows(rotations, roots, rows_a, rows_b, shares, places_a, places_b, mixed, mixed_roots)
        pose_chain(recorded.parents, recorded.offsets, mixed_roots, mixed, shown[2 : window + 2], world)
        first = 0 if source > recorded.starts[source] else 1
        last = window + 2 if target + 1 < recorded.stops[target] else window + 1
        shown[0], shown[1] = positions[max(source - 1, 0)], positions[source]
        if last == window + 2:
            carry_points(alignments[t], positions[target + 1], shown[window + 2])
        slides[t] = _greatest_slide(shown, source, target, window, recorded.joints, recorded.planted)
        jumps[t] = _greatest_jump(shown, first, last, recorded.references[source], recorded.references[target])


@kernel
def carry_points(place, points, carried):
    """Fill carried (J, 3) with points (J, 3) carried by a placement (x, z, heading)."""
    sine, cosine = math.sin(place[2]), math.cos(place[2])
    for j in range(len(points)):
        x, z = turned(points[j, 0], points[j, 2], sine, cosine)
        carried[j, 0], carried[j, 1], carried[j, 2] = x + place[0], points[j, 1], z + place[1]


@kernel
def _greatest_slide(shown, source, target, window, joints, planted):
    greatest = 0.0
    half = window // 2
    for k in range(len(joints)):
        before = planted[source, k]
        for p in range(window):
            now = planted[source + 1 + p, k] if p < half else planted[target - window + 1 + p, k]
            if before and now:
                x = shown[p + 2, joints[k], 0] - shown[p + 1, joints[k], 0]
                z = shown[p + 2, joints[k], 2] - shown[p + 1, joints[k], 2]
                greatest = max(greatest, math.sqrt(x * x + z * z))
            before = now
    return greatest


@kernel
def _greatest_jump(shown, first, last, reference_a, reference_b):
    greatest = 0.0
    for f in range(first + 1, last):
        for j in range(shown.shape[1]):
            total = 0.0
            for c in range(3):
                change = shown[f + 1, j, c] - 2.0 * shown[f, j, c] + shown[f - 1, j, c]
                total += change * change
            greatest = max(greatest, math.sqrt(total) / max(reference_a[j], reference_b[j]))
    return greatest
