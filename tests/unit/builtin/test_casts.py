"""What must hold for every clip of every cast, whoever performs it."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from walkon.behaviors import MARGIN, measure_seams, read_library, write_library
from walkon.builtin.casts import CASTS, fetch_library, make_library
from walkon.builtin.performer import Performer
from walkon.errors import LibraryError
from walkon.rotations import logarithm
from walkon.skeleton import build_body, find_roles

LEAST_BEHAVIORS = {"human": 25, "skateboarder": 11, "horse": 5}
PERFORMERS = [("human", 0), ("human", 7), ("skateboarder", 0), ("skateboarder", 3), ("horse", 0), ("horse", 2)]

SLIDE = 0.002
BELOW_GROUND = 0.005
SEAM_STEPS = 3.0
TINY_GAP, TINY_VELOCITY_GAP = 1e-6, 1e-4
"""Gaps [m], [m/s] that are nothing, even at a seam between two poses that stand perfectly still."""

EXPECTED = {
    "human": {
        "walk_forward", "jog_forward", "start_walk", "stop_walk", "walk_wait", "idle", "step_over",
        "jump_over_low", "jump_over_long", "duck_under", "crawl_under", "wave", "cheer", "sit_down", "rise",
    },
}  # fmt: skip


made = cache(fetch_library)


@pytest.fixture(scope="module", params=PERFORMERS, ids=lambda who: f"{who[0]} {who[1]}")
def library(request):
    return made(*request.param)


def all_clips(library):
    return [shown for behavior in library for shown in behavior.clips]


def test_a_cast_can_do_enough(library):
    assert len(library) >= LEAST_BEHAVIORS[library.name]
    assert library.fps == 30.0
    for behavior in library:
        assert 1 <= len(behavior.clips) <= 4, behavior.name
        for shown in behavior.clips:
            assert shown.margin == MARGIN
            if behavior.kind.endswith(("_over", "_under")):
                assert shown.action_time is not None, behavior.name


def test_whoever_arrives_in_a_pose_can_go_on(library):
    for behavior in library:
        assert library.followers(behavior), f"nothing follows {behavior.name}"
    entered = {behavior.entry for behavior in library}
    assert {behavior.exit for behavior in library} == entered


def test_planted_joints_stay_where_they_are(library):
    for shown in all_clips(library):
        clip = shown.clip
        assert clip.contacts is not None, clip.name
        for joint, planted in zip(clip.contacts.joints, clip.contacts.planted.T, strict=True):
            path = clip.positions[:, clip.skeleton.index(joint)]
            edges = np.flatnonzero(np.diff(np.concatenate([[0], planted.astype(int), [0]])))
            for start, stop in zip(edges[::2], edges[1::2], strict=True):
                slide = np.linalg.norm(path[start:stop] - path[start], axis=1).max()
                assert slide <= SLIDE, f"{clip.name}: {joint} slides {slide * 1e3:.1f} mm at frame {start}"


def test_nothing_sinks_into_the_ground(library):
    body = build_body(library.skeleton)
    for shown in all_clips(library):
        lowest = (body.capsules(shown.clip.positions)[..., 1].min(axis=-1) - body.radii).min(axis=1)
        frame = int(lowest.argmin())
        assert lowest[frame] >= -BELOW_GROUND, (
            f"{shown.clip.name} is {-lowest[frame] * 1e3:.0f} mm deep at {frame}"
        )


@pytest.mark.parametrize(("cast", "seed"), [who for who in PERFORMERS if who[0] != "horse"])
def test_knees_and_elbows_bend_one_way_only(cast, seed):
    library = made(cast, seed)
    roles = find_roles(library.skeleton)
    for shown in all_clips(library):
        for part, axis in (("knee", [1.0, 0, 0]), ("elbow", None)):
            for side, joint in zip((1, -1), roles.pair(part) or (), strict=True):
                turn = np.degrees(logarithm(shown.clip.rotations[:, joint]))
                along = turn @ (np.array(axis) if axis else np.array([0.0, -side, 0.0]))
                assert along.min() >= -1.0, f"{shown.clip.name}: {part} bent {along.min():.1f}°"


def test_what_may_follow_joins_without_a_gap(library):
    for seam in measure_seams(library):
        where = f"{seam.first} -> {seam.second}"
        assert seam.pose_gap <= max(SEAM_STEPS * seam.pose_step, TINY_GAP), where
        assert seam.velocity_gap <= max(SEAM_STEPS * seam.velocity_step, TINY_VELOCITY_GAP), where


def test_clips_of_a_behavior_are_similar_but_not_the_same(library):
    for behavior in library:
        for a, b in zip(behavior.clips[:-1], behavior.clips[1:], strict=True):
            frames = min(len(a.clip), len(b.clip))
            apart = np.abs(a.clip.positions[:frames] - b.clip.positions[:frames]).max()
            assert apart > 0.002, f"{behavior.name}: two clips are the same"


@pytest.mark.parametrize("cast", list(CASTS))
def test_the_same_seed_gives_the_same_bytes(cast, tmp_path):
    write_library(tmp_path / "a", made(cast, 0))
    write_library(tmp_path / "b", make_library(cast, 0))
    files = sorted(file.relative_to(tmp_path / "a") for file in (tmp_path / "a").rglob("*.*") if file.is_file())
    assert all((tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes() for file in files)
    assert len(read_library(tmp_path / "a")) == len(made(cast, 0))


@pytest.mark.parametrize(("cast", "seed"), [who for who in PERFORMERS if who[1]])
def test_another_seed_is_another_performer(cast, seed):
    one, other = (made(cast, number).behaviors[0].clips[0].clip for number in (0, seed))
    assert len(one) != len(other) or np.abs(one.positions - other.positions).max() > 0.002


def test_people_differ_in_stature():
    assert len({round(build_body(Performer(seed).skeleton()).height, 3) for seed in range(20)}) == 20


def test_the_human_cast_has_the_promised_behaviors():
    names = {behavior.name for behavior in made("human", 0)}
    assert EXPECTED["human"] <= names, EXPECTED["human"] - names


def test_an_unknown_cast_lists_the_known_ones():
    with pytest.raises(LibraryError, match="no cast 'robot'; there are: human, skateboarder, horse"):
        make_library("robot")
