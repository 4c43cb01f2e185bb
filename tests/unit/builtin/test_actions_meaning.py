"""Does each action do what its name says?"""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin.actions.cheer import cheer
from walkon.builtin.actions.crawl_under import crawl_under
from walkon.builtin.actions.duck_under import duck_under
from walkon.builtin.actions.layers import Manner
from walkon.builtin.actions.leap import HIGH_LEAP, LONG_LEAP, leap
from walkon.builtin.actions.shown import obstacle_of
from walkon.builtin.actions.sit import SEAT_HEIGHT, rise, sit, sit_down
from walkon.builtin.actions.step_over import OBSTACLE_HEIGHT, step_over
from walkon.builtin.actions.wave import wave, wave_walking
from walkon.builtin.performer import Performer
from walkon.motion import Clip, center_of_mass
from walkon.skeleton import build_body

AVERAGE = Performer.average()


def joint(clip: Clip, name: str) -> np.ndarray:
    return clip.positions[:, clip.skeleton.index(name)]


def planted(clip: Clip) -> dict[str, np.ndarray]:
    assert clip.contacts is not None
    return dict(zip(clip.contacts.joints, clip.contacts.planted.T, strict=True))


def stands(clip: Clip, side: str) -> np.ndarray:
    rests = planted(clip)
    return rests[f"{side}Heel"] | rests[f"{side}ToeBase"] | rests[f"{side}ToeTip"]


def turning_points(path: np.ndarray) -> int:
    return int(np.sum(np.diff(np.sign(np.diff(path))) != 0))


def seat_capsule(clip: Clip) -> int:
    """The part of the body that people sit on: the bar from hip to hip."""
    body, index = build_body(clip.skeleton), clip.skeleton.index
    return int(np.flatnonzero((body.starts == index("LeftUpLeg")) & (body.ends == index("RightUpLeg")))[0])


@pytest.mark.parametrize("lead", ["Left", "Right"])
@pytest.mark.parametrize("maker", [wave, wave_walking])
def test_who_waves_swings_one_raised_hand_to_and_fro(maker, lead):
    clip = maker(AVERAGE, Manner(lead=lead)).clip
    other = "Left" if lead == "Right" else "Right"
    hand, elbow = joint(clip, f"{lead}HandTip"), joint(clip, f"{lead}ForeArm")
    raised = hand[:, 1] > joint(clip, "Head")[:, 1] + 0.1
    assert 0.9 < raised.sum() / 30 < 2.0
    assert turning_points((hand - elbow)[raised, 0]) >= 4
    assert np.ptp((hand - elbow)[raised, 0]) > 0.15
    assert np.all(joint(clip, f"{other}Hand")[:, 1] < joint(clip, f"{other}Arm")[:, 1] - 0.2)


def test_who_cheers_hops_with_both_arms_up():
    clip = cheer(AVERAGE).clip
    hands = [joint(clip, f"{side}Hand")[:, 1] for side in ("Left", "Right")]
    assert np.sum(np.minimum(*hands) > joint(clip, "HeadTip")[:, 1]) / 30 > 0.7
    airborne = ~(stands(clip, "Left") | stands(clip, "Right"))
    assert 0.2 < airborne.sum() / 30 < 0.4
    assert joint(clip, "LeftHeel")[airborne, 1].max() > 0.15
    assert clip.root_positions[:, 1].min() < clip.root_positions[0, 1] - 0.06


def test_who_sits_down_has_the_weight_over_the_feet_until_the_seat_takes_it():
    clip = sit_down(AVERAGE).clip
    body = build_body(clip.skeleton)
    seat = seat_capsule(clip)
    bottom = body.capsules(clip.positions)[:, seat, :, 1].min(axis=1) - body.radii[seat]
    assert bottom[-1] == pytest.approx(SEAT_HEIGHT, abs=0.015)
    held = bottom > SEAT_HEIGHT + 0.01
    centre = center_of_mass(clip)[:, 2]
    assert np.all(centre[held] > joint(clip, "LeftHeel")[0, 2] - 0.08)
    assert np.all(centre < joint(clip, "LeftToeTip")[0, 2])
    knees = joint(clip, "LeftLeg")[-1]
    assert knees[1] == pytest.approx(joint(clip, "LeftUpLeg")[-1, 1], abs=0.08)


def test_the_seat_is_as_high_for_everybody():
    for seed in range(6):
        clip = sit(Performer(seed)).clip
        body = build_body(clip.skeleton)
        seat = seat_capsule(clip)
        bottom = body.capsules(clip.positions)[0, seat, :, 1].min() - body.radii[seat]
        assert bottom == pytest.approx(SEAT_HEIGHT, abs=0.012)


def test_who_rises_leans_forward_before_the_legs_push():
    clip = rise(AVERAGE).clip
    ahead = joint(clip, "Neck")[:, 2] - clip.root_positions[:, 2]
    lifted = int(np.argmax(clip.root_positions[:, 1] > clip.root_positions[0, 1] + 0.05))
    assert ahead[lifted] > ahead[0] + 0.25
    assert clip.root_positions[-1, 1] > clip.root_positions[0, 1] + 0.3


