"""Live runs until everybody is gone, for `walkon bench rimea`; each is bounded in time."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from _flow_watch import READ, Array, Watch
from _live_audit import Verdict, audit_live

if TYPE_CHECKING:
    from walkon.crowd.live import Live
    from walkon.metrics.trajectories import Trajectories
    from walkon.take import Take
    from walkon.world import Scene

TOLD = 20.0
"""[s] of the wall clock between two words about how it goes."""

AUDITED_WHOLE, AUDITED_LAST = 200, 20.0
"""People up to whom a run is audited whole; of larger crowds the last seconds are [s]."""


@dataclass(frozen=True)
class Limits:
    """How much is done. quick: smaller crowds and shorter runs. patience: [s] that a run plays at most. wall: [s]
    of the wall clock that it may take. out: where pictures go. seed: of everything."""

    quick: bool = False
    patience: float = 600.0
    wall: float = 900.0
    out: Path = Path("out") / "rimea"
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Evacuation:
    """What came of a run. people: at the start. paths: of everybody, ten rows a second. gone: when each of those
    who are gone was seen last [s], by name. spent: [s] it took, without the audit. cut: why it ended early, if it
    did."""

    people: int
    paths: Trajectories
    take: Take
    gone: dict[str, float]
    spent: float
    cut: str
    verdict: Verdict

    @property
    def last(self) -> float | None:
        """[s] When the last one was gone, if all are."""
        return max(self.gone.values()) if self.gone and len(self.gone) == self.people else None

    @property
    def when(self) -> str:
        """The same in words."""
        if self.last is not None:
            return f"{self.last:.0f} s"
        return f"never: {len(self.gone)} of {self.people} are ({self.cut or 'the others stay'})"

    def path(self, name: str) -> tuple[Array, Array]:
        """Times (F,) [s] and places (F, 2) [m] of somebody."""
        person = self.paths.names.index(name)
        return self.paths.times(person), self.paths.path(person)

    def curve(self) -> Array:
        """Seconds, and how many are gone by then (K, 2)."""
        times = np.sort(np.array(list(self.gone.values()), dtype=np.float64))
        return np.column_stack([times, np.arange(1.0, len(times) + 1.0)])


def evacuate(scene: Scene, limits: Limits, *, tell: Callable[[Live], None] | None = None) -> Evacuation:
    """Play a scene live until everybody is gone. tell: called before every frame, to give people their goals."""
    from walkon.crowd.live import Live

    begun = time.perf_counter()
    live, told, cut = Live(scene, seed=limits.seed), begun, ""
    watch = Watch(live)
    while live.people or live.coming:
        if live.time >= limits.patience or time.perf_counter() - begun > limits.wall:
            cut = f"ended after {live.time:.0f} s played, {time.perf_counter() - begun:.0f} s of the clock"
            break
        if tell is not None:
            tell(live)
        live.step()
        if live.frame % READ == READ - 1:
            watch.look()
        if time.perf_counter() - told > TOLD:
            told = time.perf_counter()
            print(
                f"         {scene.name}: {live.time:.0f} s, {len(live.people)} still here",
                file=sys.stderr,
                flush=True,
            )
    here = {person.name for person in live.people.values()} | {one.name for one in live.coming}
    paths, take = watch.paths(), live.take()
    live.close()
    spent = time.perf_counter() - begun
    gone = {
        name: float(stop) / paths.fps
        for name, stop in zip(paths.names, paths.stops, strict=True)
        if name not in here
    }
    whole = len(scene.characters) <= AUDITED_WHOLE
    verdict = audit_live(take, 0 if whole else max(0, take.frames - round(AUDITED_LAST * take.fps)))
    return Evacuation(len(scene.characters), paths, take, gone, spent, cut, verdict)


def crossing(times: Array, places: Array, x: float) -> float | None:
    """[s] When a path first gets from one side of an x [m] to the other; None if it never does."""
    side = places[:, 0] - x
    passed = np.flatnonzero((side[:-1] < 0.0) != (side[1:] < 0.0))
    if not len(passed):
        return None
    row = int(passed[0])
    share = side[row] / (side[row] - side[row + 1])
    return float(times[row] + share * (times[row + 1] - times[row]))
