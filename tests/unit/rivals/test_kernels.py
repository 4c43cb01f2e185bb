"""Kernels of the rivals beside plain formulas, and in cases whose answers are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from walkon.rivals import Orca, PairModel, SocialForces, Steering
from walkon.rivals._kernels_forces import integrate, repulsion
from walkon.rivals._kernels_pairs import correction, lead, share_of
from walkon.rivals._kernels_steering import find_threat, nearest_approach, side_of_threat
from walkon.rivals._kernels_walls import nearest_of, nearest_on
from walkon.rivals.walls import Walls, lay_walls
from walkon.world import Box, Capsule, Cylinder

NOTHING = Walls(np.empty((0, 6)), ())


def move(model, places, velocities, wanted, seconds=0.1, walls=NOTHING) -> np.ndarray:
    """Accelerations (N, 2) that a model gives, from one step of it."""
    arrays = [np.array(one, dtype=np.float64) for one in (places, velocities, wanted)]
    return (model.begin(walls).velocities(np.arange(len(places)), *arrays, seconds) - arrays[1]) / seconds


def test_repulsion_is_the_gradient_of_the_elliptic_potential() -> None:
    rng = np.random.default_rng(1)

    def potential(r, y) -> float:
        b = 0.5 * math.sqrt((np.hypot(*r) + np.hypot(*(r - y))) ** 2 - np.hypot(*y) ** 2)
        return 2.1 * math.exp(-b / 0.3)

    for _ in range(50):
        r, y = rng.uniform(-1.5, 1.5, 2), rng.uniform(-2.0, 2.0, 2)
        steps = 1e-6 * np.eye(2)
        naive = [-(potential(r + step, y) - potential(r - step, y)) / 2e-6 for step in steps]
        np.testing.assert_allclose(repulsion(*r, *y, 2.1, 0.3), naive, rtol=1e-4, atol=1e-6)


def test_social_forces_by_hand() -> None:
    """To the wanted velocity; two at rest push by V0 / sigma exp(-r / sigma), less behind one's back."""
    model = SocialForces()
    drive = move(model, [(0, 0)], [(0.5, 0)], [(1.0, 0)])
    np.testing.assert_allclose(drive, [(0.5 / 0.5, 0.0)])
    push = 2.1 / 0.3 * math.exp(-0.6 / 0.3)
    pushed = move(model, [(0, 0), (0.6, 0)], np.zeros((2, 2)), [(0.1, 0), (0.1, 0)])
    np.testing.assert_allclose(pushed, [(0.2 - push, 0.0), (0.2 + 0.5 * push, 0.0)], atol=1e-12)
    wall = Walls(np.array([[-5.0, -0.5, 5.0, -0.5, 0.1, 0.0]]), ())
    off = move(model, [(0, 0)], [(0, 0)], [(0, 0)], 0.01, wall)
    np.testing.assert_allclose(off, [(0.0, 10.0 / 0.2 * math.exp(-0.4 / 0.2))])


def naive_forces(model: SocialForces, places, velocities, wanted) -> np.ndarray:
    out = (wanted - velocities) / model.relaxation
    for i in range(len(places)):
        ahead = wanted[i] / np.hypot(*wanted[i])
        for j in range(len(places)):
            if i != j:
                y = velocities[j] * model.stride
                push = np.array(repulsion(*(places[i] - places[j]), *y, model.strength, model.reach))
                angle = math.acos(np.clip(-push @ ahead / np.hypot(*push), -1.0, 1.0))
                out[i] += push * (1.0 if angle <= 0.5 * model.sight else model.behind)
    return out


def test_social_forces_of_a_crowd_are_those_of_all_pairs() -> None:
    rng = np.random.default_rng(2)
    model = SocialForces(most_speed=math.inf)
    places, velocities, wanted = rng.uniform(-2, 2, (9, 2)), rng.normal(0, 1, (9, 2)), rng.normal(0, 1, (9, 2))
    found = move(model, places, velocities, wanted, 0.01)
    np.testing.assert_allclose(found, naive_forces(model, places, velocities, wanted), rtol=1e-9, atol=1e-9)


def test_speeds_and_forces_are_limited() -> None:
    faster = integrate(np.array([[1.0, 0.0]]), np.array([[100.0, 0.0]]), 0.1, 4.0, 2.0)
    np.testing.assert_allclose(faster, [(1.4, 0.0)])
    np.testing.assert_allclose(
        np.hypot(*integrate(faster, np.array([[0.0, 90.0]]), 1.0, 90.0, 2.0)[0]), 2.0, rtol=0.01
    )


