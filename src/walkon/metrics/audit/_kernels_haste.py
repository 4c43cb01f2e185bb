"""Kernels: how fast do joints move, turn and tremble?"""

from __future__ import annotations

import math

from walkon.kernels import kernel


@kernel
def _bend(points, frame, joint, stride, out):
    """Fill out (3,) with how far [m] a joint is from halfway between where it was and will be, twice."""
    for c in range(3):
        out[c] = (
            points[frame + stride, joint, c] - 2.0 * points[frame, joint, c] + points[frame - stride, joint, c]
        )


@kernel
def _tremble(points, frame, joint, stride, most, work):
    """How far [m], at most `most`, a joint goes to and fro: every one of four bends is against the one before, of
    which the first is in work[0] already."""
    least = most
    for i in range(1, 4):
        _bend(points, frame + i * stride, joint, stride, work[i])
        against = 0.0
        for c in range(3):
            against -= work[i - 1, c] * work[i, c]
        if against <= 0.0:
            return 0.0
        least = min(least, 0.5 * math.sqrt(against))
    return least


@kernel
def measure_haste(points, rotations, counted, stride, bends, turns, trembles, work):
    """Fill for every frame the most of any joint, and which joint that is, in (F, 2) each.

    points: (F, J, 3) [m]. rotations: (F, J, 4), each seen from its parent. counted: (J,) whose turns count.
    stride: frames over which is measured. bends: [m] how far a joint is from where it would be if it went straight
    on. turns: [rad] how far it turns until `stride` frames later. trembles: [m] from peak to peak, how far it
    goes to and fro in six strides, if it turns round every time. work: (4, 3).
    """
    frames, joints = points.shape[0], points.shape[1]
    for f in range(frames):
        for out in (bends, turns, trembles):
            out[f, 0], out[f, 1] = 0.0, 0.0
        # Cosines of half turns and squares of bends, until all joints are compared.
        straightest, farthest = 1.0, 0.0
        for j in range(joints):
            if counted[j] and f + stride < frames:
                dot = 0.0
                for c in range(4):
                    dot += rotations[f, j, c] * rotations[f + stride, j, c]
                if abs(dot) < straightest:
                    straightest, turns[f, 1] = abs(dot), j
            if f < stride or f + stride >= frames:
                continue
            _bend(points, f, j, stride, work[0])
            square = work[0, 0] ** 2 + work[0, 1] ** 2 + work[0, 2] ** 2
            if square > farthest:
                farthest, bends[f, 1] = square, j
            if square > 4.0 * trembles[f, 0] ** 2 and f + 4 * stride < frames:
                tremble = _tremble(points, f, j, stride, 0.5 * math.sqrt(square), work)
                if tremble > trembles[f, 0]:
                    trembles[f, 0], trembles[f, 1] = tremble, j
        turns[f, 0], bends[f, 0] = 2.0 * math.acos(straightest), math.sqrt(farthest)
