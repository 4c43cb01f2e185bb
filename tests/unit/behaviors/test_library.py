"""A behavior library holds together, and survives being written, edited and read."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.behaviors import (
    Behavior,
    BehaviorClip,
    BehaviorLibrary,
    measure_seam,
    measure_seams,
    read_library,
    write_library,
)
from walkon.errors import LibraryError
from walkon.motion import Clip, place
from walkon.rotations import Placement, rotation_about_y
from walkon.skeleton import Skeleton

BODY = Skeleton(
    ["Hips", "Spine", "Head", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"],
    [-1, 0, 1, 0, 3, 4, 0, 6, 7],
    [[0, 0, 0], [0, 0.3, 0], [0, 0.3, 0], *[[x, y, 0] for x in (0.1, -0.1) for y in (0, -0.4, -0.4)]],
)


def march(name="march", frames=40, speed=1.2, bend=0.0, fps=30.0):
    """A stiff body that glides along +z with its spine turning a little."""
    times = np.arange(frames) / fps
    rotations = np.tile([1.0, 0, 0, 0], (frames, len(BODY), 1))
    rotations[:, 1] = rotation_about_y(bend * np.sin(times))
    return Clip(name, BODY, fps, np.stack([0 * times, 0.8 + 0 * times, speed * times], axis=1), rotations)


def library():
    walk = Behavior("walk", "walk", "walk", (BehaviorClip(march("a")), BehaviorClip(march("b", 50))))
    leap = Behavior("leap", "walk", "stand", (BehaviorClip(march("c"), action_time=0.5),), "jump_over", 2.5)
    idle = Behavior("idle", "stand", "walk", (BehaviorClip(march("d"), margin=4),), "wait")
    return BehaviorLibrary("marchers", (walk, leap, idle))


def test_what_may_follow_what():
    cast = library()
    assert [follower.name for follower in cast.followers(cast["walk"])] == ["walk", "leap"]
    assert [follower.name for follower in cast.followers(cast["leap"])] == ["idle"]
    assert cast.poses == ("walk", "stand")
    assert len(cast) == 3
    assert (cast.fps, cast.skeleton) == (30.0, BODY)


def test_the_core_of_a_clip_lies_between_its_margins():
    shown = BehaviorClip(march(frames=40), margin=8)
    assert (shown.first, shown.last) == (8, 31)
    assert shown.duration == pytest.approx(23 / 30)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BehaviorClip(march(frames=17)), "too few"),
        (lambda: BehaviorClip(march(), action_time=9.0), "lies outside"),
        (lambda: Behavior("x", "a", "b", ()), "no clips"),
        (lambda: Behavior("x", "a", "b", (BehaviorClip(march()),), "fly_over"), "no kind 'fly_over'; there are"),
        (lambda: Behavior("x", "a", "b", (BehaviorClip(march()),), weight=0.0), "weight"),
        (lambda: Behavior("../x", "a", "b", (BehaviorClip(march()),)), "letters, digits"),
        (lambda: BehaviorLibrary("none", ()), "no behaviors"),
        (lambda: BehaviorLibrary("twice", library().behaviors * 2), "unique; repeated: idle"),
        (lambda: library()["fly"], "no behavior 'fly'; there are: walk, leap, idle"),
    ],
)
def test_what_does_not_hold_together_is_an_error(make, message):
    with pytest.raises(LibraryError, match=message):
        make()


def test_clips_of_other_rates_or_skeletons_do_not_belong():
    walk = library()["walk"]
    slow = Behavior("slow", "walk", "walk", (BehaviorClip(march(fps=25.0)),))
    with pytest.raises(LibraryError, match="25 Hz"):
        BehaviorLibrary("mixed", (walk, slow))
    giant = march()
    tall = Clip("tall", BODY.scaled(2), 30.0, giant.root_positions, giant.rotations)
    with pytest.raises(LibraryError, match="another skeleton"):
        BehaviorLibrary("mixed", (walk, Behavior("tall", "walk", "walk", (BehaviorClip(tall),))))


def test_a_folder_gives_the_same_library_back(tmp_path):
    cast = library()
    write_library(tmp_path, cast)
    back = read_library(tmp_path)
    assert [(b.name, b.kind, b.entry, b.exit, b.weight) for b in back] == [
        (b.name, b.kind, b.entry, b.exit, b.weight) for b in cast
    ]
    for ours, theirs in zip(cast, back, strict=True):
        for a, b in zip(ours.clips, theirs.clips, strict=True):
            assert (a.margin, a.action_time) == (b.margin, b.action_time)
            np.testing.assert_array_equal(a.clip.rotations, b.clip.rotations)


def test_the_same_library_gives_the_same_bytes(tmp_path):
    for folder in ("a", "b"):
        write_library(tmp_path / folder, library())
    for file in sorted((tmp_path / "a").rglob("*.*")):
        assert file.read_bytes() == (tmp_path / "b" / file.relative_to(tmp_path / "a")).read_bytes()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("version = 1", "version = 2", "reads version 1, not 2"),
        ('entry = "walk"', "entry = 3", "entry must be a name"),
        ("clips/walk_1", "../../etc/passwd", "outside the library"),
        ("clips/walk_1", "clips/none", "none"),
        ('kind = "jump_over"', 'kind = "fly"', "no kind 'fly'"),
        ("weight = 2.5", 'weight = "dear"', "weight must be a number"),
        ("weight = 2.5", "wieght = 2.5", "unknown key wieght"),
        ("margin = 8", 'margin = "8"', "margin is a number"),
        ("[[behavior]]", "[[behavior]", "not TOML"),
    ],
)
def test_a_broken_index_says_where(tmp_path, old, new, message):
    write_library(tmp_path, library())
    index = tmp_path / "library.toml"
    text = index.read_text()
    assert old in text
    index.write_text(text.replace(old, new))
    with pytest.raises(LibraryError, match=message) as caught:
        read_library(tmp_path)
    assert str(index) in str(caught.value)


def test_no_folder_is_a_library_error(tmp_path):
    with pytest.raises(LibraryError, match="cannot be read"):
        read_library(tmp_path / "nothing")


def test_seams_ignore_where_clips_stand_and_see_how_they_differ():
    steady = BehaviorClip(march())
    elsewhere = BehaviorClip(place(march(), Placement(3.0, -2.0, 1.0)))
    seam = measure_seam(steady, elsewhere)
    assert seam.pose_gap < 1e-9
    assert seam.velocity_gap < 1e-9
    assert seam.pose_step == pytest.approx(1.2 / 30)
    faster = measure_seam(steady, BehaviorClip(march(speed=2.2)))
    assert faster.velocity_gap == pytest.approx(1.0)
    assert len(measure_seams(library())) == 2 * 3 + 1 + 3
