from __future__ import annotations

import numpy as np
import pytest

from walkon.export.round_cones import VERTICES, round_cone_triangles, round_cone_vertices, swallow
from walkon.export.skin import build_skin
from walkon.rotations import conjugate, from_two_vectors, multiply, rotate
from walkon.skeleton import Skeleton, build_body


def volume_and_leaks(points, triangles):
    """Signed volume [m³] of a triangle mesh, and how many of its edges lack their opposite."""
    a, b, c = (points[corner] for corner in triangles.T)
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    ways = {tuple(edge) for edge in edges.tolist()}
    leaks = sum((end, start) not in ways for start, end in ways)
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6), leaks


def test_a_capsule_is_closed_and_has_its_volume():
    centres, radii = np.array([[[1.0, 2, 3], [1, 2, 5]]]), np.array([[0.5, 0.5]])
    points, normals = round_cone_vertices(centres, radii)
    volume, leaks = volume_and_leaks(points[0], round_cone_triangles())
    assert points.shape == (1, VERTICES, 3)
    assert leaks == 0
    exact = np.pi * 0.25 * (4 / 3 * 0.5 + 2)
    assert 0.9 * exact < volume < exact
    np.testing.assert_allclose(np.linalg.norm(normals, axis=-1), 1)


def test_every_vertex_of_a_round_cone_lies_on_its_surface_along_the_normal():
    centres, radii = np.array([[[0.0, 0, 0], [0.6, 0.3, -0.2]]]), np.array([[0.3, 0.1]])
    points, normals = round_cone_vertices(centres, radii)
    half = VERTICES // 2
    np.testing.assert_allclose(points[0, :half], centres[0, 0] + 0.3 * normals[0, :half], atol=1e-12)
    np.testing.assert_allclose(points[0, half:], centres[0, 1] + 0.1 * normals[0, half:], atol=1e-12)
    # The straight part touches both spheres: its edges stand square on the normals at both rings.
    last_of_first, first_of_second = points[0, half - 12 : half], points[0, half : half + 12]
    edges = first_of_second - last_of_first
    np.testing.assert_allclose(np.einsum("ij,ij->i", edges, normals[0, half - 12 : half]), 0, atol=1e-12)


def test_a_sphere_inside_the_other_disappears():
    centres = np.array([[[0.0, 0, 0], [0.1, 0, 0]], [[0, 0, 0], [1, 0, 0]]])
    new_centres, new_radii = swallow(centres, np.array([[0.2, 0.5], [0.2, 0.5]]))
    np.testing.assert_array_equal(new_centres, [[[0.1, 0, 0], [0.1, 0, 0]], [[0, 0, 0], [1, 0, 0]]])
    np.testing.assert_array_equal(new_radii, [[0.5, 0.5], [0.2, 0.5]])


def test_a_person_gets_one_mesh_that_follows_the_joints(clip):
    skin, body = build_skin(clip), build_body(clip.skeleton)
    assert len(skin) == VERTICES * len(body)
    assert skin.triangles.max() == len(skin) - 1
    np.testing.assert_allclose(skin.weights.sum(axis=1), 1, atol=1e-6)
    assert (skin.joints[skin.weights == 0] == 0).all()
    assert skin.joints.max() < len(clip.skeleton)
    np.testing.assert_allclose(np.linalg.norm(skin.normals, axis=1), 1, atol=1e-5)
    volume, _ = volume_and_leaks(skin.positions.astype(float), skin.triangles)
    assert volume > 0.02


def skinned(skin, clip, frame):
    """Vertices (V, 3) [m] where linear blend skinning puts them."""
    turn = multiply(clip.world_rotations[frame], conjugate(skin.bind_rotations))
    moved = [
        rotate(turn[joints], skin.positions - skin.bind_positions[joints]) + clip.positions[frame, joints]
        for joints in skin.joints.T
    ]
    return skin.weights[:, :1] * moved[0] + skin.weights[:, 1:] * moved[1]


