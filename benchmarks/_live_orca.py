"""The peer of `walkon bench live`: discs that avoid each other by ORCA (pyrvo), among the same things."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from _live_scenes import Plaza, Post

Array = NDArray[np.float64]

FPS = 30
NEIGHBOURS, AROUND, AHEAD = 10, 5.0, 2.0
"""How many others a disc looks at, how far [m], and how long before they would meet [s]."""

EVERY = 3
"""Steps between two times that discs are told which way to go: at 10 Hz."""

ARRIVED = 0.5
"""[m] Our goals' tolerance."""

CORNERS = 8
"""Of the polygon for a pillar."""

DEEP = 0.005
"""[m] Overlaps that are less are not counted."""


class Crossing(NamedTuple):
    """What came of it.

    wall, cpu [s]: of the steps alone. told [s]: of telling discs where to go, from Python. overlaps: how often two
    discs came to overlap; overlap_seconds [s]: all of them together. deepest [m]. speed: mean [m/s].
    """

    wall: float
    cpu: float
    told: float
    overlaps: int
    overlap_seconds: float
    deepest: float
    speed: float


def cross(
    plaza: Plaza, goals: Array, radii: Array, speeds: Array, seconds: float, random: np.random.Generator
) -> Crossing:
    """The crossing of N discs from the plaza's starts; as ours, who has arrived gets another goal.

    goals: (N, 2). radii, speeds: (N,) [m], [m/s].
    """
    simulator = _simulator(plaza, radii, speeds)
    count, goals = len(radii), goals.copy()
    counter, wall, cpu, told, travelled = _Overlaps(radii), 0.0, 0.0, 0.0, 0.0
    before = _positions(simulator, count)
    for step in range(round(seconds * FPS)):
        if step % EVERY == 0:
            begun = time.perf_counter()
            arrived = np.flatnonzero(np.hypot(*(goals - before).T) < ARRIVED)
            if len(arrived):
                goals[arrived] = plaza.goals(random, before[arrived])
            _tell(simulator, before, goals, speeds)
            told += time.perf_counter() - begun
        begun, busy = time.perf_counter(), time.process_time()
        simulator.do_step()
        wall, cpu = wall + time.perf_counter() - begun, cpu + time.process_time() - busy
        after = _positions(simulator, count)
        travelled += float(np.hypot(*(after - before).T).sum())
        counter.look(after)
        before = after
    return Crossing(
        wall, cpu, told, counter.events, counter.frames / FPS, counter.deepest, travelled / (count * seconds)
    )


def _simulator(plaza: Plaza, radii: Array, speeds: Array):
    import pyrvo  # pyright: ignore[reportMissingImports]

    simulator = pyrvo.RVOSimulator()  # pyright: ignore[reportAttributeAccessIssue]
    simulator.set_time_step(1.0 / FPS)
    for (x, z, _), radius, speed in zip(plaza.starts, radii, speeds, strict=True):
        simulator.add_agent(
            (float(x), float(z)),
            AROUND,
            NEIGHBOURS,
            AHEAD,
            AHEAD,
            float(radius),
            1.3 * float(speed),
            (0.0, 0.0),
        )
    for post in plaza.posts:
        simulator.add_obstacle(_outline(post))
    simulator.process_obstacles()
    return simulator


def _outline(post: Post) -> list[tuple[float, float]]:
    """Corners, counterclockwise; those of a pillar lie around it."""
    if not post.round:
        return [
            (post.x + a * post.half_width, post.z + b * post.half_depth)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
    radius = post.half_width / math.cos(math.pi / CORNERS)
    angles = [2.0 * math.pi * corner / CORNERS for corner in range(CORNERS)]
    return [(post.x + radius * math.cos(angle), post.z + radius * math.sin(angle)) for angle in angles]


def _positions(simulator, count: int) -> Array:
    found = np.empty((count, 2))
    for disc in range(count):
        at = simulator.get_agent_position(disc)
        found[disc] = at.x, at.y
    return found


def _tell(simulator, places: Array, goals: Array, speeds: Array) -> None:
    way = goals - places
    way *= (speeds / np.maximum(np.hypot(*way.T), 1e-9))[:, None]
    for disc, (x, z) in enumerate(way.tolist()):
        simulator.set_agent_pref_velocity(disc, (x, z))


class _Overlaps:
    """Counts discs that come to overlap."""

    def __init__(self, radii: Array) -> None:
        self._radii = radii
        self._last: set[int] = set()
        self.events, self.frames, self.deepest = 0, 0, 0.0

    def look(self, places: Array) -> None:
        """At one frame: places (N, 2)."""
        from scipy.spatial import cKDTree  # pyright: ignore[reportAttributeAccessIssue]

        pairs = cKDTree(places).query_pairs(2.0 * float(self._radii.max()), output_type="ndarray")
        a, b = pairs.T
        depths = self._radii[a] + self._radii[b] - np.hypot(*(places[a] - places[b]).T)
        inside = depths > DEEP
        now = set((a[inside] * len(places) + b[inside]).tolist())
        self.events += len(now - self._last)
        self.frames += len(now)
        self.deepest = max(self.deepest, float(depths.max(initial=0.0)))
        self._last = now
