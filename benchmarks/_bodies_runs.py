"""The runs of `walkon bench bodies`: a scene planned or live, at a level, timed, audited and looked at."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from walkon.metrics.quality.density import LineCrossings
    from walkon.metrics.trajectories import Trajectories
    from walkon.take import Take
    from walkon.world import Scene
    from walkon.world.classics.layout import Layout

Array = NDArray[np.float64]

DRAWN = 1.0
"""[s] Speeds are measured over: the length of two steps, within which everybody sways."""

SETTLED = 3.0
"""[s] Nothing is measured before: everybody begins standing."""

PASSED = 0.75
"""Share of those on their way past a place after which nothing is measured there: a tail is thin."""


@dataclass(frozen=True, eq=False)
class Run:
    """A scene as somebody played it. who: "auto", "tree" or "live". seconds: it took, without the audit.
    violations: what the audit found but that somebody did not arrive, by kind. late: who did not, or has no plan.
    """

    scene: Scene
    who: str
    take: Take
    seconds: float
    violations: dict[str, int]
    late: frozenset[str]

    @property
    def arrived(self) -> int:
        """How many."""
        return len(self.scene.characters) - len(self.late)

    @property
    def last(self) -> float | None:
        """[s] When the last one has arrived, if all have."""
        ends = [role.arrival for role in self.take.roles if role.arrival is not None]
        return None if self.late or not ends else max(ends) / self.take.fps

    @cached_property
    def paths(self) -> Trajectories:
        """Where everybody is."""
        from walkon.metrics.trajectories import of_take

        return of_take(self.take)


def make_scene(name: str, layout: Layout, level: str | None = None) -> Scene:
    """A layout as a scene, at a level if one is named."""
    from walkon.world import read_scene
    from walkon.world.classics.layout import layout_text

    return at_level(read_scene(layout_text(name, name, "walkon bench bodies", layout, 0)), level)


def at_level(scene: Scene, level: str | None) -> Scene:
    """The scene at a level; None leaves it as it is."""
    return scene if level is None else replace(scene, bodies=level)


def run_scene(scene: Scene, who: str, seed: int) -> Run:
    """Play a scene, and audit what came of it."""
    from walkon.metrics import audit
    from walkon.rivals.comparing import play

    begun = time.perf_counter()
    take = play(scene, who, seed=seed)
    seconds = time.perf_counter() - begun
    late = {name for name, _ in take.unplanned}
    violations: dict[str, int] = {}
    if take.roles:
        report = audit(take)
        late |= {found.who for found in report.violations if found.kind == "goal"}
        violations = {kind: count for kind, count in report.counts().items() if kind != "goal"}
    return Run(scene, who, take, seconds, violations, frozenset(late))


def through_doors(run: Run) -> LineCrossings:
    """Who crosses the wall at x = 0, wherever it is open."""
    from walkon.metrics.quality.density import find_crossings

    _, near, _, far = run.scene.bounds
    return find_crossings(run.paths, [(0.0, near), (0.0, far)])


def walked(run: Run) -> float:
    """[m] That the first person walks until it has arrived."""
    from walkon.metrics.quality.travel import measure_travel

    return float(measure_travel(run.paths).distances[0])


def speed_within(run: Run, left: float, right: float) -> tuple[float, float]:
    """Mean speed [m/s] along x, and people for each metre, at left < x < right [m]: over people and time.

    From SETTLED on, until most of those who want past the middle of it are.
    """
    from walkon.metrics.quality.density import find_crossings

    middle, (_, near, _, far) = 0.5 * (left + right), run.scene.bounds
    times = find_crossings(run.paths, [(middle, near), (middle, far)]).times
    past = [one for one in run.scene.characters if (one.start.x - middle) * (one.goals[-1].x - middle) < 0.0]
    enough = round(PASSED * len(past))
    stop = float(times[enough - 1]) if 0 < enough <= len(times) else run.take.frames / run.take.fps
    found = np.concatenate([np.empty(0), *(_speeds(path, left, right, stop) for path in _drawn(run, along=True))])
    moments = max((stop - SETTLED) * run.take.fps, 1.0)
    return (float(found.mean()) if len(found) else float("nan")), len(found) / moments / (right - left)


def slowest_within(run: Run, left: float, right: float) -> float:
    """Least speed [m/s] of anybody at left < x < right [m]."""
    found = np.concatenate([np.full(1, np.inf), *(_speeds(path, left, right) for path in _drawn(run))])
    return float(found.min())


def meeting(run: Run) -> float | None:
    """[m] x where the first two people pass each other; None if they do not."""
    paths = run.paths
    if len(paths) < 2:
        return None
    stop = min(paths.stops[0], paths.stops[1])
    first, second = (paths.path(person)[: stop - paths.starts[person], 0] for person in (0, 1))
    apart = second - first
    passed = np.flatnonzero(np.sign(apart) != np.sign(apart[0]))
    return float(first[passed[0]]) if len(passed) else None


def _drawn(run: Run, *, along: bool = False) -> Iterator[Array]:
    """Of everybody (F, 3): time [s], x [m], and speed [m/s] over DRAWN around then; along x alone if asked for."""
    paths, frames = run.paths, round(DRAWN * run.take.fps)
    for person in range(len(paths)):
        path = paths.path(person)
        if len(path) > frames:
            moved = (path[frames:] - path[:-frames]) / DRAWN
            speeds = np.sign(path[-1, 0] - path[0, 0]) * moved[:, 0] if along else np.hypot(*moved.T)
            rows = np.arange(len(speeds)) + frames // 2
            yield np.column_stack([(paths.starts[person] + rows) / paths.fps, path[rows, 0], speeds])


def _speeds(drawn: Array, left: float, right: float, stop: float = np.inf) -> Array:
    """The speeds in a stretch, for as long as it is measured."""
    time, x, speeds = drawn.T
    return speeds[(x > left) & (x < right) & (time >= SETTLED) & (time < stop)]
