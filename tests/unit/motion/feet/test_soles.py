from __future__ import annotations

import numpy as np
import pytest

from walkon.motion import Clip
from walkon.motion.feet.soles import leg_length, sole_clearances
from walkon.skeleton import Skeleton, find_roles


def test_legs_are_hip_knee_and_ankle(human: Skeleton) -> None:
    roles = find_roles(human)
    legs = [roles.leg_above(foot) for foot in roles.feet]
    assert [human.names[joint] for joint in legs[0]] == ["LeftUpLeg", "LeftLeg", "LeftFoot"]


def test_leg_length_is_what_hangs_between_hip_and_ankle(human: Skeleton, long_legged: Skeleton) -> None:
    assert leg_length(human) == pytest.approx(0.85)
    assert leg_length(long_legged) == pytest.approx(1.25 * 0.85)


def test_without_legs_the_whole_size_counts() -> None:
    assert leg_length(Skeleton(("a", "b"), (-1, 0), [(0, 0, 0), (0, 2, 0)])) == 2.0


def test_a_standing_foot_is_as_high_as_its_toes(walk: Clip) -> None:
    clearances = sole_clearances(walk.skeleton, walk.positions)
    toes = walk.positions[:, [walk.skeleton.index("LeftToeEnd"), walk.skeleton.index("RightToeEnd")], 1]
    np.testing.assert_allclose(clearances, toes, atol=1e-9)
    assert clearances.min() == pytest.approx(0.02)


def test_a_raised_toe_leaves_the_heel_on_the_ground(human: Skeleton) -> None:
    positions = human.rest_positions[None].copy()
    positions -= positions[:, human.index("LeftToeEnd"), 1].min() * np.array([0, 1, 0])
    positions[:, [human.index("LeftToe"), human.index("LeftToeEnd")], 1] += 0.1
    np.testing.assert_allclose(sole_clearances(human, positions), 0.0, atol=1e-9)
