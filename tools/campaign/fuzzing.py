"""Damaged inputs for every reader, by the million: nothing but what the targets in `fuzz/` allow may come out.

A chunk of inputs is read in a child with a limit on memory, and a limit on time for each input. Where a target can
go on from any input, those that make its reader say something new are kept and damaged further: of all inputs that
get the same answer the smallest one, so that the corpus stays small. Everything in it descends from made-up seeds.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import mmap
import random
import re
import resource
import signal
import struct
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from .forking import run_forked
from .progress import Keeper

FUZZ = Path(__file__).resolve().parents[2] / "fuzz"
CHUNK = 2.0
"""[s] for which one target is fed before the next one's turn. More would only make a stop come later."""

MOST_FED = 3000
"""Inputs in one turn: else the quickest target, messages to the studio, would have half of all."""

MEMORY = 2 * 2**30
"""[bytes] that a reader may take beyond what is there before. Inputs are some kilobytes, readers may take 40 times
that and 200 MB; what is mapped but not used counts here, so there is room above it."""

SLOWEST = 20.0
"""[s] for one input, on a machine that does other things as well."""

MOST_CORPUS = 150
LARGEST_KEPT = 20_000
"""Inputs of a target's corpus, and bytes of each. More would be read no better, and more slowly."""


class TooSlowError(BaseException):
    """An input took too long; no reader may catch it."""


def targets() -> dict[str, ModuleType]:
    """Every `fuzz/fuzz_NAME.py` by its name."""
    if str(FUZZ) not in sys.path:
        sys.path.insert(0, str(FUZZ))
    return {file.stem[5:]: importlib.import_module(file.stem) for file in sorted(FUZZ.glob("fuzz_*.py"))}


def run_fuzzing(keeper: Keeper, folder: Path, only: tuple[str, ...] = ()) -> None:
    """Feed all targets by turns until the time is over, or they had enough."""
    chosen = [(name, target) for name, target in targets().items() if not only or name in only]
    progress = keeper.progress
    for _, target in chosen:
        with suppress(Exception):  # only to have everything compiled; it is tried again
            target.read_one(target.damaged(random.Random(0)))
    while not keeper.over:
        name, target = chosen[progress.number % len(chosen)]
        most = min(round(progress.wanted - progress.tries), MOST_FED)
        done, good, failures = feed(name, target, folder, f"{progress.seed} {progress.number}", most)
        progress.count(name, done)
        progress.tried[f"{name}, good"] = progress.tried.get(f"{name}, good", 0.0) + good
        for message, kept in failures:
            progress.fail(name, message, f"the input is {kept}")
        progress.number += 1
    keeper.save()


def feed(name: str, target: ModuleType, folder: Path, seed: str, most: int) -> tuple[int, int, list[list[str]]]:
    """A chunk of inputs in a child: how many there were, how many were good, [message, file] of each failure."""
    corpus = Corpus(folder / "corpus" / name) if hasattr(target, "mutated") else None
    counter, told = mmap.mmap(-1, 16), folder / f"chunk-{name}.json"
    folder.mkdir(parents=True, exist_ok=True)
    told.unlink(missing_ok=True)
    findings = folder / "findings"
    ended = run_forked(lambda: _feed(name, target, corpus, random.Random(seed), most, counter, told, findings))
    done, good = struct.unpack("qq", counter[:16])
    failures = json.loads(told.read_text()) if told.exists() else []
    if ended.code != 0:
        last = ended.err.strip().splitlines()[-1:] or ["killed"]
        failures.append([f"the process died at input {done} of chunk {seed}: {last[0]}", "lost with it"])
    return done, good, failures


def _feed(
    name: str, target: ModuleType, corpus: Corpus | None, rng: random.Random, most: int,
    counter: mmap.mmap, told: Path, findings: Path,
) -> None:  # fmt: skip
    import time

    _limit_memory()
    signal.signal(signal.SIGALRM, _too_slow)
    failures, until, good, heard = [], time.monotonic() + CHUNK, 0, _listen()
    for done in range(most):
        if time.monotonic() >= until:
            break
        counter[:16] = struct.pack("qq", done, good)
        data = corpus.grown(target, rng) if corpus is not None and rng.random() < 0.5 else target.damaged(rng)
        heard.clear()
        signal.setitimer(signal.ITIMER_REAL, SLOWEST)
        try:
            fine = target.read_one(data)
            good += fine
            _check_memory(data, heard)
        except (Exception, TooSlowError) as error:
            failures.append([_told(error), str(_kept(findings, name, data))])
            fine = False
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
        if corpus is not None:
            corpus.consider(data, "good" if fine else "; ".join(heard))
        counter[:16] = struct.pack("qq", done + 1, good)
    told.write_text(json.dumps(failures))


def _limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _check_memory(data: bytes, heard: list[str]) -> None:
    """Raise if reading took more than it may, or asked for more than there was and made an error of ours of it."""
    global _most
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    before, _most = _most or most, most
    if most - before > 40 * len(data) + 200e6:
        raise MemoryError(f"{len(data)} bytes took {(most - before) / 1e6:.0f} MB")
    if any("MemoryError" in one or "allocate" in one for one in heard):
        raise MemoryError(f"{len(data)} bytes asked for more than {MEMORY / 1e6:.0f} MB: {heard[-1]}")


_most = 0


def _too_slow(_signal: int, _frame: object) -> None:
    raise TooSlowError(f"took more than {SLOWEST:g} s")


def _told(error: BaseException) -> str:
    """What it was and where, in one line."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {str(error)[:200]} ({Path(where.filename).name}:{where.lineno})"


def _kept(findings: Path, name: str, data: bytes) -> Path:
    findings.mkdir(parents=True, exist_ok=True)
    path = findings / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}"
    path.write_bytes(data)
    return path


def _listen() -> list[str]:
    """A list in which every error of ours that is made is noted, without its names and numbers."""
    from walkon.errors import WalkonError

    heard: list[str] = []

    def noting(self: Any, *arguments: Any, **options: Any) -> None:
        before(self, *arguments, **options)
        heard.append(re.sub(r"'[^']*'|\"[^\"]*\"|[\d.]+", "", str(arguments[0] if arguments else ""))[:120])

    before: Callable[..., None] = WalkonError.__init__
    WalkonError.__init__ = noting  # type: ignore[method-assign]
    return heard


class Corpus:
    """Inputs worth damaging further: the smallest one for each thing that a reader was heard to say."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sizes = (
            {file.name: file.stat().st_size for file in sorted(folder.glob("*"))} if folder.exists() else {}
        )

    def grown(self, target: ModuleType, rng: random.Random) -> bytes:
        """One of them after some damage."""
        if not self.sizes:
            return target.damaged(rng)
        return target.mutated((self.folder / rng.choice(sorted(self.sizes))).read_bytes(), rng)

    def consider(self, data: bytes, said: str) -> None:
        """Keep an input if it is the smallest that got this answer."""
        key = hashlib.sha256(said.encode()).hexdigest()[:16]
        known = self.sizes.get(key)
        if len(data) > LARGEST_KEPT or (known is None and len(self.sizes) >= MOST_CORPUS):
            return
        if known is None or len(data) < known:
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / key).write_bytes(data)
            self.sizes[key] = len(data)
