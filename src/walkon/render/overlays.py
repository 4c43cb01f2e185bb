"""Poses left where they happened: a stroboscopic picture, in which the past fades."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from walkon.basics import Picture
from walkon.render.framing import fit_camera
from walkon.render.look import Look
from walkon.render.pose_series import PoseSeries
from walkon.render.renderer import Renderer
from walkon.render.scenery import GroundPath
from walkon.render.setting import level_setting

ELEVATION, FOV = math.radians(11.0), math.radians(24.0)
"""How far above the horizon the camera stands, and its vertical angle of view [rad]."""

OVERLAY_MARGIN = 0.10
"""Free share of the picture around all poses."""

MOST_FADED = 0.8
"""How much of its colour the earliest pose loses."""

PLASTER = np.array([252.0, 252.0, 253.0])
"""What it fades to: lit, it is hardly darker than the floor."""

CLOSEST = 0.5
"""Least distance of two poses against the median breadth of a pose."""

WIDEST, NARROWEST = 3.2, 1.4
"""Aspects the picture stays between."""


def thin_out(series: PoseSeries) -> PoseSeries:
    """The series without poses that would hide one another: those closer than half a body to the one before.

    What stays in one place stays whole.
    """
    middles = 0.5 * (series.starts.mean(axis=1) + series.ends.mean(axis=1))[:, [0, 2]]
    wide = float(np.median(np.ptp(series.starts[..., [0, 2]], axis=1).max(axis=1)))
    if np.linalg.norm(middles[-1] - middles[0]) < 2.0 * wide:
        return series
    kept = [len(series) - 1]
    for pose in range(len(series) - 2, -1, -1):
        if np.linalg.norm(middles[pose] - middles[kept[-1]]) >= CLOSEST * wide:
            kept.append(pose)
    chosen = kept[::-1]
    return replace(series, times=series.times[chosen], starts=series.starts[chosen], ends=series.ends[chosen])


def draw_overlay(
    series: PoseSeries,
    track: NDArray[np.float64],
    width: int,
    azimuth: float,
    look: Look | None,
    *,
    elevation: float = ELEVATION,
    paths: Sequence[GroundPath] = (),
) -> Picture:
    """All poses in one scene, with the path of the root (K, 2) [m] on the ground, and other paths below it."""
    look = Look() if look is None else look
    series = thin_out(series)
    points = np.concatenate([series.starts.reshape(-1, 3), series.ends.reshape(-1, 3)])
    points = np.concatenate([points, points * np.array([1.0, 0.0, 1.0])])
    right = np.array([math.cos(azimuth), 0.0, -math.sin(azimuth)])
    away = np.array([math.sin(azimuth), 0.0, math.cos(azimuth)])
    tall = np.ptp(points[:, 1] * math.cos(elevation) + (points @ away) * math.sin(max(elevation - ELEVATION, 0.0)))
    aspect = float(np.clip(np.ptp(points @ right) / max(tall, 0.1), NARROWEST, WIDEST))
    height = 2 * round(0.5 * width / aspect)
    camera = fit_camera(
        points,
        float(series.radii.max()),
        aspect=width / height,
        azimuth=azimuth,
        elevation=elevation,
        fov=FOV,
        margin=OVERLAY_MARGIN,
    )
    own = [] if np.ptp(track, axis=0).max() < 0.05 else [GroundPath(track, width=0.03, opacity=0.5)]
    setting = level_setting(paths=[*paths, *own])
    renderer = Renderer(width, height, camera, look=look.lit_for(camera), setting=setting)
    count = len(series)
    age = MOST_FADED * (1.0 - (np.arange(count) + 1.0) / count) ** 1.2
    colours = series.colours + age[:, None, None] * (PLASTER - series.colours)
    return renderer.draw(
        series.starts.reshape(-1, 3),
        series.ends.reshape(-1, 3),
        np.tile(series.radii, count),
        colours.reshape(-1, 3),
    )
