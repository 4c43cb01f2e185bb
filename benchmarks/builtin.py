"""Making the casts on one core: seconds, beside the seconds of motion that come out.

The aim is 5 s for the human cast. `times real time` is motion made by time taken. The first library of a process
also pays for imports and compilation; it is made before the clock starts. Then, how broad a lane people need who
walk, walk slowly, turn their shoulders or sidle (exact capsules, all frames of a clip), and what planners pay.
"""

from __future__ import annotations

import time

import numpy as np

ROUNDS = 3
SEEDS = (0, 1, 2)

CLOSE_QUARTERS = (
    *("walk_forward", "walk_step_on_left", "walk_slow_forward_on_left", "walk_creep_forward_on_left"),
    *("walk_narrow_30_forward_on_left", "walk_narrow_60_forward_on_left", "sidle_left"),
)

Row = dict[str, object]


def measure() -> list[Row]:
    """A row for each cast, best of several performers, and for each way to have little room."""
    from walkon.builtin.casts import CASTS

    return [*(_row(cast) for cast in CASTS), *_close_quarters()]


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


def _close_quarters() -> list[Row]:
    """How broad and how fast a person is who has little room, beside an ordinary walk."""
    from walkon.behaviors import build_graph
    from walkon.builtin.actions.clearance import breadth_of
    from walkon.builtin.casts import make_library
    from walkon.motion import crop

    graph = build_graph(make_library("human", SEEDS[0]))
    rows: list[Row] = []
    for name in CLOSE_QUARTERS:
        shown = graph.library[name].clips[0]
        core = crop(shown.clip, shown.first, shown.last + 1)
        x, _, z = core.root_positions[-1] - core.root_positions[0]
        metres = float(np.hypot(x, z))
        rows.append(
            {
                "behavior": name,
                "breadth m": breadth_of(core, float(np.arctan2(x, z))),
                "m/s": metres / shown.duration,
                "takes s": shown.duration,
                "cost of a metre": float(graph.costs[graph.names.index(name)]) / metres,
            }
        )
    return rows
