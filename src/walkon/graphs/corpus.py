"""Everything that was recorded, as one row after another: what a motion graph is made of."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from walkon.basics import Array, Indices, runs
from walkon.errors import GraphError
from walkon.graphs.labeling import label_frames
from walkon.motion import (
    Clip,
    ClipLibrary,
    Contacts,
    Label,
    crop,
    find_contacts,
    ground_placements,
    mirror,
    resample,
)
from walkon.motion.editing.common_body import RecordedFloor, share_body
from walkon.motion.features import support_phases
from walkon.motion.features.smoothing import smooth_over_time
from walkon.motion.readers.screening import find_problems
from walkon.skeleton import Skeleton, find_roles

FPS = 30.0
"""Frames a second [Hz] that clips are brought to: fine enough to blend at, coarse enough to compare all pairs."""

TRACK_SMOOTHING = 0.2
"""Standard deviation [s] of the smoothing that turns a swaying body's places into the way it goes. More would cut
corners."""

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

    def __post_init__(self) -> None:
        for name in ("labels", "supports", "tracks"):
            view = getattr(self, name).view()
            view.flags.writeable = False
            object.__setattr__(self, name, view)

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

    def labels_shown(self, *rows: Indices) -> tuple[Label, ...]:
        """Named stretches of frames that show these rows (F,); where several are mixed, the labels of all."""
        found = []
        for name in sorted(frozenset().union(*self.label_sets)):
            bears = np.array([name in own for own in self.label_sets])[self.labels]
            shown = np.any([bears[own] for own in rows], axis=0)
            found += [Label(name, start, stop) for start, stop in runs(shown)]
        return tuple(sorted(found, key=lambda label: (label.start, label.stop, label.name)))

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
    clips: Sequence[Clip],
    *,
    fps: float = FPS,
    mirrored: bool = False,
    skeleton: Skeleton | None = None,
    grounds: MutableMapping[str, RecordedFloor] | None = None,
) -> Corpus:
    """Clips of one body or several, labelled or not, at any rates, made ready to be compared and joined.

    Clips without labels are labelled by how the body gets about. mirrored: add the mirror image of every clip.
    skeleton: that all are brought to, by default the one most clips have. grounds: floors known from before, see
    `share_body`.
    """
    _check_names(clips, mirrored)
    bodily, failed = share_body([_sound_part(clip) for clip in clips], skeleton, grounds)
    strangers = _with_other_feet(clips, bodily)
    bodily, failed = [clip for clip in bodily if clip.name not in strangers], {**failed, **strangers}
    if not bodily:
        raise GraphError("; ".join(f"clip {name!r}: {reason}" for name, reason in failed.items()))
    ready = [_made_ready(clip, fps) for clip in bodily]
    if mirrored:
        ready += [_mirror_image(clip) for clip in ready]
    library = ClipLibrary.build(_with_same_contacts(ready))
    sets, labels = number_label_sets(library)
    supports = np.concatenate([np.asarray(support_phases(clip), dtype=np.int64) for clip in library])
    tracks = np.concatenate(
        [smooth_over_time(ground_placements(clip), clip.fps, TRACK_SMOOTHING) for clip in library]
    )
    return Corpus(library, sets, labels, supports, tracks, failed)


def _check_names(clips: Sequence[Clip], mirrored: bool) -> None:
    if not clips:
        raise GraphError("a motion graph needs at least one clip")
    names = [clip.name for clip in clips]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise GraphError(f"clips of a motion graph must have different names; repeated: {', '.join(twice[:5])}")
    taken = [name for name in names if mirrored and name + MIRRORED in names]
    if taken:
        raise GraphError(f"clip {taken[0] + MIRRORED!r} is called as the mirror image of {taken[0]!r} would be")


def _with_other_feet(clips: Sequence[Clip], bodily: Sequence[Clip]) -> dict[str, str]:
    """By name, why clips that were brought to one body should not have been: a dog makes no man."""
    feet = {clip.name: len(find_roles(clip.skeleton).feet) for clip in clips}
    now = {clip.name: len(find_roles(clip.skeleton).feet) for clip in bodily}
    return {
        name: f"its body has {feet[name]} feet, that of the others {count}"
        for name, count in now.items()
        if count != feet[name]
    }


def _sound_part(clip: Clip) -> Clip:
    """The clip without first and last frames that are no part of the motion, as some recordings have them."""
    start, stop = 0, len(clip)
    for problem in find_problems(clip):
        if problem.kind == "bad start":
            start = problem.stop
        elif problem.kind == "bad end":
            stop = problem.row
    return clip if (start, stop) == (0, len(clip)) else crop(clip, start, stop)


def _made_ready(clip: Clip, fps: float) -> Clip:
    # Contacts are found at the rate of the recording, where feet are seen to stop and go.
    contacts = clip.contacts if clip.contacts is not None else find_contacts(clip)
    ready = resample(clip.with_changes(contacts=contacts, bone_offsets=None), fps)
    return ready if ready.labels else ready.with_changes(labels=label_frames(ready))


def _with_same_contacts(clips: Sequence[Clip]) -> list[Clip]:
    """The clips with contacts of the same joints in the same order: if need be those `find_contacts` looks at."""
    if len({clip.contacts.joints for clip in clips if clip.contacts is not None}) == 1:
        return list(clips)
    feet = find_roles(clips[0].skeleton).feet
    names = clips[0].skeleton.names
    wanted = tuple(dict.fromkeys(names[joint] for foot in feet for joint in (foot.heel, foot.toe)))
    return [
        clip
        if clip.contacts is not None and clip.contacts.joints == wanted
        else clip.with_changes(contacts=_contacts_of(clip, wanted))
        for clip in clips
    ]


def _contacts_of(clip: Clip, joints: tuple[str, ...]) -> Contacts:
    known = clip.contacts
    if known is None or not set(joints) <= set(known.joints):
        return find_contacts(clip)
    columns = [known.joints.index(joint) for joint in joints]
    return Contacts(joints, known.planted[:, columns])


def _mirror_image(clip: Clip) -> Clip:
    return mirror(clip).with_changes(name=clip.name + MIRRORED)


def number_label_sets(library: ClipLibrary) -> tuple[tuple[LabelSet, ...], Indices]:
    """The different sets of labels, in order of appearance, and for every row the number of its own (N,)."""
    sets: dict[LabelSet, int] = {}
    rows = np.empty(library.frame_count, dtype=np.int64)
    for start, clip in zip(library.starts, library, strict=True):
        # Labels begin and end at these frames, and nowhere between them.
        cuts = sorted({0, len(clip), *(cut for label in clip.labels for cut in (label.start, label.stop))})
        for begin, end in pairwise(cuts):
            names = frozenset(label.name for label in clip.labels if label.start <= begin < label.stop)
            rows[start + begin : start + end] = sets.setdefault(names, len(sets))
    return tuple(sets), rows
