"""Neighbours and what they foretell, against the plainest numpy that says the same."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.variation._kernels_regression import (
    AFTER,
    BARRED,
    BEFORE,
    BRISK,
    NEIGHBOUR_FADE,
    NOW,
    add_company,
    add_distances,
    add_history,
    find_nearest,
    predict_change,
    weigh,
)

GUESSES = (0.0, 1e-9, 0.3, 1.0, 50.0, 1e9, 1e25)


def nearest(distances, k: int, guess: float) -> tuple[list[int], list[float], float]:
    """Rows found, their distances and the farthest; buffers hold what must never be taken for a row."""
    found, near = np.full(2 * k, -(1 << 40), np.int64), np.full(4 * k, np.nan, np.float32)
    count, farthest = find_nearest(np.asarray(distances, np.float32), k, np.float32(guess), found, near)
    return found[:count].tolist(), near[:count].tolist(), float(farthest)


def naive_nearest(distances, k: int) -> tuple[list[int], float]:
    """All rows that are no farther than the k-th nearest."""
    distances = np.asarray(distances, np.float32)
    live = np.sort(distances[distances < BARRED])
    farthest = live[min(k, len(live)) - 1]
    return np.flatnonzero(distances <= farthest).tolist(), float(farthest)


@pytest.mark.parametrize("guess", GUESSES)
def test_the_k_nearest_whatever_was_guessed(guess):
    random = np.random.default_rng(3)
    for _ in range(200):
        k, count = int(random.integers(2, 9)), int(random.integers(1, 90))
        distances = (1e-9 + random.random(count) ** 4 * 10.0 ** random.integers(-6, 6)).astype(np.float32)
        distances[random.random(count) < 0.2] = BARRED
        if distances.min() == BARRED:
            continue
        rows, near, farthest = nearest(distances, k, guess)
        assert (rows, farthest) == naive_nearest(distances, k)
        assert near == distances[rows].tolist()


@pytest.mark.parametrize("guess", GUESSES)
def test_rows_that_are_equally_near_all_count(guess):
    distances = [3.0, 1.0, 0.1, 1.0, 5.0, 1.0, 0.2]
    assert nearest(distances, 3, guess)[0] == [1, 2, 3, 5, 6]


@pytest.mark.parametrize("guess", GUESSES)
@pytest.mark.parametrize("tie", [0.0, 1e-20, 0.1, 1.0 / 3.0, 0.7, 12345.678])
def test_more_equally_near_rows_than_there_is_room_for(tie, guess):
    """Somebody who stands still gives the same row again and again; nearer ones that come later still count."""
    distances = np.full(50, tie, np.float32)
    distances[::7] = 20000.0
    distances[48] = 0.5 * tie
    rows, near, farthest = nearest(distances, 4, guess)
    assert farthest == pytest.approx(tie, rel=1e-6, abs=1e-12)
    assert 4 <= len(rows) <= 8
    assert len(set(rows)) == len(rows)
    assert max(near) <= farthest
    if tie > 1e-12:
        assert 48 in rows


def test_fewer_rows_than_wanted():
    distances = np.full(9, BARRED, np.float32)
    distances[[2, 5]] = 7.0, 3.0
    assert nearest(distances, 4, 1.0) == ([2, 5], [7.0, 3.0], 7.0)
    assert nearest(np.full(9, BARRED, np.float32), 4, 1.0)[0] == []
    assert nearest([4.0], 4, 1.0) == ([0], [4.0], 4.0)


@pytest.mark.parametrize("guess", GUESSES)
def test_barred_rows_are_never_found_however_far_the_others_are(guess):
    distances = np.full(30, BARRED, np.float32)
    distances[0] += 5.0
    distances[3:6] = 1e20, 3e20, 2e20
    assert nearest(distances, 5, guess)[0] == [3, 4, 5]


def test_distances_that_rounding_made_negative_count_as_none():
    rows, near, _ = nearest([-1e-7, 0.5, 0.2, 0.9], 2, 1.0)
    assert (rows, near) == ([0, 2], [0.0, pytest.approx(0.2)])


def test_weights_fall_to_the_farthest_and_follow_favour():
    near = np.array([0.0, 1.0, 4.0, 99.0], np.float32)
    found, favour = np.array([2, 0, 1, 3]), np.array([1.0, 2.0, 0.5, 9.0], np.float32)
    total = weigh(near, 3, np.float32(4.0), found, favour)
    expected = np.exp(-NEIGHBOUR_FADE * np.array([0.0, 0.25, 1.0])) * [0.5, 1.0, 2.0]
    np.testing.assert_allclose(near[:3], expected, rtol=1e-6)
    assert near[3] == 99.0
    assert total == pytest.approx(expected.sum(), rel=1e-6)


def test_weights_of_rows_at_no_distance_are_alike():
    near = np.zeros(4, np.float32)
    assert weigh(near, 4, np.float32(0.0), np.arange(4), np.ones(4, np.float32)) == pytest.approx(4.0)


def moment(seed: int = 0, n: int = 4, count: int = 12):
    random = np.random.default_rng(seed)
    return (random.standard_normal(shape).astype(np.float32) for shape in ((n, count), n, n, n))


@pytest.mark.parametrize("lag", [NOW, BEFORE, AFTER])
def test_distances_in_a_parent(lag):
    rows, before, now, after = moment()
    value, shift = ((now, 0), (before, -1), (after, 1))[lag]
    for j in range(4):
        distances = np.full(12, 5.0, np.float32)
        add_distances(lag * 4 + j, rows, before, now, after, distances)
        expected = [5.0, *(5.0 + (rows[j, r + shift] - value[j]) ** 2 for r in range(1, 11)), 5.0]
        np.testing.assert_allclose(distances, expected, rtol=1e-6)


def test_distances_in_own_history():
    rows, before, now, _ = moment(1)
    distances = np.full(12, 2.0, np.float32)
    add_history(3, rows, before[3], now[3], np.float32(0.7), distances)
    expected = [2.0]
    for r in range(1, 11):
        old, new = rows[3, r - 1], rows[3, r]
        haste = (new - old) - (now[3] - before[3])
        expected.append(2.0 + (old - before[3]) ** 2 + (new - now[3]) ** 2 + 0.7 * haste**2)
    np.testing.assert_allclose(distances, [*expected, 2.0], rtol=1e-6)


def test_distances_of_whole_poses():
    rows, before, now, tempos = moment(2)
    distances = np.zeros(12, np.float32)
    add_company(rows, before, now, np.abs(tempos), np.float32(3.0), distances)
    expected = [0.0]
    for r in range(1, 11):
        gaps = rows[:, r] - now
        hastes = (rows[:, r] - rows[:, r - 1]) - (now - before)
        expected.append(3.0 * np.mean(gaps**2 + BRISK * np.abs(tempos) * hastes**2))
    np.testing.assert_allclose(distances, [*expected, 0.0], rtol=1e-5)


def test_change_is_the_weighted_mean_of_changes_drawn_to_where_neighbours_are():
    rows, *_ = moment(4, 2, 20)
    found, weights = np.array([3, 7, 11, 0]), np.array([0.5, 0.2, 1.0, 9.0], np.float32)
    mean, variance = predict_change(
        rows, 1, np.float32(0.4), np.float32(0.25), found, weights, 3, np.float32(weights[:3].sum())
    )
    where = found[:3]
    changes = rows[1, where + 1] - rows[1, where] + 0.25 * (rows[1, where] - 0.4)
    expected = np.average(changes, weights=weights[:3])
    assert mean == pytest.approx(expected, rel=1e-5)
    spread = np.average((changes - expected) ** 2, weights=weights[:3]) * 3 / 2
    assert variance == pytest.approx(spread, rel=1e-4)


def test_variance_does_not_drown_in_large_values():
    """Small differences of large changes: of two large sums nothing would be left."""
    rows = np.zeros((1, 40), np.float32)
    rows[0, 1::2] = np.tile([1024.0, 1024.25], 10)
    found, weights = np.arange(0, 40, 2), np.ones(20, np.float32)
    mean, variance = predict_change(
        rows, 0, np.float32(0.0), np.float32(0.0), found, weights, 20, np.float32(20.0)
    )
    assert mean == pytest.approx(1024.125)
    assert variance == pytest.approx(0.125**2 * 20 / 19, rel=1e-3)


def test_nobody_to_follow_means_no_change():
    rows, *_ = moment()
    found = np.full(8, 1 << 40)
    change = predict_change(
        rows, 0, np.float32(1.0), np.float32(0.2), found, np.ones(8, np.float32), 0, np.float32(1)
    )
    assert change == (0.0, 0.0)
