"""How far apart two windows of frames are: one interface, several opinions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walkon.basics import Array, Indices
from walkon.errors import GraphError
from walkon.graphs.comparing.clouds import (
    WINDOW,
    PointClouds,
    choose_joints,
    choose_taper,
    mask_squares,
    window_starts,
)
from walkon.graphs.corpus import Corpus
from walkon.rotations import conjugate, heading_of, logarithm, multiply, rotate, rotation_about_y
from walkon.skeleton import build_body

VELOCITY = 0.1
"""Seconds: how much a difference in velocity counts. At 0.1 s, 1 rad/s counts as much as 0.1 rad."""

LENGTH = 1.0
"""[rad/m] How much the height and the velocity of the root count beside angles."""


class Metric(Protocol):
    """A distance between windows of frames that neither the place nor the heading of a recording changes.

    valid: (N,) rows at which a window may start. It is the same from a to b as from b to a.
    """

    @property
    def window(self) -> int:
        """Frames of a window."""
        ...

    @property
    def valid(self) -> NDArray[np.bool_]:
        """Rows (N,) at which a window may start."""
        ...

    def squares(self, rows: slice, columns: slice) -> Array:
        """Squared distances (Ma, Mb) of windows that start at `rows` to those at `columns`; infinite if none."""
        ...

    def pairs(self, starts: Indices, others: Indices) -> Array:
        """Distances (T,) of windows that start at `starts` (T,) to those at `others` (T,), one by one."""
        ...


class MassDistance(PointClouds):
    """The metric of Lamouret and van de Panne: the body's masses as points, each as heavy as its segment."""

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        window: int = WINDOW,
        *,
        joints: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        taper: ArrayLike | None = None,
    ) -> Self:
        """The metric on a corpus; its points and weights are those of the body."""
        if joints is not None or weights is not None:
            raise GraphError("the mass distance takes its points and their weights from the body")
        library = corpus.library
        body = build_body(library.skeleton)
        along = body.spans.mean(axis=1)[:, None]
        middles = library.positions[:, body.starts]
        middles += along * (library.positions[:, body.ends] - middles)
        return cls._laid(library, middles, body.masses, choose_taper(window, taper))


@dataclass(frozen=True, eq=False)
class JointAngles:
    """The metric of Lee et al. (2002): angles [rad] between joints of two poses, and how differently they move.

    D² = Σ over the window of taper × (Σ w θ² + Σ (u − u')²), where θ is the angle between two rotations of a
    joint. The heading of the root is left out.

    turns: (N + window, J, 4) unit quaternions. weights: (J,), taper: (window,), both add up to 1.
    features: (N + window, U) [rad] velocities of the joints, height and velocity of the root, already weighted.
    """

    turns: Array
    weights: Array
    features: Array
    taper: Array
    valid: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        window: int = WINDOW,
        *,
        joints: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        taper: ArrayLike | None = None,
        velocity: float = VELOCITY,
    ) -> Self:
        """The metric on a corpus. velocity: [s] how much a difference in velocity counts."""
        library = corpus.library
        chosen, own = choose_joints(corpus, joints, weights)
        bends = ~library.skeleton.tips[chosen]
        chosen, own = chosen[bends], own[bends] / own[bends].sum()
        heading = rotation_about_y(-heading_of(library.rotations[:, 0]))
        turns = library.rotations[:, chosen].copy()
        turns[:, chosen == 0] = multiply(heading[:, None], turns[:, chosen == 0])
        spinning = np.empty((len(corpus), len(chosen), 3))
        going = np.empty((len(corpus), 3))
        for clip, start, stop in zip(library, library.starts, library.stops, strict=True):
            spinning[start:stop] = _angular_velocities(clip.rotations[:, chosen], clip.fps)
            going[start:stop] = _differences(clip.root_positions, clip.fps)
        features = np.concatenate(
            [
                (velocity * np.sqrt(own)[:, None] * spinning).reshape(len(corpus), -1),
                LENGTH * velocity * rotate(heading, going),
                LENGTH * library.root_positions[:, 1:2],
            ],
            axis=1,
        )
        taper = choose_taper(window, taper)
        return cls(_padded(turns, window), own, _padded(features, window), taper, window_starts(library, window))

    @property
    def window(self) -> int:
        """Frames of a window."""
        return len(self.taper)

    def squares(self, rows: slice, columns: slice) -> Array:
        """Squared distances (Ma, Mb) [rad²] of windows that start at `rows` to those that start at `columns`."""
        from walkon.graphs.comparing._kernels_angles import fill_angle_squares

        squares = np.empty((rows.stop - rows.start, columns.stop - columns.start))
        fill_angle_squares(self.turns, self.weights, self.features, self.taper, rows.start, columns.start, squares)
        return mask_squares(squares, self.valid, rows, columns)

    def pairs(self, starts: Indices, others: Indices) -> Array:
        """Distances (T,) [rad] of windows that start at `starts` (T,) to those at `others` (T,), one by one."""
        from walkon.graphs.comparing._kernels_angles import fill_angle_squares

        squares = np.empty((len(starts), 1, 1))
        for start, other, square in zip(starts, others, squares, strict=True):
            fill_angle_squares(self.turns, self.weights, self.features, self.taper, start, other, square)
        return np.sqrt(squares[:, 0, 0])


METRICS: Mapping[str, Callable[..., Metric]] = MappingProxyType(
    {"points": PointClouds.of, "angles": JointAngles.of, "mass": MassDistance.of}
)
"""Name -> maker, which takes a corpus and a window."""


def build_metric(corpus: Corpus, name: str = "points", window: int = WINDOW) -> Metric:
    """The metric called `name`, one of METRICS, on a corpus."""
    maker = METRICS.get(name)
    if maker is None:
        raise GraphError(f"no metric {name!r}; there are: {', '.join(METRICS)}")
    return maker(corpus, window)


def _angular_velocities(rotations: Array, fps: float) -> Array:
    """Angular velocities (F, J, 3) [rad/s] of rotations (F, J, 4), as the joints themselves see them."""
    if len(rotations) < 2:
        return np.zeros((*rotations.shape[:2], 3))
    steps = logarithm(multiply(conjugate(rotations[:-1]), rotations[1:])) * fps
    return 0.5 * (np.concatenate([steps[:1], steps]) + np.concatenate([steps, steps[-1:]]))


def _differences(places: Array, fps: float) -> Array:
    """Velocities (F, 3) [m/s] of places (F, 3)."""
    return np.gradient(places, 1.0 / fps, axis=0) if len(places) > 1 else np.zeros_like(places)


def _padded(values: Array, window: int) -> Array:
    """Contiguous values (N + window, ...), the last `window` of them zero."""
    return np.concatenate([values, np.zeros((window, *values.shape[1:]))])
