"""Poses as plain numbers that cannot wrap, each of about unit spread: what the model of variation counts in.

Of the root: speed ahead and to the left [m/s] and turning rate [rad/s] as the character goes, and height [m]; so
nothing depends on where on the ground a motion happened. Of every joint: the rotation vector [rad] from its mean
rotation. A joint that goes more than WIDE_ANGLE away from its mean, an arm that circles, has the first two columns
of its rotation matrix instead, which are never far apart for rotations that are near each other.

A motion that ends has one number more, which is always given: how much of it is done. A jump begins and ends
standing, and nothing else would tell the one from the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.basics import Array
from walkon.errors import VariationError
from walkon.motion import Clip, ground_placements
from walkon.motion.features.smoothing import smooth_over_time
from walkon.rotations import (
    conjugate,
    continuous,
    exponential,
    from_matrix,
    logarithm,
    multiply,
    normalize,
    rotation_about_y,
    to_matrix,
)
from walkon.skeleton import Skeleton
from walkon.variation.cycles import comes_back

WIDE_ANGLE = 2.4
"""A joint that is ever farther [rad] from its mean rotation is told by two axes instead of a rotation vector,
which jumps at π. The rest is room for variants to stray."""

HEADING_SMOOTHING = 0.3
"""Standard deviation [s] of the smoothing that turns where the body faces into where it goes."""

LEAST_MOTION = 2e-3
"""A number whose standard deviation over all inputs is less [rad, m, m/s] is constant, and is left out."""

LEAST_SCALE = 0.02
"""Least unit [rad, m, m/s] in which a number is told. With less, the trembling of a stiff joint would count as
motion."""

PROGRESS = 3.0
"""Standard deviation of how much of a motion is done, where other numbers have 1: it tells much about what comes
next. Found by trying."""

ROOT = 4
"""How many numbers of the root come before those of the joints: ahead, left, turning, height."""


@dataclass(frozen=True, eq=False)
class Coordinates:
    """How poses of a skeleton are told as n numbers.

    fps: [Hz] of motion in these coordinates. means: (J, 4) mean rotations, the root's without its heading.
    wide: (J,) joints told by two axes. center, scale: (D,) of all D numbers, before those that are constant are
    left out. moving: which of the D are told. ends: whether how much is done is told too, as the last number.
    """

    skeleton: Skeleton
    fps: float
    means: Array
    wide: NDArray[np.bool_]
    center: Array
    scale: Array
    moving: NDArray[np.int64]
    ends: bool = False

    @property
    def count(self) -> int:
        """How many numbers n a pose has."""
        return len(self.moving) + self.ends

    @cached_property
    def joints(self) -> NDArray[np.int64]:
        """(n,) the joint that each number is about; the root's own four count as joint 0."""
        sizes = np.where(self.wide, 6, 3)
        joints = np.concatenate([np.zeros(ROOT, np.int64), np.repeat(np.arange(len(sizes)), sizes)])[self.moving]
        return np.append(joints, 0) if self.ends else joints

    @cached_property
    def names(self) -> tuple[str, ...]:
        """(n,) what each number is."""
        told = ["root ahead", "root left", "root turning", "root height"]
        for joint, wide in zip(self.skeleton.names, self.wide, strict=True):
            parts = ("xx", "xy", "xz", "yx", "yy", "yz") if wide else ("x", "y", "z")
            told += [f"{joint} {part}" for part in parts]
        return (*(told[number] for number in self.moving), *(("progress",) if self.ends else ()))

    def encode(self, clip: Clip) -> Array:
        """Poses (F, n) of a clip of this skeleton and rate, spread about 1 around 0."""
        self.check(clip)
        headings = _headings(clip)
        return self._scaled(_told(clip, headings, _without_heading(clip, headings), self.means, self.wide))

    def decode(self, values: ArrayLike, name: str, *, start: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Clip:
        """The clip that values (F, n) tell, from a place x, z [m] and heading [rad] on."""
        told = np.asarray(values, dtype=np.float64)[:, : len(self.moving)]
        raw = np.tile(self.center, (len(told), 1))
        raw[:, self.moving] += told * self.scale[self.moving]
        headings = start[2] + _summed(raw[:, 2], self.fps)
        sine, cosine = np.sin(headings), np.cos(headings)
        x = start[0] + _summed(raw[:, 0] * sine + raw[:, 1] * cosine, self.fps)
        z = start[1] + _summed(raw[:, 0] * cosine - raw[:, 1] * sine, self.fps)
        rotations = self._rotations(raw[:, ROOT:])
        rotations[:, 0] = multiply(rotation_about_y(headings), rotations[:, 0])
        places = np.column_stack([x, raw[:, 3], z])
        return Clip(name, self.skeleton, self.fps, places, continuous(normalize(rotations)))

    def check(self, clip: Clip) -> None:
        """Raise if a clip cannot be told in these coordinates."""
        if not clip.skeleton.matches(self.skeleton):
            raise VariationError(f"clip {clip.name!r} has another skeleton than the model")
        if abs(clip.fps - self.fps) > 1e-6:
            raise VariationError(f"clip {clip.name!r} has {clip.fps:g} Hz, the model {self.fps:g} Hz")
        _refuse_stretching(clip)

    def _scaled(self, raw: Array) -> Array:
        scaled = ((raw - self.center) / self.scale)[:, self.moving]
        return np.column_stack([scaled, progress(np.linspace(0.0, 1.0, len(raw)))]) if self.ends else scaled

    def _rotations(self, raw: Array) -> Array:
        """Local rotations (F, J, 4) of the numbers of joints (F, D - 4)."""
        sizes = np.where(self.wide, 6, 3)
        owners = np.repeat(self.wide, sizes)
        away = np.empty((len(raw), len(self.wide), 4))
        away[:, ~self.wide] = exponential(raw[:, ~owners].reshape(len(raw), -1, 3))
        axes = raw[:, owners].reshape(len(raw), -1, 6)
        for number, joint in enumerate(np.flatnonzero(self.wide)):
            away[:, joint] = _from_axes(axes[:, number])
        return multiply(self.means, away)


def fit_coordinates(clips: Sequence[Clip], *, ends: bool | None = None) -> tuple[Coordinates, list[Array]]:
    """Coordinates for clips of one skeleton and rate, and the clips in them: (F, n) each.

    ends: whether the motion does; by default unless it comes back to where it began.
    """
    skeleton, fps = clips[0].skeleton, clips[0].fps
    for clip in clips:
        if not clip.skeleton.matches(skeleton):
            raise VariationError(
                f"clip {clip.name!r} has another skeleton than {clips[0].name!r}; retarget it first"
            )
        _refuse_stretching(clip)
    headings = [_headings(clip) for clip in clips]
    turned = [_without_heading(clip, heading) for clip, heading in zip(clips, headings, strict=True)]
    means = _mean_rotations(np.concatenate(turned))
    away = logarithm(multiply(conjugate(means), np.concatenate(turned)))
    wide = np.linalg.norm(away, axis=-1).max(axis=0) > WIDE_ANGLE
    raw = [
        _told(clip, heading, rotations, means, wide)
        for clip, heading, rotations in zip(clips, headings, turned, strict=True)
    ]
    everything = np.concatenate(raw)
    spread = everything.std(axis=0)
    moving = np.flatnonzero(spread > LEAST_MOTION)
    if not len(moving):
        raise VariationError("nothing moves in these clips, so there is nothing to vary")
    scale = np.maximum(spread, LEAST_SCALE)
    found = Coordinates(skeleton, fps, means, wide, everything.mean(axis=0), scale, moving)
    encoded = [found._scaled(values) for values in raw]
    if ends is None:
        ends = not comes_back(encoded)
    if ends:
        found = replace(found, ends=True)
        encoded = [found._scaled(values) for values in raw]
    return found, encoded


def progress(done: Array) -> Array:
    """The last number (F,) of a motion that ends, from how much of it is done, 0 to 1."""
    # Even over 0 to 1, a number has the variance 1/12.
    return PROGRESS * np.sqrt(12.0) * (done - 0.5)


def _refuse_stretching(clip: Clip) -> None:
    if clip.bone_offsets is not None:
        raise VariationError(f"clip {clip.name!r} stretches its bones; retarget it to a skeleton first")


def _headings(clip: Clip) -> Array:
    """Headings (F,) [rad] of the way, without the swing of hips and shoulders."""
    return smooth_over_time(ground_placements(clip)[:, 2:], clip.fps, HEADING_SMOOTHING)[:, 0]


def _without_heading(clip: Clip, headings: Array) -> Array:
    """Local rotations (F, J, 4), the root's as seen by the character."""
    rotations = clip.rotations.copy()
    rotations[:, 0] = multiply(rotation_about_y(-headings), rotations[:, 0])
    return rotations


def _mean_rotations(rotations: Array) -> Array:
    """Mean (J, 4) of rotations (F, J, 4), whatever their signs: the axis along which quaternions spread most."""
    _, axes = np.linalg.eigh(np.einsum("fji,fjk->jik", rotations, rotations))
    return axes[:, :, -1]


def _told(clip: Clip, headings: Array, rotations: Array, means: Array, wide: NDArray[np.bool_]) -> Array:
    """All D numbers (F, D) of a clip, in metres, radians and seconds."""
    sine, cosine = np.sin(headings), np.cos(headings)
    x, z = (_rates(clip.root_positions[:, axis], clip.fps) for axis in (0, 2))
    columns = [x * sine + z * cosine, x * cosine - z * sine, _rates(headings, clip.fps), clip.root_positions[:, 1]]
    away = multiply(conjugate(means), rotations)
    for joint, turning in enumerate(wide):
        part = _to_axes(away[:, joint]) if turning else logarithm(away[:, joint])
        columns += list(part.T)
    return np.column_stack(columns)


def _rates(values: Array, fps: float) -> Array:
    """Rates (F,) of change to the next frame; the last again at the end."""
    if len(values) < 2:
        return np.zeros(len(values))
    rates = np.diff(values) * fps
    return np.append(rates, rates[-1])


def _summed(rates: Array, fps: float) -> Array:
    """Values (F,) that begin at 0 and change at the rates: the inverse of `_rates`."""
    return np.concatenate([[0.0], np.cumsum(rates[:-1]) / fps])


def _to_axes(rotations: Array) -> Array:
    """First two columns (F, 6) of the matrices of rotations (F, 4)."""
    matrices = to_matrix(rotations)
    return np.concatenate([matrices[:, :, 0], matrices[:, :, 1]], axis=1)


def _from_axes(axes: Array) -> Array:
    """Rotations (F, 4) nearest to two columns (F, 6), made orthogonal."""
    first = axes[:, :3] / np.maximum(np.linalg.norm(axes[:, :3], axis=1, keepdims=True), 1e-9)
    second = axes[:, 3:] - np.sum(first * axes[:, 3:], axis=1, keepdims=True) * first
    second /= np.maximum(np.linalg.norm(second, axis=1, keepdims=True), 1e-9)
    return from_matrix(np.stack([first, second, np.cross(first, second)], axis=-1))
