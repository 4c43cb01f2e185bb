"""Close quarters: a narrow door, a door with a queue, and an office; planned, audited, and drawn into out/.

Shows: the same scenes with people seen as circles and as outlines, and the ground that their bodies cover.
Is not: a crowd; `walkon bench bodies` has 60 people in front of a door beside real ones, and the whole office.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path

import walkon
from walkon.render import draw_overview
from walkon.take import Take
from walkon.world import Scene
from walkon.world.classics import classic_scene_text

OUT = Path(__file__).parent.parent / "out"
SCENES = {"door-0.70": 1, "door-queue": 5, "office": 3}
"""Classic scenes, and how many of their people take part."""


def main() -> int:
    """Play each scene at two levels; outlines must do, with nobody left out and nothing touched."""
    OUT.mkdir(exist_ok=True)
    flawless = True
    for name, people in SCENES.items():
        scene = walkon.read_scene(classic_scene_text(name))
        scene = replace(scene, characters=scene.characters[:people])
        play(replace(scene, bodies="circle"))
        take, clean = play(replace(scene, bodies="outline"))
        draw_overview(take, OUT / f"close-{name}.png", every=0.5)
        flawless = flawless and clean and not take.unplanned
    print("the outlines are in " + ", ".join(f"out/close-{name}.png" for name in SCENES))
    return 0 if flawless else 1


def play(scene: Scene) -> tuple[Take, bool]:
    """A take of the scene, and whether the audit finds nothing wrong with it; both are said."""
    begun = time.perf_counter()
    take = walkon.plan_scene(scene)
    report = walkon.audit(take)
    seconds = time.perf_counter() - begun
    last = max((role.arrival or 0 for role in take.roles), default=0) / take.fps
    there = f"the last arrives after {last:.1f} s" if take.roles else "there is no way"
    verdict = "clean" if report.clean or not take.roles else f"{len(report.violations)} VIOLATIONS"
    planned = f"{len(take.roles)} of {len(scene.characters)} planned"
    print(f"{scene.name:10} {scene.bodies:8} {planned}, {there}, {verdict}, {seconds:.1f} s")
    return take, report.clean


if __name__ == "__main__":
    sys.exit(main())
