"""A disk that fails at the n-th call, for every n: the old output stays, and the error is one line.

One try is one call of one command failing with one error. The command may also do without what failed, and end
well: then the new output is whole.
"""

from __future__ import annotations

import errno
import os
import resource
from pathlib import Path

from .commands import Command, Rehearsed, Stage, fresh, in_one_thread
from .forking import Ended, run_forked
from .io_calls import IoCall, watched
from .progress import Keeper
from .trees import left_over, plant, torn, tree_of

ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES)
MOST_CALLS = 5000
"""Calls of one command, far above what tiny inputs need: one that never ends is a finding, not a wait."""

SHARES = (0.95, 0.5, 0.2)
LEAST = 2_000
"""[bytes] that files may always have, so that errors can be told."""

REMOVING = ("unlink", "remove", "rmdir")
UNREACHED = "call not reached"


class Fault:
    """Lets calls pass until the n-th, which fails; with `for_good`, all of that kind after it fail too."""

    def __init__(self, number: int, error: int, for_good: bool) -> None:
        self.left, self.error, self.for_good = number, error, for_good
        self.failed: IoCall | None = None

    def __call__(self, call: IoCall) -> None:
        """Told of a call."""
        again = self.for_good and self.failed is not None and call.name in ("write", "open", "mkdir", "fsync")
        if self.left == 0 or again:
            self.failed = self.failed or call
            self.left -= 1
            raise OSError(self.error, os.strerror(self.error), call.path)
        self.left -= 1


def run_faults(keeper: Keeper, stage: Stage, commands: tuple[Command, ...]) -> None:
    """Fail every call of every command once with each error; goes on at the command it was stopped in."""
    progress = keeper.progress
    plans = [(command, error) for command in commands for error in (*ERRORS, errno.EFBIG)]
    for number in range(progress.number, len(plans)):
        command, error = plans[number]
        one = stage.rehearsed(command)
        for call in range(MOST_CALLS):
            try_once = fill_once if error == errno.EFBIG else fail_once
            name, wrong = try_once(one, call, error, stage.new, stage.folder / "failed")
            if name == UNREACHED:
                break
            progress.count(f"{command.name}: {name}")
            if wrong is not None:
                again = f"--parts faults --commands '{command.name}' (call {call}, {errno.errorcode[error]})"
                progress.fail(command.name, wrong, again)
        progress.number = number + 1
        if keeper.over and progress.number < len(plans):
            keeper.save()
            return
    progress.done = True
    keeper.save()


def fail_once(one: Rehearsed, number: int, error: int, source: Path, out: Path) -> tuple[str, str | None]:
    """The name of the call that failed, or UNREACHED, and what is wrong afterwards."""
    plant(one.old, fresh(out))
    # A full disk stays full; other errors come once.
    fault = Fault(number, error, for_good=error == errno.ENOSPC)

    def work() -> None:
        in_one_thread()
        try:
            with watched(fault):
                one.command.run(source, out)
        finally:
            told = UNREACHED if fault.failed is None else f"{fault.failed.name} {Path(fault.failed.path).name}"
            os.write(1, f"\nfault {told}".encode())

    ended = run_forked(work)
    _, _, told = ended.out.rpartition("fault ")
    if told == UNREACHED:
        return UNREACHED, None
    name, wrong = told.split(" ")[0], _judged(one, ended, out)
    stale = left_over(tree_of(out), one.old, one.over)
    if wrong is None and stale and (name in REMOVING or set(stale) <= set(one.command.keeps)):
        # What cannot be removed stays, and so does half of the work; but the next run must clear it away.
        run_forked(lambda: one.command.run(source, out))
        stale = left_over(tree_of(out), one.old, one.over)
    if wrong is None and stale:
        wrong = f"left over: {', '.join(stale[:3])}"
    return name or "end", None if wrong is None else f"{told} fails with {errno.errorcode[error]}: {wrong}"


def fill_once(one: Rehearsed, number: int, error: int, source: Path, out: Path) -> tuple[str, str | None]:
    """As `fail_once`, but no file may grow beyond a part of the largest output: this also stops writers in C."""
    largest = max(map(len, one.new.values()))
    limit = int(SHARES[number] * largest) if number < len(SHARES) else largest
    if not LEAST <= limit < largest:
        return UNREACHED, None
    plant(one.old, fresh(out))

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        one.command.run(source, out)

    ended = run_forked(work)
    stale = sorted(set(left_over(tree_of(out), one.old, one.over)) - set(one.command.keeps))
    wrong = _judged(one, ended, out) or ("it ends well, whatever the limit" if ended.code == 0 else None)
    if wrong is None and stale:
        wrong = f"left over: {', '.join(stale[:3])}"
    return "size", None if wrong is None else f"no file above {limit} bytes, {errno.errorcode[error]}: {wrong}"


def _judged(one: Rehearsed, ended: Ended, out: Path) -> str | None:
    found = tree_of(out)
    wrong = torn(found, one.old, one.over, one.command.indices)
    if wrong is not None:
        return wrong
    if ended.code == 0:
        changed = sorted(name for name in one.over if found.get(name) != one.over[name])
        return f"ends well, but without {changed[0]}" if changed else None
    if ended.code != 1:
        return "hangs" if ended.code is None else f"exit code {ended.code}"
    # Messages of a command that has no command line are judged by whoever calls it.
    lines = ended.err.strip().splitlines()
    if one.command.work is None and (len(lines) != 1 or "Traceback" in ended.err):
        return f"the error is not one line but {len(lines)}: {lines[-1] if lines else ''}"
    return None
