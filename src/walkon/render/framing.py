"""Where to put the camera: pictures that show the whole motion, and cameras that follow somebody."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from walkon.basics import Array
from walkon.errors import RenderError
from walkon.motion import Clip
from walkon.render.camera import Camera, as_point, orbit_direction
from walkon.render.cast import Clips, as_clips
from walkon.skeleton import build_body

MovingCamera = Callable[[float], Camera]
"""The camera at a time [s]."""

THREE_QUARTERS = math.radians(60.0)
"""Angle between where somebody goes and where the default camera stands."""

ELEVATION = math.radians(14.0)
"""How far above the horizon [rad] the default camera stands; chosen by eye."""

FOV = math.radians(28.0)
"""Vertical angle of view [rad] of the default camera; chosen by eye."""

FRAME_MARGIN = 0.12
"""Free share of the picture around the motion."""

CLIMBING, HILLY = 4.0, 0.4
"""Who rises or falls by more than this [m], smoothed over this time [s], is on a hill."""

MOST_POSES_SEEN, LEAST_POSES_SEEN, ALL_POSES_SEEN = 64, 6, 512
"""Poses that framing looks at, of one clip and of all: enough not to miss a gesture, few enough for a crowd."""


def frame_clips(
    clips: Clips,
    *,
    time: float | None = None,
    aspect: float = 16 / 9,
    azimuth: float | None = None,
    elevation: float = ELEVATION,
    fov: float = FOV,
    margin: float = FRAME_MARGIN,
) -> Camera:
    """The nearest camera of that direction that sees every body part at every moment, or only at `time` [s].

    aspect: width / height of the picture. azimuth [rad]: where the camera stands, by default at three quarters to
    the way most of the motion goes. margin: free share of the picture around the motion.
    """
    clips = as_clips(clips)
    azimuth = _good_azimuth(clips) if azimuth is None else azimuth
    points, reach = _seen_points(clips, time)
    return fit_camera(points, reach, aspect=aspect, azimuth=azimuth, elevation=elevation, fov=fov, margin=margin)


def fit_camera(
    points: Array, reach: float, *, aspect: float, azimuth: float, elevation: float, fov: float, margin: float
) -> Camera:
    """The nearest perspective camera of that direction that sees balls of radius `reach` at points (P, 3)."""
    if not (aspect > 0.0 and 0.0 <= margin < 0.9):
        raise RenderError(f"aspect must be positive and the margin in [0, 0.9), not {aspect} and {margin}")
    towards = orbit_direction(azimuth, elevation)
    axes = Camera((0.0, 0.0, 0.0), as_point(-towards), fov).axes()
    right, down, ahead = axes @ points.T
    tangent = math.tan(fov / 2.0) * (1.0 - margin)
    eye_ahead = min(_apex(right, ahead, tangent * aspect, reach), _apex(down, ahead, tangent, reach))
    depths = np.maximum(ahead - eye_ahead, 1e-9)
    eye = np.array([_centred(right, depths), _centred(down, depths), eye_ahead]) @ axes
    distance = max(float(np.median(depths)), 4.0 * reach, 0.1)
    return Camera(as_point(eye), as_point(eye - distance * towards), fov)


def _apex(sideways: Array, ahead: Array, tangent: float, reach: float) -> float:
    """How far ahead the apex lies of the nearest wedge that opens by `tangent` and holds discs at all points."""
    widen = reach * math.hypot(1.0, tangent)
    high = float(np.max(sideways - tangent * ahead)) + widen
    low = float(np.max(-sideways - tangent * ahead)) + widen
    return -0.5 * (high + low) / tangent


def _centred(sideways: Array, depths: Array) -> float:
    """Where to stand so that the outermost points on both sides are equally far from the picture's middle."""
    low, high = float(sideways.min()), float(sideways.max())
    for _ in range(40):
        middle = 0.5 * (low + high)
        slopes = (sideways - middle) / depths
        if slopes.max() + slopes.min() > 0.0:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def follow_clip(
    clip: Clip,
    *,
    distance: float | None = None,
    azimuth: float | None = None,
    elevation: float = ELEVATION,
    fov: float = FOV,
    calm: float = 0.6,
) -> MovingCamera:
    """A camera that travels with a character, smoothly: it ignores motion quicker than `calm` [s].

    distance [m]: by default the character fills most of the height. azimuth [rad]: fixed, see `frame_clips`.
    """
    body = build_body(clip.skeleton)
    tall = max(float(np.ptp(clip.positions[..., 1], axis=1).max()) + 2 * float(body.radii.max()), 0.2)
    azimuth = _good_azimuth([clip]) if azimuth is None else azimuth
    distance = 0.8 * tall / math.tan(fov / 2.0) if distance is None else distance
    centres = 0.5 * (clip.positions.min(axis=1) + clip.positions.max(axis=1))
    # A jump is seen against a still picture; a hill is climbed with the climber.
    climbed = _smooth(centres, CLIMBING * clip.fps)[:, 1]
    centres[:, 1] = climbed if np.ptp(climbed) > HILLY else np.median(centres[:, 1])
    track = _smooth(centres, calm * clip.fps)

    def camera_at(time: float) -> Camera:
        at = min(max(time * clip.fps, 0.0), len(track) - 1.0)
        frame = min(int(at), len(track) - 2) if len(track) > 1 else 0
        following = track[min(frame + 1, len(track) - 1)]
        target = track[frame] + (at - frame) * (following - track[frame])
        return Camera.orbit(target, distance, azimuth=azimuth, elevation=elevation, fov=fov)

    return camera_at