def distances_to_capsules(points, centres):
    """From each point (V, 3) to the axis of its own capsule (V, 2, 3) [m]."""
    start, along = centres[:, 0], centres[:, 1] - centres[:, 0]
    share = np.einsum("ij,ij->i", points - start, along) / np.maximum(np.einsum("ij,ij->i", along, along), 1e-12)
    return np.linalg.norm(points - start - np.clip(share, 0, 1)[:, None] * along, axis=1)


def test_in_motion_every_bone_keeps_its_thickness(clip):
    skin, body = build_skin(clip), build_body(clip.skeleton)
    along_bone = np.repeat(clip.skeleton.parents[body.ends] == body.starts, VERTICES)
    at_rest = distances_to_capsules(
        skin.positions, np.repeat(body.capsules(skin.bind_positions), VERTICES, axis=0)
    )
    for frame in (0, 17, 39):
        centres = np.repeat(body.capsules(clip.positions[frame]), VERTICES, axis=0)
        distances = distances_to_capsules(skinned(skin, clip, frame), centres)
        np.testing.assert_allclose(distances[along_bone], at_rest[along_bone], atol=1e-5)
        assert distances.max() < 2.5 * skin.reach


def collapsed(skeleton: Skeleton) -> tuple[Skeleton, np.ndarray]:
    """The same bones, all laid along +x, and the local rotations (J, 4) that stand them up again."""
    along = np.zeros((len(skeleton), 3))
    along[:, 0] = skeleton.lengths
    directions = np.where(skeleton.lengths[:, None] > 0, skeleton.offsets, [1.0, 0, 0])
    world = from_two_vectors(np.broadcast_to([1.0, 0, 0], directions.shape), directions)
    # A joint's rotation aims its first child; further children would need joints of their own.
    aims = np.array([world[kids[0]] if kids else world[j] for j, kids in enumerate(skeleton.children)])
    local = np.array(
        [aims[j] if p < 0 else multiply(conjugate(aims[p]), aims[j]) for j, p in enumerate(skeleton.parents)]
    )
    return Skeleton(skeleton.names, skeleton.parents, along, skeleton.tips), local


def test_a_rest_pose_that_is_none_gives_way_to_the_first_frame(swing, person):
    # Give each limb a joint of its own at the trunk, so that a rig with every bone along x can stand up.
    names, parents, offsets, tips = (
        list(person.names),
        list(person.parents),
        list(person.offsets),
        list(person.tips),
    )
    trunk = [j for j in range(1, len(names)) if len(person.children[parents[j]]) > 1]
    for joint in sorted(trunk, reverse=True):
        names.insert(joint, f"{names[joint]}Socket")
        tips.insert(joint, False)
        offsets.insert(joint, np.zeros(3))
        parents = [p + (p >= joint) for p in parents]
        parents.insert(joint, parents[joint])
        parents[joint + 1] = joint
    skeleton, local = collapsed(Skeleton(names, parents, offsets, tips))
    clip = swing(skeleton, frames=1).with_changes(rotations=local[None])
    skin = build_skin(clip)
    np.testing.assert_allclose(skin.bind_positions, clip.positions[0] - clip.root_positions[0], atol=1e-12)
    assert np.ptp(clip.positions[0][:, 1]) > 1.3  # it does stand


def test_a_believable_rest_pose_is_the_bind_pose(clip):
    skin = build_skin(clip)
    np.testing.assert_allclose(skin.bind_positions, clip.skeleton.rest_positions, atol=1e-12)


@pytest.mark.parametrize("count", [1, 2])
def test_the_smallest_skeletons_have_a_body_too(swing, count):
    skeleton = Skeleton(["a", "b"][:count], [-1, 0][:count], [[0, 0, 0], [0, 0.4, 0]][:count])
    skin = build_skin(swing(skeleton))
    assert np.isfinite(skin.positions).all()
    assert volume_and_leaks(skin.positions.astype(float), skin.triangles)[0] >= 0
