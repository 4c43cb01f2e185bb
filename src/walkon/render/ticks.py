"""Round numbers along an axis."""

from __future__ import annotations

import math


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from low to high, about `most` of them; low alone where there is nothing between the two."""
    if not (math.isfinite(low) and math.isfinite(high) and high > low):
        return [low] if math.isfinite(low) else [0.0]
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(size * power for size in (1.0, 2.0, 5.0, 10.0, 20.0) if size * power >= rough * (1.0 - 1e-9))
    return [k * step for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
