"""One frame of a crowd at 1280x720 on one core, beside the memory traffic no frame can avoid.

Everybody walks with a phase and a heading of their own on a square that fills the picture. Posing the bodies,
shadows, ground, anti-aliasing and the copy to RGB are all in the figure; compiling is not. `ms` is the median and
`best` the least over many frames: on a shared machine the latter is nearer to what the code costs. The aim
is 10 ms for 150 people.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from statistics import median

import numpy as np

from walkon.builtin import make
from walkon.motion import Clip, crop, place, place_at
from walkon.render import Cast, Renderer, frame_clips
from walkon.rotations import Placement

WIDTH, HEIGHT = 1280, 720
CROWDS = (1, 10, 150, 1000)
FRAMES = 60
WARM_UP = 5
SPACING = 1.4
SEED = 7

Row = dict[str, object]


def measure() -> list[Row]:
    """Rows for crowds of growing size, then for what touching every pixel once costs."""
    return [*(_crowd_row(people) for people in CROWDS), *_limit_rows()]


def _crowd_row(people: int) -> Row:
    clips = _build_crowd(people)
    cast = Cast(clips)
    camera = frame_clips(clips, aspect=WIDTH / HEIGHT, azimuth=0.35, elevation=math.radians(22.0))
    renderer = Renderer(WIDTH, HEIGHT, camera)
    picture = np.empty((HEIGHT, WIDTH, 3), np.uint8)

    def draw_moving(moment: float) -> None:
        renderer.camera = camera
        renderer.draw_cast(cast, moment, out=picture)

    still, best = _milliseconds(lambda moment: renderer.draw_cast(cast, moment, out=picture))
    moving, _ = _milliseconds(draw_moving)
    return _row(f"{people} people", still, best, moving, len(cast.radii))


def _build_crowd(people: int) -> list[Clip]:
    """People on a grid who walk on the spot's neighbourhood, each from another moment of the walk."""
    rng = np.random.default_rng(SEED)
    walk = make("walk", cycles=4)
    columns = math.ceil(math.sqrt(1.5 * people))
    rows = math.ceil(people / columns)
    crowd = []
    for person in range(people):
        x = SPACING * (person % columns - (columns - 1) / 2)
        z = SPACING * (person // columns - (rows - 1) / 2)
        start = int(rng.integers(0, len(walk) // 2))
        stroll = place_at(crop(walk, start, start + len(walk) // 2), 0, Placement())
        crowd.append(place(stroll, Placement(x, z, float(rng.uniform(-math.pi, math.pi)))))
    return crowd


def _limit_rows() -> list[Row]:
    """Fill and copy of an RGB picture, copy of colour and depth."""
    one, two = np.empty((HEIGHT, WIDTH, 3), np.uint8), np.empty((HEIGHT, WIDTH, 3), np.uint8)
    planes = np.empty((2, HEIGHT, WIDTH, 2), np.float32)
    limits: dict[str, Callable[[float], object]] = {
        "limit: fill RGB": lambda moment: one.fill(int(moment)),
        "limit: copy RGB": lambda moment: np.copyto(two, one),
        "limit: copy colour and depth": lambda moment: np.copyto(planes[0], planes[1]),
    }
    return [_row(what, *_milliseconds(work), None, None) for what, work in limits.items()]


def _row(what: str, ms: float, best: float, moving: float | None, capsules: int | None) -> Row:
    return {"what": what, "ms": ms, "best": best, "ms, moving camera": moving, "capsules": capsules}


def _milliseconds(draw: Callable[[float], object]) -> tuple[float, float]:
    """Median and least time of a frame, after some that warm up."""
    durations = []
    for k in range(-WARM_UP, FRAMES):
        begin = time.perf_counter()
        draw(max(k, 0) / 30.0)
        durations.append(time.perf_counter() - begin)
    measured = durations[WARM_UP:]
    return 1e3 * median(measured), 1e3 * min(measured)
