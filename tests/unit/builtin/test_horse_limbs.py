"""Legs of three bones: they reach what they are asked to, and fold as a horse's do."""

from __future__ import annotations

import numpy as np
import pytest

from walkon.builtin.horse.limbs import ACROSS, HorseLeg, face_hoof, pitched, reach_fetlock
from walkon.builtin.horse.stride import LEG_KINDS
from walkon.builtin.posing import Poser, turned
from walkon.builtin.skeletons import horse_skeleton
from walkon.rotations import angle_between, rotate

LEGS = [(kind, side) for kind in LEG_KINDS for side in ("Left", "Right")]


def posed(kind: str, side: str, targets: np.ndarray, knee: np.ndarray) -> tuple[Poser, HorseLeg]:
    """A standing horse whose leg reaches for targets (F, 3) [m] from its shoulder or hip."""
    skeleton = horse_skeleton()
    leg = HorseLeg.of(skeleton, LEG_KINDS[kind], side)
    poser = Poser(skeleton, np.tile(skeleton.offsets[0], (len(targets), 1)))
    origin = poser.frame(leg.names[0])[0]
    reach_fetlock(poser, leg, origin + targets, knee, np.broadcast_to(ACROSS, targets.shape))
    return poser, leg


@pytest.mark.parametrize(("kind", "side"), LEGS)
def test_the_fetlock_is_where_it_was_sent(kind, side):
    rng = np.random.default_rng(1)
    targets = np.array([0.0, -0.68, 0.0]) + rng.uniform(-1, 1, (50, 3)) * [0.1, 0.1, 0.25]
    knee = rng.uniform(0, 40, 50)
    poser, leg = posed(kind, side, targets, knee)
    reached = poser.frame(leg.names[3])[0] - poser.frame(leg.names[0])[0]
    np.testing.assert_allclose(reached, targets, atol=1e-9)


def test_the_cannon_of_a_hind_leg_stays_parallel_to_its_femur():
    targets = np.array([[0.0, -0.95, 0.2], [0.0, -0.7, 0.1], [0.0, -0.6, -0.2]])
    poser, leg = posed("hind", "Left", targets, np.zeros(3))
    femur, cannon = (poser.frame(leg.names[k])[1] for k in (0, 2))
    np.testing.assert_allclose(angle_between(femur, cannon), 0.0, atol=1e-7)
    assert np.ptp(angle_between(femur, poser.frame(leg.names[1])[1])) > 0.5


def test_the_knee_of_a_foreleg_folds_by_its_key_and_is_straight_without():
    targets = np.tile([0.0, -0.8, 0.1], (2, 1))
    poser, leg = posed("fore", "Right", targets, np.array([0.0, 60.0]))
    forearm, cannon = (poser.frame(leg.names[k])[1] for k in (1, 2))
    np.testing.assert_allclose(np.degrees(angle_between(forearm, cannon)), [0.0, 60.0], atol=1e-5)
    # A folded carpus brings the cannon backwards, not forwards.
    elbow, knee, fetlock = (poser.frame(leg.names[k])[0][1] for k in (1, 2, 3))
    assert np.cross(knee - elbow, fetlock - knee)[0] > 0


def test_forward_kinematics_of_the_keys_is_what_reaching_finds():
    for kind, side in LEGS:
        skeleton = horse_skeleton()
        leg = HorseLeg.of(skeleton, LEG_KINDS[kind], side)
        target = leg.fetlock_at(upper=20.0, fold=30.0, knee=40.0)
        poser, _ = posed(kind, side, target[None], np.array([40.0]))
        fold = angle_between(poser.rotations[0, skeleton.index(leg.names[1])], turned())
        assert np.degrees(fold) == pytest.approx(30.0, abs=1e-6)
        np.testing.assert_allclose(poser.frame(leg.names[0])[1][0], turned(bend=-20.0), atol=1e-9)


def test_a_target_out_of_reach_is_approached():
    poser, leg = posed("fore", "Left", np.array([[0.0, -3.0, 0.0]]), np.zeros(1))
    reached = (poser.frame(leg.names[3])[0] - poser.frame(leg.names[0])[0])[0]
    assert 0.85 < -reached[1] < 1.1
    assert abs(reached[2]) < 0.05


def test_the_fetlock_above_a_standing_hoof_is_found_from_its_tip():
    poser, leg = posed("hind", "Right", np.array([[0.0, -0.9, 0.1]]), np.zeros(1))
    pastern, hoof = pitched(turned()[None], 25.0), pitched(turned()[None], -30.0)
    face_hoof(poser, leg, pastern, hoof)
    tip = poser.frame(leg.names[4])[0] + rotate(hoof, leg.bones[4])
    np.testing.assert_allclose(leg.above_hoof(tip, pastern, hoof), poser.frame(leg.names[3])[0], atol=1e-12)
