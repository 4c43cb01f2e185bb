"""Many clips of one skeleton as one block of memory: what planners and graphs walk through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.errors import ClipError
from walkon.motion.clip import Clip, Contacts
from walkon.motion.editing.resample import resample
from walkon.skeleton import Skeleton, forward_kinematics


@dataclass(frozen=True, eq=False)
class ClipLibrary:
    """C clips, N frames in all, end to end; `ClipLibrary.build` is the only door.

    skeleton:       the one skeleton of all clips, J joints.
    fps:            the one rate of all clips [Hz].
    names:          C unique names.
    starts, stops:  (C,) clip c is rows starts[c] to stops[c], the latter excluded.
    root_positions: (N, 3) [m].
    rotations:      (N, J, 4) local unit quaternions.
    clips:          the same frames as C clips that share this memory.
    """

    skeleton: Skeleton
    fps: float
    names: tuple[str, ...]
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    root_positions: Array
    rotations: Array
    clips: tuple[Clip, ...]

    @classmethod
    def build(cls, clips: Iterable[Clip], *, fps: float | None = None) -> ClipLibrary:
        """Gather clips of one skeleton and one rate, or bring them to `fps` [Hz] on the way.

        Names must be unique. Labels and contacts stay with their clips.
        """
        gathered = [clip if fps is None else resample(clip, fps) for clip in clips]
        _check_alike(gathered)
        lengths = np.array([len(clip) for clip in gathered], dtype=np.int64)
        stops = np.cumsum(lengths)
        starts = stops - lengths
        root_positions = np.concatenate([clip.root_positions for clip in gathered])
        rotations = np.concatenate([clip.rotations for clip in gathered])
        for array in (starts, stops, root_positions, rotations):
            array.flags.writeable = False
        skeleton = gathered[0].skeleton
        views = tuple(
            clip.with_changes(
                skeleton=skeleton,
                root_positions=root_positions[start:stop],
                rotations=rotations[start:stop],
            )
            for clip, start, stop in zip(gathered, starts, stops, strict=True)
        )
        names = tuple(clip.name for clip in gathered)
        return cls(skeleton, gathered[0].fps, names, starts, stops, root_positions, rotations, views)

    def __len__(self) -> int:
        """Number of clips C."""
        return len(self.clips)

    def __iter__(self) -> Iterator[Clip]:
        return iter(self.clips)

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __getitem__(self, which: int | str) -> Clip:
        """The clip with this number or name; its arrays are views into the library's."""
        if isinstance(which, str):
            return self.clips[self.index(which)]
        if not -len(self) <= which < len(self):
            raise IndexError(f"no clip {which}; the library has {len(self)}, numbered from 0")
        return self.clips[which]

    def __repr__(self) -> str:
        return (
            f"ClipLibrary({len(self)} clips, {self.frame_count} frames at {self.fps:g} Hz, "
            f"{len(self.skeleton)} joints)"
        )

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def index(self, name: str) -> int:
        """Number of the clip called `name`."""
        try:
            return self._index[name]
        except KeyError:
            raise ClipError(f"no clip {name!r} in the library; there are: {_some(self.names)}") from None

    @property
    def frame_count(self) -> int:
        """Frames of all clips together, N."""
        return len(self.root_positions)

    @property
    def duration(self) -> float:
        """Seconds of all clips together, each from its first frame to its last."""
        return (self.frame_count - len(self)) / self.fps

    @cached_property
    def clip_of_frame(self) -> NDArray[np.int64]:
        """For every row the number (N,) of its clip."""
        owners = np.repeat(np.arange(len(self)), self.stops - self.starts)
        owners.flags.writeable = False
        return owners

    @cached_property
    def positions(self) -> Array:
        """World positions (N, J, 3) [m] of every joint in every row; computed once."""
        positions, _ = forward_kinematics(self.skeleton, self.root_positions, self.rotations)
        positions.flags.writeable = False
        return positions

    @cached_property
    def placements(self) -> Array:
        """Where the body stands in every row: (N, 3) of x, z [m] and heading [rad]; computed once."""
        from walkon.motion.features.placement import ground_placements

        placements = np.concatenate([ground_placements(clip) for clip in self.clips])
        placements.flags.writeable = False
        return placements

    @cached_property
    def contacts(self) -> Contacts | None:
        """Contacts of all rows, (N, K) planted; None unless every clip knows them, and for the same joints."""
        known = [clip.contacts for clip in self.clips if clip.contacts is not None]
        if len(known) < len(self) or any(contacts.joints != known[0].joints for contacts in known):
            return None
        planted = np.concatenate([contacts.planted for contacts in known])
        planted.flags.writeable = False
        return Contacts(known[0].joints, planted)


def _check_alike(clips: Sequence[Clip]) -> None:
    """Raise ClipError unless the clips can share one block of memory."""
    if not clips:
        raise ClipError("a library needs at least one clip")
    first, names = clips[0], set()
    for clip in clips:
        if clip.name in names:
            raise ClipError(f"two clips are called {clip.name!r}; rename one: with_changes(name=...)")
        names.add(clip.name)
        if clip.bone_offsets is not None:
            raise ClipError(
                f"clip {clip.name!r} stretches its bones, which a library does not keep; "
                "give it rigid ones: with_changes(bone_offsets=None)"
            )
        if abs(clip.fps / first.fps - 1) > 1e-6:
            raise ClipError(
                f"clip {clip.name!r} runs at {clip.fps:g} Hz but {first.name!r} at {first.fps:g} Hz; "
                "bring all to one rate: ClipLibrary.build(clips, fps=...)"
            )
        if not clip.skeleton.matches(first.skeleton):
            raise ClipError(
                f"clip {clip.name!r} has another skeleton than {first.name!r}: "
                f"{_first_difference(clip.skeleton, first.skeleton)}"
            )


def _first_difference(ours: Skeleton, theirs: Skeleton) -> str:
    """What sets two skeletons apart, and which edit brings them together."""
    if ours.names != theirs.names:
        extra, missing = set(ours.names) - set(theirs.names), set(theirs.names) - set(ours.names)
        if not extra and not missing:
            return "the same joints in another order; bring it over with retarget()"
        only = [f"only one has {_some(sorted(names))}" for names in (extra, missing) if names]
        return f"{' and '.join(only)}; bring it over with retarget()"
    if not np.array_equal(ours.parents, theirs.parents):
        joint = int(np.argmax(ours.parents != theirs.parents))
        return f"{ours.names[joint]!r} hangs on another parent; bring it over with retarget()"
    apart = np.linalg.norm(ours.offsets - theirs.offsets, axis=1)
    joint = int(np.argmax(apart))
    return (
        f"the offset of {ours.names[joint]!r} differs by {1000 * apart[joint]:.3g} mm; bring it over with scale()"
    )


def _some(names: Sequence[str], limit: int = 8) -> str:
    """The first few names, and how many more there are."""
    rest = len(names) - limit
    return ", ".join(names[:limit]) + (f" and {rest} more" if rest > 0 else "")
