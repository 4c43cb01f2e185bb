"""Folding a limb of two bones: how far it bends to span a distance, and how it is turned to point somewhere.

For limbs posed from nothing, whose middle joint is a hinge with a known axis. A limb that is moved from the pose
it has is the business of `inverse_kinematics`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.rotations import from_matrix

FULL_REACH = 0.9995
"""Share of its length a limb may be stretched to: a dead straight limb has no plane to bend in."""


def bend_to_span(upper: ArrayLike, lower: ArrayLike, distances: ArrayLike) -> Array:
    """Angle (...) [rad] from straight by which bones of these lengths [m] bend to span distances (...) [m]: the
    law of cosines. What is farther than both together, or nearer than their difference, is met as well as can
    be."""
    a, b, distances = np.asarray(upper), np.asarray(lower), np.asarray(distances)
    return np.arccos(np.clip((distances**2 - a * a - b * b) / np.maximum(2 * a * b, 1e-12), -1.0, 1.0))


def within_reach(upper: ArrayLike, lower: ArrayLike, distances: ArrayLike) -> Array:
    """Distances (...) [m] brought to where bones of these lengths [m] reach, not quite folded and not quite
    straight."""
    a, b = np.asarray(upper), np.asarray(lower)
    return np.clip(distances, np.abs(a - b) + 1e-6, FULL_REACH * (a + b))


def turn_limb_towards(folded: Array, hinge: Array, targets: Array, hinges: Array) -> Array:
    """World rotations (F, 4) of a limb's first joint that lead from its start to targets (F, 3).

    folded: (F, 3) from the limb's start to its end in the joint's own frame. hinge: (3,) the axis of its middle
    joint there. hinges: (F, 3) where that axis should point in the world, as nearly as the target allows.
    """
    source, goal = _frames(folded, np.broadcast_to(hinge, folded.shape)), _frames(targets, hinges)
    return from_matrix(goal @ np.swapaxes(source, -1, -2))


def _frames(along: Array, hinges: Array) -> Array:
    """Orthonormal frames (F, 3, 3): first column along the limb, second as near the hinge as that allows."""
    x = along / np.linalg.norm(along, axis=-1, keepdims=True)
    y = hinges - np.sum(hinges * x, axis=-1, keepdims=True) * x
    y = y / np.linalg.norm(y, axis=-1, keepdims=True)
    return np.stack([x, y, np.cross(x, y)], axis=-1)
