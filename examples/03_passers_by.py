"""Passers-by: two dozen people of different height and pace, and a dog, in one picture and one GLB file.

Shows: clips are placed on the ground by position and heading; one renderer and one writer take any number of
characters with different bodies.
Is not: a planned crowd. People walk straight on and would walk through each other if they met.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from walkon.builtin import human_skeleton, make, make_walk
from walkon.export import write_glb
from walkon.motion import Clip, place
from walkon.render import Camera, render_frame, write_png
from walkon.rotations import Placement

OUT = Path("out")


LANES = 8


def passers_by(count: int, rng: np.random.Generator) -> list[Clip]:
    """People who cross a square on lanes 1.2 m apart, one lane up and the next one down."""
    people = []
    for index in range(count):
        row, lane = divmod(index, LANES)
        onwards = lane % 2 == 0
        height = rng.normal(1.72, 0.09)
        walk = make_walk(human_skeleton(height), speed=rng.uniform(1.1, 1.5), cycles=3)
        start = Placement(
            x=1.2 * (lane - (LANES - 1) / 2),
            z=4.5 * (row - 1) + rng.uniform(-1.2, 1.2) - (2.0 if onwards else -2.0),
            heading=0.0 if onwards else np.pi,
        )
        people.append(place(walk, start))
    return people


def main() -> None:
    """Write out/passers_by.png and out/passers_by.glb."""
    cast = passers_by(24, np.random.default_rng(7))
    # The dog trots between two lanes, faster than anybody walks.
    cast.append(place(make("dog", cycles=6), Placement(x=1.8, z=2.2)))
    camera = Camera.orbit((0.4, 0.8, 0.0), 15.5, azimuth=np.radians(24), elevation=np.radians(13))
    write_png(OUT / "passers_by.png", render_frame(cast, time=1.6, size=(1280, 720), camera=camera))
    write_glb(OUT / "passers_by.glb", cast)
    print(f"{len(cast)} characters: out/passers_by.png, out/passers_by.glb")


if __name__ == "__main__":
    main()
