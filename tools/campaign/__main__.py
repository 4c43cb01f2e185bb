"""`make campaign`: all parts one after another, or several at once; what was begun is gone on with."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

# GNU's OpenMP does not survive a fork; this must be said before numba is imported.
os.environ.setdefault("NUMBA_THREADING_LAYER", "workqueue")

from .commands import COMMANDS, NAMED, Command, Stage
from .faults import run_faults
from .fuzzing import run_fuzzing
from .inputs import make_inputs
from .kills import run_kills
from .page import write_page
from .people import run_people
from .power_loss import run_power_loss
from .progress import Keeper, Progress, load, progress_file, say
from .scenes import run_scenes

ROOT = Path(__file__).resolve().parents[2]
FULL = 8.0
"""[h] for which the numbers of tries below are meant; a shorter campaign wants fewer, but at least a tenth."""

PARTS: dict[str, tuple[str, float, float]] = {
    "faults": ("calls that failed", 1e6, 0.1),
    "power": ("losses of power", 1e6, 0.05),
    "kills": ("kills", 1e4, 0.25),
    "fuzz": ("inputs", 1e7, 0.35),
    "people": ("person-seconds", 1e6, 0.25),
    "scenes": ("scenes planned", 1e4, 0.5),
}
"""What is tried, how often in a full campaign, and its share of the time. What a part leaves is the others'."""


def main() -> int:
    """Run what is asked for; exit code 1 if anything failed."""
    options = _options()
    folder = options.out
    folder.mkdir(parents=True, exist_ok=True)
    if options.alone:
        _run(options.parts[0], options, folder)
        return 0
    if {"faults", "power", "kills"} & set(options.parts):
        make_inputs(folder / "inputs")
    begun = _begun(folder, options)
    until = time.monotonic() + 3600.0 * options.hours
    waiting, shares = list(options.parts), {part: PARTS[part][2] for part in options.parts}
    running: dict[str, subprocess.Popen[bytes]] = {}
    died = []
    while waiting or running:
        while waiting and len(running) < options.jobs:
            part = waiting.pop(0)
            left = sum(shares[other] for other in (part, *waiting))
            seconds = max(until - time.monotonic(), 1.0) * min(1.0, options.jobs * shares[part] / left)
            running[part] = _start(part, options, begun[part].seed, seconds)
        time.sleep(0.2)
        for part, process in list(running.items()):
            if process.poll() is not None:
                died += [part] if process.returncode else []
                del running[part]
    parts = [load(folder, part) or begun[part] for part in PARTS if progress_file(folder, part).exists()]
    say("\n".join(["", *(part.line for part in parts), f"{write_page(folder, parts)}"]))
    for part in died:
        say(f"{part}: the part itself broke off")
    return int(bool(died) or any(part.failed for part in parts))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="campaign", description=__doc__)
    parser.add_argument("--hours", type=float, default=FULL)
    parser.add_argument("--parts", type=lambda text: text.split(","), default=list(PARTS), help=", ".join(PARTS))
    parser.add_argument("--jobs", type=int, default=2, help="parts at once")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "campaign")
    parser.add_argument("--seed", type=int, help="begin anew with this one")
    parser.add_argument("--number", type=int, help="only the try of this number, again")
    parser.add_argument("--commands", type=lambda text: text.split(","), default=[], help="see commands.py")
    parser.add_argument("--alone", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    unknown = [part for part in options.parts if part not in PARTS]
    unknown += [name for name in options.commands if name not in NAMED]
    if unknown or not options.parts:
        parser.error(f"{', '.join(unknown)}: not known; there are {', '.join(PARTS)}, and {', '.join(NAMED)}")
    return options


def _begun(folder: Path, options: argparse.Namespace) -> dict[str, Progress]:
    """Where each part stands. A campaign of which every part is done is followed by one with the next seed."""
    kept = {part: load(folder, part) for part in options.parts}
    finished = all(one is not None and one.done for one in kept.values())
    fresh = options.seed is not None or options.number is not None or finished
    seed = (
        options.seed
        if options.seed is not None
        else max((one.seed + 1 for one in kept.values() if one), default=0)
    )
    begun = {}
    for part in options.parts:
        one = kept[part]
        what, wanted, _ = PARTS[part]
        if one is None or fresh:
            one = Progress(part, what, seed, number=options.number or 0)
            progress_file(folder, part).unlink(missing_ok=True)
        one.wanted = wanted * min(1.0, max(0.1, options.hours / FULL)) if options.number is None else 1.0
        one.done = False
        Keeper(one, folder, 0.0).save()
        begun[part] = one
    return begun


def _start(part: str, options: argparse.Namespace, seed: int, seconds: float) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "campaign", "--parts", part, "--out", str(options.out), "--seed", str(seed)]
    words += ["--alone", str(seconds)]
    words += ["--commands", ",".join(options.commands)] if options.commands else []
    return subprocess.Popen(words)  # noqa: S603  ourselves


def _run(part: str, options: argparse.Namespace, folder: Path) -> None:
    """One part, in a process of its own."""
    progress = load(folder, part)
    if progress is None:
        raise SystemExit(f"{part}: nothing was begun in {folder}")
    keeper = Keeper(progress, folder, options.alone)
    commands: tuple[Command, ...] = tuple(NAMED[name] for name in options.commands) or COMMANDS
    if part in ("faults", "power", "kills"):
        runs = {"faults": run_faults, "power": run_power_loss, "kills": run_kills}
        runs[part](keeper, Stage(folder / "inputs", folder / "work" / part), commands)
    elif part == "fuzz":
        run_fuzzing(keeper, folder)
    else:
        {"people": run_people, "scenes": run_scenes}[part](keeper)


if __name__ == "__main__":
    sys.exit(main())
