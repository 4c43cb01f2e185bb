"""Common poses: the mean of alike moments, standing on the ground on the feet that most of them stand on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from walkon.basics import Array, Flags
from walkon.graphs.hubs.moments import BodyMoments, legs_of
from walkon.motion import Clip
from walkon.motion.feet.holding import FootGoal, bend_legs, hip_drop
from walkon.motion.feet.standing import ROLL_SPEED
from walkon.rotations import IDENTITY, conjugate, from_two_vectors, multiply, rotate
from walkon.skeleton import Foot, Skeleton

Goals = Mapping[int, Array]
"""By joint of a foot, where in the world (3,) [m] it shall be."""


def settled(skeleton: Skeleton, fps: float, moment: BodyMoments) -> BodyMoments:
    """One moment with its legs bent so that they lead to where its feet are."""
    clip = pose_clip(skeleton, fps, moment)
    goals = []
    for i, (_, leg) in enumerate(legs_of(skeleton)):
        turn = multiply(moment.soles[:, i], conjugate(clip.world_rotations[:, leg[2]]))
        goals.append(FootGoal(leg, moment.ankles[:, i], turn))
    return _bent(clip, goals, moment)


def put_feet(skeleton: Skeleton, fps: float, moment: BodyMoments, goals: Goals) -> BodyMoments:
    """One moment with joints of its feet where they shall be: every foot moves as the rigid thing it is.

    A foot with a goal for its heel and its toe has the heel there, and the toe in that direction.
    """
    clip = pose_clip(skeleton, fps, moment)
    ways = []
    for foot, leg in legs_of(skeleton):
        turn, ankle = _foot_move(foot, clip.positions[0], goals)
        ways.append(FootGoal(leg, ankle[None], turn[None]))
    return _bent(clip, ways, moment)


def pose_clip(skeleton: Skeleton, fps: float, moment: BodyMoments) -> Clip:
    """One moment as a clip of one frame."""
    return Clip("pose", skeleton, fps, moment.roots, moment.rotations)


def foot_joints(foot: Foot) -> tuple[int, int]:
    """The two joints that a foot stands on: heel and ball, which may be the same."""
    return foot.heel, foot.toe


def stilled(skeleton: Skeleton, moment: BodyMoments, still: Sequence[int]) -> BodyMoments:
    """One moment in which the joints `still` of its feet do not move: the feet turn about them, or not at all."""
    ankle_rates, sole_rates = moment.ankle_rates.copy(), moment.sole_rates.copy()
    positions = pose_clip(skeleton, 1.0, moment).positions[0]
    for i, (foot, leg) in enumerate(legs_of(skeleton)):
        held = [joint for joint in (foot.heel, foot.toe, foot.tip) if joint in still]
        # A foot may lift its heel over a ball and toes that stand.
        if foot.heel in held and len(set(held)) > 1:
            sole_rates[0, i] = 0.0
        if held:
            turning = rotate(moment.soles[0, i], sole_rates[0, i])
            ankle_rates[0, i] = np.cross(turning, positions[leg[2]] - positions[held[0]])
    return replace(moment, ankle_rates=ankle_rates, sole_rates=sole_rates)


def joint_speeds(skeleton: Skeleton, fps: float, moment: BodyMoments) -> dict[int, float]:
    """How fast [m/s] over the ground the joints of every foot move in one moment, if its toes do not bend."""
    positions = pose_clip(skeleton, fps, moment).positions[0]
    speeds = {}
    for i, (foot, leg) in enumerate(legs_of(skeleton)):
        turning = rotate(moment.soles[0, i], moment.sole_rates[0, i])
        for joint in foot.joints:
            rate = moment.ankle_rates[0, i] + np.cross(turning, positions[joint] - positions[leg[2]])
            speeds[joint] = float(np.hypot(rate[0], rate[2])) * fps
    return speeds


def held_joints(
    skeleton: Skeleton, fps: float, moment: BodyMoments, joints: Sequence[int], planted: Flags
) -> Flags:
    """Which of the planted joints (K,) stand still in this moment: others roll onto the ground or off it."""
    speeds = joint_speeds(skeleton, fps, moment)
    slow = [speeds.get(joint, np.inf) < ROLL_SPEED for joint in joints]
    return planted & np.array(slow, dtype=np.bool_)


def _foot_move(foot: Foot, positions: Array, goals: Goals) -> tuple[Array, Array]:
    """Turn (4,) in the world of a foot, and place (3,) of its ankle, that bring its joints to their goals."""
    heel, toe = foot_joints(foot)
    fixed = heel if heel in goals else toe
    if fixed not in goals:
        return IDENTITY, positions[foot.ankle]
    turn = IDENTITY
    if heel in goals and toe in goals and np.linalg.norm(positions[toe] - positions[heel]) > 1e-6:
        turn = from_two_vectors(positions[toe] - positions[heel], goals[toe] - goals[heel])
    return turn, goals[fixed] + rotate(turn, positions[foot.ankle] - positions[fixed])


def _bent(clip: Clip, goals: list[FootGoal], moment: BodyMoments) -> BodyMoments:
    """The moment with the legs of its pose, a clip of one frame, bent towards goals; its rates stay."""
    bent = bend_legs(clip, goals, hip_drop(clip, goals)) if goals else clip
    ankles = [goal.leg[2] for goal in goals]
    return replace(
        moment,
        roots=bent.root_positions,
        rotations=bent.rotations,
        ankles=bent.positions[:, ankles],
        soles=bent.world_rotations[:, ankles],
    )
