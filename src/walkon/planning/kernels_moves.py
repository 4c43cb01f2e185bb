"""Preparing the circles of clips for searches."""

from __future__ import annotations

import math

import numpy as np

from walkon.kernels import kernel
from walkon.motion.features.outlines import COMPASS
from walkon.rotations.kernels import turned

CHUNK = 8
"""Frames that are looked up together."""

PROBED = (1.0, 0.75, 0.5)
"""How far along a clip a body is looked at first, before frame by frame: whoever walks into a wall is in it at the
end. With more, clips that are free take longer; with fewer, those that are not."""


@kernel
def sag(radius, step):
    """What a circle [m] can come closer, between two frames, to a point that is outside it at both.

    A circle of this radius whose centre moves by `step` along a line: at most r − √(r² − step²/4). The form used
    here is no smaller and can be shared out: what two moving circles lose is no more than the sum of their sags.
    """
    if step <= 0.0:
        return 0.0
    if step > radius:
        return 0.5 * step
    return step * step / (4.0 * radius * 1.8660254037844386)  # 1 + √(1 − ½²), as step ≤ radius


@kernel
def padded_circles(circles, starts, displacements, entry, leaving, poses):
    """Circles (F, 3) that begin and end as their poses say, with their sags."""
    padded = circles.copy()
    for clip in range(len(starts) - 1):
        first, last = starts[clip], starts[clip + 1] - 1
        padded[first] = poses[entry[clip]]
        x, z, heading = displacements[clip]
        sine, cosine = math.sin(heading), math.cos(heading)
        px, pz, radius = poses[leaving[clip]]
        px, pz = turned(px, pz, sine, cosine)
        padded[last, 0], padded[last, 1], padded[last, 2] = px + x, pz + z, radius
        pad_track(padded[first : last + 1])
    return padded


@kernel
def pad_track(circles):
    """Add to every radius what its circle can lose before or after its frame."""
    steps = np.zeros(len(circles))
    for frame in range(len(circles) - 1):
        step = math.hypot(circles[frame + 1, 0] - circles[frame, 0], circles[frame + 1, 1] - circles[frame, 1])
        steps[frame] = max(steps[frame], step)
        steps[frame + 1] = step
    previous = math.inf
    for frame in range(len(circles)):
        # The smaller circle of a pair loses more, so each side of a frame is padded by its smaller circle.
        own = circles[frame, 2]
        smallest = min(own, previous)
        if frame + 1 < len(circles):
            smallest = min(smallest, circles[frame + 1, 2])
        previous = own
        circles[frame, 2] = own + sag(max(smallest, 1e-9), steps[frame])


@kernel
def clip_speeds(circles, starts):
    """The most a circle's rim moves from one frame to the next, per clip (C,) [m]; never quite 0."""
    speeds = np.empty(len(starts) - 1)
    for clip in range(len(speeds)):
        speeds[clip] = track_speed(circles[starts[clip] : starts[clip + 1]])
    return speeds


@kernel
def support_speeds(circles, supports, starts):
    """The most that outlines (F, 2, K) around the middles of circles move from one frame to the next in any
    direction, per clip (C,) [m]; never quite 0."""
    speeds = np.full(len(starts) - 1, 1e-6)
    for clip in range(len(speeds)):
        for row in range(starts[clip], starts[clip + 1] - 1):
            moved_x, moved_z = circles[row + 1, 0] - circles[row, 0], circles[row + 1, 1] - circles[row, 1]
            for k in range(len(COMPASS)):
                now = max(supports[row, 0, k], supports[row, 1, k])
                then = max(supports[row + 1, 0, k], supports[row + 1, 1, k])
                moved = moved_x * COMPASS[k, 0] + moved_z * COMPASS[k, 1] + then - now
                # Between two directions a little more than at both.
                speeds[clip] = max(speeds[clip], 1.01 * abs(moved))
    return speeds


@kernel
def least_depths(circles, supports, places):
    """How deep (F,) [m] places (F, 2) are inside of both parts of outlines (F, 2, K) around the middles of
    circles, at least; a part in which there is nothing does not count."""
    depths = np.full(len(circles), np.inf)
    for row in range(len(circles)):
        x, z = places[row, 0] - circles[row, 0], places[row, 1] - circles[row, 1]
        for band in range(2):
            for k in range(len(COMPASS)):
                depth = supports[row, band, k] - x * COMPASS[k, 0] - z * COMPASS[k, 1]
                if depth > -1e6:
                    depths[row] = min(depths[row], depth)
    return depths


