"""A foot that is held stays where it is, whatever the blend around it does."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.motion.feet.foot_paths import FootPath, hold_foot
from walkon.rotations import rotate


def _turning_foot(frames: int, rate: float) -> FootPath:
    """A foot whose heel rises from the middle on, while a blend turns it about its ankle by `rate` [rad/frame]."""
    turn = rate * np.maximum(np.arange(frames) - frames // 2, 0)
    lift = 0.01 * np.maximum(np.arange(frames) - frames // 2, 0)

    def placed(ahead: float, height: np.ndarray) -> np.ndarray:
        return np.stack([ahead * np.sin(turn), height, ahead * np.cos(turn)], axis=1)

    flat = np.zeros(frames)
    return FootPath(placed(0.0, 0.08 + lift), placed(-0.06, lift), placed(0.14, flat), placed(0.21, flat), 30.0)


@pytest.mark.parametrize("flat_first", [True, False])
def test_toes_that_stand_keep_their_direction_when_the_heel_has_left(flat_first):
    frames = 24
    foot = _turning_foot(frames, 0.03)
    heel = (np.arange(frames) < frames // 2) & flat_first
    stands = np.ones(frames, dtype=bool)
    held = hold_foot(foot, heel, stands, stands)
    toe = held.ankle + rotate(held.yaw, foot.toe - foot.ankle)
    tip = toe + rotate(held.yaw, foot.tip - foot.toe)
    for joint, kept in ((toe, held.toe_held), (tip, held.tip_held)):
        steps = np.hypot(*np.diff(joint[:, [0, 2]], axis=0).T)[kept[1:] & kept[:-1]]
        assert len(steps) > frames // 2
        assert steps.max() < 5e-4
