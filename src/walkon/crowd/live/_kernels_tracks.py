"""The space and time that clips take: bodies frame by frame, and the one in which they end up resting."""

from __future__ import annotations

import math

import numpy as np

from walkon.crowd.live._kernels_checks import after, lay_body, lay_rest
from walkon.crowd.live.crew import NOTHING, SEGMENTS
from walkon.kernels import kernel
from walkon.planning.kernels_tracks import body_speed
from walkon.rotations.kernels_ground import standing


@kernel
def lay_track(clips, frames, places, count, now, table, track):
    """The bodies of segments from frame `now` on, and the one in which they end up resting. Their number, or -1
    if there is no room; and the most that they move in a frame, in any direction."""
    used, speed = 0, 1e-6
    for segment in range(count):
        clip = table.clips[clips[segment]]
        stand = standing(places[segment, 0], places[segment, 1], places[segment, 2])
        first = max(now - frames[segment], 0)
        if first >= clip.duration:
            continue
        if used + clip.duration - first + 2 > len(track):
            return -1, speed
        speed = max(speed, clip.speed)
        begun, heading = used, places[segment, 2]
        # The last circle of a clip is that of the next one's first frame; its last outline is in the one before.
        last = clip.duration if segment == count - 1 and not table.outlined else clip.duration - 1
        for row in range(clip.first + first, clip.first + last + 1):
            lay_body(stand, heading, table.circles[row], row, table, track[used])
            used += 1
        speed = max(speed, _seam_speed(track, begun, table))
    end = np.empty(3)
    after(places[count - 1], table.clips[clips[count - 1]].displacement, end)
    lay_rest(end, table.clips[clips[count - 1]].exit, table, track[used])
    return used + 1, max(speed, _seam_speed(track, used, table))


@kernel
def _seam_speed(track, row, table):
    """The most that a body moves from the row before to a row of a track, where another clip begins."""
    if row == 0:
        return 0.0
    places, rows = np.zeros((2, 5)), np.empty(2, dtype=np.int32)
    for k in range(2):
        places[k, :4] = track[row - 1 + k, :4]
        rows[k] = int(track[row - 1 + k, 4])
    return body_speed(places, rows, table.supports)


@kernel
def bound_track(track, length, out):
    """A circle around all circles of a track."""
    left, right, near, far = np.inf, -np.inf, np.inf, -np.inf
    for row in range(length):
        x, z, radius = track[row, 0], track[row, 1], track[row, 2]
        left, right = min(left, x - radius), max(right, x + radius)
        near, far = min(near, z - radius), max(far, z + radius)
    x, z, reach = 0.5 * (left + right), 0.5 * (near + far), 0.0
    for row in range(length):
        reach = max(reach, math.hypot(track[row, 0] - x, track[row, 1] - z) + track[row, 2])
    out[0], out[1], out[2] = x, z, reach


@kernel
def reserve(mine, own, now, crew, table):
    """The space and time of a proposal, with what is playing. Without room for it, nothing is proposed."""
    clips, frames = np.empty(SEGMENTS + 1, dtype=np.int64), np.empty(SEGMENTS + 1, dtype=np.int64)
    places = np.empty((SEGMENTS + 1, 3))
    count, me = 0, crew[own]
    if me.count > 0:
        clips[0], frames[0], count = me.clips[0], me.frames[0], 1
        places[0] = me.places[0]
    for segment in range(mine.count):
        clips[count], frames[count] = mine.clips[segment], mine.frames[segment]
        places[count] = mine.places[segment]
        count += 1
    mine.first, mine.ends = now, False
    mine.length, mine.speed = lay_track(clips, frames, places, count, now, table, mine.track)
    if mine.length < 0:
        mine.kind = NOTHING
    else:
        bound_track(mine.track, mine.length, mine.bound)
