"""Which way is up in a file, and how its motion is turned so that Y is."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array
from walkon.errors import ClipError
from walkon.rotations import conjugate, from_axis_angle, multiply, rotate
from walkon.skeleton import Skeleton, find_roles, forward_kinematics

Z_TO_Y: Array = from_axis_angle(np.array([1.0, 0.0, 0.0]), np.array(-np.pi / 2))
"""Turns (x, y, z) of a Z-up world into (x, z, -y)."""

_TALLER = 1.3
"""A figure is upright along an axis when it reaches this much further along it than along the other."""

_GROUNDED = 0.1
"""Lowest points that stay this near to 0, as a share of the skeleton's size, are on the ground."""

_SAMPLES = 60


def resolve_up(up: str, skeleton: Skeleton, root_positions: Array, rotations: Array, stated: str | None) -> str:
    """The up axis, "y" or "z", of motion (F, 3), (F, J, 4) that is still in the file's axes."""
    if up not in ("auto", "y", "z"):
        raise ClipError(f"unknown up axis {up!r}; valid: auto, y, z")
    if up != "auto":
        return up
    return stated or _recognise(skeleton, root_positions, rotations)


def _recognise(skeleton: Skeleton, root_positions: Array, rotations: Array) -> str:
    """Z only when the figure stands along it, and either its rest pose does so too or its ground is there.

    Standing alone does not tell a walker in a Z-up file from a swimmer in a Y-up one: the ground does, for the
    feet of a walker stay near height 0 whichever way they go.
    """
    pick = np.linspace(0, len(rotations) - 1, min(_SAMPLES, len(rotations))).astype(int)
    positions, _ = forward_kinematics(skeleton, root_positions[pick], rotations[pick])
    reach = np.ptp(positions, axis=1).mean(axis=0)
    if reach[2] <= _TALLER * reach[1]:
        return "y"
    if rest_up(skeleton) == "z":
        return "z"
    lowest = positions.min(axis=1)
    unrest = np.abs(np.median(lowest, axis=0)) + np.std(lowest, axis=0)
    return "z" if unrest[2] < min(unrest[1], _GROUNDED * skeleton.size) else "y"


def rest_up(skeleton: Skeleton) -> str:
    """The axis, "y" or "z", along which the rest pose stands.

    That is where hips and shoulders are from the feet: a dog is longer than tall, so its shape alone misleads.
    """
    roles = find_roles(skeleton)
    girdles = [joint for part in ("hip", "shoulder") for joint in roles.pair(part) or ()]
    feet = [foot.ankle for foot in roles.feet]
    if girdles and feet:
        above = skeleton.rest_positions[girdles].mean(axis=0) - skeleton.rest_positions[feet].mean(axis=0)
        return "z" if abs(above[2]) > abs(above[1]) else "y"
    reach = np.ptp(skeleton.rest_positions, axis=0)
    return "z" if reach[2] > _TALLER * reach[1] else "y"


def turn_world(root_positions: Array, rotations: Array) -> tuple[Array, Array]:
    """Positions (F, 3) and local rotations (F, J, 4) with the Z-up world turned to Y up."""
    rotations = rotations.copy()
    rotations[:, 0] = multiply(Z_TO_Y, rotations[:, 0])
    return rotate(Z_TO_Y, root_positions), rotations


def turn_rest(rotations: Array, offsets: Array, stretching: Array | None) -> tuple[Array, Array, Array | None]:
    """Rotations (F, J, 4), offsets (J, 3) and moving ones (F, J, 3) in joint axes turned from Z up to Y up.

    The poses stay where they are in the world; only the pose with all rotations zero stands up.
    """
    turned = multiply(rotations, conjugate(Z_TO_Y))
    turned[:, 1:] = multiply(Z_TO_Y, turned[:, 1:])
    return turned, rotate(Z_TO_Y, offsets), None if stretching is None else rotate(Z_TO_Y, stretching)
