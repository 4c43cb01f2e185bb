"""The gait engine: what must hold for walking, jogging and running, at any speed, of anybody."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin.falling import GRAVITY
from walkon.builtin.gait.course import Profile, constant, follow
from walkon.builtin.gait.engine import locomote, mid_stance, natural_period, steady
from walkon.builtin.gait.feet import footfalls
from walkon.builtin.gait.tables import cycle_period, duty_at, manner_at
from walkon.builtin.gait.waves import WALK_BODY, WALK_SPEEDS, waves
from walkon.builtin.performer import Performer, PersonalStyle
from walkon.builtin.score import play
from walkon.errors import ClipError
from walkon.motion import Clip, center_of_mass
from walkon.rotations import logarithm

PERSON = Performer.average()
GAITS = [
    (0.5, False),
    (1.0, False),
    (1.4, False),
    (2.0, False),
    (2.0, True),
    (2.8, True),
    (3.6, True),
    (4.5, True),
]
PEOPLE = {"average": PERSON, "short": Performer(3), "long legs": Performer(2)}


def gait_clip(
    speed: float, running: bool, performer: Performer = PERSON, fps: float = 120.0, cycles: int = 2
) -> Clip:
    seconds = cycles * natural_period(performer, speed, running)
    course = steady(performer, speed, running, cycles=cycles)
    return play(locomote(performer, course, np.arange(0.0, seconds, 1.0 / fps), fps), "gait")


def side_planted(clip: Clip, side: str) -> np.ndarray:
    assert clip.contacts is not None
    ours = [k for k, joint in enumerate(clip.contacts.joints) if joint.startswith(side)]
    return clip.contacts.planted[:, ours].any(axis=1)


def runs(mask: np.ndarray) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(int), [0]])))
    return list(zip(edges[::2], edges[1::2], strict=True))


@pytest.fixture(scope="module", params=GAITS, ids=lambda gait: f"{'run' if gait[1] else 'walk'} {gait[0]}")
def gait(request) -> tuple[Clip, float, bool]:
    speed, running = request.param
    return gait_clip(speed, running), speed, running


def test_speed_is_what_was_asked_for(gait):
    _, speed, running = gait
    period = natural_period(PERSON, speed, running)
    clip = play(locomote(PERSON, steady(PERSON, speed, running), [0.0, period]), "cycle")
    assert clip.root_positions[1, 2] - clip.root_positions[0, 2] == pytest.approx(speed * period, rel=1e-9)


def test_walkers_always_stand_on_a_foot_and_runners_fly(gait):
    clip, _, running = gait
    left, right = side_planted(clip, "Left"), side_planted(clip, "Right")
    both, none = (left & right).mean(), (~left & ~right).mean()
    if running:
        assert both == 0.0
        assert 0.2 < none < 0.55
    else:
        assert none == 0.0
        assert 0.1 < both < 0.35


def test_planted_feet_do_not_slide_and_soles_stay_above_ground(gait):
    clip, _, _ = gait
    assert clip.contacts is not None
    for joint, planted in zip(clip.contacts.joints, clip.contacts.planted.T, strict=True):
        path = clip.positions[:, clip.skeleton.index(joint)]
        for start, stop in runs(planted):
            assert np.linalg.norm(path[start:stop] - path[start], axis=1).max() <= 0.002, joint
    soles = {"Heel": 0.022, "ToeBase": 0.022, "ToeTip": 0.018}
    for side in ("Left", "Right"):
        for joint, share in soles.items():
            height = clip.positions[:, clip.skeleton.index(side + joint), 1] - share * PERSON.height
            assert height.min() >= -0.003, side + joint


def test_feet_leave_and_land_without_a_jerk(gait):
    """Speed and acceleration of the ankle do not jump where stance and swing meet."""
    _, speed, running = gait
    course = steady(PERSON, speed, running)
    for fall in footfalls(PERSON, "Left", course)[1:3]:
        for moment in (fall.plant.start, fall.plant.stop):
            times = moment + 1e-3 * np.arange(-4.0, 5.0)
            ankles = locomote(PERSON, course, times, 1000.0).feet["Left"].ankles
            bends = np.diff(ankles, 2, axis=0) / 1e-3**2
            assert np.linalg.norm(np.diff(bends, axis=0), axis=1).max() < 60.0, "m/s² within a millisecond"


def test_legs_reach_their_feet_and_knees_never_lock_or_bend_backwards(gait):
    clip, _, _ = gait
    for side in ("Left", "Right"):
        knee = np.degrees(logarithm(clip.rotations[:, clip.skeleton.index(f"{side}Leg")])[:, 0])
        assert knee.min() > 5.0
        assert knee.max() < 140.0


def test_a_foot_comes_down_heel_or_midfoot_first_and_leaves_toes_last(gait):
    clip, speed, running = gait
    planted = dict(zip(clip.contacts.joints, clip.contacts.planted.T, strict=True))
    heel, tip = planted["LeftHeel"], planted["LeftToeTip"]
    start, stop = next(run for run in runs(side_planted(clip, "Left")) if run[0] > 0)
    assert heel[start]
    on_heel = (heel & ~tip)[start:stop].sum() / clip.fps
    assert on_heel > (0.06 if not running and speed >= 1.0 else 0.0)
    assert tip[stop - 1]
    assert not heel[stop - 1]
    assert (tip & ~heel)[start:stop].sum() / clip.fps > 0.08


def test_the_pelvis_is_highest_in_mid_stance_walking_and_in_flight_running(gait):
    clip, speed, running = gait
    height = clip.root_positions[:, 1]
    left, right = side_planted(clip, "Left"), side_planted(clip, "Right")
    highest, lowest = int(height.argmax()), int(height.argmin())
    if running:
        assert not (left | right)[highest]
        assert (left | right)[lowest]
        assert 0.06 < np.ptp(height) < 0.14
    elif speed >= 1.0:
        assert (left ^ right)[highest]
        # To a few hundredths of a second: the leading leg is stretched just before it lands.
        assert (left & right)[max(lowest - 3, 0) : lowest + 4].any()
        assert 0.02 < np.ptp(height) < 0.06


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize("speed", [2.0, 2.8, 3.6, 4.4])
def test_between_contacts_the_centre_of_mass_falls_freely(who, speed):
    clip = gait_clip(speed, True, PEOPLE[who])
    centres = center_of_mass(clip)
    airborne = ~(side_planted(clip, "Left") | side_planted(clip, "Right"))
    flights = [(start, stop) for start, stop in runs(airborne) if start > 0 and stop < len(clip)]
    assert len(flights) >= 2
    for start, stop in flights:
        time = np.arange(stop - start + 2) / clip.fps
        path = centres[start - 1 : stop + 1] + 0.5 * GRAVITY * time[:, None] ** 2 * np.array([0.0, 1.0, 0.0])
        straight = np.stack([np.polyval(np.polyfit(time, axis, 1), time) for axis in path.T], axis=1)
        assert np.abs(path - straight).max() <= 0.02


def test_arms_swing_against_the_legs_and_runners_bend_their_elbows(gait):
    clip, _, running = gait
    index, root = clip.skeleton.index, clip.root_positions
    hand, foot = (clip.positions[:, index(joint)] - root for joint in ("LeftHand", "LeftFoot"))
    assert np.corrcoef(hand[:, 2], foot[:, 2])[0, 1] < -0.5
    elbow = np.degrees(-logarithm(clip.rotations[:, index("LeftForeArm")])[:, 1])
    assert elbow.min() > 0.0
    if running:
        assert 75.0 < elbow.mean() < 120.0
    else:
        assert elbow.mean() < 50.0


def test_the_head_is_steadier_than_the_pelvis(gait):
    clip, _, _ = gait
    head, pelvis = (clip.world_rotations[:, clip.skeleton.index(joint)] for joint in ("Head", "Hips"))
    wobble = [np.linalg.norm(np.ptp(logarithm(rotations), axis=0)) for rotations in (head, pelvis)]
    assert wobble[0] < 0.25 * wobble[1]


def turning(rate: float, speed: float = 1.3, running: bool = False) -> tuple[Clip, list, list]:
    profile = Profile(
        constant(speed), heading=lambda time: rate * np.asarray(time), running=constant(float(running))
    )
    course = follow(PERSON, profile, (-2.0, 5.0), (0.0, 0.0))
    clip = play(locomote(PERSON, course, np.arange(0.0, 2.5, 1 / 60), 60.0), "turn")
    return clip, *(footfalls(PERSON, side, course) for side in ("Left", "Right"))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_in_a_curve_the_inner_foot_steps_shorter_and_feet_point_along_it(sign):
    _, left, right = turning(0.8 * sign)

    def strides(falls):
        places = np.array([(fall.plant.x, fall.plant.z) for fall in falls])
        return np.linalg.norm(np.diff(places, axis=0), axis=1).mean()

    inner, outer = (left, right) if sign > 0 else (right, left)
    assert strides(inner) < 0.97 * strides(outer)
    turns = np.diff([fall.plant.heading for fall in left])
    np.testing.assert_allclose(turns, 0.8 * sign * natural_period(PERSON, 1.3, False), atol=1e-6)


@pytest.mark.parametrize(("speed", "running"), [(1.3, False), (2.8, True)])
def test_a_body_leans_into_its_curve(speed, running):
    clip, _, _ = turning(0.8, speed, running)
    pelvis, neck = (clip.positions[:, clip.skeleton.index(joint)] for joint in ("Hips", "Neck"))
    heading = 0.8 * np.arange(len(clip)) / 60.0
    left = np.stack([np.cos(heading), 0 * heading, -np.sin(heading)], axis=1)
    lean = np.degrees(np.arctan2(np.sum((neck - pelvis) * left, axis=1), (neck - pelvis)[:, 1]))
    balanced = np.degrees(np.arctan(0.8 * speed / GRAVITY))
    assert 0.5 * balanced < lean.mean() < 1.0 * balanced


def test_who_speeds_up_leans_forward_and_who_slows_down_back():
    leans = []
    for change in (0.5, 0.0, -0.5):
        profile = Profile(lambda time, change=change: 1.3 + change * np.asarray(time))
        course = follow(PERSON, profile, (-2.2, 3.2), (0.0, 0.0))
        score = locomote(PERSON, course, np.arange(0.0, 1.0, 1 / 30))
        leans.append(float((score.tilt + score.bend).mean()))
    assert leans[0] > leans[1] + 1.0
    assert leans[1] > leans[2] + 1.0


def test_a_course_that_does_not_know_the_next_step_is_refused():
    course = follow(PERSON, Profile(constant(1.3)), (-0.5, 1.0), (0.0, 0.0))
    with pytest.raises(ClipError, match="goes on for a cycle or two"):
        locomote(PERSON, course, [0.0, 0.5])


def test_style_shows():
    def swing(**style: float) -> float:
        person = Performer(height=1.75, build=PERSON.build, style=PersonalStyle(**style))
        score = locomote(person, steady(person, 1.3, False), np.arange(0.0, 1.2, 1 / 30))
        return float(np.ptp(score.arms["Left"]["swing"]))

    assert swing(arm_swing=1.4) == pytest.approx(1.4 * swing(), rel=0.05)
    wide, narrow = (
        footfalls(who, "Left", steady(who, 1.3, False))[0].plant.x
        for who in (
            Performer(height=1.75, build=PERSON.build, style=PersonalStyle(stance_width=w)) for w in (1.3, 0.8)
        )
    )
    assert wide == pytest.approx(1.3 / 0.8 * narrow)


def test_a_faster_gait_has_quicker_steps_and_shorter_contacts():
    speeds = np.linspace(0.6, 2.1, 20)
    assert np.all(np.diff(cycle_period(speeds, 0.0)) < 0)
    assert np.all(np.diff([manner_at(speed, 0.0).duty for speed in speeds]) < 0)
    speeds = np.linspace(2.0, 4.5, 20)
    assert np.all(np.diff(cycle_period(speeds, 1.0)) < 0)
    assert np.all(np.diff(duty_at(speeds)) < 0)
    assert all(manner_at(speed, 1.0).duty == pytest.approx(duty_at(speed), abs=0.01) for speed in speeds)


def test_between_two_tables_lies_their_mean():
    slow, quick, between = (manner_at(speed, 0.0) for speed in (1.25, 1.70, 1.475))
    for name in ("duty", "over", "push"):
        assert getattr(between, name) == pytest.approx(0.5 * (getattr(slow, name) + getattr(quick, name)))
    np.testing.assert_allclose(between.up, 0.5 * (slow.up + quick.up))


def test_waves_have_the_size_and_peak_of_their_line():
    phase = np.linspace(0.0, 1.0, 1001)
    sway = waves(WALK_BODY, WALK_SPEEDS, phase, np.full(1001, 1.25))["sway"].motion
    assert sway.max() == pytest.approx(0.027, abs=1e-4)
    assert phase[sway.argmax()] == pytest.approx(0.29, abs=0.002)


def test_mid_stance_is_when_the_body_passes_over_the_foot():
    course = steady(PERSON, 1.3, False)
    fall = next(fall for fall in footfalls(PERSON, "Left", course) if fall.landing == 0.0)
    here = course.at(course.when(mid_stance(PERSON, 1.3, False)))
    assert fall.plant.z == pytest.approx(float(here.z), abs=1e-9)
