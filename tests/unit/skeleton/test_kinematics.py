"""The forward kinematics kernel against an obvious twin."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.rotations import multiply, normalize, rotate
from walkon.skeleton import Skeleton, forward_kinematics


def naive(skeleton, root, rotations, offsets):
    """One joint at a time, one frame at a time."""
    positions = np.zeros((*rotations.shape[:2], 3))
    world = np.zeros_like(rotations)
    for f in range(len(rotations)):
        for j, p in enumerate(skeleton.parents):
            if p < 0:
                positions[f, j], world[f, j] = root[f], rotations[f, j]
            else:
                positions[f, j] = positions[f, p] + rotate(world[f, p], offsets[f, j])
                world[f, j] = multiply(world[f, p], rotations[f, j])
    return positions, world


@pytest.mark.parametrize("stretching", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_kernel_agrees_with_its_twin(seed, stretching):
    rng = np.random.default_rng(seed)
    joints, frames = rng.integers(1, 30), rng.integers(1, 9)
    parents = [-1] + [int(rng.integers(0, j)) for j in range(1, joints)]
    skeleton = Skeleton([f"j{j}" for j in range(joints)], parents, rng.normal(size=(joints, 3)))
    root, rotations = rng.normal(size=(frames, 3)), normalize(rng.normal(size=(frames, joints, 4)))
    stretched = rng.normal(size=(frames, joints, 3)) if stretching else None
    offsets = stretched if stretching else np.broadcast_to(skeleton.offsets, (frames, joints, 3))
    for got, expected in zip(
        forward_kinematics(skeleton, root, rotations, stretched),
        naive(skeleton, root, rotations, offsets),
        strict=True,
    ):
        np.testing.assert_allclose(got, expected, atol=1e-12)


def test_shapes_that_do_not_fit_are_refused():
    skeleton = Skeleton(["a", "b"], [-1, 0], np.zeros((2, 3)))
    with pytest.raises(ValueError, match="do not fit"):
        forward_kinematics(skeleton, np.zeros((2, 3)), np.zeros((3, 2, 4)))
