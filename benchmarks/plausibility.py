"""How plausible is it? Our planners beside other people's models of avoidance, on the scenes of Chen (2014).

Four-person crossing, multiple crossing and central locking of 24 people. `auto`, `astar`, `inflated` and `tree`
are our planners, `live` is the live crowd; `orca`, `steering`, `forces` and `pairs` are the rivals. All figures
are means over people and seeds; places are measured at 10 Hz. Everybody walks already when they appear, ours as
well, and wants to walk as fast as the library's people do straight on; faster than any of its walks nobody can.

`touching`: frames in which two bodies touch, summed over pairs, of one run: of ours, the full body of the take;
of rivals, before -> after root fixing, as in Chen's table 4.1: walks of a motion graph along their
trajectories, and walk cycles whose roots are put on them. `res.`: resistance; `body`: of full-body motion, for
which rivals' are the walks before root fixing; `slow`: of rivals who want the mean speed of all the library's
walking clips, which is what Chen gave them; `1.33`: of rivals who want exactly the speed at which
resistance is least; `stand`: of ours, who begin standing, as the scenes have it. `n-jerk`, `t-jerk`: jerkiness
across and along [m/s³]; worst person in the remarks. `near`: half the least distance [m]. `sync`, `hyper`: pairs
above 0.6 and 0.95 [%]. `s`: travel time, `m`: distance, `ms`: planning or simulating, per person.

The aims: no body of ours touches another; resistance no higher than the best rival's; jerkiness no higher than
the library's walking line. Under every condition there are two: the best of all rivals, even if it walks through
others, of which the remark then speaks, and the best of those whose bodies touch nobody.

`thousand`: measuring a thousand people for a minute, beside a plain twin in Python on a few of them.
"""

from __future__ import annotations

import importlib.util
import sys
import time

from _plausibility_crowd import crowd_rows
from _plausibility_rows import aim_rows, run_row
from _plausibility_runs import Run, run_ours, run_rival
from _plausibility_scenes import graph_to_follow, read_setting

SCENES = ("crossing-4", "crossing-multiple", "locking-24")
PLANNERS = ("auto", "astar", "inflated", "tree", "live")
RIVALS = ("orca", "steering", "forces", "pairs")
SEEDS = (0, 1, 2)
FOLLOWED = True
"""Whether walks are looked for along the rivals' trajectories, which takes most of the time."""

PEOPLE, SECONDS, FEW = 1000, 60.0, 24
"""Who are measured, for how long [s], and by how many the plain twin is timed."""

Row = dict[str, object]


def measure() -> list[Row]:
    """Rows for every scene, for what was aimed at, and for a thousand people."""
    begun = time.perf_counter()
    graph = graph_to_follow() if FOLLOWED else None
    rivals = [who for who in RIVALS if who != "orca" or importlib.util.find_spec("pyrvo")]
    rows: list[Row] = []
    aims: list[Row] = []
    for name in SCENES:
        setting = read_setting(name)
        runs: list[Run] = []
        for who in PLANNERS:
            runs.append(run_ours(who, setting, SEEDS))
            _say(begun, f"{name}, {who}: resistance {runs[-1].resistance():.3f}")
        for who in rivals:
            runs.append(run_rival(who, setting, SEEDS, graph))
            _say(begun, f"{name}, {who}: resistance {runs[-1].resistance():.3f}")
        rows += [run_row(name, run, setting) for run in runs]
        aims += aim_rows(name, runs, setting)
    found = crowd_rows(PEOPLE, SECONDS, FEW)
    _say(begun, "a thousand people measured")
    return [*rows, *aims, *found]


def _say(begun: float, what: str) -> None:
    print(f"{time.perf_counter() - begun:6.0f} s: {what}", file=sys.stderr, flush=True)
