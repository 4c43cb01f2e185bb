"""Commands killed at random moments: every output is absent, old or new; the next run finishes, and clears up.

A third of the kills come at any moment of a command, a third in the part of it in which it writes, and a third
just before one of the calls by which it changes the disk.
"""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

from .commands import Command, Rehearsed, Stage, fresh
from .forking import run_forked
from .io_calls import IoCall, watched
from .progress import Keeper
from .trees import Tree, left_over, plant, torn, tree_of

LATE = 1.05
"""Share of a command's time up to which it is killed: some commands are just done, or slower than before."""


def run_kills(keeper: Keeper, stage: Stage, commands: tuple[Command, ...]) -> None:
    """Kill commands one after another until the time is over, or enough were killed."""
    progress = keeper.progress
    while not keeper.over:
        one = stage.rehearsed(commands[progress.number % len(commands)])
        rng = random.Random(f"{progress.seed} {progress.number}")
        killed, wrong = kill_once(one, rng, stage.new, stage.folder / "killed")
        if killed:
            progress.count(one.command.name)
        if wrong is not None:
            again = f"--parts kills --seed {progress.seed} --number {progress.number}"
            progress.fail(one.command.name, wrong, again)
        progress.number += 1
    keeper.save()


def kill_once(one: Rehearsed, rng: random.Random, source: Path, out: Path) -> tuple[bool, str | None]:
    """Whether the command was killed before its end, and what is wrong afterwards."""
    overwrites = rng.random() < 0.7
    old, new = (one.old, one.over) if overwrites else ({}, one.new)
    plant(old, fresh(out))
    how = rng.choice(("at any time", "while it writes", "at a call"))
    call = rng.randrange(one.calls) if how == "at a call" else None
    share = rng.uniform(0.0 if how == "at any time" else one.writes_from, LATE)
    ended = run_forked(
        lambda: _dying(one.command, source, out, call), kill_after=share * one.seconds if call is None else None
    )
    found = tree_of(out)
    wrong = torn(found, old, new, one.command.indices)
    if wrong is None and ended.code == 0:
        wrong = _unfinished(found, new)
    if wrong is None:
        wrong = _next_run(one, source, out, new)
    where = "over old files" if overwrites else "in an empty folder"
    when = f"after {ended.seconds:.3f} s" if call is None else f"before call {call}"
    return ended.code is None, None if wrong is None else f"{wrong} ({where}, killed {how}, {when})"


def _dying(command: Command, source: Path, out: Path, call: int | None) -> None:
    """Run a command, and die before its call of this number."""
    left = call

    def count(_: IoCall) -> None:
        nonlocal left
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left = None if left is None else left - 1

    with watched(count):
        command.run(source, out)


def _next_run(one: Rehearsed, source: Path, out: Path, new: Tree) -> str | None:
    """What is wrong after the same command has run undisturbed: it goes on from whatever it finds."""
    ended = run_forked(lambda: one.command.run(source, out))
    if ended.code != 0:
        return f"the next run fails: {ended.err.strip()[-300:] or 'hangs'}"
    found = tree_of(out)
    wrong, stale = _unfinished(found, new), left_over(found, one.new, one.over)
    if wrong is None and stale:
        return f"left after the next run: {', '.join(stale[:3])}"
    return None if wrong is None else f"the next run: {wrong}"


def _unfinished(found: Tree, new: Tree) -> str | None:
    missing = [name for name, data in new.items() if found.get(name) != data]
    return f"it ended well without {missing[0]}" if missing else None
