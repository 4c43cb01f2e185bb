"""The volume of a skeleton: one capsule per bone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.skeleton.skeleton import Skeleton

MIN_BONE = 0.02
"""Bones shorter than this share of the skeleton's size get no capsule of their own."""


@dataclass(frozen=True, eq=False)
class Body:
    """Capsules that follow the bones.

    skeleton: whose bones they are.
    starts, ends: (C,) joint indices of each capsule's two centres; equal for a ball.
    radii: (C,) [m].
    """

    skeleton: Skeleton
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    radii: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.radii)


def build_body(skeleton: Skeleton) -> Body:
    """One capsule per bone with a radius that suits the bone's place in the body."""
    bones = np.flatnonzero(skeleton.lengths > MIN_BONE * skeleton.size)
    radii = np.clip(0.25 * skeleton.lengths[bones], 0.02 * skeleton.size, 0.06 * skeleton.size)
    return Body(skeleton, skeleton.parents[bones].copy(), bones.astype(np.int64), radii)
