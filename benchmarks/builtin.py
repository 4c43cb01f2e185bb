"""Making the casts on one core: seconds, beside the seconds of motion that come out.

The aim is 5 s for the human cast. `times real time` is motion made by time taken. The first library of a process
also pays for imports and compilation; it is made before the clock starts.
"""

from __future__ import annotations

import time

ROUNDS = 3
SEEDS = (0, 1, 2)

Row = dict[str, object]


def measure() -> list[Row]:
    """A row for each cast: best of several performers."""
    from walkon.builtin.casts import CASTS

    return [_row(cast) for cast in CASTS]


def _row(cast: str) -> Row:
    from walkon.builtin.casts import make_library

    library = make_library(cast, SEEDS[0])
    durations = []
    for round_number in range(ROUNDS):
        begin = time.perf_counter()
        library = make_library(cast, SEEDS[round_number % len(SEEDS)])
        durations.append(time.perf_counter() - begin)
    motion = sum(shown.clip.duration for behavior in library for shown in behavior.clips)
    return {
        "cast": cast,
        "behaviors": len(library),
        "clips": sum(len(behavior.clips) for behavior in library),
        "motion s": motion,
        "made in s": min(durations),
        "slowest s": max(durations),
        "times real time": motion / min(durations),
    }
