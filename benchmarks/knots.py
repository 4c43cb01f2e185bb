"""Knots built on purpose: does every one come undone, and how long does anybody wait?

`kind`: people who want out of a dead end and others who want in; equal crowds on both sides of a door of 0.8 m to
1.2 m; rings of people who want across; files that have met head-on in corridors of 1 m to 1.2 m, and crowds in one
of 3 m. `count`: knots of that kind, each drawn from a seed. `undone`: of these, in how many everybody arrived
within 120 s. `arrived`: how many people did, %. `wait`: the longest time [s] in any that somebody who wanted to
be elsewhere got no further than half a metre, and the middle of the longest of each. `finish`: when the last had
arrived [s], in the middle and at worst. `violations`: by the audit of every take. `s`: of processor, without the
audit.

One kind alone: `python benchmarks/knots.py door --count 10`, or $WALKON_KNOTS="door ring"; one knot, with who has
not arrived: `python benchmarks/knots.py door --only 3`.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections import Counter
from typing import NamedTuple

import numpy as np
from _knots_scenes import KNOTS, make_knot
from _live_audit import audit_live

COUNT = 40
"""Knots of each kind: 200 in all."""

SECONDS = 120.0
"""[s] after which a knot counts as one that does not come undone."""

SEED = 20

Row = dict[str, object]


class Undoing(NamedTuple):
    """How a knot came undone. finished: [s], None if it did not. wait: the longest [s]. violations: of each kind,
    by the audit. left: names and places of those who have not arrived."""

    people: int
    arrived: int
    finished: float | None
    wait: float
    cpu: float
    violations: Counter[str]
    left: list[str]


def undo(kind: str, number: int, seed: int = SEED, seconds: float = SECONDS, audited: bool = True) -> Undoing:
    """Play a knot until it is undone or the time is up."""
    from walkon.crowd.live import Live

    scene = make_knot(kind, number, seed)
    live, people = Live(scene, seed=seed, workers=1), len(scene.characters)
    begun, finished = time.process_time(), None
    while live.time < seconds and finished is None:
        live.step()
        state = live.state()
        if len(state.who) == people and state.arrived.all():
            finished = round(live.time, 1)
    cpu = time.process_time() - begun
    state, wait = live.state(), live.figures().longest_wait
    left = [
        f"{live.people[who].name} at {at[:2].round(2)}"
        for who, at, there in zip(state.who.tolist(), state.circles, state.arrived, strict=True)
        if not there
    ]
    violations = Counter(audit_live(live.take()).counts()) if audited else Counter[str]()
    live.close()
    del live, scene
    gc.collect()  # crowds are large, and hold on to themselves
    return Undoing(people, int(state.arrived.sum()), finished, wait, cpu, violations, left)


def measure() -> list[Row]:
    """A row for each kind, and one for all."""
    begun, found = time.perf_counter(), dict[str, list[Undoing]]()
    undo("ring", 0, seconds=1.0)  # compile before anything is measured
    for kind in _asked(os.environ.get("WALKON_KNOTS", "").split()):
        found[kind] = []
        for number in range(COUNT):
            found[kind].append(undo(kind, number))
            _say(begun, kind, number, found[kind][-1])
    rows = [_row(kind, runs) for kind, runs in found.items()]
    return [*rows, _row("all", [run for runs in found.values() for run in runs])]


def _asked(names: list[str]) -> list[str]:
    kinds = [kind for kind in KNOTS if not names or any(name in kind for name in names)]
    if not kinds:
        raise SystemExit(f"no knots called {' '.join(names)}; there are: {', '.join(KNOTS)}")
    return kinds


def _row(kind: str, runs: list[Undoing]) -> Row:
    violations = sum((run.violations for run in runs), Counter[str]())
    finished = [run.finished for run in runs if run.finished is not None]
    return {
        "kind": kind,
        "count": len(runs),
        "undone": len(finished),
        "arrived": round(100.0 * sum(run.arrived for run in runs) / sum(run.people for run in runs), 1),
        "wait": round(max(run.wait for run in runs), 1),
        "middle wait": round(float(np.median([run.wait for run in runs])), 1),
        "finish": round(max(finished, default=np.nan), 1),
        "middle finish": round(float(np.median(finished)), 1) if finished else None,
        "violations": sum(violations.values()),
        "s": round(sum(run.cpu for run in runs), 1),
    }


def _say(begun: float, kind: str, number: int, run: Undoing) -> None:
    how = "undone" if run.finished is not None else "NOT undone"
    print(
        f"{time.perf_counter() - begun:5.0f} s  {kind} {number}: {run.people} people, {how} after {run.finished} "
        f"s, longest wait {run.wait:.0f} s, {run.cpu:.1f} s of processor, {dict(run.violations) or 'clean'}"
        + "".join(f"; {one}" for one in run.left),
        file=sys.stderr,
        flush=True,
    )


def _main() -> None:
    """Some knots alone, as the docstring says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("kinds", nargs="*", help="parts of their names; all if there are none")
    parser.add_argument("--count", type=int, default=COUNT, help="knots of each kind")
    parser.add_argument("--only", type=int, help="the knot with this number")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--unaudited", action="store_true")
    given, begun = parser.parse_args(), time.perf_counter()
    for kind in _asked(given.kinds):
        numbers = range(given.count) if given.only is None else [given.only]
        runs = []
        for number in numbers:
            runs.append(undo(kind, number, given.seed, given.seconds, not given.unaudited))
            _say(begun, kind, number, runs[-1])
        print(_row(kind, runs), flush=True)


if __name__ == "__main__":
    _main()
