"""Where the edges of a graph lead on the ground, as seen from where they begin."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array, Indices
from walkon.graphs.transitions import Transitions, blend_weights
from walkon.rotations import compose, seen_from, wrap_angles

PLAIN = -1
"""In place of a transition: the edge is a piece of a recording."""

FRAMES_AT_ONCE = 1 << 18
"""Frames worked on at a time, so that the memory needed beside a graph does not grow with it: about 20 MB. More
would not be faster."""


def lay_ways(
    tracks: Array, transitions: Transitions, begins: Indices, ends: Indices, carries: Indices, offsets: Indices
) -> tuple[Array, Array]:
    """Moves (E, 3) of x, z [m] and heading [rad], and trails (sum of frames, 2) [m] of edges.

    tracks: (N, 3) of the rows. begins, ends: (E,) rows. carries: (E,) numbers of transitions, or PLAIN.
    offsets: (E + 1,) where the frames of an edge begin in the trails.
    """
    moves, trails = np.empty((len(begins), 3)), np.empty((int(offsets[-1]), 2))
    first = 0
    while first < len(begins):
        last = max(int(np.searchsorted(offsets, offsets[first] + FRAMES_AT_ONCE, side="right")) - 1, first + 1)
        some = slice(first, last)
        own = offsets[first : last + 1] - offsets[first]
        seen = _frames_seen(tracks, transitions, begins[some], ends[some], carries[some], own)
        trails[offsets[first] : offsets[last]] = seen[:, :2]
        moves[some] = seen[own[1:] - 1]
        first = last
    moves[:, 2] = wrap_angles(moves[:, 2])
    return moves, trails


def _frames_seen(
    tracks: Array, transitions: Transitions, begins: Indices, ends: Indices, carries: Indices, offsets: Indices
) -> Array:
    """Places (sum of frames, 3) on the way of edges, each as seen from its beginning.

    Headings are right at the ends of edges only, up to whole turns.
    """
    lengths = np.diff(offsets)
    edge = np.repeat(np.arange(len(begins)), lengths)
    step = np.arange(offsets[-1]) - offsets[:-1][edge]
    places = tracks[np.minimum(begins[edge] + 1 + step, len(tracks) - 1)]
    blended = np.flatnonzero(carries[edge] != PLAIN)
    if len(blended):
        over, at = edge[blended], step[blended]
        own = places[blended]
        other = compose(transitions.alignments[carries[over]], tracks[ends[over] - (lengths[over] - 1 - at)])
        share = blend_weights(transitions.window)[at][:, None]
        places[blended] = share * own + (1.0 - share) * other
    return seen_from(tracks[begins[edge]], places)
