"""The smallest ground circle around a body."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from walkon.builtin import make
from walkon.motion import Clip
from walkon.motion.features import bounding_circles
from walkon.motion.features._bounding_kernels import around_three, around_two
from walkon.rotations import IDENTITY
from walkon.skeleton import Body, Skeleton, build_body


def body_of_balls(xz, radii) -> tuple[Clip, Body]:
    """A clip of one frame with a ball at every ground point."""
    count = len(radii)
    offsets = np.zeros((count + 1, 3))
    offsets[1:, [0, 2]] = xz
    skeleton = Skeleton([str(i) for i in range(count + 1)], [-1, *[0] * count], offsets)
    joints = np.arange(1, count + 1)
    spans, masses = np.tile([0.0, 1.0], (count, 1)), np.full(count, 1 / count)
    body = Body(skeleton, joints, joints, np.array(radii, float), spans, masses, height=1.0)
    rotations = np.tile(IDENTITY, (1, count + 1, 1))
    return Clip("balls", skeleton, 30.0, np.zeros((1, 3)), rotations), body


def brute_force(circles) -> tuple[float, float, float]:
    """The smallest of all circles that one, two or three circles determine and that hold every circle."""
    candidates = [tuple(circle) for circle in circles]
    candidates += [around_two(*a, *b) for a, b in itertools.combinations(circles, 2)]
    candidates += [around_three(*a, *b, *c) for a, b, c in itertools.combinations(circles, 3)]
    fits = [
        (x, y, radius)
        for x, y, radius in candidates
        if all(np.hypot(cx - x, cy - y) + cr <= radius + 1e-9 for cx, cy, cr in circles)
    ]
    return min(fits, key=lambda circle: circle[2])


@pytest.mark.parametrize("seed", range(20))
def test_agrees_with_brute_force(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 12))
    xz, radii = rng.normal(size=(count, 2)), rng.uniform(0.01, 1.0, count)
    found = bounding_circles(*body_of_balls(xz, radii))
    x, z, radius = brute_force(np.column_stack([xz, radii]))
    assert found.radii[0] == pytest.approx(radius, abs=1e-7)
    np.testing.assert_allclose(found.centers[0], [x, z], atol=1e-4)


@pytest.mark.parametrize(
    ("xz", "radii", "expected"),
    [
        ([[1, 2]], [0.5], (1, 2, 0.5)),
        ([[-1, 0], [1, 0]], [0.5, 0.5], (0, 0, 1.5)),
        ([[0, 0], [0.1, 0]], [1.0, 0.2], (0, 0, 1.0)),
        ([[0, 0], [0, 0], [0, 0]], [0.3, 0.3, 0.3], (0, 0, 0.3)),
        ([[-2, 0], [0, 0], [3, 0]], [0.1, 0.1, 0.1], (0.5, 0, 2.6)),
        ([[1, 0], [-1, 0], [0, 1], [0, -1]], [0.5] * 4, (0, 0, 1.5)),
    ],
    ids=["one", "two", "inside", "same", "in line", "square"],
)
def test_known_circles(xz, radii, expected):
    found = bounding_circles(*body_of_balls(xz, radii))
    np.testing.assert_allclose([*found.centers[0], found.radii[0]], expected, atol=1e-7)


@pytest.mark.parametrize("name", ["walk", "crawl", "dog"])
def test_holds_every_capsule_and_touches_some(name):
    clip = make(name)
    body = build_body(clip.skeleton)
    circles = bounding_circles(clip)
    ground = body.capsules(clip.positions)[..., [0, 2]]
    reach = np.linalg.norm(ground - circles.centers[:, None, None], axis=-1) + body.radii[:, None]
    np.testing.assert_allclose(reach.max(axis=(1, 2)), circles.radii, atol=1e-6)
    assert ((reach > circles.radii[:, None, None] - 1e-6).sum(axis=(1, 2)) >= 2).all()
