"""Everything that can be measured, in one call: of a take, or of trajectories from anywhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np

from walkon.basics import Array
from walkon.metrics.anomalies import Anomaly, find_anomalies
from walkon.metrics.audit import AuditReport, audit_performances
from walkon.metrics.plausibility import (
    Benchmarks,
    Jerkiness,
    Proximity,
    Resistance,
    Synchronicity,
    measure_benchmarks,
    measure_jerkiness,
    measure_kinematics,
    measure_proximity,
    measure_resistance,
    measure_synchronicity,
)
from walkon.metrics.plausibility.benchmarks import Motions
from walkon.metrics.plausibility.blocks import Progress
from walkon.metrics.quality import Density, Quality, Travel, measure_density, measure_quality, measure_travel
from walkon.metrics.quality.density import Area
from walkon.metrics.trajectories import Trajectories, resample, until_arrival
from walkon.synthesis import perform_all
from walkon.take import Take

Share = Callable[[int, int], Progress | None]


@dataclass(frozen=True, eq=False)
class Measures:
    """Everything about N people; see the classes of the parts for units.

    trajectories: at 10 Hz, on which all but the quality was measured. resistance, jerkiness, synchronicity,
    travel: of the way to the goal. proximity, density: of all the time they are there. quality: of a take; None
    for trajectories alone. benchmarks: of the library; None without. anomalies: the worst first. left_out: names
    of those whom the scene of a take has, but nobody found a plan for; nothing else is measured of them.
    """

    trajectories: Trajectories
    resistance: Resistance
    jerkiness: Jerkiness
    proximity: Proximity
    synchronicity: Synchronicity
    travel: Travel
    density: Density
    quality: Quality | None
    benchmarks: Benchmarks | None
    anomalies: tuple[Anomaly, ...]
    left_out: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What everybody is called (N)."""
        return self.trajectories.names

    def summary(self) -> dict[str, float]:
        """One figure for each measure, of everybody together; nan where there is nothing to measure."""
        synchronicity, density = self.synchronicity, self.density
        figures = {
            "people": float(len(self.names) + len(self.left_out)),
            "left_out": float(len(self.left_out)),
            "seconds": self.trajectories.seconds,
            "resistance": _mean(self.resistance.values),
            "resistance_worst": _max(self.resistance.values),
            "resistance_from_deviation": _mean(self.resistance.deviations),
            "normal_jerkiness": _mean(self.jerkiness.normal),
            "normal_jerkiness_worst": _max(self.jerkiness.normal),
            "tangential_jerkiness": _mean(self.jerkiness.tangential),
            "tangential_jerkiness_worst": _max(self.jerkiness.tangential),
            "proximity_least": -_max(-self.proximity.halves),
            "proximity": _mean(self.proximity.halves),
            "synchronicity_pairs": float(synchronicity.pairs),
            "synchronicity_high": synchronicity.high,
            "synchronicity_hyper": synchronicity.hyper,
            "arrived": self._arrived(),
            "goal_deviation": _mean(self.travel.deviations),
            "travel_time": _mean(self.travel.times),
            "travel_time_longest": _max(self.travel.times),
            "travel_distance": _mean(self.travel.distances),
            "speed": _mean(self.travel.speeds),
            "density": _mean(density.densities),
            "density_most": _max(density.densities),
            "density_felt": _mean(density.felt),
            "density_felt_most": _max(density.peaks),
            "flow": density.flow,
            "anomalies": float(len(self.anomalies)),
        }
        added = {key: one.of(self) for key, one in MEASURES.items() if one.title}
        means = {key: _mean(values) for key, values in added.items() if values is not None}
        return {**figures, **self._quality_summary(), **means}

    def _arrived(self) -> float:
        """Which share of everybody arrives, those left out and those still on their way counted; nan where nobody
        has a goal."""
        known = np.isfinite(self.travel.deviations).any() or self.left_out
        return float(self.travel.arrived.sum()) / (len(self.names) + len(self.left_out)) if known else math.nan

    def _quality_summary(self) -> dict[str, float]:
        if self.quality is None:
            return {}
        quality = self.quality
        slid = np.array([slide.mean * slide.frames for slide in quality.slides if slide.frames])
        planted = sum(slide.frames for slide in quality.slides)
        figures = {
            "foot_slide": float(slid.sum()) / planted if planted else math.nan,
            "foot_slide_worst": _max(np.array([slide.worst for slide in quality.slides])),
            "seam_change": _mean(np.array([seam.mean for seam in quality.seams])),
            "change_elsewhere": _mean(np.array([seam.elsewhere for seam in quality.seams])),
            "seam_jump_worst": _max(np.array([seam.excess for seam in quality.seams])),
            "transition_rate": _mean(quality.transitions.rates),
            "behavior_changes": _mean(quality.transitions.changes),
            "transition_cost": _mean(quality.transitions.costs),
            "repetition": _mean(quality.repetition.rates),
        }
        if quality.collisions is not None:
            figures["collisions"] = float(quality.collisions.events)
            figures["collision_time"] = float(quality.collisions.seconds.sum())
            figures["overlap_time"] = quality.collisions.overlap_seconds
        return figures

    def per_person(self) -> dict[str, Array]:
        """Every measure of everybody: name -> (N,), in the order of `names`; see `MEASURES`."""
        found = {key: one.of(self) for key, one in MEASURES.items()}
        return {key: values for key, values in found.items() if values is not None}

    def as_dict(self) -> dict[str, object]:
        """Everything as plain data for JSON; what is not a finite number is None."""
        return {
            "summary": _plain(self.summary()),
            "synchronicity_histogram": self.synchronicity.histogram.tolist(),
            "benchmarks": None if self.benchmarks is None else _plain(asdict(self.benchmarks)),
            "names": list(self.names),
            "left_out": list(self.left_out),
            "per_person": _plain(self.per_person()),
            "anomalies": [_plain(anomaly._asdict()) for anomaly in self.anomalies],
        }


