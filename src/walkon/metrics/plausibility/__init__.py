"""How plausible is it? Resistance, jerkiness, proximity and synchronicity, and what real motion does."""

from walkon.metrics.plausibility.benchmarks import Benchmark, Benchmarks, measure_benchmarks
from walkon.metrics.plausibility.jerkiness import Jerkiness, measure_jerkiness
from walkon.metrics.plausibility.kinematics import Kinematics, measure_kinematics, speeds
from walkon.metrics.plausibility.proximity import Proximity, measure_proximity
from walkon.metrics.plausibility.resistance import Resistance, measure_resistance
from walkon.metrics.plausibility.synchronicity import (
    HIGH_SYNCHRONICITY,
    HYPER_SYNCHRONICITY,
    PairMap,
    Synchronicity,
    choose_pairs,
    map_pairs,
    measure_synchronicity,
    pair_series,
)

__all__ = [
    "HIGH_SYNCHRONICITY",
    "HYPER_SYNCHRONICITY",
    "Benchmark",
    "Benchmarks",
    "Jerkiness",
    "Kinematics",
    "PairMap",
    "Proximity",
    "Resistance",
    "Synchronicity",
    "choose_pairs",
    "map_pairs",
    "measure_benchmarks",
    "measure_jerkiness",
    "measure_kinematics",
    "measure_proximity",
    "measure_resistance",
    "measure_synchronicity",
    "pair_series",
    "speeds",
]
