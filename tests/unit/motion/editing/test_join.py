from __future__ import annotations

import numpy as np
import pytest

from walkon.basics import runs
from walkon.errors import ClipError
from walkon.motion import Clip, Contacts, Label
from walkon.motion.editing import crop, join, place, resample
from walkon.motion.feet.holding import hold_feet
from walkon.motion.feet.soles import sole_clearances
from walkon.rotations import Placement, conjugate, from_euler, multiply, rotate
from walkon.skeleton import Skeleton


@pytest.fixture
def halves(walk: Clip) -> tuple[Clip, Clip]:
    """Two stretches of the walk, the second one elsewhere, two steps on: their ends and starts look alike."""
    return crop(walk, 0, 95).with_changes(name="a"), place(
        crop(walk, 137), Placement(5.0, -2.0, 1.0)
    ).with_changes(name="b")


def strip(clip: Clip) -> Clip:
    return clip.with_changes(contacts=None)


def test_overlap_is_shared(halves: tuple[Clip, Clip]) -> None:
    first, second = halves
    joined = join(first, second, blend=0.3)
    assert len(joined) == len(first) + len(second) - 18
    assert joined.name == "a+b"


def test_outside_the_overlap_both_clips_are_untouched(halves: tuple[Clip, Clip]) -> None:
    first, second = map(strip, halves)
    joined = join(first, second, blend=0.3)
    np.testing.assert_array_equal(joined.rotations[:77], first.rotations[:77])
    np.testing.assert_array_equal(joined.root_positions[:77], first.root_positions[:77])
    np.testing.assert_array_equal(joined.rotations[95:, 1:], second.rotations[18:, 1:])


def test_the_second_clip_goes_on_where_the_first_one_ends(walk: Clip, halves: tuple[Clip, Clip]) -> None:
    joined = join(*map(strip, halves), blend=0.3)
    # The second stretch starts one cycle after the frame it is blended onto: the walk goes on as before.
    np.testing.assert_allclose(joined.positions[:77], walk.positions[:77], atol=1e-9)
    np.testing.assert_allclose(joined.positions, walk.positions[: len(joined)], atol=1e-3)


def test_nothing_jumps(halves: tuple[Clip, Clip]) -> None:
    first, second = halves
    other = second.with_changes(root_positions=second.root_positions + np.array([0.0, 0.02, 0.0]))
    fastest = max(np.abs(np.diff(clip.positions, axis=0)).max() for clip in halves)
    assert np.abs(np.diff(join(first, other).positions, axis=0)).max() < 1.3 * fastest


def test_rotations_stay_unit_however_many_clips_are_joined(walk: Clip) -> None:
    piece = crop(walk, 0, 40)
    joined = piece
    for _ in range(25):
        joined = join(joined, piece, blend=0.0)
    np.testing.assert_allclose(np.linalg.norm(joined.rotations, axis=-1), 1.0, atol=1e-11)


def test_planted_feet_are_held_through_the_blend(walk: Clip) -> None:
    # Cut out of step with each other: without holding, the airborne foot would slide to its other place.
    first, second = crop(walk, 0, 80), crop(walk, 68)
    kept, loose = join(first, second), join(strip(first), strip(second))
    toe = walk.skeleton.index("LeftToe")
    stands = next(run for run in runs(kept.contacts.planted[:, 1]) if run[0] <= 62 < run[1])
    held, slid = (np.ptp(clip.positions[slice(*stands), toe][:, [0, 2]], axis=0).max() for clip in (kept, loose))
    assert slid > 0.02
    assert held < 2e-3
    np.testing.assert_allclose(kept.positions[:62], first.positions[:62], atol=1e-9)


