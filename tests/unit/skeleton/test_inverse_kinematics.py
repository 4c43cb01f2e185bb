"""Two-bone inverse kinematics against geometry anyone can check."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.errors import SkeletonError
from walkon.rotations import IDENTITY, angle_between, exponential, multiply, normalize, rotate
from walkon.skeleton import Skeleton, bend_poles, forward_kinematics, reach, solve_two_bone

THIGH, SHIN = 0.42, 0.40
LEG = Skeleton(
    ["pelvis", "hip", "twist", "knee", "ankle", "toe"],
    [-1, 0, 1, 2, 3, 4],
    [[0, 0, 0], [0.1, -0.05, 0], [0, -0.5 * THIGH, 0], [0, -0.5 * THIGH, 0], [0, -SHIN, 0], [0, -0.05, 0.12]],
)
HIP, KNEE, ANKLE = 1, 3, 4


def poses(frames: int, rng: np.random.Generator, *, least_bend: float = 0.05):
    """Random legs whose knees bend about the thigh's own x axis, as knees do: rotations, positions, world."""
    rotations = np.tile(IDENTITY, (frames, len(LEG), 1))
    rotations[:, 0] = normalize(rng.normal(size=(frames, 4)))
    rotations[:, HIP] = exponential(0.5 * rng.normal(size=(frames, 3)))
    rotations[:, KNEE, :2] = exponential(np.outer(rng.uniform(least_bend, 2.0, frames), [1, 0, 0]))[:, :2]
    rotations[:, ANKLE] = exponential(0.3 * rng.normal(size=(frames, 3)))
    roots = rng.normal(size=(frames, 3))
    return roots, rotations, *forward_kinematics(LEG, roots, rotations)


