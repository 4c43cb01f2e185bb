"""The runs of `walkon bench live`: a live crowd on a plaza, or until all have arrived, timed and audited."""

from __future__ import annotations

import gc
import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from _live_audit import Verdict, audit_live
from _live_scenes import Plaza, goal_at, make_plaza, plaza_scene

if TYPE_CHECKING:
    from walkon.crowd.live import Live
    from walkon.world import Scene

READ = 9
"""Frames between two times that somebody looks who has arrived, and takes the commits."""


@dataclass
class Run:
    """What was measured of a live crowd.

    memory: [kB] that the process grew by, for each person. simulated, wall, cpu: [s]. frames: [s] that each took.
    replans: [s] of each, second by second. speeds: mean [m/s] in each second. longest_wait: [s]. goals: reached.
    finished: [s] until all had arrived, if ever.
    """

    people: int
    memory: float = 0.0
    simulated: float = 0.0
    wall: float = 0.0
    cpu: float = 0.0
    frames: list[float] = field(default_factory=list)
    replans: list[np.ndarray] = field(default_factory=list)
    speeds: list[float] = field(default_factory=list)
    longest_wait: float = 0.0
    dropped: int = 0
    stops: int = 0
    goals: int = 0
    verdict: Verdict | None = None
    finished: float | None = None

    @contextmanager
    def timed(self) -> Iterator[None]:
        """What is done meanwhile counts as one frame's work."""
        began, busy = time.perf_counter(), time.process_time()
        yield
        self.frames.append(time.perf_counter() - began)
        self.wall += self.frames[-1]
        self.cpu += time.process_time() - busy


def cross_plaza(people: int, seconds: float, seed: int, last: float | None = None) -> Run:
    """A plaza full of people for a while, audited: all of it, or the last seconds."""
    run, live = play(make_plaza(people, seed), seconds, seed)
    first = 0 if last is None else max(0, round((seconds - last) * live.fps))
    run.verdict = audit_live(live.take(), first)
    return run


def play(plaza: Plaza, seconds: float, seed: int) -> tuple[Run, Live]:
    """A crowd with random goals; who has arrived gets another."""
    from walkon.crowd.live import Live

    random, before = np.random.default_rng(seed), _resident()
    live = Live(plaza_scene(plaza, plaza.goals(random, plaza.starts)), seed=seed)
    run, meter = Run(len(live.people)), _Meter(live)
    for frame in range(round(seconds * live.fps)):
        with run.timed():
            live.step()
            if frame % READ == READ - 1:
                run.goals += _new_goals(live, plaza, random)
                live.drain()
        meter.look(run)
    run.memory = (_resident() - before) / run.people
    meter.close(run)
    return run, live


def _resident() -> float:
    """Memory of this process [kB]; nan where the system does not say."""
    gc.collect()
    told = Path("/proc/self/statm")
    return int(told.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e3 if told.exists() else math.nan


def _new_goals(live: Live, plaza: Plaza, random: np.random.Generator) -> int:
    """Goals for those who have arrived; how many they are."""
    state = live.state()
    arrived = np.flatnonzero(state.arrived)
    goals = plaza.goals(random, state.circles[arrived, :2])
    live.set_goals(state.who[arrived].tolist(), [goal_at(goal) for goal in goals])
    return len(arrived)


def until_all_arrived(scene: Scene, patience: float, seed: int) -> Run:
    """A scene until everybody has arrived, or so many seconds have passed; audited."""
    from walkon.crowd.live import Live

    live = Live(scene, seed=seed)
    run, meter = Run(len(scene.characters)), _Meter(live)
    while live.time < patience:
        with run.timed():
            live.step()
        meter.look(run)
        state = live.state()
        if len(state.who) == run.people and state.arrived.all():
            run.finished = round(live.time, 2)
            break
    meter.close(run)
    run.verdict = audit_live(live.take())
    return run


class _Meter:
    """Looks at a crowd once a simulated second; what that takes is not counted."""

    def __init__(self, live: Live) -> None:
        self._live, self._replans = live, 0
        self._second = max(round(live.fps), 1)
        self._places: dict[int, np.ndarray] = {}

    def look(self, run: Run) -> None:
        """After a frame."""
        if (self._live.frame + 1) % self._second:
            return
        figures, state = self._live.figures(), self._live.state()
        new = figures.replans - self._replans
        run.replans.append(figures.replan_seconds[max(len(figures.replan_seconds) - new, 0) :])
        self._replans = figures.replans
        now = dict(zip(state.who.tolist(), state.circles[:, :2], strict=True))
        moved = [np.hypot(*(now[who] - at)) for who, at in self._places.items() if who in now]
        if moved:
            run.speeds.append(float(np.mean(moved)))
        self._places = now

    def close(self, run: Run) -> None:
        """After the last frame."""
        figures = self._live.figures()
        run.simulated = self._live.time
        run.longest_wait, run.dropped, run.stops = figures.longest_wait, figures.dropped, figures.stops
        self._live.close()
