"""What must not change a feature: where a clip stands, which way it is mirrored, how densely it is sampled."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walkon.builtin import make
from walkon.motion import Clip
from walkon.motion.features import (
    bounding_circles,
    center_of_mass,
    ground_placements,
    measure_gait,
    measure_locomotion,
)
from walkon.motion.features._bounding_kernels import enclosing_circle
from walkon.motion.feet.contacts import find_contacts
from walkon.rotations import Placement, continuous, exponential, from_axis_angle, multiply, rotate, slerp
from walkon.skeleton import find_roles, forward_kinematics, mirror_pairs, reach, solve_two_bone

few = settings(max_examples=25, deadline=None)
coordinates = st.floats(-20, 20)
angles = st.floats(-math.pi, math.pi)
placements = st.builds(Placement, coordinates, coordinates, angles)
names = st.sampled_from(["walk", "jump", "crawl", "skateboarder", "dog"])

CLIPS = {name: make(name).with_changes(contacts=None) for name in ("walk", "jump", "crawl", "skateboarder", "dog")}


def placed(clip: Clip, placement: Placement) -> Clip:
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(placement.quaternion(), rotations[:, 0])
    return clip.with_changes(root_positions=placement.points(clip.root_positions), rotations=rotations)


def mirrored(clip: Clip) -> Clip:
    """Left and right exchanged, on a skeleton that is its own mirror image."""
    twins = mirror_pairs(clip.skeleton)
    rotations = clip.rotations[:, twins] * np.array([1.0, 1.0, -1.0, -1.0])
    return clip.with_changes(root_positions=clip.root_positions * [-1.0, 1.0, 1.0], rotations=rotations)


def resampled(clip: Clip, factor: int) -> Clip:
    """The same motion at a multiple of the frame rate, between the frames by interpolation."""
    frames = (len(clip) - 1) * factor + 1
    before = np.minimum(np.arange(frames) // factor, len(clip) - 2)
    weight = np.arange(frames) / factor - before
    roots = clip.root_positions[before] + weight[:, None] * np.diff(clip.root_positions, axis=0)[before]
    rotations = slerp(clip.rotations[before], clip.rotations[before + 1], weight[:, None])
    return clip.with_changes(root_positions=roots, rotations=continuous(rotations), fps=clip.fps * factor)


def wrapped(angle):
    return np.arctan2(np.sin(angle), np.cos(angle))


@few
@given(names, placements)
def test_features_move_with_the_clip(name, placement):
    clip = CLIPS[name]
    moved = placed(clip, placement)
    before, after = ground_placements(clip), ground_placements(moved)
    np.testing.assert_allclose(
        after[:, :2], np.stack(placement.point(before[:, 0], before[:, 1]), axis=1), atol=1e-9
    )
    np.testing.assert_allclose(wrapped(after[:, 2] - before[:, 2] - placement.heading), 0, atol=1e-6)
    circles, moved_circles = bounding_circles(clip), bounding_circles(moved)
    np.testing.assert_allclose(moved_circles.radii, circles.radii, atol=1e-6)
    np.testing.assert_allclose(center_of_mass(moved), placement.points(center_of_mass(clip)), atol=1e-9)
    travel, moved_travel = measure_locomotion(clip), measure_locomotion(moved)
    np.testing.assert_allclose(moved_travel.speed, travel.speed, atol=1e-6)
    assert moved_travel.total_turn == pytest.approx(travel.total_turn, abs=1e-6)
    # Rounding may tip a joint over a threshold in a frame or two.
    assert (find_contacts(moved).planted != find_contacts(clip).planted).mean() < 0.005


@pytest.mark.parametrize("name", ["walk", "jump", "crawl", "dog"])
def test_a_mirrored_clip_has_mirrored_features(name):
    clip = CLIPS[name]
    other = mirrored(clip)
    np.testing.assert_allclose(ground_placements(other), ground_placements(clip) * [-1, 1, -1], atol=1e-6)
    circles, mirror_circles = bounding_circles(clip), bounding_circles(other)
    np.testing.assert_allclose(mirror_circles.radii, circles.radii, atol=1e-6)
    np.testing.assert_allclose(center_of_mass(other), center_of_mass(clip) * [-1, 1, 1], atol=1e-9)
    ours, theirs = find_contacts(clip), find_contacts(other)
    swapped = [
        theirs.joints.index(name.replace("Left", "?").replace("Right", "Left").replace("?", "Right"))
        for name in ours.joints
    ]
    np.testing.assert_array_equal(theirs.planted[:, swapped], ours.planted)


@pytest.mark.parametrize("name", ["walk", "jump", "crawl", "dog"])
@pytest.mark.parametrize("factor", [2, 4])
def test_the_frame_rate_does_not_matter(name, factor):
    clip = CLIPS[name]
    dense = resampled(clip, factor)
    np.testing.assert_allclose(ground_placements(dense)[::factor], ground_placements(clip), atol=0.02)
    sparse_travel, dense_travel = measure_locomotion(clip), measure_locomotion(dense)
    assert dense_travel.path_length == pytest.approx(sparse_travel.path_length, rel=0.01)
    assert np.abs(dense_travel.speed[::factor] - sparse_travel.speed).max() < 0.05
    np.testing.assert_allclose(bounding_circles(dense).radii[::factor], bounding_circles(clip).radii, atol=1e-6)
    assert (find_contacts(dense).planted[::factor] != find_contacts(clip).planted).mean() < 0.06
    assert measure_gait(dense).flight == pytest.approx(measure_gait(clip).flight, abs=0.06)


circles = st.lists(
    st.tuples(st.floats(-5, 5), st.floats(-5, 5), st.floats(0.001, 2)), min_size=1, max_size=40
).map(np.array)


@settings(max_examples=150, deadline=None)
@given(circles, st.integers(0, 2**32 - 1))
def test_enclosing_circle_holds_all_and_cannot_shrink(found, seed):
    """It holds every circle, whatever circle the search begins with, and no smaller one nearby does."""
    begin = seed % len(found)
    x, y, radius, _ = enclosing_circle(found, np.zeros(4, np.int64), np.array([begin, 0, 0]), 1)
    extents = np.hypot(found[:, 0] - x, found[:, 1] - y) + found[:, 2]
    assert extents.max() <= radius + 1e-8
    for angle in np.linspace(0, 2 * np.pi, 12, endpoint=False):
        step = 1e-4
        nearby = np.hypot(found[:, 0] - x - step * np.cos(angle), found[:, 1] - y - step * np.sin(angle))
        assert (nearby + found[:, 2]).max() >= radius - 1e-8


@few
@given(names, st.floats(-0.3, 0.3), st.floats(-0.3, 0.3), st.floats(-0.3, 0.3))
def test_limbs_reach_what_is_in_reach(name, dx, dy, dz):
    clip = CLIPS[name]
    roles = find_roles(clip.skeleton)
    limb = tuple(roles.joints[f"left_{part}"] for part in ("hip", "knee", "ankle"))
    positions = clip.positions
    targets = positions[:, limb[2]] + np.array([dx, dy, dz])
    solved = reach(clip.skeleton, clip.rotations, positions, clip.world_rotations, limb, targets)
    found, _ = forward_kinematics(clip.skeleton, clip.root_positions, solved)
    lengths = [np.linalg.norm(positions[0, b] - positions[0, a]) for a, b in pairwise(limb)]
    distance = np.linalg.norm(targets - positions[:, limb[0]], axis=1)
    inside = (distance < 0.97 * sum(lengths)) & (distance > abs(lengths[0] - lengths[1]) + 0.01)
    np.testing.assert_allclose(found[inside, limb[2]], targets[inside], atol=1e-6)
    assert np.isfinite(solved).all()
    np.testing.assert_allclose(np.linalg.norm(solved, axis=-1), 1, atol=1e-9)


@few
@given(st.integers(0, 2**32 - 1))
def test_two_bone_solves_turn_with_the_world(seed):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(5, 8, 3))
    turn = exponential(rng.normal(size=3))
    upper, lower = solve_two_bone(*points)
    turned_upper, turned_lower = solve_two_bone(*(rotate(turn, p) for p in points))
    for vector in np.eye(3):
        np.testing.assert_allclose(
            rotate(turned_upper, rotate(turn, vector)), rotate(turn, rotate(upper, vector)), atol=1e-5
        )
        np.testing.assert_allclose(
            rotate(turned_lower, rotate(turn, vector)), rotate(turn, rotate(lower, vector)), atol=1e-5
        )


def test_the_helpers_of_these_tests_are_right():
    """A mirrored clip is the mirror image, joint by joint."""
    clip = CLIPS["walk"]
    twins = mirror_pairs(clip.skeleton)
    np.testing.assert_allclose(mirrored(clip).positions, clip.positions[:, twins] * [-1, 1, 1], atol=1e-9)
    np.testing.assert_allclose(resampled(clip, 2).positions[::2], clip.positions, atol=1e-9)
    half = from_axis_angle(np.array([0, 1.0, 0]), math.pi)
    np.testing.assert_allclose(
        placed(clip, Placement(0, 0, math.pi)).positions, rotate(half, clip.positions), atol=1e-9
    )
