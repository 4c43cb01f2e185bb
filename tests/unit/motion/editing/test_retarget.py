from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from walkon.basics import runs
from walkon.motion import Clip
from walkon.motion.editing import mirror, retarget
from walkon.motion.editing._kernels import local_rotations
from walkon.motion.feet.soles import leg_length, sole_clearances
from walkon.rotations import conjugate, continuous, from_axis_angle, multiply, normalize
from walkon.skeleton import Skeleton, find_roles
from walkon.skeleton.stance import limb_segments


def limb_errors(clip: Clip, other: Clip, parts: tuple[str, ...]) -> np.ndarray:
    """Angle [deg] between bones of the same role, (F, bones)."""
    directions = []
    for each in (clip, other):
        roles = find_roles(each.skeleton)
        by_start = dict(limb_segments(roles))
        starts = [roles.joints[f"{side}_{part}"] for side in ("left", "right") for part in parts]
        bones = each.positions[:, [by_start[s] for s in starts]] - each.positions[:, starts]
        directions.append(bones / np.linalg.norm(bones, axis=-1, keepdims=True))
    return np.degrees(np.arccos(np.clip(np.sum(directions[0] * directions[1], axis=-1), -1, 1)))


@pytest.fixture(scope="module")
def met(walk: Clip, stranger: Skeleton) -> Clip:
    """The walk as the stranger does it."""
    return retarget(walk, stranger)


def test_limbs_point_where_the_source_points(walk: Clip, met: Clip) -> None:
    assert limb_errors(walk, met, ("shoulder", "elbow")).max() < 1e-5
    assert limb_errors(walk, met, ("hip", "knee")).max() < 8.0
    assert limb_errors(walk, met, ("hip", "knee")).mean() < 3.0


def test_planted_feet_stay_on_the_ground_and_do_not_slide(walk: Clip, met: Clip) -> None:
    assert set(met.contacts.joints) == {"foot_l", "toe_l", "foot_r", "toe_r"}
    for column, name in enumerate(met.contacts.joints):
        joint = met.skeleton.index(name)
        for start, stop in runs(met.contacts.planted[:, column]):
            assert np.ptp(met.positions[start:stop, joint][:, [0, 2]], axis=0).max() < 5e-3
    ratio = leg_length(met.skeleton) / leg_length(walk.skeleton)
    expected = ratio * sole_clearances(walk.skeleton, walk.positions)
    np.testing.assert_allclose(sole_clearances(met.skeleton, met.positions), expected, atol=8e-3)


def test_paths_shrink_with_the_legs(walk: Clip, met: Clip) -> None:
    ratio = leg_length(met.skeleton) / leg_length(walk.skeleton)
    assert ratio == pytest.approx(0.70 / 0.85)
    assert np.ptp(met.root_positions[:, 2]) == pytest.approx(ratio * np.ptp(walk.root_positions[:, 2]), rel=0.01)


def test_there_and_back_is_the_same_walk(walk: Clip, met: Clip) -> None:
    back = retarget(met, walk.skeleton)
    assert np.linalg.norm(back.positions - walk.positions, axis=-1).max() < 0.03


@pytest.mark.parametrize("seed", range(6))
def test_local_axes_do_not_matter(
    walk: Clip, oddly_framed: Callable[[int], Clip], stranger: Skeleton, met: Clip, seed: int
) -> None:
    odd = oddly_framed(seed)
    from_odd = retarget(odd, stranger)
    assert limb_errors(walk, from_odd, ("shoulder", "elbow")).max() < 1e-5
    to_odd = retarget(met, odd.skeleton)
    assert limb_errors(met, to_odd, ("shoulder", "elbow")).max() < 1e-5
    assert limb_errors(met, to_odd, ("hip", "knee")).mean() < 4.0


