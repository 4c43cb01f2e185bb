"""What the motion in a library does, as lines to compare with: jerk, jerkiness and the room a body takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from walkon.basics import Array
from walkon.behaviors import BEHAVIOR_KINDS, BehaviorLibrary
from walkon.errors import LibraryError
from walkon.metrics.plausibility.kinematics import measure_kinematics
from walkon.metrics.trajectories import MEASURED_RATE, Trajectories, resample
from walkon.motion import Clip, ClipLibrary, bounding_circles, measure_locomotion
from walkon.take import Take

Motions = BehaviorLibrary | ClipLibrary | Take | Iterable[Clip | BehaviorLibrary]
"""Whatever holds clips."""

MOVING_SPEED, RUNNING_SPEED = 0.3, 2.0
"""A clip whose mean speed [m/s] is below MOVING_SPEED stays about; one that is ever faster than RUNNING_SPEED
runs."""

GETS_ABOUT = ("", *(name for name, kind in BEHAVIOR_KINDS.items() if kind.gets_about))
"""Kinds of behaviors that count as walking or running; clips that are no behaviors have none."""


@dataclass(frozen=True)
class Benchmark:
    """Of some clips, at 10 Hz.

    clips, seconds: how much there is. normal_limits, tangential_limits: least and largest jerk [m/s³].
    normal_jerkiness, tangential_jerkiness: standard deviation of the jerk in all clips together [m/s³]; these are
    nan where all clips are too short. smallest_radius, largest_radius: of a circle around the body on the ground
    [m]. mean_speed, most_speed: over the ground, over all frames [m/s].
    """

    clips: int
    seconds: float
    normal_limits: tuple[float, float]
    tangential_limits: tuple[float, float]
    normal_jerkiness: float
    tangential_jerkiness: float
    smallest_radius: float
    largest_radius: float
    mean_speed: float = np.nan
    most_speed: float = np.nan


@dataclass(frozen=True)
class Benchmarks:
    """Of the clips of a library that walk, that run, and of all of them; None where there are none."""

    walking: Benchmark | None
    running: Benchmark | None
    whole: Benchmark

    @property
    def normal_jerkiness(self) -> float:
        """The larger of the jerkiness of walking and of running [m/s³], or that of everything."""
        return max((one.normal_jerkiness for one in self._lines), default=self.whole.normal_jerkiness)

    @property
    def tangential_jerkiness(self) -> float:
        """The larger of the jerkiness of walking and of running [m/s³], or that of everything."""
        return max((one.tangential_jerkiness for one in self._lines), default=self.whole.tangential_jerkiness)

    @property
    def _lines(self) -> list[Benchmark]:
        lines = [one for one in (self.walking, self.running) if one is not None]
        return [one for one in lines if np.isfinite(one.normal_jerkiness)]


@dataclass(frozen=True, eq=False)
class _Sample:
    """Of one clip: jerks (·, 2) across and along, radii and speeds (F,), seconds, and whether it walks or runs."""

    jerks: Array
    radii: Array
    speeds: Array
    seconds: float
    walks: bool
    runs: bool


def measure_benchmarks(library: Motions) -> Benchmarks:
    """Jerk, jerkiness, speeds and bounding radii of the clips in libraries, of a take, or just given; of libraries
    without what only live crowds do, of which each clip is a single step."""
    samples = [_sample(clip, kind) for clip, kind in _clips(library)]
    if not samples:
        raise LibraryError("there are no clips to measure")
    return Benchmarks(
        walking=_pool([one for one in samples if one.walks]),
        running=_pool([one for one in samples if one.runs]),
        whole=_pooled(samples),
    )


def _clips(library: Motions) -> Iterator[tuple[Clip, str]]:
    if isinstance(library, BehaviorLibrary):
        planned = (behavior for behavior in library if not BEHAVIOR_KINDS[behavior.kind].live)
        yield from ((shown.clip, behavior.kind) for behavior in planned for shown in behavior.clips)
    elif isinstance(library, Take):
        yield from ((shown.clip, shown.kind) for shown in library.clips)
    else:
        for one in library:
            yield from _clips(one) if isinstance(one, BehaviorLibrary) else [(one, "")]


def _sample(clip: Clip, kind: str) -> _Sample:
    speed = measure_locomotion(clip).speed
    runs = kind in GETS_ABOUT and speed.max() > RUNNING_SPEED
    walks = kind in GETS_ABOUT and not runs and speed.mean() >= MOVING_SPEED
    return _Sample(_jerks(clip), bounding_circles(clip).radii, speed, clip.duration, walks, runs)


def _jerks(clip: Clip) -> Array:
    """Normal and tangential jerks (·, 2) of a clip's ground track at 10 Hz, from every frame it could start at."""
    track = clip.root_positions[:, [0, 2]]
    phases = max(round(clip.fps / MEASURED_RATE), 1)
    shifted = Trajectories.build(clip.fps, [track] * phases, starts=np.arange(phases))
    found = measure_kinematics(resample(shifted))
    jerks = np.stack([found.normal_jerk, found.tangential_jerk], axis=1)
    return jerks[np.isfinite(jerks).all(axis=1)]


def _pool(samples: list[_Sample]) -> Benchmark | None:
    return _pooled(samples) if samples else None


def _pooled(samples: list[_Sample]) -> Benchmark:
    jerks = np.concatenate([one.jerks for one in samples])
    low, high, spread = np.full((3, 2), np.nan)
    if len(jerks):
        low, high, spread = jerks.min(axis=0), jerks.max(axis=0), jerks.std(axis=0)
    return Benchmark(
        clips=len(samples),
        seconds=float(sum(one.seconds for one in samples)),
        normal_limits=(float(low[0]), float(high[0])),
        tangential_limits=(float(low[1]), float(high[1])),
        normal_jerkiness=float(spread[0]),
        tangential_jerkiness=float(spread[1]),
        smallest_radius=float(min(one.radii.min() for one in samples)),
        largest_radius=float(max(one.radii.max() for one in samples)),
        mean_speed=float(np.concatenate([one.speeds for one in samples]).mean()),
        most_speed=float(max(one.speeds.max() for one in samples)),
    )
