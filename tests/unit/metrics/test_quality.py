"""What animators ask: slides, jumps, transitions, doubles, collisions, travel, density, flow, on known cases."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from walkon.errors import TrajectoryError
from walkon.metrics import AuditFigures, AuditReport, Violation, audit
from walkon.metrics.quality import (
    find_crossings,
    map_density,
    measure_collisions,
    measure_density,
    measure_quality,
    measure_repetition,
    measure_transitions,
    measure_travel,
)
from walkon.metrics.quality.poses import joints_of, measure_slide
from walkon.metrics.trajectories import Trajectories, of_take
from walkon.motion import Contacts
from walkon.rotations import Placement
from walkon.synthesis import perform_all, perform_each

from .conftest import Shown, stick

BEHAVIORS = ["start_walk", "walk_forward", "walk_left_20", "stop_walk", "idle"]
ORDER = [0, 1, 2, 1, 3, 4]


@pytest.fixture(scope="module")
def take(workshop):
    return workshop.take(
        BEHAVIORS, ORDER, (Placement(0.0, 0.0, 0.3), Placement(-2.0, 0.5, 0.3), Placement(9.0, 9.0))
    )


@pytest.fixture(scope="module")
def shown(take):
    return perform_all(take)


def walkers(*paths, fps=10.0, **facts):
    return Trajectories.build(fps, paths, **facts)


def planted(shown, joints, frames):
    return Shown(shown.character, shown.start_frame, shown.clip.with_changes(contacts=Contacts(joints, frames)))


# Poses


def test_a_planted_base_that_moves_slides():
    bases = np.zeros((10, 3))
    bases[:, 0] = [0, 0, 0, 0.01, 0.03, 0.03, 0.03, 0.5, 0.5, 0.5]
    held = np.zeros((10, 1), dtype=bool)
    held[:7] = True
    one = planted(stick("a", bases, start_frame=6), ("base",), held)
    found = measure_slide(one, joints_of(one.clip))
    assert found.frames == 6
    assert found.mean == pytest.approx(0.03 / 6)
    assert found.worst == pytest.approx(0.02)
    assert found.time == pytest.approx((6 + 3) / 30.0)


def test_a_toe_that_lifts_off_does_not_slide_whatever_labels_say():
    """Six centimetres a frame, but in the air, at both ends of two contacts."""
    bases = np.zeros((20, 3))
    bases[:, 0] = np.repeat([0.0, 0.3], 10) + np.tile([-0.06, 0, 0, 0, 0, 0, 0, 0, 0.06, 0.12], 2)
    bases[:, 1] = np.tile([0.02, 0, 0, 0, 0, 0, 0, 0, 0.02, 0.05], 2)
    one = planted(stick("a", bases), ("base",), np.tile([[True]] * 9 + [[False]], (2, 1)))
    found = measure_slide(one, joints_of(one.clip))
    assert found.frames == 12
    assert found.worst == 0.0
    bases[:, 1] = 0.0
    one = planted(stick("a", bases), ("base",), np.tile([[True]] * 9 + [[False]], (2, 1)))
    assert measure_slide(one, joints_of(one.clip)).worst == pytest.approx(0.06)


def test_where_nothing_is_planted_nothing_slides():
    one = planted(stick("a", np.zeros((10, 3))), ("base",), np.zeros((10, 1), dtype=bool))
    found = measure_slide(one, joints_of(one.clip))
    assert found.frames == 0
    assert math.isnan(found.mean)


def test_feet_of_the_cast_hardly_slide_and_seams_are_smooth(take, shown):
    quality, trajectories = measure_quality(take, performances=shown)
    for slide, seam in zip(quality.slides, quality.seams, strict=True):
        assert slide.frames > 100
        assert 0.0 <= slide.mean < 2e-4
        assert slide.worst < 1e-3
        assert seam.excess < 0.6
        assert seam.mean > 0.0
    np.testing.assert_array_equal(trajectories.places, of_take(take, shown).places)
    assert quality.collisions is None


def test_feet_without_labels_are_found_by_sight(shown):
    bare = [Shown(one.character, one.start_frame, one.clip.with_changes(contacts=None)) for one in shown]
    found = measure_slide(bare[0], joints_of(bare[0].clip))
    assert found.frames > 50
    assert found.worst < 0.011  # low and slow are at most 0.3 m/s


@pytest.mark.parametrize("late", [-4, 2])
def test_a_jump_at_a_seam_is_found_and_one_elsewhere_is_not(take, shown, late):
    def shifted(one, frame, by=0.15):
        roots = one.clip.root_positions.copy()
        roots[frame:, 0] += by
        return Shown(one.character, one.start_frame, one.clip.with_changes(root_positions=roots))

    seam = int(take.roles[0].frames[2])
    broken = [shifted(shown[0], seam + late), *shown[1:]]
    quality, _ = measure_quality(take, performances=broken)
    assert quality.seams[0].excess == pytest.approx(0.15 * 30.0, abs=1.0)
    assert quality.seams[0].time == pytest.approx((seam + late - 0.5) / 30.0, abs=0.04)
    assert quality.seams[1].excess < 0.6
    middle = (seam + int(take.roles[0].frames[1])) // 2
    quality, _ = measure_quality(take, performances=[shifted(shown[0], middle), *shown[1:]])
    assert quality.seams[0].excess < 0.6
    assert quality.seams[0].elsewhere > 0.1


def test_one_after_another_is_the_same_as_all_at_once(take, shown):
    for one, other in zip(perform_each(take), shown, strict=True):
        assert (one.character, one.start_frame) == (other.character, other.start_frame)
        np.testing.assert_array_equal(one.clip.rotations, other.clip.rotations)
        np.testing.assert_array_equal(one.clip.root_positions, other.clip.root_positions)


# Roles


def test_transitions_are_counted_by_the_minute(take):
    found = measure_transitions(take)
    minutes = take.frames / take.fps / 60.0
    np.testing.assert_allclose(found.rates, 5 / minutes)
    np.testing.assert_allclose(found.changes, 5 / minutes)
    assert (found.costs > 0.0).all()
    assert (found.costs < 0.05).all()
    role = take.roles[0]
    clips = np.array([0, 1, 1, 1, 3, 4])
    again = replace(take, roles=(replace(role, clips=clips, frames=_frames(take, clips)),))
    steady = measure_transitions(again)
    assert steady.changes[0] == pytest.approx(3 / 5 * steady.rates[0])


def _frames(take, clips):
    return np.concatenate([[0], np.cumsum([take.clips[clip].duration for clip in clips])[:-1]])


def test_doubles_within_five_metres_are_counted(take):
    # The first two do the same at the same time, two metres apart; the third is too far away.
    found = measure_repetition(take)
    minutes = take.frames / take.fps / 60.0
    np.testing.assert_allclose(found.rates, [6 / minutes, 6 / minutes, 0.0])
    assert found.others.tolist() == [1, 0, -1]
    np.testing.assert_allclose(found.times, [0.0, 0.0, np.nan])


@pytest.mark.parametrize(("late", "doubles"), [(3, 6), (4, 0)])
def test_who_is_a_little_late_is_still_a_double(take, late, doubles):
    first, second, _ = take.roles
    roles = (first, replace(second, frames=second.frames + late))
    found = measure_repetition(replace(take, roles=roles, frames=take.frames + late))
    assert found.rates[0] == pytest.approx(doubles / ((take.frames + late) / take.fps / 60.0))


def test_nobody_repeats_themselves(take):
    role = take.roles[0]
    clips = np.array([0, 1, 1, 1, 3, 4])
    alone = replace(take, roles=(replace(role, clips=clips, frames=_frames(take, clips)),))
    assert measure_repetition(alone).rates.tolist() == [0.0]


def violation(kind, who, other, first, last):
    return Violation(kind, who, other, first, last, float(first), first / 30.0, None, 0.01, "touch")


def test_time_in_collision_counts_every_frame_once():
    report = AuditReport(
        (
            violation("bodies", "a", "b", 0, 29),
            violation("bodies", "b", "c", 15, 44),
            violation("obstacle", "b", "a", 60, 74),
            violation("slide", "c", "", 0, 900),
        ),
        AuditFigures(people=3, frames=1000, seconds=33.0, obstacles=1, unplanned=0, pairs=0, overlap_seconds=4.0),
    )
    found = measure_collisions(report, ["a", "b", "c", "d"], 30.0)
    # An obstacle that happens to be called "a" makes no collision of the person.
    np.testing.assert_allclose(found.seconds, [1.0, 2.0, 1.0, 0.0])
    assert found.overlap_seconds == 4.0
    np.testing.assert_allclose(found.times, [0.0, 0.0, 0.5, np.nan])
    assert found.events == 3


def test_two_who_walk_through_each_other_are_in_collision(workshop):
    crash = workshop.take(BEHAVIORS, ORDER, (Placement(0.0, 0.0), Placement(0.1, 0.0)))
    quality, _ = measure_quality(crash, report=audit(crash))
    assert quality.collisions is not None
    np.testing.assert_allclose(quality.collisions.seconds, crash.frames / crash.fps, atol=0.2)


# Travel, density, flow


def test_travel_ends_on_arrival():
    z = np.concatenate([np.linspace(0.0, 10.0, 101), np.full(100, 10.0)])
    path = np.stack([np.zeros(201), z], axis=1)
    found = measure_travel(walkers(path, path, path, goals=[[0.0, 10.2], [4.0, 0.0], [np.nan, np.nan]]))
    assert found.times[0] == pytest.approx(10.0, abs=0.11)
    assert found.distances[0] == pytest.approx(10.0, abs=0.11)
    assert found.deviations[0] == pytest.approx(0.2, abs=0.06)
    assert found.times[1:].tolist() == [20.0, 20.0]
    assert found.deviations[1] == pytest.approx(math.hypot(4.0, 10.0))
    assert math.isnan(found.deviations[2])
    assert found.arrived.tolist() == [True, False, False]


def test_density_of_a_grid_of_people():
    x, z = np.meshgrid(np.arange(10) * 0.8 + 0.4, np.arange(10) * 0.8 + 0.4)
    crowd = walkers(*[np.tile(place, (21, 1)) for place in np.stack([x.ravel(), z.ravel()], axis=1)])
    found = measure_density(crowd, (0.0, 0.0, 8.0, 8.0))
    np.testing.assert_allclose(found.densities, 100 / 64.0)
    assert found.counts.tolist() == [100] * 5
    np.testing.assert_allclose(found.times, [0.0, 0.5, 1.0, 1.5, 2.0])
    np.testing.assert_allclose(found.felt, 1.0 / 0.64)
    np.testing.assert_allclose(found.peaks, 1.0 / 0.64)
    assert found.flow == 0.0
    half = measure_density(crowd, (0.0, 0.0, 4.0, 8.0))
    np.testing.assert_allclose(half.densities, 50 / 32.0)
    assert np.isnan(half.felt).sum() == 50


def test_who_is_alone_has_a_circle():
    path = np.stack([np.arange(21) * 0.12, np.zeros(21)], axis=1)
    found = measure_density(walkers(path), (-20.0, -20.0, 20.0, 20.0))
    circle = 16.0 * math.sin(math.pi / 16.0)  # area of a polygon with 32 corners
    np.testing.assert_allclose(found.felt, 1.0 / circle)
    assert found.flow == pytest.approx(1.2 / circle)


def test_people_on_one_spot_do_not_divide_by_nothing():
    found = measure_density(walkers(np.zeros((11, 2)), np.zeros((11, 2))))
    assert np.isfinite(found.felt).all()


def test_two_share_the_ground_between_them():
    pair = walkers(np.zeros((11, 2)), np.tile([0.6, 0.0], (11, 1)))
    found = measure_density(pair, (-5.0, -5.0, 5.0, 5.0))
    circle = 16.0 * math.sin(math.pi / 16.0)
    # Less than a circle, more than half of one.
    assert found.felt[0] == pytest.approx(found.felt[1])
    assert 1.0 / circle < found.felt[0] < 2.0 / circle


def test_a_map_of_density_adds_up_to_everybody():
    rng = np.random.default_rng(0)
    crowd = walkers(*rng.uniform(0.0, 5.0, size=(7, 30, 2)))
    found = map_density(crowd, (0.0, 0.0, 5.0, 5.0), cell=0.5)
    assert found.shape == (10, 10)
    assert found.sum() * 0.25 == pytest.approx(7.0)
    lone = map_density(walkers(np.tile([3.2, 1.1], (5, 1))), (0.0, 0.0, 5.0, 4.0))
    assert np.argwhere(lone).tolist() == [[1, 3]]
    with pytest.raises(TrajectoryError, match="cells"):
        map_density(crowd, (0.0, 0.0, 1e5, 1e5), cell=0.1)


def test_everybody_crosses_a_line_once():
    t = np.arange(0, 101) / 10.0
    ahead = np.stack([np.zeros_like(t), t - 5.0], axis=1)
    there_and_back = np.stack([np.full_like(t, 0.5), 3.0 * np.sin(t) - 0.5], axis=1)
    beside = ahead + np.array([5.0, 0.0])
    found = find_crossings(walkers(ahead, there_and_back, beside, starts=[0, 0, 0]), [(-1.0, 0.05), (1.0, 0.05)])
    assert found.people.tolist() == [1, 0]
    assert found.times[1] == pytest.approx(5.05)
    # The line runs along +x; +z is on its right.
    assert found.directions.tolist() == [-1, -1]
    assert found.flow == pytest.approx(1.0 / (found.times[1] - found.times[0]))
    back = find_crossings(walkers(ahead[::-1]), [(-1.0, 0.0), (1.0, 0.0)])
    assert back.directions.tolist() == [1]
    assert math.isnan(back.flow)
    with pytest.raises(TrajectoryError, match="line"):
        find_crossings(walkers(ahead), [(1.0, 1.0), (1.0, 1.0)])


def test_areas_must_have_one():
    with pytest.raises(TrajectoryError, match="area"):
        measure_density(walkers(np.zeros((3, 2))), (1.0, 0.0, 0.0, 1.0))


def test_nobody_is_not_dense():
    found = measure_density(walkers())
    assert len(found.times) == 0
    assert math.isnan(found.flow)
    assert measure_travel(walkers()).times.shape == (0,)
    assert len(find_crossings(walkers(), [(0, 0), (1, 0)]).times) == 0
