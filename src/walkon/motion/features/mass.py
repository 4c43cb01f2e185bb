"""The centre of mass of a moving body."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array
from walkon.motion.clip import Clip
from walkon.skeleton import Body, build_body


def center_of_mass(clip: Clip, body: Body | None = None) -> Array:
    """Centre of mass (F, 3) [m] of every frame: the capsules' middles, weighed by their masses.

    `body` defaults to the one `build_body` gives the clip's skeleton.
    """
    return np.einsum(
        "fjk,j->fk", clip.positions, _joint_weights(build_body(clip.skeleton) if body is None else body)
    )


def center_of_mass_velocity(clip: Clip, body: Body | None = None) -> Array:
    """Velocity (F, 3) [m/s] of the centre of mass, by central differences; zero for a single frame."""
    center = center_of_mass(clip, body)
    return np.gradient(center, 1.0 / clip.fps, axis=0) if len(clip) > 1 else np.zeros_like(center)


def _joint_weights(body: Body) -> Array:
    """Share (J,) of every joint in the centre of mass, which is linear in the joints' positions."""
    along = body.spans.mean(axis=1)
    weights = np.zeros(len(body.skeleton))
    np.add.at(weights, body.starts, body.masses * (1.0 - along))
    np.add.at(weights, body.ends, body.masses * along)
    return weights
