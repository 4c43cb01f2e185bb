"""Clips that look like what a sampler gives: built-in or recorded motion with smooth noise on every angle."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter1d

from walkon.builtin import make
from walkon.motion import Clip
from walkon.rotations import exponential, multiply
from walkon.variation import VariationModel, learn_variation

Shaker = Callable[..., Clip]


@pytest.fixture(scope="session")
def shaken() -> Shaker:
    """shaken(clip, seed, degrees): every angle of every joint off by smooth noise of that deviation."""

    def shake(clip: Clip, seed: int, degrees: float = 3.0) -> Clip:
        rng = np.random.default_rng(seed)
        noise = rng.standard_normal((len(clip) + 400, len(clip.skeleton), 3))
        noise = gaussian_filter1d(noise, 0.25 * clip.fps, axis=0)[200 : 200 + len(clip)]
        noise *= np.radians(degrees) / noise.std()
        noise[:, clip.skeleton.tips] = 0.0
        noise[:, 0] *= 0.3
        return clip.with_changes(rotations=multiply(clip.rotations, exponential(noise)), contacts=None)

    return shake


@pytest.fixture(scope="session")
def walks() -> list[Clip]:
    """Four built-in walks, each at its own speed."""
    return [make("walk", speed=speed).with_changes(name=f"walk {speed}") for speed in (1.15, 1.2, 1.27, 1.32)]


@pytest.fixture(scope="session")
def walk_model(walks) -> VariationModel:
    """How these walks vary, learned as shortly as it makes sense."""
    return learn_variation(walks, restarts=1, rounds=2)


@pytest.fixture(scope="session")
def jump_model() -> VariationModel:
    """How built-in jumps vary: a motion that ends."""
    jumps = [make("jump", distance=distance) for distance in (1.4, 1.5, 1.7)]
    return learn_variation(jumps, restarts=1, rounds=1)
