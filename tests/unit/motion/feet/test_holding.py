from __future__ import annotations

import numpy as np
import pytest

from walkon.basics import runs
from walkon.errors import ClipError
from walkon.motion import Clip, Contacts
from walkon.motion.feet import kernels, plant_feet
from walkon.motion.feet.holding import EASE, FootGoal, Pin, gentle_hip_drop, hold_feet, lacking_reach
from walkon.rotations import multiply, rotation_about_y
from walkon.skeleton import find_roles


def slides(clip: Clip, contacts: Contacts) -> list[float]:
    """How far [m] each planted joint strays over the ground while planted."""
    found = []
    for column, name in enumerate(contacts.joints):
        places = clip.positions[:, clip.skeleton.index(name)][:, [0, 2]]
        for start, stop in runs(contacts.planted[:, column]):
            found.append(float(np.linalg.norm(np.ptp(places[start:stop], axis=0))))
    return found


def skating(walk: Clip) -> Clip:
    """The walk on ice: the body drifts sideways and ahead, and takes its feet along."""
    time = np.arange(len(walk)) / walk.fps
    return walk.with_changes(root_positions=walk.root_positions + np.outer(time, [0.06, 0.0, 0.05]))


def test_skating_feet_are_stopped(walk: Clip) -> None:
    skater = skating(walk)
    assert max(slides(skater, walk.contacts)) > 0.03
    planted = plant_feet(skater)
    assert max(slides(planted, walk.contacts)) < 1e-3
    assert planted.contacts is walk.contacts


def test_feet_that_swivel_are_stopped_at_heel_and_toe(walk: Clip) -> None:
    rotations = walk.rotations.copy()
    yaw = 0.15 * np.sin(np.arange(len(walk)) / 20)
    for name in ("LeftUpLeg", "RightUpLeg"):
        joint = walk.skeleton.index(name)
        rotations[:, joint] = multiply(rotation_about_y(yaw), rotations[:, joint])
    swivelling = walk.with_changes(rotations=rotations)
    assert max(slides(swivelling, walk.contacts)) > 0.02
    assert max(slides(plant_feet(swivelling), walk.contacts)) < 4e-3


def test_nothing_jumps_where_a_hold_begins_or_ends(walk: Clip) -> None:
    skater = skating(walk)
    before, after = (np.abs(np.diff(clip.positions, n=2, axis=0)).max() for clip in (skater, plant_feet(skater)))
    assert after < 1.5 * before


def test_feet_that_stand_still_stay_as_they_are(walk: Clip) -> None:
    np.testing.assert_allclose(plant_feet(walk).positions, walk.positions, atol=2e-3)


def test_bones_keep_their_lengths_and_heels_their_height(walk: Clip) -> None:
    planted = plant_feet(skating(walk))
    foot = walk.skeleton.index("LeftFoot")
    np.testing.assert_allclose(planted.positions[:, foot, 1], walk.positions[:, foot, 1], atol=2e-3)


def test_hips_come_down_when_a_leg_is_too_short(walk: Clip) -> None:
    tall = walk.with_changes(root_positions=walk.root_positions + np.array([0.0, 0.16, 0.0]))
    lifts = np.full((len(walk), 2), -0.16)
    lowered = hold_feet(tall, [], lifts=lifts, lower_hips=True)
    foot = walk.skeleton.index("LeftFoot")
    np.testing.assert_allclose(lowered.positions[:, foot], walk.positions[:, foot], atol=2e-3)
    assert (tall.root_positions - lowered.root_positions)[:, 1].max() > 0.005


def test_a_pin_pulls_gently_before_and_after(walk: Clip) -> None:
    ankle = walk.skeleton.index("LeftFoot")
    spot = walk.positions[75, ankle][[0, 2]] + [0.04, 0.0]
    held = hold_feet(walk, [Pin(ankle, 70, np.tile(spot, (10, 1)))])
    shift = (held.positions - walk.positions)[:, ankle, 0]
    np.testing.assert_allclose(shift[70:80], 0.04, atol=1e-3)
    reach = round(EASE * walk.fps)
    np.testing.assert_allclose(shift[: 70 - reach], 0.0, atol=1e-6)
    np.testing.assert_allclose(shift[80 + reach :], 0.0, atol=1e-6)
    assert np.all(np.diff(shift[70 - reach : 71]) > 0)


def test_contacts_are_found_where_none_are_known(walk: Clip) -> None:
    assert plant_feet(walk.with_changes(contacts=None)).contacts is not None


def test_ease_is_a_time(walk: Clip) -> None:
    with pytest.raises(ClipError, match="ease"):
        plant_feet(walk, ease=-1.0)


def test_between_two_pins_that_are_close_a_joint_is_handed_from_one_to_the_other() -> None:
    starts, stops = np.array([5, 20]), np.array([14, 30])
    paths = np.concatenate([np.full((9, 2), 0.1), np.full((10, 2), 0.3)])
    pins = (np.zeros(2, dtype=np.int64), starts, stops, np.array([0, 9]), paths)
    shift, hold = np.empty((40, 3)), np.empty(40)
    kernels.shift_curve(np.zeros((40, 1, 3)), 0, pins, 12, shift, hold)
    np.testing.assert_allclose(hold[5:30], 1.0)
    np.testing.assert_allclose(shift[5:14, 0], 0.1)
    np.testing.assert_allclose(shift[20:30, 0], 0.3)
    assert np.all(np.diff(shift[13:21, 0]) > 0.0)


def test_hips_come_down_by_the_share_of_a_foot_that_lacks_reach(walk: Clip) -> None:
    """A foot asked for 20 cm below where it was: hips come down as if it were raised by as much as it lacks."""
    (_, leg), frames = find_roles(walk.skeleton).legs[0], len(walk)
    ankle = walk.positions[:, leg[2]] - [0.0, 0.2, 0.0]
    goal = FootGoal(leg, ankle, np.tile([1.0, 0.0, 0.0, 0.0], (frames, 1)))
    lacking = lacking_reach(walk, leg, ankle)
    assert lacking.max() > 0.03
    assert lacking_reach(walk, leg, ankle + lacking[:, None] * [0.0, 1.0, 0.0]).max() < 1e-9
    whole, half, none = (
        gentle_hip_drop(walk, [goal], smooth=0.1, limit=1.0, shares=[np.full(frames, share)])
        for share in (1.0, 0.5, 0.0)
    )
    assert (whole >= lacking - 1e-9).all()
    assert np.allclose(half, 0.5 * whole)
    assert not none.any()