def test_the_soonest_of_those_who_would_touch_is_the_threat() -> None:
    assert nearest_approach(4.0, 0.0, -2.0, 0.0) == pytest.approx(2.0)
    assert nearest_approach(4.0, 0.0, 0.0, 0.0) == 0.0
    places = np.array([(0.0, 0.0), (0.2, 6.0), (0.0, 3.0), (5.0, 1.0), (0.0, -1.0)])
    velocities = np.array([(0.0, 1.0), (0.0, -1.0), (0.0, 0.0), (0.0, -1.0), (0.0, 0.5)])
    rows = [
        find_threat(0, places[chosen], velocities[chosen], 0.4, 10.0) for chosen in ([0, 1], [0, 1, 2], [0, 3, 4])
    ]
    assert rows[0] == (1, pytest.approx(3.0))
    # The one who stands is met at 3 s as well; nobody is displaced by an equal.
    assert rows[1][0] in (1, 2)
    assert rows[2][0] == -1
    assert find_threat(0, places[[0, 1]], velocities[[0, 1]], 0.4, 2.0)[0] == -1
    assert find_threat(0, places[[0, 1]], velocities[[0, 1]], 0.05, 10.0)[0] == -1


@pytest.mark.parametrize(
    ("place", "velocity", "side"),
    [
        ((0.2, 5.0), (0.0, -1.0), -1.0),  # from the front, a little to the left: to the right
        ((-0.2, 5.0), (0.0, -1.0), 1.0),
        ((0.2, 2.0), (0.0, 0.3), -1.0),  # slower, ahead
        ((-3.0, 3.0), (0.9, 0.0), -1.0),  # crosses to the left: behind it, to the right
        ((3.0, 3.0), (-0.9, 0.0), 1.0),
        ((3.0, 3.0), (-1.5, 0.0), 0.0),  # faster: passes first, nothing to do
    ],
)
def test_the_side_of_a_threat(place: tuple, velocity: tuple, side: float) -> None:
    """Of somebody who goes along z with x to the left."""
    places, velocities = np.array([(0.0, 0.0), place]), np.array([(0.0, 1.0), velocity])
    assert side_of_threat(0, 1, 2.0, 0.0, 1.0, places, velocities) == side


def test_steering_by_hand() -> None:
    """Seek; to the side with the whole force from whom one would touch, and from whom one does; smoothed."""
    model = Steering(force=100.0, smoothing=math.inf)
    np.testing.assert_allclose(move(model, [(0, 0)], [(0, 0.5)], [(0, 1.0)]), [(0.0, 1.0)])
    threat = [(0, 0), (0.2, 5)], [(0, 1), (0, -1)], [(0, 1), (0, -1)]
    np.testing.assert_allclose(move(model, *threat), [(-10.0, 0.0), (10.0, 0.0)], atol=1e-12)
    limited = Steering(smoothing=math.inf)
    np.testing.assert_allclose(move(limited, *threat), [(-8.0, 0.0), (8.0, 0.0)], atol=1e-12)
    touching = [(0, 0), (0.5, 0.4)], [(0, 1), (0, 1)], [(0, 1), (0, 1)]
    np.testing.assert_allclose(move(model, *touching), [(-5.0, 0.0), (5.0, 0.0)], atol=1e-12)


def test_steering_is_smoothed_and_remembers_everybody() -> None:
    """A share of 9 times the step, 0.15 to 0.4, of what is new; also when others come and go."""
    mover = Steering(force=100.0).begin(NOTHING)
    places, velocities, wanted = np.zeros((1, 2)), np.array([(0.0, 0.5)]), np.array([(0.0, 1.0)])
    first = mover.velocities(np.array([3]), places, velocities, wanted, 1.0 / 30.0) - velocities
    np.testing.assert_allclose(first * 30.0, [(0.0, 0.3 * 1.0)])
    both = (
        np.concatenate([[(50.0, 0.0)], places]),
        np.concatenate([velocities] * 2),
        np.concatenate([wanted] * 2),
    )
    second = mover.velocities(np.array([1, 3]), *both, 1.0 / 30.0) - both[1]
    np.testing.assert_allclose(second * 30.0, [(0.0, 0.3), (0.0, 0.7 * 0.3 + 0.3)])


