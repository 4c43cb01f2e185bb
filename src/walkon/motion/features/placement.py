"""Where a body stands on the ground and which way it faces, frame by frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array, once_per_object
from walkon.errors import ClipError
from walkon.motion.clip import Clip
from walkon.motion.features._kernels import unwrap_trusted, weighted_smooth
from walkon.rotations import Placement, conjugate, heading_of, multiply
from walkon.skeleton import Roles, find_roles
from walkon.skeleton.roles import SIDES

RESPONSE = 0.05
"""Time [s] over which a heading that the pose leaves open follows the turning of the pelvis instead."""

TRUSTED = 0.35
"""A direction counts as seen on the ground when this share of it is horizontal."""


UPSIDE_DOWN = -0.15
"""Sine of a trunk's rise below which a body is upside down."""


def ground_placements(clip: Clip) -> Array:
    """Ground position and heading (F, 3) of every frame: x [m], z [m], heading [rad].

    The position is that between the hips (between hips and shoulders for a quadruped). The heading is where hips
    and shoulders together face: their left-to-right axes seen from above, which holds for a body that stands,
    leans, crawls or lies on its back. Where those axes stand upright, as in a cartwheel, the heading follows the
    turning of the pelvis. Headings are continuous over time: they may leave (-π, π].
    """
    roles = find_roles(clip.skeleton)
    placements = np.empty((len(clip), 3))
    placements[:, :2] = _ground_points(clip, roles)
    placements[:, 2] = _headings(clip, roles)
    return placements


def placement_at(clip: Clip, frame: int) -> Placement:
    """The ground placement of one frame; negative frames count from the end."""
    if not -len(clip) <= frame < len(clip):
        raise ClipError(f"clip {clip.name!r} has frames 0 to {len(clip) - 1}, not {frame}")
    x, z, heading = _known_placements(clip)[frame]
    return Placement(float(x), float(z), float(np.arctan2(np.sin(heading), np.cos(heading))))


@once_per_object
def _known_placements(clip: Clip) -> Array:
    """The ground placements of a clip, found once: whoever makes a graph asks for two of them several times."""
    return ground_placements(clip)


def _ground_points(clip: Clip, roles: Roles) -> Array:
    """Ground points (F, 2) [m] below the middle of the hips, and of the shoulders for a quadruped."""
    parts = ("hip",) if roles.is_biped else ("hip", "shoulder")
    joints = [joint for part in parts if roles.pair(part) for joint in roles.pair(part) or ()]
    if not joints:
        joints = [roles.joints["pelvis"]]
    return clip.positions[:, joints][..., [0, 2]].mean(axis=1)


def _headings(clip: Clip, roles: Roles) -> Array:
    """Continuous headings (F,) [rad]."""
    turned = _pelvis_turning(clip, roles)
    forward = _forward_directions(clip, roles)
    if not forward:
        return turned + heading_of(clip.world_rotations[0, roles.joints["pelvis"]])
    ahead = np.sum(forward, axis=0) / len(forward)
    trust = np.hypot(ahead[:, 0], ahead[:, 1])
    seen = np.arctan2(ahead[:, 0], ahead[:, 1])
    # The pelvis tells how the heading changes at any time, the axes what it is whenever they are level.
    drift = np.empty(len(clip))
    periods = np.where(_is_upside_down(clip, roles), np.pi, 2 * np.pi)
    unwrap_trusted(seen - turned, periods, trust, TRUSTED, drift)
    correction = np.empty(len(clip))
    weighted_smooth(drift, trust**4, (RESPONSE * clip.fps) ** 2, correction)
    return turned + correction


def _forward_directions(clip: Clip, roles: Roles) -> list[Array]:
    """Ground directions (F, 2), shorter than 1 where they are less than level, that parts of the body face."""
    directions = []
    for part in ("hip", "shoulder"):
        pair = roles.pair(part)
        if pair:
            left = _unit(clip.positions[:, pair[0]] - clip.positions[:, pair[1]])
            directions.append(np.stack([-left[:, 2], left[:, 0]], axis=1))
    pelvis, chest = roles.get("pelvis"), roles.get("chest")
    if len(roles.feet) > len(SIDES) and pelvis is not None and chest is not None:
        directions.append(_unit(clip.positions[:, chest] - clip.positions[:, pelvis])[:, [0, 2]])
    return directions


def _is_upside_down(clip: Clip, roles: Roles) -> NDArray[np.bool_]:
    """Frames (F,) whose trunk points down. How a body came there decides where it faces: a somersault keeps its
    left on the left, a cartwheel puts it on the right; so there an axis tells the heading only up to half a turn.
    """
    top = next((roles.joints[role] for role in ("chest", "neck", "head", "spine") if role in roles.joints), None)
    if top is None:
        return np.zeros(len(clip), dtype=np.bool_)
    trunk = clip.positions[:, top] - clip.positions[:, roles.joints["pelvis"]]
    return _unit(trunk)[:, 1] < UPSIDE_DOWN


def _pelvis_turning(clip: Clip, roles: Roles) -> Array:
    """Turning (F,) [rad] of the pelvis about the vertical since the first frame."""
    rotations = clip.world_rotations[:, roles.joints["pelvis"]]
    steps = heading_of(multiply(rotations[1:], conjugate(rotations[:-1])))
    return np.concatenate([[0.0], np.cumsum(steps)])


def _unit(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1.0)
