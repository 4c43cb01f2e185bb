"""Everything in one call: takes and trajectories, plain data out of it, and the anomalies."""

from __future__ import annotations

import json
import math
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from walkon.metrics import Trajectories, audit, measure, measure_benchmarks, of_take
from walkon.metrics.anomalies import Anomaly
from walkon.rotations import Placement

BEHAVIORS = ["start_walk", "walk_forward", "walk_left_20", "stop_walk", "idle"]
ORDER = [0, 1, 2, 1, 3, 4, 4]
STARTS = (Placement(0.0, 0.0, 0.3), Placement(-3.0, 0.5, 1.3))


@pytest.fixture(scope="module")
def take(workshop):
    return workshop.take(BEHAVIORS, ORDER, STARTS, waits=2)


@pytest.fixture(scope="module")
def measured(take):
    return measure(take)


def kinds(found):
    return {anomaly.what for anomaly in found.anomalies}


def test_a_take_is_measured_in_every_way(measured, take):
    summary = measured.summary()
    assert summary["people"] == 2.0
    assert summary["arrived"] == 1.0
    assert summary["collisions"] == summary["collision_time"] == 0.0
    assert 0.0 < summary["resistance"] < 1.0
    assert summary["foot_slide"] < 1e-3
    assert summary["goal_deviation"] < 0.2
    # Time at the goal is no part of the way.
    assert summary["travel_time_longest"] < (take.frames - 1) / take.fps - 3.0
    assert measured.trajectories.fps == 10.0
    assert measured.names == ("actor0", "actor1")
    assert all(math.isfinite(value) for value in summary.values())
    benchmarks = measured.benchmarks
    assert benchmarks is not None
    assert benchmarks == measure_benchmarks(take)
    assert summary["tangential_jerkiness"] < benchmarks.tangential_jerkiness


def test_all_of_it_is_plain_data(measured):
    written = json.loads(json.dumps(measured.as_dict(), allow_nan=False))
    assert written["names"] == ["actor0", "actor1"]
    assert sum(written["synchronicity_histogram"]) == 1
    assert set(written["per_person"]) == set(measured.per_person())
    for column in measured.per_person().values():
        assert column.shape == (2,)
    assert written["benchmarks"]["whole"]["clips"] == len(BEHAVIORS)


def test_what_the_audit_found_is_used_or_left_out(take, measured):
    report = audit(take)
    assert measure(take, audited=report).summary() == measured.summary()
    without = measure(take, audited=False)
    assert "collisions" not in without.summary()
    assert {key: value for key, value in without.summary().items() if key in measured.summary()} == {
        key: value for key, value in measured.summary().items() if key in without.summary()
    }


def test_trajectories_alone_say_the_same_about_ways(take, measured):
    alone = measure(of_take(take), measured.benchmarks, area=take.scene.bounds)
    assert alone.quality is None
    for name, column in alone.per_person().items():
        np.testing.assert_array_equal(column, measured.per_person()[name])
    bare = measure(of_take(take))
    assert bare.benchmarks is None
    assert bare.as_dict()["benchmarks"] is None