def _smooth(track: Array, frames: float) -> Array:
    """Gaussian average of a path (F, 3) over about that many frames; its ends are held."""
    reach = math.ceil(1.5 * frames)
    if reach < 1:
        return track
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / (0.5 * frames)) ** 2)
    padded = np.pad(track, ((reach, reach), (0, 0)), mode="edge")
    weights /= weights.sum()
    return np.array([np.convolve(column, weights, mode="valid") for column in padded.T], dtype=np.float64).T


def side_azimuth(clip: Clip) -> float:
    """Where a camera stands [rad] that sees the clip go from left to right; three quarters if it goes nowhere."""
    way = _main_way([clip])
    return THREE_QUARTERS if way is None else way - math.pi / 2


def _good_azimuth(clips: list[Clip]) -> float:
    """Three quarters to the front of where the motion goes."""
    way = _main_way(clips)
    return THREE_QUARTERS if way is None else way + THREE_QUARTERS


def _main_way(clips: list[Clip]) -> float | None:
    """Heading [rad] most of the motion takes, or None if it does not get anywhere."""
    travel = np.sum([clip.root_positions[-1] - clip.root_positions[0] for clip in clips], axis=0)
    spread = sum(float(np.linalg.norm(np.ptp(clip.root_positions[:, [0, 2]], axis=0))) for clip in clips)
    if math.hypot(travel[0], travel[2]) <= max(0.3 * spread, 0.3 * len(clips)):
        return None
    return math.atan2(travel[0], travel[2])


def _seen_points(clips: list[Clip], time: float | None) -> tuple[Array, float]:
    """Joint positions (P, 3) the picture must hold, with the ground below them, and the thickness around them."""
    points, reach = [], 0.0
    poses = min(max(ALL_POSES_SEEN // len(clips), LEAST_POSES_SEEN), MOST_POSES_SEEN)
    for clip in clips:
        if time is None:
            frames = np.unique(np.linspace(0, len(clip) - 1, poses).astype(int))
        else:
            frames = np.clip(np.array([time * clip.fps]), 0, len(clip) - 1).astype(int)
        points.append(clip.positions[frames].reshape(-1, 3))
        reach = max(reach, float(build_body(clip.skeleton).radii.max()))
    joined = np.concatenate(points)
    # A jump is nothing without the ground it leaves.
    footing = joined * np.array([1.0, 0.0, 1.0])
    return np.concatenate([joined, footing]), reach
