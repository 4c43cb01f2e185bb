"""Planted feet stand, hands are where they should be, and nothing else is disturbed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from walkon.builtin import make
from walkon.errors import ClipError, SkeletonError
from walkon.motion import Clip, Contacts, crop, place, read_clip
from walkon.rotations import Placement, angle_between, from_axis_angle, multiply
from walkon.skeleton import find_roles, forward_kinematics
from walkon.variation.constraints import Target, hold_and_report, hold_contacts
from walkon.variation.limbs import find_limbs, lay_chain
from walkon.variation.plants import find_plants


def paths_in_contact(clip: Clip, contacts: Contacts) -> list[float]:
    """Length [m] of the way every planted joint goes within each of its contacts, by forward kinematics."""
    positions, _ = forward_kinematics(clip.skeleton, clip.root_positions, clip.rotations)
    found = []
    for column, name in enumerate(contacts.joints):
        joint, on = clip.skeleton.names.index(name), contacts.planted[:, column]
        steps = np.linalg.norm(np.diff(positions[:, joint], axis=0), axis=1) * (on[1:] & on[:-1])
        begins = np.cumsum(on & ~np.concatenate([[False], on[:-1]]))
        found += [float(steps[begins[1:] == k].sum()) for k in range(1, begins[-1] + 1)]
    return found


def jerk(clip: Clip) -> float:
    third = np.diff(clip.positions, n=3, axis=0) * clip.fps**3
    return float(np.sqrt((third**2).sum(axis=2).mean()))


def nobody(clip: Clip) -> Contacts:
    return Contacts((), np.zeros((len(clip), 0), bool))


def knee_bends(clip: Clip) -> np.ndarray:
    legs = [limb for limb in find_limbs(clip.skeleton) if limb.foot is not None]
    return np.stack([lay_chain(clip, leg, (leg.foot.toe, leg.foot.heel)).bends for leg in legs], axis=1)


@pytest.mark.parametrize("name", ["walk", "run", "jump", "dog"])
@pytest.mark.parametrize("seed", range(2))
def test_planted_feet_stand(shaken, name: str, seed: int) -> None:
    sampled = shaken(make(name), seed)
    held = hold_contacts(sampled)
    before, after = (paths_in_contact(clip, held.contacts) for clip in (sampled, held))
    assert len(after) >= 4
    assert max(before) > 0.03
    assert max(after) < 2e-3
    assert jerk(held) < 1.2 * jerk(sampled)
    assert np.abs(knee_bends(held)).min() > 0.0


@pytest.mark.parametrize("name", ["horse", "dog"])
def test_given_contacts_of_animals_hold(shaken, name: str) -> None:
    clip = make(name)
    sampled = shaken(clip, 3)
    held = hold_contacts(sampled, clip.contacts)
    after = paths_in_contact(held, held.contacts)
    assert len(after) >= 16
    assert max(after) < 2e-3
    assert max(paths_in_contact(sampled, held.contacts)) > 0.05
    assert jerk(held) < 1.2 * jerk(sampled)


@pytest.mark.parametrize("name", ["35_01", "35_07", "09_01", "09_05", "13_11"])
def test_planted_feet_of_recordings_stand(shaken, mocap: Path, name: str) -> None:
    clip = crop(read_clip(mocap / "cmu" / "bvh" / f"{name}.bvh"), 1)
    for sampled in (clip, shaken(clip, 0), shaken(clip, 1)):
        report = hold_and_report(sampled)
        held = report.clip
        after = paths_in_contact(held, held.contacts)
        assert len(after) >= 4
        assert max(after) < 2e-3
        assert jerk(held) < 1.2 * jerk(sampled)
        assert knee_bends(held)[held.contacts.planted.any(axis=1)].min() > -1e-6
        assert not report.misses


def test_feet_rest_on_one_floor(shaken) -> None:
    sampled = shaken(make("walk"), 4)
    held = hold_contacts(sampled)
    for name, on in zip(held.contacts.joints, held.contacts.planted.T, strict=True):
        joint = held.skeleton.index(name)
        assert np.ptp(held.positions[on, joint, 1]) < 5e-3
        assert held.positions[:, joint, 1].min() > held.positions[on, joint, 1].min() - 5e-3
        assert np.ptp(sampled.positions[on, joint, 1]) > 0.01


def test_heel_and_toe_of_a_stance_keep_their_distance(shaken) -> None:
    held = hold_contacts(shaken(make("walk"), 5))
    foot = find_roles(held.skeleton).feet[0]
    apart = np.linalg.norm(held.positions[:, foot.heel] - held.positions[:, foot.toe], axis=1)
    np.testing.assert_allclose(apart, apart[0], atol=1e-9)
    joints = [held.contacts.joints.index(held.skeleton.names[j]) for j in (foot.heel, foot.toe)]
    assert held.contacts.planted[:, joints].all(axis=1).sum() > 5


def test_the_body_follows_smoothly_when_it_is_lowered(shaken) -> None:
    report = hold_and_report(shaken(make("walk"), 4))
    assert 0.005 < report.lowered.max() < 0.1
    assert np.abs(np.diff(report.lowered, n=2)).max() < 0.01
    assert (report.lowered >= 0.0).all()


def test_holding_does_not_depend_on_where_the_clip_is(shaken) -> None:
    sampled = shaken(make("walk"), 6)
    there = Placement(3.0, -2.0, 1.3)
    moved = hold_contacts(place(sampled, there))
    np.testing.assert_allclose(moved.positions, place(hold_contacts(sampled), there).positions, atol=1e-4)


def test_holding_looks_forward_as_it_looks_back(shaken) -> None:
    sampled = shaken(make("walk"), 7)
    contacts = find_plants(sampled)
    backward = sampled.with_changes(root_positions=sampled.root_positions[::-1], rotations=sampled.rotations[::-1])
    there = hold_contacts(sampled, contacts)
    back = hold_contacts(backward, Contacts(contacts.joints, contacts.planted[::-1]))
    np.testing.assert_allclose(back.positions[::-1], there.positions, atol=1e-3)


def test_without_contacts_nothing_changes(shaken) -> None:
    sampled = shaken(make("walk"), 8)
    joints = find_plants(sampled).joints
    for contacts in (nobody(sampled), Contacts(joints, np.zeros((len(sampled), len(joints)), bool))):
        held = hold_contacts(sampled, contacts)
        assert np.array_equal(held.rotations, sampled.rotations)
        assert np.array_equal(held.root_positions, sampled.root_positions)
        assert not held.contacts.planted.any()


def test_only_legs_and_height_change(shaken) -> None:
    sampled = shaken(make("walk"), 9)
    held = hold_contacts(sampled)
    legs = {joint for limb in find_limbs(sampled.skeleton) if limb.foot for joint in limb.joints}
    others = [joint for joint in range(len(sampled.skeleton)) if joint not in legs]
    assert np.array_equal(held.rotations[:, others], sampled.rotations[:, others])
    assert np.array_equal(held.root_positions[:, [0, 2]], sampled.root_positions[:, [0, 2]])


def test_feet_that_stand_already_are_hardly_touched() -> None:
    walk = make("walk")
    held = hold_contacts(walk)
    assert np.abs(held.positions - walk.positions).max() < 0.03
    assert np.median(np.abs(held.positions - walk.positions)) < 1e-3


@pytest.mark.parametrize("joint", ["right_wrist", "RightHandTip", "left_toe", "LeftHeel"])
def test_targets_are_met_and_left_again(shaken, joint: str) -> None:
    sampled = shaken(make("jump"), 1)
    index = find_roles(sampled.skeleton).get(joint)
    index = sampled.skeleton.index(joint) if index is None else index
    start, stop = 62, 74
    path = sampled.positions[start:stop, index] + [0.03, 0.04, 0.02]
    report = hold_and_report(sampled, nobody(sampled), targets=[Target(joint, start, path)])
    np.testing.assert_allclose(report.clip.positions[start:stop, index], path, atol=1e-4)
    assert not report.misses
    assert jerk(report.clip) < 1.3 * jerk(sampled)
    if "oe" not in joint and "eel" not in joint:
        reach = 9
        changed = np.abs(report.clip.rotations - sampled.rotations).max(axis=(1, 2)) > 0
        assert not changed[: start - reach].any()
        assert not changed[stop + reach :].any()


def test_a_target_out_of_reach_is_reported(shaken) -> None:
    sampled = shaken(make("jump"), 2)
    high = sampled.positions[70, sampled.skeleton.index("RightHand")] + [0.0, 2.0, 0.0]
    report = hold_and_report(sampled, nobody(sampled), targets=[Target("RightHand", 65, np.tile(high, (8, 1)))])
    (miss,) = report.misses
    assert miss.joint == "RightHand"
    assert miss.distance > 0.5
    assert 65 <= miss.frame < 73


def test_means_draw_what_is_free(shaken) -> None:
    """The elbow of a hand that is held may be anywhere on a circle: the means say where."""
    sampled = shaken(make("jump"), 3)
    shoulder, hand = (sampled.skeleton.index(name) for name in ("RightArm", "RightHandTip"))
    means = sampled.rotations.copy()
    means[:, shoulder] = multiply(means[:, shoulder], from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.3))
    target = Target("RightHandTip", 60, sampled.positions[60:80, hand])
    plain, drawn = (
        hold_contacts(sampled, nobody(sampled), targets=[target], means=given) for given in (None, means)
    )
    apart = [
        angle_between(clip.rotations[65:75, shoulder], means[65:75, shoulder]).mean() for clip in (plain, drawn)
    ]
    assert apart[1] < 0.9 * apart[0]
    np.testing.assert_allclose(drawn.positions[60:80, hand], target.positions, atol=1e-4)


def test_knees_bent_the_wrong_way_are_put_right() -> None:
    walk = make("walk")
    knee = walk.skeleton.index("LeftLeg")
    leg = next(limb for limb in find_limbs(walk.skeleton) if limb.name == "left")
    chain = lay_chain(walk, leg, (leg.foot.toe, leg.foot.heel))
    rotations = walk.rotations.copy()
    extra = from_axis_angle(chain.dof_axes[chain.hinge], np.full(len(walk), -0.25))
    rotations[:, knee] = multiply(rotations[:, knee], extra)
    wrong = walk.with_changes(rotations=rotations, contacts=None)
    assert knee_bends(wrong).min() < -0.05
    held = hold_contacts(wrong, walk.contacts)
    on = held.contacts.planted.any(axis=1)
    other = walk.skeleton.index("RightUpLeg")
    # The normal of a leg that bends as it should is always on the same side.
    sides, before = (np.einsum("fk,fk->f", *_bend_of(clip, leg.joints, other)) for clip in (held, walk))
    assert np.all(sides[on] * np.sign(np.median(before)) > -1e-9)


def _bend_of(clip: Clip, joints: tuple[int, int, int], other: int) -> tuple[np.ndarray, np.ndarray]:
    hip, knee, ankle = (clip.positions[:, j] for j in joints)
    return np.cross(knee - hip, ankle - knee), hip - clip.positions[:, other]


def test_skeletons_without_limbs_stay_as_they_are() -> None:
    from walkon.skeleton import Skeleton

    stick = Skeleton(["a", "b"], [-1, 0], [[0, 0, 0], [0, 1, 0]])
    clip = Clip.build("stick", stick, 30.0, np.zeros((5, 3)), np.tile([1.0, 0, 0, 0], (5, 2, 1)))
    assert np.array_equal(hold_contacts(clip).rotations, clip.rotations)


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_clips_of_hardly_any_frames(frames: int) -> None:
    clip = crop(make("walk"), 10, 10 + frames)
    held = hold_contacts(clip.with_changes(contacts=None))
    assert len(held) == frames
    assert np.isfinite(held.positions).all()


def test_bad_input_is_told(shaken) -> None:
    clip = make("walk")
    here = np.zeros((3, 3))
    with pytest.raises(SkeletonError, match="no joint 'Wing'"):
        hold_contacts(clip, targets=[Target("Wing", 0, here)])
    with pytest.raises(ClipError, match="neither"):
        hold_contacts(clip, targets=[Target("head", 0, here)])
    with pytest.raises(ClipError, match="expected \\(N, 3\\)"):
        hold_contacts(clip, targets=[Target("left_toe", 0, np.zeros((3, 2)))])
    with pytest.raises(ClipError, match="expected \\(N, 3\\)"):
        hold_contacts(clip, targets=[Target("left_toe", 0, np.zeros((0, 3)))])
    with pytest.raises(ClipError, match="not finite"):
        hold_contacts(clip, targets=[Target("left_toe", 0, here * np.nan)])
    with pytest.raises(ClipError, match="the clip has"):
        hold_contacts(clip, targets=[Target("left_toe", len(clip) - 2, here)])
    with pytest.raises(ClipError, match="the clip has"):
        hold_contacts(clip, targets=[Target("left_toe", -1, here)])
    with pytest.raises(ClipError, match="overlap"):
        hold_contacts(clip, targets=[Target("left_toe", 0, here), Target("left_toe", 2, here)])
    with pytest.raises(ClipError, match="contacts are"):
        hold_contacts(clip, Contacts(("LeftHeel",), np.zeros((3, 1), bool)))
    with pytest.raises(SkeletonError, match="no joint"):
        hold_contacts(clip, Contacts(("Wing",), np.zeros((len(clip), 1), bool)))
    with pytest.raises(ClipError, match="means are"):
        hold_contacts(clip, means=np.zeros((2, 2, 4)))
    with pytest.raises(ClipError, match="unit"):
        hold_contacts(clip, means=np.zeros_like(clip.rotations))
