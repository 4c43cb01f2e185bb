"""Where two clips cross over: kernels against their obvious twins, and feet back in time."""

from __future__ import annotations

import numpy as np

from walkon.motion import Clip, Contacts
from walkon.motion.editing import crop, place
from walkon.motion.editing.crossing import cross_over
from walkon.motion.feet import kernels
from walkon.rotations import Placement, conjugate, from_two_vectors, multiply, normalize, rotate


def test_turns_between_directions():
    rng = np.random.default_rng(0)
    sources, targets = rng.normal(size=(2, 200, 3))
    targets[0], targets[1] = 2.0 * sources[0], -3.0 * sources[1]
    sources[2], targets[2] = (2.0, 0.0, 0.0), (-1.0, 0.0, 0.0)
    found = np.empty((200, 4))
    kernels.turns_between(sources, targets, found)
    twin = from_two_vectors(sources, targets)
    assert np.allclose(found[3:], twin[3:], atol=1e-12)
    turned = rotate(found, sources / np.linalg.norm(sources, axis=1, keepdims=True))
    assert np.allclose(turned, targets / np.linalg.norm(targets, axis=1, keepdims=True), atol=1e-6)


def test_turn_in_world():
    turns, world, above = normalize(np.random.default_rng(1).normal(size=(3, 50, 4)))
    rotations = multiply(conjugate(above), world)
    kernels.turn_in_world(turns, world, rotations)
    assert np.allclose(multiply(above, rotations), multiply(turns, world), atol=1e-12)


def test_feet_that_stand_for_long_are_back_when_they_have_to_be(walk: Clip):
    still = np.full(60, 20)
    standing = Clip(
        "standing",
        walk.skeleton,
        walk.fps,
        walk.root_positions[still],
        walk.rotations[still],
        contacts=Contacts(("LeftToe",), np.ones((60, 1), dtype=bool)),
    )
    aside = place(standing, Placement(0.03, 0.0, 0.0))
    crossed = cross_over(crop(standing, 0, 30), aside, 11, settled=40)
    toe = standing.skeleton.index("LeftToe")
    path = crossed.positions[:, toe, 0] - standing.positions[0, toe, 0]
    assert np.allclose(path[:19], 0.0, atol=1e-6), "nothing changes before the overlap"
    assert np.allclose(path[19 + 40 :], 0.03, atol=1e-6), "settled in time"
    assert np.all(np.diff(path) > -1e-6)
    assert np.diff(path).max() < 0.002, "bit by bit, not within the overlap"
