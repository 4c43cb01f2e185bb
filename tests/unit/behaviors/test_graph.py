"""The graph says of every clip what the clip itself shows, and of every behavior what may follow."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from walkon.behaviors import BEHAVIOR_KINDS, Behavior, BehaviorClip, BehaviorLibrary, build_graph
from walkon.builtin.casts import fetch_library
from walkon.errors import LibraryError
from walkon.motion import bounding_circles, place, placement_at
from walkon.rotations import Placement
from walkon.skeleton import build_body


@pytest.fixture(scope="module")
def library() -> BehaviorLibrary:
    return fetch_library("skateboarder", 0)


@pytest.fixture(scope="module")
def graph(library):
    return build_graph(library)


def test_followers_are_those_that_begin_where_one_ends(library, graph):
    for index, behavior in enumerate(library):
        pose = graph.exit[index]
        followers = graph.followers[graph.follower_starts[pose] : graph.follower_starts[pose + 1]]
        assert [graph.names[other] for other in followers] == [b.name for b in library.followers(behavior)]
        assert graph.kind_of(index).name == behavior.kind


def test_a_clip_put_anywhere_ends_and_reaches_where_the_tables_say(graph):
    where = Placement(3.0, -2.0, 2.1)
    for index in range(len(graph.durations)):
        shown = graph.clip(index)
        clip = place(shown.clip, where @ placement_at(shown.clip, shown.first).inverse())
        end = where @ Placement(*graph.displacements[index])
        found = placement_at(clip, shown.last)
        assert (found.x, found.z) == pytest.approx((end.x, end.z), abs=1e-9)
        assert np.cos(found.heading - end.heading) == pytest.approx(1.0, abs=1e-12)
        core = slice(shown.first, shown.last + 1)
        frames = graph.circles[graph.frame_starts[index] : graph.frame_starts[index + 1]]
        assert len(frames) == graph.durations[index] + 1 == shown.last - shown.first + 1
        x, z = where.point(frames[:, 0], frames[:, 1])
        circles = bounding_circles(clip)
        np.testing.assert_allclose(np.stack([x, z], axis=1), circles.centers[core], atol=1e-9)
        np.testing.assert_allclose(frames[:, 2], circles.radii[core], atol=1e-9)


def test_only_special_clips_bring_their_capsules(library, graph):
    body = build_body(library.skeleton)
    for index in range(len(graph.durations)):
        behavior = library.behaviors[graph.behavior_of(index)]
        rows = slice(*graph.capsule_starts[index : index + 2])
        if not BEHAVIOR_KINDS[behavior.kind].special:
            assert rows.start == rows.stop
            continue
        shown = graph.clip(index)
        seen = placement_at(shown.clip, shown.first).inverse()
        frame = graph.action_frames[index]
        expected = seen.points(body.capsules(shown.clip.positions[shown.first + frame]))
        np.testing.assert_allclose(graph.capsules[rows][frame, :, :6], expected.reshape(-1, 6), atol=1e-9)
        np.testing.assert_allclose(graph.capsules[rows][frame, :, 6], body.radii)


def test_cost_is_the_mean_length_of_the_path_times_the_weight(library, graph):
    for index, behavior in enumerate(library):
        lengths = [
            sum(np.hypot(*(after - before)[[0, 2]]) for before, after in pairwise(roots))
            for shown in behavior.clips
            for roots in [shown.clip.root_positions[shown.first : shown.last + 1]]
        ]
        assert graph.costs[index] == pytest.approx(behavior.weight * np.mean(lengths))


def test_one_can_rest_only_where_a_wait_stays_on_the_spot(graph):
    assert dict(zip(graph.poses, graph.rests, strict=True)) == {"glide": False, "stand": True}
    x, z, radius = graph.rest_circles[graph.poses.index("stand")]
    for index in graph.resting(graph.poses.index("stand")):
        assert graph.names[graph.behavior_of(index)] == "wait"
        frames = graph.circles[graph.frame_starts[index] : graph.frame_starts[index + 1]]
        assert (np.hypot(frames[:, 0] - x, frames[:, 1] - z) + frames[:, 2] <= radius).all()


def test_more_clips_of_a_behavior_change_nothing_but_the_tables_of_clips(library, graph):
    doubled = BehaviorLibrary("more", tuple(replace(b, clips=b.clips * 2) for b in library))
    more = build_graph(doubled)
    for same in ("entry", "exit", "rests", "kinds", "follower_starts", "followers", "costs"):
        np.testing.assert_allclose(getattr(more, same), getattr(graph, same))
    assert len(more.durations) == 2 * len(graph.durations)


def test_tastes_change_costs_and_forbid(graph):
    fussy = graph.customized({"carve_*": 3.0, "jump_over": 2.0}, ("duck_under", "push"))
    for index, name in enumerate(graph.names):
        factor = 3.0 if name.startswith("carve") else 2.0 if name == "jump" else 1.0
        assert fussy.costs[index] == pytest.approx(factor * graph.costs[index])
    offered = {graph.names[index] for index in fussy.followers}
    assert offered == set(graph.names) - {"duck", "push"}
    assert graph.allowed.all()


def test_unknown_tastes_are_refused_with_what_there_is(graph):
    with pytest.raises(LibraryError, match=r"no behavior 'fly'; there are: glide"):
        graph.customized({"fly": 2.0})
    with pytest.raises(LibraryError, match="must be positive"):
        graph.customized({"glide": 0.0})
    assert graph.customized({}, ("gesture",)).allowed.all()  # a kind may be absent


def test_the_action_of_a_clip_that_names_none_is_in_its_middle(library):
    glide = library["glide"]
    shown = BehaviorClip(glide.clips[0].clip, glide.clips[0].margin, action_time=None)
    graph = build_graph(BehaviorLibrary("one", (Behavior("glide", "glide", "glide", (shown,)),)))
    assert graph.action_frames[0] == graph.durations[0] // 2
