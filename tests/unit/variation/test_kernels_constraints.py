"""The solver of equation 5.7 beside plain forward kinematics and scipy's own sequential quadratic programming."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from walkon.variation._kernels_constraints import hold_limb, place_limb
from walkon.variation._kernels_easing import ease_shifts

W1, W2 = 1.0, 5.0
LEG = (
    np.array([0, 0, 0, 1, 2, 2]),
    np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0], [1, 0, 0], [0, 1, 0.0]]),
)
ARM = (np.array([0, 0, 0, 1, 2, 2, 2]), np.concatenate([np.eye(3), np.eye(3)[:1], np.eye(3)]))


class RandomLimb:
    """A bent limb in some frames, and its forward kinematics written with scipy's rotations."""

    def __init__(self, seed: int, frames: int, dofs: tuple) -> None:
        rng = np.random.default_rng(seed)
        self.dof_joints, self.dof_axes = dofs
        self.poses = rng.normal(scale=0.02, size=(frames, 3)).cumsum(axis=0)
        bones = np.array([[0.02, -0.45, 0.0], [0.0, -0.42, 0.02], [0.0, -0.05, 0.15], [0.01, -0.04, -0.05]])
        self.offsets = np.tile(bones, (frames, 1, 1))
        drift = rng.normal(scale=0.03, size=(frames, 3, 3)).cumsum(axis=0) + rng.normal(scale=0.3, size=(1, 3, 3))
        drift[:, 1, 0] += 0.6
        turns = Rotation.from_rotvec(drift.reshape(-1, 3)).as_quat(scalar_first=True)
        self.turns = np.ascontiguousarray(turns.reshape(frames, 3, 4))

    def ends(self, t: int, d: np.ndarray) -> np.ndarray:
        """Where both ends (2, 3) are in frame t."""
        place, turn = self.poses[t], Rotation.identity()
        for j in range(3):
            vector = d[self.dof_joints == j] @ self.dof_axes[self.dof_joints == j]
            turn = turn * Rotation.from_quat(self.turns[t, j], scalar_first=True) * Rotation.from_rotvec(vector)
            if j < 2:
                place = place + turn.apply(self.offsets[t, j])
        return np.stack([place + turn.apply(self.offsets[t, 2]), place + turn.apply(self.offsets[t, 3])])

    def solve(self, goals: np.ndarray, both: bool, wanted: np.ndarray, earlier: np.ndarray, before: int) -> tuple:
        frames, n = wanted.shape
        d, left = np.zeros((frames, n)), np.empty(frames)
        limb = (self.poses, self.offsets, self.turns, self.dof_joints, self.dof_axes)
        hinge, around = (3, np.full(frames, -0.5)), (earlier, before, 0)
        rounds = hold_limb(limb, goals, both, wanted, hinge, around, (W1, W2), (60, 1e-9, 1e-9), d, left)
        return d, left, rounds


def objective(d: np.ndarray, wanted: np.ndarray, earlier: np.ndarray, before: int) -> float:
    """Equation 5.7 summed over the frames."""
    padded = np.concatenate([earlier[2 - before :], d])
    return W1 * np.sum((d - wanted) ** 2) + W2 * np.sum(np.diff(padded, n=2, axis=0) ** 2)


@pytest.mark.parametrize("dofs", [LEG, ARM])
def test_limbs_are_where_plain_kinematics_puts_them(dofs: tuple) -> None:
    limb = RandomLimb(5, 4, dofs)
    rng = np.random.default_rng(0)
    for t in range(4):
        d = rng.normal(scale=0.5, size=len(dofs[0]))
        places, frames = np.empty((5, 3)), np.empty((3, 4))
        place_limb(limb.poses[t], limb.offsets[t], limb.turns[t], *dofs, d, places, frames)
        np.testing.assert_allclose(places[3:], limb.ends(t, d), atol=1e-12)


