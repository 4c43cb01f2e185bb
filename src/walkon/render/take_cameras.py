"""Where the camera of a take stands: a still view of the whole action, from above, aside, or with somebody."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Array
from walkon.errors import RenderError
from walkon.render.camera import Camera
from walkon.render.company import Performed
from walkon.render.framing import FOV, MovingCamera, fit_camera, follow_clip
from walkon.render.pose_series import UP
from walkon.world import Scene

VIEWS = ("overview", "top", "side", "follow:NAME")
"""What `take_camera` knows."""

LOWEST, HIGHEST = math.radians(15.0), math.radians(34.0)
"""Elevations of the overview: a few people are seen eye to eye, a crowd from a balcony."""

SMALL, LARGE = 5.0, 28.0
"""Extents [m] of the action to which they belong."""

OVERVIEW_TURN = math.radians(32.0)
"""How far the overview stands from looking squarely at the longer side of the action."""

HEAD_HEIGHT = 1.9
"""Height [m] above the feet up to which somebody is to be seen: a tall person's crown."""

VIEW_MARGIN = 0.06
"""Free share of the picture around the action."""

POINTS_EACH = 40
"""Moments of everybody's way, and of every track, that the picture must hold."""


def take_camera(
    view: str, performances: Sequence[Performed], scene: Scene | None, aspect: float
) -> Camera | MovingCamera:
    """The camera for a view: overview, top, side or follow:NAME."""
    if view.startswith("follow:"):
        return _follow(view.removeprefix("follow:"), performances)
    places = seen_places(performances, scene)
    across = _long_side(places)
    middle = 0.5 * (places.min(axis=0) + places.max(axis=0))
    if view == "top":
        return _from_above(places, middle, aspect)
    if view == "overview":
        extent = float(np.ptp(places[:, [0, 2]], axis=0).max())
        blend = min(max((extent - SMALL) / (LARGE - SMALL), 0.0), 1.0)
        azimuth, elevation = across + OVERVIEW_TURN, LOWEST + blend * (HIGHEST - LOWEST)
    elif view == "side":
        azimuth, elevation = across, math.radians(10.0)
    else:
        raise RenderError(f"no view called {view!r}; there are: {', '.join(VIEWS)}")
    return fit_camera(
        places, 0.3, aspect=aspect, azimuth=azimuth, elevation=elevation, fov=FOV, margin=VIEW_MARGIN
    )


def seen_places(performances: Sequence[Performed], scene: Scene | None) -> Array:
    """Points (P, 3) [m] that show the action: feet and heads all along, what moves, and what people pass."""
    places = []
    for performance in performances:
        roots = performance.clip.root_positions
        roots = roots[np.unique(np.linspace(0, len(roots) - 1, POINTS_EACH).astype(int))]
        hips = float(np.median(roots[:, 1]))
        places += [roots - hips * UP, roots + max(HEAD_HEIGHT - hips, 0.0) * UP]
    for obstacle in () if scene is None else scene.obstacles:
        if obstacle.moves or obstacle.passes:
            size = float(np.linalg.norm(obstacle.shape.surface(8).points, axis=1).max())
            track = obstacle.positions[:: max(len(obstacle.positions) // POINTS_EACH, 1)]
            track = track[_inside(track, scene, size)] if scene is not None else track
            places += [track, track + size * UP]
    if not any(map(len, places)):
        if scene is None:
            raise RenderError("nobody plays: there is nothing to film")
        left, near, right, far = scene.bounds
        places = [np.array([[left, 0.0, near], [right, 0.0, near], [left, 0.0, far], [right, 0.0, far]])]
    return np.concatenate(places)


def _inside(track: Array, scene: Scene, size: float) -> NDArray[np.bool_]:
    """Which points (P, 3) of a track lie within the bounds: what waits outside for its cue need not be seen."""
    left, near, right, far = scene.bounds
    x, z = track[:, 0], track[:, 2]
    return (x > left - size) & (x < right + size) & (z > near - size) & (z < far + size)


def _long_side(places: Array) -> float:
    """Azimuth [rad] from which the action is widest: squarely before its longer side, rather from +z than -z."""
    flat = places[:, [0, 2]] - places[:, [0, 2]].mean(axis=0)
    (xx, xz), (_, zz) = flat.T @ flat
    along = 0.5 * math.atan2(2.0 * xz, xx - zz)
    # The way (cos, sin) in (x, z); a camera stands at right angles to it.
    azimuth = math.atan2(-math.sin(along), math.cos(along))
    return azimuth if math.cos(azimuth) >= -1e-9 else azimuth + math.pi


def _from_above(places: Array, middle: Array, aspect: float) -> Camera:
    low, high = places.min(axis=0) - 1.0, places.max(axis=0) + 1.0
    span = max(float(high[2] - low[2]), float(high[0] - low[0]) / aspect)
    top = float(high[1]) + 20.0
    return Camera((float(middle[0]), top, float(middle[2])), (float(middle[0]), 0.0, float(middle[2])), span=span)


def _follow(name: str, performances: Sequence[Performed]) -> MovingCamera:
    for performance in performances:
        if performance.character == name:
            begin = performance.start_frame / performance.clip.fps
            camera = follow_clip(performance.clip, elevation=math.radians(18.0), calm=1.5)
            return lambda time: camera(time - begin)
    names = ", ".join(performance.character for performance in performances[:20])
    raise RenderError(f"nobody called {name!r} to follow; there are: {names}")
