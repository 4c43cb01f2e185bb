"""Make docs/films again: each cast shows what it can do, behavior after behavior, with the obstacles they need."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from walkon.behaviors import BehaviorClip, BehaviorLibrary
from walkon.builtin.casts import make_library
from walkon.motion import Clip, crop, ground_placements, join
from walkon.render import follow_clip, level_setting, write_film
from walkon.rotations import rotation_about_y
from walkon.world import Box, Obstacle

FILMS = Path(__file__).resolve().parents[1] / "docs" / "films"
LARGEST = 1_200_000
"""Bytes a committed film may have."""

OBSTACLES = {
    "step_over": (Box(width=1.2, depth=0.12, height=0.25), 0.0),
    "jump_over": (Box(width=1.4, depth=0.15, height=0.45), 0.0),
    "duck_under": (Box(width=2.4, depth=0.10, height=0.10), 1.28),
    "crawl_under": (Box(width=2.4, depth=0.50, height=0.10), 0.90),
}
"""Kind of behavior -> the thing that is where its action happens, and how high above the ground it is [m]."""


@dataclass(frozen=True)
class Film:
    """One film: a performer plays the behaviors of `script`; azimuth [rad], distance [m]: the camera's."""

    cast: str
    seed: int
    script: str
    azimuth: float
    distance: float


SCRIPTS = {
    "human_on_the_way": Film(
        "human",
        7,
        """start_walk walk_forward walk_left_45 step_over duck_under walk_to_jog jump_over_low jog_right_45
        jog_forward jump_over_long jog_to_walk stop_walk""",
        0.9,
        4.6,
    ),
    "human_on_the_spot": Film(
        "human",
        8,
        "wave turn_left_90 side_step_left step_back crawl_under sit_down sit rise cheer idle",
        0.7,
        5.4,
    ),
    "skateboarder": Film(
        "skateboarder",
        3,
        "start push glide carve_left_45 jump carve_right_90 push duck carve_left_20 glide stop wait",
        0.9,
        4.6,
    ),
    "horse": Film(
        "horse",
        0,
        "gallop_forward gallop_left_35 gallop_forward gallop_right_35 gallop_right_15 gallop_forward",
        1.1,
        6.5,
    ),
}


def main() -> None:
    """Write every film; fail if one is too large to commit."""
    too_large = []
    for name, film in SCRIPTS.items():
        clip, obstacles = chain(make_library(film.cast, film.seed), film.script.split())
        path = FILMS / f"{name}.mp4"
        camera = follow_clip(clip, azimuth=film.azimuth, distance=film.distance, calm=1.2)
        setting = level_setting(obstacles)
        write_film(path, clip, size=(480, 270), fps=25, camera=camera, setting=setting)
        size = path.stat().st_size
        sys.stdout.write(f"docs/films/{path.name}  {clip.duration:.0f} s  {size / 1000:.0f} kB\n")
        if size > LARGEST:
            too_large.append(path.name)
    if too_large:
        sys.exit(f"larger than {LARGEST / 1000:.0f} kB: {', '.join(too_large)}")


def chain(library: BehaviorLibrary, names: Sequence[str]) -> tuple[Clip, list[Obstacle]]:
    """One clip of behaviors that follow each other, and an obstacle wherever one goes over or under something."""
    played: Clip | None = None
    actions: list[tuple[str, int]] = []
    for index, name in enumerate(names):
        behavior = library[name]
        if index and behavior not in library.followers(library[names[index - 1]]):
            sys.exit(f"{library.name}: {name} cannot follow {names[index - 1]}")
        shown = behavior.clips[index % len(behavior.clips)]
        if behavior.kind in OBSTACLES and shown.action_time is not None:
            begin = 0 if played is None else len(played) - 1
            actions.append((behavior.kind, begin + round(shown.action_time * library.fps)))
        core = _core(shown)
        played = core if played is None else join(played, core, blend=0.0)
    if played is None:
        sys.exit("a film needs at least one behavior")
    places = ground_placements(played)
    return played, [_obstacle(kind, places[frame]) for kind, frame in actions]


def _core(shown: BehaviorClip) -> Clip:
    return crop(shown.clip, shown.first, shown.last + 1)


def _obstacle(kind: str, placement: np.ndarray) -> Obstacle:
    x, z, heading = (float(value) for value in placement)
    box, bottom = OBSTACLES[kind]
    return Obstacle(kind, box, np.array([[x, bottom, z]]), rotation_about_y(heading)[None])


if __name__ == "__main__":
    main()
