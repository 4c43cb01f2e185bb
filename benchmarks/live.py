"""The live crowd: how many people plan while they walk, in real time, and does anybody touch anybody?

`plaza`: built-in people at 0.3 per square metre among pillars, benches and kiosks that cover 2 % of the ground;
who has arrived gets another random goal; 60 simulated seconds. `real time`: simulated seconds per second of the
wall clock, with two threads, state and commits read ten times in three seconds. `µs`: processor time per person
and simulated second. `kB`: memory by which the process grew, for each person. `ms`: of replans, as the engine
measures them. `wait`: the longest time that anybody who wanted to be elsewhere got no further than half a metre.
`speed`: mean over everybody, those who wait too.
`finish`: seconds until all have arrived. `violations`: by the audit, which computes everything again from the
poses; of starts, goals and presence it says nothing here, because people are still on the way when the time is up.

`pyrvo` moves discs of the same mean radii and walking speeds by ORCA at 30 Hz, from the same starts, with goals
drawn in the same way. Its figures are of its steps alone, without what Python does to tell discs which way to go.
It knows no way around a thing that is in the way; its discs have no bodies, no clips and no reservations.

The largest crowd in real time is looked for in steps; of the crowds larger than 5000 the last ten seconds are
audited, of the others everything.
"""

from __future__ import annotations

import importlib.util
import sys
import time

import numpy as np
from _live_orca import cross
from _live_runs import Run, cross_plaza, play, until_all_arrived
from _live_scenes import PERFORMERS, circle_swap, corridor, make_plaza

CROWDS = (150, 1000, 5000)
LARGER = (7000, 10_000, 14_000)
"""Tried as long as they are in real time."""

SECONDS = 60
SEED = 6
AUDITED_WHOLE = 5000
LAST = 10
"""[s] audited of larger crowds."""

CIRCLES = (50, 200, 500)
CORRIDORS = ((10, 3.0), (1, 1.2), (3, 1.2))
"""People at either end, and width [m]."""

PATIENCE = 600
"""[s] after which somebody who has not arrived never will."""

AIM_LARGEST, AIM_REPLAN, AIM_SLOPE = 10_000, 1.0, 1.1
"""People; of the 99th percentile [ms]; and the power of the number of people with which the cost grows."""

AIM_SPEED, AIM_WAIT, AIM_WAIT_IN_SCENES = 1.0, 10.0, 20.0
"""[m/s] On the plaza, those who wait included; [s] that anybody waits at most, on the plaza and in the scenes that
must finish."""

Row = dict[str, object]


def measure() -> list[Row]:
    """Rows for plazas, ours and the peer's, for scenes that must finish, and for what was aimed at."""
    begun = time.perf_counter()
    # Compile, and make the people, before anything is measured.
    play(make_plaza(4 * PERFORMERS, SEED), 2, SEED)
    _say(begun, "ready")
    rows: list[Row] = []
    largest, in_time = 0, True
    for people in (*CROWDS, *LARGER):
        if people in LARGER and not in_time:
            break
        run = cross_plaza(people, SECONDS, SEED, None if people <= AUDITED_WHOLE else LAST)
        _say(begun, f"{people} people: {run.simulated / run.wall:.2f} x real time; {run.verdict}")
        in_time = run.simulated >= run.wall
        largest = people if in_time else largest
        rows.append(_plaza_row(run))
        if people in CROWDS:
            rows.append(_peer_row(people))
            _say(begun, f"{people} discs: {rows[-1]['real time']} x real time")
    for scene in (*(circle_swap(people) for people in CIRCLES), *(corridor(*size) for size in CORRIDORS)):
        run = until_all_arrived(scene, PATIENCE, SEED)
        _say(begun, f"{scene.name}: all arrived after {run.finished} s; {run.verdict}")
        rows.append(_row(scene.name, run))
    return [*rows, *_aims(rows, largest)]


def _plaza_row(run: Run) -> Row:
    late = 100.0 * float(np.mean(np.array(run.frames) > 1.0 / 30.0))
    return _row("plaza", run) | {
        "remark": (
            f"{run.goals} goals reached; {run.stops} times nothing better was found than to stop; {late:.1f} % of "
            f"the frames took longer than a frame, {1e3 * max(run.frames):.0f} ms at worst; {_audited(run)}"
        )
    }


def _audited(run: Run) -> str:
    if run.verdict is None:
        return "not audited"
    first, stop = run.verdict.frames
    what = "everything" if first == 0 else f"{(stop - first) / 30.0:.0f} s of {run.simulated:.0f}"
    return f"{what} audited: {run.verdict}"


def _row(scene: str, run: Run) -> Row:
    replans = 1e3 * np.concatenate([*run.replans, np.zeros(1)])
    middle, high, highest = (round(float(value), 3) for value in np.percentile(replans, (50, 95, 99)))
    return _blank(scene, "walkon", run.people) | {
        "real time": round(run.simulated / run.wall, 2),
        "µs": round(1e6 * run.cpu / (run.people * run.simulated), 1),
        "kB": round(run.memory, 1),
        "replans/s": round((len(replans) - 1) / run.simulated, 1),
        "ms p50": middle,
        "ms p95": high,
        "ms p99": highest,
        "ms max": round(float(replans.max()), 2),
        "wait": round(run.longest_wait, 1),
        "speed": round(float(np.mean(run.speeds or [0.0])), 2),
        "dropped": run.dropped,
        "finish": run.finished,
        "violations": 0 if run.verdict is None else len(run.verdict.violations),
        "remark": _audited(run),
    }