def test_who_steps_over_lifts_one_foot_after_the_other():
    shown = step_over(AVERAGE)
    clip, middle = shown.clip, obstacle_of(shown)
    assert np.all(stands(clip, "Left") | stands(clip, "Right"))
    crossings = {}
    for side in ("Left", "Right"):
        ankle = joint(clip, f"{side}Foot")
        crossings[side] = int(np.argmax(ankle[:, 2] > middle))
        assert ankle[crossings[side], 1] > OBSTACLE_HEIGHT + 0.05
        assert not stands(clip, side)[crossings[side]]
    assert crossings["Left"] - crossings["Right"] > 8


@pytest.mark.parametrize("kind", [HIGH_LEAP, LONG_LEAP], ids=lambda kind: kind.name)
def test_who_leaps_takes_off_with_the_left_foot_and_lands_on_the_right(kind):
    shown = leap(AVERAGE, kind)
    clip = shown.clip
    flight = next(label for label in clip.labels if label.name == "flight")
    assert stands(clip, "Left")[flight.start - 1]
    assert not stands(clip, "Right")[flight.start - 1]
    assert stands(clip, "Right")[flight.stop]
    assert not stands(clip, "Left")[flight.stop]
    assert (flight.stop - flight.start) / 30 == pytest.approx(kind.flight, abs=0.04)
    height = clip.root_positions[:, 1]
    steady = height[:10].max()
    assert height[flight.start : flight.stop].max() > steady + 0.12
    # The take-off is prepared and the landing absorbed.
    assert height[flight.stop : flight.stop + 8].min() < height[:10].min() + 0.01


def test_a_long_leap_is_longer_and_a_high_one_higher():
    high, long = (leap(AVERAGE, kind).clip for kind in (HIGH_LEAP, LONG_LEAP))

    def footprints(clip):
        flight = next(label for label in clip.labels if label.name == "flight")
        return joint(clip, "RightHeel")[flight.stop, 2] - joint(clip, "LeftToeTip")[flight.start - 1, 2]

    assert 1.6 < footprints(high) < footprints(long)
    assert footprints(long) > LONG_LEAP.obstacle[1] + 0.2


def test_who_ducks_bends_knees_and_back_and_keeps_walking():
    shown = duck_under(AVERAGE)
    clip = shown.clip
    frame = round(shown.first + (shown.action_time or 0.0) * clip.fps)
    assert clip.root_positions[frame, 1] < clip.root_positions[0, 1] - 0.15
    assert joint(clip, "Neck")[frame, 2] - clip.root_positions[frame, 2] > 0.3
    speed = np.diff(clip.root_positions[:, 2]) * clip.fps
    assert speed.min() > 0.6 * AVERAGE.walk_speed
    assert np.all(stands(clip, "Left") | stands(clip, "Right"))


def test_who_crawls_under_goes_on_hands_and_knees_and_stands_up_again():
    shown = crawl_under(AVERAGE)
    clip, rests = shown.clip, planted(shown.clip)
    label = next(label for label in clip.labels if label.name == "crawl")
    crawl = slice(label.start, label.stop)
    assert np.all(rests["LeftLeg"][crawl] | rests["RightLeg"][crawl])
    assert np.all(rests["LeftHand"][crawl] | rests["RightHand"][crawl])
    for hand in ("LeftHand", "RightHand"):
        assert turning_points(rests[hand].astype(float)[crawl]) >= 3
    assert joint(clip, "HeadTip")[crawl, 1].max() < 0.8
    assert clip.root_positions[-1, 1] == pytest.approx(clip.root_positions[0, 1], abs=1e-9)
    assert clip.root_positions[-1, 2] > 2.0
    # Under the middle of the obstacle in the middle of the crawl.
    frame = round(shown.first + (shown.action_time or 0.0) * clip.fps)
    assert label.start < frame < label.stop


def test_a_crawler_may_kneel_first_with_the_other_knee():
    right, left = (planted(crawl_under(AVERAGE, Manner(lead=lead)).clip) for lead in ("Right", "Left"))
    np.testing.assert_array_equal(right["RightLeg"], left["LeftLeg"])
    assert np.argmax(right["RightLeg"]) < np.argmax(right["LeftLeg"])


def test_a_hand_goes_down_just_before_the_opposite_knee():
    rests = planted(crawl_under(AVERAGE).clip)

    def landings(name: str) -> np.ndarray:
        return np.flatnonzero(np.diff(rests[name].astype(int)) == 1)[1:] / 30

    for hand, knee in (("LeftHand", "RightLeg"), ("RightHand", "LeftLeg")):
        for landed in landings(knee):
            lead = landed - landings(hand)
            assert np.any((lead > 0.03) & (lead < 0.2)), (hand, knee)