def test_progress_rises_to_the_end(take):
    told = []
    measure(take, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (100, 100)


def test_a_collision_is_an_anomaly_with_a_time(workshop):
    crash = workshop.take(BEHAVIORS, ORDER, (Placement(0.0, 0.0), Placement(0.1, 0.0)))
    found = measure(crash)
    assert {"collision", "proximity", "synchronicity", "repetition"} <= kinds(found)
    collision = next(one for one in found.anomalies if one.what == "collision")
    assert collision.when == pytest.approx(0.0, abs=0.1)
    assert collision.value > 1.0
    assert collision.limit == 0.0
    pairs = [one for one in found.anomalies if one.what == "synchronicity"]
    assert [(one.who, one.other) for one in pairs] == [("actor0", "actor1")]
    severities = [one.severity for one in found.anomalies]
    assert severities == sorted(severities, reverse=True)


def test_somebody_who_is_jerked_about_stands_out(take, measured):
    smooth = of_take(take)
    paths = [smooth.path(person).copy() for person in range(2)]
    paths[1][60:] += [0.3, 0.0]
    found = measure(smooth.with_paths(paths, starts=smooth.starts), measured.benchmarks)
    jerks = [one for one in found.anomalies if one.what in ("normal jerk", "tangential jerk")]
    assert {one.who for one in jerks} == {"actor1"}
    for one in jerks:
        assert one.when == pytest.approx(2.0, abs=0.25)
        assert abs(one.value) > abs(one.limit)
        assert np.sign(one.value) == np.sign(one.limit)
    assert not {"normal jerk", "tangential jerk"} & kinds(measured)


def test_who_wanders_and_who_does_not_arrive_stand_out():
    t = np.arange(301)[:, None] / 10.0
    wanderer = np.concatenate([1.3 * t, np.zeros_like(t)], axis=1)
    wanderer[150:, 0] = wanderer[150, 0] - 1.3 * (t[150:, 0] - 15.0) * 0.8
    lost = np.concatenate([np.full_like(t, 50.0), 1.3 * t], axis=1)
    people = Trajectories.build(10.0, [wanderer, lost], names=["a", "b"], goals=[wanderer[-1], [50.0, 45.0]])
    found = {(one.who, one.what): one for one in measure(people).anomalies}
    assert found["a", "resistance"].value > 1.0
    assert found["b", "goal deviation"].value == pytest.approx(6.0)
    assert found["b", "goal deviation"].limit == 0.5
    assert found["b", "goal deviation"].when == pytest.approx(30.0)
    assert ("b", "resistance") not in found


def test_how_bad_an_anomaly_is():
    assert Anomaly("a", 0.0, "jerk", -30.0, -10.0).severity == pytest.approx(3.0)
    assert Anomaly("a", 0.0, "proximity", 0.1, 0.2).severity == pytest.approx(2.0)
    assert Anomaly("a", 0.0, "collision", 0.1, 0.0).severity == math.inf


def test_nobody_and_almost_nobody(take):
    empty = measure(Trajectories.build(10.0, []))
    assert empty.summary()["people"] == 0.0
    json.dumps(empty.as_dict(), allow_nan=False)
    still = measure(Trajectories.build(10.0, [np.zeros((1, 2))]))
    assert math.isnan(still.summary()["resistance"])
    nobody = measure(replace(take, roles=(), clips=()))
    assert nobody.quality is not None
    assert nobody.benchmarks is None
    json.dumps(nobody.as_dict(), allow_nan=False)


def test_memory_does_not_grow_with_the_pairs():
    # A number for every pair would take 32 MB.
    rng = np.random.default_rng(0)
    paths = np.cumsum(rng.normal(size=(2000, 14, 2)) * 0.02 + 0.1, axis=1) + rng.uniform(0.0, 80.0, (2000, 1, 2))
    crowd = Trajectories.build(10.0, list(paths))
    measure(crowd.choose(range(5)))
    tracemalloc.start()
    try:
        found = measure(crowd)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found.synchronicity.pairs == 1999 * 1000
    assert peak < 12e6


def test_everybody_the_scene_has_is_counted(take):
    first, second = take.scene.characters
    third = replace(first, name="left out")
    scene = replace(take.scene, characters=(first, second, third))
    without = replace(take, scene=scene, unplanned=(("left out", "no way"),))
    summary = measure(without, audited=False).summary()
    assert (summary["people"], summary["left_out"]) == (3.0, 1.0)
    assert summary["arrived"] == pytest.approx(2 / 3)
    alone = replace(without, roles=take.roles[:1], unplanned=(("left out", "no way"), (second.name, "no way")))
    assert measure(alone, audited=False).summary()["arrived"] == pytest.approx(1 / 3)
    aimless = replace(take, scene=replace(take.scene, characters=(replace(first, goals=()), second)))
    assert measure(aimless, audited=False).summary()["arrived"] == pytest.approx(1 / 2)


def test_nobody_knows_who_arrives_without_goals():
    assert math.isnan(measure(Trajectories.build(10.0, [np.zeros((20, 2))])).summary()["arrived"])