@pytest.mark.parametrize(("dofs", "both"), [(LEG, True), (LEG, False), (ARM, False)])
@pytest.mark.parametrize(("frames", "seed"), [(1, 0), (1, 1), (3, 0)])
def test_the_solution_is_that_of_scipy(dofs: tuple, both: bool, frames: int, seed: int) -> None:
    """One frame with two before it is equation 5.7 to the letter; three frames are its sum."""
    limb, n = RandomLimb(seed, frames, dofs), len(dofs[0])
    rng = np.random.default_rng(seed + 100)
    start = rng.normal(scale=0.08, size=n)
    hidden = start + rng.normal(scale=0.02, size=(frames, n)).cumsum(axis=0)
    goals = np.stack([limb.ends(t, hidden[t]) for t in range(frames)])
    wanted, earlier = rng.normal(scale=0.03, size=(frames, n)), start + rng.normal(scale=0.01, size=(2, n))

    d, left, rounds = limb.solve(goals, both, wanted, earlier, 2)
    assert left.max() < 1e-8
    assert rounds < 60

    def off(flat: np.ndarray) -> np.ndarray:
        found = np.stack([limb.ends(t, flat.reshape(frames, n)[t]) for t in range(frames)]) - goals
        if not both:
            return found[:, 0].ravel()
        # The second end is at a fixed distance from the first: its component along the bone says nothing new.
        bones = goals[:, 1] - goals[:, 0]
        bases = [np.linalg.svd(bone[None])[2][1:] for bone in bones]
        across = [basis @ row for basis, row in zip(bases, found[:, 1], strict=True)]
        return np.concatenate([found[:, 0].ravel(), np.ravel(across)])

    theirs = minimize(
        lambda flat: objective(flat.reshape(frames, n), wanted, earlier, 2),
        np.zeros(frames * n),
        method="SLSQP",
        constraints={"type": "eq", "fun": off},
        options={"maxiter": 500, "ftol": 1e-14},
    )
    assert np.abs(off(theirs.x)).max() < 1e-6
    assert objective(d, wanted, earlier, 2) < theirs.fun + 1e-7
    np.testing.assert_allclose(d, theirs.x.reshape(frames, n), atol=2e-4)


def test_a_place_out_of_reach_is_approached_as_far_as_the_limb_goes() -> None:
    limb = RandomLimb(1, 3, ARM)
    goals = np.repeat((limb.poses + np.array([0.0, -3.0, 0.0]))[:, None], 2, axis=1)
    d, left, _ = limb.solve(goals, False, np.zeros((3, 7)), np.zeros((2, 7)), 0)
    assert np.isfinite(d).all()
    assert (d[:, 3] >= -0.5 - 1e-12).all()
    assert left.min() > 1.0


def test_a_shift_is_exact_while_held_and_fades_alike_on_both_sides() -> None:
    frames, ease = 60, 12
    places = np.zeros((frames, 3))
    paths = np.full((frames, 3), 0.1)
    shift, firm = np.zeros((frames, 3)), np.zeros(frames)
    ease_shifts(places, np.array([25]), np.array([35]), paths, ease, 0.5, shift, firm)
    np.testing.assert_array_equal(shift[25:35], 0.1)
    np.testing.assert_array_equal(firm[25:35], 1.0)
    assert not shift[: 25 - ease + 1].any()
    assert not shift[34 + ease :].any()
    np.testing.assert_allclose(shift, shift[::-1])
    assert np.abs(np.diff(shift[:, 0])).max() < 0.1 * 2.5 / ease


def test_between_two_holds_that_are_close_a_shift_goes_from_the_one_to_the_other() -> None:
    frames, ease = 60, 12
    paths = np.where(np.arange(frames) < 30, 0.1, 0.2)[:, None] * np.ones(3)
    shift, firm = np.zeros((frames, 3)), np.zeros(frames)
    ease_shifts(np.zeros((frames, 3)), np.array([15, 35]), np.array([25, 45]), paths, ease, 0.5, shift, firm)
    assert np.all(np.diff(shift[24:36, 0]) > 0)
    assert np.all((firm >= -1e-12) & (firm <= 1.0 + 1e-12))
    assert firm[30] < 0.1
