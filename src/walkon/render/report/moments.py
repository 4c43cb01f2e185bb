"""Rendered pictures of a take: one of everybody, and one around whoever an anomaly is about."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from walkon.basics import Array, Picture
from walkon.metrics import Anomaly, AuditReport, Measures, Trajectories
from walkon.metrics.quality.collisions import TOUCHING
from walkon.motion import crop
from walkon.render.camera import Camera
from walkon.render.company import Performed
from walkon.render.framing import fit_camera
from walkon.render.palette import ALARM
from walkon.render.report.maps import place_of
from walkon.render.take_films import draw_moment
from walkon.rotations import rotate
from walkon.synthesis import Performance, perform_each
from walkon.take import Take
from walkon.world import Scene

SIZE = (480, 320)
"""Width and height of a picture [px]."""

OVERVIEW = math.radians(32.0)
CLOSE = math.radians(22.0)
"""How far above the horizon the camera stands, for everybody and for one."""

FOV = math.radians(28.0)
DISTANCE = 5.8
"""Distance [m] of the camera from whoever it is about."""

TURNS = tuple(math.radians(angle) for angle in (0.0, 20.0, -20.0, 40.0, -40.0))
"""How far a camera may leave the side of two people to see them better."""

TALL = 0.7
"""Height [m] of things below which they hide nobody."""

GROUND_AROUND = 1.0
"""Ground [m] to be seen around everybody."""

CHEST = 0.95
"""Height [m] above the ground in the middle of the picture."""

ALIKE = 0.3
"""Seconds between two moments of the same people within which one picture shows both."""


@dataclass(frozen=True)
class Moment:
    """What to picture: who (one or two names) and when [s]."""

    who: tuple[str, ...]
    when: float

    def like(self, other: Moment) -> bool:
        """Whether a picture of one is a picture of the other."""
        return set(self.who) == set(other.who) and abs(self.when - other.when) < ALIKE


def moment_of(found: Anomaly, measures: Measures, audited: AuditReport | None = None) -> Moment | None:
    """The moment that shows an anomaly best; None if somebody in it is nowhere."""
    paths = measures.trajectories
    when, other = found.when, found.other
    if found.what == "collision" and audited is not None:
        when, other = _touching(found, audited)
    who = tuple(name for name in (found.who, other) if name in paths.names)
    if not who:
        return None
    if not math.isfinite(when):
        when = _telling(found, measures, [paths.names.index(name) for name in who])
    if not math.isfinite(when) or place_of(paths, who[0], when) is None:
        return None
    return Moment(who, when)


def _touching(found: Anomaly, audited: AuditReport) -> tuple[float, str]:
    """When somebody's first collision is worst, and whom it is with."""
    own = [one for one in audited.violations if one.kind in TOUCHING and found.who in (one.who, one.other)]
    if not own:
        return found.when, found.other
    first = min(own, key=lambda one: one.first_frame)
    if first.kind == "obstacle":
        return first.time, ""
    return first.time, first.other if first.who == found.who else first.who


def _telling(found: Anomaly, measures: Measures, people: list[int]) -> float:
    """For what is about all of a path: the worst jerk, the tightest spot, the middle of the time together."""
    person, paths = people[0], measures.trajectories
    if found.what == "normal jerkiness":
        return float(measures.jerkiness.normal_times[person])
    if found.what == "tangential jerkiness":
        return float(measures.jerkiness.tangential_times[person])
    if found.what == "resistance" and math.isfinite(measures.density.peak_times[person]):
        return float(measures.density.peak_times[person])
    begin, end = paths.starts[people].max(), paths.stops[people].min()
    return 0.5 * float(begin + max(end - 1, begin)) / paths.fps


def crowded_time(paths: Trajectories) -> float:
    """The moment [s] at which most people are nearest together: the least mean distance from their middle, among
    moments in which most of them are there."""
    best, when = math.inf, paths.first / paths.fps
    frames = np.unique(np.linspace(paths.first, paths.first + max(paths.frames - 1, 0), 120).astype(int))
    counts = np.array([np.sum((paths.starts <= frame) & (frame < paths.stops)) for frame in frames])
    for frame, count in zip(frames, counts, strict=True):
        if count < 0.8 * counts.max() or not count:
            continue
        places = places_at(paths, frame / paths.fps)
        spread = float(np.hypot(*(places - places.mean(axis=0)).T).mean()) / count
        if spread < best:
            best, when = spread, frame / paths.fps
    return float(when)


def places_at(paths: Trajectories, time: float) -> Array:
    """Where (P, 2) those are who are there at a time [s]."""
    frame = round(time * paths.fps)
    here = np.flatnonzero((paths.starts <= frame) & (frame < paths.stops))
    return paths.places[paths.offsets[here] + frame - paths.starts[here]]


def gather_moments(take: Take, times: Sequence[float]) -> list[list[Performed]]:
    """Who is there at each time [s], with the frames around it only: nothing is kept of all other motion."""
    gathered: list[list[Performed]] = [[] for _ in times]
    for one in perform_each(take):
        for cast, time in zip(gathered, times, strict=True):
            frame = math.floor(time * take.fps + 1e-6) - one.start_frame
            if 0 <= frame < len(one.clip):
                first = min(frame, max(len(one.clip) - 2, 0))
                piece = crop(one.clip, first, first + 2)
                # A piece is a view of all of the clip, which would be kept for it.
                piece = type(piece)(
                    piece.name, piece.skeleton, piece.fps, piece.root_positions.copy(), piece.rotations.copy(),
                    bone_offsets=None if piece.bone_offsets is None else np.array(piece.bone_offsets),
                )  # fmt: skip
                cast.append(Performance(one.character, one.start_frame + first, piece))
    return gathered


