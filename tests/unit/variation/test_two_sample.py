"""The 1-NN test: half right on the same, always right on what differs, and no clip votes on itself."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.variation.evaluation import two_sample_test
from walkon.variation.evaluation._kernels_votes import share_right

FPS = 30.0


def walks(count, *, seed, shift=0.0, frames=90):
    """Clips of a common motion, each with a manner of its own."""
    random = np.random.default_rng(seed)
    times = np.arange(frames)[:, None] / FPS
    made = []
    for _ in range(count):
        manner, phase = random.normal(0.0, 0.5, 6), random.random()
        made.append(np.sin(2 * np.pi * (times + phase) + np.arange(6)) + manner + shift)
    return made


def test_sets_of_one_kind_cannot_be_told_apart():
    found = [two_sample_test(walks(8, seed=k), walks(8, seed=100 + k), FPS, permutations=99) for k in range(12)]
    assert np.mean([one.score for one in found]) == pytest.approx(0.5, abs=0.04)
    assert np.mean([one.p_value for one in found]) == pytest.approx(0.5, abs=0.2)


def test_sets_of_different_size_are_as_fair():
    found = [two_sample_test(walks(15, seed=k), walks(4, seed=100 + k), FPS, permutations=9) for k in range(12)]
    assert np.mean([one.score for one in found]) == pytest.approx(0.5, abs=0.06)
    assert found[0].clips == 4


def test_what_differs_is_found():
    found = two_sample_test(walks(8, seed=1), walks(8, seed=2, shift=2.0), FPS, permutations=199)
    assert found.score > 0.95
    assert found.p_value == pytest.approx(1 / 200, abs=0.006)


def test_what_is_spread_about_the_other_is_told_from_one_side():
    random = np.random.default_rng(0)
    centre = [0.01 * random.standard_normal((60, 8)) for _ in range(8)]
    around = [random.standard_normal((60, 8)) for _ in range(8)]
    found = two_sample_test(around, centre, FPS, permutations=9)
    assert found.first < 0.1
    assert found.second == 1.0
    assert found.score == pytest.approx(0.5 * (found.first + found.second))


def test_copies_of_each_other_are_found_out():
    same = walks(1, seed=3) * 6
    found = two_sample_test(same, walks(6, seed=4), FPS, permutations=99)
    assert found.score > 0.7
    assert found.p_value < 0.1


def test_clips_do_not_vote_on_themselves():
    """Every clip far from any other: by its own frames it would always be told, by others only by chance."""
    far = [100.0 * k + clip for k, clip in enumerate(walks(16, seed=5))]
    order = np.random.default_rng(0).permutation(16)
    scores = []
    for k in range(8):
        order = np.random.default_rng(k).permutation(16)
        scores.append(
            two_sample_test([far[i] for i in order[:8]], [far[i] for i in order[8:]], FPS, permutations=1).score
        )
    assert np.mean(scores) == pytest.approx(0.5, abs=0.12)


def test_votes_are_counted_as_they_should():
    nearest = np.array(
        [[np.inf, 1.0, 2.0, 3.0], [np.inf, 5.0, 4.0, 5.0], [1.0, np.inf, 0.5, 0.5], [1.0, np.inf, 9.0, 9.0]]
    )
    starts = np.array([0, 2, 4, 4, 4])
    own, other = np.array([0, 1]), np.array([2, 3])
    # Clip 0 without clip 3: right, wrong. Clip 1 without clip 2: wrong, right.
    assert share_right(nearest, starts, own, other, np.array([1, 0])) == 0.5
    # Clip 0 without clip 2: right, and a tie.
    assert share_right(nearest, starts, own, other, np.array([0, 0])) == 0.625


def test_too_few_clips_have_no_score():
    assert np.isnan(two_sample_test(walks(1, seed=1), walks(5, seed=2), FPS).score)
