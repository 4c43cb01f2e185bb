"""Crowds that never end, for `walkon bench flow`: who comes to the end of its way begins again, as somebody new.

A loop is a scene in which the number of people stays the same. Somebody who has come into the exit of its stream
is taken away in the moment in which a newcomer finds room at the entry, and not before: where the entry is full,
the exit is closed. So a corridor between the two is a ring in effect, and jams where a ring would. Newcomers come
walking.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from _live_audit import Verdict, audit_live
from numpy.typing import NDArray

if TYPE_CHECKING:
    from walkon.crowd.live import Live
    from walkon.metrics.trajectories import Trajectories
    from walkon.take import Take
    from walkon.world import Character, Scene

Array = NDArray[np.float64]
Area = tuple[float, float, float, float]
"""x and z of the least corner, x and z of the greatest [m]."""

READ = 3
"""Frames between two looks at who is where. Ten a second: with fewer, who has come to the exit would stand
about."""

PERFORMERS = 6
"""Different people of the built-in cast: some are slow, some fast. More make nothing different but the start
slow."""

POSES = ("walk", "walk_on_right", "slow_on_left", "creep_on_left", None)
"""Poses in which newcomers are tried, the fastest first; None stands. Who walks needs room to stop ahead of it."""

SPOTS = 4
"""Places of the entry, those with the most room first, that are tried for a newcomer at each look."""

NEAREST = 0.45
"""[m] Places with somebody nearer than this are not tried: bodies are 0.5 m broad and 0.3 m deep."""

GRID = 0.2
"""[m] Between places of the entry that are looked at."""

DRAWN = 1.0
"""[s] Speeds are measured over: the length of two steps, within which everybody sways."""


@dataclass(frozen=True)
class Stream:
    """People who go one way.

    entry: where newcomers appear, looking along heading [rad]. exit: who is in it may go. goal: where somebody
    wants to be who appears at x, z [m]. starts: (N, 2) where its people are in the beginning.
    """

    entry: Area
    heading: float
    exit: Area
    goal: Callable[[float, float], tuple[float, float]]
    starts: Array


@dataclass(eq=False)
class LoopRun:
    """What came of a loop. wanted: people. placed: those who found room at the start. paths: of everybody, ten
    rows a second. came: how many newcomers. seconds: it took, without the audit. settled: [s] before which nothing
    counts."""

    wanted: int
    placed: int
    settled: float
    paths: Trajectories
    take: Take
    came: int
    seconds: float
    verdict: Verdict

    def within(self, area: Area, axis: int | None = None) -> tuple[float, float]:
        """Density [1/m²] in an area, and the mean speed [m/s] of those in it: along x (0) or z (1), to where each
        of them gets in the end, or over the ground. Means over people and time, from when it has settled on."""
        counts, speeds, _ = self._seen(area, axis)
        size = (area[2] - area[0]) * (area[3] - area[1])
        return counts / size, (float(speeds.mean()) if len(speeds) else float("nan"))

    def drift(self, area: Area) -> float:
        """Mean speed [m/s] in the second half of what is measured less that in the first: near 0 if it is steady."""
        _, speeds, times = self._seen(area, None)
        middle = 0.5 * (self.settled + float(times.max(initial=self.settled)))
        early, late = speeds[times < middle], speeds[times >= middle]
        return float(late.mean() - early.mean()) if len(early) and len(late) else float("nan")

    def _seen(self, area: Area, axis: int | None) -> tuple[float, Array, Array]:
        """Mean number of people in an area, and speeds and times (M,) of all looks at any of them."""
        rows = round(DRAWN * self.paths.fps)
        speeds, times = [], []
        for person in range(len(self.paths)):
            path = self.paths.path(person)
            if len(path) <= rows:
                continue
            moved = (path[rows:] - path[:-rows]) / DRAWN
            middle = path[rows // 2 : rows // 2 + len(moved)]
            when = self.paths.times(person)[rows // 2 : rows // 2 + len(moved)]
            here = (middle >= area[:2]).all(axis=1) & (middle <= area[2:]).all(axis=1) & (when >= self.settled)
            speed = np.hypot(*moved.T) if axis is None else np.sign(path[-1] - path[0])[axis] * moved[:, axis]
            speeds.append(speed[here])
            times.append(when[here])
        last = float(self.paths.first + self.paths.frames) / self.paths.fps - DRAWN
        looks = max((last - self.settled) * self.paths.fps, 1.0)
        found = np.concatenate([np.empty(0), *speeds])
        return len(found) / looks, found, np.concatenate([np.empty(0), *times])

    def crossed(self, line: Sequence[tuple[float, float]]) -> float:
        """People a second [1/s] across a line between two points, from when it has settled on."""
        from walkon.metrics.quality.density import find_crossings

        times = find_crossings(self.paths, line).times
        stop = (self.paths.first + self.paths.frames) / self.paths.fps
        return float((times >= self.settled).sum()) / max(stop - self.settled, 1e-9)


def run_loop(
    scene: Scene, streams: Sequence[Stream], *, seconds: float, settled: float, audited: float, seed: int = 0
) -> LoopRun:
    """Play a scene that has no people yet with those of the streams; the last `audited` seconds are audited."""
    from walkon.crowd.live import Live

    begun = time.perf_counter()
    live = Live(scene, seed=seed)
    loop = _Loop(live, list(streams))
    placed = loop.begin()
    for frame in range(round(seconds * live.fps)):
        live.step()
        if frame % READ == READ - 1:
            loop.look()
    paths, take = loop.paths(), live.take()
    live.close()
    spent = time.perf_counter() - begun
    verdict = audit_live(take, max(0, take.frames - round(audited * take.fps)))
    wanted = sum(len(stream.starts) for stream in streams)
    return LoopRun(wanted, placed, settled, paths, take, loop.came, spent, verdict)


@dataclass(eq=False)
class _Loop:
    """Who is in the loop, and where they were seen."""

    live: Live
    streams: list[Stream]
    came: int = 0
    _streams: dict[int, Stream] = field(default_factory=dict)
    _seen: dict[int, list[Array]] = field(default_factory=dict)
    _first: dict[int, int] = field(default_factory=dict)
    _named: int = 0
    _looks: int = 0

    def begin(self) -> int:
        """Everybody at its start; how many found room."""
        return sum(
            self._enter(stream, float(x), float(z), (None,)) for stream in self.streams for x, z in stream.starts
        )

    def look(self) -> None:
        """Note where everybody is, and let those who have come to the end begin again."""
        state = self.live.state()
        places = state.circles[:, :2]
        for number, place, there in zip(state.who.tolist(), places, state.there, strict=True):
            if there:
                self._first.setdefault(number, self._looks)
                self._seen.setdefault(number, []).append(place.copy())
        self._looks += 1
        for stream in self.streams:
            done = [
                number
                for number, (x, z) in zip(state.who.tolist(), places, strict=True)
                if self._streams[number] is stream and _within(x, z, stream.exit)
            ]
            for number in done:
                if not self._renew(stream):
                    break
                self.live.remove(number)

    def paths(self) -> Trajectories:
        """Where everybody was, from look to look."""
        from walkon.metrics.trajectories import Trajectories

        who = sorted(self._seen)
        return Trajectories.build(
            self.live.fps / READ,
            [np.array(self._seen[number]) for number in who],
            names=[str(number) for number in who],
            starts=[self._first[number] for number in who],
        )

    def _renew(self, stream: Stream) -> bool:
        """Somebody new, where the entry has the most room; whether there is room."""
        left, near, right, far = stream.entry
        x, z = np.meshgrid(np.arange(left, right + 1e-9, GRID), np.arange(near, far + 1e-9, GRID))
        spots = np.column_stack([x.ravel(), z.ravel()])
        others = self.live.state().circles[:, :2]
        free = np.sqrt(((spots[:, None] - others[None]) ** 2).sum(axis=2)).min(axis=1, initial=np.inf)
        for spot in np.argsort(-free, kind="stable")[:SPOTS]:
            at_x, at_z = map(float, spots[spot])
            if free[spot] > NEAREST and self._enter(stream, at_x, at_z, POSES):
                self.came += 1
                return True
        return False

    def _enter(self, stream: Stream, x: float, z: float, poses: Sequence[str | None]) -> bool:
        """Somebody in the first of the poses for which there is room."""
        from walkon.errors import SceneError

        for pose in poses:
            try:
                number = self.live.add(self._somebody(stream, x, z, pose))
            except SceneError:
                continue
            self._streams[number] = stream
            self._named += 1
            return True
        return False

    def _somebody(self, stream: Stream, x: float, z: float, pose: str | None) -> Character:
        from walkon.rotations import Placement
        from walkon.world import Character, Goal

        return Character(
            f"p{self._named}",
            Placement(x, z, stream.heading),
            (Goal(*stream.goal(x, z)),),
            performer=self._named % PERFORMERS,
            pose=pose,
        )


def _within(x: float, z: float, area: Area) -> bool:
    return area[0] <= x <= area[2] and area[1] <= z <= area[3]