def overview_camera(places: Array, scene: Scene) -> Camera:
    """One camera that sees people at places (P, 2) and some ground around them, the same for several takes."""
    around = GROUND_AROUND * np.array([(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
    points = (places[:, None] + around).reshape(-1, 2) if len(places) else around
    low = np.column_stack([points[:, 0], scene.terrain.at(points[:, 0], points[:, 1]), points[:, 1]])
    high = low + np.array([0.0, 1.9, 0.0])
    return fit_camera(
        np.concatenate([low, high]), 0.3, aspect=SIZE[0] / SIZE[1], azimuth=math.radians(25.0), elevation=OVERVIEW,
        fov=FOV, margin=0.05,
    )  # fmt: skip


def draw_everybody(
    take: Take, cast: Sequence[Performed], time: float, camera: Camera, size: tuple[int, int] = SIZE
) -> Picture:
    """The take at a time [s]."""
    return draw_moment(take, time, performances=cast, camera=camera, size=size)


def draw_around(
    take: Take,
    cast: Sequence[Performed],
    moment: Moment,
    *,
    size: tuple[int, int] = SIZE,
    spot: Sequence[float] | None = None,
) -> Picture | None:
    """Whom a moment is about, with a mark over their heads, and a ring around a spot (3,) [m].

    None if they are not there.
    """
    meant = {one.character: one for one in cast if one.character in moment.who}
    shown = [meant[name].clip.positions[0] for name in moment.who if name in meant]
    if not shown:
        return None
    middles = np.array([positions.mean(axis=0) for positions in shown])
    feet = min(float(positions[:, 1].min()) for positions in shown)
    target = np.array([middles[:, 0].mean(), feet + CHEST, middles[:, 2].mean()])
    apart = float(np.hypot(*(middles[0] - middles[-1])[[0, 2]]))
    distance = min(max(DISTANCE, 2.2 * apart), 16.0)
    others = [one.clip.root_positions[0] for one in cast if one.character not in moment.who]
    camera = Camera.orbit(
        target,
        distance,
        azimuth=_open_side(middles, others, _boxes(take, moment.when), distance),
        elevation=CLOSE,
        fov=FOV,
    )
    picture = draw_moment(take, moment.when, performances=cast, camera=camera, size=size, goals=False)
    return _marked(picture, camera, shown, spot)


def _boxes(take: Take, time: float) -> Array:
    """Rectangles (B, 4) x0, z0, x1, z1 [m] around what is tall enough to stand in the way of a camera."""
    found = []
    for obstacle in take.scene.obstacles:
        at = min(round(time * take.fps), len(obstacle.positions) - 1)
        points = rotate(obstacle.rotations[at], obstacle.shape.surface(8).points) + obstacle.positions[at]
        if points[:, 1].max() > TALL:
            found.append([*points[:, [0, 2]].min(axis=0), *points[:, [0, 2]].max(axis=0)])
    return np.array(found).reshape(-1, 4)


def _open_side(middles: Array, others: Sequence[Array], boxes: Array, distance: float) -> float:
    """Azimuth [rad] from which the least stands before those in the middle; two are seen side by side."""
    across = (middles[-1] - middles[0])[[0, 2]]
    if np.hypot(*across) > 0.05:
        sideways = math.atan2(-across[1], across[0])
        choices = [sideways + side + turn for turn in TURNS for side in (0.0, math.pi)]
    else:
        choices = [k * math.pi / 6.0 for k in range(12)]
    # Nobody farther away than the camera stands before anybody.
    places = np.array(others).reshape(-1, 3)[:, [0, 2]]
    steps = np.linspace(0.3, distance, 24)[:, None]
    hidden = []
    for azimuth in choices:
        towards = np.array([math.sin(azimuth), math.cos(azimuth)])
        count = 0.0
        for middle in middles[:, [0, 2]]:
            ahead = (places - middle) @ towards
            aside = np.abs((places - middle) @ np.array([towards[1], -towards[0]]))
            between = (ahead > 0.0) & (ahead < distance)
            count += float(np.sum(between * np.clip(1.2 - aside, 0.0, 1.0)))
            sight = (middle + steps * towards)[:, None]
            inside = (sight > boxes[:, :2] - 0.4) & (sight < boxes[:, 2:] + 0.4)
            count += float(np.sum(inside.all(axis=2)))
        hidden.append(count)
    return choices[int(np.argmin(hidden))]


def _marked(picture: Picture, camera: Camera, shown: Sequence[Array], spot: Sequence[float] | None) -> Picture:
    image = Image.fromarray(picture)
    pen = ImageDraw.Draw(image)
    scale = image.height / SIZE[1]
    for positions in shown:
        top = positions[positions[:, 1].argmax()] + (0.0, 0.28, 0.0)
        x, y, _ = camera.project(top, *image.size)
        side, up = 7 * scale, 11 * scale
        pen.polygon([(x - side, y - up), (x + side, y - up), (x, y)], fill=ALARM, outline=(255, 255, 255))
    if spot is not None:
        x, y, depth = camera.project(np.asarray(spot), *image.size)
        if depth > 0.0:
            reach = 13 * scale
            pen.ellipse((x - reach, y - reach, x + reach, y + reach), outline=ALARM, width=round(2 * scale))
    return np.asarray(image)
