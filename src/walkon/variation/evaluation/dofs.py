"""Clips as degrees of freedom: what distributions are compared of, in units of how real motion varies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.motion import Clip, ground_placements
from walkon.motion.features.smoothing import smooth_over_time
from walkon.rotations import conjugate, logarithm, multiply, rotate, rotation_about_y
from walkon.variation.poses import own_rotations

MOVES = 2e-3
"""Degrees of freedom whose standard deviation is less [rad, m, m/s] in every clip are left out."""

LEAST_SCALE = 0.02
"""Least unit [rad, m, m/s] in which a degree of freedom is measured, so that tremors do not count like swings."""

TRAVEL_SMOOTHING = 0.05
"""Standard deviation [s] of the smoothing of speeds over the ground."""

TRAVEL = ("ahead", "to the left", "turning", "height")


@dataclass(frozen=True, eq=False)
class Dofs:
    """n degrees of freedom that move.

    names: of each: "ahead" and "to the left" [m/s], "turning" [rad/s], "height" [m] of the root, and "JOINT x"
    [rad] of rotation vectors about the mean rotation. means: (J, 4) of joints that are no tips. used: (n,) columns
    of all. centre, scale: (n,) of the reference clips.
    """

    names: tuple[str, ...]
    means: Array
    used: NDArray[np.int64]
    centre: Array
    scale: Array

    def measure(self, clip: Clip) -> Array:
        """Values (F, n) in units of the reference's standard deviation, from its mean."""
        return (_all_dofs(clip, self.means)[:, self.used] - self.centre) / self.scale

    def raw(self, clip: Clip) -> Array:
        """Values (F, n) in their own units."""
        return _all_dofs(clip, self.means)[:, self.used]


def fit_dofs(reference: Sequence[Clip], others: Sequence[Clip] = ()) -> Dofs:
    """Degrees of freedom in units of how they vary in the `reference`; what moves in others only is there too."""
    rotations = np.concatenate([own_rotations(clip) for clip in reference])
    # The mean rotation is the longest axis of the quaternions' scatter, for which signs do not matter.
    means = np.linalg.eigh(np.einsum("fja,fjb->jab", rotations, rotations))[1][..., -1]
    values = np.concatenate([_all_dofs(clip, means) for clip in reference])
    spread = values.std(axis=0)
    moves = spread.copy()
    for clip in others:
        moves = np.maximum(moves, _all_dofs(clip, means).std(axis=0))
    used = np.flatnonzero(moves > MOVES)
    skeleton = reference[0].skeleton
    joints = [name for name, tip in zip(skeleton.names, skeleton.tips, strict=True) if not tip]
    names = [*TRAVEL, *(f"{joint} {axis}" for joint in joints for axis in "xyz")]
    scale = np.maximum(spread[used], LEAST_SCALE)
    return Dofs(tuple(names[k] for k in used), means, used, values.mean(axis=0)[used], scale)


def _all_dofs(clip: Clip, means: Array) -> Array:
    """Every degree of freedom (F, 4 + 3 J): travel, then rotation vectors about the means (J, 4)."""
    vectors = logarithm(multiply(conjugate(means), own_rotations(clip)))
    return np.column_stack([_travel(clip), vectors.reshape(len(clip), -1)])


def _travel(clip: Clip) -> Array:
    """Speed ahead and to the left [m/s], turning [rad/s] and height of the root [m]: (F, 4)."""
    height = clip.root_positions[:, 1]
    if len(clip) < 2:
        return np.array([[0.0, 0.0, 0.0, height[0]]])
    places = ground_placements(clip)
    rates = np.gradient(smooth_over_time(places, clip.fps, TRAVEL_SMOOTHING), 1.0 / clip.fps, axis=0)
    over_ground = np.stack([rates[:, 0], np.zeros(len(clip)), rates[:, 1]], axis=1)
    own = rotate(rotation_about_y(-places[:, 2]), over_ground)
    return np.column_stack([own[:, 2], own[:, 0], rates[:, 2], height])
