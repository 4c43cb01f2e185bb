"""Walk cycles: one stride of straight walking that loops, to be played at any speed along any way."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.behaviors import BEHAVIOR_KINDS, BehaviorGraph
from walkon.errors import LibraryError
from walkon.motion import Clip, find_contacts
from walkon.rotations import multiply, rotation_about_y
from walkon.skeleton import Skeleton

USUAL_SPEED = 1.33
"""Speed of walking [m/s] that is looked for: the one that takes least energy (Guy et al. 2010)."""

STRAIGHT_TURN = math.radians(8.0)
"""Somebody who turns more than this [rad] in a clip does not walk straight."""


@dataclass(frozen=True, eq=False)
class Cycle:
    """F + 1 poses of somebody who walks along +z; the last is the first again, `length` [m] further.

    heights: (F + 1,) [m] of the root. rotations: (F + 1, J, 4). joints, planted: (F + 1, K) which stand when.
    """

    skeleton: Skeleton
    heights: Array
    rotations: Array
    joints: tuple[str, ...]
    planted: NDArray[np.bool_]
    length: float


def cut_cycle(clip: Clip, first: int, last: int) -> Cycle:
    """The cycle from frame `first` to frame `last` of a clip, which show the same pose."""
    way = (clip.root_positions[last] - clip.root_positions[first])[[0, 2]]
    length = float(np.hypot(*way))
    if not 0 <= first < last < len(clip) or length < 0.1:
        raise LibraryError(
            f"clip {clip.name!r} is no walk cycle: from frame {first} to {last} it goes {length:.2f} m"
        )
    rotations = clip.rotations[first : last + 1].copy()
    rotations[:, 0] = multiply(rotation_about_y(-math.atan2(way[0], way[1])), rotations[:, 0])
    contacts = clip.contacts or find_contacts(clip)
    return Cycle(
        clip.skeleton,
        clip.root_positions[first : last + 1, 1].copy(),
        rotations,
        contacts.joints,
        contacts.planted[first : last + 1],
        length,
    )


def choose_cycle(graph: BehaviorGraph) -> Cycle:
    """The straight walk of a library that loops, at a speed as near as possible to people's usual one."""
    best, chosen = math.inf, None
    for number in range(len(graph.displacements)):
        behavior = graph.library.behaviors[graph.behavior_of(number)]
        x, z, turn = graph.displacements[number]
        kind = BEHAVIOR_KINDS[behavior.kind]
        if not kind.gets_about or behavior.entry != behavior.exit or abs(turn) > STRAIGHT_TURN:
            continue
        speed = math.hypot(x, z) * graph.fps / graph.durations[number]
        # Side steps and single steps from standing are straight as well, but slow.
        if z > abs(x) and speed > 0.5 and abs(speed - USUAL_SPEED) < best:
            best, chosen = abs(speed - USUAL_SPEED), graph.clip(number)
    if chosen is None:
        raise LibraryError(f"library {graph.library.name!r} has no straight walk that loops, to fix roots with")
    return cut_cycle(chosen.clip, chosen.first, chosen.last)
