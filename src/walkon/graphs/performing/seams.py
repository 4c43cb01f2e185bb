"""How well a performed walk moves: whether feet that stand slide, and whether joints jump where pieces meet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.errors import GraphError
from walkon.graphs.choosing.quality import recorded_jumps, velocity_changes
from walkon.graphs.graph import PLAIN
from walkon.graphs.performing.walks import Walk
from walkon.motion import Clip
from walkon.motion.feet.sliding import measure_slides


@dataclass(frozen=True, eq=False)
class Seams:
    """What was measured on a clip of a walk.

    slides: (M,) [m] how far a planted joint of the clip gets over the ground between two neighbouring frames in
    which it is planted, for all of them. jumps: (S, J) [m per frame²] greatest change of velocity of every joint
    around each of S transitions. recorded: (S, J) greatest in the two recordings that it joins. overall: (J,)
    greatest in all recordings that the walk shows.
    """

    slides: Array
    jumps: Array
    recorded: Array
    overall: Array

    @property
    def worst_slide(self) -> float:
        """The farthest [m] that a planted joint gets in a frame."""
        return float(self.slides.max(initial=0.0))

    @property
    def ratios(self) -> Array:
        """For every transition (S,) its largest jump as a multiple of that joint's in the two recordings."""
        return (self.jumps / self.recorded).max(axis=1) if len(self.jumps) else np.zeros(0)

    @property
    def worst_jump(self) -> float:
        """The largest jump at any transition as a multiple of that joint's in all recordings of the walk."""
        return float((self.jumps / self.overall).max(initial=0.0))


def measure_seams(walk: Walk, clip: Clip) -> Seams:
    """How a performed walk moves. clip: what `perform_walk` made of the walk, or something in its place."""
    if len(clip) != walk.frame_count:
        raise GraphError(f"the walk has {walk.frame_count} frames, the clip {len(clip)}")
    graph = walk.graph
    blends = graph.carries[walk.edges] != PLAIN
    recorded = recorded_jumps(graph.corpus)
    clip_of_row = graph.corpus.library.clip_of_frame
    nodes = np.array([walk.start, *graph.heads[walk.edges]])
    clips = clip_of_row[graph.nodes[nodes]]
    jumps = _jumps(clip, walk.edge_starts[blends], graph.window)
    pairs = np.maximum(recorded[clips[:-1][blends]], recorded[clips[1:][blends]])
    return Seams(contact_slides(clip), jumps, pairs, recorded[np.unique(clips)].max(axis=0))


def contact_slides(clip: Clip) -> Array:
    """How far (M,) [m] planted joints get over the ground between frames in both of which they are planted."""
    contacts = clip.contacts
    if contacts is None or len(clip) < 2:
        return np.zeros(0)
    joints = [clip.skeleton.index(name) for name in contacts.joints]
    return measure_slides(clip.positions, joints, contacts.planted).steps


def _jumps(clip: Clip, befores: NDArray[np.int64], window: int) -> Array:
    """Greatest changes of velocity (S, J) in frames from the last before a blend to the first after it."""
    changes = np.pad(velocity_changes(clip.positions), ((1, 1), (0, 0))) if len(clip) > 2 else None
    if changes is None:
        return np.zeros((len(befores), len(clip.skeleton)))
    frames = np.minimum(befores[:, None] + np.arange(window + 2), len(clip) - 1)
    return changes[frames].max(axis=1)