def test_twist_goes_along(walk: Clip, stranger: Skeleton) -> None:
    rotations = walk.rotations.copy()
    arm = walk.skeleton.index("LeftForeArm")
    rotations[:, arm] = multiply(rotations[:, arm], from_axis_angle(np.array([1.0, 0, 0]), 0.5))
    plain, twisted = retarget(walk, stranger), retarget(walk.with_changes(rotations=rotations), stranger)
    hand = stranger.index("hand_l")
    np.testing.assert_allclose(plain.positions[:, hand], twisted.positions[:, hand], atol=1e-9)
    forearm = stranger.index("forearm_l")
    turned = multiply(plain.rotations[:, forearm], from_axis_angle(np.array([0.0, -1.0, 0.0]), 0.5))
    same = np.abs(np.sum(turned * twisted.rotations[:, forearm], axis=-1))
    np.testing.assert_allclose(same, 1.0, atol=1e-9)


def test_mirroring_before_or_after_is_the_same(walk: Clip, stranger: Skeleton, met: Clip) -> None:
    apart = np.linalg.norm(retarget(mirror(walk), stranger).positions - mirror(met).positions, axis=-1)
    assert apart.max() < 0.01


def test_a_map_of_ones_own_leads_a_joint_elsewhere(walk: Clip, stranger: Skeleton, met: Clip) -> None:
    swapped = retarget(walk, stranger, {"upper_arm_l": None, "forearm_l": None, "hand_l": None})
    arm = find_roles(stranger).joints["left_shoulder"]
    np.testing.assert_allclose(
        swapped.rotations[:, arm], swapped.rotations[:1, arm].repeat(len(walk), 0), atol=1e-9
    )
    right = stranger.index("upper_arm_r")
    np.testing.assert_allclose(swapped.rotations[:, right], met.rotations[:, right], atol=1e-9)


def test_same_names_keep_even_the_fingers(walk: Clip, long_legged: Skeleton) -> None:
    rotations = walk.rotations.copy()
    hand = walk.skeleton.index("LeftHand")
    rotations[:, hand] = from_axis_angle(np.array([0.0, 1.0, 0.0]), 0.3)
    moved = retarget(walk.with_changes(rotations=rotations), long_legged)
    np.testing.assert_allclose(
        np.abs(np.sum(moved.rotations[:, hand] * rotations[:, hand], axis=-1)), 1.0, atol=1e-9
    )


def test_stretching_bones_are_followed_where_they_really_point(walk: Clip, stranger: Skeleton) -> None:
    stretching = np.tile(walk.skeleton.offsets, (len(walk), 1, 1))
    stretching[:, walk.skeleton.index("LeftForeArm")] = [0.2, 0.2, 0.0]
    clip = walk.with_changes(bone_offsets=stretching)
    moved = retarget(clip, stranger)
    assert moved.bone_offsets is None
    assert limb_errors(clip, moved, ("shoulder",)).max() < 1e-5


def test_a_bone_without_length_does_no_harm(walk: Clip, stranger: Skeleton) -> None:
    stretching = np.tile(walk.skeleton.offsets, (len(walk), 1, 1))
    stretching[50:60, walk.skeleton.index("LeftForeArm")] = 0.0
    assert np.isfinite(retarget(walk.with_changes(bone_offsets=stretching), stranger).positions).all()
    offsets = walk.skeleton.offsets.copy()
    offsets[walk.skeleton.index("LeftToe")] = offsets[walk.skeleton.index("RightHand")] = 0.0
    stubbed = Skeleton(walk.skeleton.names, walk.skeleton.parents, offsets, walk.skeleton.tips)
    assert np.isfinite(retarget(walk, stubbed).positions).all()
    assert np.isfinite(retarget(walk.with_changes(skeleton=stubbed), stranger).positions).all()


def test_labels_and_rate_stay(walk: Clip, met: Clip) -> None:
    assert met.labels == walk.labels
    assert met.fps == walk.fps


def test_kernel_agrees_with_quaternion_products() -> None:
    rng = np.random.default_rng(4)
    parents = np.array([-1, 0, 1, 0])
    world = normalize(rng.normal(size=(6, 4, 4)))
    result = np.empty_like(world)
    local_rotations(parents, world, result)
    expected = multiply(conjugate(world[:, parents]), world)
    expected[:, 0] = world[:, 0]
    np.testing.assert_allclose(result, continuous(expected), atol=1e-12)
