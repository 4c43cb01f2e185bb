"""Work done in a forked child, which may be killed: all is imported and warm there, so it begins at once."""

from __future__ import annotations

import gc
import os
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

LONGEST = 120.0
"""[s] after which a child hangs. Tiny inputs take seconds at most; a loaded machine may take ten times as long."""

AFTERLIFE = 10.0
"""[s] for which what a killed child has started, such as ffmpeg, may go on."""


@dataclass(frozen=True)
class Ended:
    """How a child ended. code: its exit code, None if it was killed. seconds: how long it took."""

    code: int | None
    seconds: float
    out: str
    err: str
    hung: bool = False


def run_forked(work: Callable[[], object], *, kill_after: float | None = None, longest: float = LONGEST) -> Ended:
    """Do `work` in a child. kill_after: SIGKILL after so many seconds, if it is not done by then."""
    with tempfile.TemporaryDirectory(prefix="walkon-campaign-") as folder:
        out, err = Path(folder) / "out", Path(folder) / "err"
        sys.stdout.flush()
        sys.stderr.flush()
        begun = time.monotonic()
        child = os.fork()
        if child == 0:
            _be_child(work, out, err)
        limit = longest if kill_after is None else min(kill_after, longest)
        status = _wait(child, begun + limit)
        seconds = time.monotonic() - begun
        if status is None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        _wait_for_group(child)
        code = None if status is None or os.WIFSIGNALED(status) else os.waitstatus_to_exitcode(status)
        said = [path.read_text(errors="replace") if path.exists() else "" for path in (out, err)]
        return Ended(code, seconds, said[0], said[1], hung=status is None and kill_after is None)


def _be_child(work: Callable[[], object], out: Path, err: Path) -> None:
    """Never returns."""
    code = 70
    try:
        os.setpgid(0, 0)
        gc.disable()  # a collection would copy the parent's memory
        for path, stream in ((out, 1), (err, 2)):
            handle = os.open(path, os.O_WRONLY | os.O_CREAT)
            os.dup2(handle, stream)
            os.close(handle)
        # Whoever holds the parent's streams, such as a test, does not hold ours.
        sys.stdout, sys.stderr = (open(stream, "w", closefd=False) for stream in (1, 2))  # noqa: SIM115
        work()
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    finally:
        for stream in (sys.stdout, sys.stderr):
            if not stream.closed:
                stream.flush()
        os._exit(code)


def _wait(child: int, until: float) -> int | None:
    """Its status, or None if it still runs then."""
    while True:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return status
        left = until - time.monotonic()
        if left <= 0.0:
            return None
        time.sleep(min(0.002, left))


def _wait_for_group(child: int) -> None:
    """Wait for what a child has left behind; end it if it does not."""
    until = time.monotonic() + AFTERLIFE
    try:
        while time.monotonic() < until:
            os.killpg(child, 0)
            time.sleep(0.005)
        os.killpg(child, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
