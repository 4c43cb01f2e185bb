"""The floor a clip was recorded on, fitted to where its feet come to rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.motion.clip import Clip
from walkon.skeleton import build_body

REST_SPEED = 0.3
"""Speed [m/s] below which a foot joint may be at rest on the floor. The fit needs many frames more than it needs
still ones, so this is twice what counts as standing."""

MIN_SLOW_FRAMES = 5
"""With fewer slow frames than this a joint's lowest places stand in for them."""

LOWEST_SHARE = 10
"""Percentile of a joint's heights that a first guess takes for its resting height."""

FIT_ROUNDS = 6
"""How often frames are chosen and the floor is fitted to them. It settles after three or four."""

REST_SLACK = (0.035, 0.006)
"""Height above the fit so far up to which frames count as resting, in the first round and in the last, as a share
of the body's height: 6 cm and 1 cm for an adult. Generous at first, or a bad guess would never be left."""

TILT_RIDGE = 0.02
"""Penalty on tilt: a floor is level unless feet that rest in places apart say otherwise."""


@dataclass(frozen=True, eq=False)
class Floor:
    """Where foot joints rest.

    rest_heights: (K,) [m] of each joint at rest above the origin of the ground plane, sole and all.
    tilt: (2,) rise of the floor along x and along z.
    heights_above: (F, K) [m] of each joint above the place where it would rest.
    """

    rest_heights: Array
    tilt: Array
    heights_above: Array


def fit_floor(clip: Clip, joints: NDArray[np.int64], speeds: Array) -> Floor:
    """Fit resting heights of K `joints` and a common tilt to the frames in which they are slow and low.

    speeds: (F, K) [m/s]. A joint's resting height is y = h + tilt · (x, z), h its own and the tilt common; the fit
    alternates between choosing the frames near it from below and least squares over them.
    """
    positions = clip.positions[:, joints]
    scale = build_body(clip.skeleton).height
    candidates = _candidates(positions[..., 1], speeds)
    center = positions[..., [0, 2]].mean(axis=(0, 1))
    ground, heights = positions[..., [0, 2]] - center, positions[..., 1]
    rest = np.array([np.percentile(heights[candidates[:, k], k], LOWEST_SHARE) for k in range(len(joints))])
    tilt = np.zeros(2)
    for slack in np.linspace(*REST_SLACK, FIT_ROUNDS) * scale:
        above = heights - ground @ tilt - rest
        near = candidates & (above < slack)
        rest, tilt = _least_squares(ground, heights, near, rest)
    return Floor(rest - center @ tilt, tilt, heights - ground @ tilt - rest)


def _candidates(heights: Array, speeds: Array) -> NDArray[np.bool_]:
    """Frames (F, K) in which a joint may be at rest; never none."""
    slow = speeds < REST_SPEED
    lowest = heights <= np.percentile(heights, LOWEST_SHARE, axis=0)
    return np.where(slow.sum(axis=0) >= MIN_SLOW_FRAMES, slow, lowest)


def _least_squares(ground: Array, heights: Array, near: NDArray[np.bool_], rest: Array) -> tuple[Array, Array]:
    """Resting heights (K,) and tilt (2,) that fit the chosen frames best; a joint without any keeps its own."""
    count = near.sum(axis=0)
    share = near / np.maximum(count, 1)
    mean_ground = np.einsum("fk,fkc->kc", share, ground)
    mean_height = np.einsum("fk,fk->k", share, heights)
    x = (ground - mean_ground) * near[..., None]
    y = (heights - mean_height) * near
    normal = np.einsum("fkc,fkd->cd", x, x) + TILT_RIDGE * max(count.sum(), 1) * np.eye(2)
    tilt = np.linalg.solve(normal, np.einsum("fkc,fk->c", x, y))
    return np.where(count > 0, mean_height - mean_ground @ tilt, rest), tilt
