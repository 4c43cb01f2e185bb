"""Where a body stands and faces, upright, leaning, crawling, lying and tumbling."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin import dog_skeleton, human_skeleton, make
from walkon.errors import ClipError
from walkon.motion import Clip
from walkon.motion.features import ground_placements, placement_at
from walkon.motion.features._kernels import weighted_smooth
from walkon.rotations import IDENTITY, from_axis_angle, multiply, rotation_about_y
from walkon.skeleton import Skeleton

PITCH, ROLL = np.array([1.0, 0, 0]), np.array([0, 0, 1.0])


def tumbling(root_rotations, skeleton: Skeleton | None = None, fps: float = 60.0) -> Clip:
    """A rigid body in its rest pose whose root turns."""
    skeleton = skeleton or human_skeleton()
    rotations = np.tile(IDENTITY, (len(root_rotations), len(skeleton), 1))
    rotations[:, 0] = root_rotations
    roots = np.tile([1.0, 1.0, -2.0], (len(root_rotations), 1))
    return Clip("tumbling", skeleton, fps, roots, rotations)


@pytest.mark.parametrize("heading", [0.0, 0.5, -2.0, 3.1])
@pytest.mark.parametrize("lean", [0.0, 0.8, np.pi / 2, -np.pi / 2])
def test_leaning_crawling_and_lying_keep_the_heading(heading, lean):
    """A body pitched forward a quarter turn crawls; pitched back it lies, and faces as it did before it fell."""
    turn = multiply(rotation_about_y(heading), from_axis_angle(PITCH, lean))
    placement = placement_at(tumbling(turn[None]), 0)
    assert placement.heading == pytest.approx(heading)


def test_position_is_between_the_hips():
    placement = placement_at(tumbling(IDENTITY[None]), 0)
    assert (placement.x, placement.z) == pytest.approx((1.0, -2.0))


def test_whole_turns_are_counted():
    headings = np.linspace(0, 6 * np.pi, 400)
    found = ground_placements(tumbling(rotation_about_y(headings)))[:, 2]
    np.testing.assert_allclose(found - found[0], headings, atol=1e-6)


@pytest.mark.parametrize("axis", [PITCH, ROLL], ids=["somersault", "cartwheel"])
@pytest.mark.parametrize("heading", [0.0, 2.5])
def test_tumbling_does_not_turn_the_heading(axis, heading):
    angles = np.linspace(0, 2 * np.pi, 200)
    turns = multiply(rotation_about_y(heading), from_axis_angle(axis, angles))
    found = ground_placements(tumbling(turns))[:, 2]
    assert np.abs(found - heading).max() < 0.05


def test_a_body_on_its_side_follows_the_turning_of_its_pelvis():
    """On its side hips and shoulders stand on end and show no direction; spinning there is still turning."""
    lying_down = from_axis_angle(ROLL, np.linspace(0, np.pi / 2, 60))
    spin = rotation_about_y(np.linspace(0, 1.0, 60))
    turns = np.concatenate([lying_down, multiply(spin, lying_down[-1]), multiply(spin[-1], lying_down[::-1])])
    found = ground_placements(tumbling(turns))[:, 2]
    assert found[0] == pytest.approx(0, abs=0.03)
    assert found[-1] == pytest.approx(1.0, abs=0.03)
    assert np.abs(np.diff(found)).max() < 0.06


def test_a_dog_faces_along_its_trunk():
    clip = tumbling(rotation_about_y(np.array([0.3, 0.4])), dog_skeleton())
    np.testing.assert_allclose(ground_placements(clip)[:, 2], [0.3, 0.4], atol=0.01)


def test_a_crawl_goes_where_it_faces():
    placements = ground_placements(make("crawl"))
    travel = placements[-1] - placements[0]
    assert np.arctan2(travel[0], travel[1]) == pytest.approx(placements[:, 2].mean(), abs=0.1)


def test_a_body_without_limbs_faces_as_its_root_turns():
    chain = Skeleton(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    found = ground_placements(tumbling(rotation_about_y(np.array([0.2, 0.5, 0.9])), chain))
    np.testing.assert_allclose(found[:, 2], [0.2, 0.5, 0.9])


def test_frames_count_from_either_end():
    clip = tumbling(rotation_about_y(np.array([0.0, 0.1])))
    assert placement_at(clip, -1) == placement_at(clip, 1)
    with pytest.raises(ClipError, match="frames 0 to 1"):
        placement_at(clip, 2)


def test_smoothing_kernel_solves_its_normal_equations():
    rng = np.random.default_rng(3)
    values, weights, stiffness = rng.normal(size=30), rng.uniform(0, 1, 30), 4.0
    smoothed = np.empty(30)
    weighted_smooth(values, weights, stiffness, smoothed)
    differences = np.diff(np.eye(30), axis=0)
    system = np.diag(weights + 1e-9) + stiffness * differences.T @ differences
    np.testing.assert_allclose(smoothed, np.linalg.solve(system, (weights + 1e-9) * values), atol=1e-9)
