"""The search for a transition network: never worse, the same for a seed, and right where the answer is known."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from walkon.errors import VariationError
from walkon.variation.examples import Examples
from walkon.variation.networks import Network, no_edges
from walkon.variation.shaking import shaken
from walkon.variation.transitions import FLOOR, MOST_PARENTS, Regression, TransitionSearch

SPEC = importlib.util.spec_from_file_location("naive_network", Path(__file__).with_name("naive_network.py"))
naive_network = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(naive_network)

REGRESSION = Regression(neighbours=6, company=0.0, pull=0.0)


def led(clips: int = 4, frames: int = 60, seed: int = 0) -> Examples:
    """Number 0 wanders smoothly; 1 goes where 0 says; 2 and 3 wander for themselves."""
    random = np.random.default_rng(seed)
    encoded = []
    for _ in range(clips):
        speeds = np.zeros((frames, 3))
        for t in range(1, frames):
            speeds[t] = 0.9 * speeds[t - 1] + 0.1 * random.standard_normal(3)
        free = np.cumsum(speeds, axis=0) * 0.3 + random.standard_normal(3)
        values = np.empty((frames, 4))
        values[:, [0, 2, 3]] = np.sin(free)
        values[0, 1] = random.standard_normal()
        for t in range(1, frames):
            values[t, 1] = values[t - 1, 1] + 0.5 * values[t - 1, 0] - 0.3 * values[t - 1, 1]
        encoded.append(values)
    return Examples.of(encoded, [f"clip {number}" for number in range(clips)])


def begin(
    examples: Examples, network: Network | None = None, *, seed: int = 0, driven=None, regression=REGRESSION
):
    driven = np.arange(examples.rows.shape[0]) if driven is None else np.array(driven)
    return TransitionSearch.begin(examples, driven, regression, seed, network)


def test_the_number_that_leads_is_found():
    search = begin(led(seed=1), driven=[1])
    before = search.score
    search.run(6)
    found = {int(code) % 4 for code in search.network.of(1)}
    assert 0 in found
    assert not search.network.counts[[0, 2, 3]].any()
    assert search.score > before + 20.0


def test_given_numbers_may_tell_from_the_frame_to_come():
    """1 copies what 0 is in the very same frame, and 0 is given."""
    examples = led(seed=2)
    poses = [examples.clip(clip).astype(float) for clip in range(4)]
    random = np.random.default_rng(0)
    for values in poses:
        values[:, 0] = random.standard_normal(len(values))
        values[:, 1] = values[:, 0]
    search = begin(Examples.of(poses, examples.names), driven=[1])
    search.run(2)
    assert 2 * 4 + 0 in search.network.of(1)


def test_driven_numbers_never_do():
    search = begin(naive_network.random_examples(3, (20, 22, 24)), driven=[0, 1, 3])
    search.run(4)
    for node in range(5):
        assert {int(code) - 10 for code in search.network.of(node) if code >= 10} <= {2, 4}
        assert not {node, 5 + node} & set(search.network.of(node).tolist())


@pytest.mark.parametrize("seed", [0, 1])
def test_every_round_is_better_or_the_same_by_the_exact_score(seed):
    examples = led(3, 40, seed=5)
    search = begin(examples, shaken(no_edges(4, MOST_PARENTS), 4, np.arange(4), seed), seed=seed)
    scores, networks = [search.score], [search.network]
    search.run(8, lambda one: (scores.append(one.score), networks.append(one.network)))
    assert (np.diff(scores) >= 0.0).all()
    assert scores[-1] > scores[0]
    for score, network in zip(scores, networks, strict=True):
        assert search.judge(network)[0] == score


def test_the_exact_score_is_that_of_clips_made_again():
    examples = naive_network.random_examples(7)
    network = naive_network.random_network(8, range(10))
    regression = Regression(neighbours=3, company=0.5, pull=0.1)
    search = begin(examples, network, regression=regression)
    k = regression.among(examples, held_out=True)
    naive = naive_network.Naive(examples, network, regression, k)
    score, still = 0.0, np.zeros((30, 5))
    for clip in range(3):
        truth = examples.clip(clip).astype(float)
        made, deviations = naive.rolled(truth, range(5), examples.bars_without[clip], still)
        spread = deviations[2:] ** 2 + FLOOR
        score -= 0.5 * ((made - truth)[2:] ** 2 / spread + np.log(2.0 * np.pi * spread)).sum()
    assert search.score == pytest.approx(score, rel=5e-3)


def test_the_same_seed_gives_the_same_network():
    examples = led(3, 40, seed=6)
    one, other = (begin(examples, seed=3) for _ in range(2))
    np.testing.assert_array_equal(one.run(5).parents, other.run(5).parents)
    assert one.score == other.score


def test_an_edge_that_only_disturbs_is_dropped():
    """Number 1 is led by 0; also listening to noise makes its neighbours the wrong ones."""
    examples = led(4, 60, seed=4)
    poses = [examples.clip(clip).astype(float) for clip in range(4)]
    random = np.random.default_rng(0)
    for values in poses:
        values[:, 3] = 3.0 * random.standard_normal(len(values))
    network = no_edges(4, MOST_PARENTS).changed(1, add=0).changed(1, add=3)
    search = begin(Examples.of(poses, examples.names), network, driven=[1])
    before = search.score
    search.run(3)
    assert 3 not in search.network.of(1)
    assert search.score > before


def test_an_edge_the_wrong_way_round_is_turned():
    """Number 1 is led by 0. Told the other way round, both halves of the reversal are offered, and it is made."""
    examples = led(4, 60, seed=8)
    search = begin(examples, no_edges(4, MOST_PARENTS).changed(0, add=1), driven=[0, 1])
    changes = search._changes()
    assert (1, 0, -1) in changes or any(node == 1 and add % 4 == 0 for node, add, _ in changes)
    search.run(4)
    assert any(code % 4 == 0 for code in search.network.of(1))


def test_reversals_are_both_halves_or_none():
    examples = led(3, 30)
    search = begin(examples, no_edges(4, MOST_PARENTS).changed(0, add=1).changed(2, add=4 + 3))
    candidates = search._allowed()
    added, dropped = np.zeros((4, candidates.shape[1] + 1)), np.full((4, MOST_PARENTS + 1), -np.inf)
    dropped[0, 0], dropped[2, 0] = -1.0, -1.0
    column = int(np.flatnonzero(candidates[1] == 0)[0])
    added[1, column] = 3.0
    assert search._reversals(candidates, added, dropped) == [(2.0, 0, -1, 1), (2.0, 1, 0, -1)]
    added[1, column] = 0.5
    assert search._reversals(candidates, added, dropped) == []


def test_a_search_goes_on_from_any_round_as_if_it_had_never_stopped():
    examples = led(3, 40, seed=9)
    whole = begin(examples, seed=2)
    whole.run(6)
    first = begin(examples, seed=2)
    first.run(3)
    second = begin(examples, first.network, seed=2)
    second.rounds, second.promising, second.trusting = first.rounds, first.promising, first.trusting
    second.run(6)
    np.testing.assert_array_equal(second.network.parents, whole.network.parents)
    assert second.score == whole.score


def test_shaking_keeps_networks_sound():
    network = naive_network.random_network(1, range(10), room=6)
    for seed in range(20):
        other = shaken(network, 5, np.array([0, 1, 3]), seed)
        other.check(5, 10)
        for node in range(5):
            codes = other.of(node).tolist()
            assert len(set(codes)) == len(codes)
            assert not {node, 5 + node} & set(codes)
        assert not other.counts[[2, 4]].any()
    np.testing.assert_array_equal(other.parents, shaken(network, 5, np.array([0, 1, 3]), 19).parents)


def test_changed_networks():
    network = no_edges(3, 2).changed(0, add=5).changed(0, add=7)
    assert network.of(0).tolist() == [5, 7]
    assert network.changed(0, drop=5).of(0).tolist() == [7]
    assert network.changed(0, drop=5).parents[0].tolist() == [7, -1]
    assert network.changed(0, drop=5, add=2).of(0).tolist() == [7, 2]
    assert (network.edges, network.changed(1, add=1).edges) == (2, 3)


@pytest.mark.parametrize("settings", [{"neighbours": 1}, {"neighbours": 10**6}, {"company": -1.0}, {"pull": 1.5},
                                      {"company": np.nan}, {"pull": np.nan}])  # fmt: skip
def test_regressions_that_cannot_be(settings):
    with pytest.raises(VariationError):
        Regression(**settings)


def test_no_more_neighbours_than_a_third_of_what_is_left():
    examples = led(3, 20)
    assert Regression(neighbours=900).among(examples) == 18
    assert Regression(neighbours=900).among(examples, held_out=True) == 12
    assert Regression(neighbours=5).among(examples, held_out=True) == 5
