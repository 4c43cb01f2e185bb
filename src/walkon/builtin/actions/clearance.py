"""How much room a body leaves below and above it on its way along +z, and how much it takes to the sides."""

from __future__ import annotations

import numpy as np

from walkon.basics import Array
from walkon.motion import Clip
from walkon.skeleton import build_body

BETWEEN = 4
"""Moments looked at per frame: a swinging foot moves by a hand's breadth from frame to frame."""

ALONG = 9
"""Balls by which a capsule is measured."""


def room_below(clip: Clip, near: float, far: float) -> float:
    """Height [m] below which nobody ever is between `near` and `far` [m] along +z; infinite if nobody passes."""
    height, half = _flesh(clip, near, far)
    return float(np.min(height - half, initial=np.inf))


def room_above(clip: Clip, near: float, far: float) -> float:
    """Height [m] above which nobody ever is between `near` and `far` [m] along +z."""
    height, half = _flesh(clip, near, far)
    return float(np.max(height + half, initial=0.0))


def breadth_of(clip: Clip, heading: float = 0.0) -> float:
    """Breadth [m] of the lane that holds a body in all frames of a clip; it leads to `heading` [rad]."""
    body = build_body(clip.skeleton)
    across = body.capsules(clip.positions) @ np.array([np.cos(heading), 0.0, -np.sin(heading)])
    return float(np.max(across + body.radii[:, None]) - np.min(across - body.radii[:, None]))


def _flesh(clip: Clip, near: float, far: float) -> tuple[Array, Array]:
    """All balls of the body that reach into the slab: heights of their centres and of what is in it above that."""
    body = build_body(clip.skeleton)
    ends = body.capsules(clip.positions)
    shares = (np.arange(BETWEEN) / BETWEEN)[:, None, None, None, None]
    moments = np.concatenate([*((1.0 - shares) * ends[:-1] + shares * ends[1:]), ends[-1:]])
    along = np.linspace(0.0, 1.0, ALONG)[:, None]
    centres = moments[:, :, None, 0] * (1.0 - along) + moments[:, :, None, 1] * along
    outside = np.maximum(np.maximum(near - centres[..., 2], centres[..., 2] - far), 0.0)
    squared = body.radii[:, None] ** 2 - outside**2
    inside = squared > 0.0
    return centres[..., 1][inside], np.sqrt(squared[inside])