def _peer_row(people: int) -> Row:
    """Discs that do the same."""
    if importlib.util.find_spec("pyrvo") is None:
        return _blank("plaza", "pyrvo", people) | {"remark": "not installed"}
    plaza, random = make_plaza(people, SEED), np.random.default_rng(SEED)
    radii, speeds = _bodies(people)
    found = cross(plaza, plaza.goals(random, plaza.starts), radii, speeds, SECONDS, random)
    return _blank("plaza", "pyrvo", people) | {
        "real time": round(SECONDS / found.wall, 2),
        "µs": round(1e6 * found.cpu / (people * SECONDS), 1),
        "speed": round(found.speed, 2),
        "violations": found.overlaps,
        "remark": (
            f"radius {radii.mean():.2f} m; {found.overlaps} times two discs came to overlap by more than 5 mm, "
            f"for {found.overlap_seconds:.0f} s in all, by {1e3 * found.deepest:.0f} mm at worst; telling discs "
            f"where to go took {found.told:.1f} s beside {found.wall:.1f} s for the steps"
        ),
    }


def _bodies(people: int) -> tuple[np.ndarray, np.ndarray]:
    """Mean radii [m] and speeds [m/s] (N,) of our people when they walk straight on."""
    from walkon.behaviors import build_graph
    from walkon.builtin.casts import fetch_library

    radii, speeds = np.empty(PERFORMERS), np.empty(PERFORMERS)
    for performer in range(PERFORMERS):
        graph = build_graph(fetch_library("human", performer))
        clip = int(graph.clip_starts[graph.names.index("walk_forward")])
        radii[performer] = graph.circles[graph.frame_starts[clip] : graph.frame_starts[clip + 1], 2].mean()
        speeds[performer] = graph.displacements[clip, 1] * graph.fps / graph.durations[clip]
    own = np.arange(people) % PERFORMERS
    return radii[own], speeds[own]


def _blank(scene: str, who: str, people: int | None) -> Row:
    row: Row = {"scene": scene, "who": who, "people": people}
    for name in ("real time", "µs", "kB", "replans/s", "ms p50", "ms p95", "ms p99", "ms max", "wait", "speed"):
        row[name] = None
    return row | {"dropped": None, "finish": None, "violations": None, "remark": ""}


def _aims(rows: list[Row], largest: int) -> list[Row]:
    """What was aimed at, and what came of it."""
    ours = [row for row in rows if row["who"] == "walkon"]
    plazas = [row for row in ours if row["scene"] == "plaza"]
    said = [(f"largest crowd in real time: {largest} people (aim {AIM_LARGEST})", largest >= AIM_LARGEST)]
    slope = _slope(plazas)
    said.append((f"cost grows with the power {slope:.2f} of people (aim {AIM_SLOPE:g})", slope <= AIM_SLOPE))
    for row in plazas:
        ratio, replan, wait, speed = (_number(row, key) for key in ("real time", "ms p99", "wait", "speed"))
        who = f"{row['people']} people"
        if row["people"] in CROWDS:
            said.append((f"{who}: {ratio} x real time (aim 1)", ratio >= 1.0))
        said.append((f"{who}: p99 of replans {replan} ms (aim {AIM_REPLAN:g})", replan <= AIM_REPLAN))
        said.append((f"{who}: mean speed {speed} m/s (aim {AIM_SPEED:g})", speed >= AIM_SPEED))
        said.append((f"{who}: longest wait {wait} s (aim {AIM_WAIT:g})", wait <= AIM_WAIT))
    for row in ours:
        if row["scene"] != "plaza":
            wait = _number(row, "wait")
            met = row["finish"] is not None and wait <= AIM_WAIT_IN_SCENES
            said.append((f"{row['scene']}: all arrived after {row['finish']} s, longest wait {wait} s", met))
    for row in rows:
        if row["who"] == "pyrvo" and row["µs"] is not None:
            same = next(one for one in plazas if one["people"] == row["people"])
            times = _number(same, "µs") / _number(row, "µs")
            said.append((f"{row['people']} people: {times:.1f} times the cost of discs (aim 1)", times <= 1.0))
    wrong = sum(int(_number(row, "violations")) for row in ours)
    said.append((f"violations in all takes: {wrong} (aim 0)", wrong == 0))
    return [
        _blank("aim", "walkon", None) | {"remark": f"{text}: {'met' if met else 'not met'}"} for text, met in said
    ]


def _slope(plazas: list[Row]) -> float:
    """The power of the number of people with which processor time grows, fitted over all plazas."""
    people = np.array([_number(row, "people") for row in plazas])
    cost = people * np.array([_number(row, "µs") for row in plazas])
    return float(np.polyfit(np.log(people), np.log(cost), 1)[0])


def _number(row: Row, key: str) -> float:
    value = row[key]
    return float(value) if isinstance(value, int | float) else float("nan")


def _say(begun: float, text: str) -> None:
    print(f"{time.perf_counter() - begun:5.0f} s  {text}", file=sys.stderr, flush=True)
