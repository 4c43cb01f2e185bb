"""On hills: feet on the ground, not in it, and not sliding; on level ground nothing changes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from walkon.basics import runs
from walkon.behaviors import build_graph
from walkon.metrics import audit
from walkon.motion.features.outlines import supports_around
from walkon.planning import footing_of
from walkon.rotations import rotate
from walkon.skeleton import build_body, find_roles
from walkon.synthesis import perform_all
from walkon.synthesis.slopes import footing, smoothed, tilt
from walkon.synthesis.steps import step_weights
from walkon.synthesis.terrain import set_on_terrain
from walkon.take import Take
from walkon.world import HeightField

UNEVEN = ("crawl_under",)
"""Behaviors that rest on knees, which are not set on the ground."""


def on(take: Take, terrain: HeightField) -> Take:
    return replace(take, scene=replace(take.scene, terrain=terrain))


def ramp(slope: float) -> HeightField:
    """Ground that rises along x."""
    edge = 100.0 * slope
    return HeightField(-100.0, -100.0, 200.0, np.array([[-edge, edge], [-edge, edge]]))


def test_level_ground_changes_nothing_at_all(wander):
    take = wander("human", people=1)
    clip = perform_all(take)[0].clip
    assert set_on_terrain(clip, take.scene.terrain) is clip


@pytest.mark.parametrize("cast", ["human", "horse", "skateboarder"])
def test_feet_neither_dig_in_nor_slide_on_hills(wander, hills, cast):
    level = wander(cast, people=4, seed=6, without=UNEVEN)
    roles = find_roles(level.clips[0].clip.skeleton)
    joints = [joint for foot in roles.feet for joint in foot.joints]
    for flat, shown in zip(perform_all(level), perform_all(on(level, hills)), strict=True):
        there = shown.clip.positions
        contacts = shown.clip.contacts
        assert contacts is not None
        heights = there[:, joints, 1] - hills.at(there[:, joints, 0], there[:, joints, 2])
        assert (heights - np.minimum(flat.clip.positions[:, joints, 1], 0.02)).min() >= -0.005
        for column, name in enumerate(contacts.joints):
            joint = shown.clip.skeleton.index(name)
            above = there[:, joint, 1] - hills.at(there[:, joint, 0], there[:, joint, 2])
            planted = contacts.planted[:, column]
            assert np.abs(above - flat.clip.positions[:, joint, 1])[planted].max(initial=0.0) <= 0.012
            for start, stop in runs(planted):
                path = there[start:stop, joint][:, [0, 2]]
                assert np.linalg.norm(path - path[0], axis=1).max() <= 0.005


def test_nothing_is_rougher_on_hills(wander, hills):
    take = wander("human", people=4, seed=6, without=UNEVEN)
    for flat, shown in zip(perform_all(take), perform_all(on(take, hills)), strict=True):
        rough = [np.linalg.norm(np.diff(each.clip.positions, 2, axis=0), axis=-1).max() for each in (flat, shown)]
        assert rough[1] <= 1.3 * rough[0]


def test_the_body_rises_with_the_ground_and_people_stay_upright(wander):
    take = wander("human", people=2, seed=1, script=["walk_forward"] * 6)
    for flat, shown in zip(perform_all(take), perform_all(on(take, ramp(0.2))), strict=True):
        rise = shown.clip.root_positions[:, 1] - flat.clip.root_positions[:, 1]
        wanted = 0.2 * flat.clip.root_positions[:, 0]
        assert np.abs(rise - wanted).max() <= 0.12
        above = [shown.clip.skeleton.index(name) for name in ("Spine", "Head", "LeftArm")]
        assert np.allclose(shown.clip.world_rotations[:, above], flat.clip.world_rotations[:, above], atol=1e-9)


def test_the_hip_above_the_higher_foot_is_hitched_up(wander):
    take = wander("human", people=1, seed=1, script=["idle"])
    heading = take.roles[0].placements[0][2]
    for side in (1.0, -1.0):
        # It rises to the left of whoever stands there, or to the right.
        rise_x, rise_z = 30.0 * side * np.cos(heading), -30.0 * side * np.sin(heading)
        corners = [[x * rise_x + z * rise_z for x in (-1, 1)] for z in (-1, 1)]
        shown = perform_all(on(take, HeightField(-100.0, -100.0, 200.0, np.array(corners))))[0].clip
        left, right = (shown.positions[:, shown.skeleton.index(f"{name}UpLeg"), 1] for name in ("Left", "Right"))
        assert 0.01 < side * (left - right).mean() < 0.06


def test_soles_lie_on_the_slope(wander):
    take = wander("human", people=1, seed=1, script=["idle"])
    clip = perform_all(on(take, ramp(0.2)))[0].clip
    heel, toe = (clip.positions[30, clip.skeleton.index(f"Left{part}")] for part in ("Heel", "ToeTip"))
    level = perform_all(take)[0].clip
    flat_heel, flat_toe = (level.positions[30, level.skeleton.index(f"Left{part}")] for part in ("Heel", "ToeTip"))
    gained = (toe[1] - heel[1]) - (flat_toe[1] - flat_heel[1])
    assert gained == pytest.approx(0.2 * (toe[0] - heel[0]), abs=0.002)


def test_both_feet_stay_on_the_board(wander, hills):
    take = wander("skateboarder", people=1, seed=2, script=["glide", "carve_left_45", "glide"])
    skeleton = take.clips[0].clip.skeleton
    left, right, board = (skeleton.index(name) for name in ("LeftFoot", "RightFoot", "Board"))
    flat, shown = (perform_all(each)[0].clip.positions for each in (take, on(take, hills)))
    assert skeleton.parents[board] == left
    for a, b in ((right, board), (right, left)):
        apart = [np.linalg.norm(each[:, a] - each[:, b], axis=1) for each in (flat, shown)]
        assert np.abs(apart[1] - apart[0]).max() <= 0.003


def test_a_horse_pitches_with_the_slope_and_keeps_its_head_level(wander):
    take = wander("horse", people=1, seed=2, script=["gallop_forward"] * 4)
    skeleton = take.clips[0].clip.skeleton
    flat, shown = (perform_all(each)[0].clip for each in (take, on(take, ramp(0.25))))
    hips, chest, head = (skeleton.index(name) for name in ("Hips", "Chest", "Head"))
    ahead = (flat.positions[40, chest] - flat.positions[40, hips])[[0, 2]]
    rise = (shown.positions[40, chest] - shown.positions[40, hips])[1] - (
        flat.positions[40, chest] - flat.positions[40, hips]
    )[1]
    assert rise == pytest.approx(0.25 * ahead[0], abs=0.03)
    assert np.allclose(shown.world_rotations[40, head], flat.world_rotations[40, head], atol=1e-9)


def test_hands_rest_on_the_slope_in_a_crawl(wander):
    take = wander("human", people=1, seed=2, script=["crawl_under"], frames=230)
    flat, shown = (perform_all(each)[0].clip for each in (take, on(take, ramp(0.2))))
    assert flat.contacts is not None
    hand = flat.skeleton.index("LeftHand")
    planted = flat.contacts.planted[:, flat.contacts.joints.index("LeftHand")]
    above = shown.positions[planted, hand, 1] - 0.2 * shown.positions[planted, hand, 0]
    assert np.abs(above - flat.positions[planted, hand, 1]).max() <= 0.02


def test_tilt_takes_up_to_the_normal():
    slopes = np.random.default_rng(0).normal(size=(50, 2))
    normals = rotate(tilt(slopes), np.array([0.0, 1.0, 0.0]))
    wanted = np.column_stack([-slopes[:, 0], np.ones(50), -slopes[:, 1]])
    assert np.allclose(normals, wanted / np.linalg.norm(wanted, axis=1, keepdims=True))
    assert np.allclose(tilt(slopes)[:, 2], 0.0), "no turning about the vertical"


def test_footing_on_a_plane_is_the_plane_and_on_a_ridge_or_in_a_hollow_nothing_digs_in():
    x, z = np.meshgrid(np.arange(-2.0, 2.1, 0.5), np.arange(-2.0, 2.1, 0.5))
    points, ahead = np.array([[0.1, 0.2], [0.0, 0.0]]), np.array([[0.6, 0.8], [1.0, 0.0]])
    height, slope = footing(HeightField(-2.0, -2.0, 0.5, 0.3 * x - 0.1 * z), points, ahead, 0.25, 0.1)
    assert np.allclose(height, [0.01, 0.0])
    assert np.allclose(slope, [[0.3, -0.1], [0.3, -0.1]])
    for sign in (1.0, -1.0):
        ground = HeightField(-2.0, -2.0, 0.5, sign * np.abs(x))
        height, slope = footing(ground, points[1:], ahead[1:], 0.25, 0.1)
        for step in np.linspace(-0.125, 0.125, 9):
            assert height[0] + slope[0, 0] * step >= ground.at(step, 0.0) - 1e-9


def test_steps_bear_wholly_while_planted_and_share_the_gaps():
    steps = np.array([[2, 5], [8, 10], [30, 40]])
    frames, owner, weights = step_weights(steps, 6, 36)
    total = np.bincount(frames, weights, minlength=36)
    assert np.allclose(total[2:5], 1.0)
    assert np.allclose(total[5:8], 1.0), "a gap shorter than easing is shared between both"
    assert np.allclose(total[30:36], 1.0)
    assert total[17] == 0.0
    assert set(owner[frames == 6]) == {0, 1}
    assert frames.max() == 35


def test_smoothed_keeps_what_is_even():
    assert np.allclose(smoothed(np.full(20, 3.0), 4), 3.0)
    assert np.allclose(smoothed(np.arange(40.0), 2), np.arange(40.0))
    assert np.allclose(smoothed(np.arange(3.0), 4), np.arange(3.0))
    assert np.allclose(smoothed(np.ones(1), 4), 1.0)


def beyond(take: Take, terrain: HeightField) -> float:
    """How far [m] anybody on a terrain reaches at most beyond the outline of level ground."""
    worst = 0.0
    for flat, shown in zip(perform_all(take), perform_all(on(take, terrain)), strict=True):
        before, after = (
            supports_around(each.clip.positions, build_body(each.clip.skeleton)) for each in (flat, shown)
        )
        worst = max(worst, float((after.max(axis=1) - before.max(axis=1)).max()))
    return worst


@pytest.mark.parametrize("slope", [0.05, 0.1, 0.2, 0.4])
def test_the_room_that_planners_leave_on_slopes_holds_the_body_as_performed(wander, library, slope):
    room = float(footing_of([build_graph(library("human"))]).room(slope))
    take = wander("human", people=6, seed=2, without=("crawl_under", "duck_under", "jump_over", "step_over"))
    # Two people share the scene's clearance of 50 mm, most of which seams may take.
    found = [beyond(take, ramp(rise)) for rise in (slope, -slope)]
    assert 0.5 * room <= max(found) <= room + 0.005


def test_nobody_is_elsewhere_on_ground_that_is_hardly_not_level(wander):
    """Roles begin and end in the middle of steps: feet in the air are not held back there."""
    take = wander("human", people=4, seed=0, frames=300, without=UNEVEN)
    assert beyond(take, ramp(0.001)) <= 0.022


@pytest.mark.parametrize("step", ["step_back", "step_forward"])
def test_knees_do_not_snap_on_slopes_of_any_direction(wander, step):
    take = wander("human", people=3, seed=3, script=[step] * 3)
    for rise_x, rise_z in ((38.0, 0.0), (-38.0, 0.0), (0.0, 38.0), (0.0, -38.0)):
        corners = [[x * rise_x + z * rise_z for x in (-1, 1)] for z in (-1, 1)]
        slope = HeightField(-100.0, -100.0, 200.0, np.array(corners))
        assert not [found.message for found in audit(on(take, slope)).violations if found.kind == "jump"]
