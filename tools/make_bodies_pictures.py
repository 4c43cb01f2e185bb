"""Make the pictures of docs/bodies.md: narrow places and clutter from above, and moments of films."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from PIL import Image

import walkon
from walkon.files import atomic_path
from walkon.render import Camera, draw_moment, draw_sheet
from walkon.take import Take
from walkon.world import Scene
from walkon.world.classics import classic_scene_text
from walkon.world.classics.layout import layout_text
from walkon.world.classics.narrows import opening

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
COLORS = 200
"""Fewer colors make the files small enough to commit."""

CLUTTER = ("cluttered-grid", *(f"cluttered-{number}" for number in range(1, 10)))
TILE = (480, 320)
"""Size [px] of a moment on a strip of moments."""


def main() -> None:
    """Plan, and write docs/pictures/bodies-*.png."""
    hallway, door, gap = (planned(classic(name)) for name in ("hallway", "door-0.70", "gap-0.45"))
    narrow = [hallway, door, gap, planned(too_narrow(), nobody=True)]
    draw_sheet(narrow, PICTURES / "bodies-narrow.png", scale=28.0, every=0.4)
    draw_sheet(
        [planned(classic(name)) for name in CLUTTER], PICTURES / "bodies-clutter.png", scale=24.5, every=0.4
    )
    time, place = meeting(hallway)
    strip(
        hallway,
        time + np.arange(-1.25, 1.5, 0.5),
        looking((place, 0.9, 0.0), 8.0, 1.45, 0.85),
        "bodies-hallway.png",
    )
    through = passing(gap) + np.arange(-0.9, 1.5, 0.4)
    strip(gap, through, looking((0.3, 0.9, 0.0), 5.5, 1.4, 0.35), "bodies-sidling.png")
    for path in PICTURES.glob("bodies-*.png"):
        _save(Image.open(io.BytesIO(path.read_bytes())).convert("RGB"), path)


def classic(name: str) -> Scene:
    """A classic scene as it is known."""
    return walkon.read_scene(classic_scene_text(name))


def too_narrow() -> Scene:
    """A gap that nobody gets through."""
    return walkon.read_scene(
        layout_text("gap-0.25", "gap-0.25", "tools/make_bodies_pictures.py", opening(0.25), 0)
    )


def planned(scene: Scene, *, nobody: bool = False) -> Take:
    """Its take, in which everybody arrives, or nobody has a plan; the audit finds nothing."""
    take = walkon.plan_scene(scene)
    missing = not take.unplanned if nobody else bool(take.unplanned)
    if missing or (take.roles and not walkon.audit(take).clean):
        raise SystemExit(f"{scene.name}: not as it should be: {take.unplanned or walkon.audit(take).counts()}")
    return take


def looking(target: tuple[float, float, float], far: float, azimuth: float, elevation: float) -> Camera:
    """A camera so far [m] from what it looks at; angles [rad]: from +z towards +x, and up."""
    return Camera.orbit(target, far, azimuth=azimuth, elevation=elevation)


def meeting(take: Take) -> tuple[float, float]:
    """When [s] and at which x [m] the first two people are nearest."""
    first, second = (path_of(take, person) for person in (0, 1))
    count = min(len(first), len(second))
    frame = int(np.argmin(np.hypot(*(first[:count] - second[:count]).T)))
    return frame / take.fps, float(first[frame, 0])


def passing(take: Take) -> float:
    """[s] When the first person crosses x = 0."""
    return float(np.argmax(path_of(take, 0)[:, 0] > 0.0)) / take.fps


def path_of(take: Take, person: int) -> np.ndarray:
    """Where somebody is (F, 2), frame by frame."""
    from walkon.metrics.trajectories import of_take

    return of_take(take).path(person)


def strip(take: Take, times: np.ndarray, camera: Camera, name: str) -> None:
    """Moments [s] of a film side by side, three in a row."""
    tiles = [draw_moment(take, max(float(time), 0.0), camera=camera, size=TILE, goals=False) for time in times]
    rows = [np.concatenate(tiles[k : k + 3], axis=1) for k in range(0, len(tiles), 3)]
    _save(Image.fromarray(np.concatenate(rows)), PICTURES / name)


def _save(picture: Image.Image, path: Path) -> None:
    with atomic_path(path) as temporary:
        picture.quantize(COLORS).save(temporary, format="PNG", optimize=True)


if __name__ == "__main__":
    main()
