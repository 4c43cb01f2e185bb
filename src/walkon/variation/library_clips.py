"""Variants of a behavior's clip that can be played in its place: both ends and all that bears weight stay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.behaviors import BehaviorClip
from walkon.motion import Clip, ground_placements
from walkon.motion.easing import smooth_step
from walkon.rotations import conjugate, exponential, logarithm, multiply, normalize, rotation_about_y
from walkon.skeleton import Skeleton, find_roles
from walkon.variation.model import VariationModel
from walkon.variation.preparing import prepare
from walkon.variation.sampling import Variety, vary_clip

FACING = 1e-9
"""How exactly [rad] variants face as their clips do at entry and exit. Errors add up over a whole walk."""

MOST_CORRECTIONS = 4
"""Most corrections of where a variant faces; one or two are enough for nearly all."""

PROBE, LEAST_ANSWER = 1e-3, 1e-6
"""The trunk is turned by PROBE [rad] to see how headings answer; a determinant of the answers below LEAST_ANSWER
means that they do not."""

CORE_FADE = 1.0 / 3.0
"""Time [s] over which variation sets in after the entry and dies down before the exit; in short clips it is
shorter. A third of a second is what blends take, too."""


def vary_behavior_clip(
    model: VariationModel, shown: BehaviorClip, count: int, *, seed: int, variety: Variety | None = None
) -> list[BehaviorClip]:
    """Variants of a clip, in which only the joints that the model drives are different, and only in the core.

    What differs is how a variant strays from the clip as the model tells it; details that the model leaves out
    stay.
    """
    clip, told = shown.clip, model.coordinates
    joints = np.unique(told.joints[model.driven])
    (ready,) = prepare([clip], told.fps, least=1)
    plain = told.decode(told.encode(ready), clip.name).rotations[:, joints]
    weights = variation_weights(shown)
    varied = weights > 0.0
    made = []
    for number, variant in enumerate(vary_clip(model, clip, count, seed=seed, variety=variety), start=1):
        away = logarithm(multiply(conjugate(plain), variant.rotations[:, joints]))[varied]
        turned = multiply(clip.rotations[varied][:, joints], exponential(weights[varied, None, None] * away))
        rotations = clip.rotations.copy()
        rotations[np.ix_(varied, joints)] = _signed(normalize(turned), clip.rotations[varied][:, joints])
        varying = clip.with_changes(name=f"{clip.name}_v{number}", rotations=rotations)
        made.append(keep_facing(shown, replace(shown, clip=varying), weights, joints))
    return made


def variation_weights(shown: BehaviorClip) -> Array:
    """How much (F,) of the variation each frame of a clip has.

    None in the margins, at the entry and the exit, and in the frames next to these: seams are measured, and
    blended, with poses and velocities that all clips share.
    """
    fade = max(1.0, min(CORE_FADE * shown.clip.fps, 0.5 * (shown.last - shown.first) - 1.0))
    frames = np.arange(len(shown.clip), dtype=np.float64)
    inside = np.minimum(frames - shown.first, shown.last - frames) - 1.0
    return smooth_step(inside / fade)


def keep_facing(
    shown: BehaviorClip, varied: BehaviorClip, weights: Array, joints: NDArray[np.int64]
) -> BehaviorClip:
    """The variant, its trunk turned by a hair so that it enters and leaves in the clip's own headings.

    A heading is where hips and shoulders face, smoothed over some frames: shoulders that turn otherwise within the
    clip move it even at the entry, and with it everything that follows.
    """
    trunk = _trunk(shown.clip.skeleton, joints)
    if trunk is None:
        return varied
    ends = [shown.first, shown.last]
    wanted = ground_placements(shown.clip)[ends, 2]
    done = np.clip((np.arange(len(weights)) - shown.first) / (shown.last - shown.first), 0.0, 1.0)
    bumps = np.stack([weights * (1.0 - done), weights * done])

    def turned(amounts: Array) -> BehaviorClip:
        return replace(varied, clip=_turned(varied.clip, trunk, amounts @ bumps))

    def off(one: BehaviorClip) -> Array:
        return ground_placements(one.clip)[ends, 2] - wanted

    amounts, gap = np.zeros(2), off(varied)
    if np.abs(gap).max() <= FACING:
        return varied
    # Headings answer to turning almost in proportion.
    slopes = np.column_stack([(off(turned(PROBE * unit)) - gap) / PROBE for unit in np.eye(2)])
    if abs(np.linalg.det(slopes)) < LEAST_ANSWER:
        return varied
    best = varied
    for _ in range(MOST_CORRECTIONS):
        amounts = amounts - np.linalg.solve(slopes, gap)
        best = turned(amounts)
        gap = off(best)
        if np.abs(gap).max() <= FACING:
            break
    return best


def planted_among(clip: Clip, joints: tuple[str, ...]) -> tuple[str, ...]:
    """Joints that are ever planted and that turning some joints would move: hands, of somebody who crawls."""
    if clip.contacts is None:
        return ()
    turning = _below(clip.skeleton, {clip.skeleton.index(name) for name in joints})
    planted = clip.contacts.planted
    return tuple(
        name
        for column, name in enumerate(clip.contacts.joints)
        if planted[:, column].any() and clip.skeleton.index(name) in turning
    )


def straying(clip: Clip, variants: list[Clip]) -> tuple[float, float]:
    """[m] how far the joint that strays most is from where it was: root mean square over frames, and most."""
    if not variants:
        return 0.0, 0.0
    apart = [np.linalg.norm(variant.positions - clip.positions, axis=-1).max(axis=1) for variant in variants]
    return float(np.sqrt(np.mean(np.square(apart)))), float(np.max(apart))


def _trunk(skeleton: Skeleton, joints: NDArray[np.int64]) -> int | None:
    """The joint that bears both shoulders and turns while what bears it does not; none if shoulders are given."""
    shoulders = find_roles(skeleton).pair("shoulder")
    turning = {int(joint) for joint in joints}
    for joint in sorted(turning):
        rooted = int(skeleton.parents[joint]) not in turning
        if shoulders and rooted and set(shoulders) <= _below(skeleton, {joint}):
            return joint
    return None


def _turned(clip: Clip, joint: int, angles: Array) -> Clip:
    """The clip with a joint turned by angles (F,) [rad] about the vertical; frames without stay bit for bit."""
    frames = angles != 0.0
    above = clip.world_rotations[frames, clip.skeleton.parents[joint]]
    rotations = clip.rotations.copy()
    own = multiply(
        multiply(conjugate(above), rotation_about_y(angles[frames])), multiply(above, rotations[frames, joint])
    )
    rotations[frames, joint] = _signed(normalize(own), rotations[frames, joint])
    return clip.with_changes(rotations=rotations)


def _below(skeleton: Skeleton, joints: set[int]) -> set[int]:
    """The joints and all that hang on them; parents come before children."""
    found = set(joints)
    for joint in range(len(skeleton)):
        if int(skeleton.parents[joint]) in found:
            found.add(joint)
    return found


def _signed(rotations: Array, like: Array) -> Array:
    """Rotations (..., 4) with the signs that are nearer to others; so they are as continuous as those."""
    return np.where(np.sum(rotations * like, axis=-1, keepdims=True) < 0.0, -rotations, rotations)
