"""What must hold for every clip of every action, whoever performs it."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.behaviors import MARGIN, BehaviorClip, BehaviorLibrary, measure_seams
from walkon.builtin.actions.clearance import room_above, room_below
from walkon.builtin.actions.crawl_under import OPENING, crawl_under
from walkon.builtin.actions.duck_under import BAR_HEIGHT
from walkon.builtin.actions.leap import HIGH_LEAP, LONG_LEAP
from walkon.builtin.actions.shown import obstacle_of
from walkon.builtin.actions.step_over import OBSTACLE_DEPTH, OBSTACLE_HEIGHT
from walkon.builtin.casts.human_actions import ACTIONS, action_behaviors
from walkon.builtin.falling import GRAVITY
from walkon.builtin.gait.engine import locomote, mid_stance, steady
from walkon.builtin.gait.standing import stand
from walkon.builtin.performer import Performer
from walkon.builtin.score import play
from walkon.motion import Clip, center_of_mass
from walkon.rotations import angle_between, logarithm
from walkon.skeleton import build_body

SEEDS = (0, 2, 5)
UNDER_LENGTH = 0.6
"""Stretch [m] over which a body that ducks or crawls stays low."""


@pytest.fixture(scope="module", params=SEEDS, ids=lambda seed: f"performer {seed}")
def cast(request):
    return Performer(request.param), action_behaviors(Performer(request.param))


def clips_of(cast) -> list[BehaviorClip]:
    return [shown for behavior in cast[1] for shown in behavior.clips]


def planted_runs(clip: Clip):
    assert clip.contacts is not None
    for joint, planted in zip(clip.contacts.joints, clip.contacts.planted.T, strict=True):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], planted.astype(int), [0]])))
        for start, stop in zip(edges[::2], edges[1::2], strict=True):
            yield joint, start, stop


def part(clip: Clip, name: str) -> slice:
    label = next(label for label in clip.labels if label.name == name)
    return slice(label.start, label.stop)


def test_planted_joints_slide_at_most_two_millimetres(cast):
    for shown in clips_of(cast):
        clip = shown.clip
        for joint, start, stop in planted_runs(clip):
            path = clip.positions[start:stop, clip.skeleton.index(joint)]
            slide = np.linalg.norm(path - path[0], axis=1).max()
            assert slide <= 0.002, f"{clip.name}: {joint} slides {slide * 1e3:.1f} mm from frame {start}"


def test_nothing_sinks_into_the_ground(cast):
    for shown in clips_of(cast):
        clip, body = shown.clip, build_body(shown.clip.skeleton)
        lowest = (body.capsules(clip.positions)[..., 1].min(axis=-1) - body.radii).min(axis=1)
        assert lowest.min() >= -0.005, f"{clip.name}: {lowest.min() * 1e3:.1f} mm at frame {lowest.argmin()}"


def test_knees_and_elbows_are_hinges_that_fold_one_way(cast):
    for shown in clips_of(cast):
        clip, skeleton = shown.clip, shown.clip.skeleton
        for side, sign in (("Left", -1.0), ("Right", 1.0)):
            knee, elbow = (
                logarithm(clip.rotations[:, skeleton.index(side + part)]) for part in ("Leg", "ForeArm")
            )
            assert knee[:, 0].min() > -1e-9, clip.name
            assert (sign * elbow[:, 1]).min() > -1e-9, clip.name
            np.testing.assert_allclose(knee[:, 1:], 0.0, atol=1e-6)
            np.testing.assert_allclose(elbow[:, [0, 2]], 0.0, atol=1e-6)


def test_nobody_jerks(cast):
    """Hands thrown up are the fastest; knees and ankles turn and accelerate as in sprints at most."""
    for shown in clips_of(cast):
        clip = shown.clip
        speed = np.linalg.norm(np.diff(clip.positions, axis=0), axis=2) * clip.fps
        push = np.linalg.norm(np.diff(clip.positions, 2, axis=0), axis=2) * clip.fps**2
        turning = np.degrees(angle_between(clip.rotations[1:], clip.rotations[:-1])) * clip.fps
        assert speed.max() < 11.0, (clip.name, speed.max())
        assert push.max() < 220.0, (clip.name, push.max())
        assert turning.max() < 1700.0, (clip.name, turning.max())


def test_every_action_is_there_with_its_poses_and_clips(cast):
    assert [behavior.name for behavior in cast[1]] == list(ACTIONS)
    for behavior in cast[1]:
        assert {behavior.entry, behavior.exit} <= {"stand", "walk", "jog", "sit"}
        assert 1 <= len(behavior.clips) <= 4
        for shown in behavior.clips:
            assert shown.margin == MARGIN
            assert shown.clip.fps == 30.0
            needs_obstacle = behavior.kind.endswith(("_over", "_under"))
            assert (shown.action_time is not None) == needs_obstacle, behavior.name


def test_clips_of_one_action_are_similar_but_not_the_same(cast):
    for behavior in cast[1]:
        for other in behavior.clips[1:]:
            first = behavior.clips[0]
            assert first.clip.rotations.tobytes() != other.clip.rotations.tobytes()
            assert abs(first.duration - other.duration) < 0.15 * first.duration


def canonical(performer: Performer, pose: str) -> np.ndarray:
    """Joints (2 * MARGIN + 1, J, 3) around the pose: the gait or the standing that goes on."""
    frames = np.arange(-MARGIN, MARGIN + 1)
    if pose == "stand":
        return play(stand(performer, 2 * MARGIN / 30), pose).positions
    running = pose == "jog"
    speed = performer.jog_speed if running else performer.walk_speed
    course = steady(performer, speed, running)
    over = float(course.when(mid_stance(performer, speed, running)))
    return play(locomote(performer, course, over + frames / 30), pose).positions


def from_pelvis(positions: np.ndarray, frame: int) -> np.ndarray:
    return positions - positions[frame, 0] * (1.0, 0.0, 1.0)


@pytest.mark.parametrize("pose", ["stand", "walk", "jog"])
def test_clips_begin_and_end_exactly_in_their_poses(cast, pose):
    performer, behaviors = cast
    expected = from_pelvis(canonical(performer, pose), MARGIN)
    for behavior in behaviors:
        for shown in behavior.clips:
            positions = shown.clip.positions
            # Before the core and after it the plain gait or standing goes on, to the millimetre.
            if behavior.entry == pose:
                entry = from_pelvis(positions[: MARGIN + 1], MARGIN)
                np.testing.assert_allclose(entry[-1], expected[MARGIN], atol=1e-5, err_msg=shown.clip.name)
                np.testing.assert_allclose(entry, expected[: MARGIN + 1], atol=1e-3, err_msg=shown.clip.name)
            if behavior.exit == pose:
                leave = from_pelvis(positions[-MARGIN - 1 :], 0)
                np.testing.assert_allclose(leave[0], expected[MARGIN], atol=1e-5, err_msg=shown.clip.name)
                np.testing.assert_allclose(leave, expected[MARGIN:], atol=1e-3, err_msg=shown.clip.name)


def test_who_sits_sits_alike(cast):
    _, behaviors = cast
    poses = []
    for behavior in behaviors:
        for shown in behavior.clips:
            poses += [shown.clip.positions[shown.first]] if behavior.entry == "sit" else []
            poses += [shown.clip.positions[shown.last]] if behavior.exit == "sit" else []
    assert len(poses) >= 10
    for pose in poses[1:]:
        np.testing.assert_allclose(pose, poses[0], atol=1e-9)


def test_seams_are_no_larger_than_steps_between_frames(cast):
    for seam in measure_seams(BehaviorLibrary("actions", cast[1])):
        assert seam.pose_gap <= max(3 * seam.pose_step, 1e-6), seam
        assert seam.velocity_gap <= max(3 * seam.velocity_step, 1e-4), seam


CLEARED = {
    "step_over": (OBSTACLE_HEIGHT, OBSTACLE_DEPTH, 0.03),
    "jump_over_low": (*HIGH_LEAP.obstacle, 0.03),
    "jump_over_long": (*LONG_LEAP.obstacle, 0.02),
}


@pytest.mark.parametrize("name", CLEARED)
def test_all_of_the_body_clears_the_obstacle(cast, name):
    height, depth, air = CLEARED[name]
    for shown in clips_of(cast):
        if shown.clip.name.rsplit("_", 1)[0] == name:
            middle = obstacle_of(shown)
            room = room_below(shown.clip, middle - depth / 2, middle + depth / 2)
            assert room >= height + air, (shown.clip.name, room)


@pytest.mark.parametrize(
    ("name", "height"), [("duck_under", BAR_HEIGHT), ("duck_under_jogging", BAR_HEIGHT), ("crawl_under", OPENING)]
)
def test_all_of_the_body_passes_below(cast, name, height):
    for shown in clips_of(cast):
        if shown.clip.name.rsplit("_", 1)[0] == name:
            middle = obstacle_of(shown)
            top = room_above(shown.clip, middle - UNDER_LENGTH / 2, middle + UNDER_LENGTH / 2)
            assert top <= height - 0.03, (shown.clip.name, top)


def test_flights_are_ballistic(cast):
    flights = [s.clip for s in clips_of(cast) if any(label.name == "flight" for label in s.clip.labels)]
    assert len(flights) >= 6
    for clip in flights:
        air = part(clip, "flight")
        assert clip.contacts is not None
        assert not clip.contacts.planted[air].any()
        centre = center_of_mass(clip)[air]
        time = np.arange(len(centre)) / clip.fps
        fallen = centre + 0.5 * GRAVITY * time[:, None] ** 2 * (0.0, 1.0, 0.0)
        for axis in range(3):
            line = np.polyval(np.polyfit(time, fallen[:, axis], 1), time)
            assert np.abs(fallen[:, axis] - line).max() < 0.01, (clip.name, axis)


def test_the_same_seed_gives_the_same_bytes():
    first, again = (action_behaviors(Performer(4)) for _ in range(2))
    for one, other in zip(first, again, strict=True):
        for a, b in zip(one.clips, other.clips, strict=True):
            assert a.clip.rotations.tobytes() == b.clip.rotations.tobytes()
            assert a.clip.root_positions.tobytes() == b.clip.root_positions.tobytes()
            assert a.action_time == b.action_time


def test_tall_and_short_people_act_too():
    for height in (1.48, 1.95):
        shown = crawl_under(Performer.average(height))
        middle = obstacle_of(shown)
        assert room_above(shown.clip, middle - 0.3, middle + 0.3) < OPENING
