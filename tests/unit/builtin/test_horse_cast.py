"""The horse's library: what it can do, and that its clips join and differ."""

from __future__ import annotations

import time
from functools import cache

import numpy as np
import pytest

from walkon.behaviors import MARGIN, BehaviorLibrary, measure_seams
from walkon.builtin.casts.horse import make_horse_library
from walkon.builtin.falling import GRAVITY
from walkon.motion import center_of_mass, placement_at
from walkon.skeleton import build_body

TURNS = {
    "gallop_forward": 0.0,
    "gallop_left_15": 15.0,
    "gallop_right_15": -15.0,
    "gallop_left_35": 35.0,
    "gallop_right_35": -35.0,
}


@cache
def cast(seed: int) -> BehaviorLibrary:
    return make_horse_library(seed)


@pytest.fixture(scope="module", params=[0, 7])
def library(request) -> BehaviorLibrary:
    return cast(request.param)


def all_clips(library: BehaviorLibrary):
    return [shown for behavior in library for shown in behavior.clips]


def test_it_goes_straight_on_and_turns_two_ways_to_each_side(library):
    assert [behavior.name for behavior in library] == list(TURNS)
    assert library.poses == ("gallop",)
    assert library.fps == 30
    for behavior in library:
        assert 1 <= len(behavior.clips) <= 4
        for shown in behavior.clips:
            before, after = (placement_at(shown.clip, frame) for frame in (shown.first, shown.last))
            turned = np.degrees(after.heading - before.heading)
            assert turned == pytest.approx(TURNS[behavior.name], abs=0.6)


def test_the_margins_are_the_steady_gallop(library):
    steady = library["gallop_forward"].clips[0].clip
    for shown in all_clips(library):
        assert shown.margin == MARGIN
        clip = shown.clip
        for frames in (slice(0, MARGIN + 1), slice(-MARGIN - 1, None)):
            np.testing.assert_allclose(
                clip.rotations[frames, 1:], steady.rotations[frames, 1:], atol=1e-5, err_msg=clip.name
            )


def test_all_clips_join_without_a_gap(library):
    seams = measure_seams(library)
    assert len(seams) == len(all_clips(library)) ** 2
    for seam in seams:
        assert seam.pose_gap <= 0.1 * seam.pose_step, seam
        assert seam.velocity_gap <= 0.3 * seam.velocity_step, seam


def test_hooves_are_planted_and_nothing_sinks_in(library):
    body = build_body(library.skeleton)
    for shown in all_clips(library):
        clip = shown.clip
        lowest = body.capsules(clip.positions)[..., 1].min(axis=-1) - body.radii
        assert lowest.min() >= -0.005
        for name, planted in zip(clip.contacts.joints, clip.contacts.planted.T, strict=True):
            path = clip.positions[:, clip.skeleton.index(name)]
            still = planted[1:] & planted[:-1]
            assert np.linalg.norm(np.diff(path, axis=0), axis=1)[still].max() < 0.0007, (clip.name, name)


def test_flights_are_in_free_fall(library):
    for shown in all_clips(library):
        centres, airborne = center_of_mass(shown.clip), ~shown.clip.contacts.planted.any(axis=1)
        inside = airborne[:-2] & airborne[1:-1] & airborne[2:]
        assert inside.any()
        bend = centres[:-2] - 2 * centres[1:-1] + centres[2:]
        fall = np.array([0.0, -GRAVITY / shown.clip.fps**2, 0.0])
        assert np.abs(bend - fall)[inside].max() < 0.006


def test_clips_of_a_behavior_differ_a_little(library):
    for behavior in library:
        first, *others = (shown.clip.positions for shown in behavior.clips)
        for other in others:
            apart = np.linalg.norm(other - first, axis=2).max()
            assert 0.01 < apart < 0.35


def test_the_same_seed_is_the_same_horse_made_quickly():
    once = cast(7)
    start = time.process_time()
    again = make_horse_library(7)
    assert time.process_time() - start < 3.0
    for first, second in zip(all_clips(once), all_clips(again), strict=True):
        assert first.clip.rotations.tobytes() == second.clip.rotations.tobytes()
        assert first.clip.root_positions.tobytes() == second.clip.root_positions.tobytes()


def test_another_seed_is_another_horse():
    assert not cast(0).skeleton.matches(cast(7).skeleton)
