from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from walkon.motion import Clip, Contacts, Label
from walkon.motion.editing import mirror
from walkon.motion.editing._kernels import mirror_rotations
from walkon.motion.editing.mirror import joint_reflections
from walkon.rotations import multiply, normalize
from walkon.skeleton import Skeleton, mirror_pairs

FLIP = np.array([-1.0, 1.0, 1.0])


def test_every_joint_is_where_its_twin_was_in_the_mirror(walk: Clip) -> None:
    expected = walk.positions[:, mirror_pairs(walk.skeleton)] * FLIP
    np.testing.assert_allclose(mirror(walk).positions, expected, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_rigs_with_any_local_axes_come_out_the_same(
    walk: Clip, oddly_framed: Callable[[int], Clip], seed: int
) -> None:
    odd = oddly_framed(seed)
    mirrored = mirror(odd)
    np.testing.assert_allclose(mirrored.positions, mirror(walk).positions, atol=1e-3)
    np.testing.assert_allclose(mirror(mirrored).positions, odd.positions, atol=1e-9)


def test_a_crooked_skeleton_keeps_its_bones_and_the_directions_of_its_limbs(walk: Clip) -> None:
    rng = np.random.default_rng(1)
    offsets = walk.skeleton.offsets + rng.normal(scale=0.01, size=walk.skeleton.offsets.shape)
    crooked = Skeleton(walk.skeleton.names, walk.skeleton.parents, offsets, walk.skeleton.tips)
    clip = walk.with_changes(skeleton=crooked)
    mirrored = mirror(clip)
    left, right = crooked.index("LeftLeg"), crooked.index("RightLeg")
    seen = clip.positions[:, left] - clip.positions[:, crooked.parents[left]]
    made = mirrored.positions[:, right] - mirrored.positions[:, crooked.parents[right]]
    cosine = np.sum(seen * FLIP * made, axis=1) / np.linalg.norm(seen, axis=1) / np.linalg.norm(made, axis=1)
    assert cosine.min() > np.cos(np.radians(0.1))
    np.testing.assert_allclose(np.linalg.norm(made, axis=1), crooked.lengths[right])
    np.testing.assert_allclose(mirror(mirrored).positions, clip.positions, atol=1e-9)


def test_tips_keep_the_identity(walk: Clip) -> None:
    mirrored = mirror(walk)
    np.testing.assert_array_equal(mirrored.rotations[:, walk.skeleton.tips, 0], 1.0)


def test_contacts_and_the_words_left_and_right_change_sides(walk: Clip) -> None:
    labels = (Label("Left step", 0, 1), Label("turn_right", 1, 2), Label("LEFT", 2, 3), Label("jump", 3, 4))
    mirrored = mirror(walk.with_changes(labels=labels))
    assert [label.name for label in mirrored.labels] == ["Right step", "turn_left", "RIGHT", "jump"]
    assert mirrored.contacts.joints == walk.contacts.joints
    np.testing.assert_array_equal(mirrored.contacts.planted, walk.contacts.planted[:, [2, 3, 0, 1]])


def test_contacts_of_one_side_only_move_to_the_other(walk: Clip) -> None:
    one = Contacts(("LeftToe",), walk.contacts.planted[:, 1:2])
    mirrored = mirror(walk.with_changes(contacts=one))
    assert mirrored.contacts.joints == ("RightToe",)
    np.testing.assert_array_equal(mirrored.contacts.planted, one.planted)


def test_a_stretched_left_arm_becomes_a_stretched_right_arm(walk: Clip) -> None:
    stretching = np.tile(walk.skeleton.offsets, (len(walk), 1, 1))
    stretching[:, walk.skeleton.index("LeftHand")] += [0.1, 0.03, 0.02]
    clip = walk.with_changes(bone_offsets=stretching)
    expected = clip.positions[:, mirror_pairs(walk.skeleton)] * FLIP
    np.testing.assert_allclose(mirror(clip).positions, expected, atol=1e-12)


def test_a_body_that_rests_facing_sideways_is_mirrored_too(walk: Clip) -> None:
    quarter = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
    sideways = Skeleton(
        walk.skeleton.names, walk.skeleton.parents, walk.skeleton.offsets @ quarter.T, walk.skeleton.tips
    )
    clip = walk.with_changes(skeleton=sideways, contacts=None)
    expected = clip.positions[:, mirror_pairs(sideways)] * FLIP
    np.testing.assert_allclose(mirror(clip).positions, expected, atol=1e-12)


def test_what_a_crooked_bone_leaves_open_its_parent_settles(human: Skeleton) -> None:
    # A neck a millimetre off the midline must not turn the mirror it is seen in.
    offsets = human.offsets + np.random.default_rng(3).normal(scale=0.001, size=human.offsets.shape)
    crooked = Skeleton(human.names, human.parents, offsets, human.tips)
    reflections = joint_reflections(crooked, mirror_pairs(crooked))
    np.testing.assert_allclose(reflections, np.broadcast_to(np.diag(FLIP), reflections.shape), atol=0.1)


def test_arms_with_opposite_axes_are_twisted_as_their_hands_tell() -> None:
    # As some modelling packages mirror joints: every offset of the right arm is the left one's, negated.
    arm = np.array([(0.05, 0.2, 0.0), (0.0, 0.0, 0.3), (0.0, 0.0, 0.25), (0.0, 0.0, 0.2), (-0.05, 0.02, 0.08)])
    names = [f"{part}_{side}" for side in "LR" for part in ("shoulder", "arm", "forearm", "hand", "thumb")]
    parents = [-1, 0, 1, 2, 3, 3, 0, 6, 7, 8, 8]
    arm_offsets = [arm, np.vstack([arm[0] * FLIP, -arm[1:]])]
    rig = Skeleton(["hips", *names], parents, np.vstack([np.zeros(3), *arm_offsets]))
    reflections = joint_reflections(rig, mirror_pairs(rig))
    for joint in ("shoulder_L", "arm_L", "forearm_R"):
        np.testing.assert_allclose(reflections[rig.index(joint)], -np.eye(3), atol=1e-2)


def test_kernel_agrees_with_quaternion_products() -> None:
    rng = np.random.default_rng(2)
    rotations, before, after = (normalize(rng.normal(size=shape)) for shape in ((3, 5, 4), (5, 4), (5, 4)))
    twins = np.array([0, 2, 1, 4, 3])
    result = np.empty((3, 5, 4))
    mirror_rotations(rotations, before, after, twins, result)
    reflected = rotations * np.array([1.0, 1.0, -1.0, -1.0])
    np.testing.assert_allclose(result, multiply(before, multiply(reflected, after))[:, twins], atol=1e-12)
