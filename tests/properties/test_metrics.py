"""Measures do not depend on where people are, which way they go, who comes first, or how often one looks."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from walkon.metrics import Trajectories, measure
from walkon.metrics.plausibility import (
    measure_jerkiness,
    measure_kinematics,
    measure_proximity,
    measure_resistance,
    measure_synchronicity,
)
from walkon.metrics.plausibility.resistance import LEAST_ENERGY, energies_of
from walkon.metrics.trajectories import arrivals, resample, until_arrival

seeds = st.integers(0, 2**32 - 1)
places = st.floats(-500.0, 500.0)
angles = st.floats(-math.pi, math.pi)

NEITHER = ("density", "density_most", "density_felt", "density_felt_most", "flow")
"""What depends on an area whose sides are along x and z."""


class Walk:
    """A smooth way through the plane, at any time."""

    def __init__(self, rng):
        self.start = rng.uniform(-6.0, 6.0, 2)
        heading = rng.uniform(0.0, 2.0 * np.pi)
        self.velocity = rng.uniform(0.9, 1.5) * np.array([np.sin(heading), np.cos(heading)])
        self.sway = rng.uniform(0.0, 0.3, (2, 2))
        self.rate = rng.uniform(0.3, 2.0, (2, 2))
        self.phase = rng.uniform(0.0, 2.0 * np.pi, (2, 2))

    def at(self, times):
        t = np.asarray(times)[:, None]
        return self.start + self.velocity * t + sum(
            sway * np.sin(rate * t + phase)
            for sway, rate, phase in zip(self.sway, self.rate, self.phase, strict=True)
        )  # fmt: skip


def crowd(seed, fps=10.0, people=5):
    """The same walks for a seed, looked at so often; they begin and end at whole seconds."""
    rng = np.random.default_rng(seed)
    walks = [Walk(rng) for _ in range(people)]
    begins, lasts = rng.integers(0, 4, people), rng.integers(4, 9, people)
    starts = np.round(begins * fps).astype(int)
    paths = [
        walk.at((start + np.arange(round(last * fps) + 1)) / fps)
        for walk, start, last in zip(walks, starts, lasts, strict=True)
    ]
    goals = [walk.at([begin + last + 0.3])[0] for walk, begin, last in zip(walks, begins, lasts, strict=True)]
    return Trajectories.build(fps, paths, starts=starts, goals=goals)


def moved(walkers, turn, shift):
    """Turned about the vertical, then shifted."""
    c, s = math.cos(turn), math.sin(turn)
    matrix = np.array([[c, s], [-s, c]])
    paths = [walkers.path(person) @ matrix.T + shift for person in range(len(walkers))]
    return Trajectories.build(
        walkers.fps, paths, names=walkers.names, starts=walkers.starts, goals=walkers.goals @ matrix.T + shift
    )


def assert_same(one, other, rtol=1e-6, atol=1e-6, without=()):
    for name, column in one.items():
        if name not in without:
            np.testing.assert_allclose(other[name], column, rtol=rtol, atol=atol, err_msg=name)


@settings(max_examples=40, deadline=None)
@given(seeds, angles, places, places)
def test_turning_and_moving_the_world_changes_nothing(seed, turn, x, z):
    walkers = crowd(seed)
    here, there = measure(walkers), measure(moved(walkers, turn, [x, z]))
    assert_same(here.per_person(), there.per_person(), without=NEITHER)
    assert_same(here.summary(), there.summary(), without=NEITHER)
    np.testing.assert_array_equal(here.synchronicity.histogram, there.synchronicity.histogram)
    np.testing.assert_array_equal(here.proximity.whom, there.proximity.whom)


@settings(max_examples=20, deadline=None)
@given(seeds, places, places)
def test_moving_the_world_changes_no_density(seed, x, z):
    walkers = crowd(seed)
    here, there = measure(walkers), measure(moved(walkers, 0.0, [x, z]))
    assert_same(here.per_person(), there.per_person())
    assert_same(here.summary(), there.summary())


@settings(max_examples=40, deadline=None)
@given(seeds, st.permutations(range(5)))
def test_the_order_of_people_changes_nothing(seed, order):
    walkers = crowd(seed)
    one, other = measure(walkers), measure(walkers.choose(order))
    shuffled = other.per_person()
    assert_same({name: column[list(order)] for name, column in one.per_person().items()}, shuffled, rtol=1e-12)
    assert_same(one.summary(), other.summary(), rtol=1e-12)
    np.testing.assert_array_equal(one.synchronicity.histogram, other.synchronicity.histogram)
    assert {anomaly[:4] for anomaly in one.anomalies if anomaly.when == anomaly.when} == {
        anomaly[:4] for anomaly in other.anomalies if anomaly.when == anomaly.when
    }


@settings(max_examples=30, deadline=None)
@given(seeds, st.sampled_from([20.0, 30.0, 60.0, 120.0]))
def test_looking_more_often_changes_nothing(seed, fps):
    assert_same(measure(crowd(seed)).per_person(), measure(crowd(seed, fps)).per_person(), rtol=1e-9, atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(seeds, st.sampled_from([24.0, 25.0, 36.0, 48.0]))
def test_rates_that_do_not_fit_change_little(seed, fps):
    one, other = measure(crowd(seed, 10.0)), measure(crowd(seed, fps))
    exact = ("resistance", "normal_jerkiness", "tangential_jerkiness", "proximity", "synchronicity")
    here, there = one.per_person(), other.per_person()
    for name in exact:
        np.testing.assert_allclose(there[name], here[name], rtol=0.05, atol=0.03, err_msg=name)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_no_way_takes_less_than_the_straight_one(seed):
    walkers = crowd(seed)
    found = measure_resistance(walkers)
    assert (found.values >= -1e-9).all()
    assert (found.deviations >= 0.0).all()
    steps = np.array([np.hypot(*np.diff(walkers.path(person), axis=0).T).sum() for person in range(len(walkers))])
    assert (energies_of(walkers) >= LEAST_ENERGY * steps - 1e-9).all()


@settings(max_examples=40, deadline=None)
@given(seeds, st.booleans())
def test_mirrored_twins_are_synchronous_and_nobody_is_more(seed, turned):
    walkers = crowd(seed, people=3)
    paths = [walkers.path(person) for person in range(3)]
    mirrored = [path * [-1.0, 1.0] if turned else path * [1.0, -1.0] for path in paths]
    both = Trajectories.build(10.0, paths + mirrored, starts=np.tile(walkers.starts, 2))
    found = measure_synchronicity(both, measure_kinematics(both))
    np.testing.assert_allclose(found.best, 1.0, atol=1e-9)
    np.testing.assert_array_equal(found.whom, [3, 4, 5, 0, 1, 2])
    assert found.histogram.sum() == found.pairs
    assert 0.0 <= found.hyper <= found.high <= 1.0


@settings(max_examples=30, deadline=None)
@given(seeds, st.floats(0.5, 3.0))
def test_slower_films_are_smoother_by_the_rules_of_mechanics(seed, slower):
    # The same rows played at another rate: accelerations go with its square, jerks with its cube.
    walkers = crowd(seed)
    other = Trajectories.build(10.0 / slower, [walkers.path(person) for person in range(len(walkers))])
    # Nobody may count as standing in one and as moving in the other.
    if min(np.nanmin(np.hypot(*np.gradient(walkers.path(p), axis=0).T)) for p in range(len(walkers))) < 0.06:
        return
    fast, slow = (measure_jerkiness(one, measure_kinematics(one)) for one in (walkers, other))
    np.testing.assert_allclose(slow.normal * slower**3, fast.normal, rtol=1e-6)
    np.testing.assert_allclose(slow.tangential * slower**3, fast.tangential, rtol=1e-6)


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_nearest_is_mutual_for_the_closest_pair(seed):
    found = measure_proximity(crowd(seed))
    closest = int(found.nearest.argmin())
    assert found.nearest[found.whom[closest]] == found.nearest[closest]


@settings(max_examples=60, deadline=None)
@given(seeds, st.floats(0.3, 90.0), st.floats(0.3, 90.0))
def test_other_rates_keep_to_the_clock(seed, fps, rate):
    rng = np.random.default_rng(seed)
    paths = [np.cumsum(rng.normal(size=(count, 2)), axis=0) for count in rng.integers(1, 40, 4)]
    walkers = Trajectories.build(fps, paths, starts=rng.integers(0, 50, 4))
    found = resample(walkers, min(rate, 50.0 * fps))
    assert len(found) == len(walkers)
    for person in range(len(walkers)):
        times, kept = walkers.times(person), found.times(person)
        slack = 1e-6 / fps + (1.0 / found.fps if len(kept) == 1 else 0.0)
        assert times[0] - slack <= kept[0] <= kept[-1] <= times[-1] + slack
        if len(kept) > 1:
            assert kept[0] - times[0] < 1.0 / found.fps
            assert times[-1] - kept[-1] < 1.0 / found.fps


@settings(max_examples=60, deadline=None)
@given(seeds, st.floats(0.05, 3.0))
def test_after_arriving_nobody_leaves(seed, tolerance):
    rng = np.random.default_rng(seed)
    paths = [np.cumsum(rng.normal(size=(30, 2)) * 0.2, axis=0) for _ in range(3)]
    walkers = Trajectories.build(
        10.0, paths, goals=[path[-1] + rng.normal(size=2) for path in paths], tolerances=[tolerance] * 3
    )
    for person, frame in enumerate(arrivals(walkers)):
        apart = np.hypot(*(walkers.path(person) - walkers.goals[person]).T)
        if frame < 0:
            assert apart[-1] > tolerance + 0.15
        else:
            assert (apart[frame:] <= tolerance + 0.15).all()
            assert apart[frame] <= apart[frame:].min() + 0.05
    assert (until_arrival(walkers).counts >= 1).all()
