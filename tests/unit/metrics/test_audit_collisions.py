"""People against people, obstacles and edges: at frames, between frames, and not where there is nothing."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.metrics.audit._kernels_people import least_circle_gap
from walkon.metrics.audit.bodies import circles_of, gather
from walkon.metrics.audit.obstacles import check_bounds, check_obstacles
from walkon.metrics.audit.people import check_people
from walkon.metrics.audit.things import lay_out
from walkon.skeleton import build_body
from walkon.world import Box, Capsule, Cylinder, Mesh, Polygon, Sphere

from .conftest import scene_of, stick, thing
from .test_audit_shapes import CUBE, CUBE_FACES, L_SHAPE

RADIUS = float(build_body(stick("a", [[0, 0, 0]]).clip.skeleton).radii[0])
HALF_TURN = 0.5 * np.pi


def about(axis, angle):
    return np.array([np.cos(angle / 2), *(np.sin(angle / 2) * np.array(axis, float))])


def still(x, y, z, frames=2):
    return np.tile([float(x), float(y), float(z)], (frames, 1))


def people(*shown):
    found = check_people(gather(shown), 30.0)
    return {violation.kind for violation in found.violations}, found.people_gap, found.body_gap, found.violations


def obstacles(shown, *things):
    wrong, bodies, _ = check_obstacles(gather([shown]), 0, lay_out(scene_of(*things), 30.0), 30.0)
    return {violation.kind for violation in wrong}, bodies, wrong


def test_people_apart_and_together():
    kinds, circles, bodies, _ = people(stick("a", still(0, 0, 0)), stick("b", still(0.3, 0, 0)))
    assert not kinds
    assert circles.gap == pytest.approx(0.3 - 2 * RADIUS)
    assert bodies.gap == pytest.approx(0.3 - 2 * RADIUS)
    assert (bodies.who, bodies.other) == ("a", "b")
    kinds, _, bodies, wrong = people(stick("a", still(0, 0, 0)), stick("b", still(1.5 * RADIUS, 0, 0)))
    assert kinds == {"bodies"}
    assert bodies.gap == pytest.approx(-0.5 * RADIUS)
    assert [found.amount for found in wrong] == pytest.approx([0.5 * RADIUS])


def test_overlapping_circles_are_a_figure_and_no_violation():
    """One is above the other for ten frames; a third comes over both."""
    above = stick("b", still(0, 1.5, 0, 10), start_frame=10)
    found = check_people(gather([stick("a", still(0, 0, 0, 20)), above]), 30.0)
    assert not found.violations
    assert found.people_gap.gap == pytest.approx(-2 * RADIUS)
    assert found.body_gap is None  # never within 0.25 m
    assert (found.overlap_pairs, found.overlap_seconds) == (1, pytest.approx(2 * 10 / 30.0))
    third = stick("c", np.concatenate([still(5, 3, 0, 5), still(0, 3, 0, 10)]))
    found = check_people(gather([stick("a", still(0, 0, 0, 20)), above, third]), 30.0)
    # From frame 4 on it comes nearer, and reaches the first one's circle before frame 5.
    assert (found.overlap_pairs, found.overlap_seconds) == (3, pytest.approx((16 + 10 + 11) / 30.0))


@pytest.mark.parametrize("seed", range(20))
def test_circles_are_nearest_when_samples_say(seed):
    rng = np.random.default_rng(seed)
    circles = np.abs(rng.normal(size=(4, 3)) * (1.0, 1.0, rng.choice([0.01, 1.0])))
    shares = np.linspace(0.0, 1.0, 2001)[:, None]
    one, two = (a + shares * (b - a) for a, b in (circles[:2], circles[2:]))
    gaps = np.hypot(*(one - two)[:, :2].T) - one[:, 2] - two[:, 2]
    least, when = least_circle_gap(*circles)
    assert gaps.min() - 1e-5 < least <= gaps.min() + 1e-12
    assert least == pytest.approx(np.interp(when, shares[:, 0], gaps), abs=1e-5)


def test_people_who_pass_through_each_other_between_two_frames():
    ways = np.array([[-2.0, 0, 0], [2.0, 0, 0]]), np.array([[2.0, 0, 0.01], [-2.0, 0, 0.01]])
    kinds, _, _, wrong = people(stick("a", ways[0]), stick("b", ways[1]))
    assert kinds == {"bodies"}
    assert all(0.3 < found.frame < 0.7 for found in wrong)
    kinds, *_ = people(stick("a", ways[0]), stick("b", ways[1] + [0, 0, 2 * RADIUS]))
    assert not kinds


def test_who_has_left_is_not_there():
    away = stick("b", still(0, 0, 0, 5), start_frame=10)
    assert not people(stick("a", still(0, 0, 0, 10)), away)[0]
    kinds, _, _, wrong = people(stick("a", still(0, 0, 0, 11)), away)
    assert kinds == {"bodies"}
    assert {(found.first_frame, found.last_frame) for found in wrong} == {(10, 10)}


def test_an_event_is_one_violation():
    path = np.column_stack([np.linspace(-3, 3, 61), np.zeros((61, 2))])
    _, _, _, wrong = people(stick("a", path), stick("b", still(0, 0, 0, 61)))
    assert [found.kind for found in wrong] == ["bodies"]
    assert wrong[0].first_frame < 30 < wrong[0].last_frame
    assert wrong[0].amount == pytest.approx(2 * RADIUS, abs=1e-6)
    twice = np.concatenate([path, path[::-1]])
    _, _, _, wrong = people(stick("a", twice), stick("b", still(0, 0, 0, 122)))
    assert len(wrong) == 2


SHAPES = {
    "box": (Box(1.0, 1.0, 1.0), 0.5),
    "cylinder": (Cylinder(0.5, 1.0), 0.5),
    "sphere": (Sphere(0.5), 0.5),
    "capsule": (Capsule(0.5, 1.0), 0.5),
    "mesh": (Mesh(CUBE, CUBE_FACES), 0.5),
    "polygon": (Polygon(np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [0.0, 0.1], [-0.5, 0.5]]), 1.0), 0.5),
}


@pytest.mark.parametrize("name", SHAPES)
def test_beside_and_inside_every_shape(name):
    shape, half = SHAPES[name]
    beside = stick("a", still(half + RADIUS + 0.1, 0, -0.2 if name != "sphere" else 0))
    kinds, bodies, _ = obstacles(beside, thing(shape))
    assert not kinds
    if name in ("box", "mesh", "polygon", "sphere"):
        assert bodies.gap == pytest.approx(0.1)
    kinds, *_ = obstacles(stick("a", still(half + RADIUS - 0.01, 0, 0)), thing(shape))
    assert kinds == {"obstacle"} if name != "polygon" else kinds
    deep = stick("a", still(0.0, 0.3, -0.2), length=0.1)
    assert obstacles(deep, thing(shape))[0] == {"obstacle"}


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_that_fly_through_between_two_frames(name):
    shape, _ = SHAPES[name]
    way = np.array([[0.0, 0.0, -30.0], [0.0, 0.0, 30.0]])
    turn = np.array([about((0.6, 0.0, 0.8), 0.0), about((0.6, 0.0, 0.8), 2.0)])
    assert obstacles(stick("a", still(0, 0, 0)), thing(shape, way))[0] == {"obstacle"}
    assert obstacles(stick("a", still(0, 0, 0)), thing(shape, way, turn))[0] == {"obstacle"}
    assert not obstacles(stick("a", still(2, 0, 0)), thing(shape, way, turn))[0]


def test_a_thin_door_that_swings_by_between_two_frames():
    door = thing(Box(2.0, 2.0, 0.01), still(0, 0, 0), np.array([about((0, 1, 0), -1.0), about((0, 1, 0), 1.0)]))
    assert obstacles(stick("a", still(0.9, 0, 0)), door)[0] == {"obstacle"}
    assert not obstacles(stick("a", still(1.2, 0, 0)), door)[0]


def test_what_is_over_or_under_a_bar_does_not_touch_it():
    bar = Box(4.0, 0.2, 0.1)
    over = stick("a", still(0, 0.5, 0))
    assert obstacles(over, thing(bar))[0] == set()  # above it: not at its height
    tall = stick("a", still(0, 0.05, 0.06 + RADIUS))
    assert obstacles(tall, thing(bar))[0] == set()
    leaning = stick("a", still(0, 0.5, -0.5), rotations=about((1, 0, 0), HALF_TURN))
    beam = thing(bar, (0, 0.65, 0))
    assert obstacles(leaning, beam)[0] == set()
    two = stick("a", np.array([[0, 0.5, -0.5], [0, 0.75, -0.5]]), rotations=about((1, 0, 0), HALF_TURN))
    assert obstacles(two, beam)[0] == {"obstacle"}
    assert obstacles(two, thing(bar, (0, 0.65, 0), passes=("duck_under",)))[0] == {"obstacle"}


def test_what_is_above_all_heads_is_not_in_the_way():
    person = stick("a", still(0, 0, 0), length=1.7)
    roof = Mesh(
        np.array([[-2, 2.0, -2], [2, 2.0, -2], [2, 2.0, 2], [-2, 2.0, 2]]), np.array([[0, 1, 2], [0, 2, 3]])
    )
    assert not obstacles(person, thing(Box(4, 0.1, 4), (0, 2.0, 0)))[0]
    assert not obstacles(person, thing(roof))[0]
    lean_to = thing(Box(0.1, 6.0, 1.0), (-1.0, 0, 0), about((0, 0, 1), -0.4))
    # It leans over the head: in nobody's way up to where its lower side comes down to it.
    assert not obstacles(stick("a", still(0.15, 0, 0), length=1.7), lean_to)[0]
    assert obstacles(stick("a", still(-0.55, 0, 0), length=1.7), lean_to)[0] == {"obstacle"}


def test_a_leaning_pole_counts_up_to_the_head():
    pole = thing(Capsule(0.1, 8.0), (-1.0, 0, 0), about((0, 0, 1), -0.6))
    assert not obstacles(stick("a", still(2.0, 0, 0), length=1.7), pole)[0]
    assert "obstacle" in obstacles(stick("a", still(-0.5, 0, 0), length=1.7), pole)[0]


def test_what_falls_on_a_head_between_two_frames():
    person = stick("a", still(0, 0, 0), length=1.7)
    for shape in (Box(1, 0.1, 1), Mesh(CUBE, CUBE_FACES), Sphere(0.3)):
        through = thing(shape, np.array([[0.0, 9.0, 0.0], [0.0, -9.0, 0.0]]))
        assert obstacles(person, through)[0] == {"obstacle"}
        stops = thing(shape, np.array([[0.0, 9.0, 0.0], [0.0, 2.2, 0.0]]))
        assert not obstacles(person, stops)[0]


def test_an_obstacle_stays_after_its_last_frame():
    ball = thing(Sphere(0.3), np.array([[5.0, 0.5, 0.0], [0.0, 0.5, 0.0]]))
    kinds, _, wrong = obstacles(stick("a", still(0, 0, 0, 9), start_frame=4), ball)
    assert kinds == {"obstacle"}
    assert {(found.first_frame, found.last_frame) for found in wrong} == {(4, 12)}


def test_obstacles_have_the_time_of_the_scene():
    """A scene at 60 Hz and a take at 30 Hz: after one frame of the take two of the scene are over."""
    ball = thing(Sphere(0.3), np.array([[5.0, 0.5, 0.0], [2.5, 0.5, 0.0], [0.0, 0.5, 0.0]]))
    scene = scene_of(ball)
    object.__setattr__(scene, "fps", 60.0)
    wrong, *_ = check_obstacles(gather([stick("a", still(0, 0, 0, 2))]), 0, lay_out(scene, 30.0), 30.0)
    assert {found.last_frame for found in wrong} == {1}


def test_inside_the_notch_of_an_outline():
    outline = thing(Polygon(L_SHAPE, 1.0))
    assert not obstacles(stick("a", still(1.5, 0, 1.5)), outline)[0]
    assert obstacles(stick("a", still(1.0, 0, 0.5)), outline)[0] == {"obstacle"}


def test_edges():
    """A body that lies along an edge stays inside where its circle does not."""
    lying = stick("a", still(-0.5, 0.5, 0.9), rotations=about((0, 0, 1), -HALF_TURN))
    wrong, least = check_bounds(gather([lying]), 0, (-1.0, -1.0, 1.0, 1.0), 30.0)
    assert circles_of(gather([lying]))[0, 2] > 0.1 + least.gap
    assert not wrong
    assert least.gap == pytest.approx(0.1 - RADIUS)
    bounds = (-1.0, -1.0, 1.0, 1.0)
    wrong, least = check_bounds(gather([stick("a", still(1 - RADIUS - 0.01, 0, 0))]), 0, bounds, 30.0)
    assert not wrong
    assert least.gap == pytest.approx(0.01)
    for x, z in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):
        wrong, _ = check_bounds(gather([stick("a", still(x, 0, z))]), 0, bounds, 30.0)
        assert [found.kind for found in wrong] == ["bounds"]
        assert wrong[0].amount == pytest.approx(RADIUS)
