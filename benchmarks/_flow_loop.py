"""Crowds that never end, for `walkon bench flow`: who comes to the end of its way begins again, as somebody new.

A loop is a scene in which the number of people stays the same. Somebody who has come into the exit of its stream
is taken away in the moment in which a newcomer finds room at the entry, and not before: as long as the entry is
full, it stops and stands in the way, unless nobody could pass it. So a corridor between the two is a ring in
effect, and jams where a ring would. Newcomers come walking.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from _flow_watch import READ, Area, Array, Watch, looks_within
from _live_audit import Verdict, audit_live

if TYPE_CHECKING:
    from walkon.crowd.live import Live
    from walkon.metrics.trajectories import Trajectories
    from walkon.take import Take
    from walkon.world import Character, Scene

PERFORMERS = 6
"""Different people of the built-in cast, who walk at 1.2 to 1.4 m/s. More change little, and take longer to
load."""

POSES = ("walk", "walk_on_right", "slow_on_left", "creep_on_left", None)
"""Poses in which people are tried, the fastest first; None stands. Who walks needs room to stop ahead of it."""

SPOTS = 4
"""Places of the entry, those with the most room first, that are tried for a newcomer at each look."""

NEAREST, SPREAD = 0.45, 0.8
"""[m] Places with somebody nearer than this are not tried: bodies are 0.5 m broad and 0.3 m deep. Nor are places
with somebody nearer than this share of the mean distance between people, or the entry would be fuller than the
rest."""

GRID = 0.2
"""[m] Between places of the entry that are looked at."""


@dataclass(frozen=True, eq=False)
class Stream:
    """People who go one way.

    entry: where newcomers appear, looking along heading [rad]. exit: who is in it may go. goal: where somebody
    wants to be who appears at x, z [m]. starts: (N, 2) where its people are in the beginning. apart: [m] least
    distance of a newcomer to anybody. walking: whether people walk in the beginning, if they have room.
    halts: whether those in the exit stop until they may go; else they walk on to their goals, and are gone there.
    """

    entry: Area
    heading: float
    exit: Area
    goal: Callable[[float, float], tuple[float, float]]
    starts: Array
    apart: float = NEAREST
    walking: bool = False
    halts: bool = True


@dataclass(frozen=True)
class Span:
    """[s] How long a loop plays, before which nothing is measured, and how much of its end is audited."""

    seconds: float = 50.0
    settled: float = 20.0
    audited: float = 10.0


@dataclass(frozen=True, eq=False)
class LoopRun:
    """What came of a loop.

    wanted: people. placed: those who found room at the start. settled: [s] before which nothing counts. paths: of
    everybody, ten rows a second. came: how many newcomers, and
    stood: how many of them came standing. spent: [s] it took, without the audit.
    """

    wanted: int
    placed: int
    settled: float
    paths: Trajectories
    take: Take
    came: int
    stood: int
    spent: float
    verdict: Verdict

    def drift(self, area: Area) -> float:
        """Mean speed [m/s] in the second half of what is measured less that in the first: 0 if it is steady."""
        times, speeds = looks_within(self.paths, area, None, self.settled)
        middle = 0.5 * (self.settled + float(times.max(initial=self.settled)))
        early, late = speeds[times < middle], speeds[times >= middle]
        return float(late.mean() - early.mean()) if len(early) and len(late) else float("nan")


def run_loop(scene: Scene, streams: Sequence[Stream], span: Span, seed: int = 0) -> LoopRun:
    """Play a scene that has no people yet with those of the streams."""
    from walkon.crowd.live import Live

    begun = time.perf_counter()
    live = Live(scene, seed=seed)
    loop = _Loop(live, list(streams), Watch(live))
    placed = loop.begin()
    for frame in range(round(span.seconds * live.fps)):
        live.step()
        if frame % READ == READ - 1:
            loop.look()
    paths, take = loop.watch.paths(), live.take()
    live.close()
    spent = time.perf_counter() - begun
    verdict = audit_live(take, max(0, take.frames - round(span.audited * take.fps)))
    wanted = sum(len(stream.starts) for stream in streams)
    return LoopRun(wanted, placed, span.settled, paths, take, loop.came, loop.stood, spent, verdict)


@dataclass(eq=False)
class _Loop:
    """Who is in the loop, and in which stream."""

    live: Live
    streams: list[Stream]
    watch: Watch
    came: int = 0
    stood: int = 0
    _streams: dict[int, Stream] = field(default_factory=dict)
    _halted: set[int] = field(default_factory=set)
    _count: dict[Stream, int] = field(default_factory=dict)

    def begin(self) -> int:
        """Everybody at its start; how many found room."""
        for stream in self.streams:
            # From the front: who comes after somebody who walks may stand, but who walks needs room ahead.
            ahead = stream.starts @ (np.sin(stream.heading), np.cos(stream.heading))
            poses = POSES if stream.walking else (None,)
            starts = stream.starts[np.argsort(-ahead)]
            self._count[stream] = sum(self._enter(stream, float(x), float(z), poses) for x, z in starts)
        self.stood = 0
        return sum(self._count.values())

    def look(self) -> None:
        """Let those who have come to the end begin again."""
        who, places = self.watch.look()
        for stream in self.streams:
            own = [k for k, number in enumerate(who) if self._streams[number] is stream]
            done = [who[k] for k in own if _is_in(places[k], stream.exit)]
            # Who has got to its goal is gone, and missing.
            missing = self._count[stream] - len(own)
            room = all(self._renew(stream) for _ in range(missing))
            for number in done:
                room = room and self._renew(stream)
                if room:
                    self.live.remove(number)
                elif stream.halts and number not in self._halted:
                    self._halted.add(number)
                    self.live.set_goal(number, None)

    def _renew(self, stream: Stream) -> bool:
        """Somebody new, where the entry has the most room; whether there is room."""
        left, near, right, far = stream.entry
        x, z = np.meshgrid(np.arange(left, right + 1e-9, GRID), np.arange(near, far + 1e-9, GRID))
        spots = np.column_stack([x.ravel(), z.ravel()])
        others = self.live.state().circles[:, :2]
        free = np.sqrt(((spots[:, None] - others[None]) ** 2).sum(axis=2)).min(axis=1, initial=np.inf)
        for spot in np.argsort(-free, kind="stable")[:SPOTS]:
            at_x, at_z = map(float, spots[spot])
            if free[spot] > stream.apart and self._enter(stream, at_x, at_z, POSES):
                self.came += 1
                return True
        return False

    def _enter(self, stream: Stream, x: float, z: float, poses: Sequence[str | None]) -> bool:
        """Somebody in the first of the poses for which there is room; whether there is."""
        from walkon.errors import SceneError

        for pose in poses:
            try:
                number = self.live.add(self._somebody(stream, x, z, pose))
            except SceneError:
                continue
            self._streams[number] = stream
            self.stood += int(pose is None)
            return True
        return False

    def _somebody(self, stream: Stream, x: float, z: float, pose: str | None) -> Character:
        from walkon.rotations import Placement
        from walkon.world import Character, Goal

        number = len(self._streams)
        return Character(
            f"p{number}",
            Placement(x, z, stream.heading),
            (Goal(*stream.goal(x, z)),),
            performer=number % PERFORMERS,
            pose=pose,
            at_goal="leave",
        )


def _is_in(place: Array, area: Area) -> bool:
    return bool(area[0] <= place[0] <= area[2] and area[1] <= place[1] <= area[3])
