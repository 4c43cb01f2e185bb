"""Knees on slopes: turned to where they leave the outline least, with hips and feet where they were."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.motion.features.outlines import COMPASS, DIRECTIONS, supports_around
from walkon.rotations import rotate
from walkon.skeleton import build_body, find_roles
from walkon.synthesis._kernels import best_swivels
from walkon.synthesis.knees import with_turned_knees
from walkon.synthesis.terrain import set_on_terrain
from walkon.world import HeightField

ANGLES = np.linspace(-0.4, 0.6, 21)
UPHILL = HeightField(-100.0, -100.0, 200.0, np.array([[-20.0, -20.0], [20.0, 20.0]]))


def turned(hip, knee, ankle, angle):
    """Where a knee is that goes round the line from hip to ankle."""
    along = (ankle - hip) / np.linalg.norm(ankle - hip)
    return hip + rotate(np.array([np.cos(0.5 * angle), *(np.sin(0.5 * angle) * along)]), knee - hip)


def test_the_best_angle_is_that_of_a_naive_search():
    """Of those that leave the other knee its half of the room between both."""
    random, found = np.random.default_rng(4), np.empty(300)
    hips, ankles = random.normal([0.1, 0.9, 0.0], 0.03, (300, 3)), random.normal([0.12, 0.1, 0.0], 0.05, (300, 3))
    middles, others = (
        random.normal([0.1, 0.5, 0.12], 0.04, (300, 3)),
        random.normal([-0.05, 0.5, 0.1], 0.06, (300, 3)),
    )
    outline = random.uniform(0.05, 0.3, (300, DIRECTIONS))
    best_swivels(hips, middles, ankles, others, 0.06, outline, ANGLES, 0.02, found)
    for f in range(300):
        costs, apart = [], np.linalg.norm((others - middles)[f, [0, 2]])
        for angle in ANGLES:
            knee = turned(hips[f], middles[f], ankles[f], angle)[[0, 2]]
            out = max((COMPASS @ knee + 0.06 - outline[f]).max(), 0.0)
            near = np.linalg.norm(others[f, [0, 2]] - knee) < min(apart, 0.5 * apart + 0.06) - 1e-9
            costs.append(np.inf if near else out + 0.02 * angle**2)
        assert found[f] == pytest.approx(ANGLES[int(np.argmin(costs))])
    assert (found < -0.01).sum() > 10
    assert (found > 0.01).sum() > 20


@pytest.fixture(scope="module")
def walk(library):
    behavior = next(one for one in library("human") if one.name == "walk_forward")
    return behavior.clips[0].clip


def test_feet_and_hips_stay_where_they_were(walk):
    """To the last joint of both feet, turned as before, while knees go round, into an outline further back."""
    shown, back = set_on_terrain(walk, UPHILL), walk.root_positions - [0.0, 0.0, 0.3]
    again = with_turned_knees(walk.with_changes(root_positions=back), shown, np.ones(len(walk), bool))
    for foot, (hip, knee, ankle) in find_roles(walk.skeleton).legs:
        for joint in (hip, ankle, *foot.joints):
            assert np.abs(again.positions[:, joint] - shown.positions[:, joint]).max() < 1e-9
        same = np.abs(np.sum(again.world_rotations[:, ankle] * shown.world_rotations[:, ankle], axis=1))
        assert same.min() > 1.0 - 1e-12
        assert np.abs(again.positions[:, knee] - shown.positions[:, knee]).max() > 0.01


@pytest.mark.parametrize(("slope", "most"), [(0.1, 0.042), (0.2, 0.068)])
def test_side_steps_leave_their_outlines_little_and_keep_knees_apart(library, slope, most):
    """To either side; on a slope of 0.1 by less than a scene's clearance of 50 mm. Knees that point as they did,
    and hips that are as low all the while as in the lowest frame, leave them by more."""
    behavior = next(one for one in library("human") if one.name == "side_step_left")
    clip = behavior.clips[0].clip
    own, (left, right) = build_body(clip.skeleton), (leg[1] for _, leg in find_roles(clip.skeleton).legs)
    before = supports_around(clip.positions, own).max(axis=1)
    apart = np.linalg.norm(clip.positions[:, left] - clip.positions[:, right], axis=1)
    for edge in (100.0 * slope, -100.0 * slope):
        shown = set_on_terrain(clip, HeightField(-100.0, -100.0, 200.0, edge * np.array([[-1, 1], [-1, 1]])))
        assert (supports_around(shown.positions, own).max(axis=1) - before).max() < most
        between = np.linalg.norm(shown.positions[:, left] - shown.positions[:, right], axis=1)
        assert between.min() > 0.8 * apart.min()


def test_who_is_not_upright_keeps_its_knees(walk):
    shown = set_on_terrain(walk, UPHILL)
    same = with_turned_knees(walk, shown, np.zeros(len(walk), bool))
    assert np.allclose(same.positions, shown.positions, atol=1e-9)
