"""How a live crowd flows: corridors one way and both ways, single file, doors, a corner, a junction.

Corridors are rings in effect: who comes to the end is somebody new at the beginning, as soon as there is room, so
that the number of people stays the same. `density`: people for each square metre of the 12 m in the middle, for
each metre single file. `value`: their mean speed along the corridor [m/s]; the flow [1/s] of doors; the flow for
each metre of width [1/(m s)] behind a corner and behind a junction. `flow`: density times speed. `measured`:
Weidmann's speed (1993) at that density; the speed of real people single file; the mean of experiments with doors,
between `least` and `most` of them; for corners and junctions the flow of our straight corridor. `%`: our value of
that. `violations`: what the audit found in the last 10 s, of doors in all. `s`: it took, without the audit.

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

from _bodies_data import is_there
from _flow_loop import Span
from _flow_plots import draw_flow
from _flow_questions import QUESTIONS, How, ask
from _flow_rows import Row, aim_rows, blank

ASKED: dict[str, tuple[float, ...]] = {
    "one_way": (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5),
    "both_ways": (0.25, 0.5, 1.0, 1.5),
    "single_file": (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75),
    "doors": (0.8, 0.9, 1.0, 1.2, 1.6, 2.0),
    "corner": (0.5, 1.0),
    "junction": (0.25, 0.5),
}
"""Densities [1/m²], single file [1/m], and widths of doors [m]. Behind a junction are twice as many people."""

HOW = How()
OUT = Path("out") / "flow"


def measure() -> list[Row]:
    """Rows for every question, then what was aimed at."""
    begun = time.perf_counter()
    rows = [] if is_there() else [blank("real crowds", "none") | {"remark": "no crowd-data folder: not compared"}]
    for question in os.environ.get("WALKON_FLOW", "").split() or ASKED:
        if question not in QUESTIONS:
            raise SystemExit(f"$WALKON_FLOW: no question {question!r}; there are: {', '.join(QUESTIONS)}")
        for at in ASKED[question]:
            rows.append(ask(question, at, HOW))
            print(f"{time.perf_counter() - begun:5.0f} s  {_brief(rows[-1])}", file=sys.stderr, flush=True)
    for path in draw_flow(rows, OUT):
        print(f"         drawn: {path}", file=sys.stderr)
    return [*rows, *aim_rows(rows)]


def _brief(row: Row) -> str:
    return ", ".join(f"{key} {value}" for key, value in row.items() if value not in (None, ""))


def _main() -> None:
    """One question alone, as the docstring says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("question", choices=QUESTIONS)
    parser.add_argument("at", nargs="*", type=float, help="densities, or widths of doors; all if there are none")
    parser.add_argument("--seconds", type=float, default=HOW.span.seconds, help="that a loop plays")
    parser.add_argument("--settled", type=float, help="[s] not measured; two fifths by default")
    parser.add_argument("--width", type=float, default=HOW.width, help="of the corridor [m]")
    parser.add_argument("--seed", type=int, default=HOW.seed)
    given = parser.parse_args()
    settled = 0.4 * given.seconds if given.settled is None else given.settled
    how = How(Span(given.seconds, settled), given.width, HOW.crowd, given.seed)
    rows = []
    for at in given.at or ASKED[given.question]:
        rows.append(ask(given.question, at, how))
        print(_brief(rows[-1]), flush=True)
    for row in aim_rows(rows):
        print(row["remark"])


if __name__ == "__main__":
    _main()
