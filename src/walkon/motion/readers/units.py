"""How long is a file's unit? Said by the user, by the format, or read off the skeleton's size."""

from __future__ import annotations

import numpy as np

from walkon.errors import ClipError
from walkon.skeleton import Skeleton

CMU_UNIT = 0.0254 / 0.45
"""Metres of one unit in the CMU database: inches, divided by the 0.45 its skeleton files state."""

UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048, "cmu": CMU_UNIT}
"""Metres of each unit that has a name."""

USUAL_SIZE = 2.3
"""Longest path along the bones of a grown human, fingers over hip to toes [m]."""

PLAUSIBLE_SIZES = (1.3, 3.9)
"""Sizes [m] for which a common unit is believed before the odd CMU one is tried."""

_COMMON = ("m", "cm", "in", "mm", "ft")
_CMU_JOINTS = (
    {"LHipJoint", "RHipJoint", "LThumb", "RThumb"},
    {"lhipjoint", "rhipjoint", "lthumb", "rthumb"},
)
_CMU_SIZES = (25.0, 60.0)


def resolve_units(units: str | float, skeleton: Skeleton, stated: tuple[str, float] | None) -> tuple[str, float]:
    """Name and length [m] of the unit of `skeleton`, which is still in file units.

    units: "auto", a key of UNITS, or metres per unit. stated: what the format itself says, used by "auto".
    """
    if isinstance(units, str):
        if units == "auto":
            return stated or _recognise(skeleton)
        if units in UNITS:
            return units, UNITS[units]
        raise ClipError(f"unknown units {units!r}; valid: auto, {', '.join(UNITS)}, or metres per unit")
    factor = float(units)
    if not (np.isfinite(factor) and 1e-9 < factor < 1e9):
        raise ClipError(f"units must be a positive number of metres, not {units}")
    return "given", factor


def _recognise(skeleton: Skeleton) -> tuple[str, float]:
    """The unit that makes the skeleton the likeliest size, the CMU one where it is the CMU skeleton."""
    if skeleton.size == 0.0:
        return "m", 1.0
    names = set(skeleton.names)
    low, high = _CMU_SIZES
    if low < skeleton.size < high and any(joints <= names for joints in _CMU_JOINTS):
        return "cmu", CMU_UNIT
    low, high = PLAUSIBLE_SIZES
    nearest = min(_COMMON, key=lambda unit: abs(np.log(skeleton.size * UNITS[unit] / USUAL_SIZE)))
    if not low < skeleton.size * UNITS[nearest] < high and low < skeleton.size * CMU_UNIT < high:
        return "cmu", CMU_UNIT
    return nearest, UNITS[nearest]
