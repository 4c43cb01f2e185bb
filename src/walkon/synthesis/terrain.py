"""Feet on sloping ground: what was made for a level floor is set on a terrain.

Every step has a plane of its own, laid on the ground below it. While the foot is planted it moves as it did on the
level floor, but on that plane: a rigid motion that does not change, so what stood still still does. In the air it
follows the ground below it and is raised where it would dig in, or where its leg is too short. Hips come down
where a leg that stands would be too short. Where knees then stick out they are turned, and hips go back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array, Flags
from walkon.motion import Clip
from walkon.motion.easing import covering
from walkon.motion.features.outlines import COMPASS, DIRECTIONS, supports_around
from walkon.motion.feet.holding import EASE, MAX_SLOPE_DROP, FootGoal, bend_legs, gentle_hip_drop, lacking_reach
from walkon.rotations import conjugate, multiply, rotate
from walkon.skeleton import Foot, Roles, build_body, find_roles
from walkon.skeleton.roles import ARM_PARTS, SIDES
from walkon.synthesis.carriage import Carriage, board_carriage, body_carriage, is_riding
from walkon.synthesis.knees import with_turned_knees
from walkon.synthesis.slopes import smoothed, tilt
from walkon.synthesis.steps import find_steps, planes_below, step_weights
from walkon.world import HeightField

Leg = tuple[int, int, int]

DIG = 0.002
"""How far [m] a foot may be lower over the terrain than it was over the level floor."""

CLEAR = 0.04
"""Height [m] above which a foot in the air need not be as far off the ground as it was."""

HIP_TIME = 0.13
"""Time [s] over which hips come down and rise again, averaged twice: as long as both feet stand. With more, people
crouch from one step to the next; with less, hips jerk."""

SITTING, ROOM_BEHIND = 1.0, 0.03
"""Which share of what knees stick out by, and of the room behind the body, ROOM_BEHIND [m] at most, hips go back.
With less, knees stick out further; with more, the back does."""

MOST_LISTING, LISTING_TIME = 0.26, 0.067
"""[rad] How far a pelvis lists at most, fifteen degrees, as far as people can hitch a hip; and half the time [s]
over which that changes, averaged twice. With less, knees stick out further; with more, people look lame."""

SITTING_TIME = 0.067
"""Half the time [s] over which hips go back, averaged twice. With less they jerk; with more they are late."""


def set_on_terrain(clip: Clip, terrain: HeightField) -> Clip:
    """A clip made for level ground at height 0, set on the terrain; the same clip if that is level."""
    if terrain.is_flat:
        return clip
    roles = find_roles(clip.skeleton)
    body = body_carriage(clip, terrain)
    board = board_carriage(clip, terrain) if is_riding(clip) else None
    carried = body.carry_clip(clip)
    feet = [_footing_of(clip, terrain, foot, leg, board or body) for foot, leg in roles.legs]
    hands = [
        _footing_of(clip, terrain, hand, arm, body) for hand, arm in _arms(roles) if len(find_steps(clip, hand))
    ]
    if board is not None:
        goals = [goal.seen_from(body.turns) for goal in feet + hands]
        return bend_legs(carried, goals, _drop(carried, body.turns, feet))
    leaning = body.turns
    if roles.is_biped:
        listing = _listing(clip, carried, body, feet)
        carried, leaning = _with_pelvis(carried, listing), multiply(listing, leaning)
    shown = _stood(clip, terrain, carried, leaning, feet, hands)
    if roles.is_biped:
        upright = np.asarray(~body.slope.any(axis=1))
        shown = with_turned_knees(clip, shown, upright)
        back = carried.root_positions + _sitting(clip, shown, upright)
        shown = _stood(clip, terrain, carried.with_changes(root_positions=back), leaning, feet, hands)
        shown = with_turned_knees(clip, shown, upright)
    return shown


def _stood(
    clip: Clip, terrain: HeightField, carried: Clip, leaning: Array, feet: list[_Footing], hands: list[_Footing]
) -> Clip:
    """A body that the ground already carries, set on its feet. leaning: (F, 4) turns of its pelvis."""
    drop = _drop(carried, leaning, feet)
    found = [_sunk(clip, terrain, _within_reach(carried, goal, drop), drop) for goal in feet + hands]
    # Feet that came down with the hips may have pulled a leg straight.
    drop = np.maximum(drop, _drop(carried, leaning, found[: len(feet)]))
    return bend_legs(carried, [goal.seen_from(leaning) for goal in found], drop)


def _listing(clip: Clip, carried: Clip, body: Carriage, feet: list[_Footing]) -> Array:
    """Turns (F, 4) of the pelvis that raise the hip above the higher foot, as far as hips can: knees bend less."""
    (left, right), hips = feet[:2], [carried.positions[:, foot.leg[0]] for foot in feet[:2]]
    raised = [foot.ankle[:, 1] - carried.positions[:, foot.leg[2], 1] for foot in (left, right)]
    across = hips[0] - hips[1]
    width = np.maximum(np.hypot(across[:, 0], across[:, 2]), 1e-6)
    wanted = MOST_LISTING * np.tanh((raised[0] - raised[1]) / (MOST_LISTING * width))
    angle = 0.5 * smoothed(np.where(body.slope.any(axis=1), 0.0, wanted), round(LISTING_TIME * clip.fps))
    ahead = np.column_stack([-across[:, 2], np.zeros(len(clip)), across[:, 0]]) / width[:, None]
    return np.column_stack([np.cos(angle), np.sin(angle)[:, None] * ahead])


def _with_pelvis(carried: Clip, turns: Array) -> Clip:
    """The clip with its pelvis turned by (F, 4) in the world, legs with it; what is above stays as it was."""
    skeleton, roles = carried.skeleton, find_roles(carried.skeleton)
    pelvis = roles.joints["pelvis"]
    legs = {joint for _, leg in roles.legs for joint in skeleton.chain(leg[0])}
    rotations, before = carried.rotations.copy(), carried.world_rotations[:, pelvis]
    rotations[:, pelvis] = multiply(rotations[:, pelvis], multiply(conjugate(before), multiply(turns, before)))
    undone = multiply(conjugate(multiply(turns, before)), before)
    for joint in skeleton.children[pelvis]:
        if joint not in legs:
            rotations[:, joint] = multiply(undone, carried.rotations[:, joint])
    return carried.with_changes(rotations=rotations)


def _sitting(clip: Clip, shown: Clip, upright: Flags) -> Array:
    """How far (F, 3) [m] hips go back where bent knees stick out of the outline that the body has on level ground:
    as one does who sits down. Who is not upright (F,) stays."""
    own = build_body(clip.skeleton)
    beyond = supports_around(shown.positions, own).max(axis=1) - supports_around(clip.positions, own).max(axis=1)
    frames, ahead = np.arange(len(clip)), beyond.argmax(axis=1)
    out, behind = beyond[frames, ahead], beyond[frames, (ahead + DIRECTIONS // 2) % DIRECTIONS]
    back = np.where(upright & (out > 0.0), SITTING * np.maximum(out - np.maximum(behind, -ROOM_BEHIND), 0.0), 0.0)
    shift = np.zeros((len(clip), 3))
    shift[:, [0, 2]] = smoothed(-back[:, None] * COMPASS[ahead], round(SITTING_TIME * clip.fps))
    return shift


def _drop(carried: Clip, leaning: Array, feet: list[_Footing]) -> Array:
    """How far (F,) [m] the hips of a body that the ground carries come down, so that no leg snaps straight."""
    goals, shares = [foot.seen_from(leaning) for foot in feet], [foot.held for foot in feet]
    return gentle_hip_drop(carried, goals, smooth=HIP_TIME, limit=MAX_SLOPE_DROP, shares=shares)


@dataclass(frozen=True, eq=False)
class _Footing:
    """Where a foot goes: its ankle (F, 3) [m], its slope (F, 2), and how firmly (F,) a step holds it, 0 to 1."""

    foot: Foot
    leg: Leg
    ankle: Array
    slope: Array
    held: Array

    def seen_from(self, leaning: Array) -> FootGoal:
        """The goal for a body that the ground already carries, its pelvis turned by (F, 4)."""
        return FootGoal(self.leg, self.ankle, multiply(tilt(self.slope), conjugate(leaning)))


def _footing_of(clip: Clip, terrain: HeightField, foot: Foot, leg: Leg, carriage: Carriage) -> _Footing:
    """Where a foot goes on the terrain: on the plane of its step, else as in the air."""
    flat = clip.positions[:, leg[2]]
    ankle, slope = _in_the_air(clip, carriage, terrain, foot, flat)
    held = np.zeros(len(clip))
    steps = find_steps(clip, foot)
    if len(steps):
        planes = planes_below(clip, terrain, foot, steps)
        frames, step, weights = step_weights(steps, round(EASE * clip.fps), len(clip))
        on_plane = rotate(tilt(planes.slopes)[step], flat[frames] - planes.centers[step]) + planes.centers[step]
        on_plane[:, 1] += planes.heights[step]
        moved, turned = on_plane - ankle[frames], planes.slopes[step] - slope[frames]
        np.add.at(ankle, frames, weights[:, None] * moved)
        np.add.at(slope, frames, weights[:, None] * turned)
        np.add.at(held, frames, weights)
    return _Footing(foot, leg, ankle, slope, held)


def _in_the_air(
    clip: Clip, carriage: Carriage, terrain: HeightField, foot: Foot, flat: Array
) -> tuple[Array, Array]:
    """Goals of the ankle (F, 3) [m] and slopes of the foot (F, 2) where no step holds it.

    People swing their feet over the ground; other feet, and hands, are carried along.
    """
    roles = find_roles(clip.skeleton)
    if is_riding(clip) or not roles.is_biped or foot not in roles.feet:
        return carriage.carry(flat), carriage.slope.copy()
    below = clip.positions[:, list(foot.joints)][..., [0, 2]].mean(axis=1)
    goal = flat.copy()
    goal[:, 1] += smoothed(terrain.at(*below.T), 1)
    return goal, np.zeros((len(clip), 2))


def _within_reach(carried: Clip, goal: _Footing, drop: Array) -> _Footing:
    """The goal with a foot in the air raised to where its leg reaches it, its hip lowered by `drop` (F,) [m]: hips
    come down for feet that stand."""
    ankle = goal.ankle.copy()
    lacking = lacking_reach(carried, goal.leg, ankle + drop[:, None] * [0.0, 1.0, 0.0])
    ankle[:, 1] += np.where(goal.held < 1.0, lacking, 0.0)
    return _Footing(goal.foot, goal.leg, ankle, goal.slope, goal.held)


def _sunk(clip: Clip, terrain: HeightField, goal: _Footing, drop: Array) -> _Footing:
    """The goal with a foot in the air as much lower as the hips are, so that its knee does not stick out; but no
    joint of it digs in."""
    free = 1.0 - goal.held
    # Bent legs make more of a jerk in a foot's way than straight ones do: it is smoothed soon after it lifts.
    ankle = goal.ankle + np.minimum(3.0 * free, 1.0)[:, None] * (smoothed(goal.ankle, 1) - goal.ankle)
    ankle[:, 1] -= free * drop
    turns = tilt(goal.slope)
    lacking = np.zeros(len(clip))
    for joint in goal.foot.joints:
        flat = clip.positions[:, joint]
        there = ankle + rotate(turns, flat - clip.positions[:, goal.leg[2]])
        wanted = np.minimum(flat[:, 1], CLEAR) - DIG
        lacking = np.maximum(lacking, terrain.at(there[:, 0], there[:, 2]) + wanted - there[:, 1])
    ankle[:, 1] += covering(lacking, 1)
    return _Footing(goal.foot, goal.leg, ankle, goal.slope, goal.held)


def _arms(roles: Roles) -> Iterator[tuple[Foot, Leg]]:
    """The arms of a body that stands on two legs, with their hands as feet: some moves rest on them."""
    for side in SIDES if roles.is_biped else ():
        arm = roles.limb(side, ARM_PARTS)
        if arm is not None:
            wrist = arm[2]
            tip = roles.joints.get(f"{side}_hand_tip", wrist)
            yield Foot(f"{side}_hand", wrist, tip, tip, wrist), arm
