"""A piece of motion: one skeleton, moving."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from walkon.errors import ClipError
from walkon.motion._kernels import first_flaw
from walkon.skeleton import Skeleton, forward_kinematics
from walkon.skeleton.skeleton import LARGEST_LENGTH

UNIT_TOLERANCE = 1e-6

LEAST_FPS, MOST_FPS = 1e-9, 1e9
"""[Hz] Rates beyond these are damage: times and speeds made of them must stay finite."""


@dataclass(frozen=True)
class Label:
    """A named stretch of a clip: frames `start` to `stop`, the latter excluded."""

    name: str
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class Contacts:
    """Which joints rest on the ground, and when.

    joints: names of K joints that may bear weight, such as heels and toes.
    planted: (F, K) True while the joint is planted.
    """

    joints: tuple[str, ...]
    planted: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Clip:
    """Poses of one skeleton at a steady rate; metres, Y up, quaternions wxyz.

    name:           what people call it.
    skeleton:       J joints.
    fps:            frames a second [Hz].
    root_positions: (F, 3) [m] world position of the root.
    rotations:      (F, J, 4) local unit quaternions; a tip's is the identity.
    bone_offsets:   (F, J, 3) [m] only where a recording stretches its bones, else None.
    labels:         named stretches.
    contacts:       who is planted when, if known.
    """

    name: str
    skeleton: Skeleton
    fps: float
    root_positions: NDArray[np.float64]
    rotations: NDArray[np.float64]
    bone_offsets: NDArray[np.float64] | None = None
    labels: tuple[Label, ...] = field(default=())
    contacts: Contacts | None = None

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "root_positions", _read_only(self.root_positions))
        set_field(self, "rotations", _read_only(self.rotations))
        if self.bone_offsets is not None:
            set_field(self, "bone_offsets", _read_only(self.bone_offsets))
        set_field(self, "labels", tuple(self.labels))
        self._validate()

    def _validate(self) -> None:
        frames, joints = len(self.root_positions), len(self.skeleton)
        if not LEAST_FPS <= self.fps <= MOST_FPS:
            raise ClipError(
                f"clip {self.name!r}: fps must be positive, {LEAST_FPS:g} to {MOST_FPS:g}, not {self.fps}"
            )
        if frames == 0:
            raise ClipError(f"clip {self.name!r} has no frames")
        shapes = {
            "root_positions": (self.root_positions, (frames, 3)),
            "rotations": (self.rotations, (frames, joints, 4)),
            "bone_offsets": (self.bone_offsets, (frames, joints, 3)),
        }
        for what, (array, shape) in shapes.items():
            if array is None:
                continue
            if array.shape != shape:
                raise ClipError(f"clip {self.name!r}: {what} is {array.shape}, expected {shape}")
            if what != "rotations":
                self._check_finite(what, array)
        frame, joint = first_flaw(self.rotations, UNIT_TOLERANCE)
        if frame >= 0:
            self._check_finite("rotations", self.rotations)
            raise ClipError(
                f"clip {self.name!r}: rotation of {self.skeleton.names[joint]} at frame {frame} is not unit"
            )
        for label in self.labels:
            if not 0 <= label.start < label.stop <= frames:
                raise ClipError(f"clip {self.name!r}: label {label} lies outside its {frames} frames")
        if self.contacts is not None and self.contacts.planted.shape != (frames, len(self.contacts.joints)):
            raise ClipError(
                f"clip {self.name!r}: contacts are {self.contacts.planted.shape}, "
                f"expected {(frames, len(self.contacts.joints))}"
            )

    def _check_finite(self, what: str, array: NDArray[np.float64]) -> None:
        sound = np.abs(array) <= LARGEST_LENGTH  # NaN is not
        if not sound.all():
            frame = int(np.argwhere(~sound)[0, 0])
            raise ClipError(f"clip {self.name!r}: {what} is too large or not finite at frame {frame}")

    def __len__(self) -> int:
        """Number of frames F."""
        return len(self.root_positions)

    def __repr__(self) -> str:
        return f"Clip({self.name!r}, {len(self)} frames at {self.fps:g} Hz, {len(self.skeleton)} joints)"

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the last."""
        return (len(self) - 1) / self.fps

    @cached_property
    def _world(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        world = forward_kinematics(self.skeleton, self.root_positions, self.rotations, self.bone_offsets)
        for array in world:
            array.flags.writeable = False
        return world

    @property
    def positions(self) -> NDArray[np.float64]:
        """World positions (F, J, 3) [m] of every joint; computed once."""
        return self._world[0]

    @property
    def world_rotations(self) -> NDArray[np.float64]:
        """World rotations (F, J, 4) of every joint; computed once."""
        return self._world[1]

    def with_changes(self, **fields: object) -> Clip:
        """A copy with some fields replaced; frame-bound labels and contacts must be replaced with them."""
        return replace(self, **fields)  # type: ignore[arg-type]

    @staticmethod
    def build(
        name: str,
        skeleton: Skeleton,
        fps: float,
        root_positions: Sequence[Sequence[float]] | NDArray[np.float64],
        rotations: NDArray[np.float64],
    ) -> Clip:
        """A clip whose rotations are normalised and continuous in sign first."""
        from walkon.rotations import continuous, normalize

        return Clip(name, skeleton, fps, np.asarray(root_positions, float), continuous(normalize(rotations)))


def _read_only(array: NDArray[np.float64]) -> NDArray[np.float64]:
    """The array as contiguous float64 that cannot be written through this clip."""
    view = np.ascontiguousarray(array, dtype=np.float64).view()
    view.flags.writeable = False
    return view
