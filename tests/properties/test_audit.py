"""Random motions: what overlaps is found, between frames too, and what is apart is never accused."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walkon.metrics.audit.bodies import circles_of, gather
from walkon.metrics.audit.obstacles import check_obstacles
from walkon.metrics.audit.people import check_people
from walkon.metrics.audit.things import lay_out
from walkon.motion import Clip
from walkon.rotations import normalize, rotate, slerp
from walkon.skeleton import Skeleton, build_body
from walkon.world import Box, Capsule, Cylinder, Mesh, Obstacle, Polygon, Scene, Sphere, flat_terrain

BOUNDS = (-50.0, -50.0, 50.0, 50.0)
BOX = np.array([[x, y, z] for x in (-0.4, 0.4) for y in (0.0, 0.9) for z in (-0.3, 0.3)])
FACES = np.array(
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
     [1, 5, 7], [1, 7, 3]]
)  # fmt: skip
STAR = np.array(
    [[np.cos(a) * r, np.sin(a) * r] for a, r in zip(np.arange(10) * np.pi / 5, [0.6, 0.25] * 5, strict=True)]
)
SHAPES = {  # with a point that is deep inside
    "box": (Box(0.8, 0.9, 0.6), (0.0, 0.4, 0.0)),
    "cylinder": (Cylinder(0.4, 0.9), (0.1, 0.4, 0.0)),
    "sphere": (Sphere(0.5), (0.1, 0.1, 0.1)),
    "capsule": (Capsule(0.3, 0.8), (0.0, 0.5, 0.0)),
    "polygon": (Polygon(STAR, 0.7), (0.0, 0.3, 0.0)),
    "mesh": (Mesh(BOX, FACES), (0.0, 0.4, 0.0)),
    "thin": (Box(1.5, 1.5, 0.002), (0.3, 0.7, 0.0)),
}


def stick(name, bases, rotations, length):
    skeleton = Skeleton(["base", "top"], [-1, 0], [[0.0, 0.0, 0.0], [0.0, length, 0.0]])
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (len(bases), 2, 1))
    turns[:, 0] = rotations
    return SimpleNamespace(character=name, start_frame=0, clip=Clip(name, skeleton, 30.0, bases, turns))


def random_stick(rng, name, frames, spread):
    length = rng.uniform(0.3, 1.5)
    return stick(name, rng.normal(size=(frames, 3)) * spread, normalize(rng.normal(size=(frames, 4))), length)


def ends_of(shown, share, frame):
    """Both ends (2, 3) of a stick on the way from a frame to the next."""
    points = shown.clip.positions
    return points[frame] + share * (points[frame + 1] - points[frame])


def sampled_gap(first, second, steps=40):
    """Least distance of two segments between all frames, by sampling both of them and time."""
    shares = np.linspace(0, 1, steps)[:, None]
    least = np.inf
    for frame in range(len(first.clip) - 1):
        for share in shares[:, 0]:
            (a, b), (c, d) = ends_of(first, share, frame), ends_of(second, share, frame)
            apart = (a + shares * (b - a))[:, None] - (c + shares * (d - c))[None]
            least = min(least, np.sqrt((apart**2).sum(axis=-1).min()))
    return least


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.1, 2.0))
def test_people_against_samples(seed, spread):
    rng = np.random.default_rng(seed)
    one, two = random_stick(rng, "a", 3, spread), random_stick(rng, "b", 3, spread)
    thickness = sum(float(build_body(shown.clip.skeleton).radii[0]) for shown in (one, two))
    wrong, circles, least, *_ = check_people(gather([one, two]), 30.0)
    touching = any(found.kind == "bodies" for found in wrong)
    sampled = sampled_gap(one, two) - thickness
    if sampled < -1e-4:
        assert touching
    speed = sum(np.linalg.norm(np.diff(shown.clip.positions, axis=0), axis=2).max() for shown in (one, two))
    lengths = sum(np.linalg.norm(np.diff(shown.clip.positions, axis=1), axis=2).max() for shown in (one, two))
    if sampled > (speed + lengths) / 39:
        assert not touching
    if touching:
        assert circles is not None
        assert circles.gap < 0.0  # circles hold bodies
    elif least is not None:
        assert least.gap <= sampled + 2e-3


@pytest.mark.parametrize("name", SHAPES)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), moment=st.floats(0.0, 1.0), fast=st.floats(0.1, 40.0))
def test_planted_collisions_are_found(name, seed, moment, fast):
    """The middle of a stick is put deep inside an obstacle at some moment between two frames."""
    rng = np.random.default_rng(seed)
    shape, deep = SHAPES[name]
    positions = np.array([0.0, 0.8, 0.0]) + rng.normal(size=(2, 3)) * fast
    rotations = normalize(rng.normal(size=(2, 4)))
    turn = slerp(rotations[:1], rotations[1:], np.array([moment]))[0]
    spot = positions[0] + moment * (positions[1] - positions[0]) + rotate(turn, np.array(deep))
    person = random_stick(rng, "a", 2, 0.5 * fast)
    middle = ends_of(person, moment, 0).mean(axis=0)
    moved = stick("a", person.clip.root_positions + (spot - middle), person.clip.rotations[:, 0],
                  float(person.clip.skeleton.offsets[1, 1]))  # fmt: skip
    scene = Scene("s", BOUNDS, flat_terrain(BOUNDS), (Obstacle("o", shape, positions, rotations),))
    wrong, *_ = check_obstacles(gather([moved]), 0, lay_out(scene, 30.0), 30.0)
    assert {found.kind for found in wrong} == {"obstacle"}


@pytest.mark.parametrize("name", SHAPES)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), gap=st.floats(0.001, 0.3), turned=st.booleans())
def test_what_is_apart_is_never_accused(name, seed, gap, turned):
    """A wall of air between the two: the obstacle stays on one side of it, the body on the other."""
    rng = np.random.default_rng(seed)
    shape, _ = SHAPES[name]
    things = lay_out(
        Scene("s", BOUNDS, flat_terrain(BOUNDS), (Obstacle("o", shape, np.zeros((1, 3)), np.eye(4)[:1]),)), 30.0
    )
    hull = things.arrays.hulls[0]
    reach = float(np.linalg.norm(hull[:3]) + hull[3])
    positions = rng.normal(size=(2, 3)) * [0, 1, 3] - [reach, 0, 0]
    rotations = normalize(rng.normal(size=(2, 4))) if turned else np.tile([1.0, 0, 0, 0], (2, 1))
    person = random_stick(rng, "a", 2, 1.0)
    circles = circles_of(gather([person]))
    shift = gap - (circles[:, 0] - circles[:, 2]).min()
    moved = stick("a", person.clip.root_positions + np.array([shift, 0.0, 0.0]), person.clip.rotations[:, 0],
                  float(person.clip.skeleton.offsets[1, 1]))  # fmt: skip
    scene = Scene("s", BOUNDS, flat_terrain(BOUNDS), (Obstacle("o", shape, positions, rotations),))
    wrong, *_ = check_obstacles(gather([moved]), 0, lay_out(scene, 30.0), 30.0)
    assert not wrong