@kernel
def probe_discs(circles, supports, starts):
    """Discs (C, PROBED, 3) x, z, radius [m] that both parts of outlines (F, 2, K) around the middles of circles
    hold in some frames of each clip, and about the largest such; the radius is below 0 where there is none."""
    discs = np.empty((len(starts) - 1, len(PROBED), 3))
    for clip in range(len(discs)):
        first, last = starts[clip], max(starts[clip + 1] - 2, starts[clip])
        for probe in range(len(PROBED)):
            row = first + round(PROBED[probe] * (last - first))
            x, z, radius = _inner_disc(supports[row])
            discs[clip, probe, 0], discs[clip, probe, 1] = circles[row, 0] + x, circles[row, 1] + z
            discs[clip, probe, 2] = radius
    return discs


@kernel
def _inner_disc(supports):
    """A disc inside of both parts of an outline (2, K): away from the nearest side in ever smaller steps, as long
    as that is for the better."""
    x, z, step = 0.0, 0.0, 0.05
    best, side = _depth(supports, x, z)
    for _ in range(60):
        to_x, to_z = x - step * COMPASS[side, 0], z - step * COMPASS[side, 1]
        depth, nearest = _depth(supports, to_x, to_z)
        if depth > best:
            x, z, best, side = to_x, to_z, depth, nearest
        step *= 0.9
    return x, z, best


@kernel
def _depth(supports, x, z):
    """How deep [m] a place is inside of both parts of an outline (2, K), and the direction of the nearest side."""
    depth, side = math.inf, 0
    for k in range(len(COMPASS)):
        left = min(supports[0, k], supports[1, k]) - x * COMPASS[k, 0] - z * COMPASS[k, 1]
        if left < depth:
            depth, side = left, k
    return depth, side


@kernel
def track_speed(circles):
    """The most a circle's rim moves from one frame to the next [m]; never quite 0, for it divides."""
    fastest = 1e-6
    for frame in range(len(circles) - 1):
        moved = math.hypot(circles[frame + 1, 0] - circles[frame, 0], circles[frame + 1, 1] - circles[frame, 1])
        fastest = max(fastest, moved + abs(circles[frame + 1, 2] - circles[frame, 2]))
    return fastest


@kernel
def enclosing_circles(circles, starts):
    """A circle (N, 3) around each group of circles; not always the smallest."""
    found = np.zeros((len(starts) - 1, 3))
    for group in range(len(found)):
        own = circles[starts[group] : starts[group + 1]]
        left, right, near, far = math.inf, -math.inf, math.inf, -math.inf
        for row in range(len(own)):
            x, z, radius = own[row, 0], own[row, 1], own[row, 2]
            left, right = min(left, x - radius), max(right, x + radius)
            near, far = min(near, z - radius), max(far, z + radius)
        center_x, center_z = 0.5 * (left + right), 0.5 * (near + far)
        reach = 0.0
        for row in range(len(own)):
            reach = max(reach, math.hypot(own[row, 0] - center_x, own[row, 1] - center_z) + own[row, 2])
        found[group, 0], found[group, 1], found[group, 2] = center_x, center_z, reach
    return found


@kernel
def clip_bounds(circles, starts):
    """A circle (C, 3) around each whole clip."""
    return enclosing_circles(circles, starts)


@kernel
def clip_chunks(circles, starts):
    """Circles (H, 3) around every CHUNK frames of each clip, and where each clip's begin (C + 1,)."""
    clips = len(starts) - 1
    begins = np.zeros(clips + 1, dtype=np.int64)
    for clip in range(clips):
        begins[clip + 1] = begins[clip] + (starts[clip + 1] - starts[clip] + CHUNK - 1) // CHUNK
    limits = np.empty(begins[clips] + 1, dtype=np.int64)
    for clip in range(clips):
        for chunk in range(begins[clip], begins[clip + 1]):
            limits[chunk] = starts[clip] + (chunk - begins[clip]) * CHUNK
    limits[begins[clips]] = starts[clips]
    return begins, enclosing_circles(circles, limits)


@kernel
def clip_hops(paths, starts, hop):
    """Lengths (C,) [m] of the clips' paths if corners are cut by hops no longer than `hop`."""
    lengths = np.zeros(len(starts) - 1)
    for clip in range(len(lengths)):
        frame, last = starts[clip], starts[clip + 1] - 1
        while frame < last:
            follower = last
            while follower > frame + 1 and _distance(paths, frame, follower) > hop:
                follower -= 1
            lengths[clip] += _distance(paths, frame, follower)
            frame = follower
    return lengths


@kernel
def _distance(paths, a, b):
    return math.hypot(paths[a, 0] - paths[b, 0], paths[a, 1] - paths[b, 1])
