"""The steps of a foot: when it stands, and on which plane of the terrain."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from walkon.basics import Array, Indices, runs
from walkon.motion import Clip
from walkon.motion.easing import smooth_steps
from walkon.skeleton import Foot
from walkon.synthesis.slopes import footing
from walkon.world import HeightField

FOOT_WIDTH = 0.08
"""Width [m] of the ground that a foot feels."""


class Planes(NamedTuple):
    """Planes that N steps stand on: centers (N, 3) on the level floor, heights (N,) [m] there, slopes (N, 2)."""

    centers: Array
    heights: Array
    slopes: Array


def find_steps(clip: Clip, foot: Foot) -> Indices:
    """Stretches (N, 2), first frame and the one after the last, in which any joint of the foot is planted."""
    if clip.contacts is None:
        return np.empty((0, 2), dtype=np.int64)
    names = {clip.skeleton.names[joint] for joint in foot.joints}
    columns = [i for i, name in enumerate(clip.contacts.joints) if name in names]
    planted = np.asarray(clip.contacts.planted[:, columns].any(axis=1))
    return np.array(runs(planted), dtype=np.int64).reshape(-1, 2)


def step_weights(steps: Indices, ease: int, frames: int) -> tuple[Indices, Indices, Array]:
    """Which frames (M,) which steps (M,) bear on, and how much (M,).

    1 while planted, easing in and out over `ease` frames, or over the whole gap to the next step if it is shorter.
    """
    gaps = np.minimum(np.concatenate([[ease], steps[1:, 0] - steps[:-1, 1], [ease]]), ease)
    fades = [smooth_steps(count) for count in range(ease + 1)]
    numbers, owners, weights = [], [], []
    for i, (start, stop) in enumerate(steps):
        numbers.append(np.arange(start - gaps[i], stop + gaps[i + 1]))
        owners.append(np.full(len(numbers[-1]), i))
        weights.append(np.concatenate([fades[gaps[i]], np.ones(stop - start), fades[gaps[i + 1]][::-1]]))
    number, owner, weight = np.concatenate(numbers), np.concatenate(owners), np.concatenate(weights)
    inside = (number >= 0) & (number < frames)
    return number[inside], owner[inside], weight[inside]


def planes_below(clip: Clip, terrain: HeightField, foot: Foot, steps: Indices) -> Planes:
    """The planes that steps stand on, laid on the terrain below the foot as it is halfway through each."""
    joints = list(foot.joints)
    middle = clip.positions[steps.sum(axis=1) // 2][:, joints][..., [0, 2]]
    center = 0.5 * (middle.min(axis=1) + middle.max(axis=1))
    along = middle[:, joints.index(foot.tip)] - middle[:, joints.index(foot.heel)]
    length = np.maximum(np.hypot(*along.T), 1e-6)
    ahead = along / length[:, None]
    height, slope = footing(terrain, center, ahead, np.maximum(length, FOOT_WIDTH), FOOT_WIDTH)
    return Planes(np.column_stack([center[:, 0], np.zeros(len(steps)), center[:, 1]]), height, slope)