def test_orca_where_there_are_no_walls() -> None:
    """Alone, what is wanted; else a velocity that is free for the time it looks ahead, shared by both."""
    pytest.importorskip("pyrvo")
    model = Orca(ahead=2.0)
    wanted = np.array([(0.3, 1.0)])
    alone = model.begin(NOTHING).velocities(np.array([0]), np.zeros((1, 2)), wanted, wanted, 0.1)
    np.testing.assert_allclose(alone, wanted, atol=1e-6)
    places, velocities = np.array([(0.0, 0.0), (0.3, 3.0)]), np.array([(0.0, 1.0), (0.0, -1.0)])
    chosen = model.begin(NOTHING).velocities(np.arange(2), places, velocities, velocities, 0.1)
    np.testing.assert_allclose(chosen[0], -chosen[1], atol=1e-5)  # seen from the other, everything is mirrored
    assert chosen[0, 0] < 0.0 < chosen[1, 0]
    times = np.linspace(0.0, model.ahead, 200)[:, None]
    apart = np.hypot(*((places[1] - places[0]) + times * (chosen[1] - chosen[0])).T)
    assert apart.min() > 2.0 * model.radius - 1e-4
    unchanged = np.hypot(*((places[1] - places[0]) + times * (velocities[1] - velocities[0])).T)
    assert unchanged.min() < 2.0 * model.radius


def test_who_comes_first_to_the_crossing() -> None:
    """I go along x and am 2 m from the crossing, the other along z and 3 m: I lead by a second at 1 m/s."""
    assert lead(2.0, -3.0, 1.0, 0.0, 0.0, 1.0) == pytest.approx(1.0)
    assert lead(-2.0, 3.0, 0.0, 1.0, 1.0, 0.0) == pytest.approx(-1.0)
    assert lead(2.0, 3.0, 1.0, 0.0, 0.0, 1.0) == 0.0  # the other is past it
    assert lead(5.0, 0.1, 1.0, 0.0, -1.0, 0.0) == 0.0  # head on
    assert share_of(1.0, 0.35) == pytest.approx(0.35)
    assert share_of(-1.0, 0.35) == pytest.approx(0.65)
    assert share_of(0.0, 0.35) == 0.5


def test_a_correction_makes_the_predicted_distance_what_it_should_be() -> None:
    """For small changes, and to the side on which the other passes already; shares add up to all of it."""
    rng = np.random.default_rng(5)
    met = 0
    for _ in range(200):
        place, velocity = rng.uniform(-6, 6, 2), rng.normal(0, 1.2, 2)
        seconds = -(place @ velocity) / (velocity @ velocity)
        predicted = place + seconds * velocity
        change = np.array(correction(*place, *velocity, 1.0, 5.0))
        if not 0.0 < seconds <= 5.0 or np.hypot(*predicted) >= 1.0:
            assert not change.any()
        elif seconds > 0.3:
            met += 1
            then = place + seconds * (velocity + change)
            assert np.hypot(*then) == pytest.approx(1.0)
            assert then @ predicted > 0.0
    assert met > 10


def test_whoever_passes_later_does_more_and_slows_down() -> None:
    """Crossing at right angles: the earlier speeds up a little, the later slows down more."""
    model = PairModel(force=math.inf, most_speed=math.inf)
    velocities = [(1.0, 0.0), (0.0, 1.0)]
    earlier, later = move(model, [(-2.0, 0.0), (0.0, -2.3)], velocities, velocities)
    assert np.hypot(*earlier) / np.hypot(*later) == pytest.approx(0.35 / 0.65)
    assert earlier[0] > 0.0
    assert later[1] < 0.0
    np.testing.assert_allclose(earlier / np.hypot(*earlier), -later / np.hypot(*later), atol=1e-12)


def test_straight_at_each_other_both_keep_right() -> None:
    model = PairModel()
    changes = move(model, [(0, -3), (0, 3)], [(0, 1), (0, -1)], [(0, 1), (0, -1)])
    assert changes[0, 0] < 0.0 < changes[1, 0]  # x is to the left of whoever goes along z


def naive_pairs(model: PairModel, places, velocities, wanted) -> np.ndarray:
    out = (wanted - velocities) / model.relaxation
    for i in range(len(places)):
        for j in range(len(places)):
            apart, relative = places[j] - places[i], velocities[j] - velocities[i]
            seconds = -(apart @ relative) / max(relative @ relative, 1e-12)
            nearest = apart + seconds * relative
            predicted = np.hypot(*nearest)
            if i == j or not 0.0 < seconds <= model.ahead or predicted >= model.distance:
                continue
            crossing = np.linalg.solve(np.column_stack([velocities[i], -velocities[j]]), apart)
            first = crossing[1] - crossing[0] if (crossing >= 0.0).all() else 0.0
            share = 0.5 + (model.earlier - 0.5) * np.clip(first / 0.1, -1.0, 1.0)
            change = (model.distance - predicted) * nearest / predicted / max(seconds, 0.3)
            out[i] -= share * change / model.reaction
    return out


