"""Motion made frame by frame, and what edges would change, against plain numpy."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.variation._kernels_regression import Edges, Recall
from walkon.variation._kernels_transition import (
    foresee,
    keep_company,
    let_last,
    roll_out,
    roll_out_all,
    score_changes,
)
from walkon.variation.transitions import FLOOR, Regression

SPEC = importlib.util.spec_from_file_location("naive_network", Path(__file__).with_name("naive_network.py"))
naive_network = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(naive_network)

N = 5
REGRESSION = Regression(neighbours=4, company=1.5, pull=0.15)
DRIVEN = np.array([0, 1, 3])
CODES = [*range(2 * N), 2 * N + 2, 2 * N + 4]
"""Any number now and before, and the given ones, 2 and 4, after."""


def told(examples, network):
    """What kernels are told about a network and its inputs, with four neighbours."""
    recall = Recall(examples.rows, examples.tempos, np.float32(1.5), np.float32(0.15), 4)
    return Edges(DRIVEN, network.parents, network.counts), recall


@pytest.fixture(params=[0, 1, 2])
def case(request):
    """Examples, a network and its naive twin."""
    examples = naive_network.random_examples(request.param)
    network = naive_network.random_network(10 + request.param, CODES)
    return examples, network, naive_network.Naive(examples, network, REGRESSION, 4)


def test_rolling_out_is_one_regression_after_another(case):
    examples, network, naive = case
    random = np.random.default_rng(5)
    poses = examples.clip(0).copy()
    noise = random.standard_normal(poses.shape).astype(np.float32)
    favour = random.uniform(0.2, 1.0, examples.frames).astype(np.float32)
    deviations = np.full_like(poses, np.nan)
    expected, spread = naive.rolled(poses.astype(float), DRIVEN, examples.bars, noise, favour)
    edges, recall = told(examples, network)
    roll_out(poses, 2, edges, recall, examples.bars, favour, noise, deviations)
    np.testing.assert_allclose(poses, expected, atol=2e-4)
    np.testing.assert_allclose(deviations[2:, DRIVEN], spread[2:, DRIVEN], atol=2e-3)
    np.testing.assert_array_equal(poses[:, [2, 4]], examples.clip(0)[:, [2, 4]])
    assert np.isnan(deviations[:2]).all()


def test_many_are_rolled_out_as_each_by_itself(case):
    examples, network, _ = case
    count, frames = 3, 15
    poses = np.stack([np.resize(examples.clip(s), (frames, N)) for s in range(count)])
    noise = np.random.default_rng(1).standard_normal(poses.shape).astype(np.float32)
    stops = np.array([15, 9, 3])
    favours = np.ones((count, examples.frames), np.float32)
    together, each = poses.copy(), poses.copy()
    tables, bars, spread = told(examples, network), examples.bars_without, np.zeros_like(poses)
    roll_out_all(together, 2, stops, *tables, bars, favours, noise, spread)
    for s in range(count):
        end = stops[s]
        roll_out(each[s, :end], 2, *tables, bars[s], favours[s], noise[s, :end], spread[s, :end])
    # Not to the bit: fastmath rounds otherwise in code that was compiled apart from what it calls. Which of both
    # versions was, depends on what was kept already.
    np.testing.assert_allclose(together, each, atol=1e-5)
    np.testing.assert_array_equal(together[1, 9:], poses[1, 9:])


def test_foreseeing_starts_from_what_is_true(case):
    examples, network, naive = case
    poses, bars = examples.clip(1), examples.bars_without[1]
    means, deviations = np.full_like(poses, np.nan), np.full_like(poses, np.nan)
    foresee(poses, *told(examples, network), bars, means, deviations)
    for t in range(2, len(poses)):
        for i in DRIVEN:
            mean, variance = naive.foreseen(i, *poses[t - 2 : t + 1].astype(float), bars)
            assert means[t, i] == pytest.approx(mean, abs=1e-4)
            assert deviations[t, i] == pytest.approx(np.sqrt(variance), abs=1e-3)
    assert np.isnan(means[:, [2, 4]]).all()


def scores_of(examples, others, network, candidates, *, dropping):
    commons = np.full((examples.frames, examples.frames), np.nan, np.float32)
    edges, recall = told(examples, network)
    keep_company(others, examples.starts, recall, examples.bars_without, commons)
    scores = np.full((N, candidates.shape[1] + 1), 77.0)
    score_changes(
        examples.poses, others, examples.starts, edges, recall, commons, np.float32(FLOOR), candidates, dropping,
        scores,
    )  # fmt: skip
    return scores


def test_an_edge_more_is_judged_as_that_node_alone(case):
    examples, network, naive = case
    off = np.random.default_rng(2).standard_normal(examples.poses.shape)
    others = (examples.poses + 0.05 * off).astype(np.float32)
    candidates = np.tile(np.array(CODES), (N, 1))
    for i in range(N):
        candidates[i, np.isin(CODES, [i, N + i, *network.of(i)])] = -1
    scores = scores_of(examples, others, network, candidates, dropping=False)
    assert (scores[[2, 4]] == 77.0).all()
    for i in DRIVEN:
        assert scores[i, -1] == pytest.approx(naive.alone(i, others), abs=0.05)
        for c, code in enumerate(candidates[i]):
            if code < 0:
                assert scores[i, c] == -np.inf
            elif c % 3 == 0:
                changed = naive.with_network(network.changed(i, add=int(code)))
                assert scores[i, c] == pytest.approx(changed.alone(i, others), abs=0.05)


def test_an_edge_fewer_is_judged_as_that_node_alone(case):
    examples, network, naive = case
    places = np.where(network.parents >= 0, np.arange(network.parents.shape[1]), -1)
    scores = scores_of(examples, examples.poses, network, places, dropping=True)
    for i in DRIVEN:
        assert scores[i, -1] == pytest.approx(naive.alone(i, examples.poses), abs=0.05)
        for place, code in enumerate(network.of(i)):
            changed = naive.with_network(network.changed(i, drop=int(code)))
            assert scores[i, place] == pytest.approx(changed.alone(i, examples.poses), abs=0.05)
        assert (scores[i, network.counts[i] : -1] == -np.inf).all()


def test_noise_that_lasts_keeps_its_spread():
    random = np.random.default_rng(0)
    fresh = random.standard_normal((4000, 3)).astype(np.float32)
    lasting = np.array([0.0, 0.6, 0.9], np.float32)
    noise = fresh.copy()
    let_last(noise, np.full(3, 9.0, np.float32), lasting, True)
    expected = fresh.astype(float)
    for t in range(1, len(expected)):
        expected[t] = lasting * expected[t - 1] + np.sqrt(1.0 - lasting.astype(float) ** 2) * expected[t]
    np.testing.assert_allclose(noise, expected, atol=1e-4)
    np.testing.assert_array_equal(noise[:, 0], fresh[:, 0])
    np.testing.assert_allclose(noise.std(axis=0), 1.0, atol=0.12)
    again = [np.corrcoef(column[1:], column[:-1])[0, 1] for column in noise.T]
    np.testing.assert_allclose(again, lasting, atol=0.05)


def test_noise_goes_on_from_a_frame():
    fresh = np.random.default_rng(1).standard_normal((20, 2)).astype(np.float32)
    lasting = np.array([0.5, 0.8], np.float32)
    whole, rest = fresh.copy(), fresh[8:].copy()
    let_last(whole, fresh[0].copy(), lasting, True)
    let_last(rest, whole[7].copy(), lasting, False)
    np.testing.assert_array_equal(rest, whole[8:])
