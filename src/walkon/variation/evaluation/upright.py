"""Whether somebody stays upright, at the same height and in the same manner, for as long as they go on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.motion import Clip
from walkon.skeleton import find_roles
from walkon.variation.evaluation.dofs import Dofs, fit_dofs

STEADY_WINDOW = 10.0
"""Length [s] of the windows in which a stream is judged: several strides."""

FALLEN_TILT, FALLEN_HEIGHT = np.radians(15.0), 0.15
"""Somebody has fallen whose trunk leans this much more [rad] than in any input, or whose root is lower by this
share of its height."""

DRIFTED = 1.0
"""Somebody has drifted away if the means of the degrees of freedom in a window are this far from the inputs', root
mean square, in standard deviations of the inputs."""


@dataclass(frozen=True, eq=False)
class Steadiness:
    """A stream in W windows.

    times: (W,) [s] when each begins. tilts: (W,) [rad] greatest angle of the trunk from the vertical. heights: (W,
    2) [m] least and greatest height of the root. drifts: (W,) how far the means of all degrees of freedom are from
    the inputs', root mean square, in standard deviations of the inputs. spreads: (W,) their standard deviations as
    a multiple of the inputs', in the mean: towards 0 where motion freezes. input_tilt, input_heights: the greatest
    and the range of the inputs.
    """

    times: Array
    tilts: Array
    heights: Array
    drifts: Array
    spreads: Array
    input_tilt: float
    input_heights: tuple[float, float]

    @property
    def is_upright(self) -> bool:
        """Whether nobody ever falls: leans, sinks or rises much more than in the inputs."""
        low, high = self.input_heights
        room = FALLEN_HEIGHT * max(abs(low), abs(high))
        return bool(
            self.tilts.max() <= self.input_tilt + FALLEN_TILT
            and self.heights.min() >= low - room
            and self.heights.max() <= high + room
        )

    @property
    def stays(self) -> bool:
        """Whether no window is far from the inputs."""
        return bool(self.drifts.max() < DRIFTED)

    @property
    def trend(self) -> float:
        """How much the drift grows from the first window to the last, by a straight line through all."""
        if len(self.times) < 2:
            return 0.0
        slope = np.polyfit(self.times, self.drifts, 1)[0]
        return float(slope * (self.times[-1] - self.times[0]))


def measure_steadiness(stream: Clip, inputs: Sequence[Clip], *, window: float = STEADY_WINDOW) -> Steadiness:
    """Judge a stream in windows [s] against the inputs; what is left at the end belongs to the last window."""
    dofs = fit_dofs(list(inputs), [stream])
    values, tilts = dofs.measure(stream), trunk_tilts(stream)
    heights = stream.root_positions[:, 1]
    size = max(round(window * stream.fps), 2)
    starts = np.arange(max(len(stream) // size, 1)) * size
    parts = [slice(start, stop) for start, stop in zip(starts, [*starts[1:], len(stream)], strict=True)]
    spread = _input_spread(dofs, inputs)
    given = np.concatenate([clip.root_positions[:, 1] for clip in inputs])
    return Steadiness(
        times=starts / stream.fps,
        tilts=np.array([tilts[part].max() for part in parts]),
        heights=np.array([(heights[part].min(), heights[part].max()) for part in parts]),
        drifts=np.array([np.sqrt(np.mean(values[part].mean(axis=0) ** 2)) for part in parts]),
        spreads=np.array([float(np.mean(values[part].std(axis=0))) / spread for part in parts]),
        input_tilt=max(float(trunk_tilts(clip).max()) for clip in inputs),
        input_heights=(float(given.min()), float(given.max())),
    )


def trunk_tilts(clip: Clip) -> Array:
    """Angle (F,) [rad] of the trunk, from the pelvis to the chest or what there is above it, from the vertical."""
    roles = find_roles(clip.skeleton)
    top = next((roles.joints[role] for role in ("chest", "neck", "head", "spine") if role in roles.joints), None)
    if top is None:
        return np.zeros(len(clip))
    trunk = clip.positions[:, top] - clip.positions[:, roles.joints["pelvis"]]
    return np.arctan2(np.hypot(trunk[:, 0], trunk[:, 2]), trunk[:, 1])


def _input_spread(dofs: Dofs, inputs: Sequence[Clip]) -> float:
    values = np.concatenate([dofs.measure(clip) for clip in inputs])
    return max(float(np.mean(values.std(axis=0))), 1e-9)
