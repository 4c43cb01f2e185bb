"""The parts of the builder, each against an obvious twin or a case with a known answer."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.behaviors.building.linking import connected_poses
from walkon.behaviors.building.measuring import measure_deed
from walkon.behaviors.building.naming import turn_range
from walkon.builtin.casts import fetch_library
from walkon.motion.features.clouds import align, cloud_distances, watched_joints
from walkon.rotations import Placement


def plain_distance(cloud, known, other, other_known, weights):
    """Root mean square distance at the best of many turns, each with the best shift."""
    times = known * other_known
    w = (times / times.sum())[:, None] * weights
    best = np.inf
    for heading in np.linspace(-np.pi, np.pi, 4001):
        moved = Placement(0.0, 0.0, heading).points(other)
        apart = cloud - moved
        apart[..., [0, 2]] -= np.einsum("kj,kjc->c", w, apart[..., [0, 2]])
        best = min(best, float(np.einsum("kj,kjc->", w, apart**2)))
    return np.sqrt(best)


@pytest.mark.parametrize("seed", range(3))
def test_cloud_distance_is_the_least_over_all_turns_and_shifts(seed):
    rng = np.random.default_rng(seed)
    cloud, others = rng.normal(size=(3, 4, 3)), rng.normal(size=(2, 3, 4, 3))
    known, others_known = np.array([1.0, 1.0, 0.0]), np.array([[1.0, 1.0, 1.0], [0.0, 1.0, 1.0]])
    weights = np.array([0.4, 0.3, 0.2, 0.1])
    found = cloud_distances(cloud, known, others, others_known, weights)
    for i in range(2):
        assert found[i] == pytest.approx(
            plain_distance(cloud, known, others[i], others_known[i], weights), abs=1e-4
        )


def test_cloud_distance_ignores_place_and_heading_but_not_height():
    rng = np.random.default_rng(5)
    cloud = rng.normal(size=(3, 6, 3))
    moved = Placement(3.0, -2.0, 2.5).points(cloud)
    ones, weights = np.ones(3), np.full(6, 1 / 6)
    assert cloud_distances(cloud, ones, moved[None], ones[None], weights)[0] == pytest.approx(0.0, abs=1e-7)
    raised = moved + np.array([0.0, 0.1, 0.0])
    assert cloud_distances(cloud, ones, raised[None], ones[None], weights)[0] == pytest.approx(0.1)


def test_align_finds_the_placement_that_was_applied():
    rng = np.random.default_rng(7)
    moving = rng.normal(size=(4, 5, 3))
    there = Placement(1.5, -0.7, -2.9)
    found = align(there.points(moving), moving, np.full((4, 5), 0.3))
    assert (found.x, found.z, found.heading) == pytest.approx((there.x, there.z, there.heading))


def test_watched_joints_leave_out_fingers_and_make_arms_light():
    skeleton = fetch_library("horse").skeleton
    joints, weights = watched_joints(skeleton)
    assert len(joints) == len(set(joints.tolist())) == len(weights)
    assert weights.sum() == pytest.approx(1.0)


def test_poses_that_lead_nowhere_or_that_nothing_leads_to_go():
    links = [
        ("stand", "walk", "transition"),
        ("walk", "stand", "transition"),
        ("walk", "walk", "locomotion"),
        ("walk", "fallen", "transition"),
        ("ceiling", "walk", "transition"),
        ("walk", "jog", "transition"),
        ("jog", "walk", "jump_over"),
    ]
    assert connected_poses(links) == {"stand", "walk"}
    assert connected_poses([*links, ("jog", "walk", "transition")]) == {"stand", "walk", "jog"}
    assert connected_poses([]) == set()
    assert connected_poses([("a", "b", "transition")]) == set()


def test_deeds_of_a_cast_are_what_its_behaviors_claim(human_cast):
    cast = human_cast
    deeds = {name: measure_deed(cast[name].clips[0]) for name in DEEDS}
    assert deeds["jump_over_low"].over > 0.35
    assert deeds["jog_forward"].over < 0.2
    assert deeds["jump_over_low"].over_time == pytest.approx(cast["jump_over_low"].clips[0].action_time, abs=0.2)
    assert deeds["duck_under"].under < 1.25
    assert deeds["walk_forward"].under > 1.4
    assert deeds["duck_under"].under_time == pytest.approx(cast["duck_under"].clips[0].action_time, abs=0.35)
    assert np.degrees(deeds["walk_left_45"].turn) == pytest.approx(45.0, abs=5.0)
    assert deeds["jog_forward"].flight > 0.05
    assert deeds["walk_forward"].flight == 0.0
    assert turn_range([deeds["walk_left_45"]]) == 2
    assert turn_range([deeds["walk_forward"]]) == 0


DEEDS = ("walk_forward", "walk_left_45", "jog_forward", "jump_over_low", "duck_under")
