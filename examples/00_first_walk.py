"""A first walk: make a clip, look at it, film it, hand it to other programs.

Shows: built-in motion needs no recordings; a clip becomes a contact sheet, a film and a BVH file in one line each.
Is not: a crowd or a plan. Nobody has a goal here, and nothing is in the way.
"""

from __future__ import annotations

from pathlib import Path

from walkon.builtin import make
from walkon.export import write_bvh
from walkon.motion import measure_gait
from walkon.render import contact_sheet, follow_clip, write_film, write_png

OUT = Path("out")


def main() -> None:
    """Write out/first_walk.png, .gif and .bvh."""
    walk = make("walk", speed=1.35, cycles=3)
    gait = measure_gait(walk)
    print(f"{walk}: {gait.cadence:.0f} steps a minute, strides of {gait.stride_length:.2f} m")
    write_png(OUT / "first_walk.png", contact_sheet(walk, 12))
    frames = write_film(OUT / "first_walk.gif", walk, size=(480, 360), fps=25, camera=follow_clip(walk))
    write_bvh(OUT / "first_walk.bvh", walk)
    print(f"out/first_walk.png, out/first_walk.gif ({frames} frames), out/first_walk.bvh")


if __name__ == "__main__":
    main()
