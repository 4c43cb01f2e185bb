"""Everything that was recorded, as one row after another: what a motion graph is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.errors import GraphError
from walkon.graphs.labeling import label_frames
from walkon.motion import Clip, ClipLibrary, Contacts, find_contacts, ground_placements, mirror, resample
from walkon.motion.editing.common_body import share_body
from walkon.motion.features import support_phases
from walkon.motion.features.smoothing import smooth_over_time
from walkon.skeleton import Skeleton

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

FPS = 30.0
"""Frames a second [Hz] that clips are brought to: fine enough to blend at, coarse enough to compare all pairs."""

SWAY = 0.2
"""Standard deviation [s] of the smoothing that turns a swaying body's places into the way it goes."""

MIRRORED = "~mirrored"
"""What the name of a mirror image ends in."""

LabelSet = frozenset[str]


@dataclass(frozen=True, eq=False)
class Corpus:
    """C clips of one body at one rate, N rows in all, end to end.

    library: the clips; everyone knows its contacts, and stands on level ground at height 0.
    label_sets: the different sets of labels that rows have. labels: (N,) which of them a row has.
    supports: (N,) which feet carry the body, see `Support`.
    tracks: (N, 3) x, z [m] and heading [rad] of the way that the body goes, without the sway of single steps.
    failed: by name, why clips that were given are not here.
    """

    library: ClipLibrary
    label_sets: tuple[LabelSet, ...]
    labels: Indices
    supports: Indices
    tracks: Array
    failed: dict[str, str]

    def __len__(self) -> int:
        """Number of rows N."""
        return self.library.frame_count

    @property
    def fps(self) -> float:
        """Rows a second [Hz]."""
        return self.library.fps

    @property
    def contacts(self) -> Contacts:
        """Who is planted in which row: (N, K)."""
        contacts = self.library.contacts
        if contacts is None:
            raise GraphError("a corpus whose clips do not know their contacts was put together by hand")
        return contacts

    def where(self, row: int) -> tuple[str, int]:
        """The name of the clip that a row belongs to, and its frame there."""
        clip = int(self.library.clip_of_frame[row])
        return self.library.names[clip], row - int(self.library.starts[clip])

    def row(self, clip: str, frame: int) -> int:
        """The row of a frame of a clip."""
        number = self.library.index(clip)
        row = int(self.library.starts[number]) + frame
        if not 0 <= frame < int(self.library.stops[number] - self.library.starts[number]):
            raise GraphError(f"clip {clip!r} has no frame {frame} at {self.fps:g} Hz")
        return row


def gather_corpus(
    clips: Sequence[Clip], *, fps: float = FPS, mirrored: bool = False, skeleton: Skeleton | None = None
) -> Corpus:
    """Clips of one body or several, labelled or not, at any rates, made ready to be compared and joined.

    Clips without labels are labelled by how the body gets about. mirrored: add the mirror image of every clip.
    """
    if not clips:
        raise GraphError("a motion graph needs at least one clip")
    bodily, failed = share_body(clips, skeleton)
    ready = [_made_ready(clip, fps) for clip in bodily]
    if mirrored:
        ready += [_mirror_image(clip) for clip in ready]
    if not ready:
        raise GraphError("; ".join(f"clip {name!r}: {reason}" for name, reason in failed.items()))
    library = ClipLibrary.build(ready)
    sets, labels = _number_label_sets(library)
    supports = np.concatenate([np.asarray(support_phases(clip), dtype=np.int64) for clip in library])
    tracks = np.concatenate([smooth_over_time(ground_placements(clip), clip.fps, SWAY) for clip in library])
    for array in (labels, supports, tracks):
        array.flags.writeable = False
    return Corpus(library, sets, labels, supports, tracks, failed)


def _made_ready(clip: Clip, fps: float) -> Clip:
    # Contacts are found at the rate of the recording, where feet are seen to stop and go.
    contacts = clip.contacts if clip.contacts is not None else find_contacts(clip)
    ready = resample(clip.with_changes(contacts=contacts, bone_offsets=None), fps)
    return ready if ready.labels else ready.with_changes(labels=label_frames(ready))


def _mirror_image(clip: Clip) -> Clip:
    return mirror(clip).with_changes(name=clip.name + MIRRORED)


def _number_label_sets(library: ClipLibrary) -> tuple[tuple[LabelSet, ...], Indices]:
    """The different sets of labels, in order of appearance, and for every row the number of its own (N,)."""
    sets: dict[LabelSet, int] = {}
    rows: list[int] = []
    for clip in library:
        own: list[set[str]] = [set() for _ in range(len(clip))]
        for label in clip.labels:
            for frame in range(label.start, label.stop):
                own[frame].add(label.name)
        rows += [sets.setdefault(frozenset(names), len(sets)) for names in own]
    return tuple(sets), np.array(rows, dtype=np.int64)
