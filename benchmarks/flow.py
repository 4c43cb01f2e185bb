"""How a live crowd flows: corridors one way and both ways, single file, doors, a corner, a junction.

Corridors are rings in effect: who comes to the end is somebody new at the beginning, as soon as there is room, so
that the number of people stays the same. `density`: people for each square metre of the 12 m in the middle, for
each metre single file. `value`: their mean speed along the corridor [m/s]; the flow [1/s] of doors; the flow for
each metre of width [1/(m s)] behind a corner and behind a junction. `flow`: density times speed. `measured`:
Weidmann's speed (1993) at that density; the speed of real people single file; the mean of experiments with doors,
between `least` and `most` of them; for corners and junctions the flow of our straight corridor. `%`: our value of
that. `violations`: what the audit found in the last seconds, of doors in all of it. `s`: it took, without the
audit.

Real crowds are read from the folder `crowd-data` beside the checkout's `shared` (or $WALKON_CROWDS). Pictures are
written to `out/flow`. One question alone: `python benchmarks/flow.py one_way 1.0 --seconds 40`, or
$WALKON_FLOW="one_way doors".
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from _bodies_data import door_band, door_flow, is_there, walking_speed, weidmann
from _bodies_runs import make_scene, run_scene, through_doors
from _flow_loop import LoopRun, run_loop
from _flow_rows import Row, aim_rows, blank, rounded
from _flow_scenes import ARM, BEND, corner, corridor, junction

ONE_WAY = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5)
BOTH_WAYS = (0.25, 0.5, 1.0, 1.5)
"""People for each square metre."""

SINGLE_FILE = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75)
"""People for each metre."""

DOORS = (0.8, 0.9, 1.0, 1.2, 1.6, 2.0)
"""Widths [m]."""

CORNER, JUNCTION = (0.5, 1.0), (0.25, 0.5)
"""People for each square metre in the beginning; where two streams have become one there are twice as many."""

WIDTH, NARROW = 4.0, 0.8
"""[m] Of the corridor, and of the one in which nobody can pass anybody."""

CROWD = 60
"""People in front of a door."""

SECONDS, SETTLED, AUDITED = 50.0, 20.0, 10.0
"""[s] Of a loop in all, before which nothing is measured, and of its end that are audited. At 0.3 m/s a wave takes
20 s through what is measured; longer runs differ by less than seeds do."""

SEED = 0
QUESTIONS = ("one_way", "both_ways", "single_file", "doors", "corner", "junction")
OUT = Path("out") / "flow"


def measure() -> list[Row]:
    """Rows for every question, then what was aimed at."""
    begun = time.perf_counter()
    rows = [] if is_there() else [blank("real crowds", "none") | {"remark": "no crowd-data folder: not compared"}]
    for question in os.environ.get("WALKON_FLOW", "").split() or QUESTIONS:
        for at in _asked(question):
            rows.append(ask(question, at))
            print(f"{time.perf_counter() - begun:5.0f} s  {_brief(rows[-1])}", file=sys.stderr, flush=True)
    return [*rows, *aim_rows(rows)]


def ask(question: str, at: float) -> Row:
    """The row of one question at a density, or for a door of a width."""
    answers = {
        "one_way": _corridor, "both_ways": _corridor, "single_file": _single_file, "doors": _door,
        "corner": _corner, "junction": _junction,
    }  # fmt: skip
    return answers[question](question, at)


def _asked(question: str) -> tuple[float, ...]:
    known = {
        "one_way": ONE_WAY, "both_ways": BOTH_WAYS, "single_file": SINGLE_FILE, "doors": DOORS, "corner": CORNER,
        "junction": JUNCTION,
    }  # fmt: skip
    if question not in known:
        raise SystemExit(f"no question {question!r}; there are: {', '.join(QUESTIONS)}")
    return known[question]


def _loop(scene, streams) -> LoopRun:
    return run_loop(scene, streams, seconds=SECONDS, settled=SETTLED, audited=min(AUDITED, SECONDS), seed=SEED)


def _corridor(question: str, density: float) -> Row:
    """Speed by density, all one way or half of them each way."""
    scene, streams, area = corridor(WIDTH, density, SEED, both=question == "both_ways")
    run = _loop(scene, streams)
    found, speed = run.within(area, 0)
    row = _loop_row(question, f"{density:g} per m²", WIDTH, run, found, speed, "m/s", weidmann(found))
    known = [
        f"{name} {speed:.2f} m/s"
        for name, folder in (("people, open ends", "one_way_open"), ("people, 1.8 m ring", "one_way_1.8m"))
        if (speed := walking_speed(round(found, 2), folder)) is not None
    ]
    return row | {"remark": "; ".join([*known, _about(run, area)])}


def _single_file(question: str, density: float) -> Row:
    """Speed by people for each metre."""
    scene, streams, area = corridor(NARROW, density / NARROW, SEED)
    run = _loop(scene, streams)
    found, speed = run.within(area, 0)
    found *= NARROW
    known = walking_speed(round(found, 2), "single_file")
    row = _loop_row(question, f"{density:g} per m", NARROW, run, found, speed, "m/s", known)
    return row | {"remark": _about(run, area)}


def _door(question: str, width: float) -> Row:
    """How many get through in a second, from the first to the last."""
    from walkon.world.classics.narrows import door_crowd

    run = run_scene(make_scene("door", door_crowd(width, SEED, CROWD)), "live", SEED)
    crossings, known, band = through_doors(run), door_flow(width), door_band(width)
    flow, mean = float(crossings.flow), None if known is None else known[0]
    last = f"; the last after {crossings.times[-1]:.0f} s" if len(crossings.times) else ""
    return blank(question, f"{width:g} m") | {
        "width": width, "people": CROWD, "value": rounded(flow), "unit": "1/s", "flow": rounded(flow / width),
        "measured": rounded(mean), "%": _percent(flow, mean),
        "least": None if band is None else rounded(band[0]), "most": None if band is None else rounded(band[1]),
        "violations": sum(run.violations.values()), "s": rounded(run.seconds, 1),
        "remark": f"{len(crossings.times)} of {CROWD} through{last}",
    }  # fmt: skip


def _corner(question: str, density: float) -> Row:
    """The flow behind a corner, and how dense it is before it, in it and behind it."""
    scene, streams = corner(density, SEED)
    half = 0.5 * BEND
    squares = {
        "before": (-5.0, -half, -2.0, half),
        "in it": (-half, -half, half, half),
        "behind": (-half, 2.0, half, 5.0),
    }
    return _bend_row(question, density, _loop(scene, streams), squares, _straight_flow(density))


def _junction(question: str, density: float) -> Row:
    """The flow behind a junction, beside that of a corridor that is as dense as both streams together."""
    scene, streams = junction(density, SEED)
    half = 0.5 * BEND
    squares = {
        "before": (-5.0, -half, -2.0, half), "in it": (-half, -half, half, half), "behind": (-half, 2.0, half, 5.0)
    }  # fmt: skip
    return _bend_row(question, density, _loop(scene, streams), squares, _straight_flow(2.0 * density))


def _bend_row(question: str, density: float, run: LoopRun, squares: dict, straight: float) -> Row:
    half = 0.5 * BEND
    flow = run.crossed([(-half, 0.5 * ARM), (half, 0.5 * ARM)]) / BEND
    found = {name: run.within(square) for name, square in squares.items()}
    row = _loop_row(question, f"{density:g} per m²", BEND, run, found["behind"][0], flow, "1/(m s)", straight)
    said = "; ".join(f"{name} {dense:.2f} per m² at {speed:.2f} m/s" for name, (dense, speed) in found.items())
    return row | {"flow": rounded(flow), "remark": f"{said}; {_about(run, squares['before'])}"}


def _straight_flow(density: float) -> float:
    """People for each metre and second in a straight corridor as wide as those that bend."""
    scene, streams, area = corridor(BEND, density, SEED)
    found, speed = _loop(scene, streams).within(area, 0)
    return found * speed


def _loop_row(
    question: str,
    scene: str,
    width: float,
    run: LoopRun,
    density: float,
    value: float,
    unit: str,
    known: float | None,
) -> Row:
    return blank(question, scene) | {
        "width": width, "people": run.placed, "density": rounded(density), "value": rounded(value), "unit": unit,
        "flow": rounded(density * value), "measured": rounded(known), "%": _percent(value, known),
        "violations": len(run.verdict.violations), "s": rounded(run.seconds, 1),
    }  # fmt: skip


def _percent(value: float, known: float | None) -> float | None:
    return rounded(100.0 * value / known, 1) if known else None


def _about(run: LoopRun, area) -> str:
    """What else is worth knowing about a loop."""
    said = [f"{run.came} came anew", f"second half {run.drift(area):+.2f} m/s", f"audit: {run.verdict}"]
    if run.placed < run.wanted:
        said.insert(0, f"only {run.placed} of {run.wanted} could be placed")
    return "; ".join(said)


def _brief(row: Row) -> str:
    return ", ".join(f"{key} {value}" for key, value in row.items() if value not in (None, ""))


def _main() -> None:
    """One question alone, as the docstring says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("question", choices=QUESTIONS)
    parser.add_argument("at", nargs="*", type=float, help="densities, or widths of doors; all if there are none")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument(
        "--settled", type=float, default=None, help="[s] not measured; 0.4 of the seconds by default"
    )
    parser.add_argument("--width", type=float, default=WIDTH, help="of the corridor [m]")
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    settled = 0.4 * given.seconds if given.settled is None else given.settled
    globals().update(SECONDS=given.seconds, SETTLED=settled, WIDTH=given.width, SEED=given.seed)
    rows = []
    for at in given.at or _asked(given.question):
        rows.append(ask(given.question, at))
        print(_brief(rows[-1]), flush=True)
    for row in aim_rows(rows):
        print(row["remark"])


if __name__ == "__main__":
    _main()