@dataclass(frozen=True)
class Measure:
    """A figure of every person.

    of: gives it (N,) from what was measured, nan for those who have none; None if it cannot be said of anybody, as
    without a take. title, unit, explained: with a title, its mean is a row of `walkon measure` and of the report,
    and everybody's is a plot there; without, the catalogue of the report says how it is shown. digits: after the
    point. better: "less" or "more", if either is.
    """

    of: Callable[[Measures], Array | None]
    title: str = ""
    unit: str = ""
    explained: str = ""
    digits: int = 2
    better: Literal["less", "more", ""] = ""


def _of_quality(values: Callable[[Quality], Array | list[float]]) -> Measure:
    """A figure that only a take has."""
    return Measure(lambda found: None if found.quality is None else np.asarray(values(found.quality), np.float64))


def _collision_time(found: Measures) -> Array | None:
    collisions = None if found.quality is None else found.quality.collisions
    return None if collisions is None else collisions.seconds


MEASURES: dict[str, Measure] = {
    "start": Measure(lambda found: found.trajectories.starts / found.trajectories.fps),
    "resistance": Measure(lambda found: found.resistance.values),
    "resistance_from_deviation": Measure(lambda found: found.resistance.deviations),
    "energy": Measure(lambda found: found.resistance.energies),
    "normal_jerkiness": Measure(lambda found: found.jerkiness.normal),
    "tangential_jerkiness": Measure(lambda found: found.jerkiness.tangential),
    "proximity": Measure(lambda found: found.proximity.halves),
    "proximity_time": Measure(lambda found: found.proximity.times),
    "synchronicity": Measure(lambda found: found.synchronicity.means),
    "synchronicity_most": Measure(lambda found: found.synchronicity.best),
    "travel_time": Measure(lambda found: found.travel.times),
    "travel_distance": Measure(lambda found: found.travel.distances),
    "speed": Measure(lambda found: found.travel.speeds),
    "goal_deviation": Measure(lambda found: found.travel.deviations),
    "arrived": Measure(lambda found: found.travel.arrived.astype(np.float64)),
    "density_felt": Measure(lambda found: found.density.felt),
    "density_felt_most": Measure(lambda found: found.density.peaks),
    "foot_slide": _of_quality(lambda quality: [slide.mean for slide in quality.slides]),
    "foot_slide_worst": _of_quality(lambda quality: [slide.worst for slide in quality.slides]),
    "seam_change": _of_quality(lambda quality: [seam.mean for seam in quality.seams]),
    "seam_jump_worst": _of_quality(lambda quality: [seam.excess for seam in quality.seams]),
    "transition_rate": _of_quality(lambda quality: quality.transitions.rates),
    "transition_cost": _of_quality(lambda quality: quality.transitions.costs),
    "repetition": _of_quality(lambda quality: quality.repetition.rates),
    "collision_time": Measure(_collision_time),
}
"""What is told of every person, by the name of its column. A new measure is one more entry, with a title."""


