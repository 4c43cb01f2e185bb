"""Recordings whose content is known, made of a cast's own clips, become a library again."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from walkon.behaviors import (
    BEHAVIOR_KINDS,
    MARGIN,
    BehaviorLibrary,
    BuildReport,
    build_graph,
    build_library,
    measure_seams,
    read_library,
    write_library,
)
from walkon.errors import LibraryError
from walkon.motion import Clip, crop, find_contacts, place, placement_at, scale
from walkon.rotations import Placement, from_axis_angle, multiply, rotate
from walkon.skeleton import Skeleton, build_body

SCRIPTS = {
    "turns": "idle start_walk walk_forward walk_left_45 walk_forward walk_left_80 walk_forward stop_walk idle",
    "jump": "start_jog jog_forward jog_forward jump_over_low jog_forward jog_left_45 jog_forward stop_jog idle",
    "duck": "start_jog duck_under_jogging jog_forward jog_to_walk walk_forward walk_to_jog jog_forward",
    "stay": "idle idle start_walk walk_forward walk_forward walk_forward stop_walk",
}


def record(cast: BehaviorLibrary, name: str, behaviors: Iterable[str]) -> Clip:
    """One take: the clips of behaviors one after another, each placed where the one before ended."""
    here, roots, rotations = Placement(1.0, 2.0, 0.5), [], []
    for number, behavior in enumerate(behaviors):
        clips = cast[behavior].clips
        shown = clips[number % len(clips)]
        moved = place(shown.clip, here @ placement_at(shown.clip, shown.first).inverse())
        roots.append(moved.root_positions[shown.first : shown.last])
        rotations.append(moved.rotations[shown.first : shown.last])
        here = placement_at(moved, shown.last)
    return Clip.build(name, cast.skeleton, cast.fps, np.concatenate(roots), np.concatenate(rotations))


@pytest.fixture(scope="module")
def takes(human_cast: BehaviorLibrary) -> list[Clip]:
    return [record(human_cast, name, script.split()) for name, script in SCRIPTS.items()]


@pytest.fixture(scope="module")
def built(takes: list[Clip]) -> tuple[BehaviorLibrary, BuildReport]:
    return build_library(takes, name="again")


def test_finds_the_poses_the_takes_were_made_of(built: tuple[BehaviorLibrary, BuildReport]) -> None:
    library, report = built
    assert set(library.poses) == {"stand", "walk", "walk_other_foot", "jog"}
    kinds = {"stand": "rest", "walk": "stride", "walk_other_foot": "stride", "jog": "stride"}
    assert {pose.name: pose.kind for pose in report.poses} == kinds


def test_names_what_was_recorded(built: tuple[BehaviorLibrary, BuildReport]) -> None:
    names = {behavior.name for behavior in built[0]}
    expected = (
        "walk_forward jog_forward start_walk stop_walk start_jog stop_jog jog_to_walk walk_to_jog wait jump_over"
    )
    assert set(expected.split()) <= names
    kinds = {behavior.kind for behavior in built[0]}
    assert {"locomotion", "transition", "wait", "jump_over", "duck_under"} <= kinds


def test_turns_come_to_both_sides_by_mirroring(
    takes: list[Clip], built: tuple[BehaviorLibrary, BuildReport]
) -> None:
    sides = {side for behavior in built[0] for side in ("left", "right") if f"_{side}_" in behavior.name}
    assert sides == {"left", "right"}
    assert any("mirror" in note for note in built[1].notes)
    plain, report = build_library(takes, name="plain", mirrored=False)
    assert not any("_right_" in behavior.name for behavior in plain)
    assert not any("mirror" in note for note in report.notes)


def test_clips_lead_where_their_names_say(built: tuple[BehaviorLibrary, BuildReport]) -> None:
    graph = build_graph(built[0])
    for index, name in enumerate(graph.names):
        clips = slice(graph.clip_starts[index], graph.clip_starts[index + 1])
        turns = np.degrees(graph.displacements[clips, 2])
        if "_left_" in name:
            assert (turns > 8.0).all(), name
        elif "_right_" in name:
            assert (turns < -8.0).all(), name
        elif name.endswith("_forward"):
            assert np.abs(turns).max() < 15.0, name
        assert np.ptp(turns) < 25.0, name
        assert np.ptp(graph.durations[clips]) < (60 if graph.library.behaviors[index].kind == "wait" else 25), name


def test_every_pose_leads_to_every_other_without_obstacles(built: tuple[BehaviorLibrary, BuildReport]) -> None:
    library = built[0]
    for start in library.poses:
        reached, fresh = {start}, [start]
        while fresh:
            here = fresh.pop()
            for behavior in library:
                ordinary = not BEHAVIOR_KINDS[behavior.kind].special
                if ordinary and behavior.entry == here and behavior.exit not in reached:
                    reached.add(behavior.exit)
                    fresh.append(behavior.exit)
        assert reached == set(library.poses)


def test_clips_meet_in_their_poses(takes: list[Clip], built: tuple[BehaviorLibrary, BuildReport]) -> None:
    library, report = built
    assert all(shown.margin == MARGIN for behavior in library for shown in behavior.clips)
    assert library.fps == 30.0
    seams = measure_seams(library)
    assert max(seam.pose_gap for seam in seams) < 0.01
    assert np.median([seam.velocity_gap for seam in seams]) < 0.25
    assert report.seams_after.pose_largest < 0.2 * report.seams_before.pose_largest
    only_cut, rough = build_library(takes, name="cut", bend=False)
    assert max(seam.pose_gap for seam in measure_seams(only_cut)) > 0.02
    assert rough.seams_after.pose_largest == pytest.approx(rough.seams_before.pose_largest, rel=0.2)


def test_feet_neither_slide_nor_sink(built: tuple[BehaviorLibrary, BuildReport]) -> None:
    for behavior in built[0]:
        for shown in behavior.clips:
            clip, core = shown.clip, slice(shown.first, shown.last + 1)
            contacts = clip.contacts
            assert contacts is not None
            joints = [clip.skeleton.index(name) for name in contacts.joints]
            places = clip.positions[core][:, joints][..., [0, 2]]
            speeds = np.linalg.norm(np.diff(places, axis=0), axis=2) * clip.fps
            planted = contacts.planted[core][:-1] & contacts.planted[core][1:]
            assert np.median(speeds[planted]) < 0.15, behavior.name
            body = build_body(clip.skeleton)
            low = (body.capsules(clip.positions[core])[..., 1].min(axis=2) - body.radii).min()
            assert low > -0.05, behavior.name


def test_actions_say_when(built: tuple[BehaviorLibrary, BuildReport]) -> None:
    for behavior in built[0]:
        for shown in behavior.clips:
            assert (shown.action_time is not None) == BEHAVIOR_KINDS[behavior.kind].special, behavior.name
            if behavior.kind == "jump_over":
                hips = shown.clip.root_positions[shown.first : shown.last + 1, 1]
                assert abs(np.argmax(hips) / 30.0 - (shown.action_time or 0.0)) < 0.25


def test_weights_prefer_straight_on_and_abhor_waiting(built: tuple[BehaviorLibrary, BuildReport]) -> None:
    library = built[0]
    graph = build_graph(library)
    weights = {behavior.name: behavior.weight for behavior in library}
    turns = [
        weight
        for name, weight in weights.items()
        if name.startswith("walk_") and ("left" in name or "right" in name)
    ]
    assert len(turns) > 1
    assert min(turns) > weights["walk_forward"]
    assert weights["jump_over"] > weights["jog_forward"] > weights["walk_forward"]
    others = [behavior.weight for behavior in library if behavior.kind != "wait"]
    assert weights["wait"] > max(others)
    wait = graph.names.index("wait")
    seconds = graph.durations[graph.clip_starts[wait] : graph.clip_starts[wait + 1]].mean() / 30.0
    assert graph.costs[wait] == pytest.approx(seconds, rel=0.1)


def test_report_says_what_was_left_out(takes: list[Clip], built: tuple[BehaviorLibrary, BuildReport]) -> None:
    report = built[1]
    assert report.recordings == len(takes)
    assert report.seconds == pytest.approx(sum(clip.duration for clip in takes))
    left = sum((item.last - item.first + 1) / 30.0 for item in report.left_out)
    assert report.seconds_used + left == pytest.approx(report.seconds, abs=0.3 * 3 * len(takes))
    assert all(item.reason and item.clip in SCRIPTS for item in report.left_out)
    assert any("pose jog" in line for line in report.lines())
    with_short, second = build_library([*takes, crop(takes[0], 0, 8).with_changes(name="blink")], name="x")
    assert len(with_short) == len(built[0])
    assert any(item.clip == "blink" and "s long" in item.reason for item in second.left_out)


def test_tilted_and_sunken_floor_does_not_remain(takes: list[Clip]) -> None:
    tilt = from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.02)
    crooked = []
    for clip in takes:
        rotations = clip.rotations.copy()
        rotations[:, 0] = multiply(tilt, rotations[:, 0])
        roots = rotate(tilt, clip.root_positions) + np.array([0.0, 0.3, 0.0])
        crooked.append(clip.with_changes(root_positions=roots, rotations=rotations))
    library, _ = build_library(crooked, name="crooked")
    for behavior in library:
        if behavior.kind in ("locomotion", "wait"):
            clip = behavior.clips[0].clip
            contacts = find_contacts(clip)
            heights = [
                np.median(clip.positions[contacts.planted[:, k], clip.skeleton.index(name), 1])
                for k, name in enumerate(contacts.joints)
                if contacts.planted[:, k].any()
            ]
            assert np.abs(np.array(heights) - 0.034).max() < 0.02, behavior.name


def test_written_library_reads_back(built: tuple[BehaviorLibrary, BuildReport], tmp_path) -> None:
    write_library(tmp_path / "lib", built[0])
    again = read_library(tmp_path / "lib")
    assert [behavior.name for behavior in again] == [behavior.name for behavior in built[0]]
    assert [behavior.weight for behavior in again] == [behavior.weight for behavior in built[0]]


def test_same_takes_give_the_same_library(takes: list[Clip], built: tuple[BehaviorLibrary, BuildReport]) -> None:
    again, _ = build_library(takes, name="again")
    for one, other in zip(built[0], again, strict=True):
        assert one.name == other.name
        for ours, theirs in zip(one.clips, other.clips, strict=True):
            assert np.array_equal(ours.clip.rotations, theirs.clip.rotations)


def test_recordings_of_another_body_are_brought_to_the_common_one(takes: list[Clip]) -> None:
    body = takes[0].skeleton
    taller = scale(takes[0], Skeleton(body.names, body.parents, 1.1 * body.offsets, body.tips))
    taller = taller.with_changes(name="guest")
    library, _ = build_library([*takes, taller], name="mixed")
    assert library.skeleton.matches(takes[0].skeleton)


@pytest.mark.parametrize(
    ("change", "message"),
    [({"fps": 0.0}, "fps"), ({"likeness": -1.0}, "likeness"), ({"most_clips": 0}, "most_clips")],
)
def test_refuses_senseless_options(takes: list[Clip], change: dict[str, float], message: str) -> None:
    with pytest.raises(LibraryError, match=message):
        build_library(takes, name="x", **change)  # type: ignore[arg-type]


def test_refuses_nothing_and_repeated_names(takes: list[Clip]) -> None:
    with pytest.raises(LibraryError, match="no recording"):
        build_library([], name="x")
    with pytest.raises(LibraryError, match="repeated: turns"):
        build_library([takes[0], takes[0]], name="x")


def test_says_so_when_nothing_can_follow_anything(takes: list[Clip]) -> None:
    with pytest.raises(LibraryError, match="more recordings"):
        build_library([crop(takes[0], 280, 300)], name="x")


CREEPING = "walk_creep_forward_on_left walk_creep_forward_on_right " * 3
SLOW_SCRIPTS = {
    "walks": "idle start_walk walk_forward walk_left_20 walk_forward walk_right_20 "
    + "walk_forward " * 50
    + "stop_walk",
    "creeps": f"start_walk walk_slow_down_on_left walk_slow_to_creep_on_right {CREEPING} "
    "walk_creep_to_slow_on_left walk_speed_up_on_right walk_forward stop_walk idle",
}


@pytest.fixture(scope="module")
def slow(human_cast: BehaviorLibrary) -> tuple[BehaviorLibrary, BuildReport]:
    takes = [record(human_cast, name, script.split()) for name, script in SLOW_SCRIPTS.items()]
    return build_library(takes, name="slow")


def test_slow_walking_among_much_other_is_kept_and_costs_somewhat_more(slow) -> None:
    library, report = slow
    speeds = {pose.name: pose.speed for pose in report.poses}
    assert 0.3 < speeds["walk_slow"] < 0.5
    assert speeds["walk"] > 1.0
    assert 1.2 * library["walk_forward"].weight < library["walk_slow_forward"].weight < 1.5
    ways = {(behavior.entry, behavior.exit) for behavior in library}
    assert ("walk_slow", "walk") in ways
    assert {entry for entry, leave in ways if leave == "walk_slow"} > {"walk_slow"}


def test_single_steps_lead_from_foot_to_foot(slow) -> None:
    graph = build_graph(slow[0])
    for pose, seconds, metres in (("walk", (0.45, 0.65), (0.55, 0.8)), ("walk_slow", (0.5, 0.7), (0.18, 0.3))):
        for entry, leave in ((pose, f"{pose}_other_foot"), (f"{pose}_other_foot", pose)):
            steps = [b for b in slow[0] if (b.entry, b.exit) == (entry, leave) and "_step_forward" in b.name]
            assert steps, (entry, leave)
            clip = graph.clip_starts[graph.names.index(steps[0].name)]
            assert seconds[0] < graph.durations[clip] / graph.fps < seconds[1], steps[0].name
            assert metres[0] < graph.displacements[clip, 1] < metres[1], steps[0].name
    assert any(b.entry.endswith("_other_foot") and b.exit == "stand" for b in slow[0])


def test_slow_steps_neither_slide_nor_leave_a_gap(slow) -> None:
    test_feet_neither_slide_nor_sink(slow)
    assert max(seam.pose_gap for seam in measure_seams(slow[0])) < 0.01
