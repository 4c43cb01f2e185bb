"""Paths made by hand, whose every measure is known: lines, circles, mirrors, people who stand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.metrics.plausibility import (
    map_pairs,
    measure_jerkiness,
    measure_kinematics,
    measure_proximity,
    measure_resistance,
    measure_synchronicity,
    pair_series,
    speeds,
)
from walkon.metrics.plausibility.blocks import blocks
from walkon.metrics.plausibility.resistance import BEST_SPEED, LEAST_ENERGY, energies_of
from walkon.metrics.trajectories import Trajectories

FPS = 10.0


def line(speed, seconds, start=(0.0, 0.0), heading=0.0):
    """Straight on at a steady speed; heading 0 looks along +z."""
    t = np.arange(round(seconds * FPS) + 1) / FPS
    return np.array(start) + speed * t[:, None] * np.array([math.sin(heading), math.cos(heading)])


def people(*paths, **facts):
    return Trajectories.build(FPS, paths, **facts)


def jerkiness(*paths):
    walkers = people(*paths)
    return measure_jerkiness(walkers, measure_kinematics(walkers))


def synchronicity(*paths, **facts):
    walkers = people(*paths, **facts)
    return measure_synchronicity(walkers, measure_kinematics(walkers))


# Resistance


def test_a_straight_line_at_the_best_speed_meets_no_resistance():
    path = line(BEST_SPEED, 20.0)
    found = measure_resistance(people(path, goals=path[-1:]))
    assert pytest.approx(1.33, abs=1e-3) == BEST_SPEED
    np.testing.assert_allclose(found.values, 0.0, atol=1e-12)
    np.testing.assert_allclose(found.deviations, 0.0, atol=1e-12)
    assert measure_resistance(people(line(1.33, 20.0))).values[0] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("speed", [0.5, 1.0, 2.5])
def test_other_speeds_cost_what_the_formula_says(speed):
    # Energy of a metre: e_w v + e_s / v, against its least 2 sqrt(e_w e_s).
    expected = (1.26 * speed + 2.23 / speed) / (2.0 * math.sqrt(1.26 * 2.23)) - 1.0
    assert measure_resistance(people(line(speed, 20.0))).values[0] == pytest.approx(expected)


def test_energy_of_standing_and_walking():
    found = energies_of(people(np.zeros((101, 2)), line(2.0, 10.0), np.zeros((1, 2))))
    np.testing.assert_allclose(found, [2.23 * 10.0, (1.26 * 4.0 + 2.23) * 10.0, 0.0])


def test_a_detour_costs_its_length():
    legs = np.concatenate(
        [line(BEST_SPEED, 10.0), line(BEST_SPEED, 10.0, (0.0, 10.0 * BEST_SPEED), 0.5 * math.pi)[1:]]
    )
    found = measure_resistance(people(legs, goals=legs[-1:]))
    assert found.values[0] == pytest.approx(math.sqrt(2.0) - 1.0)


def test_who_does_not_arrive_pays_for_the_rest_of_the_way():
    path = line(BEST_SPEED, 10.0)
    found = measure_resistance(people(path, path, goals=[[0.0, 20.0], [8.0, path[-1, 1]]]))
    left = 20.0 - path[-1, 1]
    # Straight ahead, what is left costs what it would have cost, so nothing is lost.
    assert found.values[0] == pytest.approx(0.0, abs=1e-12)
    assert found.deviations[0] == pytest.approx(left / 20.0)
    ideal = math.hypot(8.0, path[-1, 1])
    assert found.values[1] == pytest.approx((path[-1, 1] + 8.0) / ideal - 1.0)
    assert found.deviations[1] == pytest.approx(8.0 / ideal)
    np.testing.assert_allclose(found.ideals, LEAST_ENERGY * np.array([20.0, ideal]))


def test_way_points_are_no_detour():
    legs = np.concatenate(
        [line(BEST_SPEED, 10.0), line(BEST_SPEED, 10.0, (0.0, 10.0 * BEST_SPEED), 0.5 * math.pi)[1:]]
    )
    found = measure_resistance(people(legs, goals=legs[-1:], ways=[20.0 * BEST_SPEED]))
    assert found.values[0] == pytest.approx(0.0, abs=1e-12)


def test_who_goes_nowhere_has_no_resistance():
    found = measure_resistance(
        people(np.zeros((50, 2)), np.zeros((1, 2)), line(1.0, 5.0), goals=[[0, 0.3], [0, 0], [0, 5]])
    )
    assert np.isnan(found.values[:2]).all()
    assert np.isfinite(found.values[2])


# Accelerations and jerkiness


def test_a_straight_line_has_no_acceleration():
    found = measure_kinematics(people(line(1.4, 5.0, heading=0.7)))
    np.testing.assert_allclose(found.normal[1:-1], 0.0, atol=1e-10)
    np.testing.assert_allclose(found.tangential[1:-1], 0.0, atol=1e-10)
    assert np.isnan(found.normal[[0, -1]]).all()
    np.testing.assert_allclose(jerkiness(line(1.4, 5.0)).normal, 0.0, atol=1e-9)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_circle_has_constant_normal_acceleration(sign):
    t = np.arange(101) / FPS
    angle = t * 1.2 / 2.0
    # From the origin along +z; +x is to the left of that.
    path = 2.0 * np.stack([sign * (1.0 - np.cos(angle)), np.sin(angle)], axis=1)
    found = measure_kinematics(people(path))
    np.testing.assert_allclose(found.tangential[1:-1], 0.0, atol=1e-9)
    np.testing.assert_allclose(found.normal[1:-1], found.normal[1], atol=1e-9)
    assert found.normal[1] == pytest.approx(sign * 1.2**2 / 2.0, rel=1e-3)
    made = jerkiness(path)
    assert made.normal[0] == pytest.approx(0.0, abs=1e-7)
    assert made.tangential[0] == pytest.approx(0.0, abs=1e-7)


def test_steady_acceleration_is_tangential_and_without_jerk():
    t = np.arange(51) / FPS
    path = np.stack([0.5 * t**2 + t, np.zeros_like(t)], axis=1)
    found = measure_kinematics(people(path))
    np.testing.assert_allclose(found.tangential[1:-1], 1.0, atol=1e-9)
    np.testing.assert_allclose(found.normal[1:-1], 0.0, atol=1e-9)
    assert jerkiness(path).tangential[0] == pytest.approx(0.0, abs=1e-8)


def test_a_steady_jerk_has_no_spread_and_is_the_peak():
    t = np.arange(51) / FPS
    path = np.stack([t + 0.5 * t**3 / 6.0, np.zeros_like(t)], axis=1)
    found = jerkiness(path)
    assert found.tangential[0] == pytest.approx(0.0, abs=1e-7)
    assert found.tangential_peaks[0] == pytest.approx(0.5, rel=1e-6)


def test_jerkiness_is_the_standard_deviation_of_jerk():
    rng = np.random.default_rng(1)
    speeds_ = 1.3 + 0.2 * rng.normal(size=40)
    path = np.stack([np.zeros(41), np.concatenate([[0.0], np.cumsum(speeds_)]) / FPS], axis=1)
    jerks = np.diff(speeds_, n=2) * FPS**2
    found = jerkiness(path)
    assert found.tangential[0] == pytest.approx(jerks.std())
    peak = int(np.abs(jerks).argmax())
    assert found.tangential_peaks[0] == pytest.approx(jerks[peak])
    assert found.tangential_times[0] == pytest.approx((peak + 1.5) / FPS)
    assert found.normal[0] == pytest.approx(0.0, abs=1e-9)


def test_a_zigzag_is_jerky_although_its_normal_acceleration_keeps_its_size():
    t = np.arange(61) / FPS
    path = np.stack([0.02 * (np.arange(61) % 2), 1.3 * t], axis=1)
    assert jerkiness(path).normal[0] > 50.0


def test_who_turns_while_it_stands_starts_straight_ahead():
    # Along +z, a stand, then along +x: halting and setting off are both along the way.
    z = np.concatenate([np.cumsum(np.full(20, 0.12)), np.full(41, 2.4)])
    x = np.concatenate([np.zeros(40), np.cumsum(np.full(21, 0.12))])
    found = measure_kinematics(people(np.stack([x, z], axis=1)))
    assert found.tangential[19] == pytest.approx(-12.0)
    assert found.tangential[39] == pytest.approx(12.0)
    np.testing.assert_allclose(found.normal[1:-1], 0.0, atol=1e-9)


def test_who_sets_off_slowly_after_turning_starts_straight_ahead():
    # Below 0.1 m/s for the first rows, and yet along the way it will go.
    t = np.arange(40) / FPS
    z = np.concatenate([np.cumsum(np.full(20, 0.12)), np.full(60, 2.4)])
    x = np.concatenate([np.zeros(40), 0.1 * t**2])
    found = measure_kinematics(people(np.stack([x, z], axis=1)))
    np.testing.assert_allclose(found.tangential[41:-1], 0.2, atol=1e-9)
    np.testing.assert_allclose(found.normal[41:-1], 0.0, atol=1e-9)


def test_who_stands_keeps_the_direction_it_had():
    # Stops along +z, stands, sways a little to the side, goes on along +z.
    z = np.concatenate([np.cumsum(np.full(20, 0.12)), np.full(20, 2.4), 2.4 + np.cumsum(np.full(20, 0.12))])
    x = np.zeros(60)
    x[25:35] = 0.004 * np.sin(np.linspace(0.0, 2.0 * np.pi, 10))
    found = measure_kinematics(people(np.stack([x, z], axis=1)))
    inside = slice(23, 37)
    # The sway is across the last direction, so all of it is normal.
    np.testing.assert_allclose(found.tangential[inside], 0.0, atol=1e-9)
    assert np.abs(found.normal[inside]).max() > 0.05
    assert found.tangential[19] == pytest.approx(-12.0)
    assert found.tangential[39] == pytest.approx(12.0)


def test_who_has_not_moved_yet_looks_where_it_will_go():
    x = np.concatenate([np.zeros(10), np.cumsum(np.full(20, 0.1))])
    found = measure_kinematics(people(np.stack([x, np.zeros(30)], axis=1)))
    assert found.tangential[9] == pytest.approx(10.0)
    np.testing.assert_allclose(found.normal[1:-1], 0.0, atol=1e-12)


def test_who_never_moves_has_no_direction_and_no_jerk():
    sway = 0.003 * np.random.default_rng(2).normal(size=(50, 2))
    found = jerkiness(sway)
    assert found.normal[0] == found.tangential[0] == 0.0


def test_accelerations_keep_their_size_when_they_are_split():
    rng = np.random.default_rng(3)
    path = np.cumsum(rng.normal(size=(80, 2)) * 0.1 + [0.05, 0.0], axis=0)
    found = measure_kinematics(people(path))
    whole = np.hypot(*(np.diff(path, n=2, axis=0) * FPS**2).T)
    np.testing.assert_allclose(np.hypot(found.normal, found.tangential)[1:-1], whole, atol=1e-9)


def test_short_paths_have_no_jerkiness():
    found = jerkiness(line(1.0, 0.3), np.zeros((1, 2)), line(1.0, 0.4))
    assert np.isnan(found.normal[:2]).all()
    assert found.normal[2] == pytest.approx(0.0, abs=1e-9)


def test_nobody_gets_jerk_from_the_next_person():
    walkers = people(line(1.0, 2.0), line(2.0, 2.0, start=(50.0, 50.0)))
    found = measure_kinematics(walkers)
    for person in range(2):
        rows = found.normal_jerk[walkers.offsets[person] : walkers.offsets[person + 1]]
        assert np.isnan(rows[[0, -2, -1]]).all()
        np.testing.assert_allclose(rows[1:-2], 0.0, atol=1e-9)


def test_speeds_are_those_between_the_rows_around():
    path = np.stack([np.zeros(4), [0.0, 0.1, 0.3, 0.6]], axis=1)
    np.testing.assert_allclose(speeds(people(path, np.zeros((1, 2)))), [1.0, 1.5, 2.5, 3.0, np.nan])


# Proximity


def test_proximity_of_two_who_pass_between_frames():
    # Opposite ways, 0.8 m apart, side by side halfway between two frames.
    there, back = line(1.3, 4.0), line(1.3, 4.0, start=(0.8, 5.07), heading=math.pi)
    found = measure_proximity(people(there, back, line(1.0, 4.0, start=(30.0, 0.0))))
    np.testing.assert_allclose(found.nearest[:2], 0.8)
    np.testing.assert_allclose(found.halves[:2], 0.4)
    assert found.whom[:2].tolist() == [1, 0]
    np.testing.assert_allclose(found.times[:2], 5.07 / 2.6)
    assert found.nearest[2] > 29.0


def test_those_who_come_from_afar_are_not_overlooked():
    # Everybody has company, so that nothing but a nearer meeting counts; then they pass at full speed.
    there = line(1.5, 20.0)
    back = line(1.5, 20.0, start=(0.3, 30.0), heading=math.pi)
    aside = np.array([1.0, 0.0])
    found = measure_proximity(people(there - aside, back + aside, there, back))
    np.testing.assert_allclose(found.nearest, [1.0, 1.0, 0.3, 0.3])
    np.testing.assert_allclose(found.times[2:], 10.0)


def test_only_those_who_are_there_at_the_same_time_are_near():
    here = np.zeros((10, 2))
    found = measure_proximity(people(here, here + 0.1, here + 5.0, starts=[0, 10, 9]))
    assert found.nearest[0] == pytest.approx(math.hypot(5.0, 5.0))
    assert found.whom.tolist() == [2, 2, 1]
    alone = measure_proximity(people(here))
    assert alone.nearest[0] == np.inf
    assert alone.whom[0] == -1
    assert np.isnan(alone.times[0])


def test_proximity_against_a_plain_twin():
    rng = np.random.default_rng(4)
    paths = [
        np.cumsum(rng.normal(size=(rng.integers(1, 60), 2)) * 0.3, axis=0) + rng.normal(size=2) * 8
        for _ in range(30)
    ]
    starts = rng.integers(0, 40, len(paths))
    walkers = people(*paths, starts=starts)
    found = measure_proximity(walkers)
    expected = np.full(len(paths), np.inf)
    for i in range(len(paths)):
        for j in range(len(paths)):
            begin, end = max(starts[i], starts[j]), min(walkers.stops[i], walkers.stops[j])
            if i == j or begin >= end:
                continue
            apart = paths[i][begin - starts[i] : end - starts[i]] - paths[j][begin - starts[j] : end - starts[j]]
            shares = np.linspace(0.0, 1.0, 201)[:, None, None]
            between = apart[:1] if len(apart) == 1 else (1 - shares) * apart[:-1] + shares * apart[1:]
            expected[i] = min(expected[i], np.hypot(between[..., 0], between[..., 1]).min())
    np.testing.assert_allclose(found.nearest, expected, atol=5e-3)
    assert (found.nearest <= expected + 1e-12).all()


# Synchronicity


def wiggle(seconds=6.0, mirrored=1.0, phase=0.0):
    """Along +z with a sway to the side and a varying pace."""
    t = np.arange(round(seconds * FPS) + 1) / FPS
    return np.stack([mirrored * 0.5 * np.sin(1.5 * t + phase), 1.3 * t + 0.2 * np.cos(2.0 * t + phase)], axis=1)


def test_mirrored_pairs_are_synchronous():
    found = synchronicity(wiggle(), wiggle(mirrored=-1.0) + 5.0, 30.0 - wiggle())
    assert found.pairs == 3
    assert found.high == found.hyper == 1.0
    assert found.histogram.tolist() == [0] * 19 + [3]
    np.testing.assert_allclose(found.best, 1.0)
    np.testing.assert_allclose(found.means, 1.0)


def test_synchronicity_is_that_of_the_equation():
    t = np.arange(61) / FPS
    steady = line(1.0, 6.0)
    faster = np.stack([np.zeros_like(t), t + 0.25 * t**2], axis=1)
    turning = 2.0 * np.stack([1.0 - np.cos(0.6 * t), np.sin(0.6 * t)], axis=1)
    walkers = people(steady, faster, turning)
    kinematics = measure_kinematics(walkers)
    begin, values = pair_series(walkers, kinematics, 0, 1)
    assert begin == 1
    np.testing.assert_allclose(values, 1.0 / (1.0 + 0.5**2))
    a_n = kinematics.normal[walkers.offsets[2] + 1]
    np.testing.assert_allclose(pair_series(walkers, kinematics, 0, 2)[1], 1.0 / (1.0 + a_n**2))
    np.testing.assert_allclose(pair_series(walkers, kinematics, 1, 2)[1], 1.0 / (1.25 * (1.0 + a_n**2)))
    found = measure_synchronicity(walkers, kinematics)
    means = [0.8, 1.0 / (1.0 + a_n**2), 0.8 / (1.0 + a_n**2)]
    assert found.means[0] == pytest.approx((means[0] + means[1]) / 2)
    assert found.high == pytest.approx(np.mean(np.array(means) > 0.6))
    assert found.histogram.sum() == 3


def test_pairs_are_compared_only_while_both_are_there():
    first, second = wiggle(), wiggle(mirrored=-1.0)
    # The second does later what the first did, so there is nothing alike; cut and shifted, it is the same moment.
    assert synchronicity(first, second, starts=[0, 20]).hyper == 0.0
    assert synchronicity(first, second[20:], starts=[0, 20]).hyper == 1.0
    apart = synchronicity(first, second, starts=[0, 100])
    assert apart.pairs == 0
    assert np.isnan(apart.high)
    assert apart.whom.tolist() == [-1, -1]
    assert np.isnan(apart.best).all()
    assert synchronicity(first, second, starts=[0, 50]).pairs == 0  # eleven frames, nine with accelerations


def test_synchronicity_against_a_plain_twin():
    rng = np.random.default_rng(5)
    paths = [np.cumsum(rng.normal(size=(rng.integers(3, 50), 2)) * 0.03 + [0.1, 0], axis=0) for _ in range(25)]
    walkers = people(*paths, starts=rng.integers(0, 30, len(paths)))
    kinematics = measure_kinematics(walkers)
    found = measure_synchronicity(walkers, kinematics)
    means = {}
    for i in range(len(paths)):
        for j in range(i + 1, len(paths)):
            _, values = pair_series(walkers, kinematics, i, j)
            if len(values) >= 10:
                means[i, j] = values.mean()
    assert found.pairs == len(means)
    values = np.array(list(means.values()))
    assert found.high == pytest.approx((values > 0.6).mean())
    assert found.hyper == pytest.approx((values > 0.95).mean())
    np.testing.assert_array_equal(found.histogram, np.histogram(values, bins=20, range=(0.0, 1.0))[0])
    for person in range(len(paths)):
        own = {pair: value for pair, value in means.items() if person in pair}
        if own:
            assert found.means[person] == pytest.approx(np.mean(list(own.values())))
            assert found.best[person] == pytest.approx(max(own.values()))
            assert person in (pair := max(own, key=own.__getitem__))
            assert found.whom[person] == sum(pair) - person


def test_a_map_of_pairs_shows_when_they_are_together():
    walkers = people(wiggle(), wiggle(mirrored=-1.0)[:31], wiggle()[:5], starts=[10, 20, 200])
    found = map_pairs(walkers, measure_kinematics(walkers))
    assert found.pairs.tolist() == [[0, 1]]
    assert found.values.shape == (1, 195)
    shown = np.flatnonzero(np.isfinite(found.values[0]))
    assert found.times[shown[[0, -1]]].tolist() == [2.1, 4.9]
    many = people(*[wiggle(1.0)] * 120)
    assert len(map_pairs(many, measure_kinematics(many)).pairs) == 2000
    pairs = map_pairs(people(*[wiggle(1.0)] * 6), measure_kinematics(people(*[wiggle(1.0)] * 6))).pairs
    assert pairs.tolist() == [[i, j] for i in range(6) for j in range(i + 1, 6)]


def test_pairs_come_in_blocks_that_cover_everybody_once(monkeypatch):
    monkeypatch.setattr("walkon.metrics.plausibility.blocks.BLOCK_PAIRS", 500)
    walkers = people(*[line(1.0, 4.0)] * 7)
    told = []
    found = list(blocks(walkers, lambda done, total: told.append((done, total))))
    assert found == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7)]
    assert told[-1] == (7, 7)
    assert synchronicity(*[line(1.0, 4.0)] * 7).pairs == 21
    assert measure_proximity(walkers).nearest.tolist() == [0.0] * 7


def test_nobody_at_all():
    walkers = people()
    assert measure_resistance(walkers).values.shape == (0,)
    assert measure_proximity(walkers).nearest.shape == (0,)
    assert synchronicity().pairs == 0
    assert jerkiness().normal.shape == (0,)
    assert map_pairs(walkers, measure_kinematics(walkers)).values.shape == (0, 0)
