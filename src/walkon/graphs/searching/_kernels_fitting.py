"""How far from a path an edge leads, and whether it may be taken there (Kovar et al. 2002, section 5.1)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from walkon.kernels import kernel
from walkon.rotations.kernels import carried, turned


class EdgeTable(NamedTuple):
    """The graph as the search sees it: arrays of `MotionGraph`.

    trails: (M, 3) x, z and the length of the step to there [m]. lengths: (E,) [m] of all steps of an edge.
    surcharges: (E,) [m²] what taking an edge costs besides its distance from the path.
    """

    offsets: np.ndarray
    heads: np.ndarray
    frames: np.ndarray
    moves: np.ndarray
    trail_offsets: np.ndarray
    trails: np.ndarray
    lengths: np.ndarray
    surcharges: np.ndarray


class PathWish(NamedTuple):
    """What is wanted: the path's points (Q, 2), `spacing` [m] apart, its length [m], and `Styles`.

    least: progress [m] that every frame makes, or is counted as if. early: [m] before the end of a style it may
    be left. detour: [m²] what a frame costs that is of neither style, between two. foresight, ahead: see
    `expected`.
    """

    points: np.ndarray
    spacing: float
    length: float
    ends: np.ndarray
    shown: np.ndarray
    edges: np.ndarray
    reach: np.ndarray
    ways: np.ndarray
    least: float
    early: float
    detour: float
    foresight: float
    ahead: float


X, Z, SINE, COSINE, ARC = range(5)
"""Columns of a place: where, which way, and the arc length [m] of the point of the path that belongs to it."""

NODE, STYLE, DETOUR, FRAMES = range(4)
"""Columns of a state: the node, the style one is in or, if on a detour, on the way to, and frames shown so far."""


LATE_FACTOR = 5.0
"""How many times more errors count behind the end of a style: otherwise its end would be put off as long as
possible."""

USUAL_STEP = 0.04
"""Metres that a frame is assumed to cover in what is to come: a walk of 1.2 m/s at 30 Hz."""


@kernel(inline="always")
def option(edge, state, arc, ground, wish):
    """The style in which an edge may be taken, or -1; and whether it is part of a detour to that style.

    A style is left once, for good, such that the next one begins within `early` of its end. Where no edge leads
    straight into that, the shortest way there is taken, as it is by who is still in a style well after its end.
    """
    style, following, head = state[STYLE], state[STYLE], ground.heads[edge]
    if state[DETOUR] == 0:
        following, last = style + 1, style + 1 == len(wish.ends)
        over = arc >= wish.ends[style] and wish.edges[min(following, len(wish.ends) - 1), edge]
        if wish.edges[style, edge] and not over and arc < wish.ends[style] + wish.early:
            return style, 0
        if last:
            return -1, 0
        begins = arc if wish.edges[following, edge] else arc + ground.lengths[edge] + wish.ways[following, head]
        if begins < wish.ends[style] - wish.early:
            return -1, 0
    if wish.edges[following, edge]:
        return following, 0
    here, there = wish.reach[following, state[NODE]], wish.reach[following, head]
    if here > 0 and (there == 0 or ground.frames[edge] + there == here):
        return following, 1
    return -1, 0


@kernel(inline="always")
def follow(edge, style, detour, most, limit, place, ground, wish):
    """The error [m²] of an edge from a place on, and the arc length [m] after it.

    The error is the squared distance from the point at the same arc length (eq. 9), summed over frames; a frame
    that makes too little progress counts as more. A path stays where its style ends until the next one begins.
    Frames after the first `most` are beyond the horizon; they count only where the path is over, so that nobody
    overshoots it. An error that is larger than `limit` is not summed up to the end.
    """
    x, z, sine, cosine, arc = place[X], place[Z], place[SINE], place[COSINE], place[ARC]
    last = len(wish.points) - 2
    end = min(wish.ends[style - 1 if detour and style > 0 else style], wish.length)
    least, late = 0.0 if detour else wish.least, end < wish.length
    # On a detour one may well stand, and what shows the style before or the one to come costs nothing.
    outside = detour == 1 and not wish.shown[style, edge] and not wish.shown[max(style - 1, 0), edge]
    first = ground.trail_offsets[edge]
    error = ground.surcharges[edge]
    for i in range(ground.frames[edge]):
        if error > limit or (i >= most and arc < wish.length):
            break
        at_x, at_z = carried(x, z, sine, cosine, ground.trails[first + i, 0], ground.trails[first + i, 1])
        arc += max(ground.trails[first + i, 2], least)
        along = min(arc, end) / wish.spacing
        before = min(int(along), last)
        share = min(along - before, 1.0)
        off_x, off_z = at_x - wish.points[before, 0], at_z - wish.points[before, 1]
        off_x -= share * (wish.points[before + 1, 0] - wish.points[before, 0])
        off_z -= share * (wish.points[before + 1, 1] - wish.points[before, 1])
        off = off_x * off_x + off_z * off_z
        error += (LATE_FACTOR * off if late and arc > end else off) + (wish.detour if outside else 0.0)
    return error, arc


@kernel
def still_due(state, arc, wish):
    """The error [m²] that is still to come because the next style is not at hand.

    Somebody who cannot be in the next style where this one ends goes on beyond its end, for as many metres as the
    way into the next style is too long.
    """
    following = state[STYLE] + 1 - state[DETOUR]
    if following in (0, len(wish.ends)) or arc >= wish.length:
        return 0.0
    late = arc + wish.ways[following, state[NODE]] - wish.ends[following - 1]
    return LATE_FACTOR * late * late * late / (3.0 * USUAL_STEP) if late > 0.0 else 0.0


@kernel
def expected(place, wish):
    """The error [m²] to be expected soon of who goes on as they face: that of some frames, a little ahead."""
    x, z = place[X] + wish.ahead * place[SINE], place[Z] + wish.ahead * place[COSINE]
    along = min(place[ARC] + wish.ahead, wish.length) / wish.spacing
    before = min(int(along), len(wish.points) - 1)
    off_x, off_z = x - wish.points[before, 0], z - wish.points[before, 1]
    return wish.foresight * (off_x * off_x + off_z * off_z)


@kernel
def move_on(edge, place, state, style, detour, arc, ground, next_place, next_state):
    """Writes the place and the state after an edge."""
    sine, cosine = place[SINE], place[COSINE]
    aside, ahead, turn = ground.moves[edge, 0], ground.moves[edge, 1], ground.moves[edge, 2]
    next_place[X], next_place[Z] = carried(place[X], place[Z], sine, cosine, aside, ahead)
    next_place[SINE], next_place[COSINE] = turned(sine, cosine, math.sin(turn), math.cos(turn))
    next_place[ARC] = arc
    next_state[NODE], next_state[STYLE], next_state[DETOUR] = ground.heads[edge], style, detour
    next_state[FRAMES] = state[FRAMES] + ground.frames[edge]


@kernel
def advance(edges, place, state, ground, wish, arcs):
    """Moves a place and a state on along edges (S,); arcs: (frames,) [m] takes the arc length at every frame."""
    frame = 0
    for edge in edges:
        style, detour = option(edge, state, place[ARC], ground, wish)
        arc = place[ARC]
        for i in range(ground.trail_offsets[edge], ground.trail_offsets[edge + 1]):
            arc += max(ground.trails[i, 2], 0.0 if detour else wish.least)
            arcs[frame] = arc
            frame += 1
        move_on(edge, place, state, style, detour, arc, ground, place, state)


@kernel
def distances_to_path(track, points):
    """How far (F,) [m] the points of a track (F, 2) are from the line through points (Q, 2)."""
    distances = np.empty(len(track))
    for frame in range(len(track)):
        nearest = np.inf
        for i in range(len(points) - 1):
            along_x, along_z = points[i + 1, 0] - points[i, 0], points[i + 1, 1] - points[i, 1]
            off_x, off_z = track[frame, 0] - points[i, 0], track[frame, 1] - points[i, 1]
            share = (off_x * along_x + off_z * along_z) / max(along_x * along_x + along_z * along_z, 1e-18)
            share = min(max(share, 0.0), 1.0)
            off_x -= share * along_x
            off_z -= share * along_z
            nearest = min(nearest, off_x * off_x + off_z * off_z)
        distances[frame] = math.sqrt(nearest)
    return distances
