"""Shared poses cover the moments, the largest group first."""

from __future__ import annotations

import numpy as np

from walkon.motion.features.clouds import cloud_distances, pair_distances
from walkon.motion.features.shared_poses import find_shared_poses
from walkon.rotations import Placement

rng = np.random.default_rng(8)


def apart(places: list[float]) -> np.ndarray:
    return np.abs(np.subtract.outer(places, places))


def test_the_middle_of_the_largest_group_comes_first() -> None:
    distances = apart([0.0, 0.1, 0.2, 5.0, 5.1, 9.0])
    everyone = np.ones(6, dtype=np.bool_)
    assert find_shared_poses(distances, everyone, np.full(6, 0.3), 2) == [1, 3]
    assert find_shared_poses(distances, everyone, np.full(6, 0.3), 3) == [1]
    assert find_shared_poses(distances, everyone, np.full(6, 0.3), 0) == [1, 3, 5]


def test_only_who_may_becomes_a_pose() -> None:
    distances = apart([0.0, 0.1, 0.2, 5.0])
    eligible = np.array([False, False, True, False])
    assert find_shared_poses(distances, eligible, np.full(4, 0.3), 1) == [2]
    assert find_shared_poses(distances, ~np.ones(4, dtype=np.bool_), np.full(4, 0.3), 0) == []


def test_clouds_are_as_far_apart_as_the_best_alignment_leaves_them() -> None:
    clouds, known, weights = rng.normal(size=(4, 3, 5, 3)), np.ones((4, 3)), np.full(5, 0.2)
    clouds[1] = Placement(3.0, -2.0, 1.1).points(clouds[0])
    found = pair_distances(clouds, known, weights)
    np.testing.assert_allclose(found, found.T, atol=1e-9)
    assert found[0, 1] < 1e-6
    for heading in np.linspace(0.0, 2.0 * np.pi, 400):
        turned = Placement(0.0, 0.0, heading).points(clouds[2])
        off = turned - clouds[3]
        off[..., [0, 2]] -= off[..., [0, 2]].mean(axis=(0, 1))
        assert found[2, 3] <= np.sqrt((off**2).sum(axis=-1).mean()) + 1e-12
    nearest = min(
        np.sqrt(((off - off.mean(axis=(0, 1)) * [1, 0, 1]) ** 2).sum(axis=-1).mean())
        for off in (Placement(0.0, 0.0, turn).points(clouds[2]) - clouds[3] for turn in np.linspace(0, 6.3, 4000))
    )
    assert abs(found[2, 3] - nearest) < 1e-4


def test_times_that_were_not_recorded_do_not_count() -> None:
    cloud, weights = rng.normal(size=(3, 5, 3)), np.full(5, 0.2)
    other = cloud.copy()
    other[2] += 7.0
    known = np.array([[1.0, 1.0, 0.0]])
    assert cloud_distances(cloud, np.ones(3), other[None], known, weights)[0] < 1e-6
