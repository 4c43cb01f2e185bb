"""Bodies, not discs: doors, hallways, offices and clutter, planned and live, beside people who were measured.

`who`: `auto` and `tree` are planners of `walkon plan`, `live` is the crowd that plans while it walks. `people`: in
the scene; `done`: who arrived, by the audit. `value` is what the question asks for, in its `unit`; `measured` is
the same of real people, or the straight way, or the limit; `%`: our value of that. `violations`: what the audit
found in the take, but that somebody did not arrive. `s`: it took, without the audit; of live runs all of it.

Doors and gates: `value` is people a second from the first to the last who passes; `measured` the mean of the
experiments that tried narrower and wider doors, each interpolated. Corridor: mean speed along it in its middle,
when everybody has set off and before the crowd thins out, beside real people at the density that was there.
Hallway: the least speed of anybody in it and just before it, over a second. Clutter and openings: metres
walked, beside the straight line. Office: seconds until the last has arrived; alone: a person's seconds live beside
those of its plan.

Costs: processor time, so that others on the machine count little; `measured` is that of circles.

Real crowds are read from the folder `crowd-data` beside the checkout's `shared` (or $WALKON_CROWDS); without it,
`measured` stays empty.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from _bodies_costs import cost_rows
from _bodies_data import door_flow, is_there, walking_speed, weidmann
from _bodies_rows import Row, blank, row_of
from _bodies_runs import (
    Run,
    make_scene,
    meeting,
    run_scene,
    slowest_within,
    speed_within,
    through_doors,
    walked,
)

WIDTHS = (0.8, 0.9, 1.0, 1.2, 1.6, 2.0)
"""Of doors [m]."""

CROWD, GATED = 60, 300
"""People in front of a door, and in front of three gates."""

DENSITIES = (0.3, 0.5, 1.0)
"""People for each square metre of the corridor."""

HALLWAY, OPENINGS = 1.25, (0.70, 0.45, 0.25)
"""[m]"""

CLUTTER = ("cluttered-grid", *(f"cluttered-{number}" for number in range(1, 10)))
ALONE = 12
"""People of the office who are also tried alone in it."""

SEEDS = (0,)
PLAYERS = ("auto", "live")
OFFICE_PLAYERS = ("auto", "tree", "live")
QUESTIONS = ("hallway", "openings", "clutter", "corridor", "doors", "gates", "office", "alone", "costs")

AIM_SHARE = 50.0
"""Least share [%] of the measured flow through doors."""

NEAR, AIM_PACE = 0.65, 0.3
"""How far from the middle of the hallway, of its length, speeds are looked at: who waits before it waits, too.
Least speed [m/s] of people who do not stop."""

AIM_THROUGH, AIM_OFFICE, AIM_ALONE = 1.1, 10.0, 1.3
"""Most of the straight way; [s] to plan an office; most of the planned time that somebody alone takes live."""


def measure() -> list[Row]:
    """Rows for every question."""
    begun, rows = time.perf_counter(), []
    if not is_there():
        rows.append(blank("real crowds", "none") | {"remark": "no crowd-data folder: nothing measured to compare"})
    answers = {
        "hallway": _hallway, "openings": _openings, "clutter": _clutter, "corridor": _corridor, "doors": _doors,
        "gates": _gates, "office": _office, "alone": _alone, "costs": cost_rows,
    }  # fmt: skip
    for question in QUESTIONS:
        for seed in SEEDS:
            rows += answers[question](seed)
        print(f"{time.perf_counter() - begun:5.0f} s  {question}", file=sys.stderr, flush=True)
    return rows


def _hallway(seed: int) -> list[Row]:
    from walkon.world.classics.narrows import HALLWAY_LENGTH, hallway

    rows = []
    for who in PLAYERS:
        run = run_scene(make_scene("hallway", hallway(HALLWAY)), who, seed)
        least, where = slowest_within(run, -NEAR * HALLWAY_LENGTH, NEAR * HALLWAY_LENGTH), meeting(run)
        met = not run.late and least > AIM_PACE and where is not None and abs(where) < 0.5 * HALLWAY_LENGTH
        row = row_of(
            "hallway", f"{HALLWAY:g} m", run, least, "m/s", aim=("pass in it, at least m/s", AIM_PACE, met)
        )
        remark = "they never pass" if where is None else f"they pass at x = {where:.1f} m"
        rows.append(
            row
            | {"remark": f"{remark}; the hallway is from {-0.5 * HALLWAY_LENGTH:g} to {0.5 * HALLWAY_LENGTH:g}"}
        )
    return rows


def _openings(seed: int) -> list[Row]:
    from walkon.world.classics.narrows import opening

    rows = []
    for width in OPENINGS:
        for who in PLAYERS:
            run = run_scene(make_scene("opening", opening(width)), who, seed)
            straight = _straight(run)
            through, may = not run.late, width > 0.3
            value = walked(run) if through else None
            aim = ("through" if may else "no way", None, through == may)
            rows.append(row_of("opening", f"{width:.2f} m", run, value, "m", straight, aim=aim))
    return rows


def _clutter(seed: int) -> list[Row]:
    from walkon.world import read_scene
    from walkon.world.classics import classic_scene_text

    rows = []
    for name in CLUTTER:
        for who in PLAYERS:
            run = run_scene(read_scene(classic_scene_text(name, seed)), who, seed)
            far, straight = walked(run), _straight(run)
            aim = ("of the straight way", AIM_THROUGH, not run.late and far <= AIM_THROUGH * straight)
            rows.append(row_of("clutter", name, run, far, "m", straight, aim=aim))
    return rows


def _straight(run: Run) -> float:
    """[m] From the start of the first person to its goal."""
    one = run.scene.characters[0]
    return float(np.hypot(one.goals[-1].x - one.start.x, one.goals[-1].z - one.start.z))


def _corridor(seed: int) -> list[Row]:
    from walkon.world.classics.narrows import CORRIDOR, stream

    rows = []
    for both in (False, True):
        left, right = (-4.0, 4.0) if both else (4.0, 12.0)
        for density in DENSITIES:
            for who in PLAYERS:
                run = run_scene(make_scene("corridor", stream(density, seed, both=both)), who, seed)
                speed, people = speed_within(run, left, right)
                found = people / CORRIDOR
                row = row_of(
                    "corridor",
                    f"{density:g} per m², {'both ways' if both else 'one way'}",
                    run,
                    speed,
                    "m/s",
                    walking_speed(round(found, 2)),
                    aim=("everybody", None, not run.late),
                )
                rows.append(row | {"remark": f"{found:.2f} per m² there; Weidmann: {weidmann(found):.2f} m/s"})
    return rows


def _doors(seed: int) -> list[Row]:
    from walkon.world.classics.narrows import door_crowd

    return [
        _door(run_scene(make_scene("door", door_crowd(width, seed, CROWD)), who, seed), f"{width:g} m", width)
        for width in WIDTHS
        for who in PLAYERS
    ]


def _gates(seed: int) -> list[Row]:
    from walkon.world.classics.narrows import gates

    return [
        _door(run_scene(make_scene("gates", gates(seed, GATED)), who, seed), "three of 2 m", 2.0, doors=3)
        for who in PLAYERS
    ]


def _door(run: Run, name: str, width: float, doors: int = 1) -> Row:
    """How many get through, and how fast."""
    crossings, measured = through_doors(run), door_flow(width)
    flow = float(crossings.flow)
    known = None if measured is None else doors * measured[0]
    share = 0.0 if known is None else 100.0 * flow / known
    met = not run.late and (known is None or share >= AIM_SHARE)
    row = row_of(
        "door" if doors == 1 else "gates", name, run, flow, "1/s", known, aim=("% of people", AIM_SHARE, met)
    )
    last = f"; the last after {crossings.times[-1]:.0f} s" if len(crossings.times) else ""
    by = "" if measured is None else f"; measured in {measured[1]} experiments"
    return row | {"remark": f"{len(crossings.times)} of {len(run.scene.characters)} through{last}{by}"}


def _office(seed: int) -> list[Row]:
    from walkon.world.classics.offices import office

    rows = []
    for who in OFFICE_PLAYERS:
        scene = make_scene("office", office(seed))
        if who == "tree":
            run_scene(scene, who, seed)  # trees are grown once
        run = run_scene(scene, who, seed)
        soon = who == "live" or run.seconds <= AIM_OFFICE
        what, limit = ("everybody", None) if who == "live" else ("s to plan everybody", AIM_OFFICE)
        aim = (what, limit, soon and not run.late)
        rows.append(row_of("office", f"seed {seed}", run, run.last, "s", aim=aim))
    return rows


def _alone(seed: int) -> list[Row]:
    """People of the office, each alone in it."""
    from dataclasses import replace

    from walkon.world.classics.offices import office

    scene, rows = make_scene("office", office(seed)), []
    for one in scene.characters[:ALONE]:
        empty = replace(scene, characters=(one,))
        planned, live = (run_scene(empty, who, seed) for who in ("auto", "live"))
        both = planned.last is not None and live.last is not None
        met = both and (live.last or 0.0) <= AIM_ALONE * (planned.last or 0.0)
        row = row_of(
            "alone", f"{one.name}, seed {seed}", live, live.last, "s", planned.last,
            aim=("of the planned time", AIM_ALONE, met),
        )  # fmt: skip
        wrong = sum(planned.violations.values())
        rows.append(row | {"remark": f"planned: {wrong} violations" + ("; no plan" if planned.late else "")})
    return rows
