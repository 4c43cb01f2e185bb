"""The table of a live crowd: steps that only live crowds take come behind all other followers of a pose."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.behaviors import build_graph
from walkon.builtin.casts import fetch_library
from walkon.crowd.live.repertoire import STOP_CLIPS, stack_repertoire


@pytest.fixture(scope="module")
def repertoire():
    entries = [("human", seed, build_graph(fetch_library("human", seed), live=True)) for seed in (0, 3)]
    return stack_repertoire(entries, "circle")


def behaviors_of(repertoire):
    return [behavior for one in repertoire.performers for behavior in one.graph.library]


def test_followers_are_what_planners_know_and_then_live_steps(repertoire):
    table, behaviors = repertoire.table, behaviors_of(repertoire)
    steps = 0
    for pose in table.poses:
        first, middle, last = (int(pose[name]) for name in ("follower_start", "follower_stop", "step_stop"))
        assert first <= middle <= last
        assert all(behaviors[number].kind != "step" for number in table.followers[first:middle])
        assert all(behaviors[number].kind == "step" for number in table.followers[middle:last])
        steps += last - middle
    assert steps == sum(behavior.kind == "step" for behavior in behaviors)
    assert int(table.poses["step_stop"][-1]) == len(table.followers)


def test_from_every_pose_a_stop_leads_to_a_stand(repertoire):
    table = repertoire.table
    for number in range(len(table.poses)):
        at = number
        for _ in range(STOP_CLIPS + 1):
            if table.poses[at]["rests"]:
                break
            stop = int(table.poses[at]["stop"])
            assert stop >= 0
            at = int(table.behaviors[stop]["exit"])
        assert table.poses[at]["rests"]


def test_planners_of_a_live_crowd_know_no_steps(repertoire):
    for one in repertoire.performers:
        assert not one.planned.which(lambda kind: kind.live).any()
        assert one.planned.poses == one.graph.poses[: len(one.planned.poses)]
        clip = len(one.planned.durations)
        assert repertoire.table.behaviors["natural"][repertoire.table.clips["behavior"][one.first_clip + clip]]
    assert np.all(np.diff(repertoire.table.clips["behavior"]) >= 0)
