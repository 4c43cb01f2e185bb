"""Moments of a body in motion: its pose, where its feet are, and how fast all of that changes."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.motion import Clip
from walkon.rotations import carry, conjugate, logarithm, multiply, rotation_about_y, turn
from walkon.skeleton import Foot, Skeleton, find_roles

RATE_WEIGHTS = np.array([1.0, 3.0, 3.0, 1.0]) / 8.0
"""Weights of the four steps from two frames before a moment to two frames after it, whose mean is its rate: what
is faster than that is the noise of single frames."""

RATE_REACH = len(RATE_WEIGHTS) // 2
"""Frames needed before and after a moment to tell its rates."""


@dataclass(frozen=True, eq=False)
class BodyMoments:
    """M moments of a body with J joints and L feet on legs.

    roots: (M, 3) [m]. rotations: (M, J, 4) local. ankles: (M, L, 3) [m] and soles: (M, L, 4) place and rotation in
    the world of the last joint of every leg.
    Per frame: root_rates (M, 3) and ankle_rates (M, L, 3) [m]; turn_rates (M, J, 3) and sole_rates (M, L, 3)
    [rad], each about the axes of what turns: q becomes q · exp(rate).
    """

    roots: Array
    rotations: Array
    ankles: Array
    soles: Array
    root_rates: Array
    turn_rates: Array
    ankle_rates: Array
    sole_rates: Array

    def __len__(self) -> int:
        """Number of moments M."""
        return len(self.roots)

    def subset(self, which: NDArray) -> BodyMoments:
        """Those with these numbers, in that order."""
        return BodyMoments(*(getattr(self, field.name)[which] for field in fields(self)))

    def placed(self, placements: Array) -> BodyMoments:
        """Every moment carried by its placement (M, 3), or a single one by all: x, z [m], heading [rad]."""
        if len(self) == 1 < len(placements):
            return self.subset(np.zeros(len(placements), np.int64)).placed(placements)
        turned = rotation_about_y(placements[:, 2])
        rotations = self.rotations.copy()
        rotations[:, 0] = multiply(turned, rotations[:, 0])
        return replace(
            self,
            roots=carry(placements, self.roots),
            rotations=rotations,
            ankles=carry(placements, self.ankles),
            soles=multiply(turned[:, None], self.soles),
            root_rates=turn(placements[:, 2], self.root_rates),
            ankle_rates=turn(placements[:, 2], self.ankle_rates),
        )

    def mean(self) -> BodyMoments:
        """One moment, the mean of all. Its legs need not lead to its feet: see `hub_poses.settled`."""
        return BodyMoments(
            roots=self.roots.mean(axis=0, keepdims=True),
            rotations=mean_rotations(self.rotations)[None],
            ankles=self.ankles.mean(axis=0, keepdims=True),
            soles=mean_rotations(self.soles)[None],
            root_rates=self.root_rates.mean(axis=0, keepdims=True),
            turn_rates=self.turn_rates.mean(axis=0, keepdims=True),
            ankle_rates=self.ankle_rates.mean(axis=0, keepdims=True),
            sole_rates=self.sole_rates.mean(axis=0, keepdims=True),
        )


def legs_of(skeleton: Skeleton) -> list[tuple[Foot, tuple[int, int, int]]]:
    """The L feet that stand on legs, each with its hip, knee and ankle."""
    return find_roles(skeleton).legs


def measure_moments(clip: Clip, frames: NDArray) -> BodyMoments:
    """The moments of a clip at `frames` (M,); those less than RATE_REACH from its ends are taken to slow down."""
    frames = np.asarray(frames, dtype=np.int64)
    ankles = [leg[2] for _, leg in legs_of(clip.skeleton)]
    around = np.clip(frames[:, None] + np.arange(-RATE_REACH, RATE_REACH + 1), 0, len(clip) - 1)
    at, soles = around[:, RATE_REACH], clip.world_rotations[:, ankles]
    return BodyMoments(
        roots=clip.root_positions[at],
        rotations=clip.rotations[at],
        ankles=clip.positions[at][:, ankles],
        soles=soles[at],
        root_rates=_position_rates(clip.root_positions[around]),
        turn_rates=_turn_rates(clip.rotations[around]),
        ankle_rates=_position_rates(clip.positions[:, ankles][around]),
        sole_rates=_turn_rates(soles[around]),
    )


def mean_rotations(rotations: Array) -> Array:
    """The rotations (...) that are on the whole nearest to M others each (M, ..., 4), whatever their signs.

    The greatest eigenvector of the sum of q qᵀ.
    """
    products = np.einsum("m...a,m...b->...ab", rotations, rotations)
    means = np.linalg.eigh(products)[1][..., -1]
    return np.where(np.sum(means * rotations[0], axis=-1, keepdims=True) < 0, -means, means)


def _position_rates(around: Array) -> Array:
    """Rates (M, ...) [m a frame] of positions (M, 5, ...) around moments."""
    return np.einsum("s,ms...->m...", RATE_WEIGHTS, np.diff(around, axis=1))


def _turn_rates(around: Array) -> Array:
    """Rates (M, ..., 3) [rad a frame] of rotations (M, 5, ..., 4) around moments."""
    steps = logarithm(multiply(conjugate(around[:, :-1]), around[:, 1:]))
    return np.einsum("s,ms...->m...", RATE_WEIGHTS, steps)
