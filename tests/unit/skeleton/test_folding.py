"""Limbs fold to the distance they are asked for, and point where they should."""

from __future__ import annotations

import numpy as np

from walkon.rotations import from_axis_angle, rotate
from walkon.skeleton.folding import FULL_REACH, bend_to_span, turn_limb_towards, within_reach

rng = np.random.default_rng(3)


def test_bent_bones_span_the_distance() -> None:
    upper, lower = rng.uniform(0.2, 0.6, (2, 50))
    distances = rng.uniform(np.abs(upper - lower) + 1e-3, upper + lower - 1e-3)
    bend = bend_to_span(upper, lower, distances)
    end = np.stack([upper + lower * np.cos(bend), lower * np.sin(bend)])
    np.testing.assert_allclose(np.hypot(*end), distances, atol=1e-12)
    assert bend_to_span(0.4, 0.3, 0.7) < 1e-6
    assert bend_to_span(0.4, 0.3, 2.0) == 0.0
    assert bend_to_span(0.4, 0.3, 0.01) == np.pi


def test_distances_out_of_reach_are_brought_within() -> None:
    np.testing.assert_allclose(within_reach(0.4, 0.3, [0.0, 0.5, 9.0]), [0.1 + 1e-6, 0.5, FULL_REACH * 0.7])


def test_a_limb_is_turned_to_its_target_about_its_hinge() -> None:
    hinge = np.array([1.0, 0.0, 0.0])
    first, second = np.array([0.0, -0.4, 0.0]), np.array([0.0, -0.35, 0.02])
    targets = rng.normal(size=(30, 3))
    targets *= rng.uniform(0.3, 0.7, 30)[:, None] / np.linalg.norm(targets, axis=1, keepdims=True)
    hinges = np.tile([0.9, 0.1, -0.3], (30, 1))
    at_rest = np.arctan2(np.dot(np.cross(first, second), hinge), np.dot(first, second))
    reach = np.linalg.norm(targets, axis=1)
    bend = bend_to_span(np.linalg.norm(first), np.linalg.norm(second), reach) - at_rest
    folded = first + rotate(from_axis_angle(hinge, bend), second)
    turns = turn_limb_towards(folded, hinge, targets, hinges)
    np.testing.assert_allclose(rotate(turns, folded), targets, atol=1e-9)
    # Of all directions square to the limb, its hinge has the one nearest to what was asked for.
    along = targets / reach[:, None]
    square = hinges - np.sum(hinges * along, axis=1, keepdims=True) * along
    turned = rotate(turns, np.tile(hinge, (30, 1)))
    np.testing.assert_allclose(turned, square / np.linalg.norm(square, axis=1, keepdims=True), atol=1e-9)
