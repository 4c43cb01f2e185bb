"""Where the ends of a limb go in every frame, so that held joints are held and the others come along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.motion import Clip
from walkon.motion.easing import covering
from walkon.motion.feet.holding import MAX_DROP, drop_to_reach
from walkon.rotations import from_two_vectors, rotate
from walkon.variation.easing import shift_curve
from walkon.variation.limbs import Chain, MovableLimb, lay_chain
from walkon.variation.plants import Hold

HOLD_EASE = 0.25
"""Time [s] in which a joint comes to the place where it is held, and leaves it. A longer one is smoother, but
draws the foot away from its sampled path for longer."""

LEAST_BEND = 0.12
"""Angle [rad] a knee keeps while its foot is held: a leg pulled quite straight snaps."""

FLOOR_SOFTNESS = 0.01
"""Metres above the floor from which a joint that comes down to it is slowed."""

_SAME_PLACE = 1e-6
_UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class Goals:
    """Where a limb's ends go.

    limb: which. ends: the joints. both: whether they are apart. places: (F, 2, 3) [m]. firmness: (F,) 0 to 1.
    moved: (F,) whether anything is asked. root, third: (F, 3) [m] where the limb's first joint is, and its third
    should be. reach: (F,) [m] how far apart these two may be. chain: the limb for the kernels.
    """

    limb: MovableLimb
    ends: tuple[int, int]
    both: bool
    places: Array
    firmness: Array
    moved: NDArray[np.bool_]
    root: Array
    third: Array
    reach: Array
    chain: Chain


def leg_goals(
    clip: Clip, limb: MovableLimb, ends: tuple[int, int], holds: Sequence[Hold], ground: dict[int, float]
) -> Goals:
    """Goals of a leg whose front and rear joint are `ends`; what is not held is carried along by what is."""
    front, rear = ends
    ease = max(2, round(HOLD_EASE * clip.fps))
    places = clip.positions[:, [front, rear]]
    both = bool(np.linalg.norm(places[:, 0] - places[:, 1], axis=1).min() > _SAME_PLACE)
    shifts, firm = zip(*(shift_curve(clip.positions[:, j], _of(holds, j), ease) for j in ends), strict=True)
    goals = np.stack(
        [places[:, k] + shifts[k] + (1.0 - firm[k])[:, None] * shifts[1 - k] * both for k in range(2)], axis=1
    )
    _keep_above(ground, ends, firm, goals)
    if both:
        _keep_apart(places, firm, goals)
    bone, aim = places[:, 0] - places[:, 1], goals[:, 0] - goals[:, 1]
    arm = clip.positions[:, limb.joints[2]] - places[:, 1]
    third = goals[:, 1] + (rotate(from_two_vectors(bone, aim), arm) if both and np.abs(arm).max() > 0 else arm)
    firmness = np.maximum(firm[0], firm[1])
    moved = (np.abs(goals - places).max(axis=(1, 2)) > 1e-9) | (firmness > 0)
    root, chain = clip.positions[:, limb.joints[0]], lay_chain(clip, limb, ends)
    now = clip.positions[:, limb.joints[2]]
    return Goals(limb, ends, both, goals, firmness, moved, root, third, _reach(chain, root, now, firmness), chain)


def arm_goals(clip: Clip, limb: MovableLimb, joint: int, holds: Sequence[Hold]) -> Goals:
    """Goals of an arm of which one joint, the wrist or one beyond it, is held."""
    places = clip.positions[:, joint]
    shift, firmness = shift_curve(places, _of(holds, joint), max(2, round(HOLD_EASE * clip.fps)))
    goals = np.repeat((places + shift)[:, None], 2, axis=1)
    chain = lay_chain(clip, limb, (joint, joint))
    root, now = clip.positions[:, limb.joints[0]], clip.positions[:, limb.joints[2]]
    reach = _reach(chain, root, now, firmness) + np.linalg.norm(places - now, axis=1)
    moved = (np.abs(shift).max(axis=1) > 1e-9) | (firmness > 0)
    return Goals(limb, (joint, joint), False, goals, firmness, moved, root, goals[:, 0], reach, chain)


def _of(holds: Sequence[Hold], joint: int) -> list[Hold]:
    return sorted((hold for hold in holds if hold.joint == joint), key=lambda hold: hold.start)


def _reach(chain: Chain, root: Array, third: Array, firmness: Array) -> Array:
    """How far (F,) [m] the limb may span: with its knee a little bent, or, if not held, as far as it does."""
    most = chain.span(LEAST_BEND)
    return most + (1.0 - firmness) * np.maximum(np.linalg.norm(third - root, axis=1) - most, 0.0)


def _keep_above(ground: dict[int, float], ends: tuple[int, int], firm: Sequence[Array], goals: Array) -> None:
    """Lift goals (F, 2, 3) that lie below where their joint rests, gently, and not those that are held."""
    for k, joint in enumerate(ends):
        if joint not in ground:
            continue
        above = goals[:, k, 1] - ground[joint]
        soft = np.maximum(FLOOR_SOFTNESS * (1.0 - firm[k]), 1e-9)
        eased = np.where(above > soft, above, np.where(above < -soft, 0.0, (above + soft) ** 2 / (4.0 * soft)))
        goals[:, k, 1] += np.where(firm[k] < 1.0, eased - above, 0.0)


def _keep_apart(places: Array, firm: Sequence[Array], goals: Array) -> None:
    """Bring both goals (F, 2, 3) to the distance their joints have; what is held less gives way more."""
    distance = np.linalg.norm(places[:, 0] - places[:, 1], axis=1)
    apart = goals[:, 0] - goals[:, 1]
    length = np.maximum(np.linalg.norm(apart, axis=1), 1e-9)
    excess = apart * ((length - distance) / length)[:, None]
    loose = [1.0 - f + 1e-9 for f in firm]
    share = (loose[0] / (loose[0] + loose[1]))[:, None]
    goals[:, 0] -= share * excess
    goals[:, 1] += (1.0 - share) * excess


def drop_for(clip: Clip, goals: Sequence[Goals]) -> Array:
    """How far (F,) [m] the body comes down so that every leg reaches its goal, if that is not far."""
    need = np.zeros(len(clip))
    for goal in goals:
        own = drop_to_reach(goal.root, goal.third, goal.reach, MAX_DROP * goal.reach)
        need = np.maximum(need, np.where(goal.moved, own, 0.0))
    if need.max() < 1e-6:
        return np.zeros(len(clip))
    return covering(need, max(1, round(0.25 * HOLD_EASE * clip.fps)), rounds=2)


def pull_in(goals: Goals, drop: Array) -> tuple[Array, Array]:
    """Goals (F, 2, 3) [m] brought nearer to the limb's first joint where they are still out of reach.

    Also the distances (F,) [m] the limb's first and third joint have then.
    """
    across = goals.third - goals.root + drop[:, None] * _UP
    distance = np.maximum(np.linalg.norm(across, axis=1), 1e-9)
    excess = np.where(goals.moved, np.maximum(1.0 - goals.reach / distance, 0.0), 0.0)
    return goals.places - (excess[:, None] * across)[:, None], distance * (1.0 - excess)
