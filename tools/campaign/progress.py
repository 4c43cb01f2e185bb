"""How far a part of a campaign is: tries, failures, time. It is kept in a file: a part that is stopped goes on."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from walkon.files import write_text

MOST_KEPT = 200
"""Failures that are written down in full; all are counted. Who has more has one cause, or several campaigns."""

EVERY = 5.0
"""[s] between two savings; so much work is done again after a kill."""


@dataclass
class Progress:
    """What a part has done so far.

    what: of which there are so many tries, in words. number: of the next try; all its chance comes from that and
    `seed`. wanted: tries after which it is done. tried: how often what. failed: how often, in all.
    """

    part: str
    what: str
    seed: int = 0
    wanted: float = 1.0
    number: int = 0
    tries: float = 0.0
    seconds: float = 0.0
    done: bool = False
    tried: dict[str, float] = field(default_factory=dict)
    failed: int = 0
    failures: list[dict[str, str]] = field(default_factory=list)

    def count(self, name: str, amount: float = 1.0) -> None:
        """Another try, or several."""
        self.tries += amount
        self.tried[name] = self.tried.get(name, 0.0) + amount

    def fail(self, name: str, message: str, again: str) -> None:
        """Something was found. again: how to see it once more."""
        self.failed += 1
        if len(self.failures) < MOST_KEPT:
            self.failures.append({"name": name, "message": message, "again": again})
        say(f"{self.part}: {name}: {message}  [{again}]")

    @property
    def line(self) -> str:
        """In one line."""
        rate = self.tries / self.seconds if self.seconds else 0.0
        tries = f"{self.tries:,.0f} {self.what}, {self.failed} failed"
        return f"{self.part}: {tries}; {self.seconds:.0f} s, {rate:,.1f}/s"


class Keeper:
    """Keeps progress in a file while a part works, and says when its time is over."""

    def __init__(self, progress: Progress, folder: Path, seconds: float) -> None:
        self.progress, self.folder = progress, folder
        self._begun = self._saved = time.monotonic()
        self._until, self._before = self._begun + seconds, progress.seconds
        self._parent = os.getppid()

    @property
    def over(self) -> bool:
        """Whether it is time to stop; saves now and then."""
        now = time.monotonic()
        self.progress.seconds = self._before + now - self._begun
        if now - self._saved > EVERY:
            self.save()
        # A part whose campaign was killed does not work on beside the next one.
        orphaned = os.getppid() != self._parent
        return orphaned or now >= self._until or self.progress.tries >= self.progress.wanted

    def save(self) -> None:
        """Write it down."""
        self._saved = time.monotonic()
        self.progress.seconds = self._before + self._saved - self._begun
        self.progress.done = self.progress.done or self.progress.tries >= self.progress.wanted
        write_text(progress_file(self.folder, self.progress.part), json.dumps(asdict(self.progress), indent=1))
        say(self.progress.line)


def progress_file(folder: Path, part: str) -> Path:
    """Where the progress of a part is kept."""
    return folder / f"{part}.json"


def load(folder: Path, part: str) -> Progress | None:
    """What was kept, if anything."""
    path = progress_file(folder, part)
    if not path.exists():
        return None
    told = json.loads(path.read_text())
    return Progress(**told)


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
