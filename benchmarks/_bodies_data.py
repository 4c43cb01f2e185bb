"""How real crowds flow, for `walkon bench bodies` and `flow`: measured by others, and never kept in this
repository."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

CROWDS = Path(os.environ.get("WALKON_CROWDS", Path(__file__).resolve().parents[2] / "shared" / "crowd-data"))

BIN = 0.25
"""[1/m²] Speeds are averaged over densities so far apart."""


def is_there() -> bool:
    """Whether anything can be compared."""
    return (CROWDS / "bottleneck").is_dir()


@cache
def door_flow(width: float) -> tuple[float, int] | None:
    """People a second through a door of a width [m], and how many experiments say so: the mean of all."""
    found = _door_flows(width)
    return (float(np.mean(found)), len(found)) if found else None


def door_band(width: float) -> tuple[float, float] | None:
    """People a second through a door of a width [m] in the slowest and in the fastest experiment."""
    found = _door_flows(width)
    return (min(found), max(found)) if found else None


def _door_flows(width: float) -> list[float]:
    """Of each experiment, interpolated between the widths it tried; it says nothing outside them."""
    found = []
    for file in sorted((CROWDS / "bottleneck").glob("*.txt")):
        rows = _rows(file)
        widths = np.unique(rows[:, 0])
        if widths[0] <= width <= widths[-1]:
            means = [rows[rows[:, 0] == one, 1].mean() for one in widths]
            found.append(float(np.interp(width, widths, means)))
    return found


def door_points() -> Array:
    """All that was measured at doors: widths [m] and people a second (N, 2)."""
    return _all_rows("bottleneck")


@cache
def walking_speed(density: float, folder: str = "one_way_open") -> float | None:
    """Mean speed [m/s] one way at a density: by default in a corridor with open ends, [1/m²]; None where nobody
    measured. folder: of the experiment; the densities of `single_file` are people for each metre."""
    rows = walking_points(folder)
    near = np.abs(rows[:, 0] - density) <= 0.5 * BIN
    return float(rows[near, 1].mean()) if near.any() else None


@cache
def walking_points(folder: str) -> Array:
    """All that was measured in an experiment: densities and speeds [m/s] (N, 2)."""
    return _all_rows(folder)


def _all_rows(folder: str) -> Array:
    files = sorted(file for kind in ("*.dat", "*.txt") for file in (CROWDS / folder).glob(kind))
    return np.concatenate([np.empty((0, 2)), *(_rows(file) for file in files)])


def weidmann(density: float) -> float:
    """Speed [m/s] at a density [1/m²] after Weidmann (1993)."""
    return 1.34 * (1.0 - float(np.exp(-1.913 * (1.0 / max(density, 1e-6) - 1.0 / 5.4))))


def _rows(file: Path) -> Array:
    return np.loadtxt(file, comments="#", ndmin=2)[:, :2]
