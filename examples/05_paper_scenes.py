"""The scenes of the behavior planning paper: planned, audited, and drawn from above into out/.

Shows: jumping a fallen tree, going around a hill, waiting for a gap, galloping among balls, crawling and jumping.
Is not: a film; `walkon export out/hook.take hook.mp4` makes one of any of the takes.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import walkon
from walkon.render import draw_overview

HERE = Path(__file__).parent
OUT = HERE.parent / "out"
SCENES = ("falling_tree", "hills", "hook", "horses", "balls", "corridor", "hundred")


def main(names: list[str]) -> int:
    """Plan and audit each; the exit code says whether all is clean and nobody was left out."""
    OUT.mkdir(exist_ok=True)
    flawless = True
    for name in names:
        begun = time.perf_counter()
        scene = walkon.read_scene(HERE / "scenes" / f"{name}.toml", seed=1)
        take = walkon.plan_scene(scene, seed=1)
        report = walkon.audit(take)
        walkon.write_take(take, OUT / f"{name}.take")
        draw_overview(take, OUT / f"{name}.png")
        verdict = "clean" if report.clean else f"{len(report.violations)} VIOLATIONS"
        seconds = time.perf_counter() - begun
        print(f"{name:14} {len(take.roles):3} planned, {len(take.unplanned)} not, {verdict}, {seconds:.1f} s")
        flawless = flawless and report.clean and not take.unplanned
    return 0 if flawless else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(SCENES)))