def test_end_arrives_and_keeps_its_rotation():
    roots, rotations, positions, world = poses(300, np.random.default_rng(1))
    directions = np.random.default_rng(2).normal(size=(300, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    distances = np.random.default_rng(3).uniform(0.05, 0.97, 300)[:, None] * (THIGH + SHIN)
    targets = positions[:, HIP] + distances * directions
    solved = reach(LEG, rotations, positions, world, (HIP, KNEE, ANKLE), targets)
    new_positions, new_world = forward_kinematics(LEG, roots, solved)
    np.testing.assert_allclose(new_positions[:, ANKLE], targets, atol=1e-9)
    assert angle_between(world[:, ANKLE], new_world[:, ANKLE]).max() < 1e-7
    untouched = [0, 2, 5]
    np.testing.assert_array_equal(solved[:, untouched], rotations[:, untouched])


def test_target_where_the_end_is_changes_nothing():
    roots, rotations, positions, world = poses(200, np.random.default_rng(4))
    solved = reach(LEG, rotations, positions, world, (HIP, KNEE, ANKLE), positions[:, ANKLE])
    same, _ = forward_kinematics(LEG, roots, solved)
    assert np.abs(same - positions).max() < 2e-4


def test_the_end_can_keep_its_angle_to_the_lower_bone_instead():
    _, rotations, positions, world = poses(20, np.random.default_rng(5))
    targets = positions[:, ANKLE] + 0.05
    solved = reach(LEG, rotations, positions, world, (HIP, KNEE, ANKLE), targets, keep_end_rotation=False)
    np.testing.assert_array_equal(solved[:, ANKLE], rotations[:, ANKLE])


def solved_points(hip, knee, ankle, target, pole, softness=0.02):
    """Knee and ankle after the solve, by turning the two bones by hand."""
    arrays = [np.array([point], dtype=float) for point in (hip, knee, ankle, target, pole)]
    upper, lower = solve_two_bone(*arrays, softness=softness)
    new_knee = arrays[0] + rotate(upper, arrays[1] - arrays[0])
    return new_knee[0], (new_knee + rotate(lower, arrays[2] - arrays[1]))[0]


def test_law_of_cosines():
    knee, ankle = solved_points([0, 1, 0], [0, 0.6, 0.1], [0, 0.2, 0], [0, 1 - 0.5, 0], [0, 0, 1])
    upper, lower = np.hypot(0.4, 0.1), np.hypot(0.4, 0.1)
    np.testing.assert_allclose(ankle, [0, 0.5, 0], atol=1e-12)
    assert np.linalg.norm(knee - [0, 1, 0]) == pytest.approx(upper)
    assert np.linalg.norm(knee - ankle) == pytest.approx(lower)
    assert knee[2] == pytest.approx(np.sqrt(upper**2 - 0.25**2))


def test_a_target_out_of_reach_is_pointed_at_and_never_quite_straight():
    hip = np.array([0.0, 1.0, 0.0])
    distances = []
    for far in (0.9, 1.2, 5.0):
        target = hip + far * np.array([0.6, -0.8, 0.0])
        _, ankle = solved_points(hip, [0, 0.6, 0.1], [0, 0.2, 0], target, [0, 0, 1])
        np.testing.assert_allclose(np.cross(ankle - hip, target - hip), 0, atol=1e-9)
        distances.append(np.linalg.norm(ankle - hip))
    whole = 2 * np.hypot(0.4, 0.1)
    assert distances[0] < distances[1] <= distances[2] <= whole
    assert distances[0] > 0.98 * whole


def test_the_knee_does_not_pop_when_a_target_leaves_its_reach():
    """Moving the target by a millimetre never moves the knee by more than two centimetres."""
    hip, whole = np.array([0.0, 1.0, 0.0]), 2 * np.hypot(0.4, 0.1)
    knees = []
    for distance in np.arange(0.9 * whole, 1.1 * whole, 0.001):
        knees.append(solved_points(hip, [0, 0.6, 0.1], [0, 0.2, 0], [0, 1 - distance, 0], [0, 0, 1])[0])
    assert np.linalg.norm(np.diff(knees, axis=0), axis=1).max() < 0.02


@pytest.mark.parametrize("recorded", [0.03, 0.0, -0.03])
def test_knees_never_flip(recorded):
    """However the knee was recorded, forward, straight or beyond straight, it bends towards the pole."""
    knee, ankle = solved_points([0, 1, 0], [0, 0.6, recorded], [0, 0.2, 0], [0, 0.3, 0], [0, 0, 1])
    np.testing.assert_allclose(ankle, [0, 0.3, 0], atol=1e-9)
    assert knee[2] > 0.1


@pytest.mark.parametrize("target", [[0, 1, 0], [0, 1.3, 0], [0, 0.2, 0]])
def test_degenerate_cases_stay_finite(target):
    """A target at the hip, one opposite the leg, a straight leg whose pole lies along it."""
    for knee, pole in (([0, 0.6, 0], [0, 1, 0]), ([0, 0.6, 0.1], [0, 0, 0])):
        points = solved_points([0, 1, 0], knee, [0, 0.2, 0], target, pole)
        assert np.isfinite(points).all()
    upper, lower = solve_two_bone(*[np.zeros((1, 3))] * 5)
    np.testing.assert_array_equal(upper, [[1, 0, 0, 0]])
    np.testing.assert_array_equal(lower, [[1, 0, 0, 0]])


def test_the_limb_swings_without_twisting():
    """A turn of target about the hip turns a whole leg rigidly: the shortest way, knee and all."""
    turn = exponential(np.array([[0.0, 0.0, 0.7]]))
    hip, knee, ankle = np.array([[0.0, 1, 0]]), np.array([[0, 0.6, 0.15]]), np.array([[0, 0.2, 0.0]])
    upper, lower = solve_two_bone(hip, knee, ankle, hip + rotate(turn, ankle - hip), np.array([[0.0, 0, 1]]))
    assert angle_between(upper, turn)[0] < 1e-6
    assert angle_between(lower, turn)[0] < 1e-6


def test_poles_are_the_mean_bend_carried_by_the_thigh():
    _, _, positions, world = poses(50, np.random.default_rng(6))
    poles = bend_poles(positions[:, HIP], positions[:, KNEE], positions[:, ANKLE], world[:, HIP])
    forward = rotate(world[:, HIP], np.array([0.0, 0, 1]))
    np.testing.assert_allclose(np.linalg.norm(poles, axis=1), 1)
    assert np.sum(poles * forward, axis=1).min() > 0.7


def test_turns_are_world_turns():
    _, rotations, positions, world = poses(10, np.random.default_rng(7))
    joints = positions[:, HIP], positions[:, KNEE], positions[:, ANKLE]
    targets = positions[:, ANKLE] + 0.04
    poles = bend_poles(*joints, world[:, HIP])
    upper, _ = solve_two_bone(*joints, targets, poles)
    solved = reach(LEG, rotations, positions, world, (HIP, KNEE, ANKLE), targets, poles=poles)
    _, new_world = forward_kinematics(LEG, positions[:, 0], solved)
    assert angle_between(new_world[:, HIP], multiply(upper, world[:, HIP])).max() < 1e-7


def test_misuse_is_named():
    _, rotations, positions, world = poses(3, np.random.default_rng(8))
    with pytest.raises(SkeletonError, match="one chain"):
        reach(LEG, rotations, positions, world, (KNEE, HIP, ANKLE), positions[:, ANKLE])
    with pytest.raises(SkeletonError, match="outside"):
        reach(LEG, rotations, positions, world, (HIP, KNEE, 99), positions[:, ANKLE])
    with pytest.raises(ValueError, match="shape"):
        solve_two_bone(*[np.zeros((2, 3))] * 4, np.zeros((3, 3)))
    with pytest.raises(ValueError, match="softness"):
        solve_two_bone(*[np.zeros((2, 3))] * 5, softness=1.0)
    with pytest.raises(ValueError, match="rotations"):
        bend_poles(*[np.zeros((2, 3))] * 3, np.zeros((3, 4)))
