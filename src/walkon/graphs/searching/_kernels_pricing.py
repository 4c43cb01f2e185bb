"""Walks as lists of jumps between recordings: where they lead, and what that costs."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from walkon.kernels import kernel
from walkon.rotations.kernels import carried, turned_back


class Chart(NamedTuple):
    """A graph as R runs of recordings, chains of nodes joined by plain edges, and transitions between them.

    run_of: (V,). rows: (V,). tracks: (N, 3). jumps: (T,) edges that carry transitions, by the runs they leave and
    enter, then by tail. keys: (T,) run left × R + run entered. leaving: (R + 1,) jumps by the run they leave.
    tails, heads: (T,) nodes, trails: (T, k, 3) x, z [m] and heading [rad] on the way, in the order of jumps.
    lengths: (N,) [m] way gone in a recording up to a row. jump_lengths: (T,) [m].
    next_end: (V,) the first node from here on along the run where a walk may end, or -1.
    """

    run_of: np.ndarray
    rows: np.ndarray
    tracks: np.ndarray
    jumps: np.ndarray
    keys: np.ndarray
    leaving: np.ndarray
    tails: np.ndarray
    heads: np.ndarray
    trails: np.ndarray
    lengths: np.ndarray
    jump_lengths: np.ndarray
    next_end: np.ndarray


class Terms(NamedTuple):
    """What a track costs (eqs. 3.1, 3.4); see `WalkCost`. An infinite scale leaves its term out."""

    goal: np.ndarray
    scale: float
    facing: float
    turn_scale: float
    waypoints: np.ndarray
    waypoint_scale: float
    least_distance: float
    least_frames: float


@kernel
def carry(place, x, z, heading, out):
    """What is at x, z, heading [m, rad] as seen from a place (3,), in the world."""
    out[0], out[1] = carried(place[0], place[1], math.sin(place[2]), math.cos(place[2]), x, z)
    out[2] = place[2] + heading


@kernel
def lay_piece(place, first, last, chart, track, frame):
    """Rows first + 1 to last of a recording, from a place (3,) on, which is moved to their end; the next frame."""
    ox, oz, oh = chart.tracks[first, 0], chart.tracks[first, 1], chart.tracks[first, 2]
    own_sine, own_cosine = math.sin(oh), math.cos(oh)
    sine, cosine = math.sin(place[2]), math.cos(place[2])
    for row in range(first + 1, last + 1):
        x, z = turned_back(chart.tracks[row, 0] - ox, chart.tracks[row, 1] - oz, own_sine, own_cosine)
        track[frame, 0], track[frame, 1] = carried(place[0], place[1], sine, cosine, x, z)
        track[frame, 2] = place[2] + chart.tracks[row, 2] - oh
        frame += 1
    if last > first:
        place[:] = track[frame - 1]
    return frame


@kernel
def lay_track(start, jumps, end, begin, chart, track):
    """The track of a walk from node `start` by jumps (m,) to node `end`: frames F, or -1 if there is no room."""
    place = begin.copy()
    track[0] = begin
    frame, node, window = 1, start, chart.trails.shape[1]
    for jump in jumps:
        if frame + chart.rows[chart.tails[jump]] - chart.rows[node] + window > len(track):
            return -1
        frame = lay_piece(place, chart.rows[node], chart.rows[chart.tails[jump]], chart, track, frame)
        for i in range(window):
            seen = chart.trails[jump, i]
            carry(place, seen[0], seen[1], seen[2], track[frame])
            frame += 1
        place[:] = track[frame - 1]
        node = chart.heads[jump]
    if frame + chart.rows[end] - chart.rows[node] > len(track):
        return -1
    return lay_piece(place, chart.rows[node], chart.rows[end], chart, track, frame)


@kernel
def go_along(place, first, last, chart):
    """Moves a place (3,) on from one row of a recording to another."""
    x, z, heading = chart.tracks[first, 0], chart.tracks[first, 1], chart.tracks[first, 2]
    dx, dz = turned_back(
        chart.tracks[last, 0] - x, chart.tracks[last, 1] - z, math.sin(heading), math.cos(heading)
    )
    carry(place, dx, dz, chart.tracks[last, 2] - heading, place)


@kernel
def price_at_a_glance(start, jumps, end, begin, chart, terms, most):
    """What a walk costs as far as neither way-points nor anything but its length and its end matter.

    Infinite if it takes more than `most` frames.
    """
    place = begin.copy()
    window = chart.trails.shape[1]
    node, frames, length = start, 0, 0.0
    for jump in jumps:
        first, last = chart.rows[node], chart.rows[chart.tails[jump]]
        go_along(place, first, last, chart)
        seen = chart.trails[jump, window - 1]
        carry(place, seen[0], seen[1], seen[2], place)
        frames += last - first + window
        length += chart.lengths[last] - chart.lengths[first] + chart.jump_lengths[jump]
        node = chart.heads[jump]
    first, last = chart.rows[node], chart.rows[end]
    go_along(place, first, last, chart)
    frames += last - first
    length += chart.lengths[last] - chart.lengths[first]
    if frames > most:
        return np.inf
    cost = math.hypot(place[0] - terms.goal[0], place[1] - terms.goal[1]) / terms.scale
    if terms.turn_scale < np.inf:
        off = place[2] - terms.facing
        cost += abs(math.atan2(math.sin(off), math.cos(off))) / terms.turn_scale
    if terms.least_distance < np.inf:
        cost += max(length / terms.least_distance, 1.0)
    if terms.least_frames < np.inf:
        cost += max(frames / terms.least_frames, 1.0)
    return cost


@kernel
def price_waypoints(track, terms):
    """What missing way-points costs a track (F, 3): eq. 3.1, each looked for behind the one before (eq. 3.2)."""
    cost, since, last = 0.0, -1, len(track) - 1
    for k in range(len(terms.waypoints)):
        nearest, at = np.inf, last
        for i in range(min(since + 1, last), len(track)):
            off_x, off_z = track[i, 0] - terms.waypoints[k, 0], track[i, 1] - terms.waypoints[k, 1]
            if off_x * off_x + off_z * off_z < nearest:
                nearest, at = off_x * off_x + off_z * off_z, i
        since = at
        # The exponent falls from n + 1 for the first to 2 for the last; k counts from 0 here.
        cost += min((math.sqrt(nearest) / terms.waypoint_scale) ** (len(terms.waypoints) - k + 1), 1e200)
    return cost


@kernel
def price_many(start, walks, lengths, ends, begin, chart, terms, limit, costs, track):
    """Costs (B,) of walks (B, m) from a node, but for what only a Python function can tell.

    limit: what costs more is not looked at any closer. track: (most frames + 1, 3) room.
    """
    for i in range(len(lengths)):
        jumps = walks[i, : lengths[i]]
        costs[i] = price_at_a_glance(start, jumps, ends[i], begin, chart, terms, len(track) - 1)
        if costs[i] < limit and len(terms.waypoints) > 0:
            frames = lay_track(start, jumps, ends[i], begin, chart, track)
            costs[i] += price_waypoints(track[:frames], terms)
