"""How good a transition looks once it is blended: whether feet slide, and whether joints jump."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, once_per_object
from walkon.graphs.choosing import _kernels_blending as _kernels
from walkon.graphs.corpus import Corpus
from walkon.graphs.performing.footing import standing_joints
from walkon.graphs.transitions import Transitions, blend_weights

UNSEEN_JUMP = 5.0
"""Change of velocity [m/s²] that is too little to be seen, however still the recordings are; chosen by eye. With a
larger one, jumps of what stands still count for less."""

MEASURED_AT_ONCE = 4096
"""Transitions that a thread measures in one go, so that several threads share the work evenly."""


@dataclass(frozen=True, eq=False)
class BlendQuality:
    """How T transitions look.

    slides: (T,) [m per frame] greatest drift over the ground of a joint that stands, by the contacts carried
    through the blend. jumps: (T,) greatest change of velocity of any joint, from the last frame before the blend
    to its last, as a multiple of the greatest in the two recordings: 1 is as large as there.
    """

    slides: Array
    jumps: Array

    def subset(self, which: NDArray) -> BlendQuality:
        """That of transitions with these numbers, or for which a mask is True, in the same order as theirs."""
        chosen = np.flatnonzero(which) if which.dtype == np.bool_ else np.sort(which)
        return BlendQuality(self.slides[chosen], self.jumps[chosen])


def measure_quality(corpus: Corpus, transitions: Transitions, *, workers: int = 2) -> BlendQuality:
    """Blend every transition and see. workers: threads to use."""
    library = corpus.library
    slides, jumps = np.zeros(len(transitions)), np.zeros(len(transitions))
    clips = library.clip_of_frame
    recorded = _kernels.Recorded(
        library.rotations,
        library.root_positions,
        library.positions,
        library.skeleton.parents,
        library.skeleton.offsets[None],
        library.starts[clips],
        library.stops[clips],
        np.array([library.skeleton.index(name) for name in corpus.contacts.joints], dtype=np.int64),
        standing_joints(corpus),
        recorded_jumps(corpus)[clips],
    )
    weights = blend_weights(transitions.window)

    def measure(part: slice) -> None:
        some = (transitions.sources[part], transitions.targets[part], transitions.alignments[part])
        _kernels.measure_blends(recorded, *some, weights, slides[part], jumps[part])

    parts = [slice(start, start + MEASURED_AT_ONCE) for start in range(0, len(transitions), MEASURED_AT_ONCE)]
    with ThreadPoolExecutor(max_workers=max(workers, 1)) as pool:
        list(pool.map(measure, parts))
    return BlendQuality(slides, jumps)


@once_per_object
def recorded_jumps(corpus: Corpus) -> Array:
    """Greatest change of velocity (C, J) [m per frame²] of every joint from frame to frame of every clip.

    Never less than what cannot be seen.
    """
    library = corpus.library
    known = np.full((len(library), len(library.skeleton)), UNSEEN_JUMP / corpus.fps**2)
    for clip, (start, stop) in enumerate(zip(library.starts, library.stops, strict=True)):
        if stop - start > 2:
            changes = velocity_changes(library.positions[start:stop])
            known[clip] = np.maximum(known[clip], changes.max(axis=0))
    known.flags.writeable = False
    return known


def velocity_changes(positions: Array) -> Array:
    """Lengths (F - 2, J) [m per frame²] of the second differences of positions (F, J, 3)."""
    return np.linalg.norm(np.diff(positions, n=2, axis=0), axis=2)
