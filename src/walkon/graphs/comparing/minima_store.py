"""Minima that were found before, kept in a folder by what they were found in: so that nothing is compared twice.

Every file holds the minima of some pairs of clips. It is whole or absent, so that a search that was cut short goes
on where it was; one that cannot be read is as good as absent.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from walkon.array_files import ArrayFormat, map_file, parse_arrays, write_arrays
from walkon.caching import keep_newest
from walkon.errors import GraphError
from walkon.files import sweep
from walkon.graphs.comparing.minima import Minima, join_minima
from walkon.motion import Clip, ClipLibrary

Pair = tuple[int, int]

MINIMA_FILE = ArrayFormat(b"walkon minima\r\n\x1a", 1, "file of minima", GraphError)

MINIMA_ARRAYS = {
    "digests": ("|u1",), "pairs": ("<u4",), "counts": ("<u4",), "frames": ("<u4",), "distances": ("<f8",),
}  # fmt: skip
"""digests: (K, 32) of clips. pairs: (P, 2) numbers of these. counts: (P,) minima of a pair. frames: (M, 2) at
which the windows start in their clips, distances: (M,), both pair after pair."""

KEPT_SETTINGS = 8
"""Folders of different settings that are kept; the longest unused one goes first."""


def clip_digests(library: ClipLibrary) -> list[bytes]:
    """For every clip 32 bytes that tell its motion from any other; names, labels and contacts do not count.

    A clip that moves exactly as one before it has a digest of its own: to be like another is not to be the same.
    """
    seen: Counter[bytes] = Counter()
    digests = []
    for clip in library:
        moves = _motion_digest(clip)
        digests.append(hashlib.sha256(moves + seen[moves].to_bytes(4, "little")).digest())
        seen[moves] += 1
    return digests


def _motion_digest(clip: Clip) -> bytes:
    skeleton = clip.skeleton
    seen = hashlib.sha256(repr((skeleton.names, skeleton.parents.tolist(), clip.fps, len(clip))).encode())
    for array in (skeleton.offsets, clip.root_positions, clip.rotations):
        seen.update(np.ascontiguousarray(array).data)
    return seen.digest()


@dataclass(frozen=True, eq=False)
class MinimaStore:
    """The minima of one corpus among all that were found with the same settings.

    folder: where they are kept; None to keep nothing. library: the clips. digests: of the clips.
    """

    folder: Path | None
    library: ClipLibrary
    digests: Sequence[bytes]

    @classmethod
    def of(cls, root: Path | str | None, settings: str, library: ClipLibrary) -> MinimaStore:
        """The store in a folder `root`, of minima found with settings that a text tells from all others."""
        if root is None:
            return cls(None, library, ())
        folder = Path(root) / f"minima-{hashlib.sha256(settings.encode()).hexdigest()[:16]}"
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
        sweep(folder)  # nothing may have to be written there, and then nobody else does
        keep_newest(Path(root).glob("minima-*"), KEPT_SETTINGS)
        return cls(folder, library, clip_digests(library))

    def load(self) -> tuple[Minima, set[Pair]]:
        """All known minima of the corpus, and the pairs of clips (a ≤ b) of which all are known."""
        known: set[Pair] = set()
        parts = []
        numbers = {digest: number for number, digest in enumerate(self.digests)}
        for file in sorted(self.folder.glob("[!.]*.minima")) if self.folder is not None else ():
            try:
                _, arrays = parse_arrays(map_file(file, MINIMA_FILE), MINIMA_FILE, MINIMA_ARRAYS)
                minima, pairs = self._ours(arrays, numbers, known)
            except GraphError:
                continue
            known |= pairs
            parts.append(minima)
        return join_minima(parts), known

    def keep(self, minima: Minima, pairs: Iterable[Pair]) -> None:
        """Keep all minima of these pairs of clips (a ≤ b)."""
        if self.folder is None:
            return
        ordered = np.array(sorted(set(pairs)), dtype=np.int64).reshape(-1, 2)
        rows = np.stack([minima.starts_a, minima.starts_b], axis=1)
        clips = self.library.clip_of_frame[rows]
        of_pair, all_pairs = (one[:, 0] * len(self.library) + one[:, 1] for one in (clips, ordered))
        order = np.argsort(of_pair, kind="stable")
        ends = [np.searchsorted(of_pair[order], all_pairs, side=side) for side in ("left", "right")]
        counts = ends[1] - ends[0]
        if counts.sum() != len(minima):
            raise GraphError("minima of other pairs of clips than those that are kept")
        used, places = np.unique(ordered, return_inverse=True)
        arrays = {
            "digests": np.frombuffer(b"".join(self.digests[clip] for clip in used), np.uint8).reshape(-1, 32),
            "pairs": places.reshape(-1, 2).astype("<u4"),
            "counts": counts.astype("<u4"),
            "frames": (rows - self.library.starts[clips])[order].astype("<u4"),
            "distances": minima.distances[order],
        }
        name = hashlib.sha256(arrays["digests"].tobytes() + arrays["pairs"].tobytes()).hexdigest()[:32]
        write_arrays(self.folder / f"{name}.minima", MINIMA_FILE, {}, arrays)

    def _ours(
        self, arrays: dict[str, NDArray], numbers: dict[bytes, int], known: set[Pair]
    ) -> tuple[Minima, set[Pair]]:
        """What a file has to say about pairs of our clips, other than those that are known already."""
        digests, pairs, counts = arrays["digests"], arrays["pairs"].astype(np.int64), arrays["counts"]
        frames, distances = arrays["frames"].astype(np.int64), arrays["distances"]
        shapes = digests.shape[1:], pairs.shape[1:], counts.shape, frames.shape, distances.shape
        total = (int(counts.sum()),)
        if shapes != ((32,), (2,), pairs.shape[:1], (*total, 2), total) or np.any(pairs >= len(digests)):
            raise GraphError("the arrays do not fit together")
        clip_of = np.array([numbers.get(digest.tobytes(), -1) for digest in digests], dtype=np.int64)
        clips = clip_of[pairs]
        new = [a >= 0 and b >= 0 and (min(a, b), max(a, b)) not in known for a, b in clips.tolist()]
        wanted = np.repeat(np.array(new, dtype=np.bool_), counts)
        owners, frames = np.repeat(clips, counts, axis=0)[wanted], frames[wanted]
        if np.any(frames >= (self.library.stops - self.library.starts)[owners]):
            raise GraphError("minima at frames that clips do not have")
        # Clips may have changed places since.
        rows = np.sort(self.library.starts[owners] + frames, axis=1)
        added = {(min(pair), max(pair)) for pair, is_new in zip(clips.tolist(), new, strict=True) if is_new}
        return Minima(rows[:, 0], rows[:, 1], distances[wanted]), added
