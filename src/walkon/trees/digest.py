"""A graph by its digest: a forest belongs to the graph it was grown from, and to no other."""

from __future__ import annotations

import hashlib

import numpy as np

from walkon.basics import once_per_object
from walkon.behaviors import BehaviorGraph

DECISIVE = (
    *("entry", "exit", "rests", "rest_circles", "kinds", "allowed", "follower_starts", "followers", "costs"),
    *("clip_starts", "durations", "displacements", "action_frames", "frame_starts", "circles", "paths"),
    *("capsule_starts", "capsules"),
)
"""What of a graph decides how its trees look, and what can be planned with them."""


@once_per_object
def graph_digest(graph: BehaviorGraph) -> str:
    """SHA-256 over the arrays of a graph, its rate and the names of its poses, as 64 letters.

    Names of behaviors are left out: trees know behaviors by their numbers. A graph customized otherwise has
    another digest, since its costs or followers differ.
    """
    seen = hashlib.sha256(repr((graph.fps, graph.poses)).encode())
    for name in DECISIVE:
        array = np.ascontiguousarray(getattr(graph, name))
        # Types and shapes too: else the end of one array could pass for the beginning of the next.
        seen.update(f"\n{name} {array.dtype.str} {array.shape}\n".encode())
        seen.update(array.data if array.size else b"")
    return seen.hexdigest()
