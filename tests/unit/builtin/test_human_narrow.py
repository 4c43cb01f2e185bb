"""People who make themselves narrow: how broad they are, what turns and what does not, and that all joins."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from walkon.behaviors import Behavior, BehaviorClip, BehaviorLibrary, measure_seams
from walkon.builtin.actions.clearance import breadth_of
from walkon.builtin.casts.human_close import close_quarters_behaviors
from walkon.builtin.casts.human_narrow import narrow_behaviors
from walkon.builtin.performer import Performer
from walkon.motion import crop, placement_at
from walkon.rotations import heading_of

PEOPLE = {"average": Performer.average(), "broad": Performer(1), "child": Performer.average(height=1.2)}


@cache
def made(name: str) -> dict[str, Behavior]:
    makers = (close_quarters_behaviors, narrow_behaviors)
    return {behavior.name: behavior for maker in makers for behavior in maker(PEOPLE[name])}


@pytest.fixture(params=PEOPLE)
def behaviors(request) -> dict[str, Behavior]:
    return made(request.param)


def lane(shown: BehaviorClip, heading: float = 0.0) -> float:
    """Breadth [m] of the core of a clip across a direction [rad]."""
    return breadth_of(crop(shown.clip, shown.first, shown.last + 1), heading)


def angle(shown: BehaviorClip, left: str, right: str) -> np.ndarray:
    """Degrees by which the line from a right to a left joint is turned to the left, in every frame of the core."""
    joints, core = shown.clip.skeleton, slice(shown.first, shown.last + 1)
    line = shown.clip.positions[core, joints.index(left)] - shown.clip.positions[core, joints.index(right)]
    return np.degrees(np.arctan2(-line[:, 2], line[:, 0]))


@pytest.mark.parametrize(("name", "widest"), [("average", 0.62), ("broad", 0.62), ("child", 0.45)])
def test_the_more_shoulders_are_turned_the_narrower_is_the_lane(name, widest):
    behaviors = made(name)
    for side in ("left", "right"):
        straight, some, more = (
            lane(behaviors[f"{behavior}_on_{side}"].clips[0])
            for behavior in ("walk_slow_forward", "walk_narrow_30_forward", "walk_narrow_60_forward")
        )
        aside = lane(behaviors[f"sidle_{side}"].clips[0], 0.5 * np.pi)
        assert straight < widest
        assert some < 0.88 * straight
        assert more < 0.67 * straight
        assert aside < 0.33
        assert aside < 0.9 * more


def test_shoulders_turn_hips_follow_and_feet_keep_to_the_way(behaviors):
    for degrees in (30, 60):
        shown = behaviors[f"walk_narrow_{degrees}_forward_on_left"].clips[0]
        shoulders, hips = (angle(shown, f"Left{part}", f"Right{part}") for part in ("Arm", "UpLeg"))
        assert -shoulders.mean() == pytest.approx(degrees, abs=4.0)
        assert -hips.mean() == pytest.approx(0.5 * degrees, abs=3.0)
        for side in ("Left", "Right"):
            toes, heels = (
                shown.clip.positions[:, shown.clip.skeleton.index(side + part)] for part in ("ToeBase", "Heel")
            )
            pointing = np.degrees(np.arctan2(*(toes - heels)[:, [0, 2]].T))
            assert np.abs(pointing).max() < 15.0, "feet step along the way"


def test_all_joins_are_exact(behaviors):
    for seam in measure_seams(BehaviorLibrary("human", tuple(behaviors.values()))):
        assert seam.pose_gap <= 0.0025, seam
        assert seam.velocity_gap <= 1.5 * seam.velocity_step + 1e-4, seam


def test_whoever_makes_himself_narrow_needs_one_step_for_it(behaviors):
    for degrees in (30, 60):
        into, out = (behaviors[f"walk_narrow_{degrees}_{part}_on_left"] for part in ("in", "out"))
        assert (into.entry, into.exit) == ("slow_on_left", f"narrow_{degrees}_on_right")
        assert (out.entry, out.exit) == (f"narrow_{degrees}_on_left", "slow_on_right")
        assert into.clips[0].duration == out.clips[0].duration < 0.8


def test_who_sidles_looks_where_he_goes_and_turns_back(behaviors):
    into, aside, out = (behaviors[name].clips[0] for name in ("sidle_in_left", "sidle_left", "sidle_out_left"))
    ways = [
        placement_at(one.clip, one.first).inverse() @ placement_at(one.clip, one.last)
        for one in (into, aside, out)
    ]
    assert [np.degrees(way.heading) for way in ways] == pytest.approx([-90.0, 0.0, 90.0], abs=1.0)
    assert ways[1].x > 0.2
    assert abs(ways[1].z) < 0.01
    head, chest = (
        np.degrees(heading_of(aside.clip.world_rotations[:, aside.clip.skeleton.index(joint)]))
        for joint in ("Head", "Spine2")
    )
    assert (head - chest).min() > 50.0
