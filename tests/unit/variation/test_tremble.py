"""Tremble: as much as recordings have beyond what is smooth, between numbers as they have it."""

from __future__ import annotations

import numpy as np

from walkon.variation.examples import Examples
from walkon.variation.tremble import measure_tremble

FRAMES = 4000


def swings() -> np.ndarray:
    """Two numbers that swing smoothly."""
    times = np.arange(FRAMES) / 30.0
    return np.column_stack([np.sin(times), np.cos(0.7 * times)])


def test_noise_of_known_size_and_correlation_is_found_again() -> None:
    rng, mixing = np.random.default_rng(3), np.array([[0.10, 0.0], [0.06, 0.08]])
    recorded = swings() + rng.standard_normal((FRAMES, 2)) @ mixing.T
    factor = measure_tremble(Examples.of([recorded], ["one"]), [swings()])
    np.testing.assert_allclose(factor @ factor.T, mixing @ mixing.T, atol=0.001)


def test_what_is_smooth_does_not_tremble() -> None:
    factor = measure_tremble(Examples.of([swings()], ["one"]), [swings()])
    assert np.abs(factor).max() < 1e-3


def test_variants_that_tremble_as_much_get_no_more() -> None:
    rng = np.random.default_rng(4)
    recorded, made = (swings() + 0.1 * rng.standard_normal((FRAMES, 2)) for _ in range(2))
    factor = measure_tremble(Examples.of([recorded], ["one"]), [made])
    assert np.abs(factor).max() < 0.04


def test_nothing_made_is_nothing_to_compare_with() -> None:
    assert not measure_tremble(Examples.of([swings()], ["one"]), []).any()
