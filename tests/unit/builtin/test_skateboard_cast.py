"""The skateboarder's library: what the rider can do, on wheels that roll."""

from __future__ import annotations

import time
from functools import cache

import numpy as np
import pytest

from walkon.behaviors import MARGIN, BehaviorLibrary, measure_seams
from walkon.builtin.casts.skateboarder import make_skateboarder_library
from walkon.builtin.falling import GRAVITY
from walkon.builtin.performer import Performer
from walkon.builtin.skateboard.actions import CRUISE
from walkon.builtin.skeletons import DECK_HEIGHT, WHEEL_RADIUS
from walkon.motion import Clip, center_of_mass
from walkon.rotations import logarithm
from walkon.skeleton import build_body

TURNS = {
    f"carve_{side}_{angle}": sign * angle for side, sign in (("left", 1), ("right", -1)) for angle in (20, 45, 90)
}
WHEELS = [f"Wheel{end}{side}" for end in ("Front", "Rear") for side in ("Left", "Right")]


PEOPLE = {"short": Performer.average(1.5), "tall": Performer.average(1.93, seed=1), 5: Performer(5)}


@cache
def cast(who: str | int) -> BehaviorLibrary:
    return make_skateboarder_library(PEOPLE[who])


@pytest.fixture(scope="module", params=PEOPLE)
def library(request) -> BehaviorLibrary:
    return cast(request.param)


def all_clips(library: BehaviorLibrary):
    return [shown for behavior in library for shown in behavior.clips]


def joint(clip: Clip, name: str) -> np.ndarray:
    return clip.positions[:, clip.skeleton.index(name)]


def board_velocity(clip: Clip) -> tuple[np.ndarray, np.ndarray]:
    """Speeds (F,) [m/s] of the board's middle along and across its length."""
    front, rear = joint(clip, "Board"), joint(clip, "BoardRear")
    velocity = np.gradient(0.5 * (front + rear), 1 / clip.fps, axis=0)[:, [0, 2]]
    along = (front - rear)[:, [0, 2]]
    along = along / np.linalg.norm(along, axis=1, keepdims=True)
    return np.sum(velocity * along, axis=1), velocity[:, 0] * along[:, 1] - velocity[:, 1] * along[:, 0]


def test_it_has_its_behaviors_between_two_poses(library):
    names = {behavior.name for behavior in library}
    assert names == {"glide", "push", "jump", "duck", "stop", "wait", "start", *TURNS}
    assert set(library.poses) == {"glide", "stand"}
    ends = {behavior.name: (behavior.entry, behavior.exit) for behavior in library}
    assert ends["stop"] == ("glide", "stand")
    assert ends["start"] == ("stand", "glide")
    assert ends["wait"] == ("stand", "stand")
    assert library["jump"].kind == "jump_over"
    assert library["duck"].kind == "duck_under"
    assert all(1 <= len(behavior.clips) <= 4 for behavior in library)


def test_all_clips_join_without_a_gap(library):
    for seam in measure_seams(library):
        assert seam.pose_gap <= 3 * seam.pose_step, seam
        assert seam.velocity_gap <= 3 * seam.velocity_step, seam
        assert seam.pose_gap < 0.003, seam
        assert seam.velocity_gap < 0.08, seam


def test_wheels_roll_and_stay_on_the_ground_but_for_the_jump(library):
    for behavior in library:
        for shown in behavior.clips:
            clip = shown.clip
            _, across = board_velocity(clip)
            assert np.abs(across).max() < 0.01, clip.name
            if behavior.name != "jump":
                for wheel in WHEELS:
                    np.testing.assert_allclose(joint(clip, wheel)[:, 1], WHEEL_RADIUS, atol=0.001)


def test_every_glide_begins_and_ends_at_cruising_speed(library):
    cruise = board_velocity(library["glide"].clips[0].clip)[0]
    assert np.ptp(cruise) < 1e-6
    assert 0.8 * CRUISE < cruise[0] < 1.2 * CRUISE
    for behavior in library:
        for shown in behavior.clips:
            along = board_velocity(shown.clip)[0]
            for pose, frames in ((behavior.entry, slice(0, MARGIN)), (behavior.exit, slice(-MARGIN, None))):
                expected = cruise[0] if pose == "glide" else 0.0
                np.testing.assert_allclose(along[frames], expected, atol=1e-4, err_msg=shown.clip.name)


def test_the_pushing_foot_does_not_slide_and_nothing_sinks_in(library):
    body = build_body(library.skeleton)
    for shown in all_clips(library):
        clip = shown.clip
        lowest = body.capsules(clip.positions)[..., 1].min(axis=-1) - body.radii
        assert lowest.min() >= -0.005, clip.name
        for name, planted in zip(clip.contacts.joints, clip.contacts.planted.T, strict=True):
            edges = np.flatnonzero(np.diff(np.concatenate([[0], planted.astype(int), [0]])))
            for start, stop in zip(edges[::2], edges[1::2], strict=True):
                path = joint(clip, name)[start:stop]
                assert np.linalg.norm(path - path[0], axis=1).max() <= 0.002, (clip.name, name)
    planted = {behavior.name: behavior.clips[0].clip.contacts.planted.any() for behavior in library}
    assert planted["push"]
    assert planted["start"]
    assert not planted["glide"]


