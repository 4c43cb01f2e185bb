"""Make the pictures of the station in docs/: a moment of the crowd, and everybody's way from above."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

import walkon
from walkon.files import atomic_path
from walkon.render import draw_moment, draw_overview

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
COLORS = 200
"""Fewer colors make the files small enough to commit."""


def main() -> None:
    """Write docs/pictures/station.png and station_paths.png."""
    scene = walkon.read_scene(ROOT / "examples" / "scenes" / "station.toml")
    take = walkon.plan_scene(scene, seed=1)
    _save(Image.fromarray(draw_moment(take, 14.0, size=(1280, 620), goals=False)), PICTURES / "station.png")
    scratch = PICTURES / "station_paths.png"
    draw_overview(take, scratch, width=1200)
    _save(Image.open(io.BytesIO(scratch.read_bytes())).convert("RGB"), scratch)


def _save(picture: Image.Image, path: Path) -> None:
    with atomic_path(path) as temporary:
        picture.quantize(COLORS).save(temporary, format="PNG", optimize=True)


if __name__ == "__main__":
    main()
