from __future__ import annotations

import numpy as np

from walkon.export.fillets import MAX_LIFT, SOFTNESS, signed_distances, soften
from walkon.export.round_cones import round_cone_vertices

CROSS = np.array([[[-1.0, 0, 0], [1, 0, 0]], [[0, -1, 0], [0, 1, 0]]])
RADII = np.full((2, 2), 0.2)


def test_distances_agree_with_a_dense_walk_along_the_axis():
    rng = np.random.default_rng(1)
    points, centres = rng.normal(size=(50, 3)), rng.normal(size=(4, 2, 3))
    distances, outward = signed_distances(points, centres, np.full((4, 2), 0.3))
    walk = centres[:, 0] + np.linspace(0, 1, 2001)[:, None, None] * (centres[:, 1] - centres[:, 0])
    slow = np.linalg.norm(points[:, None, None] - walk, axis=-1).min(axis=1) - 0.3
    np.testing.assert_allclose(distances, slow, atol=1e-3)
    nearest = points[:, None] - (distances + 0.3)[..., None] * outward
    np.testing.assert_allclose(
        signed_distances(nearest.reshape(-1, 3), centres, np.zeros((4, 2)))[0].min(axis=1), 0, atol=1e-9
    )


def test_a_radius_changes_along_the_axis():
    distances, _ = signed_distances(np.array([[0.0, 1, 0], [1, 1, 0]]), CROSS[:1], np.array([[0.2, 0.6]]))
    np.testing.assert_allclose(distances[:, 0], [0.6, 0.4])


def test_cones_that_do_not_mix_stay_as_they_are():
    points, normals = round_cone_vertices(CROSS, RADII)
    new_points, new_normals = soften(points, normals, CROSS, RADII, np.eye(2, dtype=bool))
    np.testing.assert_array_equal(new_points, points)
    np.testing.assert_array_equal(new_normals, normals)


def test_a_crease_is_filled_and_the_rest_hardly_moves():
    # A vertex of each rod exactly in the crease, one far from it, one in the middle of the other rod.
    crease, far, inside = np.array([0.2, 0.2, 0.0]), np.array([0.9, 0.2, 0.0]), np.array([0.0, 0.1, 0.0])
    points = np.tile([crease, far, inside], (2, 1, 1))
    normals = np.tile([0.0, 1.0, 0.0], (2, 3, 1))
    new_points, new_normals = soften(points, normals, CROSS, RADII, np.ones((2, 2), bool))
    k = SOFTNESS * 0.2
    lift = new_points[0] - points[0]
    np.testing.assert_allclose(lift[0], k * np.log(2) * np.array([1, 1, 0]) / np.sqrt(2), atol=1e-12)
    np.testing.assert_allclose(new_normals[0, 0], np.array([1, 1, 0]) / np.sqrt(2), atol=1e-12)
    assert np.linalg.norm(lift[1]) < 0.01 * k
    np.testing.assert_array_equal(lift[2], 0)
    np.testing.assert_array_equal(new_normals[0, 2], normals[0, 2])


def test_no_vertex_is_lifted_far():
    points, normals = round_cone_vertices(CROSS, RADII)
    new_points, new_normals = soften(points, normals, CROSS, RADII, np.ones((2, 2), bool))
    assert np.linalg.norm(new_points - points, axis=-1).max() <= MAX_LIFT * SOFTNESS * 0.2 + 1e-12
    np.testing.assert_allclose(np.linalg.norm(new_normals, axis=-1), 1, atol=1e-9)
