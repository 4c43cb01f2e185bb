"""Libraries built from real recordings: a person from two subjects' takes, a skateboarder from a third's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from walkon.behaviors import (
    BEHAVIOR_KINDS,
    BehaviorLibrary,
    BuildReport,
    build_graph,
    build_library,
    measure_seams,
)
from walkon.motion import read_clip


def build(mocap: Path, name: str, *subjects: str) -> tuple[BehaviorLibrary, BuildReport]:
    files = [file for subject in subjects for file in sorted((mocap / "cmu" / "bvh").glob(f"{subject}_*.bvh"))]
    return build_library([read_clip(file, trim="leading") for file in files], name=name)


@pytest.fixture(scope="module")
def human(mocap: Path) -> tuple[BehaviorLibrary, BuildReport]:
    return build(mocap, "human", "127", "16")


@pytest.fixture(scope="module")
def skater(mocap: Path) -> tuple[BehaviorLibrary, BuildReport]:
    return build(mocap, "skater", "134")


def test_a_person_from_two_subjects(human: tuple[BehaviorLibrary, BuildReport]) -> None:
    library, _ = human
    names = {behavior.name for behavior in library}
    expected = "jog_forward walk_forward start_jog stop_jog start_walk stop_walk walk_to_jog jog_to_walk wait"
    assert set(expected.split()) <= names
    assert any(name.startswith("jog_left") for name in names)
    assert any(name.startswith("jog_right") for name in names)
    kinds = {(behavior.kind, behavior.entry, behavior.exit) for behavior in library}
    assert {("jump_over", "jog", "jog"), ("duck_under", "jog", "jog")} <= kinds
    steps = [behavior for behavior in library if "_step_" in behavior.name]
    assert {(step.entry, step.exit) for step in steps} == {
        ("walk", "walk_other_foot"),
        ("walk_other_foot", "walk"),
    }
    assert 30 <= len(library) - len(steps) <= 50


def test_a_skateboarder(skater: tuple[BehaviorLibrary, BuildReport]) -> None:
    library, report = skater
    assert set(library.poses) == {"glide", "stand"}
    kinds = {behavior.kind for behavior in library}
    assert {"locomotion", "transition", "wait", "duck_under", "jump_over"} <= kinds
    turns = build_graph(library).displacements[:, 2]
    assert np.degrees(turns).max() > 15.0
    assert np.degrees(turns).min() < -15.0
    assert any("holds it" in note for note in report.notes)


@pytest.mark.parametrize("who", ["human", "skater"])
def test_seams_are_closed(who: str, request: pytest.FixtureRequest) -> None:
    library, report = request.getfixturevalue(who)
    seams = measure_seams(library)
    assert max(seam.pose_gap for seam in seams) < 0.02
    assert report.seams_before.pose_median > 0.1
    assert report.seams_before.velocity_median > 1.0
    assert report.seams_after.velocity_median < 0.3


@pytest.mark.parametrize("who", ["human", "skater"])
def test_no_pose_is_a_dead_end(who: str, request: pytest.FixtureRequest) -> None:
    library = request.getfixturevalue(who)[0]
    for pose in library.poses:
        assert any(b.entry == pose and not BEHAVIOR_KINDS[b.kind].special for b in library)
        assert any(b.exit == pose and not BEHAVIOR_KINDS[b.kind].special for b in library)
    assert build_graph(library).rests.any()


def test_boxes_that_are_not_there_are_not_run_over(human: tuple[BehaviorLibrary, BuildReport]) -> None:
    reasons = {item.clip: item.reason for item in human[1].left_out if item.clip in ("127_34", "127_35")}
    assert set(reasons.values()) == {"a foot stands on something that is not there"}
