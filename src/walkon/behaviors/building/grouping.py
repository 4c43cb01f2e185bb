"""Clips that do the same make one behavior; the best of them show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from walkon.behaviors.building.fitting import Piece
from walkon.behaviors.building.measuring import ClipMeasures
from walkon.behaviors.building.naming import Title
from walkon.behaviors.kinds import BEHAVIOR_KINDS

SAME_TURN = 0.16
"""Clips of one behavior turn by angles within ± this [rad] of each other's middle."""

SAME_PLACE, SAME_PLACE_SHARE = 0.12, 0.06
"""They lead to places within ± this [m], plus this share of the way, on each axis."""

SAME_TIME, SAME_TIME_SHARE = 0.12, 0.06
"""They last as long, ± this [s], plus this share of the time."""

WAIT_PATIENCE = 5.0
"""Factor on how much the times of clips may differ where nobody goes anywhere: waiting a little longer is no other
behavior."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A clip with what it does and what it is called.

    misfit: how far its ends were from its poses, 1 being as far as they may be.
    """

    piece: Piece
    deed: ClipMeasures
    title: Title
    misfit: float

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What all clips of a behavior share at least."""
        return self.piece.entry, self.piece.exit, self.title.kind, self.title.base


def group_candidates(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Candidates by behavior: same poses, same name, and alike in where they lead and how long they take.

    Largest first within a name; the best fitting first within a behavior.
    """
    by_key: dict[tuple[str, str, str, str], list[Candidate]] = {}
    for candidate in candidates:
        by_key.setdefault(candidate.key, []).append(candidate)
    groups: list[list[Candidate]] = []
    for own in by_key.values():
        numbers = _clusters(own)
        split = [[own[i] for i in np.flatnonzero(numbers == number)] for number in np.unique(numbers)]
        groups += sorted(split, key=lambda group: (-len(group), group[0].deed.duration))
    return [sorted(group, key=lambda candidate: candidate.misfit) for group in groups]


def _difference(one: ClipMeasures, other: ClipMeasures, patience: float) -> float:
    """How much two clips differ, 1 being as much as two of one behavior may."""
    way = min(one.distance, other.distance)
    place = 2.0 * (SAME_PLACE + SAME_PLACE_SHARE * way)
    time = 2.0 * patience * (SAME_TIME + SAME_TIME_SHARE * min(one.duration, other.duration))
    return max(
        abs(one.displacement.x - other.displacement.x) / place,
        abs(one.displacement.z - other.displacement.z) / place,
        abs(one.turn - other.turn) / (2.0 * SAME_TURN),
        abs(one.duration - other.duration) / time,
    )


def _clusters(candidates: Sequence[Candidate]) -> NDArray[np.int64]:
    """Numbers (N,) of clusters in which no two clips differ by more than 1."""
    from scipy.cluster.hierarchy import fcluster, linkage

    if len(candidates) == 1:
        return np.ones(1, dtype=np.int64)
    patience = 1.0 if BEHAVIOR_KINDS[candidates[0].title.kind].leads_on else WAIT_PATIENCE
    deeds = [candidate.deed for candidate in candidates]
    apart = [_difference(one, other, patience) for one, other in combinations(deeds, 2)]
    return fcluster(linkage(np.array(apart), method="complete"), t=1.0, criterion="distance")
