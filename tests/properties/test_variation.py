"""Whatever the distances and the rotations: neighbours are the nearest, and poses come back."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from walkon.motion import Clip
from walkon.rotations import conjugate, exponential, multiply
from walkon.skeleton import Skeleton
from walkon.variation._kernels_regression import BARRED, find_nearest
from walkon.variation.coordinates import fit_coordinates

SKELETON = Skeleton(["root", "arm", "tip"], [-1, 0, 1], np.eye(3), [False, False, True])


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.one_of(st.sampled_from([0.1, 1.0 / 3.0, 7.0, 1e30]), st.floats(1e-6, 1e6)), min_size=1, max_size=60
    ),
    st.integers(2, 8),
    st.floats(0.0, 1e20),
)
def test_neighbours_are_the_nearest(distances, k, guess):
    told = np.array(distances, np.float32)
    found, near = np.full(2 * k, -1, np.int64), np.zeros(4 * k, np.float32)
    count, farthest = find_nearest(told, k, np.float32(guess), found, near)
    live = np.sort(told[told < BARRED])
    if not len(live):
        assert count == 0
        return
    assert farthest == live[min(k, len(live)) - 1]
    rows = set(found[:count].tolist())
    within = set(np.flatnonzero(told <= farthest).tolist())
    assert rows == within if len(within) <= 2 * k else rows < within and count >= k
    assert set(np.flatnonzero(told < farthest).tolist()) <= rows


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.05, 12.0), st.floats(-4.0, 4.0))
def test_poses_come_back_however_far_joints_turn(seed, reach, rate):
    random = np.random.default_rng(seed)
    frames = 40
    axis = random.standard_normal(3)
    angles = reach * np.sin(np.linspace(0.0, 3.0, frames))
    turns = rate * np.arange(frames) / 30.0
    rotations = np.zeros((frames, 3, 4))
    rotations[..., 0] = 1.0
    rotations[:, 1] = exponential(angles[:, None] * axis / np.linalg.norm(axis))
    rotations[:, 0] = exponential(turns[:, None] * np.array([0.0, 1.0, 0.0]))
    roots = np.cumsum(0.05 * random.standard_normal((frames, 3)), axis=0)
    clip = Clip("it", SKELETON, 30.0, roots, rotations)
    told, (values,) = fit_coordinates([clip])
    back = told.decode(values, "back")
    apart = multiply(conjugate(clip.rotations[:, 1]), back.rotations[:, 1])
    assert np.linalg.norm(apart[:, 1:], axis=1).max() < 0.01
    moved = np.linalg.norm(np.diff(back.root_positions[:, [0, 2]], axis=0), axis=1)
    np.testing.assert_allclose(moved, np.linalg.norm(np.diff(roots[:, [0, 2]], axis=0), axis=1), atol=5e-3)
