"""How much room a body takes on the ground, direction by direction: the convex outline of its shadow.

An outline is a support table: how far the body reaches in each of DIRECTIONS directions. It is kept in two parts,
what is below and what is above BAND_SPLIT, so that planners can tell a table from a wall.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from walkon.basics import frozen
from walkon.motion.clip import Clip
from walkon.motion.features import kernels_outlines
from walkon.skeleton import Body, build_body

DIRECTIONS = 32
"""Directions of a support table, a power of two. With 32 the polygon that a table stands for exceeds the body by
2 mm; with more, tables take more memory and gain less than that."""

BAND_SPLIT = 0.8
"""[m] Above the ground: where bodies, and what they may touch, are split into what is below and what is above.
Just above tables and desks; with more, hips would count as below, with less, tables would block shoulders."""

BAND_OVERLAP = 0.05
"""[m] By how much both parts reach beyond the split, for what seams and planted feet move up or down; what moves
from frame to frame comes on top."""

COMPASS = frozen([(np.sin(turn), np.cos(turn)) for turn in 2.0 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS])
"""(DIRECTIONS, 2) x, z of the directions: as headings go, 0 along +z and a quarter of the way round along +x."""


def body_supports(clip: Clip, body: Body | None = None) -> NDArray[np.float64]:
    """Support tables (F, 2, DIRECTIONS) [m] of a clip's body, seen from the origin: how far what is below and what
    is above the split reaches in each direction. -inf for a part in which there is nothing."""
    return supports_around(clip.positions, build_body(clip.skeleton) if body is None else body)


def supports_around(positions: NDArray[np.float64], body: Body) -> NDArray[np.float64]:
    """The same from joints in the world (F, J, 3) [m]."""
    found = np.full((len(positions), 2, DIRECTIONS), -np.inf)
    low, high = BAND_SPLIT + BAND_OVERLAP, BAND_SPLIT - BAND_OVERLAP
    kernels_outlines.supports(positions, body.starts, body.ends, body.spans, body.radii, COMPASS, low, high, found)
    return found


def outline_corners(supports: NDArray[np.float64]) -> NDArray[np.float64]:
    """Corners (..., DIRECTIONS, 2) x, z [m] of the polygons that support tables (..., DIRECTIONS) stand for: where
    the lines of neighboring directions cross."""
    following = np.roll(supports, -1, axis=-1)
    sine, cosine = np.sin(2.0 * np.pi / DIRECTIONS), np.cos(2.0 * np.pi / DIRECTIONS)
    aside = (following - supports * cosine) / sine
    ahead, across = COMPASS, np.stack([COMPASS[:, 1], -COMPASS[:, 0]], axis=1)
    return supports[..., None] * ahead + aside[..., None] * across
