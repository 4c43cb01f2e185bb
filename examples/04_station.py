"""The main job: one hundred people cross a station concourse, and nobody walks through anybody.

Reads a scene, plans everybody, audits the result and writes the take, a GLB, a film and a picture into out/.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
OUT = HERE.parent / "out"
SECONDS = 25
"""Of the take in the film; the last few take longer to arrive."""


@contextmanager
def step(what: str) -> Iterator[None]:
    """Say what is being done, and how long it took."""
    print(f"  {what:<46}", end="", flush=True)
    begun = time.perf_counter()
    yield
    print(f"{time.perf_counter() - begun:6.1f} s", flush=True)


def main(film: bool = True) -> int:
    """Plan, audit, export; the exit code says whether the audit is clean."""
    import walkon
    from walkon.metrics import audit_performances
    from walkon.render import draw_overview, film_take
    from walkon.synthesis import perform_all

    OUT.mkdir(exist_ok=True)
    begun = time.perf_counter()
    print("One hundred people cross a station concourse. (The first run compiles for a minute or so, once.)")
    with step("reading the scene"):
        scene = walkon.read_scene(HERE / "scenes" / "station.toml")
    with step(f"planning {len(scene.characters)} people"):
        take = walkon.plan_scene(scene, seed=1)
    with step("playing everybody's motion"):
        performances = perform_all(take)
    with step("auditing every frame and what lies between"):
        report = audit_performances(take, performances)
    with step("writing out/station.take"):
        walkon.write_take(take, OUT / "station.take")
    with step("drawing out/station.png"):
        draw_overview(take, OUT / "station.png")
    with step("writing out/station.glb"):
        walkon.export_take(take, OUT / "station.glb", performances=performances)
    if film:
        with step(f"filming {SECONDS} s into out/station.mp4"):
            film_take(take, OUT / "station.mp4", performances=performances, span=(0.0, SECONDS), size=(960, 540))
    print()
    print(report.summary())
    print(f"\nDone in {time.perf_counter() - begun:.0f} s. Look at out/station.mp4 and out/station.png.")
    return 0 if report.clean else 1


if __name__ == "__main__":
    sys.exit(main(film="--no-film" not in sys.argv))
