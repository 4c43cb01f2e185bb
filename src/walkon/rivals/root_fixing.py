"""Root fixing: walk cycles whose root is put exactly on a trajectory, at whatever speed it has; feet slide."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from walkon.basics import Array
from walkon.crowd import load_performers
from walkon.directing.clip_takes import take_of_clips
from walkon.metrics import Trajectories
from walkon.motion import Clip, Contacts, Label
from walkon.rivals.cycles import Cycle, choose_cycle
from walkon.rotations import continuous, multiply, normalize, rotation_about_y
from walkon.take import Take
from walkon.world import Scene

FACING_SMOOTHING = 0.2
"""Time [s] over which the direction of a trajectory is smoothed before the body faces it."""

STANDING_SPEED = 0.1
"""Somebody slower than this [m/s] keeps facing the same way."""

ROOT_FIXING = "root fixing"
"""What takes call this way to fit a body to a trajectory."""


def fix_roots(
    scene: Scene,
    trajectories: Trajectories,
    *,
    cycles: Mapping[str, Cycle] | None = None,
    folder: Path | None = None,
    seed: int = 0,
    planner: str = "",
) -> Take:
    """The take in which everybody's root follows their trajectory exactly, facing the way it goes.

    cycles: of everybody by name; by default a straight walk of each one's library. folder: where relative names
    of libraries are looked for. Nothing is done about feet: a cycle is played as fast as its stride covers the
    trajectory, which suits straight walking at its own speed only.
    """
    if cycles is None:
        performers = load_performers(scene, folder=folder)
        by_library = {key: choose_cycle(graph) for key, graph in performers.items()}
        cycles = {one.name: by_library[one.library, one.performer] for one in scene.characters}
    headings = {one.name: one.start.heading for one in scene.characters}
    rng = np.random.default_rng(seed)
    clips = {}
    for person, name in enumerate(trajectories.names):
        path = _at_rate(trajectories.path(person), trajectories.fps, scene.fps)
        clips[name] = warp_cycle(
            cycles[name], path, scene.fps, phase=float(rng.random()), heading=headings[name], name=name
        )
    starts = {
        name: round(start / trajectories.fps * scene.fps)
        for name, start in zip(trajectories.names, trajectories.starts, strict=True)
    }
    return take_of_clips(scene, clips, starts, behavior=ROOT_FIXING, seed=seed, planner=planner or ROOT_FIXING)


def warp_cycle(
    cycle: Cycle, path: Array, fps: float, *, phase: float = 0.0, heading: float = 0.0, name: str = "walk"
) -> Clip:
    """A clip whose root is above path (F, 2) [m], frame by frame.

    phase: share of the cycle that it begins at. heading [rad]: of somebody who stands all the time.
    """
    count = len(cycle.heights) - 1
    gone = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
    at = np.mod(phase + gone / cycle.length, 1.0) * count
    before = np.minimum(at.astype(np.int64), count - 1)
    share = at - before
    heights = (1.0 - share) * cycle.heights[before] + share * cycle.heights[before + 1]
    first, second = cycle.rotations[before], cycle.rotations[before + 1]
    second = np.where(np.sum(first * second, axis=-1, keepdims=True) < 0.0, -second, second)
    # Poses of neighbouring frames are so near each other that the chord serves as the arc.
    rotations = normalize((1.0 - share[:, None, None]) * first + share[:, None, None] * second)
    rotations[:, 0] = multiply(rotation_about_y(face_along(path, fps, heading)), rotations[:, 0])
    planted = cycle.planted[np.where(share < 0.5, before, before + 1)]
    return Clip(
        name,
        cycle.skeleton,
        fps,
        np.column_stack([path[:, 0], heights, path[:, 1]]),
        continuous(rotations),
        labels=(Label(ROOT_FIXING, 0, len(path)),),
        contacts=Contacts(cycle.joints, planted),
    )


def face_along(path: Array, fps: float, heading: float = 0.0) -> Array:
    """Continuous headings (F,) [rad] along path (F, 2), smoothed; whoever stands keeps the last one, which is
    `heading` if there is none."""
    from scipy.ndimage import gaussian_filter1d

    steps = np.gradient(path, axis=0) * fps
    moving = np.flatnonzero(np.hypot(*steps.T) >= STANDING_SPEED)
    if not len(moving):
        return np.full(len(path), heading)
    last = np.maximum.accumulate(np.where(np.isin(np.arange(len(path)), moving), np.arange(len(path)), moving[0]))
    headings = np.unwrap(np.arctan2(steps[last, 0], steps[last, 1]))
    return gaussian_filter1d(headings, FACING_SMOOTHING * fps, mode="nearest")


def _at_rate(path: Array, fps: float, wanted: float) -> Array:
    """A path (F, 2) at another rate, at least two frames long."""
    if len(path) < 2:
        return np.repeat(path, 2, axis=0)
    if fps == wanted:
        return path
    times = np.arange(int((len(path) - 1) / fps * wanted + 1e-9) + 1) / wanted * fps
    frames = np.arange(len(path))
    return np.column_stack([np.interp(times, frames, path[:, 0]), np.interp(times, frames, path[:, 1])])
