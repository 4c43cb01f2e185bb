"""How real crowds flow, for `walkon bench bodies`: measured by others, and never kept in this repository."""

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
    """People a second through a door of a width [m], and how many experiments say so.

    Each experiment is interpolated between the widths it tried, and says nothing outside them; the mean of all.
    """
    found = []
    for file in sorted((CROWDS / "bottleneck").glob("*.txt")):
        rows = _rows(file)
        widths = np.unique(rows[:, 0])
        if widths[0] <= width <= widths[-1]:
            means = [rows[rows[:, 0] == one, 1].mean() for one in widths]
            found.append(float(np.interp(width, widths, means)))
    return (float(np.mean(found)), len(found)) if found else None


@cache
def walking_speed(density: float) -> float | None:
    """Mean speed [m/s] one way in a corridor with open ends at a density [1/m²]; None where nobody measured."""
    files = sorted((CROWDS / "one_way_open").glob("*.dat"))
    if not files:
        return None
    rows = np.concatenate([_rows(file) for file in files])
    near = np.abs(rows[:, 0] - density) <= 0.5 * BIN
    return float(rows[near, 1].mean()) if near.any() else None


def weidmann(density: float) -> float:
    """Speed [m/s] at a density [1/m²] after Weidmann (1993)."""
    return 1.34 * (1.0 - float(np.exp(-1.913 * (1.0 / max(density, 1e-6) - 1.0 / 5.4))))


def _rows(file: Path) -> Array:
    return np.loadtxt(file, comments="#", ndmin=2)[:, :2]