def measure(
    measured: Take | Trajectories,
    library: Motions | Benchmarks | None = None,
    *,
    audited: AuditReport | bool = True,
    area: Area | None = None,
    progress: Progress | None = None,
) -> Measures:
    """Measure everything about a take or trajectories.

    library: whose motion gives the benchmarks, or benchmarks already measured; of a take, its own clips if not
    given. audited: the audit's report on a take, if it is at hand; True audits it here, which takes the memory of
    everybody's poses; False says nothing about collisions. area: x0, z0, x1, z1 [m] in which density is measured;
    else the bounds of the scene, or all that is walked on.
    """
    share = _shares(progress)
    quality = None
    if isinstance(measured, Take):
        library = measured if library is None else library
        area = measured.scene.bounds if area is None else area
        quality, trajectories = _of_poses(measured, audited, share)
    else:
        trajectories = measured
    benchmarks = library if library is None or isinstance(library, Benchmarks) else _benchmarks(library)
    everything = resample(trajectories)
    moving = until_arrival(everything)
    kinematics = measure_kinematics(moving)
    with ThreadPoolExecutor(max_workers=1) as pool:
        # All pairs twice, at the same time: neither needs the interpreter.
        nearest = pool.submit(measure_proximity, everything)
        parts = {
            "resistance": measure_resistance(moving),
            "jerkiness": measure_jerkiness(moving, kinematics),
            "synchronicity": measure_synchronicity(moving, kinematics, share(60, 40)),
            "travel": measure_travel(everything),
        }
        density = measure_density(everything, area)
        parts["proximity"] = nearest.result()
    # A foot slides by the frames of the take, and those are not the ten a second of the trajectories.
    found = find_anomalies(trajectories, **parts, quality=quality, benchmarks=benchmarks)
    left_out = tuple(name for name, _ in measured.unplanned) if isinstance(measured, Take) else ()
    return Measures(
        everything, **parts, density=density, quality=quality, benchmarks=benchmarks, anomalies=found,
        left_out=left_out,
    )  # fmt: skip


def _of_poses(take: Take, audited: AuditReport | bool, share: Share) -> tuple[Quality, Trajectories]:
    if audited is not True:
        report = audited if isinstance(audited, AuditReport) else None
        return measure_quality(take, report=report, progress=share(0, 60))
    performances = perform_all(take, progress=share(0, 20))
    report = audit_performances(take, performances, progress=share(20, 30))
    return measure_quality(take, performances=performances, report=report, progress=share(50, 10))


def _benchmarks(library: Motions) -> Benchmarks | None:
    """Of a library; None of a take in which nobody plays anything."""
    return None if isinstance(library, Take) and not library.clips else measure_benchmarks(library)


def _shares(progress: Progress | None) -> Share:
    """Progress of a part of the work, as hundredths of the whole."""
    if progress is None:
        return lambda start, size: None
    return lambda start, size: lambda done, total: progress(start + size * done // max(total, 1), 100)


def _mean(values: Array) -> float:
    """Mean of the finite ones; nan if there are none."""
    finite = values[np.isfinite(values)]
    return float(finite.mean()) if len(finite) else math.nan


def _max(values: Array) -> float:
    finite = values[np.isfinite(values)]
    return float(finite.max()) if len(finite) else math.nan


def _plain(value: object) -> object:
    """Arrays as lists, and None for what JSON has no number for."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, np.ndarray):
        return [_plain(inner) for inner in value.tolist()]
    if isinstance(value, tuple | list):
        return [_plain(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
