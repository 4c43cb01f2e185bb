"""Whatever two recordings show and wherever they were made, alignment and distance hold."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from walkon.graphs.comparing._kernels_surface import align_pairs, fill_cloud_squares
from walkon.graphs.comparing.clouds import choose_taper, over_window
from walkon.rotations import Placement

PLACES = st.builds(
    Placement,
    st.floats(-100.0, 100.0),
    st.floats(-100.0, 100.0),
    st.floats(-10.0, 10.0),
)


def clouds(seed: int, frames: int, points: int) -> np.ndarray:
    """A wandering cloud (frames, points, 3) [m]."""
    random = np.random.default_rng(seed)
    return random.normal(0.0, 0.4, (frames, points, 3)) + np.cumsum(
        random.normal(0.0, 0.1, (frames, 1, 3)), axis=0
    )


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.integers(1, 9), PLACES)
def test_alignment_undoes_any_placement(seed: int, window: int, points: int, there: Placement):
    cloud = clouds(seed, window, points)
    both = np.concatenate([cloud, there.points(cloud)]).swapaxes(1, 2).copy()
    found = np.empty((1, 4))
    weights = np.full(points, 1.0 / points)
    align_pairs(both, weights, choose_taper(window), np.array([0]), np.array([window]), found)
    assert found[0, 3] < 1e-18
    back = Placement(*found[0, :3]) @ there
    assert np.allclose(
        [back.x, back.z, np.sin(back.heading), np.cos(back.heading)], [0.0, 0.0, 0.0, 1.0], atol=1e-7
    )


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(2, 7), st.integers(1, 9))
def test_tiles_and_pairs_agree(seed: int, window: int, points: int):
    frames = 9
    weights, taper = np.random.default_rng(seed).dirichlet(np.ones(points)), choose_taper(window)
    both = np.zeros((frames + window, 3, points))
    both[: frames + window - 1] = clouds(seed, frames + window - 1, points).swapaxes(1, 2)
    centers = np.stack([over_window(both[:, axis] @ weights, taper) for axis in (0, 2)], axis=1)
    energies = over_window((both**2).sum(axis=1) @ weights, taper) - (centers**2).sum(axis=1)
    squares = np.empty((frames, frames))
    fill_cloud_squares(both, weights, taper, energies, centers, 0, 0, squares)
    starts, others = (part.ravel() for part in np.indices((frames, frames)))
    found = np.empty((frames * frames, 4))
    align_pairs(both, weights, taper, starts, others, found)
    assert np.allclose(squares.ravel(), found[:, 3], atol=1e-12)
    assert np.allclose(squares, squares.T, atol=1e-12)