def test_feet_stay_at_the_height_both_clips_give_them(walk: Clip) -> None:
    # From upright to a deep crouch: halfway between both poses the feet would be well off the ground.
    lowered = walk.with_changes(root_positions=walk.root_positions - np.array([0.0, 0.25, 0.0]))
    crouched = hold_feet(lowered, [], lifts=np.full((len(walk), 2), 0.25))
    first, second = crop(walk, 0, 138), crop(crouched, 120)
    joined, loose = join(first, second), join(strip(first), strip(second))
    kept, off = (
        np.abs(sole_clearances(clip.skeleton, clip.positions).min(axis=1) - 0.02).max() for clip in (joined, loose)
    )
    assert off > 0.01
    assert kept < 2e-3


def test_feet_that_are_flat_in_both_clips_stay_flat(walk: Clip) -> None:
    # Legs apart and knees bent: blending hip, knee and ankle each for itself would tip the feet over.
    rotations = walk.rotations.copy()
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        hip, knee, ankle = (walk.skeleton.index(side + part) for part in ("UpLeg", "Leg", "Foot"))
        rotations[:, hip] = from_euler([0.6 * sign, 0.5 * sign, -0.8], "ZYX")
        rotations[:, knee] = from_euler([0.9], "X")
        rotations[:, ankle] = conjugate(multiply(rotations[:, hip], rotations[:, knee]))
    airborne = Contacts(walk.contacts.joints, np.zeros_like(walk.contacts.planted))
    first, second = walk.with_changes(contacts=airborne), walk.with_changes(rotations=rotations, contacts=airborne)
    joined = join(first, second)
    for name in ("LeftFoot", "RightFoot"):
        up = rotate(joined.world_rotations[:, walk.skeleton.index(name)], np.array([0.0, 1.0, 0.0]))
        assert up[:, 1].min() > np.cos(np.radians(1.0))


def test_labels_and_contacts_follow(halves: tuple[Clip, Clip]) -> None:
    first, second = halves
    second = second.with_changes(labels=(Label("late", 20, 30),))
    joined = join(first, second, blend=0.3)
    assert joined.labels == (*first.labels, Label("late", 97, 107))
    np.testing.assert_array_equal(joined.contacts.planted[:86], first.contacts.planted[:86])
    np.testing.assert_array_equal(joined.contacts.planted[86:], second.contacts.planted[9:])


def test_contacts_of_different_joints_are_not_mixed(halves: tuple[Clip, Clip]) -> None:
    first, second = halves
    other = second.with_changes(contacts=Contacts(("LeftToe",), second.contacts.planted[:, :1]))
    assert join(first, other).contacts is None


def test_the_second_clip_comes_to_the_rate_of_the_first(halves: tuple[Clip, Clip]) -> None:
    first, second = halves
    joined = join(first, resample(second, 30.0), blend=0.3)
    assert joined.fps == first.fps
    assert len(joined) == pytest.approx(len(first) + len(second) - 18, abs=1)


def test_no_blend_shares_a_single_frame(halves: tuple[Clip, Clip]) -> None:
    first, second = halves
    assert len(join(first, second, blend=0.0)) == len(first) + len(second) - 1


def test_stretching_bones_are_blended_with_rigid_ones(halves: tuple[Clip, Clip]) -> None:
    first, second = map(strip, halves)
    stretching = np.tile(first.skeleton.offsets * 1.1, (len(first), 1, 1))
    joined = join(first.with_changes(bone_offsets=stretching), second)
    np.testing.assert_array_equal(joined.bone_offsets[0], stretching[0])
    np.testing.assert_array_equal(joined.bone_offsets[-1], second.skeleton.offsets)


@pytest.mark.parametrize(
    ("blend", "message"), [(-0.1, "at least 0"), (np.nan, "at least 0"), (2.0, "has only 44")]
)
def test_a_blend_must_fit(halves: tuple[Clip, Clip], blend: float, message: str) -> None:
    with pytest.raises(ClipError, match=message):
        join(*halves, blend=blend)


def test_other_skeletons_are_refused(halves: tuple[Clip, Clip], long_legged: Skeleton) -> None:
    with pytest.raises(ClipError, match=r"scale\(\) or retarget\(\)"):
        join(halves[0], halves[1].with_changes(skeleton=long_legged))
