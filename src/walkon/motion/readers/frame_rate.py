"""Frame rates from printed frame times: `.0083333` means 120 Hz."""

from __future__ import annotations

import math
import re

CLEAN_RATES = (
    *(8, 10, 12, 12.5, 15, 16, 20, 24, 25, 30, 40, 48, 50, 60, 64, 72, 75, 80, 90, 96, 100, 120, 125, 128, 144),
    *(150, 160, 180, 200, 240, 250, 256, 300, 360, 400, 480, 500, 512, 600, 960, 1000, 1200),
)
"""Rates that cameras and games run at [Hz]."""

BROADCAST_RATES = (*(k * 1000 / 1001 for k in (24, 30, 48, 60, 120)), 23.976, 29.97, 47.952, 59.94, 119.88)
"""NTSC's rates, tried after the clean ones: 0.0417 is 24 Hz, 0.0417083 is not."""


def snap_rate(printed: str, seconds: float) -> float:
    """The rate [Hz] a frame time of `seconds` (> 0) was printed from.

    A clean rate is meant when its frame time, rounded or cut to the digits printed, is the one in the file;
    of several, the nearest. Otherwise the time is taken at its word.
    """
    step = _last_place(printed)
    rate = 1.0 / seconds
    for rates in (CLEAN_RATES, BROADCAST_RATES, (round(rate),)):
        explained = [r for r in rates if r > 0 and abs(1.0 / r - seconds) < step * (1 + 1e-6)]
        if explained:
            return float(min(explained, key=lambda r: abs(math.log(r / rate))))
    return rate


def _last_place(printed: str) -> float:
    """Worth of the last digit printed, or of a double's last digits when there are more than it can hold."""
    match = re.fullmatch(r"[+-]?\d*\.?(\d*)(?:[eE]([+-]?\d{1,3}))?", printed)
    if match is None:
        return 0.0
    digits = len(match[1]) - int(match[2] or 0)
    return max(10.0**-digits, 1e-14) if digits > 0 else 0.0
