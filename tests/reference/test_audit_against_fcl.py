"""Distances of the audit against two collision libraries that know nothing of it: FCL and Coal."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.metrics.audit._kernels_obstacles import thing_gap
from walkon.metrics.audit._kernels_shapes import segment_gap
from walkon.metrics.audit.things import lay_out
from walkon.rotations import normalize, rotate, to_matrix
from walkon.world import Box, Capsule, Cylinder, Mesh, Obstacle, Scene, Sphere, flat_terrain

fcl = pytest.importorskip("fcl")

BOUNDS = (-9.0, -9.0, 9.0, 9.0)
HALVES = np.array([[x, y, z] for x in (-0.4, 0.4) for y in (0.0, 0.9) for z in (-0.3, 0.3)])
FACES = np.array(
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
     [1, 5, 7], [1, 7, 3]]
)  # fmt: skip
TO_Y = np.array([np.cos(np.pi / 4), -np.sin(np.pi / 4), 0.0, 0.0])
"""Turns z to y: theirs lie along z, around the middle."""


def mesh():
    model = fcl.BVHModel()
    model.beginModel(len(HALVES), len(FACES))
    model.addSubModel(HALVES, FACES)
    model.endModel()
    return model


# Shape, FCL's twin, where its middle is in our frame, and how it is turned there.
SHAPES = {
    "box": (Box(0.8, 0.9, 0.6), lambda: fcl.Box(0.8, 0.9, 0.6), (0, 0.45, 0), (1, 0, 0, 0)),
    "cylinder": (Cylinder(0.4, 0.9), lambda: fcl.Cylinder(0.4, 0.9), (0, 0.45, 0), TO_Y),
    "sphere": (Sphere(0.5), lambda: fcl.Sphere(0.5), (0, 0, 0), (1, 0, 0, 0)),
    "capsule": (Capsule(0.3, 0.8), lambda: fcl.Capsule(0.3, 0.8), (0, 0.4, 0), TO_Y),
    "mesh": (Mesh(HALVES, FACES), mesh, (0, 0, 0), (1, 0, 0, 0)),
}


def random_capsule(rng):
    """Ends (6,), radius, and FCL's twin of it."""
    turn, middle = normalize(rng.normal(size=4)), rng.normal(size=3) * 0.5 + [0, 0.2, 0]
    length, radius = rng.uniform(0.1, 1.0), rng.uniform(0.02, 0.15)
    half = rotate(turn, np.array([0.0, 0.0, 0.5 * length]))
    twin = fcl.CollisionObject(fcl.Capsule(radius, length), fcl.Transform(to_matrix(turn), middle))
    return np.concatenate([middle - half, middle + half]), radius, twin


def compose(a, b):
    from walkon.rotations import multiply

    return multiply(np.asarray(a, float), np.asarray(b, float))


@pytest.mark.parametrize("name", SHAPES)
def test_capsules_against_shapes(name):
    shape, twin, middle, turn = SHAPES[name]
    rng = np.random.default_rng(7)
    model, compared, touching = twin(), 0, 0
    for _ in range(300):
        ends, radius, capsule = random_capsule(rng)
        position, rotation = rng.normal(size=3) * 0.3, normalize(rng.normal(size=4))
        obstacle = Obstacle("o", shape, position[None], rotation[None])
        things = lay_out(Scene("s", BOUNDS, flat_terrain(BOUNDS), (obstacle,)), 30.0).arrays
        ours = thing_gap(things, 0, things.poses[0], ends) - radius
        place = fcl.Transform(
            to_matrix(compose(rotation, turn)), position + rotate(rotation, np.array(middle, float))
        )
        other = fcl.CollisionObject(model, place)
        overlap = fcl.collide(capsule, other, fcl.CollisionRequest(), fcl.CollisionResult()) > 0
        if abs(ours) > 1e-5 and not (name == "mesh" and ours < -radius):  # a mesh of theirs has no inside
            assert overlap == (ours < 0)
        touching += overlap
        if not overlap and ours > 1e-3:
            theirs = fcl.distance(capsule, other, fcl.DistanceRequest(), fcl.DistanceResult())
            # FCL's own search stops early on round shapes; Coal, below, agrees more closely.
            assert ours == pytest.approx(theirs, abs=1e-3)
            compared += 1
    assert compared > 50
    assert touching > 30


def test_capsules_against_capsules():
    rng = np.random.default_rng(8)
    for _ in range(400):
        one, radius, first = random_capsule(rng)
        two, other, second = random_capsule(rng)
        ours = segment_gap(tuple(one), tuple(two)) - radius - other
        overlap = fcl.collide(first, second, fcl.CollisionRequest(), fcl.CollisionResult()) > 0
        if abs(ours) > 1e-6:
            assert overlap == (ours < 0)
        if ours > 1e-3:
            theirs = fcl.distance(first, second, fcl.DistanceRequest(), fcl.DistanceResult())
            assert ours == pytest.approx(theirs, abs=1e-5)


@pytest.mark.parametrize("name", ["box", "cylinder", "sphere", "capsule"])
def test_depths_and_distances_against_coal(name):
    """Coal also says how deep convex shapes are in each other."""
    coal = pytest.importorskip("coal")
    shape, _, middle, turn = SHAPES[name]
    twin = {
        "box": lambda: coal.Box(0.8, 0.9, 0.6),
        "cylinder": lambda: coal.Cylinder(0.4, 0.9),
        "sphere": lambda: coal.Sphere(0.5),
        "capsule": lambda: coal.Capsule(0.3, 0.8),
    }[name]()
    rng = np.random.default_rng(9)
    for _ in range(200):
        ends, radius, _ = random_capsule(rng)
        a, b = ends.reshape(2, 3)
        along = b - a
        length = float(np.linalg.norm(along))
        things = lay_out(
            Scene("s", BOUNDS, flat_terrain(BOUNDS), (Obstacle("o", shape, np.zeros((1, 3)), np.eye(4)[:1]),)),
            30.0,
        ).arrays
        ours = thing_gap(things, 0, things.poses[0], ends) - radius
        from walkon.rotations import from_two_vectors

        lying = to_matrix(from_two_vectors(np.array([0.0, 0.0, 1.0]), along / length))
        one = coal.Transform3s(lying, 0.5 * (a + b))
        two = coal.Transform3s(to_matrix(np.asarray(turn, float)), np.array(middle, float))
        theirs = coal.distance(
            coal.Capsule(radius, length), one, twin, two, coal.DistanceRequest(), coal.DistanceResult()
        )
        if ours > -radius:  # deeper, ours is the depth of the axis, theirs may be less to another side
            assert ours == pytest.approx(theirs, abs=2e-4)
        else:
            assert theirs < 0