def test_the_pair_model_of_a_crowd_is_that_of_all_pairs() -> None:
    rng = np.random.default_rng(6)
    model = PairModel(force=math.inf, most_speed=math.inf)
    places, velocities, wanted = rng.uniform(-4, 4, (8, 2)), rng.normal(0, 1, (8, 2)), rng.normal(0, 1, (8, 2))
    found = move(model, places, velocities, wanted, 0.01)
    np.testing.assert_allclose(found, naive_pairs(model, places, velocities, wanted), rtol=1e-6, atol=1e-6)


def naive_steering(model: Steering, places, velocities, wanted) -> np.ndarray:
    out = model.seeking * (wanted - velocities)
    for i in range(len(places)):
        speed = np.hypot(*velocities[i])
        facing = velocities[i] / speed
        left = np.array([facing[1], -facing[0]])
        met, aside = [], np.zeros(2)
        for j in range(len(places)):
            if j == i:
                continue
            apart, relative = places[j] - places[i], velocities[j] - velocities[i]
            seconds = -(apart @ relative) / (relative @ relative)
            if 0.0 <= seconds < model.ahead and np.hypot(*(apart + seconds * relative)) < 2.0 * model.radius:
                met.append((seconds, j))
            if np.hypot(*apart) < 2.0 * model.radius and not aside.any():
                aside = -(apart @ left) * left
        if met and not aside.any():
            aside = side_of_threat(i, min(met)[1], min(met)[0], *facing, places, velocities) * left
        if aside.any():
            out[i] = model.seeking * (np.hypot(*wanted[i]) - speed) * facing + model.avoiding * aside
    return out


def test_steering_of_a_crowd_is_that_of_all_pairs() -> None:
    rng = np.random.default_rng(7)
    model = Steering(most_speed=math.inf, smoothing=math.inf)
    places, velocities, wanted = rng.uniform(-3, 3, (9, 2)), rng.normal(0, 1, (9, 2)), rng.normal(0, 1, (9, 2))
    naive = naive_steering(model, places, velocities, wanted)
    naive *= np.minimum(model.force / np.hypot(*naive.T), 1.0)[:, None]
    np.testing.assert_allclose(move(model, places, velocities, wanted, 0.01), naive, rtol=1e-9, atol=1e-9)


def test_nobody_who_is_far_enough_is_avoided() -> None:
    model = PairModel()
    for places, velocities in (
        ([(0, -3), (1.2, 3)], [(0, 1), (0, -1)]),
        ([(0, -9), (0, 9)], [(0, 1), (0, -1)]),
        ([(0, -1), (0.2, 1)], [(0, -1), (0, 1)]),
    ):
        np.testing.assert_array_equal(move(model, places, velocities, velocities), np.zeros((2, 2)))


def test_walls_are_the_sides_of_things(make_scene) -> None:
    """A box has four, a pillar is a disc, what lies is a thick line; the nearest point of each is found."""
    things = (("box", Box(2.0, 1.0, 1.0), 3.0, 0.0), ("pillar", Cylinder(0.5, 2.0), -3.0, 0.0),
              ("post", Capsule(0.2, 1.0), 0.0, 4.0), ("lamp", Box(1.0, 1.0, 1.0), 0.0, 0.0))  # fmt: skip
    scene = make_scene({}, things)
    high = scene.obstacles[3].positions + np.array([0.0, 4.0, 0.0])
    object.__setattr__(scene.obstacles[3], "positions", high)
    walls = lay_walls(scene)
    assert np.bincount(walls.segments[:, 5].astype(int)).tolist() == [1, 1, 1, 1, 4, 1, 1]
    first = 4
    assert nearest_of(walls.segments, first, 0.0, 0.2) == (2.0, pytest.approx(0.2), 0.0, 8)
    assert nearest_of(walls.segments, 8, 0.0, 0.0) == (-3.0, 0.0, 0.5, 9)
    areas = [0.5 * np.sum(o[:, 0] * np.roll(o[:, 1], -1) - o[:, 1] * np.roll(o[:, 0], -1)) for o in walls.outlines]
    assert areas[0] == pytest.approx(-576.0)
    assert areas[1] == pytest.approx(2.0)
    assert math.pi * 0.25 < areas[2] < 1.05 * math.pi * 0.25
    assert areas[3] > math.pi * 0.04


def test_nearest_points_of_segments() -> None:
    segments = np.array([[0.0, 0.0, 2.0, 0.0, 0.0, 0.0]])
    for place, nearest in (((1.0, 3.0), (1.0, 0.0)), ((-1.0, 1.0), (0.0, 0.0)), ((5.0, -1.0), (2.0, 0.0))):
        assert nearest_on(segments, 0, *place) == nearest
