"""Hubs: few poses that many pieces of motion begin and end in exactly, so that a mere cut joins them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, Indices
from walkon.errors import GraphError
from walkon.graphs.corpus import Corpus
from walkon.graphs.hubs.moments import BodyMoments
from walkon.motion import Clip, Contacts
from walkon.rotations import Placement, continuous, multiply

NOWHERE = -1
"""In place of a hub: the piece begins where a recording begins, or ends where it ends."""


@dataclass(frozen=True, eq=False)
class PoseHub:
    """A common pose and the moments it was made of.

    rows: (M,) of the corpus where it was recorded, rising; base: the one in their middle. distances: (M,) [m] from
    the row that the set was found with. placements: (M, 3) carrying the pose to every one of them.
    moment: one moment, the pose with its rates, standing at the origin and looking along +z as the base does.
    planted: (K,) which joints are on the ground. held: (K,) which of them stand still.
    """

    rows: Indices
    base: int
    distances: Array
    placements: Array
    moment: BodyMoments
    planted: NDArray[np.bool_]
    held: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class HubGraph:
    """H hubs, and P pieces of motion between them, in order of their rows.

    tails, heads: (P,) hubs at the beginning and at the end, or NOWHERE. first_rows, last_rows: (P,) where a
    piece was recorded, both included. moves: (P, 3) x, z [m] and heading [rad] of the end as seen from the
    beginning. offsets: (P + 1,); frames offsets[p] to offsets[p + 1] of root_positions (N, 3), rotations (N, J,
    4) and planted (N, K) are piece p: from the pose of its tail at the origin to that of its head at its move.
    changes: (P, 2) the most that a joint was moved [m], seen from the root, and turned [rad] on the way here.
    threshold: [m] how near moments of a hub are, in the median of all recordings. unused: names of clips in
    which there is no hub.
    """

    corpus: Corpus
    hubs: tuple[PoseHub, ...]
    tails: Indices
    heads: Indices
    first_rows: Indices
    last_rows: Indices
    moves: Array
    offsets: Indices
    root_positions: Array
    rotations: Array
    planted: NDArray[np.bool_]
    changes: Array
    threshold: float
    unused: tuple[str, ...]

    @property
    def piece_count(self) -> int:
        """Number of pieces P."""
        return len(self.tails)

    @property
    def frames(self) -> Indices:
        """Frames (P,) that every piece shows after its first one."""
        return np.diff(self.offsets) - 1

    def leaving(self, hub: int) -> Indices:
        """The pieces that begin in a hub."""
        return np.flatnonzero(self.tails == hub)

    @cached_property
    def core(self) -> Indices:
        """The hubs of the largest part in which every hub can be reached from every other."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        inner = (self.tails != NOWHERE) & (self.heads != NOWHERE)
        size = (len(self.hubs), len(self.hubs))
        steps = coo_array((np.ones(inner.sum()), (self.tails[inner], self.heads[inner])), shape=size)
        _, part = connected_components(steps, connection="strong")
        inside = inner & (part[self.tails] == part[self.heads])
        shown = np.bincount(part[self.tails[inside]], weights=self.frames[inside], minlength=1)
        if not inside.any():
            return np.zeros(0, np.int64)
        return np.flatnonzero(part == np.argmax(shown))

    @cached_property
    def dead_ends(self) -> Indices:
        """Pieces that lead out of the core, or to where nothing leads back to it."""
        return np.flatnonzero(~np.isin(self.heads, self.core))

    @cached_property
    def endless(self) -> Indices:
        """Pieces of the core: whoever plays only these can go on for ever."""
        return np.flatnonzero(np.isin(self.tails, self.core) & np.isin(self.heads, self.core))

    def piece(self, number: int) -> Clip:
        """A piece as a clip, from its tail at the origin."""
        return assemble(self, [number])

    def __repr__(self) -> str:
        return (
            f"HubGraph({len(self.hubs)} hubs of {[len(hub.rows) for hub in self.hubs]} moments, "
            f"{self.piece_count} pieces, {len(self.dead_ends)} of them dead ends)"
        )


def assemble(graph: HubGraph, sequence: Sequence[int], placement: Placement | None = None) -> Clip:
    """Pieces one after another, by nothing but putting each where the one before it ends.

    placement: where the first piece begins. Of the pose that two pieces share one frame is shown.
    """
    _check(graph, sequence)
    spot = Placement() if placement is None else placement
    roots, rotations, rows, frames = [], [], [], []
    for number, piece in enumerate(sequence):
        window = np.arange(graph.offsets[piece] + (number > 0), graph.offsets[piece + 1])
        turned = graph.rotations[window]
        turned[:, 0] = multiply(spot.quaternion(), turned[:, 0])
        roots.append(spot.points(graph.root_positions[window]))
        rotations.append(turned)
        frames.append(window)
        rows.append(np.arange(graph.first_rows[piece] + (number > 0), graph.last_rows[piece] + 1))
        spot = spot @ Placement(*graph.moves[piece])
    joints = graph.corpus.contacts.joints
    return Clip(
        name="+".join(str(piece) for piece in sequence[:8]) + ("+…" if len(sequence) > 8 else ""),
        skeleton=graph.corpus.library.skeleton,
        fps=graph.corpus.fps,
        root_positions=np.concatenate(roots),
        rotations=continuous(np.concatenate(rotations)),
        labels=graph.corpus.labels_shown(np.concatenate(rows)),
        contacts=Contacts(joints, graph.planted[np.concatenate(frames)]),
    )


def wander(graph: HubGraph, frames: int, seed: int = 0) -> list[int]:
    """Pieces at random, with at least `frames` in all, that could go on for ever."""
    if not len(graph.endless):
        raise GraphError("no hub of these can be reached again: ask for more hubs, or a higher threshold")
    rng = np.random.default_rng(seed)
    sequence = [int(rng.choice(graph.endless))]
    shown = int(graph.frames[sequence[0]])
    while shown < frames:
        ways = graph.endless[graph.tails[graph.endless] == graph.heads[sequence[-1]]]
        sequence.append(int(rng.choice(ways)))
        shown += int(graph.frames[sequence[-1]])
    return sequence


def _check(graph: HubGraph, sequence: Sequence[int]) -> None:
    if not len(sequence):
        raise GraphError("a sequence has at least one piece")
    for piece in sequence:
        if not 0 <= piece < graph.piece_count:
            raise GraphError(f"no piece {piece}; there are {graph.piece_count}, numbered from 0")
    for before, after in pairwise(sequence):
        if graph.heads[before] == NOWHERE or graph.heads[before] != graph.tails[after]:
            raise GraphError(
                f"piece {after} begins in hub {graph.tails[after]}, "
                f"but piece {before} ends in {graph.heads[before]}"
            )
