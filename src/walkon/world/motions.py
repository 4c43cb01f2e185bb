"""How obstacles move: keyframes, tables of positions and lines to go along, sampled at the frames of the scene.

Simulated bodies are in `simulation.py`: they need the whole scene.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from walkon.basics import Array
from walkon.errors import SceneError
from walkon.rotations import angle_between, continuous, normalize, rotation_about_y, slerp
from walkon.world.attachments import MOST_CSV_BYTES, parse_numbers, read_attachment
from walkon.world.document_obstacles import Motion
from walkon.world.poses import make_poses
from walkon.world.scene import HeightField
from walkon.world.shapes import Shape

MOST_ROWS = 200_000
MOST_FRAMES = 3_000_000
"""Frames of all moving obstacles of a scene together: 170 MB."""

FALL = 3.5
"""A tree that leaves the upright by 5° and falls to 90° does so as cosh(FALL t): a linear inverted pendulum."""

TURN = 0.5
"""[s] How long whatever goes along a line takes to turn at a corner."""

COLUMNS = ("t", "x", "y", "z", "heading", "tilt", "qw", "qx", "qy", "qz")


def sample_keyframes(
    motion: Motion, start: tuple[float, ...], shape: Shape, terrain: HeightField, times: Array
) -> tuple[Array, Array]:
    """Positions (T, 3) and rotations (T, 4) at times [s]; start: x, z, bottom, heading, tilt of the obstacle."""
    keys = motion.keyframes or ()
    values, now = np.empty((len(keys), 5)), list(start)
    for row, key in enumerate(keys):
        said = (*(key.at or (None, None)), key.bottom, key.heading, key.tilt)
        now = [old if new is None else new for old, new in zip(now, said, strict=True)]
        values[row] = now
    eases = [key.ease or motion.ease for key in keys]
    x, z, bottom, heading, tilt = ease_between(np.array([key.t for key in keys]), values, eases, times).T
    return make_poses(shape, terrain, x, z, bottom, np.radians(heading), np.radians(tilt))


def ease_between(key_times: Array, values: Array, eases: list[str], times: Array) -> Array:
    """Values (T, D) at times (T,) between keys (K,), (K, D); eases[k]: how key k is reached."""
    if len(key_times) == 1:
        return np.repeat(values, len(times), axis=0)
    times = np.clip(times, key_times[0], key_times[-1])
    piece = np.clip(np.searchsorted(key_times, times, side="right"), 1, len(key_times) - 1)
    share = (times - key_times[piece - 1]) / (key_times[piece] - key_times[piece - 1])
    kinds = np.array(eases)[piece]
    weight = np.select(
        [kinds == "smooth", kinds == "fall"],
        [share**2 * (3.0 - 2.0 * share), (np.cosh(FALL * share) - 1.0) / (math.cosh(FALL) - 1.0)],
        share,
    )[:, None]
    sampled = values[piece - 1] * (1.0 - weight) + values[piece] * weight
    if "glide" in eases:
        from scipy.interpolate import PchipInterpolator

        gliding = kinds == "glide"  # monotone between keys: nothing swings past where it was told to be
        sampled[gliding] = PchipInterpolator(key_times, values)(times[gliding])
    return sampled


class Track:
    """A trajectory from a CSV file: t [s], x, z, perhaps y [m], heading and tilt [degrees] or a quaternion."""

    def __init__(self, folder: Path, name: str) -> None:
        data = read_attachment(folder, name, MOST_CSV_BYTES)
        header, values = parse_numbers(data, name, most_rows=MOST_ROWS, most_values=MOST_ROWS * len(COLUMNS))
        if not header:
            raise SceneError(f"{name!r}: the first line must name its columns, of: {', '.join(COLUMNS)}")
        unknown = [column for column in header if column not in COLUMNS]
        if unknown or len(set(header)) != len(header):
            raise SceneError(
                f"{name!r}: columns {', '.join(header)}; there may be, once each: {', '.join(COLUMNS)}"
            )
        self.columns = dict(zip(header, values.T, strict=True))
        missing = [column for column in ("t", "x", "z") if column not in self.columns]
        turned = [column for column in ("qw", "qx", "qy", "qz") if column in self.columns]
        if missing or len(turned) not in (0, 4) or (turned and {"heading", "tilt"} & set(header)):
            raise SceneError(f"{name!r}: needs t, x, z; then y, and heading and tilt or all of qw, qx, qy, qz")
        self.times = self.columns["t"]
        if self.times[0] < 0.0 or (np.diff(self.times) <= 0.0).any():
            raise SceneError(f"{name!r}: the times t must be positive and increase")
        if np.abs(values).max() > 1e6:
            raise SceneError(f"{name!r}: holds a number beyond a million")
        if turned and (np.linalg.norm(self._quaternions(), axis=1) < 1e-6).any():
            raise SceneError(f"{name!r}: holds a quaternion of zeros")

    def _quaternions(self) -> Array:
        return np.column_stack([self.columns[key] for key in ("qw", "qx", "qy", "qz")])

    def sample(
        self, start: tuple[float, ...], shape: Shape, terrain: HeightField, times: Array
    ) -> tuple[Array, Array]:
        """Positions (T, 3) and rotations (T, 4) at times [s]; what the file does not say is as at the start."""

        def at(column: str, otherwise: float) -> Array:
            known = self.columns.get(column)
            return np.full(len(times), otherwise) if known is None else np.interp(times, self.times, known)

        _, _, bottom, heading, tilt = start
        heading, tilt = np.radians(at("heading", heading)), np.radians(at("tilt", tilt))
        positions, rotations = make_poses(shape, terrain, at("x", 0.0), at("z", 0.0), bottom, heading, tilt)
        if "y" in self.columns:
            positions[:, 1] = at("y", 0.0)
        if "qw" in self.columns:
            rotations = self._turned(times)
        return positions, rotations

    def _turned(self, times: Array) -> Array:
        turns = continuous(normalize(self._quaternions()))
        if len(turns) == 1:
            return np.repeat(turns, len(times), axis=0)
        piece = np.clip(np.searchsorted(self.times, times, side="right"), 1, len(turns) - 1)
        share = (times - self.times[piece - 1]) / (self.times[piece] - self.times[piece - 1])
        return slerp(turns[piece - 1], turns[piece], np.clip(share, 0.0, 1.0))


def frame_times(first: float, last: float, repeat: str, *, fps: float, duration: float) -> Array:
    """For every frame that an obstacle moves in, which time [s] of its own keys (first to last) to show."""
    if last <= first:
        return np.array([first])
    end = duration if repeat != "once" else min(last, duration)
    times = np.arange(math.ceil(end * fps - 1e-9) + 1) / fps
    if repeat == "once":
        return np.minimum(times, last)
    period = last - first
    phase = np.maximum(times - first, 0.0) % (period if repeat == "cycle" else 2.0 * period)
    return first + (phase if repeat == "cycle" else np.minimum(phase, 2.0 * period - phase))


def sample_motion(
    motion: Motion,
    start: tuple[float, ...],
    shape: Shape,
    terrain: HeightField,
    folder: Path,
    *,
    fps: float,
    duration: float,
) -> tuple[Array, Array]:
    """Positions (T, 3) and rotations (T, 4), at the frames of the scene, of what has keyframes or a CSV file."""
    track = None if motion.csv is None else Track(folder, motion.csv)
    first, last = (
        (track.times[0], track.times[-1]) if track else (motion.keyframes[0].t, motion.keyframes[-1].t)  # pyright: ignore
    )
    times = frame_times(first, last, motion.repeat, fps=fps, duration=duration)

    def at(times: Array) -> tuple[Array, Array]:
        if track is not None:
            return track.sample(start, shape, terrain, times)
        return sample_keyframes(motion, start, shape, terrain, times)

    if motion.repeat == "cycle":
        positions, rotations = at(np.array([first, last]))
        jump, turn = np.linalg.norm(positions[1] - positions[0]), float(angle_between(rotations[0], rotations[1]))
        if jump > 0.01 or turn > math.radians(1.0):
            raise SceneError(
                f"a cycle must end where it begins: it is {jump:.2f} m and {math.degrees(turn):.0f}° off; "
                f"or use repeat = 'back'"
            )
    return at(times)


def patrol(
    points: ArrayLike,
    speed: float,
    *,
    fps: float,
    duration: float,
    repeat: Literal["back", "loop", "stop"] = "back",
    height: float = 0.0,
) -> tuple[Array, Array]:
    """Positions (T, 3) and rotations (T, 4) of something that goes along a line at an even speed [m/s], looking
    where it goes.

    points (P, 2): x, z [m]. fps [Hz], duration [s]: how long to go on. repeat: there and back; on from the last
    point straight to the first, and around again; or stop at the last point, which may end it earlier. height [m]:
    y of all positions. Turns take half a second, centred on the corner, so hand-drawn lines look smooth. At most
    `MOST_ROWS` frames, which is what a scene file can hold of one obstacle.
    """
    line = _checked_line(points, speed, fps, duration, repeat)
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    times = frame_times(
        0.0, lengths[-1] / speed, {"back": "back", "loop": "cycle"}.get(repeat, "once"), fps=fps, duration=duration
    )
    along = np.minimum(times * speed, lengths[-1])
    piece = np.clip(np.searchsorted(lengths, along, side="right"), 1, len(line) - 1) - 1
    headings = np.arctan2(*np.diff(line, axis=0).T)[piece]
    if repeat == "back":
        elapsed = np.arange(len(times)) / fps * speed
        returning = (elapsed % (2.0 * lengths[-1])) >= lengths[-1]
        headings = headings + np.pi * returning
    positions = np.column_stack(
        [
            np.interp(along, lengths, line[:, 0]),
            np.full(len(along), float(height)),
            np.interp(along, lengths, line[:, 1]),
        ]
    )
    return positions, rotation_about_y(_eased_turns(headings, fps))


def _checked_line(points: ArrayLike, speed: float, fps: float, duration: float, repeat: str) -> Array:
    """The points (P, 2) of a patrol without those on top of the one before; closed where it goes around."""
    line = np.array(points, dtype=np.float64)
    if line.ndim != 2 or line.shape[1] != 2 or not np.isfinite(line).all():
        raise SceneError(f"a patrol goes along finite points (P, 2), not an array {line.shape}")
    if repeat not in ("back", "loop", "stop"):
        raise SceneError(f"a patrol repeats 'back', 'loop' or 'stop', not {repeat!r}")
    if not all(np.isfinite(value) and value > 0.0 for value in (speed, fps, duration)):
        raise SceneError(f"speed, fps and duration of a patrol must be positive, not {speed}, {fps}, {duration}")
    if duration * fps + 1.0 > MOST_ROWS:
        raise SceneError(f"a patrol of {duration:g} s at {fps:g} fps has more than {MOST_ROWS} frames")
    if repeat == "loop":
        line = np.concatenate([line, line[:1]])
    line = line[np.concatenate([[True], np.hypot(*np.diff(line, axis=0).T) > 1e-6])] if len(line) else line
    if len(line) < 2:
        raise SceneError("a patrol needs two points that are apart")
    return line


def _eased_turns(headings: Array, fps: float) -> Array:
    """Headings (T,) [rad], each the mean of those around it: turns the short way, in `TURN` seconds."""
    half = min(round(0.5 * TURN * fps), (len(headings) - 1) // 2)
    steady = np.unwrap(headings)
    padded = np.concatenate([np.full(half, steady[0]), steady, np.full(half, steady[-1])])
    sums = np.concatenate([[0.0], np.cumsum(padded)])
    width = 2 * half + 1
    return (sums[width:] - sums[:-width]) / width
