"""The locomotion half of the human cast: what it offers, that clips differ, and that all joins are exact."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from walkon.behaviors import MARGIN, Behavior, BehaviorLibrary, measure_seams
from walkon.builtin.casts.human_locomotion import locomotion_behaviors
from walkon.builtin.performer import Performer
from walkon.motion import center_of_mass
from walkon.rotations import heading_of, logarithm


@cache
def made(seed: int | None) -> dict[str, Behavior]:
    performer = Performer.average() if seed is None else Performer(seed)
    return {behavior.name: behavior for behavior in locomotion_behaviors(performer)}


@pytest.fixture(scope="module", params=[None, 3], ids=["average", "short"])
def behaviors(request) -> dict[str, Behavior]:
    return made(request.param)


def clips(behaviors: dict[str, Behavior]):
    return [shown.clip for behavior in behaviors.values() for shown in behavior.clips]


def test_there_is_all_that_was_promised(behaviors):
    turns = {
        f"{gait}_{side}_{angle}"
        for gait in ("walk", "jog")
        for side in ("left", "right")
        for angle in (20, 45, 80)
    }
    on_the_spot = {f"turn_{side}_{angle}" for side in ("left", "right") for angle in (45, 90, 180)}
    others = {
        "walk_forward", "walk_short_steps", "jog_forward", "jog_short_steps", "start_walk", "stop_walk",
        "start_jog", "stop_jog", "walk_to_jog", "jog_to_walk", "walk_wait", "idle", "pause", "side_step_left",
        "side_step_right", "step_back", "step_forward", "steps_forward", "hold", "set_off",
        "set_off_left_20", "set_off_right_20", "set_off_left_45", "set_off_right_45", "halt",
    }  # fmt: skip
    assert set(behaviors) == turns | on_the_spot | others
    for behavior in behaviors.values():
        assert 1 <= len(behavior.clips) <= 4
        assert {behavior.entry, behavior.exit} <= {"stand", "walk", "jog"}


def test_any_clip_follows_any_other_without_a_gap(behaviors):
    for seam in measure_seams(BehaviorLibrary("human", tuple(behaviors.values()))):
        assert seam.pose_gap <= 0.0025, seam
        assert seam.pose_gap <= 1.5 * seam.pose_step + 1e-6, seam
        assert seam.velocity_gap <= 1.5 * seam.velocity_step + 1e-4, seam


def test_clips_turn_by_as_much_as_their_name_says(behaviors):
    for name, behavior in behaviors.items():
        *_, side, angle = ("", *name.split("_"))
        if not angle.isdigit():
            continue
        for shown in behavior.clips:
            headings = np.unwrap(heading_of(shown.clip.rotations[:, 0]))
            turned = np.degrees(headings[shown.last] - headings[shown.first])
            # Hips are turned a little in the walking pose, and not when standing.
            slack = 1.0 if behavior.entry != behavior.exit else 0.5
            assert turned == pytest.approx(float(angle) * (1 if side == "left" else -1), abs=slack), name


def test_small_moves_go_as_far_as_they_should_and_take_no_longer(behaviors):
    legs = {"step_back": (-0.40, -0.28), "step_forward": (0.32, 0.50), "steps_forward": (0.95, 1.35)}
    for name, (least, most) in legs.items():
        for shown in behaviors[name].clips:
            x, _, z = shown.clip.root_positions[shown.last] - shown.clip.root_positions[shown.first]
            assert least < z < most, name
            assert abs(x) < 0.01, name
    assert all(30 <= shown.last - shown.first <= 45 for shown in behaviors["step_forward"].clips)
    assert all(65 <= shown.last - shown.first <= 80 for shown in behaviors["steps_forward"].clips)


def test_a_few_steps_are_as_smooth_as_setting_out(behaviors):
    def jolt(name: str) -> float:
        """The most that the pelvis is accelerated up or down [m/s2]."""
        heights = (shown.clip.root_positions[:, 1] for shown in behaviors[name].clips)
        return max(float(np.abs(np.diff(height, 2)).max()) * 900.0 for height in heights)

    assert jolt("steps_forward") < 10.0
    assert jolt("step_forward") < 10.0
    for name in (name for name in behaviors if name.startswith("set_off")):
        assert jolt(name) < 10.0, name
    assert jolt("halt") < 7.0


def test_who_is_pressed_for_room_sets_off_and_halts_within_a_step(behaviors):
    def motion(name: str):
        """Of each clip: frames, metres and the ground speed of the pelvis [m/s]."""
        for shown in behaviors[name].clips:
            roots = shown.clip.root_positions[shown.first : shown.last + 1]
            yield len(roots) - 1, roots[-1, 2] - roots[0, 2], 30.0 * np.diff(roots[:, 2])

    for name, usual, (least, most) in (("set_off", "start_walk", (0.5, 0.85)), ("halt", "stop_walk", (0.45, 0.7))):
        quick, slow = list(motion(name)), list(motion(usual))
        assert max(frames for frames, *_ in quick) < 0.65 * min(frames for frames, *_ in slow)
        assert max(far for _, far, _ in quick) < 0.65 * min(far for _, far, _ in slow)
        for frames, far, speed in quick:
            assert 28 <= frames <= 40, name
            assert least < far < most, name
            assert speed.min() > -0.01, name  # nobody rocks back
            assert np.abs(np.diff(speed)).max() * 30.0 < 4.5, name


def test_who_sets_off_to_a_side_needs_no_more_time_or_room_than_straight_on(behaviors):
    def frames(name: str) -> int:
        return max(shown.last - shown.first for shown in behaviors[name].clips)

    for side, sign in (("left", 1.0), ("right", -1.0)):
        name = f"set_off_{side}_45"
        assert frames(name) <= frames("set_off") < frames(f"turn_{side}_45")
        for shown in behaviors[name].clips:
            way = shown.clip.root_positions[shown.last] - shown.clip.root_positions[shown.first]
            assert 0.45 < np.hypot(way[0], way[2]) < 0.75
            assert 20.0 < sign * np.degrees(np.arctan2(way[0], way[2])) < 45.0


def test_who_speeds_up_leans_forward_and_who_brakes_leans_back(behaviors):
    def lean(name: str) -> np.ndarray:
        """Degrees by which the trunk leans forward of how it leans in standing, at every frame."""
        shown = behaviors[name].clips[0]
        joints, core = shown.clip.skeleton, slice(shown.first, shown.last + 1)
        trunk = shown.clip.positions[core, joints.index("Neck")] - shown.clip.positions[core, joints.index("Hips")]
        angle = np.degrees(np.arctan2(trunk[:, 2], trunk[:, 1]))
        return angle - angle[0 if behaviors[name].entry == "stand" else -1]

    assert lean("set_off").max() > 5.0
    assert lean("halt").min() < -5.0


def test_a_hold_is_short_and_hardly_moves(behaviors):
    for shown in behaviors["hold"].clips:
        assert 12 <= shown.last - shown.first <= 15
        roots = shown.clip.root_positions[shown.first : shown.last + 1]
        np.testing.assert_allclose(roots[-1], roots[0], atol=1e-9)
        assert 0.001 < np.ptp(roots[:, 0]) < 0.006
        assert np.linalg.norm(np.diff(shown.clip.positions, axis=0), axis=2).max() * 30.0 < 0.25


def test_clips_of_a_behavior_differ_a_little(behaviors):
    for behavior in behaviors.values():
        first, *others = (shown.clip for shown in behavior.clips)
        for other in others:
            frames = min(len(first), len(other))
            assert first.rotations[:frames].tobytes() != other.rotations[:frames].tobytes()
    plain, other = (shown.clip for shown in behaviors["walk_forward"].clips[:2])
    apart = np.linalg.norm(plain.positions - other.positions, axis=2)
    assert 0.005 < apart.max() < 0.12


def test_flights_are_ballistic_in_every_clip(behaviors):
    for clip in clips(behaviors):
        centres, airborne = center_of_mass(clip), ~clip.contacts.planted.any(axis=1)
        edges = np.flatnonzero(np.diff(np.concatenate([[0], airborne.astype(int), [0]])))
        for start, stop in zip(edges[::2], edges[1::2], strict=True):
            if start == 0 or stop == len(clip) or stop - start < 2:
                continue
            time = np.arange(stop - start + 2) / clip.fps
            path = centres[start - 1 : stop + 1].copy()
            path[:, 1] += 0.5 * 9.81 * time**2
            straight = np.stack([np.polyval(np.polyfit(time, axis, 1), time) for axis in path.T], axis=1)
            assert np.abs(path - straight).max() <= 0.02, clip.name


def test_knees_and_elbows_bend_one_way(behaviors):
    for clip in clips(behaviors):
        for side, sign in (("Left", -1.0), ("Right", 1.0)):
            knee, elbow = (
                logarithm(clip.rotations[:, clip.skeleton.index(side + part)]) for part in ("Leg", "ForeArm")
            )
            assert knee[:, 0].min() > 0.0
            assert (sign * elbow[:, 1]).min() > 0.0


def test_waiting_is_standing_still_on_the_way(behaviors):
    wait = behaviors["walk_wait"].clips[0].clip
    speed = np.linalg.norm(np.diff(wait.root_positions[:, [0, 2]], axis=0), axis=1) * wait.fps
    assert (speed < 0.12).sum() > 1.5 * wait.fps
    assert speed[:MARGIN].min() > 0.8
    assert speed[-MARGIN:].min() > 0.8


def test_the_same_person_always_makes_the_same_bytes():
    again = {behavior.name: behavior for behavior in locomotion_behaviors(Performer(3))}
    for one, other in zip(clips(made(3)), clips(again), strict=True):
        assert one.rotations.tobytes() == other.rotations.tobytes(), one.name
        assert one.root_positions.tobytes() == other.root_positions.tobytes(), one.name