def test_feet_stand_on_the_deck(library):
    for name in ("glide", "jump", "duck", "carve_left_90", "carve_right_90", "wait"):
        for shown in library[name].clips:
            clip = shown.clip
            front, rear = joint(clip, "Board"), joint(clip, "BoardRear")
            for foot, bolts in (("Left", front), ("Right", rear)):
                away = np.linalg.norm(joint(clip, f"{foot}Foot") - bolts, axis=1)
                assert away.max() < 0.17, (clip.name, foot)
                assert np.ptp(away) < 0.012, (clip.name, foot)


def test_knees_and_elbows_fold_one_way(library):
    for shown in all_clips(library):
        clip = shown.clip
        for side, sign in (("Left", -1.0), ("Right", 1.0)):
            knee, elbow = (
                logarithm(clip.rotations[:, clip.skeleton.index(side + part)]) for part in ("Leg", "ForeArm")
            )
            assert knee[:, 0].min() > 0, clip.name
            assert (sign * elbow[:, 1]).min() > 0, clip.name


@pytest.mark.parametrize("name", TURNS)
def test_carves_turn_as_far_as_they_say_and_lean_into_it(library, name):
    for shown in library[name].clips:
        clip = shown.clip
        nose = joint(clip, "Board") - joint(clip, "BoardRear")
        heading = np.unwrap(np.arctan2(nose[:, 0], nose[:, 2]))
        assert np.degrees(heading[-1] - heading[0]) == pytest.approx(TURNS[name], abs=1e-3)
        middle = len(clip) // 2
        inside = np.sign(TURNS[name]) * np.array([nose[middle, 2], 0.0, -nose[middle, 0]])
        chest = (joint(clip, "Neck") - joint(clip, "BoardRear"))[middle]
        straight = (joint(clip, "Neck") - joint(clip, "BoardRear"))[0]
        before = np.sign(TURNS[name]) * np.array([nose[0, 2], 0.0, -nose[0, 0]])
        assert chest @ inside > straight @ before + 0.02
        deck = (joint(clip, "DeckLeft") - joint(clip, "DeckRight"))[middle]
        assert np.sign(deck[1]) == -np.sign(TURNS[name])


def test_the_jump_clears_its_obstacle_in_free_fall(library):
    for shown in library["jump"].clips:
        clip = shown.clip
        bottom = np.min([joint(clip, wheel)[:, 1] for wheel in WHEELS], axis=0) - WHEEL_RADIUS
        action = MARGIN + round(shown.action_time * clip.fps)
        assert bottom[action] > 0.35
        assert np.sum(bottom > 0.3) >= 6
        centres = center_of_mass(clip)
        # The board's two ends leave and land within a frame of the flight's edges.
        flying = np.flatnonzero(bottom > 0.03)
        centres = centres[flying[0] : flying[-1] + 1]
        elapsed = np.arange(len(centres)) / clip.fps
        path = centres + 0.5 * GRAVITY * elapsed[:, None] ** 2 * np.array([0.0, 1.0, 0.0])
        for axis in range(3):
            line = np.polyval(np.polyfit(elapsed, path[:, axis], 1), elapsed)
            assert np.abs(path[:, axis] - line).max() < 0.01
        assert abs(int(centres[:, 1].argmax()) + flying[0] - action) <= 2
        pitch = (joint(clip, "Board") - joint(clip, "BoardRear"))[:, 1]
        assert pitch[: action - 1].max() > 0.08
        assert abs(pitch[action]) < 0.05


def test_the_duck_goes_under_a_bar(library):
    body = build_body(library.skeleton)
    for shown in library["duck"].clips:
        top = (body.capsules(shown.clip.positions)[..., 1].max(axis=-1) + body.radii).max(axis=1)
        action = MARGIN + round(shown.action_time * shown.clip.fps)
        assert top[action - 3 : action + 4].max() < 1.12
        assert top[0] > 1.4


def test_the_stop_stops_and_the_start_sets_out(library):
    for shown in library["stop"].clips:
        along = board_velocity(shown.clip)[0]
        assert np.all(np.diff(along) < 1e-6)
    for shown in library["start"].clips:
        planted = shown.clip.contacts.planted.any(axis=1)
        assert np.sum(np.diff(planted.astype(int)) == 1) == 3
    for shown in library["wait"].clips:
        assert np.ptp(joint(shown.clip, "Board"), axis=0).max() < 1e-9
        assert 0.005 < np.ptp(joint(shown.clip, "Head"), axis=0).max() < 0.15


def test_the_board_keeps_its_size(library):
    clip = library["glide"].clips[0].clip
    assert joint(clip, "Board")[0, 1] == pytest.approx(DECK_HEIGHT)


def test_clips_of_a_behavior_differ_a_little(library):
    for behavior in library:
        first, *others = (shown.clip.positions for shown in behavior.clips)
        for other in others:
            assert 0.004 < np.linalg.norm(other - first, axis=2).max() < 0.4, behavior.name


def test_the_same_person_does_the_same_made_quickly():
    once = cast(5)
    start = time.process_time()
    again = make_skateboarder_library(Performer(5))
    assert time.process_time() - start < 3.0
    for first, second in zip(all_clips(once), all_clips(again), strict=True):
        assert first.clip.rotations.tobytes() == second.clip.rotations.tobytes()
        assert first.clip.root_positions.tobytes() == second.clip.root_positions.tobytes()
